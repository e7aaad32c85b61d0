"""What a provider's service hands out passes what a fill passes, and the background of a terminal gets nothing."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest
from conftest import PAGE
from terminal import ENTER, Terminal

from session.private import PASSWORDS

MASTER = "correct horse battery staple"
SECRET = "canary-of-the-password"

# Opens the vault to the terminal of a script.
UNLOCKS = 'echo "$MASTER" | "$KEYWAY" passwords unlock > /dev/null 2>&1\n'


@pytest.fixture
def vault(broker):
    """A broker with a vault of two accounts, locked to every terminal but that of the tests."""
    broker.keyway("providers", "enable", "--yes", PASSWORDS)
    broker.keyway("passwords", "init", "--memory", "64", secrets=[MASTER, MASTER])
    broker.keyway("passwords", "add", "Site", "--user", "ada", "--address", PAGE, secrets=[SECRET])
    return broker


def shell(session, script: str) -> Terminal:
    """A shell with job control in a terminal of its own, which unlocks the vault and goes on with `script`."""
    environment = {
        **session.environment,
        "TERM": "xterm",
        "KEYWAY": str(session.prefix / "bin/keyway"),
        "MASTER": MASTER,
    }
    return Terminal(["/bin/bash", "--norc", "--noprofile", "-ic", f"{UNLOCKS}{script}"], environment)


def run(session, script: str) -> tuple[int, str, str]:
    with shell(session, script) as terminal:
        return terminal.finish()


def entries(session) -> list[dict]:
    return json.loads(session.keyway("history", "--json"))["entries"]


def set_rule(session, rule: str, grace: int = 0) -> None:
    """Sets when the person is verified: by the master password, the only way there is."""
    words = ["verification", "set", "--rule", rule, "--grace", str(grace)]
    with Terminal([session.prefix / "bin/keyway", *words], {**session.environment, "TERM": "xterm"}) as terminal:
        confirms(terminal)
        status, _, err = terminal.finish()
        assert status == 0, err


def confirms(terminal: Terminal) -> None:
    terminal.wait_for("[Mm]aster password")
    terminal.type(MASTER + ENTER)


SHOWS = '"$KEYWAY" passwords show Site --field password'


@pytest.mark.parametrize(
    "script",
    [
        SHOWS,
        f"{SHOWS} | cat",
        f'echo "$({SHOWS})"',
        f"bash -c '{SHOWS}'",
        f'"$KEYWAY" fill {PAGE}',
        f'echo "$("$KEYWAY" fill {PAGE})" | cat',
    ],
)
def test_the_foreground_gets_what_it_unlocked(vault, script):
    status, out, err = run(vault, script)
    assert (status, out) == (0, SECRET + "\n"), err


@pytest.mark.parametrize(
    "command",
    [
        SHOWS,
        '"$KEYWAY" passwords list',
        '"$KEYWAY" passwords search Site',
        '"$KEYWAY" passwords edit Site --user eve',
        '"$KEYWAY" passwords remove Site --yes',
        f'"$KEYWAY" fill {PAGE}',
    ],
)
def test_the_background_of_the_terminal_that_unlocked_gets_nothing(vault, command):
    status, out, err = run(vault, f"{command} < /dev/null & wait $!")
    assert status != 0 and out == "", (status, out, err)
    status, out, err = run(vault, f"{command} & wait $!")
    assert status != 0 and out == "", (status, out, err)
    assert "background" in err and "fg" in err
    assert SECRET in run(vault, SHOWS)[1]


def test_a_program_that_goes_to_the_background_hands_out_nothing_more(vault):
    # It asks for one thing in the foreground and, over the same conversation, for another one in the background.
    script = """
import os, signal, socket, sys
sys.path.insert(0, sys.argv[1])
from wire import Peer, Refused
peer = Peer.connect(sys.argv[2]).greet("terminal")
_, (descriptor,) = peer.answer(peer.request("service.connect", {"provider": "org.keyway.passwords"}))
service = Peer(socket.socket(fileno=descriptor))
asked = {"item": {"text": "Site"}, "parts": ["password"]}
service.answer(service.request("items.show", asked))
signal.signal(signal.SIGTTOU, signal.SIG_IGN)
os.tcsetpgrp(os.open("/dev/tty", os.O_RDWR), os.getsid(0))
try:
    service.answer(service.request("items.show", asked))
    print("given")
except Refused as refusal:
    print(refusal.kind, refusal)
"""
    file = vault.folder / "asks.py"
    file.write_text(script)
    status, out, err = run(vault, f"{sys.executable} {file} {Path(__file__).parent} {vault.socket}")
    assert status == 0, err
    assert out.startswith("interactionRequired") and "background" in out, out


def test_what_is_shown_listed_and_searched_is_written_down(vault):
    status, _, err = run(vault, f'{SHOWS}\n"$KEYWAY" passwords list\n"$KEYWAY" passwords search Site\n')
    assert status == 0, err
    found = [(entry["event"], entry["account"]) for entry in entries(vault)]
    assert found.count(("show", "ada")) == 1
    assert [event for event, _ in found].count("list") >= 2
    assert "shown" in vault.keyway("history") and "listed" in vault.keyway("history")
    assert SECRET not in vault.keyway("history")


def test_the_person_is_verified_before_a_secret_is_shown_as_before_a_fill(vault):
    set_rule(vault, "always", grace=300)
    with shell(vault, f'{SHOWS}\n"$KEYWAY" passwords list') as terminal:
        confirms(terminal)
        # That counts for the terminal for a while: the list comes without another question.
        status, out, err = terminal.finish()
    assert status == 0 and out.startswith(SECRET + "\n") and "Site" in out, (out, err)
    newest = next(entry for entry in entries(vault) if entry["event"] == "show")
    assert newest["verification"] == "masterPassword"


def test_a_check_in_the_foreground_counts_for_nothing_in_the_background(vault):
    set_rule(vault, "always", grace=300)
    with shell(vault, f"{SHOWS}\n{SHOWS} & wait $!") as terminal:
        confirms(terminal)
        status, out, err = terminal.finish()
    assert status != 0 and out == SECRET + "\n", (out, err)


def test_a_program_that_shows_one_account_after_the_other_is_stopped(vault):
    adds = "\n".join(
        f'echo pw | "$KEYWAY" passwords add Item{number} --user u{number} > /dev/null' for number in range(1, 23)
    )
    shows = "\n".join(f'"$KEYWAY" passwords show Item{number} --field password' for number in range(1, 23))
    _, out, err = run(vault, f"{adds}\n{shows}")
    # One more comes every three seconds: a slow machine gets some of them.
    assert "many credentials in a row" in err or out.count("pw") == 22, (out, err)
