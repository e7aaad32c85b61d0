"""One person's login on a machine where Keyway is installed for everybody: a user, a home, a runtime folder, a bus.

All of it lies in a mount namespace of the test run; the programs are started as that user and as nothing else.
"""

from __future__ import annotations

import os
import platform
import plistlib
import pty
import select
import shutil
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from session import system_bus

ROOT = Path(__file__).resolve().parents[2]
HERE = Path(__file__).parent
# A user who is nobody else, and a group that nobody has. Runs beside each other, and workers of one run, have numbers
# of their own: what is left of a person's processes is ended by their number.
WORKER = int(os.environ.get("PYTEST_XDIST_WORKER", "gw0").removeprefix("gw"))
NAME, USER = "ada", int(os.environ.get("KEYWAY_PERSON", "64331")) + 10 * WORKER
GROUP = USER + 1
HOME, RUNTIME = Path("/home") / NAME, Path("/run/user") / str(USER)
MASTER = "correct horse battery staple"
PATIENCE = 60
EXTENSION_POINT = "com.apple.authentication-services-credential-provider-ui"
# What starts programs.
LOADER = {"x86_64": "/lib64/ld-linux-x86-64.so.2", "aarch64": "/lib/ld-linux-aarch64.so.1"}[platform.machine()]
BIND = 0x1000
MNT_DETACH = 2


def mount_machine() -> None:
    """From now on this process, and all that it starts, sees a machine with one more user on it."""
    assert os.geteuid() == 0, "only root can play a machine"
    system_bus.hide()
    for place in (Path("/home"), Path("/run/user")):
        place.mkdir(parents=True, exist_ok=True)
        mount(b"none", place, b"tmpfs", 0, b"mode=755")
    tables = Path(tempfile.mkdtemp(prefix="keyway-tables-", dir="/home"))
    for table, line in (("passwd", f"{NAME}:x:{USER}:{USER}::{HOME}:/bin/sh\n"), ("group", f"keyway:x:{GROUP}:\n")):
        copy = tables / table
        copy.write_text(Path("/etc", table).read_text() + line)
        copy.chmod(0o644)
        mount(bytes(copy), Path("/etc", table), None, BIND, None)


def mount(source: bytes, place: Path, kind: bytes | None, flags: int, data: bytes | None) -> None:
    system_bus.call("mount", system_bus.libc.mount(source, bytes(place), kind, flags, data))


@contextmanager
def own_copy_of(folder: Path) -> Iterator[None]:
    """A copy in the place of a folder of the machine's, for what changes it: nobody else sees that."""
    copy = Path(tempfile.mkdtemp(prefix="keyway-copy-", dir="/home"))
    subprocess.run(["cp", "-a", f"{folder}/.", copy], check=True)
    copy.chmod(0o755)
    mount(bytes(copy), folder, None, BIND, None)
    try:
        yield
    finally:
        # Who was killed there may still be on its way out.
        system_bus.call("umount", system_bus.libc.umount2(bytes(folder), MNT_DETACH))
        shutil.rmtree(copy)


def install(stage: Path) -> Path:
    """The prefix of an installation for everybody, with the group, in a root of its own."""
    root = Path(tempfile.mkdtemp(prefix="keyway-root-", dir="/var/tmp"))
    root.chmod(0o755)
    prefix = root / "usr/local"
    shutil.copytree(stage, prefix, symlinks=True)
    subprocess.run(["chown", "-R", "0:0", prefix], check=True)
    subprocess.run(["chmod", "-R", "go-w", prefix], check=True)
    subprocess.run([ROOT / "Tools/protect", prefix, str(GROUP)], check=True, capture_output=True)
    return prefix


