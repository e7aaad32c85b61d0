"""What fails beside others is tried again alone, and is told of either way."""

from pathlib import Path

import pytest

from suite.outcome import Outcome
from suite.reports import failed_tests, read_junit
from suite.stages import MOST_TRIED_AGAIN, Run, tried_again

CASE = '<testcase classname="Tests.Browsers.test_{0}" name="test_it[{0}]"><failure message="too late"/></testcase>'

RUNNER = """#!/bin/sh
echo "$@" >> ran
for argument; do case $argument in --junit-xml=*) report=${argument#*=} ;; esac; done
case "$*" in
*test_slow.py::*) inner= status=0 ;;
*test_gone.py::*) inner='<skipped message="no display"/>' status=0 ;;
*) inner='<failure message="wrong"/>' status=1 ;;
esac
echo "<testsuites><testsuite><testcase classname='a' name='b'>$inner</testcase></testsuite></testsuites>" > "$report"
exit $status
"""


@pytest.fixture
def run(tmp_path, monkeypatch) -> Run:
    """A tree in which the test of `slow` passes alone, that of `gone` is skipped, and no other does either."""
    monkeypatch.chdir(tmp_path)
    python = tmp_path / ".venv/bin/python"
    python.parent.mkdir(parents=True)
    python.write_text(RUNNER)
    python.chmod(0o755)
    return Run(tmp_path, is_whole=True)


def outcome_of(this: Run, names: list[str]) -> tuple[Outcome, Path]:
    folder = this.root / "Tests/Browsers"
    folder.mkdir(parents=True, exist_ok=True)
    for name in names:
        (folder / f"test_{name}.py").touch()
    report = this.root / "report.xml"
    cases = "".join(CASE.format(name) for name in names)
    report.write_text(f'<testsuites><testsuite><testcase classname="a" name="b"/>{cases}</testsuite></testsuites>')
    return read_junit(Outcome("pytest Browsers"), report), report


def test_what_passes_alone_is_told_as_unsteady(run):
    outcome = tried_again(run, *outcome_of(run, ["slow"]))
    assert (outcome.passed, outcome.failures) == (2, [])
    ((test, failure),) = outcome.unsteady
    assert test == "Tests/Browsers/test_slow.py::test_it[slow]"
    assert failure.endswith("too late")


def test_what_fails_again_has_failed(run):
    outcome = tried_again(run, *outcome_of(run, ["slow", "broken"]))
    assert (outcome.passed, outcome.failed, len(outcome.unsteady)) == (2, 1, 1)
    assert "test_it[broken]: too late" in outcome.failures[0]


def test_many_failures_are_not_tried_again(run):
    names = [f"slow{number}" for number in range(MOST_TRIED_AGAIN + 1)]
    outcome = tried_again(run, *outcome_of(run, names))
    assert (outcome.failed, outcome.unsteady) == (len(names), [])
    assert not (run.root / "ran").exists()


def test_a_crash_of_the_runner_is_not_tried_again(run):
    outcome, report = outcome_of(run, ["slow"])
    outcome.fail("pytest Browsers: the runner ended with status 3")
    assert tried_again(run, outcome, report).failed == 2


def test_a_steady_run_tries_nothing_again(run):
    run.tries_again = False
    assert tried_again(run, *outcome_of(run, ["slow"])).failed == 1


def test_a_failure_that_is_no_tests_is_not_named(tmp_path):
    report = tmp_path / "report.xml"
    report.write_text(
        f'<testsuites><testsuite><testcase classname="" name="Tests.gone"><error message="no file"/></testcase>'
        f"{CASE.format('missing')}</testsuite></testsuites>"
    )
    assert failed_tests(tmp_path, report) == []


def test_what_is_skipped_alone_has_failed(run):
    outcome = tried_again(run, *outcome_of(run, ["gone"]))
    assert (outcome.passed, outcome.failed, outcome.unsteady) == (1, 1, [])


@pytest.mark.parametrize("content", [None, "<testsuites><testcase"])
def test_where_there_is_no_report_nothing_is_tried_again(run, content):
    report = run.root / "report.xml"
    if content is not None:
        report.write_text(content)
    outcome = read_junit(Outcome("pytest Browsers"), report)
    assert tried_again(run, outcome, report).failed == 1
    assert not (run.root / "ran").exists()
