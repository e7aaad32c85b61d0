"""Where this process, and all that it starts, sees the system's bus: nowhere, or where a test plays it.

Keyway takes the system bus from the system's path alone, so whoever plays login1, polkit or fprintd plays them there,
in a mount namespace of their own.
"""

from __future__ import annotations

import ctypes
import os
from pathlib import Path

PLACE = Path("/run/dbus")
SOCKET = PLACE / "system_bus_socket"
ADDRESS = f"unix:path={SOCKET}"

# unshare(2) and mount(2).
NEW_MOUNTS, NEW_USER = 0x20000, 0x10000000
RECURSIVE, PRIVATE = 0x4000, 0x40000

libc = ctypes.CDLL(None, use_errno=True)
hidden = False


def hide() -> None:
    """From now on there is no system bus for this process: to be called while it has one thread.

    For root it is a mount namespace with an empty folder in the bus's place. Everybody else takes a user namespace, in
    which Keyway believes no system bus; nothing can be played there.
    """
    global hidden
    if hidden:
        return
    if os.geteuid() == 0:
        PLACE.mkdir(parents=True, exist_ok=True)
        call("unshare", libc.unshare(NEW_MOUNTS))
        call("mount", libc.mount(None, b"/", None, RECURSIVE | PRIVATE, None))
        call("mount", libc.mount(b"none", bytes(PLACE), b"tmpfs", 0, b"mode=755"))
    else:
        user, group = os.geteuid(), os.getegid()
        call("unshare", libc.unshare(NEW_USER))
        Path("/proc/self/setgroups").write_text("deny")
        Path("/proc/self/uid_map").write_text(f"{user} {user} 1")
        Path("/proc/self/gid_map").write_text(f"{group} {group} 1")
    hidden = True


def may_play() -> bool:
    """Whether a bus that listens at `ADDRESS` from now on is the system's for this process and nobody else."""
    return hidden and os.geteuid() == 0


def call(name: str, result: int) -> None:
    if result != 0:
        number = ctypes.get_errno()
        raise OSError(number, f"{name}: {os.strerror(number)}")
