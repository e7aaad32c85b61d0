"""T23: a passkey is made without asking once for a fill, its person hears of it, and every refusal looks alike.

T24: what a site reports of passkeys is about its own.
"""

from __future__ import annotations

import json
import re
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from browser_host import Host, kind
from login import eventually
from person import IN_THE_VAULT, USER, Person
from persons_programs import PYTHON
from seat import Seat
from test_debugged import NOTIFICATIONS, log_of, notified, show_notifications
from test_poser import page, pose

# Each test has a site of its own, so that none of them finds what another one left.
ONCE, PRIVATE, UNDONE, REPORTED = "once.example", "private.example", "undone.example", "reported.example"
# One with two hosts; the second may be somebody else's.
PARTY, LOGIN, EVIL = "party.example", "login.party.example", "evil.party.example"
PLACE = "/org/freedesktop/Notifications"
# How long each refusal is held back, in seconds.
PATIENCE = 4
REFUSAL = {"code": -32000, "message": "No passkey is created in the background.", "data": {"kind": "notAllowed"}}


@pytest.fixture(scope="module")
def person(prefix: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Person]:
    """Somebody with an account of each site, on a desktop that shows notifications."""
    with Person(prefix) as person, Seat(tmp_path_factory.mktemp("machine")) as seat, person.terminal() as shell:
        person.seat, person.shell = seat, shell
        show_notifications(seat)
        person.set_up(*map(url, (ONCE, PRIVATE, UNDONE, REPORTED, LOGIN)))
        yield person


@pytest.fixture(scope="module")
def browser(person: Person) -> Iterator[Host]:
    """The sites, in the browser of somebody who let that browser ask."""
    with pose(person, PYTHON, url(ONCE)) as host:
        yield host


def url(site: str) -> str:
    return f"https://{site}"


def fill(browser: Host, site: str, private: bool = False) -> None:
    """Has the password filled there, without which no passkey is made."""
    where = page(url(site)) | {"private": private}
    browser.request(3, "suggest", where)
    suggestions = browser.answer()["result"]["suggestions"]
    handle = next(found["handle"] for found in suggestions if found["kind"] == "password")
    browser.request(4, "fill", {**where, "handle": handle, "fields": ["password"]})


def fill_first(browser: Host, person: Person, host: str, private: bool = False) -> None:
    fill(browser, host, private)
    site = ".".join(host.split(".")[-2:])
    person.seat.agree(f"” fill {site}?", site)
    assert browser.answer()["result"] == {"password": IN_THE_VAULT}


def ask(browser: Host, site: str, private: bool = False, party: str = "") -> dict:
    """What the site is told that asks for a passkey, its own or of the party, of which nobody is to notice anything."""
    request = {
        "challenge": "c2VjcmV0IGNoYWxsZW5nZQ",
        "relyingParty": party or site,
        "userVerification": "preferred",
        "user": {"id": "AQ", "name": USER, "displayName": "Ada"},
        "algorithms": [-7],
        "excluded": [],
        "extensions": {},
    }
    asked = {**page(url(site)), "private": private, "isConditional": True, "request": request}
    browser.request(5, "passkeys.create", asked)
    return browser.answer()


def is_refused(browser: Host, site: str, private: bool = False, party: str = "") -> None:
    """There is none, in the words of every refusal, and not before the time that every refusal takes."""
    began = time.monotonic()
    assert ask(browser, site, private, party).get("error") == REFUSAL
    assert time.monotonic() - began >= PATIENCE


def passkeys(person: Person, site: str) -> list[dict]:
    items = json.loads(person.shell.keyway("passwords list --json"))["items"]
    return [item for item in items if item.get("passkey", {}).get("relyingParty") == site]


def reasons(person: Person, site: str) -> list[str]:
    """Why there was none, as only the person is told, the oldest first."""
    entries = json.loads(person.shell.keyway("history --json"))["entries"]
    details = [entry["detail"] for entry in reversed(entries) if entry["event"] == "refusal" and site in str(entry)]
    return [detail.removeprefix("No passkey was created in the background: ") for detail in details]


