"""The first minutes of somebody who installed the packages, logged in and opened a browser: nothing was typed anywhere,
no provider is on, and the first field of a sign-in leads to all the rest."""

from __future__ import annotations

import select
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from bidi import Browser
from conftest import newcomer
from desktop import LIMIT, title
from first_run import ROW, choose_row, go_through, press
from login import MASTER, ROOT
from page import SETTLED_MS, Page
from person import IN_THE_VAULT, USER, Person
from relying_party import NAME, Both
from serving import serving
from site_server import Site, SiteServer
from support import until
from test_fills import open_browser, profile_folder
from test_passkeys import begin, finish
from test_saving import sign_in
from test_sign_in import PASSWORD, USERNAME


@pytest.fixture
def server() -> Iterator[SiteServer]:
    yield from serving(SiteServer(Site({USER: IN_THE_VAULT}, (ROOT / "Tests/Site/pages",))))


@pytest.fixture
def person(prefix: Path, tmp_path: Path) -> Iterator[Person]:
    with newcomer(prefix, tmp_path) as person:
        yield person


@pytest.fixture(params=["chromium", "firefox"])
def page(request: pytest.FixtureRequest, person: Person, server: SiteServer) -> Iterator[Page]:
    """A page of a browser that was never started before."""
    browser: Browser = open_browser(request.param, person, profile_folder(request.param, person))
    yield Page(browser, server.url)
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


def is_offered(page: Page) -> bool:
    """Whether a click into a field of a page that was just opened offers the first run."""
    page.open("/")
    page.click(USERNAME)
    deadline = time.monotonic() + 20
    while not (entries := page.entries()) and time.monotonic() < deadline:
        select.select([], [], [], 0.05)
    return entries == [ROW]


def fill(page: Page, person: Person) -> None:
    """Picks the account from the menu, confirms that this browser may fill this site, and sends the form."""
    page.open("/")
    page.click(USERNAME)
    until(lambda: page.entries() == [USER])
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
