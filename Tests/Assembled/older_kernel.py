"""A kernel whose Landlock is as old as that of Debian 12, for whatever is started by one thread.

Programs ask the kernel which version of Landlock it has, and use no more than that. A filter of system calls answers
this question alone; it is root's, so that programs of groups still get their group.
"""

from __future__ import annotations

import ctypes
import errno
import fcntl
import platform
import select
import struct
from concurrent.futures import ThreadPoolExecutor
from threading import Thread

from session.system_bus import call, libc

DEBIAN_12 = 2
# What a test is run on that is run on both: pytest.mark.parametrize("login", KERNELS, indirect=True).
THIS_KERNEL = "this kernel"
KERNELS = [THIS_KERNEL, "Debian 12"]
# landlock_create_ruleset(2) is the same on every architecture, seccomp(2) is not.
CREATE_RULESET, ASKS_FOR_VERSION = 444, 1
SECCOMP = {"x86_64": 317, "aarch64": 277}[platform.machine()]
SET_MODE_FILTER, NEW_LISTENER = 1, 8
ALLOW, NOTIFY = 0x7FFF0000, 0x7FC00000
LOAD, JUMP_IF_EQUAL, RETURN = 0x20, 0x15, 0x06
# Where the number of the call and its third argument are in what a filter sees.
NUMBER, THIRD = 0, 16 + 2 * 8
# SECCOMP_IOCTL_NOTIF_RECV, SECCOMP_IOCTL_NOTIF_SEND
RECEIVE, SEND, QUESTION = 0xC0502100, 0xC0182101, 80


class OlderKernel:
    """Call it with a function and its arguments: processes that the function starts, and theirs, see that kernel."""

    def __init__(self, version: int = DEBIAN_12) -> None:
        self.version = version
        self.asked = 0
        self.thread = ThreadPoolExecutor(1)
        self.listener = self.thread.submit(install).result()
        self.answering = Thread(target=self.answer, daemon=True)
        self.answering.start()

    def __call__(self, function, *arguments: object, **options: object):
        return self.thread.submit(function, *arguments, **options).result()

    def answer(self) -> None:
        poll = select.poll()
        poll.register(self.listener, select.POLLIN)
        while True:
            ((_, events),) = poll.poll()
            # Nobody is left who could ask.
            if not events & select.POLLIN:
                return
            question = bytearray(QUESTION)
            try:
                fcntl.ioctl(self.listener, RECEIVE, question)
                (number,) = struct.unpack_from("=Q", question)
                fcntl.ioctl(self.listener, SEND, bytearray(struct.pack("=QqiI", number, self.version, 0, 0)))
                self.asked += 1
            except OSError as error:
                # Whoever asked has ended.
                if error.errno not in (errno.ENOENT, errno.EINTR):
                    raise


class Program(ctypes.Structure):
    """struct sock_fprog"""

    _fields_ = (("count", ctypes.c_ushort), ("steps", ctypes.c_char_p))


def install() -> int:
    """From now on this thread, and what it starts, asks the listener that is returned."""
    steps = [
        (LOAD, 0, 0, NUMBER),
        (JUMP_IF_EQUAL, 0, 3, CREATE_RULESET),
        (LOAD, 0, 0, THIRD),
        (JUMP_IF_EQUAL, 0, 1, ASKS_FOR_VERSION),
        (RETURN, 0, 0, NOTIFY),
        (RETURN, 0, 0, ALLOW),
    ]
    program = Program(len(steps), b"".join(struct.pack("=HBBI", *step) for step in steps))
    listener = libc.syscall(SECCOMP, SET_MODE_FILTER, NEW_LISTENER, ctypes.byref(program))
    if listener < 0:
        call("seccomp", -1)
    return listener
