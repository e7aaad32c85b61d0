"""T16, K14, K15: what the vault and every service hand out passes what a fill passes, and the history has it."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Iterator

import pytest
from handed_out import CARD, GIVEN, NOTE, PASSWORD, stock
from login import MASTER, Login, Terminal, eventually
from own_provider import own_account
from person import PASSWORDS
from persons_programs import PYTHON, WIRE
from test_session import PIN, WRONG, answer
from test_traces import set_pin

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


def entries(terminal: Terminal) -> list[dict]:
    return json.loads(terminal.keyway("history --json"))["entries"]


def test_K15_what_was_shown_listed_and_found_is_in_the_history(vault: Login):
    stock(vault)
    terminal, number = vault.open_terminal, len(entries(vault.open_terminal))
    noted = {}
    for line, given in GIVEN.items():
        _, printed, said = terminal.run(f"{{ keyway {line}; }}")
        assert re.search(given.seen, printed), said
        now = entries(terminal)
        noted[line] = {(entry["event"], entry.get("account")) for entry in now[: len(now) - number]}
        number = len(now)
    assert noted == {line: {(given.event, given.account)} for line, given in GIVEN.items()}
    written = terminal.keyway("history") + terminal.keyway("history --json")
    assert "alpha" in written or "ada" in written
    assert [secret for secret in (PASSWORD, NOTE, CARD) if secret in written] == []


# K14: the service of a provider that does not ask the broker itself

# Has a provider's service hand something out, and prints what came of it. Whoever is to show who they are there types
# the PINs of its input, one after another, and then nothing more.
HAS_HANDED_OUT = (
    WIRE
    + """
import sys

class Asked(Peer):
    def receive(self, within=60):
        message, descriptors = super().receive(within)
        if message.get("method") == "person.ask":
            pin = sys.stdin.readline().strip()
            said = {"secret": {"_0": {"descriptor": 0}}} if pin else {"cancelled": {}}
            beside = (sealed(pin.encode()),) if pin else ()
            answer = {"jsonrpc": "2.0", "id": message["id"], "result": {"answer": said}}
            self.send({**answer, **({"descriptors": len(beside)} if beside else {})}, beside)
        return message, descriptors

peer = Asked.connect(sys.argv[1]).greet("terminal")
try:
    _, (descriptor,) = peer.answer(peer.request("service.connect", {"provider": sys.argv[2]}))
    with socket.socket(fileno=descriptor) as service:
        service.sendall(b"who\\n")
        print("given to a", service.recv(100).decode().strip())
except Refused as refused:
    print(refused.kind)
"""
)


class Asking:
    """A program of the person's that they have let ask, and a provider of theirs that is on."""

    def __init__(self, login: Login) -> None:
        self.login, self.provider = login, own_account(login)
        self.script = login.tools / "asks.py"
        self.script.write_text(HAS_HANDED_OUT)

    @property
    def command(self) -> list[str]:
        return [PYTHON, str(self.script), str(self.login.door), self.provider]

    def in_terminal(self, form: str, *pins: str) -> str:
        """What comes of it in the terminal in which the person is."""
        _, printed, said = self.login.open_terminal.run(form.format(" ".join(self.command)), *pins)
        assert printed, said
        return printed.strip()

    def without_a_terminal(self, *pins: str) -> str:
        return self.login.run(*self.command, input="".join(f"{pin}\n" for pin in pins)).stdout.strip()

    def history(self) -> list[tuple[str, str | None]]:
        """What the history has of the provider, with how the person was verified; the newest last."""
        return [
            (entry["event"], entry.get("verification"))
            for entry in reversed(entries(self.login.open_terminal))
            if entry.get("provider") == self.provider
        ]


@pytest.fixture
def asking(login: Login) -> Iterator[Asking]:
    with login.terminal() as terminal:
        login.open_terminal = terminal
        asking = Asking(login)
        # Before anything can verify the person, since it would be asked for.
        for provider in (asking.provider, PASSWORDS):
            terminal.keyway(f"providers enable --yes {provider}")
        terminal.keyway("passwords init", MASTER, MASTER)
        assert "ended=0" in set_pin(terminal, PIN)
        eventually(lambda: "ada" in terminal.keyway("suggest https://a.example"))
        # Nobody is asked about a program that has no terminal, but it is listed from now on.
        assert asking.without_a_terminal(PIN) == "interactionRequired"
        clients = json.loads(terminal.keyway("clients list --json"))["clients"]
        (waiting,) = [client for client in clients if not client["isKnown"]]
        assert "ended=0" in answer(terminal, PIN, line=f"clients approve {waiting['identifier']}")
        yield asking


def test_K14_K15_the_service_of_a_provider_of_ones_own_gives_nothing_before_the_person_was_verified(asking: Asking):
    before = asking.history()
    assert asking.in_terminal("{}", WRONG) == "cancelled"
    # Whoever knows the PIN gets nothing, either, where nobody sees what they ask for.
    assert asking.without_a_terminal(PIN) == "notVerified"
    assert asking.in_terminal("{{ {} & wait $!; }}", PIN) == "interactionRequired"
    assert asking.in_terminal("{}", WRONG, PIN) == "given to a terminal"
    # That counts in the terminal for a while, and not in its background.
    assert asking.in_terminal("{}") == "given to a terminal"
    assert asking.in_terminal("{{ {} & wait $!; }}", PIN) == "interactionRequired"
    assert asking.history()[len(before) :] == [("refusal", None), ("show", "pin"), ("show", None)]
