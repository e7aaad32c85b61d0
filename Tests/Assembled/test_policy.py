"""P1: what the administrator has set in /etc/keyway, and who gets past it."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from login import USER, eventually, own_copy_of

PASSWORDS = "org.keyway.passwords"
POLICY = Path("/etc/keyway/policy.toml")
NOBODY = "[providers]\nallow = []\n"


@pytest.fixture(autouse=True)
def etc() -> Iterator[None]:
    """A copy of /etc in the place of the machine's, in which the administrator writes."""
    with own_copy_of(Path("/etc")):
        # The packages bring the folder.
        POLICY.parent.mkdir(mode=0o755, exist_ok=True)
        yield


def write(text: str, *, owner: int = 0, mode: int = 0o644) -> None:
    POLICY.write_text(text)
    POLICY.chmod(mode)
    os.chown(POLICY, owner, owner)


def enables(login) -> tuple[bool, str]:
    """Whether Passwords can be turned on, and what is said."""
    with login.terminal() as terminal:
        status, _, said = terminal.run(f"keyway providers enable --yes {PASSWORDS}")
    return status == 0, said


def said_by_doctor(login) -> list[dict]:
    with login.terminal() as terminal:
        _, out, _ = terminal.run("keyway doctor --json")
    return [check for check in json.loads(out)["checks"] if check["name"] == "policy"]


def test_P1_what_root_forbids_is_forbidden_and_said(login):
    write(NOBODY)
    is_on, said = enables(login)
    assert not is_on and str(POLICY) in said and "administrator" in said
    # Without a restart, both ways.
    write("[providers]\nallow = ['org.keyway.passwords']\n")
    assert enables(login)[0]
    write(NOBODY)
    listed = json.loads(login.keyway("providers", "list", "--json"))["providers"]
    assert not any(provider["enabled"] for provider in listed)
    assert [check["status"] for check in said_by_doctor(login)] == ["ok"]


def test_P1_a_faulty_file_forbids_and_is_named(login):
    write("[providers]\nalow = ['org.keyway.passwords']\n")
    assert not enables(login)[0]
    (fault, _) = said_by_doctor(login)
    assert fault["status"] == "failed" and f"{POLICY}, line 2" in fault["detail"]
    write("[providers]\nallow = ['org.keyway.passwords']\n", mode=0o600)
    assert not enables(login)[0], "it cannot be read by those whom it is for"


@pytest.mark.parametrize("kind", ["owned by the person", "writable by everybody", "in a folder of the person"])
def test_P1_what_others_than_root_can_write_is_not_believed(login, kind):
    if kind == "owned by the person":
        write(NOBODY, owner=USER)
    elif kind == "writable by everybody":
        write(NOBODY, mode=0o666)
    else:
        write(NOBODY)
        os.chown(POLICY.parent, USER, USER)
    assert enables(login)[0]
    (check,) = said_by_doctor(login)
    assert check["status"] == "failed" and "ignores it" in check["detail"]


def test_P1_no_variable_says_where_the_policy_lies(login):
    write(NOBODY)
    names = ("XDG_CONFIG_HOME", "XDG_CONFIG_DIRS", "KEYWAY_POLICY", "KEYWAY_PREFIX")
    login.environment |= dict.fromkeys(names, "/nowhere")
    # What starts the broker could drop them, so that nobody would be asked.
    login.start(login.prefix / "libexec/keyway/keywayd", "--foreground")
    eventually(login.door.exists)
    assert not enables(login)[0]


def test_P1_the_vault_locks_when_the_administrator_wants_it_to(login):
    """After a minute, the least that can be set: the kernel lets nobody move the clock that it goes by."""
    write("[vault]\nidle-lock = 60\n")
    with login.terminal() as terminal:
        terminal.keyway(f"providers enable --yes {PASSWORDS}")
        terminal.keyway("passwords init --memory 64", "a master password", "a master password")
        terminal.keyway("passwords add alpha --user ada --url https://a.example", "password of alpha")
        _, out, said = terminal.run("keyway passwords unlock", "a master password")
        assert "after 1 min without use, as the administrator set" in out + said
        assert terminal.keyway("fill https://a.example") == "password of alpha\n"
        # Whoever asked the vault would use it.
        eventually(lambda: "locked: no use for 60 s" in login.log, 90)
        status, printed, _ = terminal.run("keyway passwords show alpha --field password")
        assert (status != 0, printed) == (True, "")
