"""A place where Keyway runs and touches nothing of the person's own."""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterable
from pathlib import Path

from session import grants, system_bus

ROOT = Path(__file__).resolve().parents[2]
# What a program may take from outside; everything else stays there.
KEPT = ("PATH", "LANG", "TERM", "DISPLAY", "WAYLAND_DISPLAY", "XAUTHORITY", "TZ")
# What leads to a desktop.
DESKTOP = ("DISPLAY", "WAYLAND_DISPLAY", "XAUTHORITY", "DBUS_SESSION_BUS_ADDRESS")
PASSWORDS = "org.keyway.passwords"


class CommandFailed(Exception):
    """A program of ours ended badly; the message is what it said."""


class PrivateSession:
    """A fresh folder of mode 0700 with the installed tree, and the processes started in it."""

    def __init__(self) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="keyway-"))
        self.prefix = self.folder / "prefix"
        self.processes: list[subprocess.Popen] = []
        for name in ("runtime", "state", "data", "config", "cache", "home"):
            (self.folder / name).mkdir(mode=0o700)
        kept = {name: os.environ[name] for name in KEPT if name in os.environ}
        if "WAYLAND_DISPLAY" in kept and "XDG_RUNTIME_DIR" in os.environ:
            # The compositor's socket lies in the runtime folder that this session replaces.
            kept["WAYLAND_DISPLAY"] = str(Path(os.environ["XDG_RUNTIME_DIR"]) / kept["WAYLAND_DISPLAY"])
        self.environment = {
            **kept,
            "PATH": f"{self.prefix / 'bin'}:{kept.get('PATH', os.defpath)}",
            "HOME": str(self.folder / "home"),
            "XDG_RUNTIME_DIR": str(self.folder / "runtime"),
            "XDG_STATE_HOME": str(self.folder / "state"),
            "XDG_DATA_HOME": str(self.folder / "data"),
            "XDG_CONFIG_HOME": str(self.folder / "config"),
            "XDG_CACHE_HOME": str(self.folder / "cache"),
            # The agent's socket lies there too, which does not depend on the home folder.
            "GNUPGHOME": str(self.folder / "gnupg"),
            "XDG_DATA_DIRS": f"{self.prefix / 'share'}:/usr/local/share:/usr/share",
        }

    def __enter__(self) -> PrivateSession:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def stage(self, configuration: str = "debug") -> None:
        """Lays out the installed tree from what was built."""
        self.check([ROOT / "Tools" / "stage", self.prefix, "--configuration", configuration, "--linked"], os.environ)

    @property
    def state(self) -> Path:
        """The broker's state folder."""
        return self.folder / "state/keyway"

    def approve_programs(self, *others: str | Path, host: Path | None = None) -> None:
        """Lets the installed programs, this one and `others` ask, as if the person had been asked about each.

        `host` is the browser host where it is not the installed one.
        """
        grants.write(self.prefix, self.state, self.environment, grants.usual(self.prefix, others, host))

    def keyway(self, *arguments: str, secrets: Iterable[str] = ()) -> str:
        """Runs the command line; `secrets` are handed over on standard input, a line each, in the order asked."""
        return self.check([self.prefix / "bin" / "keyway", *arguments], self.environment, secrets)

    def check(self, command: list[str | Path], environment: dict, secrets: Iterable[str] = ()) -> str:
        finished = subprocess.run(
            command,
            env=environment,
            input="".join(secret + "\n" for secret in secrets),
            capture_output=True,
            text=True,
            timeout=120,
        )
        if finished.returncode != 0:
            said = (finished.stderr or finished.stdout).strip()
            words = " ".join([Path(command[0]).name, *map(str, command[1:])])
            raise CommandFailed(f"{words}: status {finished.returncode}: {said}")
        return finished.stdout

    def start(self, *command: str | Path, log: str, prepare: Callable[[], None] | None = None) -> subprocess.Popen:
        """Starts a program that goes on until the session is closed; what it says goes to `log` in the folder.

        `prepare` runs in the new process before the program does.
        """
        with (self.folder / log).open("ab") as sink:
            process = subprocess.Popen(
                command,
                env=self.environment,
                stdin=subprocess.DEVNULL,
                stdout=sink,
                stderr=sink,
                start_new_session=True,
                preexec_fn=prepare,
            )
        self.processes.append(process)
        return process

    def start_broker(self, prepare: Callable[[], None] | None = None) -> None:
        """Starts the broker by hand and waits until it listens; in a new session with all programs approved."""
        has_key = (self.prefix / "libexec/keyway/keyway-store-key").exists()
        if has_key and not (self.state / "clients.json").exists():
            self.approve_programs()
        broker = self.start(self.prefix / "libexec/keyway/keywayd", "--foreground", log="keywayd.log", prepare=prepare)
        door = self.folder / "runtime/keyway/autofill.sock"
        deadline = time.monotonic() + 60
        while not listens(door):
            if broker.poll() is not None or time.monotonic() > deadline:
                raise CommandFailed(f"keywayd does not listen: {(self.folder / 'keywayd.log').read_text().strip()}")
            time.sleep(0.005)

    def enable_beforehand(self, *providers: str) -> None:
        """Turns providers on before the session's broker is started, by one that sees no desktop and no login.

        Where a window can be opened, the person is asked there first; nobody sits before a sample, or a test.
        """
        kept = self.environment
        self.environment = {name: value for name, value in kept.items() if name not in DESKTOP}
        try:
            self.start_broker(system_bus.hide)
            for provider in providers:
                self.keyway("providers", "enable", "--yes", provider)
            end(self.processes.pop())
        finally:
            self.environment = kept

    def close(self) -> None:
        """Ends every process of this session, newest first, and removes its folder."""
        for process in reversed(self.processes):
            end(process)
        self.processes.clear()
        remove(self.folder)


def remove(folder: Path, patience: float = 10) -> None:
    """Removes the folder, again while somebody who is just ending still writes there."""
    deadline = time.monotonic() + patience
    while folder.exists():
        shutil.rmtree(folder, ignore_errors=time.monotonic() < deadline)
        time.sleep(0.02)


def end(process: subprocess.Popen) -> None:
    """Asks the process and all it started to end, and ends them when they do not."""
    for number, patience in ((signal.SIGTERM, 5), (signal.SIGKILL, 5)):
        try:
            os.killpg(process.pid, number)
            process.wait(timeout=patience)
        except (ProcessLookupError, subprocess.TimeoutExpired):
            continue


def listens(door: Path) -> bool:
    """Whether somebody answers at a socket; its file is there a moment before that."""
    with socket.socket(socket.AF_UNIX) as visitor:
        try:
            visitor.connect(str(door))
        except OSError:
            return False
    return True
