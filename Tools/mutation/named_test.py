"""A test by its name, in one of three runners, as it is written in the files of mutants.

swift SUITE/FUNCTION     one function of Swift Testing, with all its arguments
node TITLE               one title of `node --test`, written out
pytest FUNCTION[CASE]    one function of pytest, or one case of it

In which target or file it stands is looked up. Only where several would fit is that said too: `swift
TARGET.SUITE/FUNCTION`, `node FILE::TITLE`, `pytest FILE::FUNCTION`, with the name of the file alone.
"""

from __future__ import annotations

import re
from collections import defaultdict
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import PurePosixPath

from mutation.tree import Tree

TITLE = re.compile(r"\btest\(\s*(?:'((?:[^'\\]|\\.)*)'|\"((?:[^\"\\]|\\.)*)\"|`((?:[^`\\]|\\.)*)`)", re.S)
PLACE = re.compile(r"\$\{(?:[^{}`]|`[^`]*`|\{[^{}]*\})*\}")
QUALIFIER = {
    "swift": re.compile(r"(?:(\w+)\.)?(\w+/\w+)"),
    "node": re.compile(r"(?:([\w.-]+\.test\.mjs)::)?(.+)", re.S),
    "pytest": re.compile(r"(?:([\w.-]+\.py)::)?(\w+(?:\[.+\])?)", re.S),
}


@dataclass(frozen=True)
class NamedTest:
    """`name` is what stands in the target or file `within`, which is empty where the name is enough.

    `place` is the target or the path of the file as the runner wants it, and `file` where it stands, both empty until
    `Tests.located` has looked it up."""

    runner: str
    within: str
    name: str
    place: str = ""
    file: str = ""

    @staticmethod
    def read(text: str) -> NamedTest:
        runner, _, rest = text.partition(" ")
        if runner not in QUALIFIER or not (match := QUALIFIER[runner].fullmatch(rest)):
            raise ValueError(f"{text!r} names no test")
        return NamedTest(runner, match[1] or "", match[2])

    def __str__(self) -> str:
        between = "" if not self.within else "." if self.runner == "swift" else "::"
        return f"{self.runner} {self.within}{between}{self.name}"

    @property
    def function(self) -> NamedTest:
        """The same without the case of its parameters."""
        return replace(self, name=self.name.partition("[")[0]) if self.runner == "pytest" else self


class Tests:
    """Where the tests of a tree stand."""

    def __init__(self, tree: Tree) -> None:
        self.tree = tree

    def located(self, test: NamedTest) -> NamedTest:
        """The test with its place, or as it is where `complaint` says why."""
        files = self.files(test)
        if len(files) != 1:
            return test
        return replace(test, place=target(files[0]) if test.runner == "swift" else files[0], file=files[0])

    def complaint(self, test: NamedTest) -> str | None:
        """Says so when there is no such test, or more than one."""
        files = self.files(test)
        if len(files) == 1:
            return None
        return f"several files hold the test {test}: {', '.join(files)}" if files else f"there is no test {test}"

    def files(self, test: NamedTest) -> list[str]:
        if test.runner == "swift":
            return [file for file in self.swift[test.name] if test.within in ("", target(file))]
        fits = [file for file in self.tree.tests if test.within in ("", PurePosixPath(file).name)]
        if test.runner == "pytest":
            return [file for file in self.python[test.function.name] if file in fits]
        # A title that is filled in fits much; the one of which most is written out is meant.
        found = {file: most for file in fits if (most := max(self.written_out(file, test.name), default=0))}
        return [file for file, most in found.items() if most == max(found.values())]

    def written_out(self, file: str, name: str) -> list[int]:
        """For each title of a file that a name fits, how much of it is no gap."""
        return [1 + len(PLACE.sub("", title)) for pattern, title in self.node[file] if pattern.fullmatch(name)]

    @cached_property
    def swift(self) -> dict[str, list[str]]:
        """The files by the `SUITE/FUNCTION` that they hold."""
        return self.by_name(".swift")

    @cached_property
    def python(self) -> dict[str, list[str]]:
        return self.by_name(".py")

    def by_name(self, suffix: str) -> dict[str, list[str]]:
        found: dict[str, list[str]] = defaultdict(list)
        for file in self.tree.tests:
            if file.endswith(suffix):
                for name in written_in(file, self.tree.texts[file]):
                    found[name].append(file)
        return found

    @cached_property
    def node(self) -> dict[str, list[tuple[re.Pattern[str], str]]]:
        """A pattern for each title in a file: what is filled in may be anything."""
        found: dict[str, list[tuple[re.Pattern[str], str]]] = defaultdict(list)
        for file in self.tree.tests:
            if file.endswith(".mjs"):
                found[file] = [(re.compile(pattern, re.S), title) for pattern, title in titles(self.tree.texts[file])]
        return found


def target(file: str) -> str:
    """The test target of a file in Swift."""
    return PurePosixPath(file).parts[1]


def written_in(file: str, text: str) -> list[str]:
    """The tests in a file by name; titles of Node with their gaps as they are."""
    if file.endswith(".swift"):
        return sorted(functions_of(text))
    if file.endswith(".py"):
        return sorted(set(re.findall(r"^def (test_\w+)\(", text, re.M)))
    return [title for _, title in titles(text)]


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


def titles(text: str) -> list[tuple[str, str]]:
    found = []
    for single, double, template in TITLE.findall(text):
        title = template or unescaped(single or double)
        parts = PLACE.split(title) if template else [title]
        found.append((".*".join(map(re.escape, parts)), title))
    return found


def unescaped(text: str) -> str:
    return re.sub(r"\\(.)", r"\1", text)
