"""K10: a provider is debugged, and its person agreed: who hears of it, and whom the debugged process answers."""

from __future__ import annotations

import json
import os
import signal
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from browser_host import Host
from desktop import LIMIT
from login import HOME, MASTER, Terminal, eventually, read
from own_provider import own_provider
from person import IN_THE_STORE, STORED, Person
from persons_programs import PYTHON, WIRE
from screen import ESCAPE, Screen
from seat import Seat
from test_poser import ask_to_fill, pose

HOST = "a.example"
SITE = f"https://{HOST}"
NOTIFICATIONS = "org.freedesktop.Notifications"
TOLD = HOME / "told"
QUESTION = "Allow debugging “Password Store”?"
SUSPEND = "\x1a"
# Attaches to a process as a debugger of the person's does, lets it go on until it runs its program, and lets go of it.
ATTACHES = """
import ctypes, os, sys

library = ctypes.CDLL(None, use_errno=True)
library.ptrace.argtypes = [ctypes.c_long, ctypes.c_long, ctypes.c_void_p, ctypes.c_void_p]
ATTACH, GO_ON, DETACH = 16, 7, 17
process = int(sys.argv[1])
assert library.ptrace(ATTACH, process, None, None) == 0, os.strerror(ctypes.get_errno())
os.waitpid(process, 0)
library.ptrace(GO_ON, process, None, None)
# Executing a program stops a traced process.
os.waitpid(process, 0)
library.ptrace(DETACH, process, None, None)
"""
# Asks for a password as an app, and prints it.
ASKS_AS_AN_APP = (
    WIRE
    + """
import sys

wanted = {"domains": [sys.argv[2]], "methods": [], "onlyImmediate": False, "requests": [{"password": {}}]}
with Peer.connect(sys.argv[1]).greet("application") as peer:
    _, (password,) = peer.answer(peer.request("application.authorize", wanted))
    print("got", contents(password).decode())
"""
)
# Has a provider show how it is set up, in a window, and prints what came of it.
SETS_UP = (
    WIRE
    + """
import sys

with Peer.connect(sys.argv[1]).greet("terminal") as peer:
    try:
        peer.call("providers.configure", {"identifier": sys.argv[2], "presents": False}, 600)
    except Refused as refused:
        print(refused.kind)
"""
)
SET_UP = "Your password store"
WARNING = "Password Store is being debugged. The debugger can read what you enter here."


@pytest.fixture
def person(prefix: Path, tmp_path: Path) -> Iterator[Person]:
    """Somebody with a desktop that shows notifications, a vault whose master password verifies them, and a provider of
    their own, which has an account."""
    with Person(prefix) as person, Seat(tmp_path) as seat, person.terminal() as shell:
        person.seat, person.shell = seat, shell
        show_notifications(seat)
        person.set_up()
        person.make_store(HOST)
        person.provider = own_provider(person, "copy", "ShowsConfigurationUI")
        person.enable(person.provider, "Turn on “Password Store”?")
        eventually(lambda: STORED in shell.run(f"keyway suggest {SITE}")[1])
        yield person


def show_notifications(seat: Seat) -> None:
    parameters = json.dumps({"capabilities": "body body-markup actions"})
    mock = ("-m", "dbusmock", "--session", "--logfile", str(log_of(seat)), "--template", "notification_daemon")
    seat.start([PYTHON, *mock, "--parameters", parameters], env=seat.environment)
    eventually(lambda: seat.run("busctl", "--user", "status", NOTIFICATIONS))


def log_of(seat: Seat) -> Path:
    return seat.folder / "notifications"


def notified(seat: Seat, words: str) -> bool:
    return log_of(seat).exists() and words in log_of(seat).read_text()


@pytest.fixture
def author(person: Person) -> Iterator[Terminal]:
    with person.terminal() as terminal:
        yield terminal


def begin(person: Person, author: Terminal, how: str = "--wait") -> None:
    """Has the terminal ask for a debugger; the process waits until one lets it go on, so it answers nobody."""
    author.begin(f"keyway providers debug {person.provider} {how} --json > {TOLD}")


def told() -> str:
    """What the command printed, once that is all."""
    text = TOLD.read_text() if TOLD.exists() else ""
    return text if text.endswith("}\n") else ""


def extensions(person: Person) -> set[int]:
    running = json.loads(person.shell.keyway("status --json"))["running"]
    return {each["processIdentifier"] for each in running if each["role"] == "providerExtension"}


def is_debugged(person: Person) -> bool:
    return json.loads(person.shell.keyway(f"providers show {person.provider} --json"))["provider"]["debugged"]


def details(person: Person) -> list[tuple[str, str | None]]:
    entries = json.loads(person.shell.keyway("history --json"))["entries"]
    return [
        (entry["detail"], entry.get("verification")) for entry in entries if "ebugging" in (entry.get("detail") or "")
    ]


def agree_and_be_asked(person: Person) -> None:
    """Agrees, and waits until the person is to be verified."""
    person.seat.agree(QUESTION)
    person.seat.window("Keyway", LIMIT)
    person.seat.wait_for("Confirm it\u2019s you", "Master password")


def debug(person: Person, author: Terminal, how: str = "--wait") -> int:
    """The same, and the person lets it; the process that is debugged."""
    begin(person, author, how)
    agree_and_be_asked(person)
    person.seat.type(MASTER)
    person.seat.press("Return")
    return json.loads(eventually(told))["processIdentifier"]


