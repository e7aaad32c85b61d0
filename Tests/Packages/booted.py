"""The machine as it is now, switched on: a kernel that runs as a program (user mode Linux), systemd as process 1,
and a person who logs in on a console."""

from __future__ import annotations

import os
import pty
import re
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from control_groups import KERNEL, running
from login import Terminal

from session import system_bus

# What a boot needs nothing of; the disk is made the sooner.
LEFT_OUT = (
    *("boot", "root", "tmp", "run", "var/tmp", "var/cache", "var/lib/apt", "usr/include", "usr/lib/gcc", "usr/lib/uml"),
    *(
        "usr/lib/chromium",
        "usr/lib/firefox-esr",
        "usr/share/doc",
        "usr/share/fonts",
        "usr/share/icons",
        "usr/share/locale",
    ),
)
BIND = 0x1000
DETACH = 2
ESCAPES = re.compile(r"\x1b(\[[0-9;?]*[A-Za-z]|[()][A-Z0-9])")


class Console(Terminal):
    """The console of a machine that was just switched on, and the shell of whoever logged in there."""

    # A boot says nothing until it asks who is there, and each system call there is several of this machine's.
    patience = 300

    def __init__(self, master: int) -> None:
        self.master = master
        self.unread = ""
        self.count = 0

    def log_in(self, name: str, password: str) -> None:
        self.read_until("login: ")
        self.type(name)
        self.read_until("Password: ")
        self.type(password)
        self.read_until("$ ")
        self.ask("export PAGER=cat SYSTEMD_PAGER=cat; stty columns 200 rows 60")

    def ask(self, line: str, answers: dict[str, str] | None = None, status: int | None = 0) -> str:
        """Runs a command line, and answers what it asks; what appears, without what colours it."""
        self.count += 1
        end = f"ended{self.count}="
        self.type(f"{line}; echo {end}$?")
        # What was typed appears first.
        self.read_until(f"{end}$?")
        # A question is drawn again while its answer is looked at: each is answered once.
        answers, shown = dict(answers or {}), ""
        ends = [f"{end}{number}" for number in range(20)]
        while not (shown := shown + self.read_until(*answers, *ends)).endswith(tuple(ends)):
            (question,) = [question for question in answers if shown.endswith(question)]
            self.type(answers.pop(question))
        text = ESCAPES.sub("", shown).replace("\r", "")
        # The shell says that it is ready after what was typed already appeared.
        text = re.sub(r"^\$ ", "", text, flags=re.MULTILINE)
        if status is not None:
            assert text.endswith(f"\n{end}{status}"), text
        return text.removesuffix(f"{end}{status}")

    def close(self) -> None:
        os.close(self.master)


@contextmanager
def booted() -> Iterator[Console]:
    """Switches the machine on, with a disk that is a copy of this one's; at the end it is switched off."""
    with TemporaryDirectory(dir="/var/tmp") as folder:
        place = Path(folder)
        disk = make_disk(place)
        master, slave = pty.openpty()
        console = Console(master)
        options = ["mem=2G", f"ubd0={disk}", "root=/dev/ubda", "rw", "init=/usr/lib/systemd/systemd", "quiet"]
        words = ["con=null", "ssl=null", "ssl0=fd:0,fd:1", "console=ttyS0", "systemd.show_status=false"]
        try:
            with os.fdopen(slave, "r+b", buffering=0) as line, running([KERNEL, *options, *words], line, place, line):
                yield console
        finally:
            console.close()


def make_disk(folder: Path) -> Path:
    """A disk with this machine's files, as they are without what is mounted over them."""
    root, disk = folder / "root", folder / "disk"
    root.mkdir()
    mount(b"/", root, None, BIND)
    try:
        for name in LEFT_OUT:
            if (root / name).is_dir():
                mount(b"none", root / name, b"tmpfs", 0)
        command = ["mke2fs", "-q", "-t", "ext4", "-O", "^has_journal", "-d", root, disk, "3G"]
        subprocess.run(command, check=True, capture_output=True)
    finally:
        for name in reversed(LEFT_OUT):
            system_bus.libc.umount2(bytes(root / name), DETACH)
        system_bus.call("umount", system_bus.libc.umount2(bytes(root), DETACH))
    return disk


def mount(source: bytes, place: Path, kind: bytes | None, flags: int) -> None:
    system_bus.call("mount", system_bus.libc.mount(source, bytes(place), kind, flags, None))
