"""`keyway setup` in a terminal of its own: each step, each way to turn back, and what is left then."""

from __future__ import annotations

import json
import os
import signal

import pytest
from conftest import Keyway, brokers, eventually
from terminal import ESCAPE, Terminal

from session.private import PASSWORDS

GOOD, WEAK, PIN = "gigantic-otter-waffle-nebula-42", "password1", "264813"
CANCELLED, FAILURE = 4, 1


@pytest.fixture
def session(keyway):
    return keyway


def setup(session: Keyway, *options: str, rows: int = 60) -> Terminal:
    return Terminal(
        [session.prefix / "bin/keyway", "setup", *options], session.environment, rows=rows, columns=120, tty_output=True
    )


def is_on(session: Keyway) -> bool:
    listed = json.loads(session.keyway("providers", "list", "--json"))["providers"]
    return any(one["identifier"] == PASSWORDS and one["enabled"] for one in listed)


def vaults(session: Keyway) -> list[str]:
    return [str(path) for path in session.folder.rglob("Passwords.vault*")]


def answer(terminal: Terminal, question: str, keys: str) -> None:
    terminal.wait_for(question)
    terminal.type(keys)


def turn_on(terminal: Terminal) -> None:
    answer(terminal, r"Turn on .*\[y/N\]", "y")


def choose(terminal: Terminal, password: str, again: str | None = None) -> None:
    answer(terminal, r"four random words\? \[y/N\]", "n")
    answer(terminal, r"New master password:$", password + "\r")
    answer(terminal, r"again:$", (password if again is None else again) + "\r")


def finish(terminal: Terminal) -> str:
    """Sets no PIN, and returns all that was said."""
    answer(terminal, r"Set a PIN.*\[y/N\]", "n")
    terminal.wait_for("What works, and what doesn't")
    terminal.finish()
    assert terminal.is_restored()
    return terminal.text


def test_it_leads_from_nothing_to_a_vault(session):
    with setup(session) as terminal:
        turn_on(terminal)
        choose(terminal, GOOD)
        terminal.wait_for("Strength: strong")
        said = finish(terminal)
    assert is_on(session) and len(vaults(session)) == 1
    assert "Created the vault" in said
    assert GOOD not in terminal.written
    # It is the one that was typed.
    session.keyway("passwords", "lock")
    session.keyway("passwords", "unlock", secrets=[GOOD])


def test_a_second_run_leaves_alone_what_is_there(session):
    with setup(session) as terminal:
        turn_on(terminal)
        choose(terminal, GOOD)
        finish(terminal)
    before = vaults(session)
    with setup(session) as terminal:
        said = finish(terminal)
    assert "Passwords is on already" in said and "You already have a vault" in said
    assert vaults(session) == before


def test_the_words_that_it_proposes_are_the_master_password(session):
    with setup(session) as terminal:
        turn_on(terminal)
        answer(terminal, r"four random words\? \[y/N\]", "y")
        terminal.wait_for("Write the words down, then type them:")
        (words,) = [line.strip() for line in terminal.text.splitlines() if line.startswith("    ")]
        assert len(words.split(" ")) == 4
        terminal.type("something else\r")
        terminal.wait_for("aren't the words")
        terminal.type(words + "\r")
        finish(terminal)
    session.keyway("passwords", "lock")
    session.keyway("passwords", "unlock", secrets=[words])


def test_a_weak_master_password_needs_a_second_yes(session):
    with setup(session) as terminal:
        turn_on(terminal)
        choose(terminal, WEAK)
        terminal.wait_for("This master password is very weak")
        answer(terminal, r"all the same\? \[y/N\]", "n")
        assert not vaults(session)
        answer(terminal, r"New master password:$", WEAK + "\r")
        answer(terminal, r"again:$", WEAK + "\r")
        answer(terminal, r"(?s)all the same\?.*all the same\? \[y/N\]$", "y")
        finish(terminal)
    assert len(vaults(session)) == 1


def test_a_wrong_repetition_is_asked_again_and_makes_nothing(session):
    with setup(session) as terminal:
        turn_on(terminal)
        choose(terminal, GOOD, again="another")
        for _ in range(2):
            answer(terminal, r"New master password:$", GOOD + "\r")
            answer(terminal, r"again:$", "another\r")
        status, _, _ = terminal.finish()
    assert status == FAILURE
    assert "To go on where this stopped" in terminal.text
    assert not vaults(session)


