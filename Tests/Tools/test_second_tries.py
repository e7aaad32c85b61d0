"""What fails beside others is tried again alone, and is told of either way."""

from pathlib import Path

import pytest

from suite.outcome import Outcome
from suite.reports import failed_tests, read_junit
from suite.stages import MOST_TRIED_AGAIN, Run, tried_again

CASE = '<testcase classname="Tests.Browsers.test_{0}" name="test_it[{0}]"><failure message="too late"/></testcase>'


@pytest.fixture
def run(tmp_path, monkeypatch) -> Run:
    """A tree in which the test of `slow` passes alone, and no other."""
    monkeypatch.chdir(tmp_path)
    python = tmp_path / ".venv/bin/python"
    python.parent.mkdir(parents=True)
    python.write_text('#!/bin/sh\necho "$@" >> ran\ncase "$*" in *test_slow.py::*) exit 0;; esac\nexit 1\n')
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
