"""The test run believes no runner blindly: what is hidden, missing or crashed counts as failed."""

import pytest

from suite.outcome import AllowedSkip, Outcome, apply_skips, read_skips


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


LISTED = {"a": AllowedSkip("why")}


@pytest.mark.parametrize(
    ("allowed", "in_ci", "failed", "skipped"),
    [(LISTED, False, 0, 1), ({}, False, 1, 0), (LISTED, True, 1, 0), ({}, True, 1, 0)],
)
def test_skip_is_a_failure_unless_listed_and_outside_ci(allowed, in_ci, failed, skipped, tmp_path):
    outcome = Outcome("x", passed=1, skips=[("a", "no display")])
    apply_skips([outcome], allowed, in_ci, tmp_path)
    assert (outcome.failed, len(outcome.skips)) == (failed, skipped)


@pytest.mark.parametrize("in_ci", [False, True])
@pytest.mark.parametrize("is_there", [False, True])
def test_what_lies_beside_the_repository_is_skipped_exactly_where_it_is_missing(tmp_path, in_ci, is_there):
    repository = tmp_path / "repository"
    repository.mkdir()
    if is_there:
        (tmp_path / "shared").mkdir()
    outcome = Outcome("x", passed=1, skips=[("a", "not here")])
    apply_skips([outcome], {"a": AllowedSkip("why", "../shared")}, in_ci, repository)
    assert (outcome.failed, len(outcome.skips)) == ((1, 0) if is_there else (0, 1))


def test_list_of_skips_is_read():
    text = "# a comment\n\nsome.test[a b]  # needs a display\nother  # while ../a/b is missing: its licence\n"
    assert read_skips(text) == {
        "some.test[a b]": AllowedSkip("needs a display"),
        "other": AllowedSkip("its licence", "../a/b"),
    }


@pytest.mark.parametrize("line", ["some.test", "some.test  # ", "some.test # one space only"])
def test_skip_without_reason_is_refused(line):
    with pytest.raises(ValueError, match="no reason"):
        read_skips(line)
