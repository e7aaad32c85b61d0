"""One mutation: which text of which declaration is replaced by which, and the test that must then fail."""

from __future__ import annotations

import hashlib
import json
import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from mutation.named_test import NamedTest, Tests
from mutation.tree import Region, Tree

FOLDER = Path("Tests/Mutants")
EDIT = {"in", "original", "replacement"}
NEEDED = {"name", "attack", "test", "why"} | EDIT
FIELDS = NEEDED | {"also", "builds", "ends"}
WAYS_TO_END = ("assertion", "timeout", "crash")


class Mistake(Exception):
    """A file of mutants that cannot be read; the text says which and why."""


@dataclass(frozen=True)
class Edit:
    """One text in one place, and what takes its place.

    `place` is a declaration, `Type.function`, or the name of a file where the text is in none; in which folder, target
    or file it stands does not matter. Nor does white space: a break of a line is as good as a blank, and what stands
    around a text is not part of it."""

    place: str
    original: str
    replacement: str

    def regions(self, tree: Tree) -> list[Region]:
        """Where the original stands: in each region of the place, once where it is nested in another of that name."""
        found = {
            (region.file, *match.span())
            for region in tree.regions(self.place)
            for match in self.pattern.finditer(tree.texts[region.file], region.start, region.end)
        }
        return [Region(*spot) for spot in sorted(found)]

    @property
    def pattern(self) -> re.Pattern[str]:
        return re.compile(r"\s+".join(map(re.escape, self.original.split())))

    def complaint(self, tree: Tree) -> str | None:
        if not self.original.strip():
            return "the original is empty"
        if self.original.split() == self.replacement.split():
            return "the replacement is the original"
        if not (places := tree.regions(self.place)):
            return f"nothing is called {self.place}{self.elsewhere(tree)}"
        found = len(self.regions(tree))
        if found == 1:
            return None
        where = ", ".join(sorted({region.file for region in places}))
        hint = "" if found else self.elsewhere(tree)
        return f"{self.place} ({where}) holds the original {found} times, not once: {self.original!r}{hint}"

    def elsewhere(self, tree: Tree) -> str:
        """Where the original stands now, for whoever moved it."""
        spots = [
            f"{around(tree, file, match.start())} in {file}"
            for file in tree.code
            for match in self.pattern.finditer(tree.texts[file])
        ]
        return f"; it stands in {spots[0]}" if len(spots) == 1 else ""

    def as_key(self) -> list[str]:
        return [self.place, self.original, self.replacement]


def around(tree: Tree, file: str, offset: int) -> str:
    """The innermost declaration around an offset, or the file's name."""
    inside = [
        (region.end - region.start, ".".join(path[-2:]))
        for declared in tree.declared.values()
        for path, region in declared
        if region.file == file and region.start <= offset < region.end
    ]
    return min(inside)[1] if inside else Path(file).name


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

    def complaint(self, tree: Tree, tests: Tests) -> str | None:
        """What does not fit the tree any more."""
        complaints = (edit.complaint(tree) for edit in self.edits)
        return next(filter(None, complaints), None) or tests.complaint(self.test)

    def applied(self, tree: Tree) -> dict[str, str]:
        """The files that the mutation changes, as they are then."""
        spots = [(edit.regions(tree)[0], edit.replacement.strip()) for edit in self.edits]
        changed: dict[str, str] = {}
        # From the end of each file on, so that what comes before stays where it is.
        for region, text in sorted(spots, key=lambda spot: spot[0].start, reverse=True):
            before = changed.get(region.file, tree.texts[region.file])
            changed[region.file] = before[: region.start] + text + before[region.end :]
        return changed

    @property
    def definition(self) -> str:
        """A digest of what the mutant is, without what is only said of it."""
        return digest([[edit.as_key() for edit in self.edits], str(self.test), sorted(self.builds), self.ends])

    def fingerprint(self, tree: Tree, tests: Tests) -> str:
        """A digest of the mutant, of the declarations that it changes, and of the file that its test stands in."""
        places = [sorted(tree.texts[r.file][r.start : r.end] for r in tree.regions(edit.place)) for edit in self.edits]
        return digest([self.definition, places, [tree.texts[file] for file in tests.files(self.test)]])


def digest(value: list) -> str:
    return hashlib.sha256(json.dumps(value).encode()).hexdigest()[:32]


def read_all(tree: Tree, tests: Tests) -> list[Mutant]:
    """Every mutant of the tree, by file and then in its order, each with the place of its test."""
    mutants = [
        replace(mutant, test=tests.located(mutant.test))
        for path in sorted(tree.texts)
        if Path(path).parent == FOLDER and path.endswith(".toml") and Path(path).name != "attacks.toml"
        for mutant in read(Path(path), tree.texts[path])
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
    own = {key: table[key] for key in EDIT}
    edits = [own, *({"in": own["in"], **edit} for edit in table.get("also", []))]
    if any(set(edit) != EDIT for edit in edits):
        raise Mistake(f"{place}: also has an original and a replacement, and in where that is another place")
    try:
        test = NamedTest.read(table["test"])
        return Mutant(
            name=table["name"],
            attack=tuple(table["attack"]),
            edits=tuple(Edit(edit["in"], edit["original"], edit["replacement"]) for edit in edits),
            test=test,
            why=table["why"],
            builds=tuple(table.get("builds", ())),
            ends=table.get("ends", "assertion"),
            source=path,
        )
    except (ValueError, KeyError) as error:
        raise Mistake(f"{place}: {error}") from error
