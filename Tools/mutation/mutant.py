"""One mutation: which text of which file is replaced by which, and the test that must then fail."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from mutation.named_test import NamedTest

FOLDER = Path("Tests/Mutants")
EDIT = {"file", "original", "replacement"}
NEEDED = {"name", "attack", "test", "why"} | EDIT
FIELDS = NEEDED | {"also", "builds", "ends"}
WAYS_TO_END = ("assertion", "timeout", "crash")


class Mistake(Exception):
    """A file of mutants that cannot be read; the text says which and why."""


@dataclass(frozen=True)
class Edit:
    """One text in one file, and what takes its place."""

    file: Path
    original: str
    replacement: str

    def complaint(self, root: Path) -> str | None:
        try:
            text = (root / self.file).read_text()
        except OSError as error:
            return f"{self.file}: {error.strerror}"
        found = text.count(self.original)
        if found != 1:
            return f"{self.file} holds the original {found} times, not once: {self.original!r}"
        return "the replacement is the original" if self.original == self.replacement else None

    def apply(self, root: Path) -> None:
        path = root / self.file
        path.write_text(path.read_text().replace(self.original, self.replacement, 1))


@dataclass(frozen=True)
class Mutant:
    """Several edits where two guards stand one behind the other, and the test tries both at once.

    `ends` is how the test fails: by assertion; `timeout` and `crash` count only where the mutant says so."""

    name: str
    attack: tuple[str, ...]
    edits: tuple[Edit, ...]
    test: NamedTest
    why: str
    builds: tuple[str, ...] = ()
    ends: str = "assertion"
    source: Path = FOLDER

    def complaint(self, root: Path) -> str | None:
        """What does not fit the tree any more."""
        complaints = (edit.complaint(root) for edit in self.edits)
        return next(filter(None, complaints), None) or self.test.complaint(root)

    def apply(self, root: Path) -> None:
        for edit in self.edits:
            edit.apply(root)


def read_all(root: Path) -> list[Mutant]:
    """Every mutant of the tree, by file and then in its order."""
    mutants = [
        mutant
        for path in sorted((root / FOLDER).glob("*.toml"))
        if path.name != "attacks.toml"
        for mutant in read(path.relative_to(root), path.read_text())
    ]
    names = [mutant.name for mutant in mutants]
    if twice := sorted({name for name in names if names.count(name) > 1}):
        raise Mistake(f"several mutants are called {', '.join(twice)}")
    return mutants


def read(path: Path, text: str) -> Iterator[Mutant]:
    try:
        tables = tomllib.loads(text)["mutant"]
    except (tomllib.TOMLDecodeError, KeyError) as error:
        raise Mistake(f"{path}: {error}") from error
    for table in tables:
        yield from_table(path, table)


def from_table(path: Path, table: dict) -> Mutant:
    place = f"{path}: {table.get('name', 'a mutant without a name')}"
    if wrong := sorted(set(table) - FIELDS | NEEDED - set(table)):
        raise Mistake(f"{place}: missing or unknown: {', '.join(wrong)}")
    if table.get("ends", "assertion") not in WAYS_TO_END:
        raise Mistake(f"{place}: ends is one of {', '.join(WAYS_TO_END)}")
    edits = [{key: table[key] for key in EDIT}, *table.get("also", [])]
    try:
        test = NamedTest.read(table["test"])
        return Mutant(
            name=table["name"],
            attack=tuple(table["attack"]),
            edits=tuple(Edit(Path(edit["file"]), edit["original"], edit["replacement"]) for edit in edits),
            test=test,
            why=table["why"],
            builds=tuple(table.get("builds", ())),
            ends=table.get("ends", "assertion"),
            source=path,
        )
    except (ValueError, KeyError) as error:
        raise Mistake(f"{place}: {error}") from error
