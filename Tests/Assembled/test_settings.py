"""K11: settings and approvals that another program of the person's changes, takes away, or puts back as they were."""

from __future__ import annotations

import json
import os
import signal
from collections.abc import Callable
from pathlib import Path
from subprocess import CompletedProcess

import pytest
from login import HOME, Login, eventually
from own_provider import own_provider

STATE = HOME / ".local/state/keyway"
PAGE = "https://a.example"


def restart(login: Login) -> None:
    """The broker ends; whoever asks next starts another one."""
    os.kill(login.broker, signal.SIGTERM)
    eventually(lambda: not login.named("keywayd") and not login.named("keyway-vaultd"))


def ask(login: Login, *words: str) -> CompletedProcess:
    """Runs the command line where nobody can be asked anything."""
    return login.run(login.prefix / "bin/keyway", *words)


def is_refused(login: Login) -> bool:
    finished = ask(login, "fill", PAGE)
    return finished.returncode != 0 and finished.stdout == ""


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
    assert disbelieved(vault) == []
    if when == "while none runs":
        restart(vault)
    change(STATE / name)
    assert is_refused(vault)
    (sentence,) = disbelieved(vault)
    assert name in sentence
    checks = {check["name"]: check for check in json.loads(ask(vault, "doctor", "--json").stdout)["checks"]}
    assert checks["settings"]["status"] == "failed" and name in checks["settings"]["detail"]


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
    (key,) = STATE.rglob("store-key.bin")
    key.write_bytes(bytes(32))
    assert is_refused(vault)
    assert len(disbelieved(vault)) >= 2
