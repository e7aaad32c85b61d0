"""How the tests of each runner are built, run and judged in the scratch copy."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ElementTree
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from mutation.commands import Finished, run
from mutation.named_test import NamedTest
from mutation.scratch import Scratch
from suite.reports import TAP_LINE, first_line

BUILD_LIMIT = 3600


def test_limit(count: int) -> int:
    """How long a run of so many tests may take, in seconds, also beside a busy machine."""
    return 540 + 60 * count


STAGE = ".build/stage"


@dataclass(frozen=True)
class Verdict:
    """`ending`: `green`; `assertion`, `timeout` or `crash` where a test failed; `error` where none was run at all."""

    ending: str
    detail: str = ""


class Runner:
    """One way to run tests that share a build. `place` is a target, a file, or a folder."""

    def __init__(self, scratch: Scratch, place: str) -> None:
        self.scratch = scratch
        self.place = place

    def command(self, name: str, limit: float, *command: str, environment: dict[str, str] | None = None) -> Finished:
        log = self.scratch.logs / f"{re.sub(r'[^A-Za-z0-9]+', '-', name)}.log"
        return run(list(command), self.scratch.root, log, limit, environment)

    def built(self, name: str, *command: str, environment: dict[str, str] | None = None) -> Verdict:
        finished = self.command(f"build {name}", BUILD_LIMIT, *command, environment=environment)
        if finished.status == 0:
            return Verdict("green")
        lines = [line for line in finished.output.splitlines() if "error:" in line]
        return Verdict("error", f"does not build: {first_line(lines[0] if lines else finished.output[-300:])}")

    def build(self, name: str, builds: Sequence[str]) -> Verdict:
        """Builds what the tests need; `builds` are the products that a mutation changes, empty for all."""
        raise NotImplementedError

    def test(self, name: str, tests: Sequence[NamedTest]) -> Verdict:
        raise NotImplementedError

    def report(self, name: str) -> Path:
        path = self.scratch.logs / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.unlink(missing_ok=True)
        return path


class SwiftRunner(Runner):
    """Builds one test target and what it needs, and nothing else."""

    def build(self, name: str, builds: Sequence[str]) -> Verdict:
        return self.built(name, "swift", "build", "--product", "keywayPackageTests", environment=self.environment)

    @property
    def environment(self) -> dict[str, str]:
        # Where two tests crash at a time, what writes their backtraces waits for the other for ever.
        return {"KEYWAY_TESTS": self.place, "SWIFT_BACKTRACE": "enable=no"}

    def test(self, name: str, tests: Sequence[NamedTest]) -> Verdict:
        report = self.report("swift.xml")
        ours = self.report("swift-swift-testing.xml")
        names = "|".join(sorted({re.escape(test.name) for test in tests}))
        finished = self.command(
            f"test {name}",
            test_limit(len(tests)),
            *["swift", "test", "--skip-build", "--test-product", "keywayPackageTests", "--parallel"],
            *["--xunit-output", str(report), "--filter", rf"^{self.place}\.({names})\("],
            environment=self.environment,
        )
        return judged_by_junit(finished, ours, len({test.name for test in tests}))


class NodeRunner(Runner):
    def build(self, name: str, builds: Sequence[str]) -> Verdict:
        return Verdict("green")

    def test(self, name: str, tests: Sequence[NamedTest]) -> Verdict:
        picked = [f"--test-name-pattern=/^{javascript(test.name)}$/" for test in tests]
        finished = self.command(
            f"test {name}", test_limit(len(tests)), "node", "--test", "--test-reporter=tap", *picked, self.place
        )
        lines = [match for line in finished.output.splitlines() if (match := TAP_LINE.match(line))]
        ours = {match["name"]: match["verdict"] for match in lines if match["directive"] is None}
        seen = {test: ours[key] for test in tests if (key := tap_name(test.name)) in ours}
        if finished.status == 124:
            return Verdict("timeout", f"{finished.seconds:.0f} s")
        if any(verdict == "not ok" for verdict in seen.values()):
            return Verdict("assertion", javascript_error(finished.output))
        if finished.status != 0:
            return Verdict("error", f"node ended with {finished.status}: {javascript_error(finished.output)}")
        missing = [test.name for test in tests if test not in seen]
        return Verdict("error", f"did not run: {missing[0]}") if missing else Verdict("green")


class PytestRunner(Runner):
    """`Tests/Processes` need the staged programs, `Tests/Browsers` the extension, and some of them both."""

    # What the mutant before was built into: it must not be there any more when the next one is tried.
    stale: frozenset[str] = frozenset()

    def build(self, name: str, builds: Sequence[str]) -> Verdict:
        if "extension" in builds:
            return Verdict("green")
        products = sorted({*builds, *self.stale}) if builds else []
        self.stale = frozenset(builds)
        commands = [["swift", "build", "--product", product] for product in products] or [["swift", "build"]]
        for command in commands:
            verdict = self.built(name, *command, environment={"KEYWAY_TESTS": "none"})
            if verdict.ending != "green":
                return verdict
        return self.built(f"stage {name}", "Tools/stage", STAGE, "--linked", "--samples")

    def test(self, name: str, tests: Sequence[NamedTest]) -> Verdict:
        report = self.report("pytest.xml")
        identifiers = sorted({f"{test.place}::{test.name}" for test in tests})
        staged = {"KEYWAY_STAGE": str(self.scratch.root / STAGE)} if self.place != "extension" else {}
        finished = self.command(
            f"test {name}",
            test_limit(len(tests)),
            *[".venv/bin/python", "-m", "pytest", "-q", f"--junit-xml={report}"],
            *identifiers,
            environment=staged,
        )
        return judged_by_junit(finished, report, len(identifiers))


def judged_by_junit(finished: Finished, report: Path, count: int) -> Verdict:
    """What a report says. A failure before or after the test itself is none of the test."""
    if finished.status == 124:
        return Verdict("timeout", f"{finished.seconds:.0f} s")
    try:
        # What a test says of escape sequences stands in the report as it is, and XML has no place for it.
        text = re.sub(r"[\x00-\x08\x0b\x0c\x0e-\x1f]", "?", report.read_text(errors="replace"))
        cases = list(ElementTree.fromstring(text).iter("testcase"))
    except (OSError, ElementTree.ParseError):
        # A report that no parser takes, for what a test says in it; the output says the same.
        if finished.status > 0 and (said := re.search(r"✘ Test .*: (Expectation failed: .*)", finished.output)):
            return Verdict("assertion", said[1])
        crashed = finished.status < 0 or "unexpected signal" in finished.output or "signal code" in finished.output
        return Verdict("crash" if crashed else "error", last_line(finished.output))
    failures = [failure for case in cases for failure in case.iter("failure")]
    if failures:
        said = first_line(failures[0].get("message") or failures[0].text)
        return Verdict("timeout" if re.search(r"Timeout \(?>|TimeoutExpired", said) else "assertion", said)
    if finished.status != 0:
        errors = [error for case in cases for error in case.iter("error")]
        return Verdict("error", first_line(errors[0].get("message")) if errors else last_line(finished.output))
    if any(case.find("skipped") is not None for case in cases) or len(cases) < count:
        return Verdict("error", f"{len(cases)} of {count} tests ran, or some were skipped")
    return Verdict("green")


def javascript(text: str) -> str:
    return re.sub(r"([\\^$.*+?()\[\]{}|/])", r"\\\1", text)


def tap_name(name: str) -> str:
    """How TAP writes a title."""
    return name.replace("\\", "\\\\").replace("#", "\\#")


def javascript_error(output: str) -> str:
    match = re.search(r"^\s*error: (?:\|-\s*\n)?\s*(.+)$", output, re.M)
    return match[1].strip(" '\"") if match else last_line(output)


def last_line(output: str) -> str:
    lines = output.strip().splitlines()
    return lines[-1][:200] if lines else "no output"
