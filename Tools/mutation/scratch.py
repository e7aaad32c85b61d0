"""The copy of the tree that mutations are applied to. The working tree is only read.

The copy stays from run to run in `.build/mutants/tree`, with a `.build` of its own: the compiler then builds what a
mutation changed and nothing else. Each run first makes the copy what the working tree is, whatever an earlier run that
was killed left in it.
"""

from __future__ import annotations

import fcntl
import shutil
from contextlib import contextmanager
from pathlib import Path

from suite.lint import committed_files

KEPT = {".build", ".venv", ".cache"}


class Scratch:
    """`root` is the copy, `logs` a folder for what the runners print."""

    def __init__(self, source: Path) -> None:
        self.source = source
        self.folder = source / ".build" / "mutants"
        self.root = self.folder / "tree"
        self.logs = self.folder / "logs"

    @contextmanager
    def held(self):
        """Keeps a second run out, also where the first was killed and its processes still end."""
        self.folder.mkdir(parents=True, exist_ok=True)
        with (self.folder / "lock").open("w") as lock:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError as error:
                raise BlockingIOError("another run of Tools/mutants is under way") from error
            yield self

    def refresh(self) -> None:
        """Makes the copy what the working tree is now; what is the same keeps its time, for the compiler."""
        wanted = committed_files(self.source)
        self.root.mkdir(parents=True, exist_ok=True)
        self.remove_all_but({str(path) for path in wanted})
        for path in wanted:
            copy(self.source / path, self.root / path)
        environment = self.root / ".venv"
        if not environment.is_symlink():
            environment.symlink_to(self.source / ".venv")

    def remove_all_but(self, wanted: set[str]) -> None:
        for entry in self.root.iterdir():
            if entry.name in KEPT:
                continue
            for path in [entry, *entry.rglob("*")] if entry.is_dir() and not entry.is_symlink() else [entry]:
                if (path.is_file() or path.is_symlink()) and str(path.relative_to(self.root)) not in wanted:
                    path.unlink()


def copy(source: Path, target: Path) -> None:
    """Copies content and mode where they differ."""
    if source.is_symlink():
        if not target.is_symlink() or target.readlink() != source.readlink():
            target.unlink(missing_ok=True)
            target.parent.mkdir(parents=True, exist_ok=True)
            target.symlink_to(source.readlink())
        return
    if target.is_symlink():
        target.unlink()
    content = source.read_bytes()
    if not target.is_file() or target.read_bytes() != content:
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(content)
    shutil.copymode(source, target)
