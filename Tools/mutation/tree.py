"""The files of one state of the repository: of the working tree, or of a commit."""

from __future__ import annotations

import hashlib
import io
import subprocess
import tarfile
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path, PurePosixPath

from mutation.declarations import declarations
from suite.lint import committed_files

# Where no guard is: what tests, measures and describes the code.
NO_CODE = ("Tests/", "Browser/tests/", "Docs/", "Benchmarks/", "Fuzz/", "Browser/dist/")


@dataclass(frozen=True)
class Region:
    """A part of a file: from the first line of a declaration to its last, or all of it."""

    file: str
    start: int
    end: int


class Tree:
    """What stands in the files, by their path from the root; what is no text in UTF-8 is left out."""

    def __init__(self, contents: Iterable[tuple[str, bytes]]) -> None:
        self.texts: dict[str, str] = {}
        for path, content in contents:
            try:
                self.texts[path] = content.decode()
            except UnicodeDecodeError:
                continue

    @staticmethod
    def of_folder(root: Path) -> Tree:
        paths = [str(path) for path in committed_files(root)]
        return Tree((path, (root / path).read_bytes()) for path in paths if is_wanted(path))

    @staticmethod
    def of_commit(root: Path, commit: str) -> Tree:
        """Raises `CalledProcessError` where git knows no such commit."""
        archive = subprocess.run(["git", "archive", commit], cwd=root, check=True, capture_output=True).stdout
        with tarfile.open(fileobj=io.BytesIO(archive)) as files:
            members = [member for member in files if member.isfile() and is_wanted(member.name)]
            return Tree((member.name, extracted(files, member)) for member in members)

    @cached_property
    def code(self) -> list[str]:
        """The files that a mutation may change."""
        return sorted(path for path in self.texts if not path.startswith(NO_CODE))

    @cached_property
    def tests(self) -> list[str]:
        """The files in which a test may stand."""
        return sorted(path for path in self.texts if is_test(path))

    def regions(self, place: str) -> list[Region]:
        """Where a place is, which is named like `Type.function` or by the name of a file, in whatever folder."""
        if files := self.files_called.get(place):
            return [Region(file, 0, len(self.texts[file])) for file in files]
        names = tuple(place.split("."))
        return [region for path, region in self.declared[names[-1]] if path[-len(names) :] == names]

    @cached_property
    def files_called(self) -> dict[str, list[str]]:
        found: dict[str, list[str]] = defaultdict(list)
        for path in self.code:
            found[PurePosixPath(path).name].append(path)
        return dict(found)

    @cached_property
    def declared(self) -> dict[str, list[tuple[tuple[str, ...], Region]]]:
        """Each declaration by the last of its names."""
        found: dict[str, list[tuple[tuple[str, ...], Region]]] = defaultdict(list)
        for file in self.code:
            for path, start, end in declarations(PurePosixPath(file).suffix, self.texts[file]):
                found[path[-1]].append((path, Region(file, start, end)))
        return found


def is_wanted(path: str) -> bool:
    return not path.startswith(NO_CODE) or is_test(path) or path.startswith("Tests/Mutants/")


def is_test(path: str) -> bool:
    name = PurePosixPath(path).name
    if path.startswith("Tests/"):
        return name.endswith(".swift") or (name.startswith("test_") and name.endswith(".py"))
    return path.startswith("Browser/tests/") and name.endswith(".test.mjs")


def extracted(files: tarfile.TarFile, member: tarfile.TarInfo) -> bytes:
    content = files.extractfile(member)
    return content.read() if content else b""


def state_of(root: Path) -> str:
    """The commit that is checked out; where something is not committed, with a digest of what."""
    commit = subprocess.run(["git", "rev-parse", "--verify", "HEAD"], cwd=root, capture_output=True, text=True)
    name = commit.stdout.strip() if commit.returncode == 0 else "none"
    changes = hashlib.sha256()
    if commit.returncode == 0:
        difference = subprocess.run(["git", "diff", "HEAD", "--binary"], cwd=root, check=True, capture_output=True)
        changes.update(difference.stdout)
        listing = ["git", "ls-files", "-z", "--others", "--exclude-standard"]
    else:
        listing = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    others = subprocess.run(listing, cwd=root, check=True, capture_output=True).stdout.decode().split("\0")
    for path in sorted(filter(None, others)):
        if (root / path).is_file():
            changes.update(f"\0{path}\0".encode() + (root / path).read_bytes())
    clean = changes.digest() == hashlib.sha256().digest()
    return name if clean else f"{name}+{changes.hexdigest()[:12]}"
