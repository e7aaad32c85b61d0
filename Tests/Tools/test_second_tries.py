"""What fails beside others is tried again alone, and is told of either way."""

from functools import partial
from pathlib import Path

import pytest

from suite import stages
from suite.outcome import Outcome
from suite.reports import failed_tests, read_junit
from suite.stages import MOST_TRIED_AGAIN, Run, package_test, pytest_alone

CASE = '<testcase classname="Tests.Browsers.test_{0}" name="test_it[{0}]"><failure message="too late"/></testcase>'

RUNNER = """echo "$@" >> ran
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
    (tmp_path / ".venv").mkdir()
    program(tmp_path / ".venv/bin/python", RUNNER)
    return Run(tmp_path, is_whole=True)


def tried_again(this: Run, outcome: Outcome) -> Outcome:
    return stages.tried_again(this, outcome, partial(pytest_alone, this))


def outcome_of(this: Run, names: list[str]) -> Outcome:
    folder = this.root / "Tests/Browsers"
    folder.mkdir(parents=True, exist_ok=True)
    for name in names:
        (folder / f"test_{name}.py").touch()
    report = this.report("pytest-Browsers.xml")
    cases = "".join(CASE.format(name) for name in names)
    report.write_text(f'<testsuites><testsuite><testcase classname="a" name="b"/>{cases}</testsuite></testsuites>')
    return read_junit(Outcome("pytest Browsers"), report)


def test_what_passes_alone_is_told_as_unsteady(run):
    outcome = tried_again(run, outcome_of(run, ["slow"]))
    assert (outcome.passed, outcome.failures) == (2, [])
    ((test, failure),) = outcome.unsteady
    assert test == "Tests/Browsers/test_slow.py::test_it[slow]"
    assert failure.endswith("too late")


def test_what_fails_again_has_failed(run):
    outcome = tried_again(run, outcome_of(run, ["slow", "broken"]))
    assert (outcome.passed, outcome.failed, len(outcome.unsteady)) == (2, 1, 1)
    assert "test_it[broken]: too late" in outcome.failures[0]


def test_a_test_that_fails_while_it_is_tidied_up_too_has_failed_once(run):
    outcome = outcome_of(run, ["slow", "slow"])
    assert outcome.failed == 1
    outcome = tried_again(run, outcome)
    assert (outcome.passed, outcome.failed, len(outcome.unsteady)) == (2, 0, 1)


def test_many_failures_are_not_tried_again(run):
    names = [f"slow{number}" for number in range(MOST_TRIED_AGAIN + 1)]
    outcome = tried_again(run, outcome_of(run, names))
    assert (outcome.failed, outcome.unsteady) == (len(names), [])
    assert not (run.root / "ran").exists()


def test_a_crash_of_the_runner_is_not_tried_again(run):
    outcome = outcome_of(run, ["slow"]).fail("pytest Browsers: the runner ended with status 3")
    assert tried_again(run, outcome).failed == 2


@pytest.mark.parametrize("edit", [{"tries_again": False}, {"is_whole": False}])
def test_a_steady_run_and_one_of_a_single_stage_try_nothing_again(run, edit):
    for name, value in edit.items():
        setattr(run, name, value)
    assert tried_again(run, outcome_of(run, ["slow"])).failed == 1


def test_a_failure_that_is_no_tests_is_not_named(tmp_path):
    report = tmp_path / "report.xml"
    report.write_text(
        f'<testsuites><testsuite><testcase classname="" name="Tests.gone"><error message="no file"/></testcase>'
        f"{CASE.format('missing')}</testsuite></testsuites>"
    )
    assert failed_tests(tmp_path, report) == []


def test_what_is_skipped_alone_has_failed(run):
    outcome = tried_again(run, outcome_of(run, ["gone"]))
    assert (outcome.passed, outcome.failed, outcome.unsteady) == (1, 1, [])


@pytest.mark.parametrize("content", [None, "<testsuites><testcase"])
def test_where_there_is_no_report_nothing_is_tried_again(run, content):
    report = run.report("pytest-Browsers.xml")
    if content is not None:
        report.write_text(content)
    outcome = read_junit(Outcome("pytest Browsers"), report)
    assert tried_again(run, outcome).failed == 1
    assert not (run.root / "ran").exists()


def test_a_test_of_the_assembled_system_is_tried_again_on_what_ships(run):
    program(run.root / ".venv/bin/python", 'echo "$KEYWAY_STAGE" >stage')
    pytest_alone(run, "again", "Tests/Assembled/test_slow.py::test_it", run.report("again.xml"))
    assert (run.root / "stage").read_text() == f"{run.root}/.build/stage-shipped\n"


def test_a_test_of_the_packages_is_tried_again_on_a_machine_of_its_own(run):
    passed = "<testsuites><testsuite><testcase classname='a' name='b'/></testsuite></testsuites>"
    program(run.root / "Tools/packages", f'echo "$@" >>ran; echo "{passed}" >"$KEYWAY_REPORT"')
    outcome = stages.tried_again(run, outcome_of(run, ["slow", "late"]), partial(package_test, run))
    assert (outcome.passed, len(outcome.unsteady)) == (3, 2)
    tests = [f"Tests/Browsers/test_{name}.py::test_it[{name}]" for name in ("slow", "late")]
    assert (run.root / "ran").read_text() == "".join(f"--packages .build/deb {test}\n" for test in tests)


def test_a_test_of_the_assembled_system_of_the_packages_is_tried_again_beside_nothing(run):
    program(run.root / "Tools/packages", 'echo "$@" >>ran')
    package_test(run, "again", "Tests/Assembled/test_slow.py::test_it", run.report("again.xml"))
    package_test(run, "all", "Tests/Assembled", run.report("all.xml"))
    alone, whole = (run.root / "ran").read_text().splitlines()
    assert alone == "--packages .build/deb Tests/Assembled/test_slow.py::test_it"
    assert whole.startswith("--packages .build/deb Tests/Assembled -n ")


def program(path: Path, text: str) -> None:
    path.parent.mkdir(exist_ok=True)
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(0o755)