class Login:
    """What the person does, and what other programs of theirs do, as one installation sees it."""

    # Who that is: another login of the same machine says another.
    name, user, home, runtime = NAME, USER, HOME, RUNTIME

    def __init__(self, prefix: Path) -> None:
        self.prefix = prefix
        # Whatever the person starts is started by this: what surrounds whoever calls surrounds it, too.
        self.starting: Callable = lambda start, *arguments, **options: start(*arguments, **options)
        self.environment = {
            "PATH": f"{prefix}/bin:/usr/bin:/bin",
            "LANG": "C.UTF-8",
            "HOME": str(self.home),
            "XDG_RUNTIME_DIR": str(self.runtime),
        }
        self.processes: list[subprocess.Popen] = []
        for folder in (self.home, self.runtime):
            folder.mkdir(mode=0o700)
            os.chown(folder, self.user, self.user)
        # Where programs of the person's lie that are none of Keyway's.
        self.tools = self.home / "tools"
        self.tools.mkdir()

    def __enter__(self) -> Login:
        return self

    def __exit__(self, *_: object) -> None:
        for process in reversed(self.processes):
            process.kill()
            process.wait()
        for process in self.all_processes():
            try:
                os.kill(process, 9)
            except ProcessLookupError:
                pass
        for folder in (self.home, self.runtime):
            shutil.rmtree(folder, ignore_errors=True)

    # Programs

    def start(self, *command: str | Path, **options: object) -> subprocess.Popen:
        """Starts a program as the person, in a session of its own."""
        options = {"stdin": subprocess.DEVNULL, "start_new_session": True, "env": self.environment, **options}
        process = self.starting(
            subprocess.Popen,
            list(map(str, command)),
            user=self.user,
            group=self.user,
            extra_groups=[],
            cwd="/",
            **options,
        )
        self.processes.append(process)
        return process

    def run(self, *command: str | Path, input: str = "", **more: str) -> subprocess.CompletedProcess:
        """Runs a program as the person."""
        return self.starting(
            subprocess.run,
            list(map(str, command)),
            **{"user": self.user, "group": self.user, "extra_groups": [], "cwd": "/"},
            env={**self.environment, **more},
            input=input,
            capture_output=True,
            text=True,
            start_new_session=True,
            timeout=120,
        )

    def keyway(self, *arguments: str, secrets: tuple[str, ...] = ()) -> str:
        finished = self.run(self.prefix / "bin/keyway", *arguments, input="".join(f"{one}\n" for one in secrets))
        assert finished.returncode == 0, finished.stderr + self.log
        return finished.stdout

    @contextmanager
    def terminal(self) -> Iterator[Terminal]:
        """A shell on a terminal of its own, in the foreground of a session of its own."""
        terminal = Terminal(self)
        try:
            yield terminal
        finally:
            terminal.close()

    # The broker

    @property
    def door(self) -> Path:
        return self.runtime / "keyway/autofill.sock"

    @property
    def log(self) -> str:
        file = self.runtime / "keyway/keywayd.log"
        return file.read_text() if file.exists() else "no log"

    @property
    def broker(self) -> int:
        """The process that listens at the door: the first one, since whatever it starts is called so for a moment."""
        return min(self.named("keywayd"))

    def named(self, name: str) -> list[int]:
        """The person's processes that run a program of that name."""
        # The kernel cuts the name; what runs is not told of those that hide.
        return [pid for pid in self.all_processes() if read(pid, "comm").rstrip("\n") == name[:15]]

    def all_processes(self) -> list[int]:
        numbers = [int(entry.name) for entry in Path("/proc").iterdir() if entry.name.isdigit()]
        told = {pid: read(pid, "status") for pid in numbers}
        # One that has ended stays in the list until it is collected, which takes whoever does that its time.
        return [pid for pid, text in told.items() if f"\nUid:\t{self.user}\t" in text and "\nState:\tZ" not in text]

    def install_bundle(self, name: str, program: Path, sandbox: dict[str, object]) -> Path:
        """Installs a bundle of somebody else's for the person, whose service runs whenever the broker does: that one.

        It is called `test.NAME`.
        """
        bundle = self.home / f".local/share/keyway/providers/{name}.appex"
        bundle.mkdir(parents=True)
        for part in ("extension", "service"):
            shutil.copy(program, bundle / part)
        information = {
            "CFBundleIdentifier": f"test.{name}",
            "CFBundleName": name,
            "CFBundleShortVersionString": "1.0",
            "CFBundleExecutable": "extension",
            "NSExtension": {"NSExtensionPointIdentifier": EXTENSION_POINT},
            "KeywayService": "service",
            "KeywayServiceRunsAlways": True,
            "KeywaySandbox": sandbox,
        }
        (bundle / "Info.plist").write_bytes(plistlib.dumps(information))
        for place in self.home.rglob("*"):
            os.chown(place, self.user, self.user, follow_symlinks=False)
        return bundle / "service"

    def compile(self, source: str, name: str, **constants: str | int) -> Path:
        """A program of the person's, from a source beside this file."""
        program = self.tools / name
        definitions = [f"-D{key}={value}" for key, value in constants.items()]
        command = ["cc", "-Wall", "-Werror", "-O1", *definitions, "-o", program, HERE / source]
        subprocess.run(command, check=True, capture_output=True)
        program.chmod(0o755)
        return program


