"""The verdict over each row, from what the module has and what the tables say about it."""

from __future__ import annotations

from dataclasses import dataclass, field

from api_coverage.compare import Judgement
from api_coverage.reference import Row
from api_coverage.tables import Entry

COMPLETE = "ABCDE"
"""The sections of which no row may be left out."""


@dataclass
class Verdict:
    """What is printed for one row, and whether it counts."""

    row: Row
    word: str
    """`full`, `declared` or `absent`."""
    reason: str = ""
    differing: list[str] = field(default_factory=list)
    """The aspects in which both declarations differ."""
    instead: list[str] = field(default_factory=list)
    complaint: str = ""
    """Why the run must fail because of this row."""

    @property
    def counts(self) -> bool:
        return self.word in {"full", "declared"}

    @property
    def line(self) -> str:
        return f"{self.word}: {self.reason}" if self.word == "absent" or self.reason else self.word


def verdict(row: Row, judged: Judgement, entry: Entry | None, *, served: bool) -> Verdict:
    """The verdict over a row of sections A to G; `served` says that nothing in its file ends in the error."""
    differing = sorted(judged.differing)
    if judged.missing:
        return absent(row, entry, judged)
    if entry and entry.verdict == "absent":
        return stale(row, "the table calls it absent, and it is there", differing, judged.instead)
    if entry and entry.verdict == "differs":
        if judged.differing == entry.aspects:
            return Verdict(row, "full", f"differs on purpose: {entry.reason}", differing, judged.instead)
        said = ", ".join(sorted(entry.aspects))
        return stale(row, f"the table says that it differs in: {said}", differing, judged.instead)
    if differing:
        reason = "differs in " + ", ".join(differing)
        return Verdict(row, "absent", reason, differing, judged.instead, f"{row.identifier} {reason}")
    if entry and served:
        return stale(row, f"the table calls it declared, but {entry.detail} ends in no error any more", [], [])
    return Verdict(row, "declared", entry.reason) if entry else Verdict(row, "full")


def absent(row: Row, entry: Entry | None, judged: Judgement) -> Verdict:
    if entry is None:
        reason = "not in the module"
        return Verdict(row, "absent", reason, complaint=f"{row.identifier} is {reason}: {judged.missing[0]}")
    if entry.verdict != "absent":
        return stale(row, f"the table calls it {entry.verdict}, and it is not there", [], [])
    complaint = f"{row.identifier} is absent, in a section that is complete" if row.section in COMPLETE else ""
    return Verdict(row, "absent", entry.reason, complaint=complaint)


def stale(row: Row, reason: str, differing: list[str], instead: list[str]) -> Verdict:
    return Verdict(row, "absent", reason, differing, instead, f"{row.identifier}: {reason}")


def key_verdict(row: Row, keys: set[str], untested: set[str], entry: Entry | None) -> Verdict:
    """The verdict over a row of section H: a key that the registry reads, with a test."""
    if row.symbol not in keys:
        if entry and entry.verdict == "absent":
            return Verdict(row, "absent", entry.reason)
        return Verdict(row, "absent", "not read", complaint=f"{row.identifier} {row.symbol} is not read")
    if entry:
        return stale(row, f"the table calls it {entry.verdict}, and it is read", [], [])
    if row.symbol in untested:
        return Verdict(row, "absent", "read, without a test", complaint=f"{row.identifier} {row.symbol} has no test")
    return Verdict(row, "full")
