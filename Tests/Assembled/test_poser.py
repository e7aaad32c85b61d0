"""T13, T15 to T17, T19: a program of the person's poses as a browser, or as an app, and the person even lets it ask.

It starts the installed host as a browser would, says what it likes of pages, and has a profile of its own.
"""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from browser_host import CHROMIUM, HELLO, Host, kind
from login import HOME, PATIENCE, USER, Login
from person import IN_THE_VAULT, Person
from persons_programs import FLOODS, PYTHON, WIRE
from seat import Seat
from test_settings import restart
from wire import is_readable

# A program that starts another one and hands its own pipes on.
STARTS = "import subprocess, sys; sys.exit(subprocess.run(sys.argv[1:]).returncode)"
REFUSES = "Don\u2019t Allow"
OTHER_PROFILE = "0b9a1f6e-6d0f-4a53-8a0b-4f3f1d2c7e55"
SITES = ("https://first.example", "https://second.example", "https://third.example")
# Greets in a role, and prints what comes of each request that a line of its input names.
SPEAKS = (
    WIRE
    + """
import json, sys

peer = Peer.connect(sys.argv[1]).greet(sys.argv[2])
for line in sys.stdin:
    try:
        print(json.dumps(peer.call(*json.loads(line))), flush=True)
    except Refused as refused:
        print(refused.kind, flush=True)
    except (Closed, OSError):
        break
"""
)


@pytest.fixture(scope="module")
def person(prefix, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Person]:
    with Person(prefix) as person, Seat(tmp_path_factory.mktemp("machine")) as seat, person.terminal() as shell:
        person.seat, person.shell = seat, shell
        person.set_up(*SITES)
        yield person


@pytest.fixture(scope="module")
def poser(person: Person) -> Iterator[Host]:
    """The host, started by another program of the person's, which they have let ask."""
    with pose(person, PYTHON) as host:
        yield host


@pytest.fixture
def newcomer(person: Person) -> Iterator[Host]:
    """The same, by a program that has asked for nothing yet: who asks too much is stopped program by program."""
    program = HOME / "newcomer"
    shutil.copy(PYTHON, program)
    with pose(person, program) as host:
        yield host


def start(person: Person, program: Path | str) -> Host:
    """The installed host, which that program starts as a browser would."""
    started = person.prefix / "libexec/keyway/keyway-browser-host"
    return Host(person.environment, ["-c", STARTS, started, *CHROMIUM], program, USER)


@contextmanager
def pose(person: Person, program: Path | str, site: str = SITES[0], profile: str = HELLO["profile"]) -> Iterator[Host]:
    with start(person, program) as host:
        host.greet(profile)
        host.request(2, "suggest", page(site))
        person.seat.asked(f"Allow “{Path(program).resolve().name}", answer="Allow")
        assert "Any program can start a browser." in person.seat.says()
        person.seat.use("Allow")
        assert len(host.answer()["result"]["suggestions"]) == 1
        yield host


def page(site: str) -> dict:
    return {"url": f"{site}/login", "private": False}


def ask_to_fill(poser: Host, site: str) -> None:
    poser.request(3, "suggest", page(site))
    (suggestion,) = poser.answer()["result"]["suggestions"]
    poser.request(4, "fill", {**page(site), "handle": suggestion["handle"], "fields": ["password"]})


def test_T13_T16_whoever_poses_as_a_browser_fills_no_new_site_unless_the_person_says_so(person: Person, poser: Host):
    first, second, third = SITES
    ask_to_fill(poser, first)
    person.seat.agree("” fill first.example?", "first.example")
    assert poser.answer()["result"] == {"password": IN_THE_VAULT}
    # Once is enough.
    ask_to_fill(poser, first)
    assert poser.answer()["result"] == {"password": IN_THE_VAULT}
    ask_to_fill(poser, second)
    person.seat.decline("” fill second.example?", "second.example")
    assert kind(poser.answer()) == "cancelled"
    # After that nobody is asked about the next one.
    ask_to_fill(poser, third)
    assert kind(poser.answer()) == "rateLimited"
    assert person.seat.windows() == []
    # Nor does it go through a list, of which the person is told.
    for number in range(60):
        poser.request(number + 10, "suggest", page(f"https://site{number}.example"))
        if "error" in (answer := poser.answer()):
            break
    assert kind(answer) == "rateLimited"
    assert "many sites" in person.shell.run("keyway status")[2]


@pytest.mark.parametrize("answer", ["closed", "refused"])
def test_T13_T16_after_that_no_other_profile_of_the_same_program_is_asked_about_either(person: Person, answer: str):
    _, second, third = SITES
    program = HOME / f"of-two-profiles-{answer}"
    shutil.copy(PYTHON, program)
    with pose(person, program) as one, pose(person, program, profile=OTHER_PROFILE) as other:
        ask_to_fill(one, second)
        if answer == "closed":
            person.seat.decline("” fill second.example?", "second.example")
        else:
            person.seat.asked("” fill second.example?", "second.example", answer=REFUSES)
            person.seat.use(REFUSES)
        assert kind(one.answer()) == "cancelled"
        ask_to_fill(other, third)
        assert kind(other.answer()) == "rateLimited"
        assert person.seat.windows() == []


