"""Passkeys on a machine where the system has no way to verify anybody: only the provider's own window does."""

import plistlib
from collections.abc import Iterator
from pathlib import Path

import pytest
from bidi import Browser
from desktop import Desktop
from linked_tree import copy_linked
from page import Page
from passkey_stack import MASTER, PasskeyStack, passkey_stack
from relying_party import NAME, Both
from site_server import Site, SiteServer
from test_passkeys import CONDITIONAL, ask, begin, finish
from test_passkeys_whole import Upgrading, counted_on


@pytest.fixture(scope="module")
def desktop() -> Iterator[Desktop]:
    with Desktop() as desktop:
        yield desktop


@pytest.fixture(scope="module")
def stack(
    stage: Path, server: SiteServer, password: str, desktop: Desktop, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[PasskeyStack]:
    """The installed tree, but that its provider checks no master password for the system."""
    tree = tmp_path_factory.mktemp("unverified") / "tree"
    copy_linked(stage, tree)
    information = tree / "share/keyway/providers/Passwords.appex/Info.plist"
    content = plistlib.loads(information.read_bytes())
    del content["KeywayChecksMasterPassword"]
    information.unlink()
    information.write_bytes(plistlib.dumps(content))
    with passkey_stack(tree, desktop, password, server.url) as stack:
        yield stack


@pytest.fixture(scope="module")
def real_browser(browser_name: str, stack: PasskeyStack, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    browser = stack.launch(browser_name, tmp_path_factory.mktemp(f"unverified-{browser_name}"))
    yield browser
    browser.close()


@pytest.fixture
def page(real_browser: Browser, server: SiteServer, desktop: Desktop) -> Iterator[Page]:
    page = Page(real_browser, server.url)
    page.open("/")
    yield page
    real_browser.open("about:blank")
    desktop.wait_until_empty()


def test_nobody_is_said_to_be_verified_but_by_the_providers_own_window(
    page: Page, stack: PasskeyStack, desktop: Desktop
) -> None:
    assert counted_on(page) == [True, False, True]
    judge = Both("localhost", page.url)
    begin(page, "create", judge.creation("preferred"))
    desktop.choose("localhost", "Passwords")
    stack.keep()
    assert judge.created(finish(page)) is False
    begin(page, "get", judge.request("preferred"))
    desktop.choose("localhost", NAME)
    assert judge.signed_in(finish(page)) is False
    begin(page, "get", judge.request("required"))
    desktop.choose("localhost", NAME)
    desktop.refuse("Passwords", "localhost")
    assert finish(page)["error"] == "NotAllowedError"
    begin(page, "get", judge.request("required"))
    desktop.choose("localhost", NAME)
    desktop.unlock("localhost", MASTER)
    assert judge.signed_in(finish(page), verified=True) is True


def test_no_account_is_upgraded(page: Page, server: SiteServer, site: Site, stack: PasskeyStack) -> None:
    upgrading = Upgrading("localhost", server.url, site, stack)
    assert upgrading.sign_in(page.browser)
    judge = Both("localhost", server.url)
    assert ask(page, "create", judge.creation(), CONDITIONAL)["error"] == "NotAllowedError"
    assert upgrading.why_not() == "Keyway can't verify you on this computer; run: keyway verification."
