"""What a person reads on a terminal of theirs, where a program draws it, and the keys that they press."""

from __future__ import annotations

import fcntl
import os
import re
import select
import struct
import termios
import time
from pathlib import Path

import pyte
from login import PATIENCE, Terminal

DOWN, ENTER, ESCAPE = "\x1b[B", "\r", "\x1b"
COLUMNS, ROWS = 110, 40


class Screen:
    """One command line in the foreground of a terminal; what it prints and says goes to files."""

    def __init__(self, terminal: Terminal, line: str) -> None:
        self.terminal = terminal
        self.screen = pyte.Screen(COLUMNS, ROWS)
        self.stream = pyte.ByteStream(self.screen)
        self.written = b""
        fcntl.ioctl(terminal.master, termios.TIOCSWINSZ, struct.pack("4H", ROWS, COLUMNS, 0, 0))
        terminal.count += 1
        self.place = terminal.folder / f"screen-{terminal.count}"
        self.type(f"TERM=xterm {line} >{self.place}.out 2>{self.place}.err; echo $? >{self.place}.new; ")
        self.type(f"mv {self.place}.new {self.place}.status\n")

    def type(self, keys: str) -> None:
        os.write(self.terminal.master, keys.encode())

    @property
    def text(self) -> str:
        return "\n".join(line.rstrip() for line in self.screen.display).rstrip("\n")

    def pump(self) -> None:
        """Takes what was drawn; waits a moment for it."""
        if select.select([self.terminal.master], [], [], 0.05)[0]:
            data = os.read(self.terminal.master, 1 << 16)
            self.written += data
            self.stream.feed(data)

    def wait_for(self, pattern: str) -> str:
        """Waits until that is read there; all that is read then."""
        deadline = time.monotonic() + PATIENCE
        while not re.search(pattern, self.text):
            assert not self.status.exists(), f"it ended: {self.said}"
            assert time.monotonic() < deadline, f"no \u201c{pattern}\u201d on:\n{self.text}"
            self.pump()
        return self.text

    @property
    def status(self) -> Path:
        return Path(f"{self.place}.status")

    @property
    def said(self) -> str:
        return Path(f"{self.place}.err").read_text()

    def finish(self) -> tuple[int, str, str]:
        """Waits for the end: its status, what it printed, what it said."""
        deadline = time.monotonic() + PATIENCE
        while not self.status.exists():
            assert time.monotonic() < deadline, f"still running:\n{self.text}"
            self.pump()
        return int(self.status.read_text()), Path(f"{self.place}.out").read_text(), self.said
