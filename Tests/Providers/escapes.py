"""What a hostile provider tries: each attempt by its name, and how it ended, in a word."""

from __future__ import annotations

import ctypes
import errno
import fcntl
import os
import platform
import signal
import socket
import subprocess
import termios
from collections.abc import Callable
from pathlib import Path

LIBRARY = ctypes.CDLL(None, use_errno=True)
# System calls by their numbers: the C library has no function for most of them.
NUMBERS = {
    "x86_64": {
        "ptrace": 101, "mount": 165, "umount2": 166, "pivot_root": 155, "chroot": 161, "swapon": 167, "reboot": 169,
        "init_module": 175, "add_key": 248, "keyctl": 250, "unshare": 272, "perf_event_open": 298, "setns": 308,
        "process_vm_readv": 310, "process_vm_writev": 311, "kexec_load": 246, "bpf": 321, "userfaultfd": 323,
        "io_uring_setup": 425, "open_tree": 428, "fsopen": 430, "clone3": 435, "clone": 56, "pidfd_getfd": 438,
        "shmget": 29,
    },
    "aarch64": {
        "ptrace": 117, "mount": 40, "umount2": 39, "pivot_root": 41, "chroot": 51, "swapon": 224, "reboot": 142,
        "init_module": 105, "add_key": 217, "keyctl": 219, "unshare": 97, "perf_event_open": 241, "setns": 268,
        "process_vm_readv": 270, "process_vm_writev": 271, "kexec_load": 104, "bpf": 280, "userfaultfd": 282,
        "io_uring_setup": 425, "open_tree": 428, "fsopen": 430, "clone3": 435, "clone": 220, "pidfd_getfd": 438,
        "shmget": 194,
    },
}[platform.machine()]  # fmt: skip
NEW_USER = 0x10000000
LOADERS = ["/lib64/ld-linux-x86-64.so.2", "/lib/ld-linux-aarch64.so.1"]
TIOCSTI = 0x5412


def call(name: str, *arguments: int) -> str:
    """One system call, by its name."""
    padded = [*map(int, arguments), *[0] * (6 - len(arguments))]
    if LIBRARY.syscall(NUMBERS[name], *padded) >= 0:
        return "done"
    return errno.errorcode[ctypes.get_errno()]


def read(path: str) -> str:
    return Path(path).read_text() or "empty"


def write(path: str) -> str:
    with Path(path).open("a") as file:
        file.write("was here")
    return "done"


def listing(path: str) -> str:
    return " ".join(sorted(os.listdir(path))) or "nothing"  # noqa: PTH208


def connect(path: str) -> str:
    with socket.socket(socket.AF_UNIX) as door:
        door.connect("\0" + path[1:] if path.startswith("@") else path)
    return "done"


def connect_inet(port: str) -> str:
    with socket.create_connection(("127.0.0.1", int(port)), timeout=10):
        return "done"


def make_socket(family: str) -> str:
    socket.socket(getattr(socket, family), socket.SOCK_RAW if family == "AF_PACKET" else socket.SOCK_DGRAM).close()
    return "done"


def kill(process: str) -> str:
    os.kill(int(process), signal.SIGKILL)
    return "done"


def processes() -> str:
    """The programs of all processes that are seen."""
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            found.append((entry / "cmdline").read_bytes().split(b"\0")[0].decode().rpartition("/")[2])
    return " ".join(sorted(set(found)))


def bomb(count: str) -> str:
    """Forks, and goes on in the children; how many there are when no more can be made.

    What nothing ends ends after ten minutes by itself."""
    made = 0
    for _ in range(int(count)):
        try:
            if os.fork() == 0:
                signal.alarm(600)
                signal.pause()
        except OSError:
            break
        made += 1
    return str(made)


def open_descriptors() -> dict[int, str]:
    """What is open, and what it is; where a link leads that is closed by then is not known."""
    found = {}
    for entry in Path("/proc/self/fd").iterdir():
        try:
            found[int(entry.name)] = str(entry.readlink())
        except OSError:
            continue
    return found


STARTED_WITH = open_descriptors()


def descriptors() -> str:
    """The descriptors that it was started with."""
    return " ".join(f"{number}={what}" for number, what in sorted(STARTED_WITH.items()))


def type_ahead() -> str:
    """Puts a character into its own terminal as if it had been typed; into that of others the kernel lets nobody."""
    told, tell = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            _, theirs = os.openpty()
            os.setsid()
            fcntl.ioctl(theirs, termios.TIOCSCTTY, 0)
            said = b"done"
            try:
                fcntl.ioctl(theirs, TIOCSTI, b"x")
            except OSError as error:
                said = errno.errorcode[error.errno].encode()
            os.write(tell, said)
        finally:
            os._exit(0)
    os.close(tell)
    with os.fdopen(told) as report:
        said = report.read()
    os.waitpid(child, 0)
    return said


def run(path: str) -> str:
    return subprocess.run([path], capture_output=True, check=False, timeout=20).stdout.decode().strip() or "done"


def look(path: str) -> str:
    """Reads a file of any kind."""
    Path(path).read_bytes()
    return "done"


def load(path: str) -> str:
    """Has the loader run a program, which takes that the loader can read it."""
    (loader,) = [one for one in LOADERS if Path(one).exists()]
    # With the same C library it says nothing of its own but this.
    finished = subprocess.run([loader, path], capture_output=True, text=True, check=False, timeout=20)
    return "done" if finished.returncode == 0 else finished.stderr.strip().rpartition(": ")[2]


def copy_and_run(path: str) -> str:
    """Runs a copy of a program that lies in memory."""
    copy = os.memfd_create("copy")
    os.write(copy, Path(path).read_bytes())
    finished = subprocess.run([f"/proc/self/fd/{copy}"], pass_fds=[copy], capture_output=True, check=False, timeout=20)
    return "done" if finished.returncode == 0 else finished.stderr.decode()


def write_and_run(folder: str) -> str:
    program = Path(folder) / "made"
    program.write_text("#!/bin/sh\necho ran\n")
    program.chmod(0o755)
    return run(str(program))


def link(path: str, target: str) -> str:
    Path(path).symlink_to(target)
    return "done"


def move(path: str, target: str) -> str:
    Path(path).rename(target)
    return "done"


def grow(path: str, size: str) -> str:
    """Makes a file of that many bytes; `memory` for one without a name."""
    descriptor = os.memfd_create("grown") if path == "memory" else os.open(path, os.O_RDWR | os.O_CREAT)
    try:
        os.ftruncate(descriptor, int(size))
    finally:
        os.close(descriptor)
    return "done"


def make(folder: str, name: str) -> str:
    (Path(folder) / name).write_text(name)
    return "done"


def environment() -> str:
    return " ".join(sorted(os.environ))


ATTEMPTS: dict[str, Callable[..., str]] = {
    "read": read, "write": write, "list": listing, "connect": connect, "connect-inet": connect_inet,
    "socket": make_socket, "kill": kill, "processes": processes, "bomb": bomb, "descriptors": descriptors,
    "type-ahead": type_ahead, "run": run, "look": look, "load": load,
    "copy-and-run": copy_and_run, "write-and-run": write_and_run, "link": link, "move": move,
    "grow": grow, "call": call, "make": make,
    "environment": environment,
}  # fmt: skip


def attempt(name: str, *arguments: str) -> str:
    """How the attempt ended: what it got, or how the kernel calls the error."""
    try:
        return ATTEMPTS[name](*arguments).replace("\n", " ")
    except OSError as error:
        return errno.errorcode.get(error.errno or 0, type(error).__name__)
