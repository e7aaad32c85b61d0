"""A provider that is to be turned on while the person cannot be asked: that is no yes, whoever saw to it."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
from pathlib import Path

import pytest
from conftest import eventually
from sheets import Display
from test_sheets_broker import sheets_of
from test_verification import MASTER, PIN, WRONG, Person, set_pin, wrong_fill

from session.private import PASSWORDS

NEEDS_PERSON = 5


@pytest.fixture(scope="module")
def display():
    with Display() as display:
        yield display


def turn_on(session, identifier: str) -> subprocess.Popen:
    """What a program does that wants nobody to be asked: it runs `keyway` where there is no terminal."""
    return subprocess.Popen(
        [session.prefix / "bin/keyway", "providers", "enable", "--yes", identifier],
        env=session.environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )


def status(command: subprocess.Popen) -> int:
    command.communicate(timeout=120)
    return command.returncode


def is_on(session, identifier: str) -> bool:
    with session.connect() as peer:
        (provider,) = [
            one for one in peer.call("providers.list")["providers"] if one["reference"]["identifier"] == identifier
        ]
        return provider["isEnabled"]


def test_who_ends_the_windows_turns_nothing_on(keyway, display):
    for name in ("DISPLAY", "DBUS_SESSION_BUS_ADDRESS"):
        keyway.environment[name] = display.environment[name]
    keyway.start_broker()
    evil = keyway.install("evil")
    asked = turn_on(keyway, evil)
    eventually(display.windows)
    os.kill(sheets_of(keyway), signal.SIGKILL)
    assert status(asked) != 0
    # It is not started again at once; the question is not taken for answered meanwhile.
    for _ in range(3):
        assert status(turn_on(keyway, evil)) == NEEDS_PERSON
    assert not is_on(keyway, evil)


def test_who_leaves_the_terminal_gets_around_no_check(broker):
    broker.keyway("providers", "enable", "--yes", PASSWORDS)
    broker.keyway("passwords", "init", "--memory", "64", secrets=[MASTER, MASTER])
    evil = broker.install("evil")
    assert status(turn_on(broker, evil)) == NEEDS_PERSON
    assert not is_on(broker, evil)
    words = ("providers", "enable", "--yes", evil)
    with Person(broker, *words) as person:
        for _ in range(3):
            person.answers("Master password", WRONG)
        assert person.terminal.finish()[0] != 0
    assert not is_on(broker, evil)
    with Person(broker, *words) as person:
        person.answers("Master password", MASTER)
        assert person.terminal.finish()[0] == 0
    assert is_on(broker, evil)


def descendants(broker: int, name: str) -> list[int]:
    """The processes of that program that the broker started, in a sandbox or not."""
    found = []
    for folder in Path("/proc").iterdir():
        if not folder.name.isdigit():
            continue
        with contextlib.suppress(OSError):
            if name not in (folder / "comm").read_text():
                continue
            one = int(folder.name)
            while one > 1 and one != broker:
                one = int((Path("/proc") / str(one) / "stat").read_text().rpartition(")")[2].split()[1])
            if one == broker:
                found.append(int(folder.name))
    return found


def is_refused(session, *words: str) -> str:
    """Runs a command in a terminal, where nothing is asked; why it is refused."""
    with Person(session, *words) as person:
        status, _, err = person.terminal.finish(within=90)
        assert status != 0 and "can't verify you" in err, err
        return err


@pytest.mark.parametrize("how", ["stopped", "list gone"])
def test_who_stops_what_checks_the_person_decides_nothing(broker, how):
    broker.keyway("providers", "enable", "--yes", PASSWORDS)
    broker.keyway("passwords", "init", "--memory", "64", secrets=[MASTER, MASTER])
    evil = broker.install("evil")
    (vault,) = descendants(broker.processes[-1].pid, "keyway-vaultd")
    if how == "stopped":
        os.kill(vault, signal.SIGSTOP)
    else:
        (broker.state / "providers.json").unlink()
    try:
        for words in (
            ("providers", "enable", "--yes", evil),
            ("verification", "set", "--rule", "never"),
            ("verification", "pin", "remove"),
            ("history", "clear", "--yes"),
        ):
            assert "master password" in is_refused(broker, *words)
        assert status(turn_on(broker, evil)) == NEEDS_PERSON
    finally:
        if how == "stopped":
            os.kill(vault, signal.SIGCONT)
    if how == "stopped":
        assert not is_on(broker, evil)


@pytest.mark.parametrize("is_used_up", [False, True])
def test_who_uses_the_pin_up_turns_nothing_on(broker, is_used_up):
    broker.provide("good")
    set_pin(broker)
    evil = broker.install("evil")
    words = ("providers", "enable", "--yes", evil)
    if is_used_up:
        wrong_fill(broker, WRONG, WRONG, WRONG)
        with Person(broker, *words) as person:
            assert person.terminal.finish()[0] == NEEDS_PERSON
    assert status(turn_on(broker, evil)) == NEEDS_PERSON
    assert not is_on(broker, evil)
    if not is_used_up:
        with Person(broker, *words) as person:
            person.answers("Keyway PIN", PIN)
            assert person.terminal.finish()[0] == 0
        assert is_on(broker, evil)
