"""Saving in real browsers, with all of Keyway behind them: the question in its window, and what the vault has then."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from bidi import Browser
from desktop import LIMIT, Desktop, title
from page import Page
from site_server import Site, SiteServer
from support import USER, until
from test_saving import NEW, sign_in, type_into
from test_sign_in import USERNAME
from test_whole import Stack
from test_windows import desktop, real_browser, stack

from session.sample import add

__all__ = ["desktop", "real_browser", "stack"]
NEWCOMER = "grace"


@pytest.fixture
def page(real_browser: Browser, server: SiteServer, stack: Stack, desktop: Desktop, password: str) -> Iterator[Page]:
    """A browser before an open vault that has the account of the sample site, and no other one for it."""
    stack.unlock()
    for item in items(stack):
        if item["user"] in (USER, NEWCOMER):
            stack.keyway("passwords", "remove", item["id"], "--yes")
    add(stack, "Sample site", USER, server.url, password)
    yield Page(real_browser, server.url)
    real_browser.open("about:blank")
    desktop.wait_until_empty()


def press(desktop: Desktop, site: str, button: str) -> None:
    """Answers the question about a password, which takes a moment before it can be answered."""
    desktop.window(title("Keyway", site), LIMIT)
    until(lambda: "sensitive" in desktop.states(button), LIMIT)
    until(lambda: desktop.goes_to(button), LIMIT)
    desktop.press("Return")


def items(stack: Stack) -> list[dict]:
    return json.loads(stack.keyway("passwords", "list", "--json"))["items"]


def password_of(stack: Stack, name: str) -> str:
    return stack.keyway("passwords", "show", name, "--field", "password").strip()


def test_another_password_is_replaced_after_the_question_that_says_so(
    page: Page, site: Site, stack: Stack, desktop: Desktop, password: str, pictures: Path
) -> None:
    stack.keyway("passwords", "edit", "Sample site", "--password", secrets=["old one"])
    page.open("/")
    sign_in(page, USER, password)
    assert until(site.signed_in) == [USER]
    desktop.question(page.url, USER, "Passwords", "already has a password for this account")
    desktop.picture(pictures / f"{page.browser.name}-replace-password.png")
    press(desktop, page.url, "Replace")
    until(lambda: password_of(stack, "Sample site") == password)
    history = stack.keyway("passwords", "show", "Sample site", "--history", "--reveal")
    assert "old one" in history


def test_what_is_saved_already_is_no_question(
    page: Page, site: Site, stack: Stack, desktop: Desktop, password: str
) -> None:
    page.open("/")
    sign_in(page, USER, password)
    assert until(site.signed_in) == [USER]
    page.wait_for_path("/welcome")
    page.open("/join")
    desktop.wait_until_empty()
    assert password_of(stack, "Sample site") == password


def test_an_unlock_in_between_loses_nothing(
    page: Page, site: Site, stack: Stack, desktop: Desktop, password: str, pictures: Path
) -> None:
    stack.keyway("passwords", "remove", "Sample site", "--yes")
    stack.lock()
    page.open("/")
    sign_in(page, USER, password)
    assert until(site.signed_in) == [USER]
    desktop.question(page.url, USER, "Passwords")
    desktop.picture(pictures / f"{page.browser.name}-save-password.png")
    press(desktop, page.url, "Save")
    desktop.unlock("localhost", stack.sample.master)
    desktop.wait_until_empty()
    stack.unlock()
    (item,) = [item for item in items(stack) if item["user"] == USER]
    assert item["addresses"] == [page.url]
    assert password_of(stack, item["id"]) == password


def test_a_generated_password_is_in_the_vault_although_the_page_is_closed(
    page: Page, site: Site, stack: Stack, pictures: Path
) -> None:
    page.open("/join")
    type_into(page, USERNAME, NEWCOMER)
    page.click(NEW)
    page.wait_for_menu()
    page.browser.screenshot(pictures / f"{page.browser.name}-new-password.png")
    page.click_first_entry(NEW)
    made = until(lambda: page.value(NEW))
    page.browser.open("about:blank")
    (item,) = until(lambda: [item for item in items(stack) if item["user"] == NEWCOMER])
    assert item["tags"] == ["generated"]
    assert password_of(stack, item["id"]) == made
    # By the rules that the page states, the second field's lengths among them.
    assert 10 <= len(made) <= 24
    assert any(character.isupper() for character in made)
    assert any(character.isdigit() for character in made)
