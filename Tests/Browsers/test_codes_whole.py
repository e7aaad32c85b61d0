"""One-time codes with all of Keyway behind a real browser: what is filled is what `oathtool` makes of the secret."""

import subprocess
import time
from collections.abc import Iterator

import pytest
from bidi import Browser
from page import SETTLED_MS, Page
from site_server import SiteServer
from support import USER, until
from test_sign_in import PASSWORD, USERNAME
from test_whole import Stack, real_browser, stack

from session.sample import add

__all__ = ["real_browser", "stack"]
CODE = "document.getElementById('code')"
SECOND = "grace@example.org"
SECRETS = {USER: "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ", SECOND: "JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP"}
PERIOD = 30


@pytest.fixture(scope="module")
def coded(stack: Stack, server: SiteServer) -> Iterator[Stack]:
    """Two accounts of the sample site, each with a code of its own."""
    stack.unlock()
    stack.keyway("passwords", "edit", "Sample site", "--code", secrets=[link(USER)])
    add(stack, "Sample site, too", SECOND, server.url, "of the second")
    stack.keyway("passwords", "edit", "Sample site, too", "--code", secrets=[link(SECOND)])
    yield stack


@pytest.fixture
def page(real_browser: Browser, server: SiteServer, coded: Stack) -> Page:
    coded.unlock()
    real_browser.open("about:blank")
    return Page(real_browser, server.url)


def link(user: str) -> str:
    return f"otpauth://totp/Sample:{user}?secret={SECRETS[user]}&issuer=Sample"


def theirs(user: str, since: float) -> set[str]:
    """The codes of `user` that oathtool makes for each period from `since` until now."""
    steps = range(int(since // PERIOD), int(time.time() // PERIOD) + 1)
    command = ["oathtool", "--totp", "-b", SECRETS[user], "-N"]
    made = [subprocess.run([*command, f"@{step * PERIOD}"], capture_output=True, text=True) for step in steps]
    return {each.stdout.strip() for each in made}


def sign_in(page: Page, user: str) -> None:
    """The password of `user`, chosen in the menu, and the button."""
    page.click(USERNAME)
    names = page.wait_for_menu()
    assert sorted(names) == sorted(SECRETS)
    page.press(*["ArrowDown"] * (names.index(user) + 1), "Enter", after_ms=SETTLED_MS)
    until(lambda: page.value(PASSWORD))
    assert page.value(USERNAME) == user
    page.browser.evaluate("document.forms[0].requestSubmit()")


def choose_code(page: Page, user: str) -> float:
    """The first code of the menu, which is that of `user`; when it was asked for."""
    until(lambda: page.browser.evaluate(f"{CODE} !== null"))
    page.click(CODE)
    names = page.wait_for_menu()
    assert names[0] == user
    assert sorted(names) == sorted(SECRETS)
    asked = time.time()
    page.click_first_entry(CODE)
    return asked


@pytest.mark.parametrize("user", [SECOND, USER])
def test_after_the_password_the_same_page_gets_that_accounts_code(page: Page, user: str) -> None:
    page.open("/code-later")
    sign_in(page, user)
    asked = choose_code(page, user)
    assert until(lambda: page.value(CODE)) in theirs(user, asked)


@pytest.mark.parametrize("user", [SECOND, USER])
def test_after_the_password_the_next_page_gets_that_accounts_code(page: Page, user: str) -> None:
    page.open("/code-later#code")
    sign_in(page, user)
    page.wait_for_path("/code")
    asked = choose_code(page, user)
    assert until(lambda: page.value(CODE)) in theirs(user, asked)


@pytest.mark.parametrize("user", [SECOND, USER])
def test_after_the_password_the_boxes_of_the_next_page_get_that_accounts_code(page: Page, user: str) -> None:
    page.open("/code-later#code-boxes")
    sign_in(page, user)
    page.wait_for_path("/code-boxes")
    asked = choose_code(page, user)

    def filled() -> str:
        values = "[...document.querySelectorAll('input')].map((each) => each.value).join('')"
        text = str(page.browser.evaluate(values))
        return text if len(text) == 6 else ""

    assert until(filled) in theirs(user, asked)


def test_a_locked_vault_gives_the_code_after_the_unlock(page: Page, coded: Stack) -> None:
    coded.lock()
    page.open("/code")
    page.click(CODE)
    assert sorted(page.wait_for_menu()) == sorted(SECRETS)
    (user, *_) = page.entries()
    asked = time.time()
    page.click_first_entry(CODE)
    until(lambda: "keyway passwords unlock" in " ".join(page.notes()))
    assert page.value(CODE) == ""
    coded.unlock()
    assert until(lambda: page.value(CODE)) in theirs(user, asked)
