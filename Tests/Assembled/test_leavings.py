"""K13, T18: what a provider leaves behind: in a repository whose work tree it may change, and in the log."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from login import HOME, Login, eventually

REPORT, STORE = HOME / "report", HOME / "store"
LINES = 20_000
LABEL = "test.untidy service wrote: "
# The most of one line, and of a second.
LONGEST, EACH_SECOND = 500, 20


def install(login: Login, **sandbox: object) -> Path:
    """Installs it beside a store that git keeps: its service."""
    for folder in (REPORT, STORE):
        folder.mkdir()
    program = login.compile("untidy.c", "untidy", STORE=f'"{STORE}"', REPORT=f'"{REPORT}"')
    service = login.install_bundle("untidy", program, {"WritePaths": [str(STORE), str(REPORT)], **sandbox})
    assert login.run("git", "init", "--quiet", STORE).returncode == 0
    return service


@pytest.fixture
def service(login: Login) -> Path:
    """What declares a program gets a namespace."""
    return install(login, Programs=["true"])


def repository() -> dict[str, bytes | None]:
    """What is in it."""
    places = sorted((STORE / ".git").rglob("*"))
    return {str(place): place.read_bytes() if place.is_file() else None for place in places}


def report() -> list[str]:
    eventually((REPORT / "done").exists)
    return (REPORT / "done").read_text().splitlines()


def test_K13_T18_a_provider_changes_a_work_tree_and_nothing_of_its_repository(login: Login, service: Path):
    before = repository()
    assert before
    login.keyway("providers", "enable", "--yes", "test.untidy")
    assert report() == [f"wrote {STORE}/entry"]
    assert repository() == before
    assert not (STORE / "moved").exists()


def test_K13_T18_a_keeper_that_could_not_be_kept_from_a_repository_is_not_started(login: Login):
    """Without a namespace, whoever may change a folder may change all of it."""
    install(login)
    login.keyway("providers", "enable", "--yes", "test.untidy")
    eventually(lambda: f"it could not be kept from {STORE}/.git" in login.log)
    assert not (STORE / "entry").exists()


def test_K13_T18_without_its_walls_it_changes_all_of_it(login: Login, service: Path):
    login.start(service, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    done = report()
    assert len(done) == 7 and done[-1] == f"moved {STORE}/.git"


def test_T18_what_a_provider_prints_is_labelled_cut_and_counted_in_the_log(login: Login, service: Path):
    login.keyway("providers", "enable", "--yes", "test.untidy")
    report()
    # It is read in one go with the flood, or before it.
    eventually(lambda: "flood" in login.log)
    lines = login.log.split("\n")
    written = [line for line in lines if "flood" in line or "xxx" in line or "all is well" in line or "title" in line]
    assert all(LABEL in line for line in written), written
    assert any(line.endswith(f"{LABEL}keywayd: all is well") for line in written), written
    assert all(len(line.partition(LABEL)[2].encode()) <= LONGEST for line in written)
    assert not any(character < " " for line in written for character in line)
    # As many as somebody would read of the seconds that it took, which are few.
    assert len(written) <= 10 * EACH_SECOND < LINES
