"""S1, S2: whose password goes when a page sends a sign-in of its own making, and how often its person is asked.

The page says all of it to the installed host, as the browser of somebody who let that browser ask.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from uuid import uuid4

import pytest
from browser_host import Host, kind
from desktop import LIMIT, title
from person import IN_THE_VAULT, USER, Person
from persons_programs import PYTHON
from seat import Seat
from test_poser import page, pose, start

# Each test has a site of its own, with an account at the host that is called like this; the page is at one of these.
MAIL, EVIL = "mail", "evil"
GENERATED, MARKED, NAMED, NAMELESS = "generated.example", "marked.example", "named.example", "nameless.example"
NEVER, DECLINED, CROWDED = "never.example", "declined.example", "crowded.example"
MADE, SENT = "ecwyxu-tobsan-kAhmo4", "of the page"
REPLACE, SAVE = "Replace the password for", "Save the password for"
# How often windows about passkeys are closed before their site opens no more of them for a while.
TRIES = 3


@pytest.fixture(scope="module")
def person(prefix: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Person]:
    with Person(prefix) as person, Seat(tmp_path_factory.mktemp("machine")) as seat, person.terminal() as shell:
        person.seat, person.shell = seat, shell
        person.set_up(*(url(MAIL, site) for site in (GENERATED, MARKED, NAMED, NAMELESS)))
        with pose(person, PYTHON, url(MAIL, GENERATED)):
            pass
        yield person


@pytest.fixture
def browser(person: Person) -> Iterator[Host]:
    with start(person, PYTHON) as host:
        yield host.greet()
    # What it asked about goes with it.
    person.seat.wait_until_empty()


def url(host: str, site: str) -> str:
    return f"https://{host}.{site}"


def form(where: str, user: str, password: str, is_generated: bool = False) -> dict:
    """What a form of that page is sent with."""
    sent = {"session": str(uuid4()), "user": user, "password": password, "isGenerated": is_generated}
    return page(where) | sent


def send(browser: Host, sent: dict, number: int = 4) -> None:
    """Sends a form, and then the page looks as if that had worked; what becomes of it is the answer of that number."""
    browser.request(3, "passwords.submit", sent)
    assert browser.answer()["result"] == {}
    browser.request(number, "passwords.settle", {"session": sent["session"], "worked": True})


def outcome(browser: Host) -> str:
    """What became of a form."""
    return browser.answer()["result"]["outcome"]


def items(person: Person, site: str) -> list[dict]:
    """What the vault has of all hosts of a site."""
    found = json.loads(person.shell.keyway("passwords list --json"))["items"]
    return [item for item in found if item["addresses"][0].endswith(f".{site}")]


def kept(person: Person, site: str) -> list[tuple[str, str, str]]:
    """The same: where it is for, whose it is, and its password."""
    return sorted(
        (
            *item["addresses"],
            item.get("user", ""),
            person.shell.keyway(f"passwords show {item['id']} --field password").rstrip("\n"),
        )
        for item in items(person, site)
    )


def test_S1_a_generated_password_takes_the_place_of_none_of_another_host(person: Person, browser: Host):
    made = form(url(EVIL, GENERATED), USER, MADE, is_generated=True)
    browser.request(2, "passwords.keep", made)
    assert browser.answer()["result"] == {}
    send(browser, made)
    assert outcome(browser) == "unchanged"
    assert kept(person, GENERATED) == [
        (url(EVIL, GENERATED), USER, MADE),
        (url(MAIL, GENERATED), USER, IN_THE_VAULT),
    ]
    # It is an account's own from then on.
    assert [item["tags"] for item in items(person, GENERATED)] == [[], []]


def test_S1_a_name_with_a_mark_that_nobody_sees_is_the_same_account(person: Person, browser: Host):
    send(browser, form(url(MAIL, MARKED), f"{USER}\u200b", SENT))
    person.seat.asked(f"{REPLACE} mail.{MARKED}?", url(MAIL, MARKED), answer="Replace")
    assert kept(person, MARKED) == [(url(MAIL, MARKED), USER, IN_THE_VAULT)]
    person.seat.use("Replace")
    assert outcome(browser) == "saved"
    assert kept(person, MARKED) == [(url(MAIL, MARKED), USER, SENT)]


def test_S1_the_window_names_the_host_whose_password_would_go(person: Person, browser: Host):
    send(browser, form(url(EVIL, NAMED), USER, SENT))
    person.seat.decline(f"{REPLACE} mail.{NAMED}?", url(EVIL, NAMED))
    assert outcome(browser) == "declined"
    assert kept(person, NAMED) == [(url(MAIL, NAMED), USER, IN_THE_VAULT)]


def test_S1_whoever_agrees_to_save_has_nothing_replaced(person: Person, browser: Host):
    where, known = url(MAIL, NAMELESS), "of nobody"
    person.shell.keyway(f"passwords add nameless --url {where}", known)
    # The page names nobody, and which of the accounts is meant, nobody knows.
    send(browser, form(where, "", SENT))
    person.seat.asked(f"{SAVE} mail.{NAMELESS}?", where, answer="Save")
    person.seat.use("Save")
    # The provider found one to replace, and asks that itself.
    person.seat.window(title("Passwords", f"mail.{NAMELESS}"), LIMIT)
    person.seat.wait_for("Replace the password?")
    person.seat.press("Escape")
    assert kind(browser.answer()) == "cancelled"
    assert kept(person, NAMELESS) == [(where, "", known), (where, USER, IN_THE_VAULT)]


def test_S2_after_never_nobody_is_asked_about_forms_that_wait(person: Person, browser: Host):
    send(browser, form(url(MAIL, NEVER), USER, SENT))
    person.seat.window(title("Keyway", url(MAIL, NEVER)), LIMIT)
    for number, host in enumerate((MAIL, EVIL), 5):
        send(browser, form(url(host, NEVER), USER, SENT), number)
    # From then on an answer counts.
    person.seat.asked(f"{SAVE} mail.{NEVER}?", url(MAIL, NEVER), answer="Save")
    person.seat.use("Never for This Site")
    assert [outcome(browser) for _ in range(3)] == ["never"] * 3
    assert kept(person, NEVER) == []


def test_S2_who_declines_for_one_host_is_not_asked_for_another_of_its_site(person: Person, browser: Host):
    send(browser, form(url(MAIL, DECLINED), USER, SENT))
    person.seat.decline(f"{SAVE} mail.{DECLINED}?", url(MAIL, DECLINED))
    assert outcome(browser) == "declined"
    send(browser, form(url(EVIL, DECLINED), USER, SENT))
    assert outcome(browser) == "declined"
    assert person.seat.windows() == []


def test_S2_a_site_of_many_hosts_opens_no_more_windows_about_passkeys_than_one_host(person: Person, browser: Host):
    def ask(host: str) -> None:
        """Asks for a passkey of another account each time."""
        request = {
            "challenge": "c2VjcmV0IGNoYWxsZW5nZQ",
            "relyingParty": CROWDED,
            "userVerification": "preferred",
            "user": {"id": "AQ", "name": f"of {host}", "displayName": "Ada"},
            "algorithms": [-7],
            "excluded": [],
            "extensions": {},
        }
        browser.request(5, "passkeys.create", {**page(url(host, CROWDED)), "isConditional": False, "request": request})

    for number in range(TRIES):
        ask(f"host{number}")
        name = f"host{number}.{CROWDED}"
        person.seat.decline(f"Where do you want to save the passkey for {name}?", name)
        assert kind(browser.answer()) == "cancelled"
    ask("another")
    assert kind(browser.answer()) == "cancelled"
    assert person.seat.windows() == []
