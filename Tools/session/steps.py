"""Steps with their times, and which of them failed."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager


class StepFailed(Exception):
    """Names the step that failed, and why."""


@contextmanager
def step(what: str) -> Iterator[None]:
    """Does one step; prints it with its time when it is done."""
    started = time.monotonic()
    try:
        yield
    except Exception as error:
        raise StepFailed(f"{what}: {error}") from error
    print(f"{time.monotonic() - started:7.2f} s  {what}", flush=True)
