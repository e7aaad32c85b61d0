"""What one runner did, and when that counts as a failure."""

from __future__ import annotations

from dataclasses import dataclass, field


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


def apply_skips(outcomes: list[Outcome], allowed: dict[str, str], in_ci: bool) -> None:
    """Turns every skip that is not allowed into a failure; in CI none is."""
    for outcome in outcomes:
        kept = []
        for identifier, reason in outcome.skips:
            if in_ci:
                outcome.fail(f"{identifier}: skipped in CI ({reason})")
            elif identifier not in allowed:
                outcome.fail(f"{identifier}: skipped without a line in Tests/skips.txt ({reason})")
            else:
                kept.append((identifier, reason))
        outcome.skips = kept


def read_skips(text: str) -> dict[str, str]:
    """Reads the committed list: one `IDENTIFIER  # REASON` a line."""
    allowed = {}
    for line in text.splitlines():
        identifier, separator, reason = line.partition("  # ")
        if line.startswith("#") or not line.strip():
            continue
        if not separator or not reason.strip():
            raise ValueError(f"Tests/skips.txt: no reason stands beside {line.strip()!r}")
        allowed[identifier.strip()] = reason.strip()
    return allowed
