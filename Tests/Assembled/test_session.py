"""T29, K7, K14, T20: what a locked session leaves in memory, and who is verified before something is handed out."""

from __future__ import annotations

import json
import os
import re
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from handed_out import FILL, GIVEN, PASSWORD, stock
from login import BIND, HOME, MASTER, Login, Terminal, eventually, mount
from memory_scan import occurrences
from persons_programs import FORGES_SIGNALS, PYTHON
from seat import MachineBus
from test_system_bus import FINGER, FPRINTD
from test_traces import set_pin
from test_vault import in_memory as in_memory_by_program
from test_vault import vault_keys
from test_vault_login import LOGIN1, MANAGER, MOCK, SESSION

from session import system_bus

PIN, WRONG = "839204", "571106"
# mount(2), umount2(2)
REMOUNT, READ_ONLY, DETACH = 0x20, 0x1, 2
STATE = HOME / ".local/state/keyway"
DESKTOP = f"{SESSION}/desktop"
# What the broker's log says when it loses the key of the stores, and asks for it again.
CLOSED, OPENED = "identity stores locked", "identity stores unlocked"


# T29: the session is locked


@pytest.fixture
def bus(tmp_path: Path) -> Iterator[MachineBus]:
    bus = MachineBus(tmp_path)
    bus.add_session("desktop", Login.user)
    yield bus
    bus.close()


@pytest.fixture
def seen(bus: MachineBus, vault: Login) -> Login:
    """A person whose session login1 knows, with a vault that is open."""
    return vault


def in_memory(login: Login, secrets: dict[str, bytes]) -> set[str]:
    """Which of the secrets any process of theirs has in its memory."""
    return set().union(*in_memory_by_program(login, secrets).values())


def test_T29_K7_once_the_session_is_locked_no_key_and_no_secret_is_in_memory(seen: Login, bus: MachineBus) -> None:
    (file,) = STATE.rglob("store-key.bin")
    keys = {"store key": file.read_bytes(), **vault_keys()}
    secrets = {"master password": MASTER.encode(), "password": PASSWORD.encode(), **keys}
    assert seen.open_terminal.keyway(FILL) == f"{PASSWORD}\n"
    # They are there as long as they are needed, and the search finds them.
    assert in_memory(seen, secrets) == set(keys)
    bus.call(f"{SESSION}/desktop", f"{LOGIN1}.Session", "SetLockedHint", "b", "true")
    eventually(lambda: in_memory(seen, secrets) == set())
    status, printed, _ = seen.open_terminal.run(f"keyway {FILL} --user ada")
    assert status != 0 and printed == ""
    bus.call(f"{SESSION}/desktop", f"{LOGIN1}.Session", "SetLockedHint", "b", "false")
    # The stores are open again, and the vault waits for its master password.
    eventually(lambda: "ada" in seen.open_terminal.run("keyway suggest https://a.example")[1])
    assert seen.open_terminal.run("keyway passwords show alpha --reveal")[0] != 0


def test_T29_the_lock_of_somebody_elses_session_locks_nothing(seen: Login, bus: MachineBus) -> None:
    bus.add_session("another", Login.user + 1)
    bus.call(f"{SESSION}/another", f"{LOGIN1}.Session", "SetLockedHint", "b", "true")
    assert seen.open_terminal.keyway(FILL) == f"{PASSWORD}\n"


def test_T29_the_broker_has_no_secret_while_the_vault_is_open(vault: Login) -> None:
    assert vault.open_terminal.keyway(FILL) == f"{PASSWORD}\n"
    secrets = {"master password": MASTER.encode(), "password": PASSWORD.encode()}
    found = occurrences(vault.broker, {**secrets, "site": b"a.example"})
    # What it does know is found there.
    assert found.pop("site")
    assert set(found.values()) == {0}


def forge(login: Login, bus: MachineBus, *signal: str) -> None:
    """A program of the person's sends everybody on the bus that signal: object, interface, name, and what it says."""
    sent = login.run(PYTHON, "-c", FORGES_SIGNALS, bus.address, *signal)
    assert sent.returncode == 0, sent.stderr


def forge_locked_hint(login: Login, bus: MachineBus, value: str) -> None:
    properties = ("org.freedesktop.DBus.Properties", "PropertiesChanged")
    forge(login, bus, DESKTOP, *properties, f"{LOGIN1}.Session", f"LockedHint={value}")


