"""What others of the person's get: another terminal, the background of one, who debugs, who starts the broker."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from login import HOME, RUNTIME, USER, eventually
from own_provider import own_provider
from test_system_bus import EagerBus

PAGE = "https://a.example"
# What a terminal is given of a vault that it unlocked.
GIVEN = (
    "passwords show alpha --field password",
    "passwords list",
    "passwords search alpha",
    "passwords edit alpha --user eve",
    "passwords remove alpha --yes",
)
FILL = f"fill {PAGE}"


# T17: what one program opened, another one asks for


@pytest.mark.parametrize("line", GIVEN)
def test_T17_another_terminal_gets_nothing_of_what_one_unlocked(vault, line):
    with vault.terminal() as other:
        status, printed, said = other.run(f"keyway {line}")
    assert status != 0
    assert printed == ""
    assert "password of alpha" not in said
    assert vault.open_terminal.keyway("passwords show alpha --field password") == "password of alpha\n"


# T13: the terminal is the right one, and the person does not see what runs there


@pytest.mark.parametrize("line", [*GIVEN, FILL])
def test_T13_the_background_of_the_terminal_that_unlocked_gets_nothing(vault, line):
    status, printed, said = vault.open_terminal.run(f"{{ keyway {line} & wait $!; }}")
    assert status != 0
    assert printed == ""
    assert "password of alpha" not in said
    assert vault.open_terminal.keyway("passwords show alpha --field password") == "password of alpha\n"


# K10: who asks for a debugger


def test_K10_a_provider_that_was_installed_for_everybody_is_debugged_by_nobody(vault):
    status, _, said = vault.open_terminal.run("keyway providers debug org.keyway.passwords")
    assert status != 0
    assert "installed for all users" in said
    assert not vault.named("keyway-passwords-extension")


def test_K10_a_provider_of_the_persons_is_debugged_only_where_they_can_be_asked_outside_of_that_terminal(login):
    identifier = own_provider(login)
    with login.terminal() as terminal:
        terminal.keyway(f"providers enable --yes {identifier}")
        status, _, said = terminal.run(f"keyway providers debug {identifier}", "yes")
        assert status != 0
        assert "no display and no way to verify you" in said
        assert not json.loads(terminal.keyway(f"providers show {identifier} --json"))["provider"]["debugged"]


# K17: who starts the broker


def test_K17_the_environment_of_whoever_starts_the_broker_decides_nothing(login):
    elsewhere = login.tools / "elsewhere"
    elsewhere.mkdir()
    os.chown(elsewhere, USER, USER)
    bus = EagerBus(login.tools / "eager")
    try:
        places = ("HOME", "XDG_RUNTIME_DIR", "XDG_STATE_HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_DATA_DIRS")
        made_up = {
            **dict.fromkeys(places, str(elsewhere)),
            "DBUS_SYSTEM_BUS_ADDRESS": bus.address,
            "DBUS_SESSION_BUS_ADDRESS": bus.address,
            "PATH": f"{elsewhere}:/usr/bin:/bin",
        }
        keywayd = login.prefix / "libexec/keyway/keywayd"
        broker = login.start(keywayd, "--foreground", env={**login.environment, **made_up})
        eventually(login.door.exists)
        assert str(broker.pid) in login.keyway("status", "--json")
        methods = json.loads(login.keyway("verification", "--json"))["methods"]
        finger = next(method for method in methods if method["method"] == "fingerprint")
        assert not finger["available"]
        # Not even a fingerprint reader was looked for there.
        assert "nobody listens" in finger["detail"]
    finally:
        bus.close()
    assert list(elsewhere.iterdir()) == []
    assert (HOME / ".local/state/keyway").is_dir()
    assert RUNTIME in login.door.parents
    assert Path(f"/proc/{broker.pid}").stat().st_uid == USER
