"""Signing in, in real browsers; the site itself says whether somebody is signed in."""

from pathlib import Path

import pytest
from bidi import Browser
from conftest import USER, FakeHost, until
from page import SETTLED_MS, Page
from site_server import Site, SiteServer

USERNAME = "document.getElementById('username')"
PASSWORD = "document.getElementById('password')"


@pytest.fixture
def page(browser: Browser) -> Page:
    return Page(browser)


def test_signs_in_by_click(page: Page, server: SiteServer, site: Site, host: FakeHost, tmp_path: Path) -> None:
    page.browser.open(server.url)
    page.click(USERNAME)
    assert page.wait_for_menu() == [USER]
    page.click_first_entry(USERNAME)
    until(lambda: page.value(PASSWORD))
    page.press("Enter")
    until(site.signed_in)
    assert site.signed_in() == [USER]


def test_signs_in_by_keyboard(page: Page, server: SiteServer, site: Site, host: FakeHost) -> None:
    page.browser.open(server.url)
    page.press("Tab")
    page.wait_for_menu()
    page.press("ArrowDown", "Enter", after_ms=SETTLED_MS)
    until(lambda: page.value(PASSWORD))
    page.press("Enter")
    until(site.signed_in)
