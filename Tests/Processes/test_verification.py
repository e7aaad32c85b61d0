"""Who is at the keyboard, by the installed programs: from the terminal through keywayd to keyway-person-check."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import time

import pytest
from conftest import PAGE, Keyway
from terminal import ENTER, ESCAPE, Terminal

from session.private import PASSWORDS

PIN = "canary-839204"
WRONG = "another-839204"
MASTER = "correct horse battery staple"
PASSWORD = "s3cret\n"
# The calendar of keyway-person-check, moved by as many seconds as a file says: nobody waits for hours here.
CALENDAR = """
#define _GNU_SOURCE
#include <stdio.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>
int clock_gettime(clockid_t clock, struct timespec *now) {
    int status = syscall(SYS_clock_gettime, clock, now);
    FILE *file = clock == CLOCK_REALTIME ? fopen(MOVED, "r") : NULL;
    long seconds = 0;
    if (file && fscanf(file, "%ld", &seconds) == 1) now->tv_sec += seconds;
    if (file) fclose(file);
    return status;
}
"""


class Person:
    """Who sits in front of a command: sees one question after the other, and answers each once."""

    def __init__(self, session, *words: str, command: list | None = None) -> None:
        self.terminal = Terminal(
            command or [session.prefix / "bin/keyway", *words], {**session.environment, "TERM": "xterm"}
        )
        self.asked = 0

    def __enter__(self) -> Person:
        return self

    def __exit__(self, *_: object) -> None:
        self.terminal.__exit__()

    def sees(self, *words: str) -> str:
        """Waits for the next question and for what it says; the screen then."""
        # Each takes the terminal anew, and throws away what was typed before.
        self.asked += 1
        deadline = time.monotonic() + 60
        while self.terminal.written.count("\x1b[?2004h") < self.asked:
            assert self.terminal.process.poll() is None, f"ended: {self.terminal.finish()}"
            assert time.monotonic() < deadline, f"no question on:\n{self.terminal.text}"
            self.terminal.pump(0.05)
        for word in words:
            self.terminal.wait_for(word)
        return self.terminal.text

    def types(self, text: str) -> None:
        self.terminal.type(text + ENTER)

    def answers(self, label: str, text: str) -> None:
        self.sees(label)
        self.types(text)

    def gets(self) -> str:
        """What the command printed, which went well."""
        status, out, err = self.terminal.finish()
        assert status == 0, (status, out, err)
        assert self.terminal.is_restored()
        return out

    def is_refused(self) -> str:
        """What the command said, which gave nothing."""
        status, out, err = self.terminal.finish()
        assert status != 0 and out == "", (status, out, err)
        return err


@pytest.fixture
def given(broker):
    """A broker with a provider that gives its password without an interface, and checks no master password."""
    broker.provide("good")
    return broker


def state(session) -> dict:
    return json.loads(session.keyway("verification", "--json"))


def method(session, name: str) -> dict:
    return next(method for method in state(session)["methods"] if method["method"] == name)


def set_pin(session, pin: str = PIN) -> str:
    """Sets the PIN where nothing else verifies anybody; what was said."""
    with Person(session, "verification", "pin", "set") as person:
        for question in ("New PIN:", "New PIN, again:"):
            person.terminal.wait_for(question)
            person.types(pin)
        status, out, err = person.terminal.finish()
        assert (status, out) == (0, ""), err
        assert pin not in person.terminal.written
    return err


def restart(session) -> None:
    """Kills the broker, which writes nothing down at its end then, and starts another one."""
    process = session.processes[-1]
    os.kill(process.pid, signal.SIGKILL)
    process.wait()
    session.processes.remove(process)
    session.start_broker()


def wrong_fill(session, *answers: str) -> str:
    """A fill with these wrong answers; why nothing was given."""
    with Person(session, "fill", PAGE) as person:
        for answer in answers:
            person.answers("Keyway PIN", answer)
        return person.is_refused()


def test_every_method_is_shown_with_its_reason(broker):
    methods = state(broker)["methods"]
    assert [one["method"] for one in methods] == ["fingerprint", "pin", "system", "loginPassword", "masterPassword"]
    assert all(one["available"] or one["detail"] for one in methods)
    assert method(broker, "pin")["detail"].endswith("keyway verification pin set")
    listed = broker.keyway("verification")
    assert "No provider that is turned on has a master password." in listed


def test_without_a_method_nobody_is_asked(given):
    with Person(given, "fill", PAGE) as person:
        assert person.gets() == PASSWORD
        assert person.terminal.written == ""


def test_a_fill_asks_for_the_pin_and_the_history_says_so(given):
    set_pin(given)
    assert method(given, "pin")["available"]
    with Person(given, "fill", PAGE) as person:
        screen = person.sees("Keyway PIN")
        assert "ada at a.example, saved in good." in screen and "Wrong PIN" not in screen
        person.types(WRONG)
        person.sees("Wrong PIN.")
        person.types(PIN)
        assert person.gets() == PASSWORD
        assert PIN not in person.terminal.written and WRONG not in person.terminal.written
    newest = json.loads(given.keyway("history", "--json"))["entries"][0]
    assert (newest["event"], newest["verification"]) == ("fill", "pin")
    kept = b"".join(file.read_bytes() for file in given.state.rglob("*") if file.is_file()) + given.log.encode()
    assert PIN.encode() not in kept and WRONG.encode() not in kept


def test_wrong_ones_are_counted_by_the_next_broker_too(given):
    set_pin(given)
    with Person(given, "fill", PAGE) as person:
        for _ in range(2):
            person.answers("Keyway PIN", WRONG)
        # The second one was looked at when the third is asked for.
        person.sees("Wrong PIN.")
        restart(given)
        person.is_refused()
    assert method(given, "pin")["available"]
    assert "try again in" in wrong_fill(given, WRONG)
    for _ in range(2):
        pin = method(given, "pin")
        assert not pin["available"] and "Too many wrong PINs" in pin["detail"]
        restart(given)
    # The right one is not even asked for, and what asks for it is not switched off either.
    assert "Too many wrong PINs" in wrong_fill(given)
    for words in (("set", "--rule", "never"), ("pin", "remove")):
        with Person(given, "verification", *words) as person:
            assert "can't verify you" in person.is_refused()
    assert state(given)["rule"] == "whenSetUp"


@pytest.fixture
def moved(stage, tmp_path):
    """A broker whose keyway-person-check sees a calendar that the test moves, and PAM in a folder of the test's."""
    moves = tmp_path / "moved"
    (tmp_path / "calendar.c").write_text(CALENDAR)
    build = ["clang", "-shared", "-fPIC", f'-DMOVED="{moves}"', "-o", tmp_path / "calendar.so", tmp_path / "calendar.c"]
    subprocess.run(build, check=True, capture_output=True)
    with Keyway() as session:
        shutil.copytree(stage, session.prefix, symlinks=True)
        program = session.prefix / "libexec/keyway/keyway-person-check"
        program.rename(program.with_suffix(".real"))
        program.write_text(f'#!/bin/sh\nLD_PRELOAD="{tmp_path}/calendar.so" exec "$0.real" "$1" "{tmp_path}/pam.d"\n')
        program.chmod(0o755)
        session.approve_programs()
        session.start_broker()
        session.provide("good")
        yield session, moves, tmp_path / "pam.d/keyway"


