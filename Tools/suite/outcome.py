"""What one runner did, and when that counts as a failure."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path


@dataclass
class Outcome:
    """The counts of one runner: what it reported, and what it ought to have reported and did not."""

    name: str
    passed: int = 0
    failures: list[str] = field(default_factory=list)
    skips: list[tuple[str, str]] = field(default_factory=list)
    # What failed beside others and passed alone: the test, and how it had failed.
    unsteady: list[tuple[str, str]] = field(default_factory=list)
    seconds: float = 0.0

    @property
    def failed(self) -> int:
        return len(self.failures)

    def fail(self, what: str) -> Outcome:
        self.failures.append(what)
        return self

    def judge(self, status: int) -> Outcome:
        """Counts a failure for a runner that ended badly or ran nothing, whatever its report says."""
        if status != 0 and not self.failures:
            self.fail(f"{self.name}: the runner ended with status {status} and named no failed test")
        if status == 0 and self.failures:
            self.fail(f"{self.name}: the runner reported failures and still ended with status 0")
        if self.passed + self.failed == 0:
            self.fail(f"{self.name}: no test ran")
        return self


@dataclass(frozen=True)
class AllowedSkip:
    """Why a test may be skipped: outside CI, or anywhere while the folder that it reads from is not there."""

    reason: str
    # A folder beside the repository, which its licence keeps out of it; nothing for what only CI must have.
    folder: str | None = None

    def holds(self, in_ci: bool, root: Path) -> bool:
        if self.folder is None:
            return not in_ci
        return not (root / self.folder).exists()


def apply_skips(outcomes: list[Outcome], allowed: dict[str, AllowedSkip], in_ci: bool, root: Path) -> None:
    """Turns every skip that is not allowed into a failure."""
    for outcome in outcomes:
        kept = []
        for identifier, reason in outcome.skips:
            skip = allowed.get(identifier)
            if skip is None:
                outcome.fail(f"{identifier}: skipped without a line in Tests/skips.txt ({reason})")
            elif skip.holds(in_ci, root):
                kept.append((identifier, reason))
            elif skip.folder is None:
                outcome.fail(f"{identifier}: skipped in CI ({reason})")
            else:
                outcome.fail(f"{identifier}: skipped although {skip.folder} is there ({reason})")
        outcome.skips = kept


FOLDER = re.compile(r"while (\.\./\S+) is missing: (.*)")


def read_skips(text: str) -> dict[str, AllowedSkip]:
    """Reads the committed list: a line is `IDENTIFIER  # REASON`, where REASON may begin with a missing folder."""
    allowed = {}
    for line in text.splitlines():
        identifier, separator, reason = line.partition("  # ")
        if line.startswith("#") or not line.strip():
            continue
        if not separator or not reason.strip():
            raise ValueError(f"Tests/skips.txt: no reason stands beside {line.strip()!r}")
        beside = FOLDER.fullmatch(reason.strip())
        skip = AllowedSkip(beside[2], beside[1]) if beside else AllowedSkip(reason.strip())
        allowed[identifier.strip()] = skip
    return allowed
