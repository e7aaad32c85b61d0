"""The first minutes of somebody who installed the packages and sits before a terminal: `keyway setup`, also broken off
in the middle, and what is left then; and before a desktop, up to the passkey in a browser."""

from __future__ import annotations

import json
import os
import re
import signal
import termios
from collections.abc import Callable, Iterator

import pytest
from conftest import LOGIN_PASSWORD
from first_run import press
from login import MASTER, Login, Terminal, eventually
from page import Page
from person import IN_THE_VAULT, PASSWORDS, USER, Person
from site_server import SiteServer
from support import until
from test_fills import is_asked, open_browser, profile_folder
from test_first_run import fill, make_a_passkey_and_sign_in
from test_saving import sign_in

SITE = "https://a.example"
PIN = "264813"
ESCAPES = re.compile(r"\x1b(\[[0-9;?]*[A-Za-z]|[()][A-Z0-9])")

# Nobody sits before a desktop: the login password says who types. Once for `keyway` itself, and once for Passwords.
TURN_ON = [("[y/N]", "y"), ("Login password: ", LOGIN_PASSWORD), ("Login password: ", LOGIN_PASSWORD)]
CHOOSE = [("four random words? [y/N]", "n"), ("New master password:", MASTER), ("again:", MASTER)]
NO_PIN = [("without the master password? [y/N]", "n")]


@pytest.fixture
def terminal(login: Login) -> Iterator[Terminal]:
    with login.terminal() as terminal:
        yield terminal


def begin(terminal: Terminal, *answers: tuple[str, str]) -> str:
    """Runs it up to the question after these; what appeared."""
    terminal.begin("keyway setup")
    return answer(terminal, *answers)


def answer(terminal: Terminal, *answers: tuple[str, str]) -> str:
    seen = ""
    for question, keys in answers:
        seen += (shown := terminal.read_until(question, "ended="))
        assert not shown.endswith("ended="), seen
        terminal.type(keys)
    return seen


def finish(terminal: Terminal, seen: str = "") -> str:
    """Waits for the end; all that appeared, without what colours it."""
    return ESCAPES.sub("", seen + terminal.read_until("ended=") + terminal.read_until("\n")).replace("\r", "")


def is_echoing(terminal: Terminal) -> bool:
    return bool(termios.tcgetattr(terminal.master)[3] & termios.ECHO)


def is_on(login: Login) -> bool:
    listed = json.loads(login.run("keyway", "providers", "list", "--json").stdout)["providers"]
    return any(one["identifier"] == PASSWORDS and one["enabled"] for one in listed)


def vaults(login: Login) -> list[str]:
    """All that was begun of a vault."""
    return sorted(path.name for path in login.home.rglob("Passwords.vault*"))


def fill_something(terminal: Terminal) -> None:
    terminal.keyway(f"passwords add site --user ada --url {SITE}", IN_THE_VAULT)
    assert terminal.keyway(f"fill {SITE}") == f"{IN_THE_VAULT}\n"


def test_it_leads_from_nothing_to_what_works_and_a_second_time_changes_nothing(
    login: Login, terminal: Terminal
) -> None:
    said = finish(terminal, begin(terminal, *TURN_ON, *CHOOSE, *NO_PIN))
    assert re.search(r"Strength: \w+", said)
    assert "Created the vault" in said
    assert "What works, and what doesn't:" in said
    for secret in (LOGIN_PASSWORD, MASTER):
        assert secret not in said
    fill_something(terminal)
    before = vaults(login)
    again = finish(terminal, begin(terminal, *NO_PIN))
    assert "Passwords is on already." in again and "You already have a vault" in again
    assert vaults(login) == before
    # The vault is the one that was made, with what was put into it.
    terminal.keyway("passwords lock")
    terminal.keyway("passwords unlock", MASTER)
    assert terminal.keyway(f"fill {SITE}") == f"{IN_THE_VAULT}\n"


def test_four_words_and_a_pin_are_enough(login: Login, terminal: Terminal) -> None:
    begin(terminal, *TURN_ON, ("four random words? [y/N]", "y"))
    seen = ESCAPES.sub("", terminal.read_until("then type them:")).replace("\r", "")
    (words,) = re.findall(r"^ {4}(\w+ \w+ \w+ \w+)$", seen, re.MULTILINE)
    terminal.type(words)
    # A wrong repetition is asked again.
    wrong = [("New PIN:", PIN), ("New PIN, again:", "111111")]
    right = [("New PIN:", PIN), ("New PIN, again:", PIN), ("Login password: ", LOGIN_PASSWORD)]
    said = finish(terminal, answer(terminal, ("the master password? [y/N]", "y"), *wrong, *right))
    assert "The PIN is set" in said
    assert PIN not in said and words not in said
    terminal.keyway("passwords lock")
    terminal.keyway("passwords unlock", words)
    terminal.keyway(f"passwords add site --user ada --url {SITE}", IN_THE_VAULT)
    # What fills asks for it.
    terminal.begin(f"keyway fill {SITE}")
    assert f"\n{IN_THE_VAULT}\n" in finish(terminal, answer(terminal, ("Keyway PIN: ", PIN)))