def test_T29_what_others_send_in_the_name_of_login1_locks_nothing(seen: Login, bus: MachineBus) -> None:
    assert seen.open_terminal.keyway(FILL) == f"{PASSWORD}\n"
    forge(seen, bus, MANAGER, f"{LOGIN1}.Manager", "PrepareForSleep", "true")
    forge(seen, bus, DESKTOP, f"{LOGIN1}.Session", "Lock")
    forge_locked_hint(seen, bus, "true")
    assert seen.open_terminal.keyway(FILL) == f"{PASSWORD}\n"
    # What login1 itself says comes after all that.
    bus.call(DESKTOP, f"{LOGIN1}.Session", "Lock")
    eventually(lambda: "locked: the session was locked" in seen.log)
    bus.call(DESKTOP, f"{LOGIN1}.Session", "Unlock")
    eventually(lambda: OPENED in seen.log)
    assert seen.log.count(CLOSED) == 1 and "the machine goes to sleep" not in seen.log
    assert seen.open_terminal.run("keyway passwords show alpha --reveal")[0] != 0


def test_T29_what_others_send_in_the_name_of_login1_unlocks_nothing(seen: Login, bus: MachineBus) -> None:
    assert seen.open_terminal.keyway(FILL) == f"{PASSWORD}\n"
    # A locker of the screen that sets no hint: what is said is all that is known.
    bus.call(DESKTOP, f"{LOGIN1}.Session", "Lock")
    eventually(lambda: CLOSED in seen.log)
    forge(seen, bus, DESKTOP, f"{LOGIN1}.Session", "Unlock")
    forge_locked_hint(seen, bus, "false")
    bus.call(DESKTOP, f"{LOGIN1}.Session", "Lock")
    eventually(lambda: seen.log.count(CLOSED) == 2)
    assert OPENED not in seen.log
    bus.call(DESKTOP, f"{LOGIN1}.Session", "Unlock")
    eventually(lambda: OPENED in seen.log)


# T20: a finger on the reader


class Reader:
    """fprintd on the system's bus, with one enrolled finger; it says what the test says."""

    device = "/net/reactivated/Fprint/Device/0", f"{FPRINTD}.Device"

    def __init__(self, bus: MachineBus, folder: Path) -> None:
        self.bus, self.log = bus, folder / "fprintd.log"
        bus.processes.append(bus.spawn(PYTHON, *map(str, FINGER), "--logfile", str(self.log)))
        eventually(lambda: bus.busctl("status", FPRINTD) == 0)

    def waits(self, time: int) -> None:
        """Until it was asked so often to look at a finger."""
        eventually(lambda: self.log.read_text().count(" VerifyStart") == time)

    def says(self, result: str) -> None:
        path, interface = self.device
        words = ("sssav", interface, "VerifyStatus", "sb", "2", "s", result, "b", "true")
        assert self.bus.busctl("call", FPRINTD, path, MOCK, "EmitSignal", *words) == 0


def test_T20_a_finger_that_another_program_reports_verifies_nobody(
    seen: Login, bus: MachineBus, tmp_path: Path
) -> None:
    reader, terminal = Reader(bus, tmp_path), seen.open_terminal
    terminal.begin(f"keyway {FILL}")
    reader.waits(1)
    forge(seen, bus, *Reader.device, "VerifyStatus", "verify-match", "true")
    # What fprintd itself says comes after it.
    reader.says("verify-no-match")
    shown = terminal.read_until("not recognised", *ENDED)
    assert shown.endswith("not recognised") and PASSWORD not in shown
    reader.waits(2)
    reader.says("verify-match")
    assert PASSWORD in finish(terminal)


# K14: who is at the keyboard


@pytest.fixture
def guarded(vault: Login) -> Login:
    """The same person, who has set a PIN."""
    assert "ended=0" in set_pin(vault.open_terminal, PIN)
    return vault


ENDED = ("ended=0", "ended=1", "ended=5", "ended=6", "ended=7")
# What is asked next where the PIN did not show who that is.
NEXT = "Master password of Passwords:"


def answer(terminal: Terminal, *pins: str, line: str = FILL) -> str:
    """Begins that, and answers each question for the PIN, and no other one; what appeared."""
    terminal.begin(f"keyway {line}")
    shown = ""
    for pin in pins:
        shown += terminal.read_until("Keyway PIN", *ENDED)
        if shown.endswith(ENDED):
            return shown
        terminal.type(pin)
    return shown + finish(terminal)


def finish(terminal: Terminal, master: str = "") -> str:
    shown = terminal.read_until(NEXT, *ENDED)
    while NEXT in shown[-len(NEXT) :]:
        terminal.type(master)
        shown += terminal.read_until(NEXT, *ENDED)
    return shown


