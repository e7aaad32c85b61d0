"""T29, T30: what meets a secret for a moment only: windows, the browser's host, the check of the person, exports."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from login import HOME, MASTER, eventually
from person import IN_THE_VAULT, Person
from persons_programs import PYTHON
from seat import Seat
from test_memory import OTHERS, OURS
from test_poser import ask_to_fill, pose
from test_session import in_memory
from test_traces import set_pin
from test_vault import vault_keys

SITE, HOST_NAME = "https://a.example", "a.example"
PIN = "839204"


@pytest.fixture
def person(prefix: Path, tmp_path: Path) -> Iterator[Person]:
    with Person(prefix) as person, Seat(tmp_path) as seat, person.terminal() as shell:
        person.seat, person.shell = seat, shell
        person.set_up(SITE)
        yield person


def test_T30_nothing_is_open_for_a_moment_while_windows_hosts_and_checks_start_and_end(person: Person) -> None:
    onlooker = person.compile("onlooker.c", "onlooker")
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.STDOUT, "text": True}
    watching = person.start(onlooker, "watch", *OTHERS, **pipes)
    assert watching.stdout.readline() == "watching\n"
    # A window says that somebody asks, and another one that the site is new.
    with pose(person, PYTHON, SITE) as host:
        ask_to_fill(host, SITE)
        person.seat.agree(f"” fill {HOST_NAME}?", HOST_NAME)
        assert host.answer()["result"] == {"password": IN_THE_VAULT}
    person.shell.keyway(f"export {HOME}/all.csv --format chrome-csv --yes", MASTER)
    person.shell.keyway(f"import {HOME}/all.csv --yes")
    assert "ended=0" in set_pin(person.shell, PIN)
    watching.stdin.close()
    seen = watching.stdout.read().splitlines()
    assert [line for line in seen if line.split()[1].startswith(OURS)] == []


def test_T29_what_windows_and_hosts_held_is_nowhere_after_the_lock(person: Person) -> None:
    secrets = {"master password": MASTER.encode(), "password": IN_THE_VAULT.encode(), **vault_keys()}
    with pose(person, PYTHON, SITE) as host:
        person.shell.keyway("passwords lock")
        ask_to_fill(host, SITE)
        person.seat.unlock(HOST_NAME, MASTER)
        assert host.answer()["result"] == {"password": IN_THE_VAULT}
        # The keys are there, and the search finds them.
        assert in_memory(person, secrets) >= vault_keys().keys()
        person.shell.keyway("passwords lock")
        eventually(lambda: in_memory(person, secrets) == set())
        # The host goes on all the while.
        assert person.named("keyway-browser-host")
