"""Accounts go from one provider to another on the installed system: Passwords and Password Store, both ways."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from cxf_documents import EVERYTHING, SECRET, SEED
from desktop import LIMIT
from login import HOME, MASTER, Terminal, eventually
from person import PASSWORDS, STORE, Person
from screen import ENTER, ESCAPE, Screen
from seat import Seat
from test_traces import set_pin

PIN = "839204"
SECRETS = (SECRET, SEED, MASTER, PIN)


@pytest.fixture
def person(prefix: Path, tmp_path: Path) -> Iterator[Person]:
    """Somebody with both providers, a vault with an item of each kind, an empty store and a PIN."""
    with Person(prefix) as person, Seat(tmp_path) as seat, person.terminal() as shell:
        person.seat, person.shell = seat, shell
        person.set_up()
        person.make_key()
        person.enable(STORE, "Turn on \u201cPassword Store\u201d?")
        file = HOME / "everything.json"
        file.write_text(json.dumps(EVERYTHING))
        file.chmod(0o644)
        shell.keyway(f"import {file} --yes")
        file.unlink()
        assert "ended=0" in set_pin(shell, PIN)
        # For an exchange they are verified all the same.
        screen = Screen(shell, "keyway verification set --rule never")
        screen.wait_for("Confirm it\u2019s you")
        screen.type(PIN + ENTER)
        assert screen.finish()[0] == 0, screen.said
        yield person


def exchange(shell: Terminal, source: str, destination: str, *words: str) -> Screen:
    return Screen(shell, " ".join(["keyway exchange --from", source, "--to", destination, *words]))


def agree(screen: Screen) -> None:
    """Chooses the one provider there is, and types the PIN."""
    screen.wait_for("Copy all accounts of")
    screen.type(ENTER)
    screen.wait_for("Confirm it\u2019s you")
    screen.type(PIN + ENTER)


def hand_over(screen: Screen) -> None:
    """Gives the master password, which counts although the vault is open."""
    screen.wait_for("Everything in your vault is handed over")
    screen.type(MASTER + ENTER)


def entries(person: Person) -> dict[str, str]:
    """What the store has, by the names of its entries."""
    folder = person.home / ".password-store"
    names = sorted(str(path.relative_to(folder))[:-4] for path in folder.rglob("*.gpg"))
    return {name: person.run("pass", "show", name).stdout for name in names}


def titles(person: Person) -> list[str]:
    return sorted(entry["title"] for entry in json.loads(person.shell.keyway("passwords list --json"))["items"])


def tells_no_secret(screen: Screen) -> bool:
    return not any(secret in screen.written.decode(errors="replace") + screen.said for secret in SECRETS)


IN_THE_STORE = {
    "Note": "\ntitle: Note\n\ntwo\nlines\n",
    "Visa": "\ncard number: 4111\nexpires: 2029-04\n",
    "example.com/ada": f"{SECRET}\ntitle: Example\notpauth://totp/ada?secret={SEED}\n",
}


def test_from_passwords_to_password_store_and_back_in_a_terminal(person: Person) -> None:
    screen = exchange(person.shell, PASSWORDS, STORE)
    agree(screen)
    hand_over(screen)
    preview = screen.wait_for("Import into the password store\\?")
    assert "4 items" in preview and "New: 3" in preview and "Left out: 1" in preview
    assert entries(person) == {}, "nothing is stored before the yes"
    screen.type(ENTER)
    status, printed, said = screen.finish()
    assert (status, printed) == (0, ""), said
    assert entries(person) == IN_THE_STORE
    # What could not be carried is told by its item.
    assert "Passwords handed 4 items over to Password Store, which stored 3" in said
    assert said.count("no place for passkeys") == 2 and "other.example" in said and "card becomes lines of text" in said
    assert tells_no_secret(screen)
    # The vault has what it had, and an entry that the vault has not goes back.
    assert titles(person) == ["Example", "Note", "Only a passkey", "Visa"]
    for title in titles(person):
        person.shell.keyway(f"passwords remove '{title}' --yes")
    screen = exchange(person.shell, STORE, PASSWORDS, "--json")
    agree(screen)
    screen.wait_for("Import into Passwords\\?")
    screen.type(ENTER)
    status, printed, said = screen.finish()
    assert status == 0, said
    told = json.loads(printed)
    assert (told["from"], told["to"], told["handedOver"], told["stored"]) == (STORE, PASSWORDS, 3, 3)
    assert titles(person) == ["Example", "Note", "Visa"]
    assert person.shell.keyway(f"fill https://example.com --provider {PASSWORDS}") == f"{SECRET}\n"
    assert tells_no_secret(screen)
    history = [entry for entry in json.loads(person.shell.keyway("history --json"))["entries"] if is_exchange(entry)]
    assert [entry["verification"] for entry in history] == ["pin", "pin"]


def is_exchange(entry: dict) -> bool:
    return entry["event"] == "exchange"


def back_out_at_the_choice(screen: Screen) -> None:
    screen.wait_for("Copy all accounts of")
    screen.type(ESCAPE)


def back_out_at_the_pin(screen: Screen) -> None:
    screen.wait_for("Copy all accounts of")
    screen.type(ENTER)
    screen.wait_for("Confirm it\u2019s you")
    screen.type(ESCAPE)


def back_out_at_the_master_password(screen: Screen) -> None:
    agree(screen)
    screen.wait_for("Everything in your vault is handed over")
    screen.type(ESCAPE)


def back_out_at_the_preview(screen: Screen) -> None:
    agree(screen)
    hand_over(screen)
    screen.wait_for("Import into the password store\\?")
    screen.type(ESCAPE)


def test_who_backs_out_anywhere_gives_nothing_away(person: Person) -> None:
    steps: list[Callable[[Screen], None]] = [
        back_out_at_the_choice,
        back_out_at_the_pin,
        back_out_at_the_master_password,
        back_out_at_the_preview,
    ]
    for back_out in steps:
        screen = exchange(person.shell, PASSWORDS, STORE)
        back_out(screen)
        status, printed, said = screen.finish()
        assert (status, printed) == (4, ""), (back_out, said)
        assert entries(person) == {}, back_out
        assert tells_no_secret(screen)
    # Of the two apps, neither runs any more.
    eventually(lambda: "providerApplication" not in {each["role"] for each in running(person)})


def plant(person: Person) -> Path:
    """Has the store's repository name a program wherever git would run one; what that program leaves behind."""
    folder, program, ran = person.home / ".password-store", person.tools / "program", person.home / "ran"
    program.write_text(f"#!/bin/sh\ntouch {ran}\ncat\n")
    program.chmod(0o755)
    for line in (
        "git config --global user.name Ada",
        "git config --global user.email ada@example.org",
        "pass git init",
        *(f"cp {program} {folder}/.git/hooks/{hook}" for hook in ("pre-commit", "post-commit", "prepare-commit-msg")),
        *(
            f"git -C {folder} config {name} {program}"
            for name in ("core.fsmonitor", "filter.evil.clean", "gpg.program")
        ),
        f"echo '* filter=evil' > {folder}/.gitattributes",
        f"git -C {folder} config commit.gpgSign true",
    ):
        assert person.shell.run(line)[0] == 0, line
    # It would be run by whoever commits as git does.
    assert person.shell.run(f"{{ git -C {folder} status; rm {ran}; }}")[0] == 0
    return ran


