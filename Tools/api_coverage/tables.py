"""The committed tables: rows whose behaviour comes later, rows that are left out, and deliberate differences."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from api_coverage.reference import table_lines

VERDICTS = {"declared", "absent", "differs"}
NOT_SERVED = "notServed("
"""What a declaration calls that ends in the API's own error, because nothing serves it yet."""


@dataclass(frozen=True)
class Entry:
    """One line of the table, for one row."""

    row: str
    verdict: str
    detail: str
    """`declared`: the source file that says so by ending in the error; `differs`: the aspects, in words."""
    reason: str

    @property
    def aspects(self) -> set[str]:
        return {aspect.strip() for aspect in self.detail.split(",")}


class Unusable(Exception):
    """A table that cannot be used as it stands."""


def read_entries(path: Path) -> dict[str, Entry]:
    """The table's lines, one entry for each row that a line names."""
    made: dict[str, Entry] = {}
    for line in table_lines(path):
        columns = line.split("\t")
        if len(columns) != 4 or columns[1] not in VERDICTS or not columns[3].strip():
            raise Unusable(f"{path.name}: not `rows, verdict, detail, reason`: {line}")
        for row in expand(columns[0]):
            if row in made:
                raise Unusable(f"{path.name}: {row} stands there twice")
            made[row] = Entry(row, *columns[1:])
    return made


def expand(rows: str) -> list[str]:
    """`F1-F3, G7` as the rows that it means."""
    made = []
    for part in (each.strip() for each in rows.split(",")):
        if match := re.fullmatch(r"([A-H])(\d+)-\1(\d+)", part):
            made += [f"{match[1]}{number}" for number in range(int(match[2]), int(match[3]) + 1)]
        else:
            made.append(part)
    return made


def is_served(root: Path, entry: Entry) -> bool:
    """Whether the file that a `declared` row names ends in no such error any more."""
    source = root / entry.detail
    return not source.is_file() or NOT_SERVED not in source.read_text()


def unnamed(root: Path, entries: dict[str, Entry]) -> list[str]:
    """The source files that end in that error although no `declared` row names them."""
    named = {entry.detail for entry in entries.values() if entry.verdict == "declared"}
    sources = {str(path.relative_to(root)): path.read_text() for path in (root / "Sources").rglob("*.swift")}
    calling = {name for name, text in sources.items() if NOT_SERVED in text and f"func {NOT_SERVED}" not in text}
    return sorted(calling - named)
