"""The test run believes no runner blindly: what is hidden, missing or crashed counts as failed."""

import pytest

from suite.outcome import Outcome, apply_skips, read_skips


def test_runner_that_ran_nothing_has_failed():
    assert Outcome("x").judge(0).failed == 1


def test_runner_that_crashed_has_failed_although_its_report_is_clean():
    assert Outcome("x", passed=7).judge(-11).failed == 1


def test_named_failures_are_not_counted_twice():
    assert Outcome("x", passed=7, failures=["one"]).judge(1).failed == 1


def test_runner_that_reports_failures_and_ends_well_is_not_believed():
    assert Outcome("x", passed=7, failures=["one"]).judge(0).failed == 2


def test_runner_whose_every_test_was_skipped_ran_nothing():
    assert Outcome("x", skips=[("a", "b")]).judge(0).failed == 1


def test_clean_run_passes():
    assert Outcome("x", passed=7).judge(0).failed == 0


@pytest.mark.parametrize(
    ("allowed", "in_ci", "failed", "skipped"),
    [({"a": "why"}, False, 0, 1), ({}, False, 1, 0), ({"a": "why"}, True, 1, 0), ({}, True, 1, 0)],
)
def test_skip_is_a_failure_unless_listed_and_outside_ci(allowed, in_ci, failed, skipped):
    outcome = Outcome("x", passed=1, skips=[("a", "no display")])
    apply_skips([outcome], allowed, in_ci)
    assert (outcome.failed, len(outcome.skips)) == (failed, skipped)


def test_list_of_skips_is_read():
    assert read_skips("# a comment\n\nsome.test[a b]  # needs a display\n") == {"some.test[a b]": "needs a display"}


@pytest.mark.parametrize("line", ["some.test", "some.test  # ", "some.test # one space only"])
def test_skip_without_reason_is_refused(line):
    with pytest.raises(ValueError, match="no reason"):
        read_skips(line)