def test_K13_T18_what_a_repository_names_is_not_run_when_a_provider_has_stored_something(person: Person) -> None:
    ran = plant(person)
    screen = exchange(person.shell, PASSWORDS, STORE)
    agree(screen)
    hand_over(screen)
    screen.wait_for("Import into the password store\\?")
    screen.type(ENTER)
    status, _, said = screen.finish()
    assert status == 0, said
    assert entries(person) == IN_THE_STORE
    log = person.run("git", "-C", person.home / ".password-store", "log", "--format=%s", "--name-only", "-1")
    assert "example.com/ada.gpg" in log.stdout, log.stdout + person.log
    assert not ran.exists()


def running(person: Person) -> list[dict]:
    return json.loads(person.shell.keyway("status --json"))["running"]


def agree_in_windows(seat: Seat) -> None:
    seat.window("Keyway", LIMIT)
    seat.wait_for("Copy all accounts of")
    seat.take_row("Pass")
    seat.wait_for("Confirm it\u2019s you")
    seat.type(PIN)
    seat.press("Return")


def use(seat: Seat, button: str) -> None:
    seat.can_use(button)
    seat.use(button)


def test_from_passwords_to_password_store_and_back_in_windows(person: Person) -> None:
    seat = person.seat
    with windows(person, PASSWORDS, STORE) as screen:
        agree_in_windows(seat)
        seat.wait_for("Everything in your vault is handed over")
        seat.fill("Master password", MASTER)
        use(seat, "Hand Over")
        # What isn't carried is said before the yes.
        seat.wait_for("Import into the password store?", "no place for passkeys")
        use(seat, "Import 3")
        status, _, said = screen.finish()
        assert status == 0 and "which stored 3" in said and "no place for passkeys" in said, said
    assert entries(person) == IN_THE_STORE
    for title in titles(person):
        person.shell.keyway(f"passwords remove '{title}' --yes")
    with windows(person, STORE, PASSWORDS) as screen:
        agree_in_windows(seat)
        # The vault is open where this was begun.
        seat.wait_for("Import into Passwords?")
        use(seat, "Import 3")
        status, _, said = screen.finish()
        assert status == 0 and "which stored 3" in said, said
    assert titles(person) == ["Example", "Note", "Visa"]


@contextmanager
def windows(person: Person, source: str, destination: str) -> Iterator[Screen]:
    """The same where the windows ask; the terminal has nothing but the end of it."""
    screen = exchange(person.shell, source, destination, "--window")
    yield screen
    person.seat.wait_until_empty()