def suspend(author: Terminal) -> None:
    """The command waits on, and its terminal is free."""
    os.write(author.master, SUSPEND.encode())
    author.read_until("ended=")


def let_go(person: Person, process: int) -> None:
    attached = person.run(PYTHON, "-c", ATTACHES, str(process))
    assert attached.returncode == 0, attached.stderr


def waits(process: int) -> bool:
    """Whether it waits for its debugger still, before it has become the extension."""
    return "Name:\tkeyway-confine\n" in read(process, "status")


def close(seat: Seat) -> None:
    seat.decline(QUESTION)


def refuse(seat: Seat) -> None:
    seat.disallow(QUESTION)


@pytest.mark.parametrize("answer", [close, refuse])
def test_K10_a_provider_is_debugged_by_nobody_whom_the_person_refused(
    person: Person, author: Terminal, answer: Callable[[Seat], None]
):
    before = extensions(person)
    begin(person, author)
    answer(person.seat)
    author.read_until("ended=4")
    assert (is_debugged(person), extensions(person), told()) == (False, before, "")


def test_K10_a_provider_is_debugged_by_nobody_who_was_not_verified(person: Person, author: Terminal):
    before = extensions(person)
    begin(person, author)
    agree_and_be_asked(person)
    assert (is_debugged(person), extensions(person)) == (False, before)
    person.seat.press("Escape")
    person.seat.wait_until_empty()
    author.read_until("ended=")
    assert (is_debugged(person), extensions(person), told()) == (False, before, "")


def test_K10_what_is_debugged_answers_its_own_terminal_alone_and_everybody_else_hears_of_it(
    person: Person, author: Terminal
):
    process = debug(person, author)
    # Another terminal is told at its next command; the desktop shows it, and the history has it.
    assert "Password Store is being debugged by process" in person.shell.run("keyway status")[2]
    assert is_debugged(person)
    eventually(lambda: notified(person.seat, "Provider being debugged"))
    assert details(person) == [("Debugging is allowed.", "masterPassword")]
    # Another terminal is answered, and so is a page: by another process than the one that waits.
    assert person.shell.keyway(f"fill {SITE}") == f"{IN_THE_STORE}\n"
    with pose(person, PYTHON, SITE) as host:
        assert filled(person, host) == IN_THE_STORE
    assert waits(process)
    before = extensions(person)
    assert process in before and len(before) >= 2
    let_go(person, process)
    # The terminal in which the command waits is answered by that process: no other one begins.
    suspend(author)
    assert author.keyway(f"fill {SITE}") == f"{IN_THE_STORE}\n"
    # What it draws says so.
    screen = Screen(author, f"keyway fill --provider {person.provider}")
    screen.wait_for("Password Store \\(being debugged\\)")
    screen.type(ESCAPE)
    screen.finish()
    assert extensions(person) == before
    assert not waits(process)
    (command,) = person.named("keyway")
    for number in (signal.SIGINT, signal.SIGCONT):
        os.kill(command, number)
    eventually(lambda: read(process, "status") == "")
    assert "Password Store is no longer being debugged" in person.shell.run("keyway status")[2]
    assert not is_debugged(person)
    assert [detail for detail, _ in details(person)] == ["Debugging is no longer allowed.", "Debugging is allowed."]


def filled(person: Person, host: Host) -> str:
    ask_to_fill(host, SITE)
    person.seat.agree(f"” fill {HOST}?", HOST)
    return host.answer()["result"]["password"]


def program(person: Person, name: str, text: str, *words: str) -> str:
    """How a shell starts a program of the person's that speaks with the broker."""
    script = person.tools / name
    script.write_text(text)
    return " ".join([PYTHON, str(script), str(person.door), *words])


def test_K10_an_app_is_answered_by_no_process_that_is_debugged(person: Person, author: Terminal):
    process = debug(person, author)
    suspend(author)
    # It even runs in the foreground of the terminal whose commands that process answers.
    author.begin(program(person, "app.py", ASKS_AS_AN_APP, HOST))
    person.seat.agree(f"{HOST} doesn\u2019t list this program as its own", HOST)
    person.seat.choose(HOST, STORED)
    assert f"got {IN_THE_STORE}" in author.read_until("ended=0", "ended=1")
    assert waits(process)
    before = extensions(person)
    assert process in before and len(before) >= 2
    # A command does wait for it.
    let_go(person, process)
    assert author.keyway(f"fill {SITE}") == f"{IN_THE_STORE}\n"
    assert extensions(person) == before and not waits(process)


def test_K10_a_window_of_what_is_debugged_says_so(person: Person, author: Terminal):
    debug(person, author, how="")
    suspend(author)
    line = program(person, "sets_up.py", SETS_UP, person.provider)
    person.shell.begin(line)
    person.seat.agree("Allow “python3")
    # Of the process that answers another terminal, there is nothing to say.
    assert WARNING not in set_up_window(person)
    cancel(person, person.shell)
    author.begin(line)
    assert WARNING in set_up_window(person)
    cancel(person, author)


def set_up_window(person: Person) -> str:
    """What the window says in which the provider is set up."""
    return eventually(lambda: SET_UP in (said := person.seat.says()) and said)


def cancel(person: Person, terminal: Terminal) -> None:
    person.seat.use("Cancel")
    assert "cancelled" in terminal.read_until("ended=")
    person.seat.wait_until_empty()
