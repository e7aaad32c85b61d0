"""Runs one command so that nothing of it is left when it takes too long or the run is interrupted."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from dataclasses import dataclass
from pathlib import Path

# What pytest and the runners of Swift and Node need to end the processes that they started.
GRACE = 15


@dataclass
class Finished:
    """How a command ended; `status` is 124 when it was ended for taking too long."""

    status: int
    seconds: float
    output: str


def run(
    command: list[str], folder: Path, log: Path, limit: float, environment: dict[str, str] | None = None
) -> Finished:
    """Runs `command` in `folder`, for at most `limit` seconds; its output is in `log` too."""
    log.parent.mkdir(parents=True, exist_ok=True)
    started = time.monotonic()
    with log.open("wb") as sink:
        process = subprocess.Popen(
            command,
            cwd=folder,
            stdin=subprocess.DEVNULL,
            stdout=sink,
            stderr=subprocess.STDOUT,
            start_new_session=True,
            env={**os.environ, **(environment or {})},
        )
        try:
            status = process.wait(timeout=limit)
        except subprocess.TimeoutExpired:
            status = 124
        finally:
            end(process)
    return Finished(status, time.monotonic() - started, log.read_text(errors="replace"))


def end(process: subprocess.Popen) -> None:
    """Interrupts the command where it still runs, so that it tidies up, and then ends all of its group."""
    if process.poll() is None:
        tell(process, signal.SIGINT)
        try:
            process.wait(timeout=GRACE)
        except subprocess.TimeoutExpired:
            pass
    tell(process, signal.SIGKILL)
    process.wait()


def tell(process: subprocess.Popen, number: signal.Signals) -> None:
    try:
        os.killpg(process.pid, number)
    except ProcessLookupError:
        pass
