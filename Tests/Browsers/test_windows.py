"""From a page into the windows of the system and back, in real browsers: unlocking, the whole list, another site."""

import secrets
from collections.abc import Iterator
from pathlib import Path

import pytest
from bidi import Browser
from context_menu import insert_into
from desktop import Desktop
from page import Page
from site_server import Site, SiteServer
from support import USER, launch, until
from test_sign_in import PASSWORD, USERNAME
from test_whole import Stack

from session.private import PASSWORDS
from session.sample import OTHERS, Sample, add, fill_vault

ALL_PASSWORDS = "All passwords in Passwords…"
ELSEWHERE = "reader"


@pytest.fixture(scope="module")
def desktop() -> Iterator[Desktop]:
    with Desktop() as desktop:
        yield desktop


@pytest.fixture(scope="module")
def stack(stage: Path, server: SiteServer, password: str, desktop: Desktop) -> Iterator[Stack]:
    """Everything of Keyway on a desktop: only the broker knows where that is."""
    sample = Sample(master=secrets.token_urlsafe(16), user=USER, password=password)
    with Stack(stage, sample) as stack:
        stack.enable_beforehand(PASSWORDS)
        variables = {name: desktop.environment[name] for name in ("DISPLAY", "DBUS_SESSION_BUS_ADDRESS")}
        plain = dict(stack.environment)
        stack.environment |= variables
        stack.start_broker()
        stack.environment = plain
        fill_vault(stack, sample, server.url)
        add(stack, "Shelf", ELSEWHERE, "https://shelf.example", "of the shelf")
        stack.keyway("passwords", "edit", "Shelf", "--custom", "Reading room", secrets=["third floor, left"])
        desktop.accounts = ("Sample site", "Shelf", *(title for title, _, _ in OTHERS))
        yield stack


@pytest.fixture(scope="module")
def real_browser(
    browser_name: str, stack: Stack, stage: Path, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Browser]:
    folder = tmp_path_factory.mktemp(f"windows-{browser_name}")
    host = stage / "libexec/keyway/keyway-browser-host"
    browser = launch(browser_name, folder, host, stage / "share/keyway/browser", stack.environment)
    yield browser
    browser.close()


@pytest.fixture
def page(real_browser: Browser, server: SiteServer, stack: Stack, desktop: Desktop) -> Iterator[Page]:
    """A page of the sample site, with a locked vault behind it."""
    stack.lock()
    page = Page(real_browser, server.url)
    page.open("/")
    yield page
    # Whatever is still asked for this page ends with it.
    real_browser.open("about:blank")
    desktop.wait_until_empty()


def open_list(page: Page) -> None:
    page.click(USERNAME)
    assert until(page.lists) == [ALL_PASSWORDS]
    page.choose_list()


def test_a_locked_vault_is_unlocked_and_the_list_reached_from_a_page(
    page: Page, site: Site, stack: Stack, desktop: Desktop, pictures: Path
) -> None:
    open_list(page)
    until(lambda: "Passwords window" in " ".join(page.notes()))
    page.browser.screenshot(pictures / f"{page.browser.name}-choosing-in-a-window.png")
    desktop.unlock("localhost", stack.sample.master)
    desktop.wait_for_list("localhost")
    desktop.picture(pictures / f"{page.browser.name}-whole-list.png")
    desktop.pick("localhost", "Sample site")
    until(lambda: page.value(PASSWORD))
    assert page.value(USERNAME) == USER
    page.press("Enter")
    assert until(site.signed_in) == [USER]


def test_a_field_of_an_item_is_picked_in_the_window_and_inserted(
    page: Page, stack: Stack, desktop: Desktop, pictures: Path
) -> None:
    page.click(USERNAME)
    until(page.lists)
    page.open("/empty")
    page.browser.evaluate("void (document.body.innerHTML = '<textarea id=field></textarea>')")
    insert_into(page, "document.getElementById('field')")
    desktop.unlock("localhost", stack.sample.master)
    desktop.wait_for("Notes and fields of")
    desktop.type("Shelf")
    until(lambda: desktop.rows() == ["Shelf"])
    desktop.press("Return")
    desktop.wait_for("Reading room")
    desktop.picture(pictures / f"{page.browser.name}-text-to-insert.png")
    desktop.press("Return")
    assert until(lambda: page.value("document.getElementById('field')")) == "third floor, left"


def test_a_suggestion_of_a_locked_vault_is_filled_after_the_unlock(
    page: Page, site: Site, stack: Stack, desktop: Desktop
) -> None:
    page.click(USERNAME)
    assert page.wait_for_menu() == [USER]
    page.click_first_entry(USERNAME)
    desktop.unlock("localhost", stack.sample.master)
    until(lambda: page.value(PASSWORD))
    page.press("Enter")
    assert until(site.signed_in) == [USER]


def test_escape_in_the_window_leaves_the_page_empty(page: Page, desktop: Desktop) -> None:
    open_list(page)
    desktop.refuse("Passwords", "localhost")
    until(lambda: not page.notes())
    assert page.stays_without_menu()
    assert page.value(USERNAME) == page.value(PASSWORD) == ""


def test_leaving_the_page_takes_the_window_away(page: Page, desktop: Desktop) -> None:
    open_list(page)
    until(lambda: desktop.windows())
    page.open("/empty")
    desktop.wait_until_empty()


@pytest.mark.parametrize("answer", ["yes", "no"])
def test_an_account_of_another_site_is_asked_about_by_both_names(
    page: Page, stack: Stack, desktop: Desktop, pictures: Path, answer: str
) -> None:
    stack.unlock()
    open_list(page)
    desktop.pick("localhost", "Shelf")
    desktop.question("localhost", "shelf.example", ELSEWHERE)
    desktop.picture(pictures / f"{page.browser.name}-another-site.png")
    assert page.value(USERNAME) == page.value(PASSWORD) == ""
    if answer == "yes":
        desktop.allow("localhost")
        until(lambda: page.value(PASSWORD))
        assert (page.value(USERNAME), page.value(PASSWORD)) == (ELSEWHERE, "of the shelf")
    else:
        desktop.refuse("Keyway", "localhost")
        until(lambda: not page.notes())
        assert page.value(USERNAME) == page.value(PASSWORD) == ""


def test_a_page_without_an_account_reaches_the_list(
    page: Page, server: SiteServer, stack: Stack, desktop: Desktop
) -> None:
    stack.unlock()
    page.url = f"http://127.0.0.1:{server.server_port}"
    page.open("/")
    open_list(page)
    assert page.entries() == []
    desktop.pick("127.0.0.1", "Sample site")
    desktop.question("127.0.0.1", "localhost", USER)
    desktop.allow("127.0.0.1")
    assert until(lambda: page.value(USERNAME)) == USER
