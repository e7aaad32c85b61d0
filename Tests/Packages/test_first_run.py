"""The first minutes of somebody who installed the packages, logged in and opened a browser: nothing was typed anywhere,
no provider is on, and the first field of a sign-in leads to all the rest."""

from __future__ import annotations

import select
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from desktop import LIMIT, title
from first_run import ROW, choose_row, go_through, press
from login import MASTER
from page import SETTLED_MS, Page
from person import IN_THE_VAULT, USER, Person
from profiles import used_profile
from relying_party import NAME, Both
from site_server import SiteServer
from support import until
from test_fills import open_browser, profile_folder
from test_passkeys import begin, finish
from test_saving import sign_in
from test_sign_in import PASSWORD, USERNAME


@pytest.fixture(params=["chromium", "firefox"])
def name(request: pytest.FixtureRequest) -> str:
    return request.param


@pytest.fixture
def fresh(name: str, person: Person) -> Path:
    """A profile with which the browser was never started before."""
    return profile_folder(name, person)


@pytest.fixture
def used(name: str, person: Person, server: SiteServer) -> Path:
    """One with which it was, before the package came."""
    return used_profile(name, person, server.url)


@pytest.fixture(params=["fresh", "used"])
def page(request: pytest.FixtureRequest, name: str, person: Person, server: SiteServer) -> Iterator[Page]:
    """A page of the person's browser."""
    browser = open_browser(name, person, request.getfixturevalue(request.param))
    try:
        yield Page(browser, server.url)
    finally:
        browser.close()


@pytest.mark.timeout(600)
def test_the_first_field_leads_to_a_password_that_is_saved_and_filled_and_to_a_passkey(
    page: Page, person: Person, server: SiteServer
) -> None:
    # The extension becomes active while the browser already shows its first page.
    until(lambda: is_offered(page), 120)
    choose_row(page)
    person.seat.agree("use Keyway?")
    go_through(person.seat, MASTER)
    # Without loading the page again.
    sign_in(page, USER, IN_THE_VAULT)
    assert until(server.site.signed_in) == [USER]
    press(person.seat, "Save")
    person.seat.wait_until_empty()
    # From now on it is filled.
    server.site.forget()
    fill(page, person)
    assert until(server.site.signed_in) == [USER]
    make_a_passkey_and_sign_in(page, person)


@pytest.mark.timeout(600)
@pytest.mark.parametrize("name", ["chromium"])
def test_a_browser_that_is_closed_in_the_middle_begins_anew(
    name: str, fresh: Path, person: Person, server: SiteServer
) -> None:
    browser = open_browser(name, person, fresh)
    try:
        page = Page(browser, server.url)
        until(lambda: is_offered(page), 120)
        choose_row(page)
        person.seat.agree("use Keyway?")
        press(person.seat, "Set Up")
        person.seat.wait_for("Choose a master password")
        person.seat.window("Keyway", LIMIT)
        person.seat.type(MASTER)
    finally:
        browser.close()
    # Whoever asked is gone, and so are the windows, with all that was begun.
    person.seat.wait_until_empty()
    assert not list(person.home.rglob("Passwords.vault*"))
    browser = open_browser(name, person, fresh)
    try:
        page = Page(browser, server.url)
        until(lambda: is_offered(page), 120)
        choose_row(page)
        go_through(person.seat, MASTER)
        assert [path.name for path in person.home.rglob("Passwords.vault*")] == ["Passwords.vault"]
    finally:
        browser.close()


def is_offered(page: Page) -> bool:
    """Whether a click into a field of a page that was just opened offers the first run."""
    return shows(page, ROW)


def shows(page: Page, entry: str) -> bool:
    """Whether a click into a field of a page that was just opened leads to a menu with that alone."""
    page.open("/")
    page.click(USERNAME)
    deadline = time.monotonic() + 20
    while not (entries := page.entries()) and time.monotonic() < deadline:
        select.select([], [], [], 0.05)
    return entries == [entry]


def fill(page: Page, person: Person) -> None:
    """Picks the account from the menu, confirms that this browser may fill this site, and sends the form."""
    until(lambda: shows(page, USER))
    page.press("ArrowDown", "Enter", after_ms=SETTLED_MS)
    person.seat.agree("” fill localhost?", "localhost")
    until(lambda: page.value(PASSWORD))
    page.press("Enter")


def make_a_passkey_and_sign_in(page: Page, person: Person) -> None:
    """Nobody has to be verified for either."""
    seat, judge = person.seat, Both("localhost", page.url)
    page.open("/")
    begin(page, "create", judge.creation("discouraged"))
    seat.choose("localhost", "Passwords")
    seat.window(title("Passwords", "localhost"), LIMIT)
    seat.wait_for("Save passkey")
    seat.use("Save passkey")
    assert not judge.created(finish(page))
    begin(page, "get", judge.request("discouraged"))
    seat.choose("localhost", NAME)
    # Both servers believe it.
    assert not judge.signed_in(finish(page))
