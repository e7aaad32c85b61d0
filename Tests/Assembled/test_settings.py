"""K11: settings and approvals that another program of the person's changes, takes away, or puts back as they were."""

from __future__ import annotations

import json
import os
import signal
from collections.abc import Callable
from pathlib import Path
from subprocess import CompletedProcess

import pytest
from login import HOME, MASTER, Login, eventually
from own_provider import own_provider
from persons_programs import ASKS, PYTHON

STATE = HOME / ".local/state/keyway"
PAGE = "https://a.example"
PASSWORD = "password of alpha"
# What is asked first where the program that asks was not approved.
QUESTION = "Master password"


def restart(login: Login) -> None:
    """The broker ends; whoever asks next starts another one."""
    os.kill(login.broker, signal.SIGTERM)
    eventually(lambda: not login.named("keywayd") and not login.named("keyway-vaultd"))


def ask(login: Login, *words: str) -> CompletedProcess:
    """Runs the command line where nobody can be asked anything."""
    return login.run(login.prefix / "bin/keyway", *words)


def fills(login: Login) -> bool:
    """Whether the password is handed out in the terminal that opened the vault, where nobody answers a question."""
    terminal, typed = login.open_terminal, HOME / "typed"
    typed.write_text(f"{MASTER}\n")
    terminal.begin(f"keyway passwords unlock <{typed}; keyway fill {PAGE}")
    shown = terminal.read_until(QUESTION, "ended=")
    while QUESTION in shown[-len(QUESTION) :]:
        terminal.type("")
        shown += terminal.read_until(QUESTION, "ended=")
    return PASSWORD in shown


def disbelieved(login: Login) -> list[str]:
    return json.loads(ask(login, "status", "--json").stdout).get("disbelieved", [])


def add_space(file: Path) -> None:
    file.write_bytes(file.read_bytes() + b" ")


def remove(file: Path) -> None:
    file.unlink()


@pytest.mark.parametrize("change", [add_space, remove])
@pytest.mark.parametrize("name", ["providers.json", "clients.json"])
@pytest.mark.parametrize("when", ["while the broker runs", "while none runs"])
def test_K11_what_was_changed_or_removed_is_not_believed_and_said(
    vault: Login, name: str, change: Callable[[Path], None], when: str
):
    is_restarted = when == "while none runs"
    if is_restarted:
        restart(vault)
    assert fills(vault)
    assert disbelieved(vault) == []
    if is_restarted:
        restart(vault)
    change(STATE / name)
    # Neither the provider nor the program that asks is one that the person said yes to.
    assert not fills(vault)
    (sentence,) = disbelieved(vault)
    assert name in sentence
    checks = {check["name"]: check for check in json.loads(ask(vault, "doctor", "--json").stdout)["checks"]}
    assert checks["settings"]["status"] == "failed" and name in checks["settings"]["detail"]


def test_K11_what_is_not_believed_is_kept_aside(login: Login):
    file, identifier = STATE / "providers.json", own_provider(login)
    with login.terminal() as terminal:
        terminal.keyway(f"providers enable --yes {identifier}")
        add_space(file)
        changed = file.read_bytes()
        assert disbelieved(login) != []
        assert file.read_bytes() == changed
        # At the next choice of the person, of which there is no more doubt.
        terminal.keyway(f"providers disable {identifier}")
    assert disbelieved(login) == []
    assert file.with_name("providers.json.disbelieved").read_bytes() == changed != file.read_bytes()


def test_K11_an_older_choice_that_is_put_back_is_not_believed(login: Login):
    """The person turned a provider off; a program of theirs puts the file of before back."""
    file, identifier = STATE / "providers.json", own_provider(login)
    with login.terminal() as terminal:
        terminal.keyway(f"providers enable --yes {identifier}")
        older = file.read_bytes()
        terminal.keyway(f"providers disable {identifier}")
        restart(login)
        file.write_bytes(older)
        (provider,) = [
            provider
            for provider in json.loads(terminal.keyway("providers list --json"))["providers"]
            if provider["identifier"] == identifier
        ]
    assert not provider["enabled"]
    (sentence,) = disbelieved(login)
    assert "providers.json" in sentence


def test_K11_what_another_brokers_key_sealed_is_not_believed(vault: Login):
    """A program of the person's makes itself a key of the stores, and whatever that key would seal."""
    restart(vault)
    assert fills(vault)
    restart(vault)
    (key,) = STATE.rglob("store-key.bin")
    key.write_bytes(bytes(32))
    assert not fills(vault)
    assert len(disbelieved(vault)) >= 2


@pytest.mark.parametrize("when", ["while the broker runs", "while none runs"])
def test_K11_who_takes_all_settings_away_is_not_let_in_as_the_first_program(vault: Login, when: str):
    """Where nobody was ever asked, and nothing is turned on, the first program that asks is the person's."""
    if when == "while none runs":
        restart(vault)
    for name in ("providers.json", "clients.json"):
        (STATE / name).unlink()
    # What every program may ask starts a broker where there is none.
    ask(vault, "providers", "list")
    assert vault.named("keywayd")
    asked = vault.run(PYTHON, "-c", ASKS, vault.door, "terminal")
    assert asked.returncode == 0, asked.stderr
    answers = [line.split(maxsplit=1)[1] for line in asked.stdout.splitlines()]
    assert len(answers) == 6 and {*answers} <= {"notApproved", "unknownMethod", "interactionRequired"}, asked.stdout
    assert len(disbelieved(vault)) == 2
