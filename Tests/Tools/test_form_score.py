"""What a run of the detection is worth against labels."""

import json
from pathlib import Path

import pytest

from form_score.labels import Label, Page, ScoreError, read_pages, score


def page(**roles: str) -> Page:
    return Page(Path("page.html"), "", tuple(Label(int(name[1:]), role) for name, role in roles.items()))


@pytest.mark.parametrize("given", ["current-password", "new-password", "password"])
def test_a_field_for_either_password_may_be_given_any_of_them(given: str) -> None:
    assert score(page(f1="password"), {1: given}).right == 1


@pytest.mark.parametrize("role", ["current-password", "new-password", "username", "one-time-code"])
def test_a_field_for_one_thing_is_right_with_that_alone(role: str) -> None:
    assert score(page(f1=role), {1: role}).right == 1
    for other in {"current-password", "new-password", "password", "username", "one-time-code", "none"} - {role}:
        assert score(page(f1=role), {1: other}).right == 0


@pytest.mark.parametrize("role", ["none", "email"])
def test_whatever_is_offered_for_another_field_is_false(role: str) -> None:
    assert score(page(f1=role), {1: "none"}).false_offers == 0
    for given in ("username", "current-password", "new-password", "password", "one-time-code"):
        assert score(page(f1=role), {1: given}).false_offers == 1


def test_other_fields_do_not_count_as_right() -> None:
    result = score(page(f1="none", f2="username"), {1: "none", 2: "none"})
    assert (result.right, result.total, result.mistakes) == (0, 1, ["page.html 2: username, not none"])


def test_a_field_that_was_not_judged_is_no_score() -> None:
    with pytest.raises(ScoreError, match="not judged: 2"):
        score(page(f1="none", f2="username"), {1: "none"})


@pytest.mark.parametrize(
    ("fields", "why"),
    [
        ([{"field": 1, "role": "user"}], "no roles"),
        ([{"field": 1, "role": "none"}, {"field": 1, "role": "username"}], "twice"),
        ([{"role": "none"}], "no readable"),
    ],
)
def test_labels_that_say_nothing_are_refused(tmp_path: Path, fields: list, why: str) -> None:
    (tmp_path / "pages").mkdir()
    (tmp_path / "pages/a.html").write_text("")
    (tmp_path / "labels.json").write_text(json.dumps({"pages": {"a.html": {"fields": fields}}}))
    with pytest.raises(ScoreError, match=why):
        read_pages(tmp_path)


def test_a_page_that_is_not_there_is_refused(tmp_path: Path) -> None:
    (tmp_path / "labels.json").write_text(json.dumps({"pages": {"a.html": {"fields": []}}}))
    with pytest.raises(ScoreError, match="is not there"):
        read_pages(tmp_path)
