"""T31: what a program of the person's does not bring about where nobody sees it, although the vault is open."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest
from login import HOME, MASTER, Login

PASSWORDS = "org.keyway.passwords"
Runs = Callable[[Login, str], tuple[int, str, str]]


def without_a_terminal(login: Login, line: str) -> tuple[int, str, str]:
    """It has no terminal, and hands over what it guessed."""
    finished = login.run(login.prefix / "bin/keyway", *line.split(), input="a guess\n")
    return finished.returncode, finished.stdout, finished.stderr


def in_the_background(login: Login, line: str) -> tuple[int, str, str]:
    """It is in the background of the terminal to which the vault is open, and knows even the master password."""
    return login.open_terminal.run(f"{{ keyway {line} & wait $!; }}", MASTER)


WAYS = [without_a_terminal, in_the_background]


def is_on(login: Login) -> bool:
    listed = json.loads(login.keyway("providers", "list", "--json"))["providers"]
    return any(provider["enabled"] for provider in listed if provider["identifier"] == PASSWORDS)


@pytest.mark.parametrize("runs", WAYS)
def test_T31_what_alone_verifies_the_person_is_not_turned_off_where_nobody_sees_it(vault: Login, runs: Runs):
    status, _, said = runs(vault, f"providers disable {PASSWORDS}")
    assert status != 0, said
    assert is_on(vault)


def test_T31_whoever_knows_the_master_password_turns_it_off(vault: Login):
    terminal = vault.open_terminal
    terminal.begin(f"keyway providers disable {PASSWORDS}")
    terminal.read_until("Master password: ")
    terminal.type("a guess")
    terminal.read_until("Master password: ")
    assert is_on(vault)
    terminal.type(MASTER)
    terminal.read_until("ended=0")
    assert not is_on(vault)


@pytest.mark.parametrize("runs", WAYS)
def test_T31_the_vault_is_not_exported_where_nobody_sees_it(vault: Login, runs: Runs):
    path = HOME / "all.json"
    status, printed, said = runs(vault, f"export {path} --yes")
    assert status != 0 and printed == "" and "password of alpha" not in said
    assert list(HOME.glob("all.json*")) == []
    # In the foreground, the same is done.
    vault.open_terminal.run(f"keyway export {path} --yes", MASTER)
    assert "password of alpha" in path.read_text()


def test_T31_an_export_takes_the_place_of_no_file_unless_that_was_said(vault: Login):
    terminal, path = vault.open_terminal, HOME / "all.json"
    path.write_text("of the person's")
    path.chmod(0o644)
    status, _, said = terminal.run(f"keyway export {path} --yes", MASTER)
    assert status != 0 and "--force" in said, said
    assert path.read_text() == "of the person's"
    terminal.run(f"keyway export {path} --yes --force", MASTER)
    assert "password of alpha" in path.read_text()
    # Nobody else reads it, though everybody could read the one of before.
    assert path.stat().st_mode & 0o777 == 0o600
