"""A test by its name, in one of three runners, as it is written in the files of mutants.

swift TARGET.SUITE/FUNCTION     one function of Swift Testing, with all its arguments
node FILE::TITLE                one title of `node --test`, written out
pytest FILE::FUNCTION[CASE]     one function of pytest, or one case of it
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path

TITLE = re.compile(r"\btest\(\s*(?:'((?:[^'\\]|\\.)*)'|\"((?:[^\"\\]|\\.)*)\"|`((?:[^`\\]|\\.)*)`)", re.S)
PLACE = re.compile(r"\$\{(?:[^{}`]|`[^`]*`|\{[^{}]*\})*\}")


@dataclass(frozen=True)
class NamedTest:
    """`place` is the target or the file, `name` what stands in it."""

    runner: str
    place: str
    name: str

    @staticmethod
    def read(text: str) -> NamedTest:
        runner, _, rest = text.partition(" ")
        place, _, name = rest.partition("." if runner == "swift" else "::")
        if runner not in ("swift", "node", "pytest") or not name or (runner == "swift" and "/" not in name):
            raise ValueError(f"{text!r} names no test")
        return NamedTest(runner, place, name)

    def __str__(self) -> str:
        return f"{self.runner} {self.place}{'.' if self.runner == 'swift' else '::'}{self.name}"

    @property
    def function(self) -> NamedTest:
        """The same without the case of its parameters."""
        return NamedTest(self.runner, self.place, self.name.partition("[")[0]) if self.runner == "pytest" else self

    def complaint(self, root: Path) -> str | None:
        """Says so when no such test is written down in the tree."""
        if self.runner == "swift":
            found = self.name in swift_tests(root / "Tests" / self.place)
        elif self.runner == "node":
            found = any(re.fullmatch(pattern, self.name, re.S) for pattern in node_tests(root / self.place))
        else:
            found = self.function.name in python_tests(root / self.place)
        return None if found else f"there is no test {self}"


def written_in(root: Path, file: str) -> list[str]:
    """The tests in a file, by what stands behind its place; titles of Node with their gaps as they are."""
    path = root / file
    if path.suffix == ".swift":
        return sorted(functions_of(path.read_text()))
    if path.suffix == ".py":
        return sorted(python_tests(path))
    return [title for _, title in titles(path)]


@cache
def swift_tests(folder: Path) -> frozenset[str]:
    """Every `SUITE/FUNCTION` of a target."""
    return frozenset(name for path in folder.rglob("*.swift") for name in functions_of(path.read_text()))


def functions_of(text: str) -> set[str]:
    """The functions behind `@Test`, each with the type that it stands in."""
    names = set()
    suite = ""
    is_test = False
    for line in text.splitlines():
        if match := re.match(r"(?:@\w+(?:\(.*\))? )*(?:\w+ )*(?:struct|class|actor|enum|extension) (\w+)", line):
            suite = match[1]
        is_test = is_test or re.match(r"\s*@Test\b", line) is not None
        if is_test and (match := re.search(r"\bfunc (\w+)\(", line)):
            names.add(f"{suite}/{match[1]}")
            is_test = False
    return names


@cache
def python_tests(path: Path) -> frozenset[str]:
    return frozenset(re.findall(r"^def (test_\w+)\(", path.read_text(), re.M)) if path.is_file() else frozenset()


@cache
def node_tests(path: Path) -> tuple[str, ...]:
    """A pattern for each title in a file: what is filled in may be anything."""
    return tuple(pattern for pattern, _ in titles(path)) if path.is_file() else ()


def titles(path: Path) -> list[tuple[str, str]]:
    found = []
    for single, double, template in TITLE.findall(path.read_text()):
        title = template or unescaped(single or double)
        parts = PLACE.split(title) if template else [title]
        found.append((".*".join(map(re.escape, parts)), title))
    return found


def unescaped(text: str) -> str:
    return re.sub(r"\\(.)", r"\1", text)
