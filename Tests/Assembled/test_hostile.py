"""T18: what a provider of somebody else's can do through the connection that it was started with: nothing to others.

Each is asked in the person's terminal, as they would; a provider beside it that keeps to the rules is served all along.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from login import Login, Terminal, eventually, read
from own_provider import marks_of, own_account

SITE, PASSWORD = "https://a.example", "s3cret\n"
# The provider that is reached for. Whoever takes the first one for their own takes this one: the others come after it.
GOOD = "test.good"
# Exit codes: nobody offers that; it has no such screen; it failed.
NOBODY, NO_SCREEN, FAILED = 3, 7, 9


@pytest.fixture(scope="module")
def person(prefix: Path) -> Iterator[Login]:
    """Somebody with an account in a provider of somebody else's, and two terminals."""
    with Login(prefix) as login, login.terminal() as terminal, login.terminal() as other:
        login.open_terminal, login.other_terminal = terminal, other
        turn_on(login, own_account(login))
        yield login


def run(terminal: Terminal, line: str) -> tuple[int, str, str]:
    """Runs the command line in a terminal: its status, what it printed, what it said."""
    return terminal.run(f"keyway {line}")


def turn_on(person: Login, provider: str) -> None:
    status, _, said = run(person.open_terminal, f"providers enable --yes {provider}")
    assert status == 0, said
    # Its service saves the account first.
    eventually(lambda: provider in offered(person))


def install(person: Login, name: str, behaviour: str) -> str:
    provider = own_account(person, name, behaviour)
    turn_on(person, provider)
    return provider


def offered(person: Login) -> list[str]:
    """The providers that have an account for the site."""
    _, said, _ = run(person.open_terminal, f"suggest {SITE} --json")
    return [one["provider"] for one in json.loads(said)["suggestions"]]


def fill(terminal: Terminal, provider: str) -> tuple[int, str, str]:
    return run(terminal, f"fill {SITE} --provider {provider}")


def refusal(person: Login, provider: str) -> str:
    """What is said where a provider is asked for its account and there is nothing to be had from it."""
    status, printed, said = fill(person.open_terminal, provider)
    assert (status, printed) == (FAILED, ""), f"{status}: {said}"
    # The person is told who it was.
    assert said.startswith(f"keyway: {provider.removeprefix('test.')} "), said
    return said


def others_are_served(person: Login) -> bool:
    return fill(person.other_terminal, GOOD) == (0, PASSWORD, "")


def dropped(person: Login) -> int:
    return json.loads(run(person.open_terminal, "status --json")[1])["broker"]["droppedAnswers"]


def extensions(person: Login, provider: str) -> list[int]:
    """The processes of a provider's extension."""
    program = f"/{provider.removeprefix('test.')}.appex/extension"
    return [number for number in person.all_processes() if program in read(number, "cmdline")]


def test_T18_a_provider_reaches_its_own_identities_only(person: Login):
    thief = install(person, "thief", "steals")
    assert fill(person.open_terminal, thief) == (0, PASSWORD, "")
    # It saw its own account, whatever it named, and was answered none of the questions that clients ask.
    assert (marks_of("thief") / "stolen").read_text() == "1"
    # It could wipe its own, and did.
    assert thief not in offered(person) and GOOD in offered(person)
    assert others_are_served(person)


def test_T18_a_provider_is_asked_for_no_kind_that_it_does_not_declare(person: Login):
    eager = install(person, "modest", "everything")
    for line, expected in (
        (f"code --provider {eager}", NOBODY),
        (f"insert --provider {eager}", NOBODY),
        (f"generate {SITE} --provider {eager}", NOBODY),
        (f"providers configure {eager}", NO_SCREEN),
    ):
        status, printed, said = run(person.open_terminal, line)
        assert (status, printed) == (expected, ""), f"{line}: {status}: {said}"
    asked = marks_of("modest") / "asked"
    assert not asked.exists()
    # It notes what it is asked.
    assert fill(person.open_terminal, eager) == (0, PASSWORD, "")
    assert asked.read_text() == "provideWithoutInteraction\n"


@pytest.mark.parametrize(
    ("behaviour", "fault"),
    [
        ("other-kind", "answered a request that was not made"),
        ("unsealed", "answered with no sealed memory file"),
    ],
    ids=["other-kind", "unsealed"],
)
def test_T18_an_answer_that_does_not_fit_goes_to_nobody(person: Login, behaviour: str, fault: str):
    assert fault in refusal(person, install(person, f"odd-{behaviour}", behaviour))
    assert others_are_served(person)


@pytest.mark.parametrize(("behaviour", "count"), [("twice", 1), ("other-request", 1), ("floods-strays", 5000)])
def test_T18_answers_that_nobody_asked_for_are_dropped_and_counted(person: Login, behaviour: str, count: int):
    odd, before = install(person, f"many-{behaviour}", behaviour), dropped(person)
    assert fill(person.open_terminal, odd) == (0, PASSWORD, "")
    eventually(lambda: dropped(person) == before + count)
    assert others_are_served(person)
    # Nor is what was left over taken for the answer to the next request.
    assert fill(person.open_terminal, odd) == (0, PASSWORD, "")


def test_T18_a_provider_that_hangs_is_ended_at_its_deadline_and_keeps_nobody_waiting(person: Login):
    hangs, terminal = install(person, "hangs", "hang"), person.open_terminal
    terminal.begin(f"keyway fill {SITE} --provider {hangs}")
    eventually(lambda: extensions(person, hangs))
    assert others_are_served(person)
    said = terminal.read_until("ended=9", "ended=0")
    assert "hangs did not answer within" in said and "s3cret" not in said
    eventually(lambda: not extensions(person, hangs), 20)
    assert others_are_served(person)


def test_T18_a_provider_that_dies_in_a_request_is_named_and_after_three_times_no_longer_offered(person: Login):
    mortal = install(person, "mortal", "die")
    for _ in range(2):
        refusal(person, mortal)
        assert others_are_served(person)
        assert mortal in offered(person)
    refusal(person, mortal)
    assert mortal not in offered(person) and GOOD in offered(person)
    assert others_are_served(person)


def test_T18_a_flood_of_interfaces_ends_the_extension(person: Login):
    flood = install(person, "pictures", "floods")
    refusal(person, flood)
    assert "too many screens" in person.log or "screens that were not requested; ended" in person.log
    eventually(lambda: not extensions(person, flood), 20)
    assert others_are_served(person)


@pytest.mark.parametrize("behaviour", ["huge-frame", "garbage"])
def test_T18_a_message_that_is_none_ends_the_extension(person: Login, behaviour: str):
    odd = install(person, f"noise-{behaviour}", behaviour)
    assert "did not answer within" not in refusal(person, odd)
    eventually(lambda: not extensions(person, odd), 20)
    assert others_are_served(person)
