"""Where each declaration of a file begins and ends, as the layout of formatted code says it: by indentation.

It is no parser. It need not be one: what it finds is the part of a file in which a text is looked for, and
`Tools/mutants --check` fails where that text is not there.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

SWIFT_MODIFIER = (
    r"(?:@\w+(?:\([^)]*\))?|(?:public|package|internal|fileprivate|private)(?:\(set\))?|open|static|final|override"
)
SWIFT_MODIFIER += r"|mutating|nonmutating|nonisolated(?:\(\w+\))?|indirect|lazy|weak|unowned|convenience|required"
SWIFT_MODIFIER += r"|borrowing|consuming|async|class(?=\s+(?:func|var)\b))"
SWIFT = re.compile(
    rf"(?:{SWIFT_MODIFIER}\s+)*(?:"
    r"(?:struct|class|actor|enum|extension|protocol|func|var|let)\s+(?P<name>[\w.]+|[^\s\w(<]+)"
    r"|(?P<special>init|deinit|subscript)\b)"
)
JAVASCRIPT = re.compile(
    r"(?:export\s+)?(?:default\s+)?(?:"
    r"(?:async\s+)?function\s*\*?\s*(?P<function>\w+)"
    r"|class\s+(?P<type>\w+)"
    r"|(?:const|let|var)\s+(?P<value>\w+)"
    r"|(?!(?:if|for|while|switch|catch|return|function|await|super)\b)"
    r"(?:static\s+)?(?:async\s+)?(?:get\s+|set\s+)?\*?(?P<method>#?\w+)\((?:[^;]*\{|)$"
    r"|(?:static\s+)?(?P<field>#\w+)\s*(?:=|;))"
)
PYTHON = re.compile(r"(?:async\s+)?(?:def|class)\s+(?P<name>\w+)")
C = re.compile(
    r"(?:#\s*define\s+(?P<macro>\w+)|(?!return\b|else\b|typedef\b)[A-Za-z_][\w\s*]*?\b(?P<function>\w+)\([^;]*$)"
)
SHELL = re.compile(r"(?P<name>[\w-]+)\(\)\s*[{(]")

LANGUAGES: dict[str, tuple[re.Pattern[str], ...]] = {
    ".swift": (SWIFT,),
    ".js": (JAVASCRIPT,),
    ".mjs": (JAVASCRIPT,),
    ".py": (PYTHON,),
    ".c": (C,),
    ".h": (C,),
    ".sh": (SHELL,),
    "": (PYTHON, SHELL),
}


def declarations(suffix: str, text: str) -> Iterator[tuple[tuple[str, ...], int, int]]:
    """Each declaration: its names from the outermost on, and where it begins and ends in the text."""
    patterns = LANGUAGES.get(suffix, ())
    if not patterns:
        return
    lines = text.split("\n")
    offsets = [0]
    for line in lines:
        offsets.append(offsets[-1] + len(line) + 1)
    around: list[tuple[int, tuple[str, ...]]] = []
    for number, line in enumerate(lines):
        stripped = line.lstrip()
        if not stripped or not (name := declared(patterns, suffix, stripped, len(line) - len(stripped))):
            continue
        end = last_line(lines, number, suffix)
        while around and around[-1][0] <= number:
            around.pop()
        path = (around[-1][1] if around else ()) + tuple(name.split("."))
        yield path, offsets[number], offsets[end] - 1
        around.append((end, path))


def declared(patterns: tuple[re.Pattern[str], ...], suffix: str, line: str, indentation: int) -> str:
    """The name that a line declares, or nothing."""
    if indentation and suffix in (".c", ".h"):
        return ""
    for pattern in patterns:
        if match := pattern.match(line):
            return next(filter(None, match.groups()), "").strip(".")
    return ""


def last_line(lines: list[str], first: int, suffix: str) -> int:
    """The number of the line behind a declaration that begins in the line `first`."""
    own = indentation_of(lines[first])
    end = first + 1
    is_closed = False
    for number in range(first + 1, len(lines)):
        line = lines[number].strip()
        if not line:
            continue
        depth = indentation_of(lines[number])
        if depth < own or (is_closed and depth > own):
            break
        if depth == own:
            goes_on = line.startswith(("{", "where ", "->")) or (line[0] == "#" and suffix in (".c", ".h"))
            if not goes_on and (is_closed or line[0] not in ")]}"):
                break
            # What closes here may be its parameters, and its body comes yet.
            is_closed = line[0] in ")]}" and line[-1] not in "{([:=,"
        end = number + 1
    return end


def indentation_of(line: str) -> int:
    return len(line) - len(line.lstrip())