# What is asked, and what leads to the next question.
QUESTIONS = [
    ("on", r"Turn on .*\[y/N\]", "y"),
    ("words", r"four random words\? \[y/N\]", "n"),
    ("password", r"New master password:$", GOOD + "\r"),
    ("again", r"again:$", GOOD + "\r"),
    ("pin", r"Set a PIN.*\[y/N\]", "n"),
]


@pytest.mark.parametrize("step", [step for step, _, _ in QUESTIONS])
def test_who_backs_out_goes_on_there(session, step):
    with setup(session) as terminal:
        for name, question, keys in QUESTIONS:
            answer(terminal, question, ESCAPE if name == step else keys)
            if name == step:
                break
        status, _, _ = terminal.finish()
        assert terminal.is_restored()
    assert status == CANCELLED
    assert "run `keyway setup` again" in terminal.text
    assert is_on(session) == (step != "on")
    assert bool(vaults(session)) == (step == "pin")
    with setup(session) as terminal:
        if step == "on":
            turn_on(terminal)
        if step != "pin":
            choose(terminal, GOOD)
        finish(terminal)
    assert len(vaults(session)) == 1


def test_a_pin_is_set_after_the_master_password_was_typed(session):
    with setup(session) as terminal:
        turn_on(terminal)
        choose(terminal, GOOD)
        answer(terminal, r"Set a PIN.*\[y/N\]", "y")
        answer(terminal, r"New PIN:$", PIN + "\r")
        answer(terminal, r"New PIN, again:$", PIN + "\r")
        terminal.wait_for(r"Confirm it|Master password")
        terminal.type(GOOD + "\r")
        terminal.wait_for("The PIN is set")
        terminal.finish()
    methods = json.loads(session.keyway("verification", "--json"))["methods"]
    assert [one["available"] for one in methods if one["method"] == "pin"] == [True]


def test_a_broker_that_is_killed_in_between_is_started_again(session):
    with setup(session) as terminal:
        turn_on(terminal)
        terminal.wait_for(r"four random words\? \[y/N\]")
        for broker in brokers(session.folder):
            os.kill(broker, signal.SIGKILL)
        terminal.type("n")
        answer(terminal, r"New master password:$", GOOD + "\r")
        answer(terminal, r"again:$", GOOD + "\r")
        status, _, _ = terminal.finish()
    assert status != 0
    assert "run `keyway setup` again" in terminal.text.replace("\n", " ")
    eventually(lambda: not brokers(session.folder))
    assert not vaults(session)
    with setup(session) as terminal:
        choose(terminal, GOOD)
        finish(terminal)
    assert len(vaults(session)) == 1


def test_a_full_disk_is_said_and_leaves_no_half_of_a_vault(session):
    data = session.folder / "data"
    data.mkdir(exist_ok=True)
    look = f"find {data} -name '*.vault*' -printf 'left: %f\\n'"
    commands = [
        f"mount -t tmpfs -o size=64k,mode=700 none {data}",
        f"{{ dd if=/dev/zero of={data}/ballast bs=4k 2>/dev/null || true; }}",
        f"{{ {session.prefix}/bin/keyway setup; ended=$?; {look}; exit $ended; }}",
    ]
    with Terminal(
        ["/usr/bin/unshare", "--user", "--map-root-user", "--mount", "sh", "-c", " && ".join(commands)],
        session.environment,
        rows=60,
        columns=120,
        tty_output=True,
    ) as terminal:
        turn_on(terminal)
        choose(terminal, GOOD)
        status, _, _ = terminal.finish()
    assert status == FAILURE
    assert "full" in terminal.text
    assert "run `keyway setup` again" in terminal.text
    assert "left: " not in terminal.text


def test_without_a_home_folder_to_write_to_it_says_which(session):
    session.environment["XDG_STATE_HOME"] = str(session.folder / "no-folder")
    (session.folder / "no-folder").write_text("")
    with setup(session) as terminal:
        status, _, _ = terminal.finish()
    assert status != 0
    assert "no-folder" in terminal.text


def test_a_script_gives_the_master_password_by_lines(session):
    out = session.keyway("setup", "--yes", "--json", secrets=[GOOD, GOOD])
    result = json.loads(out)
    assert result["steps"]["passwords"] == result["steps"]["vault"] == "done"
    assert {"name", "status", "detail", "remedy"} == set(result["checks"][0])
    assert json.loads(session.keyway("setup", "--yes", "--json"))["steps"]["vault"] == "already"
