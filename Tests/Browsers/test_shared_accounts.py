"""Sites that share their accounts, and the page where a password is changed, in real browsers on an encrypted site."""

from collections.abc import Iterator
from pathlib import Path
from threading import Thread

import pytest
from bidi import Browser
from context_menu import CHANGE_PASSWORD, choose, open_on
from desktop import Desktop
from page import Page
from passkey_stack import PasskeyStack
from secure_server import SecureServer
from site_server import Site
from support import until
from test_passkeys_whole import desktop, notifications, real_browser, stack
from test_sign_in import PASSWORD, USERNAME

from session.sample import add

__all__ = ["desktop", "notifications", "real_browser", "stack"]
# Two of one group in the public list of sites that share their accounts.
HOST, OTHER = "envato.com", "videohive.net"
VERA = "vera"
SECRET = "of the other site"


@pytest.fixture(scope="module")
def secure(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SecureServer]:
    server = SecureServer(Site({VERA: SECRET}), tmp_path_factory.mktemp("secure"), HOST)
    Thread(target=server.serve_forever, daemon=True).start()
    yield server
    server.shutdown()


@pytest.fixture(scope="module")
def shared(stack: PasskeyStack) -> PasskeyStack:
    """The stack, with an account for the other site alone."""
    stack.unlock()
    add(stack, "Videos", VERA, f"https://{OTHER}", SECRET)
    return stack


@pytest.fixture
def page(real_browser: Browser, secure: SecureServer, shared: PasskeyStack, desktop: Desktop) -> Iterator[Page]:
    shared.unlock()
    secure.site.forget()
    page = Page(real_browser, secure.url)
    page.open("/")
    yield page
    real_browser.open("about:blank")
    desktop.wait_until_empty()


def take_the_shared_one(page: Page, desktop: Desktop) -> None:
    """Chooses the only account that is offered, which is one of the other site, and waits for the question."""
    page.click(USERNAME)
    assert page.wait_for_menu() == [VERA]
    (detail,) = page.details()
    assert f"{OTHER}, which shares its accounts with {HOST}" in detail
    page.click_first_entry(USERNAME)
    desktop.question(HOST, OTHER, VERA)


def test_a_yes_that_names_both_sites_fills_the_account_of_the_other_one(
    page: Page, desktop: Desktop, secure: SecureServer, pictures: Path
) -> None:
    take_the_shared_one(page, desktop)
    desktop.picture(pictures / f"{page.browser.name}-account-of-another-site.png")
    assert page.value(PASSWORD) == ""
    desktop.allow(HOST)
    until(lambda: page.value(PASSWORD))
    assert page.value(USERNAME) == VERA
    page.press("Enter")
    assert until(secure.site.signed_in) == [VERA]


def test_the_page_where_the_password_is_changed_opens_beside_the_one_that_is_open(page: Page) -> None:
    open_on(page, USERNAME)
    choose(page.browser, CHANGE_PASSWORD)
    wanted = f"{page.url}/.well-known/change-password"

    def opened() -> list[str]:
        contexts = page.browser.send("browsingContext.getTree")["contexts"]
        return [each["context"] for each in contexts if each["url"] == wanted]

    (tab,) = until(opened)
    page.browser.send("browsingContext.close", context=tab)


@pytest.fixture
def forgotten(shared: PasskeyStack) -> Iterator[None]:
    """What the person closed is not remembered beyond the test."""
    yield
    shared.end_broker()
    shared.start_on_desktop()


def test_closing_the_question_fills_nothing_and_is_not_asked_again_at_once(
    page: Page, desktop: Desktop, forgotten: None
) -> None:
    take_the_shared_one(page, desktop)
    desktop.refuse("Keyway", HOST)
    desktop.wait_until_empty()
    until(lambda: page.notes() or not page.entries())
    page.press("Escape")
    page.open("/")
    page.click(USERNAME)
    assert page.wait_for_menu() == [VERA]
    page.click_first_entry(USERNAME)
    until(lambda: "a moment ago" in " ".join(page.notes()))
    assert (page.value(USERNAME), page.value(PASSWORD)) == ("", "")
