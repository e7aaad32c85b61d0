"""Words that have no place in the tree: hosts of package archives, paths of one machine, ways to crash or to hide."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path


@dataclass
class Rule:
    """A pattern, the files it is forbidden in, and the reason to print."""

    pattern: re.Pattern[str]
    files: re.Pattern[str]
    reason: str


# Spelled so that no pattern matches its own line.
RULES = [
    Rule(
        re.compile(r"\bdeb(?:ian)?\.debian\.org\b|\bsecurity\.debian\.org\b"), re.compile(""), "names a package archive"
    ),
    Rule(
        re.compile(r"\b(?:test\.)?pypi\.org\b|\bpythonhosted\.org\b|\bnpmjs\.(?:org|com)\b"),
        re.compile(""),
        "names a package archive",
    ),
    Rule(re.compile(r"(?<![\w.$})~-])/(?:work|root)/"), re.compile(""), "is a path of one machine"),
    Rule(re.compile(r"\btry!"), re.compile(r"^Sources/.*\.swift$"), "crashes on an error that input can cause"),
    Rule(re.compile(r"\bfatalError\("), re.compile(r"^Sources/.*\.swift$"), "crashes; throw, or state a precondition"),
    Rule(re.compile(r"\bwithKnownIssue\b"), re.compile(r"^Tests/.*\.swift$"), "lets a failing test pass"),
    Rule(
        re.compile(r"\b(?:TODO|FIXME|XXX)\b"),
        re.compile(r"^(?:Sources|Browser)/.*\.(?:swift|c|h|js)$"),
        "is unfinished work",
    ),
]


def complaints(files: dict[Path, str], rules: list[Rule] = RULES) -> Iterator[str]:
    for path, text in files.items():
        wanted = [rule for rule in rules if rule.files.match(str(path))]
        for number, line in enumerate(text.splitlines(), 1):
            for rule in wanted:
                if match := rule.pattern.search(line):
                    yield f"{path}:{number}: {match[0]!r} {rule.reason}"