class Terminal:
    """A shell of the person's on a pseudo-terminal; what its commands print and say goes to files."""

    # How long it may be silent, in seconds.
    patience = PATIENCE

    def __init__(self, login: Login) -> None:
        self.login = login
        self.folder = Path(tempfile.mkdtemp(prefix="terminal-", dir=login.home))
        os.chown(self.folder, login.user, login.user)
        self.master, slave = pty.openpty()
        os.fchown(slave, login.user, login.user)
        self.count = 0
        # What appeared on it that nobody has read yet.
        self.unread = ""
        take = (
            "import fcntl, termios; fcntl.ioctl(0, termios.TIOCSCTTY, 0); import os; os.execv('/bin/sh', ['sh', '-m'])"
        )
        self.process = login.start("/usr/bin/python3", "-c", take, stdin=slave, stdout=slave, stderr=slave)
        os.close(slave)

    def run(self, line: str, *secrets: str) -> tuple[int, str, str]:
        """Runs a command line in the foreground: its status, what it printed, what it said."""
        self.count += 1
        place = self.folder / str(self.count)
        Path(f"{place}.in").write_text("".join(f"{secret}\n" for secret in secrets))
        Path(f"{place}.in").chmod(0o644)
        text = f"{line} <{place}.in >{place}.out 2>{place}.err; echo $? >{place}.new; mv {place}.new {place}.status\n"
        os.write(self.master, text.encode())
        status = Path(f"{place}.status")
        eventually(status.exists, 120)
        # What it echoed is read, or it takes no more lines after some hundred.
        while select.select([self.master], [], [], 0)[0]:
            self.unread += os.read(self.master, 4096).decode(errors="replace")
        return int(status.read_text()), Path(f"{place}.out").read_text(), Path(f"{place}.err").read_text()

    def keyway(self, line: str, *secrets: str) -> str:
        status, output, said = self.run(f"keyway {line}", *secrets)
        assert status == 0, f"keyway {line}: {status}: {said}{self.login.log}"
        return output

    def begin(self, line: str) -> None:
        """Types a command line of which what it says and asks appears on the terminal."""
        os.write(self.master, f"{line}; echo ended=$?\n".encode())
        # What was typed appears first.
        self.read_until("ended=$?")

    def type(self, text: str) -> None:
        os.write(self.master, f"{text}\r".encode())

    def read_until(self, *words: str) -> str:
        """What appears up to the first of the words."""
        while not (ends := [self.unread.index(word) + len(word) for word in words if word in self.unread]):
            assert select.select([self.master], [], [], self.patience)[0], f"silent: {self.unread}"
            self.unread += os.read(self.master, 4096).decode(errors="replace")
        seen, self.unread = self.unread[: min(ends)], self.unread[min(ends) :]
        return seen

    def close(self) -> None:
        self.process.kill()
        self.process.wait()
        os.close(self.master)


def read(pid: int, what: str) -> str:
    """What the kernel says of a process; nothing where it has ended."""
    try:
        return Path(f"/proc/{pid}/{what}").read_text()
    except (FileNotFoundError, ProcessLookupError):
        return ""


def eventually(condition, within: float = PATIENCE):
    """Waits until `condition()` is true; what it said."""
    deadline = time.monotonic() + within
    while not (said := condition()):
        assert time.monotonic() < deadline, "did not happen in time"
        time.sleep(0.01)
    return said
