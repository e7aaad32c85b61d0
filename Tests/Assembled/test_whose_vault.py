"""K14: a program of the person's puts a vault of its own in the place of theirs, and says its master password."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest
from login import HOME, MASTER, Login, Terminal, eventually
from own_provider import own_account
from person import PASSWORDS
from test_session import ENDED, PIN, WRONG
from test_traces import set_pin

STRANGE = "a phrase of somebody else"
SITE, ACCOUNT = "https://a.example", "s3cret"
FILL = f"fill {SITE}"
# What is changed, and what says so.
SETTINGS = "verification set --rule never"
REFUSED, NOT_KNOWN = "couldn't verify you", "it counts only for its own accounts"


@pytest.fixture
def person(login: Login) -> Iterator[Login]:
    """Somebody with a vault, an account in another provider, a PIN, and a terminal that nobody verified in."""
    with login.terminal() as first, login.terminal() as terminal:
        for provider in (own_account(login), PASSWORDS):
            first.keyway(f"providers enable --yes {provider}")
        first.keyway("passwords init", MASTER, MASTER)
        assert "ended=0" in set_pin(first, PIN)
        eventually(lambda: "ada" in first.keyway(f"suggest {SITE}"))
        login.open_terminal = terminal
        yield login


def say(terminal: Terminal, line: str, master: str) -> str:
    """What appears where somebody who does not know the PIN says that master password."""
    terminal.begin(f"keyway {line}")
    shown = ""
    while not shown.endswith((REFUSED, *ENDED)):
        shown += terminal.read_until("Keyway PIN", "Master password", REFUSED, *ENDED)
        if shown.endswith(("Keyway PIN", "Master password")):
            terminal.type(WRONG if shown.endswith("PIN") else master)
    return shown if shown.endswith(ENDED) else shown + terminal.read_until(*ENDED)


def rule(login: Login) -> str:
    return json.loads(login.keyway("verification", "--json"))["rule"]


def is_known(login: Login, terminal: Terminal, master: str) -> bool:
    """Whether that master password verifies somebody for another provider's account and for Keyway's settings."""
    given, before = say(terminal, FILL, master), rule(login)
    changed = say(terminal, SETTINGS, master)
    if NOT_KNOWN in given:
        assert ACCOUNT not in given and NOT_KNOWN in changed and rule(login) == before == "whenSetUp", given + changed
        return False
    assert ACCOUNT in given and "ended=0" in changed and rule(login) == "never", given + changed
    return True


def test_K14_a_vault_in_the_place_of_the_persons_counts_for_nothing_but_its_own_accounts(person: Login) -> None:
    (vault,) = HOME.rglob("Passwords.vault")
    with person.terminal() as theirs:
        theirs.keyway("passwords lock")
        assert theirs.run(f"mv {vault} {vault}.away")[0] == 0
        theirs.keyway("passwords init --memory 64", STRANGE, STRANGE)
        assert not is_known(person, theirs, STRANGE)
        # Nor does it become known by a key that its maker gives it.
        theirs.keyway("passwords renew-key", STRANGE)
        assert not is_known(person, theirs, STRANGE)
        # What is in it is nobody's secret but theirs, and who was verified for that is not for anything else.
        theirs.keyway("passwords add mine --user eve --url https://b.example", "of eve")
        assert "of eve" in say(theirs, "fill https://b.example", STRANGE)
        assert not is_known(person, theirs, STRANGE)
        theirs.keyway("passwords lock")
        assert theirs.run(f"mv {vault}.away {vault}")[0] == 0
    assert is_known(person, person.open_terminal, MASTER)
