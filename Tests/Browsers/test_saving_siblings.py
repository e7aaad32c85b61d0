"""A page that sends a sign-in of its own making, in real browsers, with all of Keyway behind it: whose password it
could have replaced."""

from collections.abc import Iterator
from pathlib import Path
from threading import Thread

import pytest
from bidi import Browser
from desktop import LIMIT, Desktop, title
from page import Page
from secure_server import SecureServer
from site_server import PAGES, Site
from support import HERE, until
from test_saving import NEW, type_into
from test_saving_windows import NEWCOMER, items, password_of, press
from test_shared_accounts import HOST
from test_sign_in import PASSWORD, USERNAME
from test_whole import Stack
from test_windows import desktop, real_browser, stack

from session.sample import add

__all__ = ["desktop", "real_browser", "stack"]
# The form of the page works as the page says.
FAKE = """void document.forms[0].addEventListener('submit', (event) => {
    event.preventDefault();
    document.body.innerHTML = '<p>welcome</p>';
})"""
KEPT, OTHER_HOST = "precious", f"https://mail.{HOST}"


@pytest.fixture(scope="module")
def secure(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SecureServer]:
    server = SecureServer(Site({}), tmp_path_factory.mktemp("secure"), HOST)
    server.site.folders = (PAGES, HERE / "pages")
    Thread(target=server.serve_forever, daemon=True).start()
    yield server
    server.shutdown()


@pytest.fixture
def page(real_browser: Browser, secure: SecureServer, stack: Stack, desktop: Desktop) -> Iterator[Page]:
    """A page of one host, and an account at another host of the same site."""
    stack.unlock()
    for item in items(stack):
        if item["user"] == NEWCOMER:
            stack.keyway("passwords", "remove", item["id"], "--yes")
    add(stack, "Mailbox", NEWCOMER, OTHER_HOST, KEPT)
    yield Page(real_browser, secure.url)
    real_browser.open("about:blank")
    desktop.wait_until_empty()


def send(page: Page, user: str, appended: str, password: str) -> None:
    """The page appends something to what was typed for a user name."""
    page.open("/")
    page.browser.evaluate(FAKE)
    type_into(page, USERNAME, user)
    page.browser.evaluate(f"void ({USERNAME}.value += '{appended}')")
    page.press("Escape", "Tab", *password)
    assert page.value(PASSWORD) == password
    page.press("Enter")


def test_S1_a_generated_password_becomes_an_account_of_its_own_host(page: Page, stack: Stack) -> None:
    page.open("/join")
    page.browser.evaluate(FAKE)
    type_into(page, USERNAME, NEWCOMER)
    page.click(NEW)
    page.wait_for_menu()
    page.click_first_entry(NEW)
    made = until(lambda: page.value(NEW))

    def kept() -> dict[str, list[str]]:
        return {item["title"]: item["tags"] for item in items(stack) if item["user"] == NEWCOMER}

    # It is kept before its form is sent.
    until(lambda: kept() == {"Mailbox": [], HOST: ["generated"]})
    page.click("document.querySelector('form button')")
    # It is an account's own from then on.
    until(lambda: kept() == {"Mailbox": [], HOST: []})
    assert (password_of(stack, "Mailbox"), password_of(stack, HOST)) == (KEPT, made)


def test_S1_what_would_be_replaced_is_named_where_it_is(
    page: Page, stack: Stack, desktop: Desktop, pictures: Path
) -> None:
    # A mark that nobody sees makes no other account.
    send(page, NEWCOMER, "\\u200b", "of-the-page")
    desktop.window(title("Keyway", page.url), LIMIT)
    desktop.wait_for(f"Replace the password for \u2068mail.{HOST}\u2069?", "Replace")
    desktop.picture(pictures / f"replaced-elsewhere-{page.browser.name}.png")
    until(lambda: "sensitive" in desktop.states("Replace"), LIMIT)
    # After *Not Now*, the next browser would not be asked for a minute.
    press(desktop, page.url, "Never for This Site")
    desktop.wait_until_empty()
    assert password_of(stack, "Mailbox") == KEPT
    stack.keyway("save", "--ask-again", page.url)