def test_after_ten_wrong_ones_there_is_no_other_one(moved):
    session, moves, service = moved
    assert "Only the PIN can verify you on this computer" in set_pin(session)
    assert "try again in" in wrong_fill(session, *[WRONG] * 3)
    for hours in range(2, 9):
        moves.write_text(str(hours * 3600))
        refusal = wrong_fill(session, WRONG)
    assert "there were 10 wrong PINs" in refusal
    # For good: neither time nor another broker gives another try.
    moves.write_text(str(10 * 365 * 86400))
    restart(session)
    pin = method(session, "pin")
    assert not pin["available"] and "another way" in pin["detail"]
    assert "Too many wrong PINs" in wrong_fill(session)
    with Person(session, "verification", "pin", "set") as person:
        for question in ("New PIN:", "New PIN, again:"):
            person.terminal.wait_for(question)
            person.types(PIN)
        assert "can't verify you" in person.is_refused()
    # What the manual says: an administrator lets PAM check the login, and the PIN is set anew.
    service.parent.mkdir()
    service.write_text("auth required pam_permit.so\naccount required pam_permit.so\n")
    with Person(session, "verification", "pin", "set") as person:
        for question in ("New PIN:", "New PIN, again:"):
            person.terminal.wait_for(question)
            person.types(WRONG)
        person.answers("Login password", "whatever PAM takes")
        assert "Only the PIN" not in person.terminal.finish()[2]
    with Person(session, "fill", PAGE) as person:
        person.answers("Keyway PIN", WRONG)
        assert person.gets() == PASSWORD


