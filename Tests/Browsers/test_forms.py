"""`Tools/forms` in a real browser: what the detection is worth on our own pages, and on real ones."""

import json
import shutil
import subprocess
from pathlib import Path

import pytest
from support import ROOT

OURS = ROOT / "Tests/Forms"
REAL = ROOT.parent / "shared/fixtures/login-forms"
PAGE = (
    '<!doctype html><form><input name=user{mark}><input type=password data-fx-field="2"><button data-fx-submit>Log in'
)


def run(*arguments: str | Path) -> subprocess.CompletedProcess:
    command = [ROOT / "Tools/forms", *arguments]
    return subprocess.run(command, capture_output=True, text=True, timeout=580, check=False)


def folder_with(where: Path, page: str, roles: dict[int, str]) -> Path:
    (where / "pages").mkdir()
    (where / "pages/page.html").write_text(page)
    fields = [{"field": number, "role": role} for number, role in roles.items()]
    (where / "labels.json").write_text(json.dumps({"pages": {"page.html": {"url": None, "fields": fields}}}))
    return where


def score(folder: Path) -> tuple[int, int, int]:
    finished = run("--json", folder)
    assert finished.returncode == 0, finished.stderr
    whole = json.loads(finished.stdout)
    return whole["fields"]["right"], whole["fields"]["total"], whole["falseOffers"]


def known_mistakes() -> list[str]:
    """What is wrong in our own pages today: the list that the tests of the detection without a browser go by."""
    module = ROOT / "Browser/tests/known-failures.mjs"
    shown = "({ knownFailures }) => console.log(JSON.stringify(knownFailures.own))"
    script = f"import({json.dumps(module.as_uri())}).then({shown})"
    return json.loads(subprocess.run(["node", "-e", script], capture_output=True, text=True, check=True).stdout)


# Hundreds of pages, one after another in one tab: in parts, since all of them take minutes.
PARTS = 5


@pytest.mark.timeout(600)
@pytest.mark.parametrize("part", range(PARTS))
def test_a_browser_gets_of_our_own_pages_wrong_what_is_known_alone(tmp_path: Path, part: int) -> None:
    pages = json.loads((OURS / "labels.json").read_text())["pages"]
    picked = sorted(pages)[part::PARTS]
    (tmp_path / "pages").mkdir()
    for name in picked:
        shutil.copy(OURS / "pages" / name, tmp_path / "pages" / name)
    (tmp_path / "labels.json").write_text(json.dumps({"pages": {name: pages[name] for name in picked}}))
    finished = run("--json", tmp_path)
    assert finished.returncode == 0, finished.stderr
    whole = json.loads(finished.stdout)
    assert whole["fields"]["total"] > 0
    known = [mistake for mistake in known_mistakes() if mistake.partition(" ")[0] in picked]
    # Where no account is wanted, an address of mail counts as none.
    assert sorted(mistake.replace(": email,", ": none,") for mistake in whole["mistakes"]) == sorted(known)


@pytest.mark.skipif(not REAL.is_dir(), reason="shared/fixtures/login-forms is not beside the repository")
def test_nearly_every_field_of_the_real_pages_is_right_and_nothing_is_offered_wrongly() -> None:
    assert score(REAL) == (145, 147, 0)


def test_the_score_and_each_mistake_are_printed(tmp_path: Path) -> None:
    page = PAGE.format(mark=' data-fx-field="1"')
    finished = run(folder_with(tmp_path, page, {1: "none", 2: "new-password"}))
    assert finished.returncode == 0
    assert finished.stdout.splitlines() == [
        "page.html: fields 0/1, false offers 1",
        "    page.html 1: none, not username",
        "    page.html 2: new-password, not current-password",
        f"{tmp_path}: fields 0/1, false offers 1",
        "",
        "fields 0/1",
        "false offers 1",
    ]


def test_a_labelled_field_that_is_not_in_its_page_fails_the_run(tmp_path: Path) -> None:
    finished = run(folder_with(tmp_path, PAGE.format(mark=""), {1: "username", 2: "current-password"}))
    assert finished.returncode == 1
    assert finished.stdout == ""
    assert "page.html: these labelled fields were not judged: 1" in finished.stderr


def test_a_page_runs_nothing_and_goes_nowhere(tmp_path: Path) -> None:
    page = """<!doctype html><meta http-equiv="refresh" content="0;url=https://elsewhere.test/">
        <script>document.addEventListener('DOMContentLoaded', () => document.body.remove())</script>
        <body onload="document.body.remove()"><form><noscript><input name=user data-fx-field="1"></noscript>
        <input type=password data-fx-field="2"><button>Log in</button></form>"""
    assert score(folder_with(tmp_path, page, {1: "username", 2: "current-password"})) == (2, 2, 0)


def test_the_detection_sees_no_mark(tmp_path: Path) -> None:
    """A field of which nothing but the mark tells anything stays unknown, also in a shadow root."""
    page = """<!doctype html><div><template shadowrootmode="open">
        <form><input data-fx-field="1"><button data-fx-submit>OK</button></form></template></div>"""
    assert score(folder_with(tmp_path, page, {1: "username"})) == (0, 1, 0)
