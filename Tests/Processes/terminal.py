"""A terminal with one program in it: keys go in, a screen comes out."""

from __future__ import annotations

import fcntl
import os
import pty
import re
import signal
import struct
import subprocess
import sys
import termios
import time
from pathlib import Path

import pyte
from wire import is_readable

JOB = Path(__file__).with_name("terminal_job.py")
UP, DOWN, ESCAPE, ENTER = "\x1b[A", "\x1b[B", "\x1b", "\r"
PATIENCE = 60


class Terminal:
    """A program on a pseudo-terminal of its own, as a job in the foreground of a session of its own.

    Standard output and error go to pipes unless `tty_output`; standard input is the terminal unless `secrets`.
    """

    def __init__(
        self,
        command: list[str | Path],
        environment: dict[str, str],
        *,
        columns: int = 80,
        rows: int = 24,
        secrets: str | None = None,
        tty_output: bool = False,
    ) -> None:
        self.master, self.slave = pty.openpty()
        self.screen = pyte.Screen(columns, rows)
        self.stream = pyte.ByteStream(self.screen)
        self.raw = b""
        self.resize(columns, rows, announce=False)
        self.before = termios.tcgetattr(self.slave)
        reports, told = os.pipe()
        self.reports = os.fdopen(reports, "r")
        self.process = subprocess.Popen(
            [sys.executable, JOB, str(told), os.ttyname(self.slave), *map(str, command)],
            env={"TERM": "xterm-256color", "LANG": "C.UTF-8", **environment},
            stdin=self.slave if secrets is None else subprocess.PIPE,
            stdout=self.slave if tty_output else subprocess.PIPE,
            stderr=self.slave if tty_output else subprocess.PIPE,
            start_new_session=True,
            pass_fds=[told],
        )
        os.close(told)
        self.child = int(self.reports.readline())
        if secrets is not None:
            self.process.stdin.write(secrets.encode())
            self.process.stdin.close()
            self.process.stdin = None

    def __enter__(self) -> Terminal:
        return self

    def __exit__(self, *_: object) -> None:
        for process in (self.child, self.process.pid):
            try:
                os.kill(process, signal.SIGKILL)
            except ProcessLookupError:
                pass
        self.process.wait()
        os.close(self.master)
        os.close(self.slave)

    # What is seen

    @property
    def text(self) -> str:
        return "\n".join(line.rstrip() for line in self.screen.display).rstrip("\n")

    @property
    def written(self) -> str:
        """All that was sent to the terminal."""
        return self.raw.decode(errors="replace")

    def pump(self, seconds: float = 0.0) -> bool:
        """Takes what was written; false when nothing was in time."""
        if not is_readable(self.master, seconds):
            return False
        try:
            data = os.read(self.master, 65536)
        except OSError:
            return False
        self.raw += data
        self.stream.feed(data)
        return True

    def wait_for(self, pattern: str, within: float = PATIENCE) -> str:
        """Waits until the screen holds the pattern; the screen then."""
        deadline = time.monotonic() + within
        while not re.search(pattern, self.text):
            assert time.monotonic() < deadline, f"no “{pattern}” on:\n{self.text}\n(sent: {self.raw[-400:]!r})"
            self.pump(0.05)
        return self.text

    # What is done

    def type(self, keys: str) -> None:
        os.write(self.master, keys.encode())

    def resize(self, columns: int, rows: int, announce: bool = True) -> None:
        fcntl.ioctl(self.slave, termios.TIOCSWINSZ, struct.pack("4H", rows, columns, 0, 0))
        self.screen.resize(rows, columns)
        if announce:
            os.kill(self.child, signal.SIGWINCH)

    def signal(self, number: int) -> None:
        os.kill(self.child, number)

    def wait_until_stopped(self) -> None:
        assert self.reports.readline() == "stopped\n"

    def resume(self) -> None:
        self.process.send_signal(signal.SIGUSR1)

    def finish(self, within: float = PATIENCE) -> tuple[int, str, str]:
        """Waits for the end: status (negative for a signal), standard output, standard error."""
        deadline = time.monotonic() + within
        while self.process.poll() is None:
            assert time.monotonic() < deadline, f"still running:\n{self.text}"
            self.pump(0.02)
        while self.pump():
            pass
        status = int(self.reports.readline().removeprefix("ended "))
        out = self.process.stdout.read().decode() if self.process.stdout else ""
        err = self.process.stderr.read().decode() if self.process.stderr else ""
        return status, out, err

    def is_restored(self) -> bool:
        """Whether the terminal is as it was: modes, cursor, paste, attributes."""
        modes = {int(mode[1:]): letter for mode, letter in re.findall(r"\x1b\[(\?\d+)([hl])", self.written)}
        return (
            termios.tcgetattr(self.slave) == self.before
            and modes.get(25, "h") == "h"
            and modes.get(2004, "l") == "l"
            and self.screen.cursor.attrs == pyte.screens.Char(" ")
        )
