"""Ways to touch what is not one's own: files of the folder `foreign`, and sockets that lead elsewhere."""

from __future__ import annotations

import contextlib
import ctypes
import errno
import os
import platform
import socket
import struct
from collections.abc import Callable
from pathlib import Path

LIBC = ctypes.CDLL(None, use_errno=True)
IS_X86 = platform.machine() == "x86_64"
HERE = -100
OPENAT2 = 437
SETUP_RING = 425
EXECVEAT = 322 if IS_X86 else 281
X32_GETPID = 0x40000000 + 39


def call(number: int, *values: object) -> int:
    result = LIBC.syscall(ctypes.c_long(number), *values)
    if result < 0:
        raise OSError(ctypes.get_errno(), "syscall")
    return result


def truncate(_: Path, foreign: Path) -> None:
    os.truncate(foreign / "file", 1)


def mode(_: Path, foreign: Path) -> None:
    (foreign / "file").chmod(0o600)


def mode_of_descriptor(_: Path, foreign: Path) -> None:
    with (foreign / "file").open() as file:
        os.fchmod(file.fileno(), 0o600)


def owner(_: Path, foreign: Path) -> None:
    os.chown(foreign / "file", os.geteuid(), os.getegid())


def times(_: Path, foreign: Path) -> None:
    os.utime(foreign / "file", (1, 1))


def node(_: Path, foreign: Path) -> None:
    with contextlib.suppress(FileExistsError):
        os.mkfifo(foreign / "pipe")


def attribute(_: Path, foreign: Path) -> None:
    with contextlib.suppress(OSError):
        os.setxattr(foreign / "file", "user.kit", b"1")


def taken(own: Path, foreign: Path) -> None:
    with contextlib.suppress(FileNotFoundError):
        (foreign / "file").rename(own / "file")


def linked(own: Path, foreign: Path) -> None:
    with contextlib.suppress(FileExistsError):
        (own / "file").hardlink_to(foreign / "file")


def through_link(own: Path, foreign: Path) -> None:
    with contextlib.suppress(FileExistsError):
        (own / "link").symlink_to(foreign)
    (own / "link/mark").write_text("here")


def through_file_link(own: Path, foreign: Path) -> None:
    with contextlib.suppress(FileExistsError):
        (own / "link").symlink_to(foreign / "mark")
    (own / "link").write_text("here")


def again(_: Path, foreign: Path) -> None:
    with (foreign / "file").open() as file:
        os.close(os.open(f"/proc/self/fd/{file.fileno()}", os.O_WRONLY))


def newer_open(_: Path, foreign: Path) -> None:
    """As programs do: with the newest call that there is."""
    how = ctypes.create_string_buffer(struct.pack("QQQ", os.O_WRONLY | os.O_CREAT, 0o600, 0))
    path = os.fsencode(foreign / "mark")
    try:
        os.close(call(OPENAT2, ctypes.c_int(HERE), path, how, ctypes.c_size_t(24)))
    except OSError as error:
        if error.errno != errno.ENOSYS:
            raise
        (foreign / "mark").write_text("here")


def ring(_: Path, foreign: Path) -> None:
    """Files are written through a ring where there is one, else by hand."""
    parameters = ctypes.create_string_buffer(120)
    try:
        os.close(call(SETUP_RING, ctypes.c_uint(4), parameters))
    except OSError:
        (foreign / "mark").write_text("here")


def bound(_: Path, foreign: Path) -> None:
    with socket.socket(socket.AF_UNIX) as server, contextlib.suppress(OSError):
        server.bind(str(foreign / "s"))


def spoken_to(_: Path, foreign: Path) -> None:
    with socket.socket(socket.AF_UNIX) as client, contextlib.suppress(OSError):
        client.connect(str(foreign / "socket"))


def sent_to(_: Path, foreign: Path) -> None:
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as client, contextlib.suppress(OSError):
        client.sendto(b"x", str(foreign / "socket"))


def abstract(_: Path, __: Path) -> None:
    with socket.socket(socket.AF_UNIX) as client, contextlib.suppress(OSError):
        client.connect("\0keyway-kit-nobody")


def netlink(_: Path, __: Path) -> None:
    with contextlib.suppress(OSError):
        socket.socket(socket.AF_NETLINK, socket.SOCK_RAW).close()


def virtual_machine(_: Path, __: Path) -> None:
    with contextlib.suppress(OSError):
        socket.socket(socket.AF_VSOCK, socket.SOCK_STREAM).close()


def started_by_descriptor(_: Path, __: Path) -> None:
    """Hands the secret to a program that is started by its descriptor."""
    words = (ctypes.c_char_p * 3)(b"true", b"correct-horse-battery", None)
    nothing = (ctypes.c_char_p * 1)(None)
    file = os.open("/bin/true", os.O_RDONLY)
    child = os.fork()
    if child == 0:
        call(EXECVEAT, ctypes.c_int(file), b"", words, nothing, ctypes.c_int(0x1000))
        os._exit(1)
    os.waitpid(child, 0)
    os.close(file)


def other_numbers(_: Path, __: Path) -> None:
    """Calls by the numbers of another architecture."""
    with contextlib.suppress(OSError):
        call(X32_GETPID)


FILES = [
    truncate, mode, mode_of_descriptor, owner, times, node, attribute, taken, linked, through_link, through_file_link,
    again, newer_open, ring, bound,
]  # fmt: skip
SOCKETS = [spoken_to, sent_to, abstract, netlink, virtual_machine]
WAYS: dict[str, Callable[[Path, Path], None]] = {
    way.__name__: way for way in [*FILES, *SOCKETS, started_by_descriptor, other_numbers]
}
