"""A control group (cgroup v2) that is handed to a person, as systemd does it for a unit with `Delegate=`.

Where this kernel counts no memory and processes there (containers, the older kind of control groups), tests that need
it run on a kernel that is started as a program: user mode Linux, over the files of this machine.
"""

from __future__ import annotations

import os
import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory, TemporaryFile
from typing import IO

from login import ROOT, USER, eventually

PLACE = Path("/sys/fs/cgroup")
KERNEL = "linux.uml"
INITIAL = Path(__file__).with_name("user_mode.sh")
CONTROLLERS = "+memory +pids"
# What runs there has the processor to itself as far as others leave it.
PATIENCE = 900


def are_here() -> bool:
    """Whether this kernel counts memory and processes, and lets groups be made."""
    file = PLACE / "cgroup.controllers"
    counted = file.read_text().split() if file.exists() else []
    return {"memory", "pids"} <= set(counted) and os.access(PLACE / "cgroup.subtree_control", os.W_OK)


class HandedOver:
    def __init__(self, user: int) -> None:
        (PLACE / "cgroup.subtree_control").write_text(CONTROLLERS)
        above = PLACE / f"keyway-{os.getpid()}"
        above.mkdir()
        (above / "cgroup.subtree_control").write_text(CONTROLLERS)
        self.folder = above / "keywayd.service"
        self.folder.mkdir()
        os.setxattr(self.folder, "user.delegate", b"1")
        for path in (self.folder, *(self.folder / name for name in ("cgroup.procs", "cgroup.subtree_control"))):
            os.chown(path, user, user)
        self.processes = (self.folder / "cgroup.procs").open("w")

    def join(self) -> None:
        """In the child, before it becomes the program."""
        os.write(self.processes.fileno(), b"0")

    def groups(self) -> list[str]:
        """What the broker made, by its path."""
        return sorted(str(path.relative_to(self.folder)) for path in self.folder.rglob("*") if path.is_dir())

    def remove(self) -> None:
        self.processes.close()
        (self.folder / "cgroup.kill").write_text("1")
        eventually(lambda: "populated 0" in (self.folder / "cgroup.events").read_text())
        for path in sorted((path for path in self.folder.parent.rglob("*") if path.is_dir()), reverse=True):
            path.rmdir()
        self.folder.parent.rmdir()


@contextmanager
def handed_over(user: int) -> Iterator[HandedOver]:
    group = HandedOver(user)
    try:
        yield group
    finally:
        group.remove()


def run_there(test: str, prefix: Path) -> None:
    """Runs one test on the other kernel."""
    options = ["mem=6G", "root=/dev/root", "rootfstype=hostfs", "rootflags=/", "ro", "quiet", f"init={INITIAL}"]
    surroundings = {"TREE": ROOT, "TEST": test, "PREFIX": prefix, "PERSON": USER, "PATH": os.environ["PATH"]}
    words = [f"KEYWAY_{name}={value}" for name, value in surroundings.items()]
    kernel = [os.environ.get("KEYWAY_USER_MODE", KERNEL), *options, "con=null", "con0=fd:0,fd:1", *words]
    # A file, since a process of that kernel's can outlive it and would keep a pipe open.
    with TemporaryDirectory() as folder, TemporaryFile() as output, running(kernel, output, Path(folder)) as process:
        process.wait(PATIENCE)
        output.seek(0)
        said = output.read().decode(errors="replace")
    assert "keyway-test: passed" in said, said[-20000:]


@contextmanager
def running(
    kernel: list[str], output: IO[bytes], folder: Path, typed: IO[bytes] | int = subprocess.DEVNULL
) -> Iterator[subprocess.Popen[bytes]]:
    """Such a kernel, of which nothing is left at the end."""
    library = folder / "wide_registers.so"
    source = Path(__file__).with_name("wide_registers.c")
    subprocess.run(["cc", "-Wall", "-Werror", "-O1", "-shared", "-fPIC", "-o", library, source], check=True)
    files = {"stdin": typed, "stdout": output, "stderr": output}
    surroundings = {**os.environ, "LD_PRELOAD": str(library)}
    process = subprocess.Popen(kernel, **files, env=surroundings, start_new_session=True)
    try:
        yield process
    finally:
        # Its own processes are in its group, which outlives it with them.
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
