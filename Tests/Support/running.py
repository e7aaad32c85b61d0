"""Whether a process that we did not start ourselves still runs."""

import time
from pathlib import Path


def ends(process: int, within: float = 10) -> bool:
    """Waits until the process has ended; one that nobody has collected yet has ended too."""
    deadline = time.monotonic() + within
    while is_running(process):
        if time.monotonic() > deadline:
            return False
        time.sleep(0.01)
    return True


def is_running(process: int) -> bool:
    return state(process) not in "-Z"


def state(process: int) -> str:
    """One letter of proc(5); `-` when it is gone, which may be after its file was opened."""
    try:
        status = Path(f"/proc/{process}/stat").read_text()
    except (FileNotFoundError, ProcessLookupError):
        return "-"
    return status.rpartition(")")[2].split()[0]


def children(process: int) -> list[int]:
    """What any thread of a process started; none when it is gone, and none of a thread that just ended."""
    found = []
    for path in Path(f"/proc/{process}/task").glob("*/children"):
        try:
            found += [int(child) for child in path.read_text().split()]
        except (FileNotFoundError, ProcessLookupError):
            continue
    return found
