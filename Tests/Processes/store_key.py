"""What the tests of the store key need: a TPM in software, a keyring on a bus of its own, and the program itself."""

from __future__ import annotations

import fcntl
import json
import os
import socket
import subprocess
import time
from pathlib import Path

from conftest import eventually

KEY_LENGTH = 32
# Linux's numbers, which Python's modules name only from 3.13 on: F_GET_SEALS, and seal, shrink, grow and write.
GET_SEALS, ALL_SEALS = 1034, 15
SECRETS = "org.freedesktop.secrets"
LOGIN = "/org/freedesktop/secrets/collection/login"
# A session bus that starts nothing by itself: the keyring is there from the moment the test opens it.
BUS = """<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-BUS Bus Configuration 1.0//EN"
 "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
<busconfig><type>session</type><listen>{address}</listen><auth>EXTERNAL</auth>
<policy context="default"><allow send_destination="*" eavesdrop="true"/><allow eavesdrop="true"/><allow own="*"/>
</policy></busconfig>"""


class Answer:
    """What `keyway-store-key` handed over."""

    def __init__(self, finished: subprocess.CompletedProcess, memory: bytes, seals: int) -> None:
        self.finished = finished
        self.seals = seals
        line, _, self.key = memory.partition(b"\n")
        self.state = json.loads(line) if line else {}


def ask(program: Path, folder: Path, **environment: str) -> Answer:
    """Runs the program as the broker does."""
    folder.mkdir(mode=0o700, exist_ok=True)
    memory = os.memfd_create("key", os.MFD_ALLOW_SEALING | os.MFD_CLOEXEC)
    try:
        finished = subprocess.run(
            [program, folder],
            env={"PATH": "/usr/bin:/bin", "HOME": str(folder.parent), **environment},
            pass_fds=(3,),
            preexec_fn=lambda: os.dup2(memory, 3),
            capture_output=True,
            timeout=60,
        )
        size = os.fstat(memory).st_size
        return Answer(finished, os.pread(memory, size, 0), fcntl.fcntl(memory, GET_SEALS))
    finally:
        os.close(memory)


class Tpm:
    """A TPM 2 in software, whose state lies in a folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        folder.mkdir()
        self.port = free_ports()
        self.process: subprocess.Popen | None = None
        self.start()

    @property
    def address(self) -> str:
        return f"swtpm:port={self.port}"

    def start(self) -> None:
        self.process = subprocess.Popen(
            [
                "swtpm",
                "socket",
                "--tpm2",
                "--tpmstate",
                f"dir={self.folder}",
                "--server",
                f"type=tcp,port={self.port}",
                "--ctrl",
                f"type=tcp,port={self.port + 1}",
                "--flags",
                "not-need-init,startup-clear",
            ],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        # The line for commands takes one caller: only the other one is knocked at.
        eventually(lambda: listens(self.port + 1) and self.process.poll() is None, within=60)

    def stop(self) -> None:
        self.process.kill()
        self.process.wait()

    def clear(self) -> None:
        """Makes it the TPM of a machine that was given to somebody else."""
        self.stop()
        for state in self.folder.iterdir():
            state.unlink()
        self.start()


class Keyring:
    """GNOME's keyring on a session bus of its own, its login collection open."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        folder.mkdir(mode=0o700)
        self.address = f"unix:path={folder}/bus"
        self.environment = {
            "PATH": os.environ["PATH"],
            "HOME": str(folder),
            "XDG_RUNTIME_DIR": str(folder),
            "XDG_DATA_HOME": str(folder / "data"),
            "DBUS_SESSION_BUS_ADDRESS": self.address,
        }
        (folder / "bus.conf").write_text(BUS.format(address=self.address))
        self.bus = self.spawn("dbus-daemon", f"--config-file={folder}/bus.conf", "--nofork")
        eventually(lambda: (folder / "bus").exists(), within=60)
        self.daemon: subprocess.Popen | None = None

    def spawn(self, *command: str, **options: object) -> subprocess.Popen:
        return subprocess.Popen(
            command, env=self.environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, **options
        )

    def open(self) -> None:
        """Starts the daemon as the login does: with the password, which opens the login collection."""
        self.daemon = self.spawn(
            "gnome-keyring-daemon", "--foreground", "--unlock", "--components=secrets", stdin=subprocess.PIPE
        )
        self.daemon.stdin.write(b"login password")
        self.daemon.stdin.close()
        eventually(lambda: self.busctl("introspect", SECRETS, LOGIN) == 0, within=60)

    def lock(self) -> None:
        assert self.call("Lock", "ao", "1", LOGIN) == 0

    def forget(self) -> None:
        """Removes every item of the login collection."""
        listed = subprocess.run(
            [
                "busctl",
                f"--address={self.address}",
                "--json=short",
                "get-property",
                SECRETS,
                LOGIN,
                "org.freedesktop.Secret.Collection",
                "Items",
            ],
            env=self.environment,
            capture_output=True,
            check=True,
        )
        for item in json.loads(listed.stdout)["data"]:
            assert self.busctl("call", SECRETS, item, "org.freedesktop.Secret.Item", "Delete") == 0

    def call(self, member: str, *arguments: str) -> int:
        return self.busctl(
            "call", SECRETS, "/org/freedesktop/secrets", "org.freedesktop.Secret.Service", member, *arguments
        )

    def busctl(self, *arguments: str) -> int:
        command = ["busctl", f"--address={self.address}", *arguments]
        return subprocess.run(command, env=self.environment, capture_output=True).returncode

    def close_daemon(self) -> None:
        if self.daemon:
            self.daemon.kill()
            self.daemon.wait()
            self.daemon = None

    def close(self) -> None:
        self.close_daemon()
        self.bus.kill()
        self.bus.wait()


def listens(port: int) -> bool:
    with socket.socket() as door:
        return door.connect_ex(("127.0.0.1", port)) == 0


def free_ports() -> int:
    """The first of two ports, one behind the other, that nobody uses."""
    deadline = time.monotonic() + 20
    while time.monotonic() < deadline:
        with socket.socket() as first, socket.socket() as second:
            first.bind(("127.0.0.1", 0))
            port = first.getsockname()[1]
            try:
                second.bind(("127.0.0.1", port + 1))
            except (OSError, OverflowError):
                continue
            return port
    raise AssertionError("no two free ports")
