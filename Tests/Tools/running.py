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
    try:
        state = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0]
    except FileNotFoundError:
        return False
    return state != "Z"