def test_T19_whoever_poses_as_a_browser_gets_no_passkey_in_the_name_of_another_site(person: Person, newcomer: Host):
    asked = {"challenge": "c2VjcmV0IGNoYWxsZW5nZQ", "relyingParty": "first.example", "userVerification": "preferred"}
    user = {"id": "AQ", "name": "eve", "displayName": "Eve"}
    creation = {"user": user, "algorithms": [-7], "excluded": [], "extensions": {"credProps": True}}
    for method, request in (
        ("passkeys.create", {"isConditional": False, "request": asked | creation}),
        ("passkeys.get", {"request": asked | {"allowed": [], "extensions": {}}}),
    ):
        newcomer.request(5, method, {**page("https://evil.example"), **request})
        assert kind(answer := newcomer.answer()) in ("refused", "notAllowed"), answer
    assert person.seat.windows() == []


def test_T15_a_program_that_waits_for_no_answer_is_told_so_and_keeps_nobody_waiting(person: Person):
    asking = person.start(PYTHON, "-c", FLOODS, person.door, "70", SITES[0], stdout=subprocess.PIPE, text=True)
    # As many as may wait do so, for what the person says of that program.
    assert is_readable(asking.stdout, PATIENCE), "all of them wait"
    assert [asking.stdout.readline() for _ in range(6)] == ["tooManyRequests\n"] * 6
    person.seat.asked("Allow “python3")
    assert person.shell.keyway(f"fill {SITES[0]}") == f"{IN_THE_VAULT}\n"
    person.seat.decline("Allow “python3")
    answers = asking.stdout.read().split()
    assert len(answers) == 64 and {*answers} <= {"cancelled", "notApproved"}, answers
    assert person.seat.windows() == []


class Speaker:
    """A program of the person's that speaks with the broker in a role of its choice."""

    def __init__(self, person: Login, role: str, program: Path | str = PYTHON) -> None:
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
        self.process = person.start(program, "-c", SPEAKS, person.door, role, **pipes)

    def ask(self, method: str, params: dict) -> None:
        print(json.dumps([method, params]), file=self.process.stdin, flush=True)

    def hear(self) -> str:
        """What comes next, which is nothing once it has ended."""
        assert is_readable(self.process.stdout, PATIENCE), "it waits for its answer"
        return self.process.stdout.readline().rstrip("\n")


def test_T17_a_program_that_may_ask_as_a_browser_reads_and_changes_nothing_of_the_terminals(person: Person):
    browser = Speaker(person, "browser")
    browser.ask("suggest", {"services": [{"identifier": f"{SITES[0]}/login", "kind": "URL"}]})
    person.seat.agree("Allow “python3")
    (suggestion,) = json.loads(browser.hear())["suggestions"]
    # What its provider calls it is for terminals.
    assert "record" not in suggestion
    for method, params in (
        ("history.list", {}),
        ("history.clear", {}),
        ("clients.list", {}),
        ("service.connect", {"provider": "org.keyway.passwords"}),
        ("providers.setEnabled", {"identifier": "org.keyway.passwords", "isEnabled": False}),
        ("providers.debug", {"identifier": "org.keyway.passwords", "waits": False}),
    ):
        browser.ask(method, params)
        assert browser.hear() == "notAllowed", method
    assert person.seat.windows() == []


SUGGEST = ("suggest", {"services": [{"identifier": f"{SITES[0]}/login", "kind": "URL"}]})


def asker(person: Person, program: Path) -> Speaker:
    """A process of that program, which has asked for accounts."""
    if not program.exists():
        shutil.copy(PYTHON, program)
    speaker = Speaker(person, "terminal", program)
    speaker.ask(*SUGGEST)
    return speaker


def decision(person: Person, program: Path) -> str:
    clients = json.loads(person.shell.keyway("clients list --json"))["clients"]
    (client,) = [client for client in clients if client["path"] == str(program)]
    return client["decision"]


def test_T13_what_the_person_takes_back_counts_no_more(person: Person):
    program = HOME / "taken-back"
    allowed = asker(person, program)
    person.seat.agree("Allow “taken-back")
    assert len(json.loads(allowed.hear())["suggestions"]) == 1
    assert decision(person, program) == "approved"
    person.shell.keyway("clients refuse taken-back")
    # What it was connected with has ended.
    allowed.ask(*SUGGEST)
    assert allowed.hear() == ""
    assert asker(person, program).hear() == "notApproved"
    assert decision(person, program) == "refused"
    assert person.seat.windows() == []


def test_T19_an_app_that_names_a_site_which_does_not_name_it_gets_nothing_unless_the_person_says_so(person: Person):
    app = Speaker(person, "application")
    app.ask(
        "application.authorize",
        {
            "domains": ["first.example"],
            "methods": [],
            "onlyImmediate": False,
            "requests": [{"password": {}}],
        },
    )
    person.seat.decline("first.example doesn\u2019t list this program as its own", "first.example")
    assert app.hear() in ("cancelled", "refused")


def test_T13_a_refusal_is_remembered_by_the_next_broker_too(person: Person):
    program = HOME / "refused"
    refused = asker(person, program)
    person.seat.asked("Allow “refused", answer=REFUSES)
    person.seat.use(REFUSES)
    assert refused.hear() == "notApproved"
    assert asker(person, program).hear() == "notApproved"
    restart(person)
    assert decision(person, program) == "refused"
    assert asker(person, program).hear() == "notApproved"
    assert person.seat.windows() == []
