"""What is printed: a line per section, then what differs, then what makes the run fail."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from api_coverage.reference import SECTIONS
from api_coverage.verdicts import Verdict

WIDTH = 48


def titles(reference: Path) -> dict[str, str]:
    """The names of the sections, as the reference's checklist heads them."""
    found = re.findall(r"^### 11\.([A-Z]) (.+)$", reference.read_text(), re.MULTILINE)
    return {letter: name for letter, name in found if letter in SECTIONS}


def lines(verdicts: list[Verdict], names: dict[str, str], *, with_rows: bool) -> Iterator[str]:
    for letter in SECTIONS:
        of_section = [each for each in verdicts if each.row.section == letter]
        counted = sum(each.counts for each in of_section)
        yield f"{f'{letter} {names[letter]} '.ljust(WIDTH, '.')} {counted}/{len(of_section)}"
        if with_rows:
            yield from (f"    {each.row.identifier} {each.row.symbol}\t{each.line}" for each in of_section)
    for each in verdicts:
        if each.differing:
            yield from difference(each)


def difference(of: Verdict) -> Iterator[str]:
    """Both declarations of a row that differs, and in what."""
    yield ""
    yield f"{of.row.identifier} {of.row.symbol}: {of.line}"
    yield f"    in         {', '.join(of.differing)}"
    yield from (f"    reference  {declaration.text}" for declaration in of.row.declarations)
    yield from (f"    module     {text}" for text in of.instead)


def complaints(verdicts: list[Verdict]) -> list[str]:
    return [each.complaint for each in verdicts if each.complaint]
