"""Reads the reports that the runners write: JUnit XML (Swift Testing, pytest) and TAP (`node --test`)."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ElementTree
from pathlib import Path

from suite.outcome import Outcome


def read_junit(outcome: Outcome, path: Path) -> Outcome:
    """Adds what a JUnit report says; a report that is missing or broken is a failure."""
    try:
        root = ElementTree.parse(path).getroot()
    except (OSError, ElementTree.ParseError) as error:
        return outcome.fail(f"{outcome.name}: no readable report ({error})")
    failed: dict[str, int] = {}
    for case in root.iter("testcase"):
        identifier = f"{case.get('classname', '')}.{case.get('name', '')}"
        trouble = case.find("failure") if case.find("failure") is not None else case.find("error")
        skipped = case.find("skipped")
        if trouble is not None:
            said = f"{identifier}: {in_one_line(trouble.get('message') or trouble.text)}"
            # A test fails once, also where tidying up after it fails, too.
            if identifier in failed:
                outcome.failures[failed[identifier]] += f"\n    {said}"
            else:
                failed[identifier] = outcome.failed
                outcome.fail(said)
        elif skipped is not None:
            outcome.skips.append((identifier, first_line(skipped.get("message") or skipped.text)))
        else:
            outcome.passed += 1
    return outcome


def failed_tests(root: Path, report: Path) -> list[str]:
    """What a report of pytest says has failed, as pytest takes it: `Tests/Browsers/test_menu.py::test_opens[firefox]`.

    A failure that stands for no test of a file (a file that could not be read, say) is left out; where there is no
    readable report, so are all.
    """
    try:
        cases = list(ElementTree.parse(report).getroot().iter("testcase"))
    except (OSError, ElementTree.ParseError):
        return []
    found = []
    for case in cases:
        if case.find("failure") is None and case.find("error") is None:
            continue
        path = Path(case.get("classname", "").replace(".", "/") + ".py")
        if (root / path).is_file():
            found.append(f"{path}::{case.get('name', '')}")
    return list(dict.fromkeys(found))


TAP_LINE = re.compile(
    r"^(?P<indent> *)(?P<verdict>not ok|ok) \d+ - (?P<name>.*?)(?: # (?P<directive>SKIP|TODO)(?P<reason>.*))?$"
)
TAP_TYPE = re.compile(r"^ *type: '(suite|test)'$")


def read_tap(outcome: Outcome, text: str) -> Outcome:
    """Adds what Node's TAP says: its own totals decide the counts, its lines give the names."""
    totals = {
        key: int(value) for key, value in re.findall(r"^# (tests|pass|fail|cancelled|skipped|todo) (\d+)$", text, re.M)
    }
    if "tests" not in totals or "pass" not in totals:
        return outcome.fail(f"{outcome.name}: no readable report (TAP without totals)")
    lines = [match for line in text.splitlines() if (match := TAP_LINE.match(line))]
    failed = [match["name"] for match in lines if match["verdict"] == "not ok" and match["directive"] != "SKIP"]
    skipped = [
        (match["name"], match["reason"].strip() or "no reason given") for match in lines if match["directive"] == "SKIP"
    ]
    outcome.passed += totals["pass"]
    # A test marked `todo` passes whatever it does; here it has not passed.
    failures = totals.get("fail", 0) + totals.get("cancelled", 0) + totals.get("todo", 0)
    outcome.failures += padded(failed, failures, "a test that has no line of its own")
    outcome.skips += padded(skipped, totals.get("skipped", 0), ("a test without a name", "no reason given"))
    return outcome


def padded(named: list, count: int, unnamed: object) -> list:
    """As many entries as were counted: suites that fail with their tests are left out, unnamed ones are made up."""
    return (named + [unnamed] * count)[:count]


def in_one_line(text: str | None) -> str:
    """What a message says, which may begin with an empty line: what a terminal showed, say."""
    return " ".join((text or "").split())[:500]


def first_line(text: str | None) -> str:
    lines = (text or "").strip().splitlines()
    return lines[0][:200] if lines else "no reason given"
