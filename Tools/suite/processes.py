"""Runs one command of the test run: output to a log, an end in sight, nothing left behind."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from dataclasses import dataclass
from pathlib import Path


@dataclass
class Finished:
    """How a command ended; `status` is 124 when it was ended for taking too long."""

    status: int
    seconds: float
    output: str


def run(command: list[str], log: Path, limit: float, environment: dict[str, str] | None = None) -> Finished:
    """Runs `command` in a process group of its own, with no standard input, for at most `limit` seconds."""
    log.parent.mkdir(parents=True, exist_ok=True)
    started = time.monotonic()
    with log.open("wb") as sink:
        try:
            process = subprocess.Popen(
                command,
                stdin=subprocess.DEVNULL,
                stdout=sink,
                stderr=subprocess.STDOUT,
                start_new_session=True,
                env={**os.environ, **(environment or {})},
            )
        except OSError as error:
            return Finished(127, 0.0, f"{command[0]}: {error.strerror}\n")
        status = wait(process, limit)
    output = log.read_text(errors="replace")
    return Finished(status, time.monotonic() - started, output)


def wait(process: subprocess.Popen, limit: float) -> int:
    """Waits for the command; afterwards ends whatever it left running in its group."""
    try:
        status = process.wait(timeout=limit)
    except subprocess.TimeoutExpired:
        status = 124
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except ProcessLookupError:
        pass
    process.wait()
    return status
