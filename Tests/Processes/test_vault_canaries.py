"""Planted secrets are looked for wherever a whole run leaves traces (T38): logs, arguments, environment, bus, files."""

import os
import subprocess
import threading
import time
from pathlib import Path
from secrets import token_hex

import pytest
from conftest import Keyway
from memory_scan import occurrences
from vault_service import eventually

from session import system_bus

PAGE = "https://a.example/login"
OUR_PROGRAMS = {"keyway", "keywayd", "keyway-vaultd", "keyway-passwords-extension"}


class Sampler(threading.Thread):
    """Reads arguments and environment of every process of the run, again and again, until it is stopped."""

    def __init__(self, folder: Path) -> None:
        super().__init__(daemon=True)
        self.mark = str(folder).encode()
        self.programs: set[str] = set()
        self.seen: set[bytes] = set()
        self.ended = threading.Event()

    def run(self) -> None:
        while not self.ended.is_set():
            for process in Path("/proc").glob("[0-9]*"):
                self.sample(process)
            time.sleep(0.002)

    def sample(self, process: Path) -> None:
        try:
            arguments, environment = ((process / name).read_bytes() for name in ("cmdline", "environ"))
        except OSError:
            return
        if self.mark in environment:
            self.programs.add(os.fsdecode(arguments.split(b"\0")[0]).rpartition("/")[2])
            self.seen |= {arguments, environment}

    def stop(self) -> None:
        self.ended.set()
        self.join()


class Run:
    """A session with a bus that is listened to, and everything that its programs said."""

    def __init__(self, session: Keyway) -> None:
        self.session = session
        assert system_bus.may_play(), "only root can play the system's bus"
        address = system_bus.ADDRESS
        session.environment["DBUS_SESSION_BUS_ADDRESS"] = address
        session.start("dbus-daemon", "--session", "--nofork", f"--address={address}", log="bus.log")
        eventually(system_bus.SOCKET.exists)
        session.start("dbus-monitor", "--address", address, log="traffic.log")
        self.said: list[str] = []

    def keyway(self, *arguments: str, secrets: tuple[str, ...] = (), status: int | None = 0) -> str:
        """Runs the command line; what it prints on standard output is what was asked for, the rest is kept."""
        finished = subprocess.run(
            [self.session.prefix / "bin/keyway", *arguments],
            env=self.session.environment,
            input="".join(f"{secret}\n" for secret in secrets),
            capture_output=True,
            text=True,
            timeout=60,
        )
        assert status in (None, finished.returncode), (arguments, finished.stderr)
        self.said.append(finished.stderr)
        return finished.stdout

    def traces(self) -> dict[str, bytes]:
        """Every file of the run and everything that was said, by where it was."""
        found = {"standard error": "\n".join(self.said).encode()}
        for path in self.session.folder.rglob("*"):
            if path.is_file() and not path.is_relative_to(self.session.prefix):
                found[str(path.relative_to(self.session.folder))] = path.read_bytes()
        return found


@pytest.fixture
def run(broker):
    yield Run(broker)
    system_bus.SOCKET.unlink(missing_ok=True)


def leaks(traces: dict[str, bytes], secrets: dict[str, str]) -> list[str]:
    return [
        f"{name} in {place}"
        for place, text in traces.items()
        for name, secret in secrets.items()
        if secret.encode() in text or secret.encode("utf-16-le") in text
    ]


def whole_run(run: Run, secrets: dict[str, str]) -> None:
    """All that a person does with the vault, in one sitting, mistakes included."""
    master, new = secrets["master password"], secrets["new master password"]
    first, second, wrong = secrets["former password"], secrets["password"], secrets["wrong password"]
    run.keyway("providers", "enable", "--yes", "org.keyway.passwords")
    run.keyway("passwords", "init", "--memory", "64", secrets=(master, master))
    run.keyway(
        "passwords", "add", "Example", "--user", "ada", "--address", PAGE, "--notes", "--custom", "PIN",
        secrets=(first, secrets["field"], secrets["notes"]),
    )  # fmt: skip
    eventually(lambda: "ada" in run.keyway("suggest", PAGE, status=None))
    assert run.keyway("fill", PAGE) == first + "\n"
    run.keyway("passwords", "edit", "Example", "--password", secrets=(second,))
    shown = run.keyway("passwords", "show", "Example", "--reveal", "--history")
    assert all(secrets[name] in shown for name in ("password", "former password", "field", "notes"))
    run.keyway("passwords", "lock")
    run.keyway("fill", PAGE, status=5)
    run.keyway("passwords", "unlock", secrets=(wrong,), status=6)
    run.keyway("passwords", "unlock", secrets=(master,))
    run.keyway("passwords", "change-master", secrets=(wrong, new, new), status=6)
    run.keyway("passwords", "change-master", secrets=(master, new, new))
    assert run.keyway("fill", PAGE) == second + "\n"
    run.keyway("passwords", "show", "Exampel", status=3)
    run.keyway("passwords", "remove", "Example", "--yes")
    run.keyway("passwords", "lock")
    run.keyway("status")
    # The doctor may find fault with the machine; here only what it says counts.
    run.said.append(run.keyway("doctor", status=None))


def test_a_whole_run_leaves_no_secret_anywhere(run):
    names = (
        "master password",
        "new master password",
        "wrong password",
        "password",
        "former password",
        "field",
        "notes",
    )
    secrets = {name: token_hex(16) for name in names}
    sampler = Sampler(run.session.folder)
    sampler.start()
    try:
        whole_run(run, secrets)
    finally:
        sampler.stop()
    assert sampler.programs >= OUR_PROGRAMS - (set() if os.geteuid() == 0 else {"keyway-vaultd"}), sampler.programs
    traces = run.traces()
    traces |= {f"arguments or environment {number}": text for number, text in enumerate(sampler.seen)}
    assert b"keyway-vaultd" in traces["keywayd.log"]
    # The control: what is no secret is found by the same search, and so would a secret be.
    assert leaks(traces, {"hint": "keyway passwords init"})
    planted = {**traces, "planted": secrets["password"].encode()}
    assert leaks(planted, secrets) == ["password in planted"]
    assert leaks(traces, secrets) == []


@pytest.mark.skipif(os.geteuid() != 0, reason="only root may read another process's memory")
def test_the_broker_never_holds_a_secret(run):
    names = (
        "master password",
        "new master password",
        "wrong password",
        "password",
        "former password",
        "field",
        "notes",
    )
    secrets = {name: token_hex(16) for name in names}
    whole_run(run, secrets)
    sought = {name: secret.encode() for name, secret in secrets.items()}
    with run.session.connect() as peer:
        broker = peer.call("status")["processIdentifier"]
        running = {process["role"]: process["processIdentifier"] for process in peer.call("status")["running"]}
    # The control: what the broker does know.
    assert occurrences(broker, {"page": b"a.example"})["page"] > 0
    for process in (broker, *running.values()):
        assert set(occurrences(process, sought).values()) == {0}, process
