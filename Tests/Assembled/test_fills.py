"""What Keyway is for, on the installed system: terminals, windows, browsers and both providers, as a person uses them.

One login goes through all of it: a desktop of which login1 knows, browsers that find Keyway where it registered itself.
"""

from __future__ import annotations

import pytest
from desktop import LIMIT, title
from living import browser, choose, page, person, server, sign_in, site
from login import MASTER
from own_pages import Popup
from page import Page
from person import IN_THE_STORE, IN_THE_VAULT, STORED, USER, Person
from relying_party import NAME, Both
from site_server import Site, SiteServer
from support import until
from test_passkeys import begin, finish
from test_sign_in import PASSWORD

__all__ = ["browser", "page", "person", "server", "site"]
BOTH = (USER, STORED)


@pytest.fixture(scope="module", autouse=True)
def store(person: Person, server: SiteServer) -> None:
    """The other provider has an account of the same site."""
    person.set_up_store(server.url)


def test_both_providers_fill_in_a_terminal(person: Person, server: SiteServer) -> None:
    suggested = person.shell.keyway(f"suggest {server.url}")
    assert USER in suggested
    assert STORED in suggested
    for user, password in ((USER, IN_THE_VAULT), (STORED, IN_THE_STORE)):
        assert person.shell.keyway(f"fill {server.url} --user {user}") == f"{password}\n"


def test_a_page_is_filled_from_a_vault_that_is_unlocked_in_a_window(page: Page, person: Person, site: Site) -> None:
    person.shell.keyway("passwords lock")
    choose(page, USER, of=BOTH)
    person.seat.unlock("localhost", MASTER)
    assert sign_in(page, site) == [USER]


def provider_in(popup: Popup, name: str) -> list[str]:
    """What the window of the toolbar button says of a provider: its state, and what its button does."""
    line = f"[...document.querySelectorAll('.provider')].find((each) => each.firstChild.textContent === '{name}')"
    words = "each.querySelector('.state')?.textContent, each.querySelector('button')?.textContent"
    return popup.ask(f"((each) => [{words}])({line})")


def use_button_of(popup: Popup, name: str) -> None:
    line = f"[...document.querySelectorAll('.provider')].find((each) => each.firstChild.textContent === '{name}')"
    popup.ask(f"void {line}.querySelector('button').click()")


def test_the_window_of_the_toolbar_button_locks_unlocks_and_fills(page: Page, person: Person, site: Site) -> None:
    # The first fill on a site is confirmed by the unlock that names it.
    person.shell.keyway("passwords lock")
    choose(page, USER, of=BOTH)
    person.seat.unlock("localhost", MASTER)
    assert sign_in(page, site) == [USER]
    page.open("/")
    popup = Popup(page)
    try:
        assert provider_in(popup, "Passwords") == ["Unlocked", "Lock Passwords"]
        use_button_of(popup, "Passwords")
        until(lambda: provider_in(popup, "Passwords") == ["Locked", "Unlock Passwords"])
        icon = "chrome.action.getTitle({})"
        use_button_of(popup, "Passwords")
        person.seat.unlock("localhost", MASTER)
        # The list behind that is taken back: nobody asked for an account in it.
        until(lambda: provider_in(popup, "Passwords") == ["Unlocked", "Lock Passwords"])
        person.seat.wait_until_empty()
        assert popup.ask(icon) == "Keyway AutoFill"
        assert sorted(popup.options()[:2]) == sorted([USER, STORED])
        popup.press(*["ArrowDown"] * (popup.options().index(USER) + 1), "Enter")
        until(popup.is_filled)
    finally:
        popup.close()
        page.browser.send("browsingContext.activate", context=page.browser.context)
    assert page.value(PASSWORD) == IN_THE_VAULT


def test_a_page_is_filled_from_the_password_store(page: Page, site: Site) -> None:
    choose(page, STORED, of=BOTH)
    assert sign_in(page, site) == [STORED]


def test_a_passkey_is_made_and_signs_in(page: Page, person: Person, server: SiteServer) -> None:
    seat = person.seat
    judge = Both("localhost", server.url)
    begin(page, "create", judge.creation())
    seat.choose("localhost", "Passwords")
    seat.confirm("localhost", MASTER)
    seat.window(title("Passwords", "localhost"), LIMIT)
    seat.wait_for("Save passkey")
    seat.use("Save passkey")
    assert judge.created(finish(page))
    begin(page, "get", judge.request("discouraged"))
    seat.choose("localhost", NAME)
    # Both servers believe it, and nobody had to be verified.
    assert not judge.signed_in(finish(page))