def test_T23_one_passkey_is_made_for_one_fill_and_none_beside_another(person: Person, browser: Host):
    fill_first(browser, person, ONCE)
    assert "result" in ask(browser, ONCE)
    is_refused(browser, ONCE)
    fill(browser, ONCE)
    assert browser.answer()["result"] == {"password": IN_THE_VAULT}
    is_refused(browser, ONCE)
    assert reasons(person, ONCE) == [
        "its password was not filled there within the last five minutes.",
        "the account already has a passkey.",
    ]
    assert len(passkeys(person, ONCE)) == 1


def test_T23_a_host_below_the_party_gets_none_for_what_was_filled_at_another(person: Person, browser: Host):
    fill_first(browser, person, LOGIN)
    is_refused(browser, EVIL, party=PARTY)
    assert reasons(person, PARTY) == ["its password was not filled there within the last five minutes."]
    assert passkeys(person, PARTY) == []
    # That used nothing up: the host that was signed in to gets it.
    assert "result" in ask(browser, LOGIN, party=PARTY)
    assert len(passkeys(person, PARTY)) == 1


def test_T23_none_is_made_in_a_private_window_or_for_what_was_filled_there(person: Person, browser: Host):
    fill_first(browser, person, PRIVATE, private=True)
    is_refused(browser, PRIVATE)
    # What was said in a private window is forgotten, too.
    fill_first(browser, person, PRIVATE)
    is_refused(browser, PRIVATE, private=True)
    assert passkeys(person, PRIVATE) == []
    # In a window that is not, it would have been.
    assert "result" in ask(browser, PRIVATE)


def test_T23_the_person_hears_of_it_and_takes_it_back_with_one_button(person: Person, browser: Host):
    fill_first(browser, person, UNDONE)
    assert "result" in ask(browser, UNDONE)
    eventually(lambda: notified(person.seat, f"created a passkey for “{USER}” at {UNDONE}"))
    (made,) = passkeys(person, UNDONE)
    assert "hidden" not in made
    press(person.seat, UNDONE, "undo")
    eventually(lambda: "hidden" in passkeys(person, UNDONE)[0])


def press(seat: Seat, words: str, action: str) -> None:
    """Presses the button of the notification that says that."""
    shown = [line for line in log_of(seat).read_text().splitlines() if re.search(r"\bNotify\b", line)]
    (number,) = [number for number, line in enumerate(shown, 1) if words in line]
    signal = ("EmitSignal", "sssav", NOTIFICATIONS, "ActionInvoked", "us", "2", "u", str(number), "s", action)
    seat.run("busctl", "--user", "call", NOTIFICATIONS, PLACE, "org.freedesktop.DBus.Mock", *signal)


def test_T24_a_report_is_about_passkeys_of_the_site_itself(person: Person, browser: Host):
    fill_first(browser, person, REPORTED)
    made = ask(browser, REPORTED)["result"]["id"]
    (kept,) = passkeys(person, REPORTED)
    reports = (
        {"kind": "renamed", "relyingParty": REPORTED, "user": "AQ", "name": "eve"},
        {"kind": "unknown", "relyingParty": REPORTED, "credential": made},
    )
    assert [kind(tell(browser, ONCE, report)) for report in reports] == ["refused", "refused"]
    assert passkeys(person, REPORTED) == [kept]
    # The site itself renames and hides it, and no more.
    assert [tell(browser, REPORTED, report).get("result") for report in reports] == [{}, {}]
    (told,) = eventually(lambda: [item for item in passkeys(person, REPORTED) if "hidden" in item])
    assert (told["user"], told["passkey"]) == ("eve", kept["passkey"])
    person.shell.keyway(f"passwords restore {kept['id']}")
    assert "hidden" not in passkeys(person, REPORTED)[0]


def tell(browser: Host, site: str, report: dict) -> dict:
    browser.request(7, "passkeys.report", {**page(url(site)), "report": report})
    return browser.answer()
