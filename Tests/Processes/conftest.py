"""What the process tests share: the installed tree in a private environment, and the broker in it."""

from __future__ import annotations

import os
import plistlib
import pty
import shutil
import socket
import struct
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import interruption
import pytest
from longest_first import pytest_collection_modifyitems
from wire import Closed, Peer

from session import grants, system_bus
from session.private import PrivateSession, end

ROOT = Path(__file__).resolve().parents[2]
FAULTY = ROOT / "Tests/Providers/faulty_provider.py"
# What runs the providers that are written in Python, and what it must be allowed to run and to read.
PYTHON = Path(sys.executable).resolve()
PYTHON_LIBRARIES = [] if sys.base_prefix == "/usr" else [sys.base_prefix]
PYTHON_SANDBOX = {"ReadPaths": [str(ROOT / "Tests"), *PYTHON_LIBRARIES], "Programs": ["sh", str(PYTHON)]}
EXTENSION_POINT = "com.apple.authentication-services-credential-provider-ui"
PAGE = "https://a.example/login"

# Connects again and again for whoever is outside.
CONNECTS = """
import socket, sys, time
outside = socket.socket(fileno=int(sys.argv[1]))
doors = []
while outside.recv(1):
    doors.append(socket.socket(socket.AF_UNIX))
    while doors[-1].connect_ex(sys.argv[2]) != 0:
        time.sleep(0.01)
    socket.send_fds(outside, [b"."], [doors[-1].fileno()])
"""

interruption.allow()
# The tests see no sessions but those that they make up.
system_bus.hide()


@pytest.fixture(scope="session")
def stage(tmp_path_factory) -> Path:
    """The installed tree: the one that the test run made, or a new one."""
    if "KEYWAY_STAGE" in os.environ:
        return Path(os.environ["KEYWAY_STAGE"])
    tree = tmp_path_factory.mktemp("stage") / "tree"
    subprocess.run([ROOT / "Tools/stage", tree, "--linked", "--samples"], check=True, capture_output=True)
    return tree


@pytest.fixture
def keyway(stage):
    """A private environment with the installed tree; nothing runs in it yet."""
    with Keyway() as session:
        session.prefix.symlink_to(stage)
        session.approve_programs()
        yield session


@pytest.fixture
def stranger(stage):
    """The same, where the person was asked about no program yet."""
    with Keyway() as session:
        session.prefix.symlink_to(stage)
        yield session


@pytest.fixture
def broker(keyway):
    """The same with a broker that was started by hand."""
    keyway.start_broker()
    return keyway