def break_off_with_keys(login: Login, terminal: Terminal) -> None:
    before = is_echoing(terminal)
    os.write(terminal.master, b"\x03")
    # Cancelled, or ended by the signal: the shell is back.
    terminal.read_until("$ ")
    assert (before, is_echoing(terminal)) == (False, True)


def close_the_window(login: Login, terminal: Terminal) -> None:
    terminal.close()
    eventually(lambda: not login.named("keyway"))


# What was answered already, what is asked then, and what is left to be asked another time.
STEPS = {
    "on": ([], "Turn on Passwords? [y/N]", [*TURN_ON, *CHOOSE, *NO_PIN]),
    # `keyway` itself is allowed by then.
    "verified": (TURN_ON[:2], "Login password: ", [*TURN_ON[:2], *CHOOSE, *NO_PIN]),
    "again": ([*TURN_ON, *CHOOSE[:2]], "again:", [*CHOOSE, *NO_PIN]),
    "pin": ([*TURN_ON, *CHOOSE], "the master password? [y/N]", NO_PIN),
}


@pytest.mark.parametrize("step", STEPS)
@pytest.mark.parametrize("end", [break_off_with_keys, close_the_window])
def test_what_was_broken_off_goes_on_where_it_was(login: Login, step: str, end: Callable) -> None:
    answered, question, _ = STEPS[step]
    terminal = Terminal(login)
    begin(terminal, *answered)
    terminal.read_until(question)
    end(login, terminal)
    assert is_on(login) == (step in ("again", "pin"))
    assert vaults(login) == (["Passwords.vault"] if step == "pin" else [])
    go_on(login, step)


def go_on(login: Login, step: str) -> None:
    """In another window, up to a password that is filled."""
    _, _, rest = STEPS[step]
    with login.terminal() as terminal:
        said = finish(terminal, begin(terminal, *rest))
        assert "What works, and what doesn't:" in said
        if step == "pin":
            # The vault was open for the terminal in which it was made.
            terminal.keyway("passwords unlock", MASTER)
        fill_something(terminal)


@pytest.mark.parametrize(("step", "keys"), [("verified", LOGIN_PASSWORD), ("again", MASTER)], ids=["verified", "again"])
def test_a_broker_that_is_killed_makes_nothing_by_halves(
    login: Login, terminal: Terminal, step: str, keys: str
) -> None:
    answered, question, _ = STEPS[step]
    begin(terminal, *answered)
    terminal.read_until(question)
    os.kill(login.broker, signal.SIGKILL)
    terminal.type(keys)
    said = finish(terminal)
    assert "ended=0" not in said
    assert "run `keyway setup` again" in said.replace("\n", " ")
    eventually(lambda: not login.named("keyway-vaultd"))
    assert is_on(login) == (step == "again")
    assert not vaults(login)
    go_on(login, step)


@pytest.mark.timeout(600)
@pytest.mark.parametrize("name", ["chromium", "firefox"])
def test_a_browser_that_is_opened_then_saves_fills_and_signs_in_with_a_passkey(
    name: str, person: Person, server: SiteServer
) -> None:
    set_up_at_a_desktop(person)
    browser = open_browser(name, person, profile_folder(name, person))
    try:
        page = Page(browser, server.url)
        # The extension becomes active while the browser already shows its first page.
        until(lambda: is_asked(page, person), 120)
        person.seat.agree("use Keyway?")
        person.seat.wait_until_empty()
        sign_in(page, USER, IN_THE_VAULT)
        assert until(server.site.signed_in) == [USER]
        press(person.seat, "Save")
        person.seat.wait_until_empty()
        server.site.forget()
        fill(page, person)
        assert until(server.site.signed_in) == [USER]
        make_a_passkey_and_sign_in(page, person)
    finally:
        browser.close()


def set_up_at_a_desktop(person: Person) -> None:
    """In a terminal, where windows ask what decides: nobody else can answer those."""
    begin(person.shell, *TURN_ON[:1])
    person.seat.agree("Allow “keyway” to use Keyway?")
    person.seat.agree("Turn on “Passwords”?")
    said = finish(person.shell, answer(person.shell, *CHOOSE, *NO_PIN))
    assert "Created the vault" in said
    assert "What works, and what doesn't:" in said