def test_a_provider_has_the_person_verified_from_its_own_interface(broker):
    broker.keyway("providers", "enable", "--yes", PASSWORDS)
    set_pin(broker)
    broker.keyway("passwords", "init", "--memory", "64", secrets=[MASTER, MASTER])
    broker.keyway("passwords", "add", "Site", "--user", "ada", "--address", PAGE, secrets=["pw-of-ada"])
    unlock = f'echo "{MASTER}" | "$0" passwords unlock > /dev/null 2>&1 && exec "$0" "$@"'
    command = ["/bin/sh", "-c", unlock, broker.prefix / "bin/keyway", "fill"]
    with Person(broker, command=command) as person:
        person.sees("Site")
        person.types("")
        screen = person.sees("Keyway PIN")
        assert "Passwords says: “to use the account ada”" in " ".join(screen.split())
        person.types(WRONG)
        person.answers("Wrong PIN.", PIN)
        assert person.gets() == "pw-of-ada\n"
    with Person(broker, command=command) as person:
        person.sees("Site")
        person.types("")
        # Verified in one terminal is not verified in another one. Who backs out gets nothing.
        person.sees("Keyway PIN")
        person.terminal.type(ESCAPE)
        person.is_refused()


def make_vault(session, master: str) -> None:
    session.keyway("passwords", "init", "--memory", "64", secrets=[master, master])


def fill_by_master(session, master: str) -> Person:
    """A fill of another provider's account by who doesn't know the PIN, and then says a master password."""
    person = Person(session, "fill", PAGE)
    for _ in range(3):
        person.answers("Keyway PIN", WRONG)
    person.answers("Enter the master password of", master)
    return person


def test_a_vault_that_came_after_the_pin_shows_nothing_about_the_person(given):
    """Whoever doesn't know the PIN makes a vault of their own, and says its master password."""
    given.keyway("providers", "enable", "--yes", PASSWORDS)
    set_pin(given)
    make_vault(given, MASTER)
    assert "only for its own accounts" in method(given, "masterPassword")["detail"]
    with fill_by_master(given, MASTER) as person:
        assert "only for its own accounts" in person.is_refused()
    with Person(given, "verification", "pin", "remove") as person:
        person.answers("[Mm]aster password", MASTER)
        assert "only for its own accounts" in person.is_refused()
    assert "Too many wrong PINs" in method(given, "pin")["detail"]


def test_a_vault_in_the_place_of_the_persons_shows_nothing_about_them(given):
    given.keyway("providers", "enable", "--yes", PASSWORDS)
    make_vault(given, MASTER)
    with Person(given, "verification", "pin", "set") as person:
        for question in ("New PIN:", "New PIN, again:"):
            person.terminal.wait_for(question)
            person.types(PIN)
        person.answers("[Mm]aster password", MASTER)
        assert person.gets() == ""
    given.keyway("passwords", "lock")
    (vault,) = given.folder.rglob("Passwords.vault")
    own = vault.rename(vault.with_suffix(".own"))
    make_vault(given, "of somebody else")
    with fill_by_master(given, "of somebody else") as person:
        assert "only for its own accounts" in person.is_refused()
    given.keyway("passwords", "lock")
    own.rename(vault)
    with Person(given, "fill", PAGE) as person:
        # The PIN waits after three wrong ones.
        person.answers("Enter the master password of", MASTER)
        assert person.gets() == PASSWORD


def test_who_was_verified_otherwise_has_their_new_vault_count(given):
    given.keyway("providers", "enable", "--yes", PASSWORDS)
    set_pin(given)
    make_vault(given, MASTER)
    with Person(given, "verification", "set", "--grace", "0") as person:
        person.answers("Keyway PIN", PIN)
        assert person.terminal.finish()[0] == 0
    with fill_by_master(given, MASTER) as person:
        assert person.gets() == PASSWORD


def test_a_try_that_the_broker_cannot_note_is_none(given):
    """A program makes notes impossible, and would put the record of the PIN back after each try."""
    set_pin(given)
    blocked = given.state / "verification.json.new"
    blocked.mkdir()
    for pin in (WRONG, PIN):
        assert "the try can't be noted" in wrong_fill(given, pin)
        # Nor does the record say which one was right.
        assert b'"failures":0' not in (given.state / "pin.record").read_bytes()
    blocked.rmdir()
    with Person(given, "fill", PAGE) as person:
        person.answers("Keyway PIN", PIN)
        assert person.gets() == PASSWORD
