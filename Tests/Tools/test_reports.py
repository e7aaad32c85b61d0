"""Reports of the runners, as they really write them."""

import subprocess
from pathlib import Path

import pytest

from suite.outcome import Outcome
from suite.reports import read_junit, read_tap

SWIFT_TESTING = """<?xml version="1.0" encoding="UTF-8"?>
<testsuites>
  <testsuite name="TestResults" errors="0" tests="2" failures="1" skipped="1" time="0.003">
    <testcase classname="LTests.S" name="par(_:)" time="0.0006" >
      <failure message="Expectation failed: (i &#8594; 2) != 2 (error)" />
    </testcase>
    <testcase classname="LTests.S" name="ok()" time="0.0006" />
    <testcase classname="LTests.S" name="skipped()" >
      <skipped>needs a thing</skipped>
    </testcase>
  </testsuite>
</testsuites>
"""


def test_reads_what_swift_testing_writes(tmp_path):
    report = tmp_path / "x.xml"
    report.write_text(SWIFT_TESTING)
    outcome = read_junit(Outcome("swift"), report)
    assert outcome.passed == 1
    assert outcome.failures == ["LTests.S.par(_:): Expectation failed: (i → 2) != 2 (error)"]
    assert outcome.skips == [("LTests.S.skipped()", "needs a thing")]


def test_reads_what_pytest_writes(tmp_path):
    report = tmp_path / "x.xml"
    report.write_text(
        '<testsuites><testsuite><testcase classname="a" name="b"/>'
        '<testcase classname="a" name="c"><error message="fixture broke">long</error></testcase>'
        '<testcase classname="a" name="d"><skipped type="pytest.xfail" message="known"/></testcase>'
        "</testsuite></testsuites>"
    )
    outcome = read_junit(Outcome("pytest"), report)
    assert (outcome.passed, outcome.failures, outcome.skips) == (1, ["a.c: fixture broke"], [("a.d", "known")])


@pytest.mark.parametrize("content", [None, "", "<testsuites><testsuite>"])
def test_report_that_is_missing_or_cut_off_is_a_failure(tmp_path, content):
    report = tmp_path / "x.xml"
    if content is not None:
        report.write_text(content)
    assert read_junit(Outcome("swift"), report).failed == 1


def node(folder: Path, source: str) -> Outcome:
    (folder / "a.test.mjs").write_text('import test from "node:test";\nimport assert from "node:assert";\n' + source)
    finished = subprocess.run(
        ["node", "--test", "--test-reporter=tap", "a.test.mjs"], cwd=folder, capture_output=True, text=True, timeout=60
    )
    return read_tap(Outcome("node"), finished.stdout).judge(finished.returncode)


def test_reads_what_node_writes(tmp_path):
    outcome = node(
        tmp_path,
        'test("one", () => {});\n'
        'test("two", () => assert.equal(1, 2));\n'
        'test("three", { skip: "no browser" }, () => {});\n'
        'test("four", { todo: "later" }, () => {});\n',
    )
    assert outcome.passed == 1
    assert len(outcome.failures) == 2
    assert "two" in outcome.failures
    assert outcome.skips == [("three", "no browser")]


def test_test_file_that_does_not_load_is_a_failure(tmp_path):
    assert node(tmp_path, "this is no JavaScript").failed >= 1


def test_tap_that_was_cut_off_is_a_failure():
    assert read_tap(Outcome("node"), "TAP version 13\nok 1 - one\n").failed == 1
