"""T16, K15: what the vault shows, lists and finds passes the limits of a fill, and the history has it."""

from __future__ import annotations

import json
import time

import pytest
from login import Login

# How many accounts and sites a program is given at once, and how long it takes until there is one more, in seconds.
ACCOUNTS, EACH_ACCOUNT = 20, 3
SITES = 30
MANY = 32
# How many sites are asked for before a list is, and how often both are then.
MOST, PAIRS = 40, 5
# How a command ends that was stopped.
STOPPED = "7"
REFUSED = "refused"


@pytest.fixture
def full(vault: Login) -> Login:
    """A vault with more accounts than a program is given at once."""
    adds = f"for n in $(seq {MANY}); do echo pw$n | keyway passwords add item$n --user u$n >/dev/null; done"
    status, _, said = vault.open_terminal.run(adds)
    assert status == 0, said
    return vault


def test_T16_whoever_has_one_account_after_another_shown_is_stopped_and_the_person_told(full: Login):
    began = time.monotonic()
    shows = f"keyway passwords show item$n --field password || echo {REFUSED}"
    _, printed, said = full.open_terminal.run(f"for n in $(seq {MANY}); do {shows}; done")
    outcomes = printed.splitlines()
    assert outcomes[:ACCOUNTS] == [f"pw{number}" for number in range(1, ACCOUNTS + 1)]
    given = [outcome for outcome in outcomes if outcome != REFUSED]
    assert len(given) <= ACCOUNTS + (time.monotonic() - began) / EACH_ACCOUNT
    assert len(outcomes) == MANY
    assert "many credentials in a row" in said


@pytest.mark.parametrize("line", ["passwords list", "passwords search alpha"])
def test_T16_a_list_of_accounts_is_one_of_the_sites_that_a_program_goes_through(vault: Login, line: str):
    def asks(*numbers: int) -> str:
        return "; ".join(f"keyway suggest https://site{number}.example; echo $?" for number in numbers)

    pairs = "; ".join(f"{asks(number)}; keyway {line} >/dev/null; echo $?" for number in range(MOST, MOST + PAIRS))
    _, printed, said = vault.open_terminal.run(f"{{ {asks(*range(MOST))}; {pairs}; }}")
    is_given = [outcome != STOPPED for outcome in printed.split()]
    assert len(is_given) == MOST + 2 * PAIRS
    assert is_given[:SITES] == [True] * SITES
    # A list right after a site that was refused is refused as well; a slow machine may have earned one in between.
    assert (False, False) in zip(is_given[MOST::2], is_given[MOST + 1 :: 2], strict=True)
    assert "many sites in a row" in said


def test_K15_what_was_shown_listed_and_found_is_in_the_history(vault: Login):
    def events() -> list[tuple[str, str | None]]:
        entries = json.loads(vault.open_terminal.keyway("history --json"))["entries"]
        return [(entry["event"], entry.get("account")) for entry in reversed(entries)]

    before = events()
    for line in ("passwords show alpha --field password", "passwords list", "passwords search alpha"):
        assert vault.open_terminal.keyway(line)
    assert events()[len(before) :] == [("show", "ada"), ("list", None), ("list", None)]
    assert "password of alpha" not in vault.open_terminal.keyway("history")