@pytest.fixture
def stocked(vault: Login) -> Login:
    """Their vault has something for each command that hands something out."""
    stock(vault)
    return vault


@pytest.mark.parametrize("line", GIVEN)
def test_K14_nothing_is_handed_out_before_the_person_was_verified(stocked: Login, guarded: Login, line: str) -> None:
    is_handed_out_to_who_knows_the_pin(guarded.open_terminal, line)
    # Another terminal, also one that may ask for it, is verified on its own.
    with guarded.terminal() as other:
        other.keyway("passwords unlock", MASTER)
        is_handed_out_to_who_knows_the_pin(other, line)


def is_handed_out_to_who_knows_the_pin(terminal: Terminal, line: str) -> None:
    shown = answer(terminal, WRONG, PIN, line=line)
    before, _, after = shown.partition("Wrong PIN")
    assert not is_given(line, before)
    assert is_given(line, after), after
    assert PIN not in shown and WRONG not in shown


def is_given(line: str, shown: str) -> bool:
    return re.search(GIVEN[line].seen, shown) is not None


def test_K14_whoever_wants_that_is_verified_always(stocked: Login) -> None:
    """Nothing but the master password can show who that is, and the vault is open."""
    terminal = stocked.open_terminal
    assert terminal.keyway(FILL) == f"{PASSWORD}\n"
    terminal.begin("keyway verification set --rule always --grace 0")
    terminal.read_until("Master password: ")
    terminal.type(MASTER)
    terminal.read_until("ended=0")
    for line in GIVEN:
        terminal.begin(f"keyway {line}")
        asked = terminal.read_until(NEXT, *ENDED)
        assert asked.endswith(NEXT) and not is_given(line, asked), line
        terminal.type("")
        assert not is_given(line, finish(terminal)), line
        terminal.begin(f"keyway {line}")
        assert is_given(line, finish(terminal, MASTER)), line


def test_K14_wrong_pins_are_counted_by_the_next_broker_too(guarded: Login) -> None:
    shown = answer(guarded.open_terminal, WRONG, WRONG, WRONG)
    assert PASSWORD not in shown and NEXT in shown
    # It writes nothing down at its end then.
    os.kill(guarded.broker, signal.SIGKILL)
    eventually(lambda: not guarded.named("keywayd") and not guarded.named("keyway-vaultd"))
    guarded.open_terminal.keyway("passwords unlock", MASTER)
    pin = method(guarded, "pin")
    assert not pin["available"] and "Too many wrong PINs" in pin["detail"]


@contextmanager
def full_disk() -> Iterator[None]:
    """Nothing can be written in the state folder."""
    mount(bytes(STATE), STATE, None, BIND, None)
    mount(b"none", STATE, None, BIND | REMOUNT | READ_ONLY, None)
    try:
        yield
    finally:
        system_bus.call("umount", system_bus.libc.umount2(bytes(STATE), DETACH))


def test_K14_a_try_that_cannot_be_counted_is_none(guarded: Login) -> None:
    """The right one is not even compared: who makes the disk full guesses nothing."""
    terminal = guarded.open_terminal
    terminal.begin(f"keyway {FILL}")
    terminal.read_until("Keyway PIN")
    with full_disk():
        terminal.type(PIN)
        assert PASSWORD not in finish(terminal)
    assert PASSWORD in answer(terminal, PIN)


def test_K14_a_try_that_the_broker_cannot_note_is_none(guarded: Login) -> None:
    """Who keeps the broker from writing that there was a try would put the record of the PIN back after each."""
    record, in_the_way = STATE / "pin.record", STATE / "verification.json.new"
    with guarded.terminal() as other:
        assert other.run(f"cp {record} {HOME}; mkdir {in_the_way}")[0] == 0
        for pin in (PIN, WRONG, WRONG, WRONG, PIN):
            shown = answer(guarded.open_terminal, pin)
            assert PASSWORD not in shown and "the try can't be noted" in shown
            # The record was ready for a try, and tells nothing of its end.
            assert b'"failures":0' not in record.read_bytes()
            assert other.run(f"cp {HOME}/pin.record {record}")[0] == 0
        assert other.run(f"rmdir {in_the_way}")[0] == 0
    assert PASSWORD in answer(guarded.open_terminal, PIN)


def method(login: Login, name: str) -> dict:
    methods = json.loads(login.open_terminal.keyway("verification --json"))["methods"]
    return next(method for method in methods if method["method"] == name)
