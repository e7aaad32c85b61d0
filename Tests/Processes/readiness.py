"""Whether there is something to read."""

from __future__ import annotations

import select
from typing import Protocol


class File(Protocol):
    def fileno(self) -> int: ...


def is_readable(file: File | int, seconds: float) -> bool:
    """Waits until there is something to read, or the end. Takes descriptors of any number: select(2) takes 1024."""
    watch = select.poll()
    watch.register(file, select.POLLIN)
    return bool(watch.poll(max(0, seconds) * 1000))
