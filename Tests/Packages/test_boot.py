"""The machine, switched on: what a boot, a login and systemd do by themselves, and no test plays.

The kernel there has no Landlock, so that Passwords has to be allowed to run without walls; those are tried elsewhere.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from booted import Console, booted
from conftest import LOGIN_PASSWORD
from login import MASTER, NAME, USER
from person import IN_THE_VAULT

SITE = "https://a.example"
PROVIDER = "org.keyway.passwords"
VERIFY = {"Login password: ": LOGIN_PASSWORD}
SETUP = {
    "four random words? [y/N]": "n",
    "New master password: ": MASTER,
    "again: ": MASTER,
    "Set a PIN": "n",
}


@pytest.fixture
def console(prefix: Path) -> Iterator[Console]:
    """Somebody who has just logged in at the console, into a home of their own."""
    home = Path("/home", NAME)
    home.mkdir(mode=0o700)
    os.chown(home, USER, USER)
    try:
        with booted() as console:
            console.log_in(NAME, LOGIN_PASSWORD)
            yield console
    finally:
        home.rmdir()


@pytest.mark.timeout(1200)
def test_after_a_boot_and_a_login_keyway_is_there_and_the_lock_of_the_session_locks_it(console: Console) -> None:
    # Nobody started anything: systemd listens, and starts the broker when it is asked for something.
    assert "\nactive\n" in console.ask("systemctl --user is-active keywayd.socket")
    assert "inactive" in console.ask("systemctl --user is-active keywayd.service", status=3)
    checks = doctor(console)
    for name in ("walls", "login1", "limits", "broker", "program:broker", "core-dumps"):
        assert checks[name]["status"] == "ok", checks[name]
    assert "active (running)" in console.ask("systemctl --user status keywayd.service")
    # The first minutes: the provider, the vault, an account.
    console.ask(f"keyway providers enable --yes --unconfined {PROVIDER}", VERIFY)
    assert "Created the vault" in console.ask("keyway setup", VERIFY | SETUP, status=None)
    console.ask(f"echo {IN_THE_VAULT} | keyway passwords add site --user ada --url {SITE}")
    assert f"\n{IN_THE_VAULT}\n" in console.ask(f"keyway fill {SITE}", VERIFY)
    assert "ada" in console.ask(f"keyway suggest {SITE}")
    # Locked by login1, which calls the session that pam_systemd opened by its number.
    console.ask("loginctl lock-session")
    for line in (f"keyway fill {SITE}", "keyway passwords show site --field password"):
        assert IN_THE_VAULT not in console.ask(f"{line} </dev/null", status=None)
    assert "locked" in console.ask("keyway status", status=None)
    # Unlocked, the vault waits for its master password.
    console.ask("loginctl unlock-session")
    console.ask("keyway passwords unlock", {"Master password: ": MASTER})
    assert f"\n{IN_THE_VAULT}\n" in console.ask(f"keyway fill {SITE}", VERIFY)


def doctor(console: Console) -> dict[str, dict]:
    """The checks of `keyway doctor`, by their names. Some fail: nothing is set up yet."""
    shown = console.ask("keyway doctor --json 2>/dev/null >checks", VERIFY, status=None)
    assert "ended" in shown
    text = console.ask("cat checks")
    return {check["name"]: check for check in json.loads(text[text.index("{") :])["checks"]}