class Keyway(PrivateSession):
    """A private environment, and what the tests do in it."""

    def __init__(self) -> None:
        super().__init__()
        # The tests are at no desktop but their own.
        for name in ("DISPLAY", "WAYLAND_DISPLAY", "XAUTHORITY"):
            self.environment.pop(name, None)
        # A folder of the system's besides that of the installed tree.
        self.environment["XDG_DATA_DIRS"] = f"{self.folder}/system:{self.environment['XDG_DATA_DIRS']}"

    @property
    def socket(self) -> Path:
        return self.folder / "runtime/keyway/autofill.sock"

    @property
    def keywayd(self) -> Path:
        return self.prefix / "libexec/keyway/keywayd"

    @property
    def log(self) -> str:
        return (self.folder / "keywayd.log").read_text()

    def connect(self, role: str = "terminal") -> Peer:
        """A greeted connection to the broker."""
        return Peer.connect(self.socket).greet(role)

    def connect_through(self, visitor: socket.socket) -> None:
        """From now on connections are made by the program at the other end (`CONNECTS`)."""

        def connect(role: str = "terminal") -> Peer:
            visitor.send(b".")
            _, (descriptor,), _, _ = socket.recv_fds(visitor, 1, 1)
            return Peer(socket.socket(fileno=descriptor)).greet(role)

        self.connect = connect

    @contextmanager
    def broker_apart(self, preparation: str) -> Iterator[None]:
        """Runs the broker in namespaces of its own, after a command of the shell there.

        It knows the programs of its own user namespace only: connections are made there meanwhile, by a process that
        hands them out.
        """
        ours, theirs = socket.socketpair()
        visitor = f"{grants.own_program()} -c '{CONNECTS}' {theirs.fileno()} {self.socket}"
        with (self.folder / "keywayd.log").open("ab") as log:
            process = subprocess.Popen(
                [
                    *("unshare", "--user", "--map-root-user", "--mount", "sh", "-c"),
                    f"{preparation} && {{ {self.keywayd} --foreground & exec {visitor}; }}",
                ],
                env=self.environment,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                pass_fds=[theirs.fileno()],
                start_new_session=True,
            )
        self.processes.append(process)
        theirs.close()

        eventually(lambda: brokers(self.folder))
        self.connect_through(ours)
        try:
            yield
        finally:
            del self.connect
            ours.close()

    @contextmanager
    def connect_in_terminal(self) -> Iterator[Peer]:
        """The same, made by a process of its own in a terminal of its own."""
        ours, theirs = socket.socketpair()
        child, master = pty.fork()
        if child == 0:
            try:
                with socket.socket(socket.AF_UNIX) as door:
                    door.connect(str(self.socket))
                    socket.send_fds(theirs, [b"."], [door.fileno()])
                # Whatever else is open here would stay open for the others; without 0 to 2 the terminal would be gone.
                os.closerange(3, theirs.fileno())
                os.closerange(theirs.fileno() + 1, 4096)
                theirs.recv(1)
            finally:
                os._exit(0)
        theirs.close()
        try:
            _, (descriptor,), _, _ = socket.recv_fds(ours, 1, 1)
            with Peer(socket.socket(fileno=descriptor)).greet("terminal") as peer:
                yield peer
        finally:
            ours.close()
            os.close(master)
            os.waitpid(child, 0)

    def install(
        self,
        name: str,
        behaviour: str = "good",
        *,
        extension: str | None = None,
        service: bool = True,
        where: str = "data",
        **keys: object,
    ) -> str:
        """Installs the provider of `Tests/Providers` for the person (`data`) or the system; its identifier.

        The extension behaves as `extension` says where that differs from the service's behaviour.
        """
        bundle = self.folder / where / f"keyway/providers/{name}.appex"
        bundle.mkdir(parents=True, exist_ok=True)
        identifier = f"test.{name}"
        marks = self.marks(identifier)
        marks.mkdir(parents=True, exist_ok=True)
        behaviours = {"extension": extension or behaviour, **({"service": behaviour} if service else {})}
        for part, does in behaviours.items():
            (bundle / part).write_text(f'#!/bin/sh\nexec {PYTHON} {FAULTY} "$0" {does} {marks}\n')
            (bundle / part).chmod(0o755)
        information = {
            "CFBundleIdentifier": identifier,
            "CFBundleName": name,
            "CFBundleShortVersionString": "1.0",
            "CFBundleExecutable": "extension",
            "NSExtension": {"NSExtensionPointIdentifier": EXTENSION_POINT},
            **({"KeywayService": "service"} if service else {}),
            "KeywaySandbox": {**PYTHON_SANDBOX, "WritePaths": [str(marks)]},
            **keys,
        }
        (bundle / "Info.plist").write_bytes(plistlib.dumps(information))
        return identifier

    def enable(self, identifier: str) -> None:
        with self.connect() as peer:
            peer.call("providers.setEnabled", {"identifier": identifier, "isEnabled": True})

    def provide(self, name: str, behaviour: str = "good", **keys: object) -> str:
        """Installs and enables a provider, and lets its service save its identity."""
        identifier = self.install(name, behaviour, **keys)
        self.enable(identifier)
        with self.connect() as peer:
            self.visit_service(peer, identifier, "hello")
            eventually(lambda: suggest(peer))
        return identifier

    def visit_service(self, peer: Peer, identifier: str, word: str) -> str:
        """Says a word to a provider's service; who it was told is there."""
        _, (descriptor,) = peer.answer(peer.request("service.connect", {"provider": identifier}))
        with socket.socket(fileno=descriptor) as client, client.makefile("rw") as lines:
            lines.write(f"{word}\n")
            lines.flush()
            return lines.readline().strip()

    def marks(self, identifier: str) -> Path:
        """The folder to which the provider of `Tests/Providers` writes."""
        return self.folder / "marks" / identifier

    def bundle(self, identifier: str) -> Path:
        return self.folder / f"data/keyway/providers/{identifier.removeprefix('test.')}.appex"

    def running(self, role: str | None = None) -> list[dict]:
        """The processes of bundles that the broker runs."""
        with self.connect() as peer:
            running = peer.call("status")["running"]
        return [process for process in running if role in (None, process["role"])]

    def stop(self, process: subprocess.Popen) -> int:
        end(process)
        self.processes.remove(process)
        return process.returncode

    def start_broker(self, prepare: Callable[[], None] | None = None) -> subprocess.Popen:
        super().start_broker(prepare)
        return self.processes[-1]

    def close(self) -> None:
        for process in brokers(self.folder):
            try:
                os.kill(process, 15)
            except ProcessLookupError:
                pass
        super().close()
        shutil.rmtree(self.folder, ignore_errors=True)


def brokers(folder: Path) -> list[int]:
    """The broker that listens in a private environment, whoever started it."""
    with socket.socket(socket.AF_UNIX) as door:
        try:
            door.connect(str(folder / "runtime/keyway/autofill.sock"))
        except OSError:
            return []
        return [struct.unpack("3i", door.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, 12))[0]]


def eventually(condition, within: float = 60) -> None:
    """Waits until `condition()` is true."""
    deadline = time.monotonic() + within
    while not condition():
        assert time.monotonic() < deadline, "did not happen in time"
        time.sleep(0.005)


def url(text: str = PAGE) -> dict:
    return {"identifier": text, "kind": "URL"}


def suggest(peer: Peer, page: str = PAGE) -> list[dict]:
    return peer.call("suggest", {"services": [url(page)]})["suggestions"]


def fill(handle: str, page: str = PAGE, *, presents: bool = False) -> dict:
    return {"target": {"suggestion": {"handle": handle}}, "services": [url(page)], "presents": presents}


__all__ = ["Closed", "Keyway", "eventually", "fill", "pytest_collection_modifyitems", "suggest", "url"]
