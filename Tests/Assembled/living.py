"""A person's desktop with both browsers open on it, and a site to sign in to: one login goes through a whole file."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from bidi import Browser
from login import ROOT
from page import SETTLED_MS, Page
from person import IN_THE_STORE, IN_THE_VAULT, STORED, USER, Person
from seat import Seat, open_browser
from serving import serving
from site_server import Site, SiteServer
from support import until
from test_sign_in import PASSWORD, USERNAME


@pytest.fixture(scope="module")
def server() -> Iterator[SiteServer]:
    site = Site({USER: IN_THE_VAULT, STORED: IN_THE_STORE}, (ROOT / "Tests/Site/pages", ROOT / "Tests/Browsers/pages"))
    yield from serving(SiteServer(site))


@pytest.fixture
def site(server: SiteServer) -> Site:
    server.site.forget()
    return server.site


@pytest.fixture(scope="module")
def person(prefix: Path, server: SiteServer, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Person]:
    with Person(prefix) as person, Seat(tmp_path_factory.mktemp("machine")) as seat, person.terminal() as shell:
        person.seat, person.shell = seat, shell
        person.set_up(server.url)
        yield person


@pytest.fixture(scope="module", params=["chromium", "firefox"])
def browser(request: pytest.FixtureRequest, person: Person, server: SiteServer) -> Iterator[Browser]:
    """A browser that the person has let ask."""
    browser = open_browser(request.param, person)
    try:
        page = Page(browser, server.url)
        page.open("/")
        page.click(USERNAME)
        person.seat.agree("use Keyway?")
        page.wait_for_menu()
        yield browser
    finally:
        browser.close()


@pytest.fixture
def page(browser: Browser, person: Person, server: SiteServer) -> Iterator[Page]:
    page = Page(browser, server.url)
    page.open("/")
    yield page
    browser.open("about:blank")
    person.seat.wait_until_empty()


def choose(page: Page, user: str = USER, *, of: tuple[str, ...] = (USER,)) -> None:
    """Goes to an account of the menu, which offers these, and takes it."""
    page.click(USERNAME)
    entries = until(lambda: sorted(page.entries()) == sorted(of) and page.entries())
    page.press(*["ArrowDown"] * (entries.index(user) + 1), "Enter", after_ms=SETTLED_MS)


def sign_in(page: Page, site: Site) -> list[str]:
    until(lambda: page.value(PASSWORD))
    page.press("Enter")
    return until(site.signed_in)
