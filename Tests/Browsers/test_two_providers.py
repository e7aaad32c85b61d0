"""Two providers at once, Passwords and Password Store, in real browsers: both in one menu, and each fills its own."""

import secrets
from collections.abc import Iterator

import pytest
from bidi import Browser
from page import SETTLED_MS, Page
from site_server import SiteServer
from support import launch, until
from test_sign_in import PASSWORD, USERNAME
from test_whole import Stack

from session.private import PASSWORDS
from session.sample import Sample, fill_vault
from session.store import STORE, Store

IN_THE_VAULT, IN_THE_STORE = "ada@example.org", "grace@example.org"


@pytest.fixture(scope="module")
def both(stage, server: SiteServer) -> Iterator[Stack]:
    """Everything of Keyway with an account for the sample site in each of two providers."""
    sample = Sample(master=secrets.token_urlsafe(16), user=IN_THE_VAULT, password="from the vault")
    with Stack(stage, sample) as stack:
        stack.enable_beforehand(PASSWORDS, STORE)
        stack.start_broker()
        store = Store(stack)
        store.init(store.make_key("open"))
        store.insert(f"{server.url.removeprefix('http://')}/{IN_THE_STORE}", "from the store\n")
        fill_vault(stack, sample, server.url)
        until(lambda: stack.keyway("suggest", server.url).count("@example.org") == 2, 60)
        yield stack
        store.close()


@pytest.fixture(scope="module")
def browser(browser_name: str, both: Stack, stage, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    host = stage / "libexec/keyway/keyway-browser-host"
    folder = tmp_path_factory.mktemp(f"two-{browser_name}")
    browser = launch(browser_name, folder, host, stage / "share/keyway/browser", both.environment)
    yield browser
    browser.close()


def test_both_are_in_the_menu_and_each_fills_its_own(browser: Browser, both: Stack, server: SiteServer) -> None:
    both.unlock()
    page = Page(browser, server.url)
    for user, password in ((IN_THE_VAULT, "from the vault"), (IN_THE_STORE, "from the store")):
        page.open("/")
        page.click(USERNAME)
        until(lambda: sorted(page.entries()) == [IN_THE_VAULT, IN_THE_STORE])
        entries = page.entries()
        page.press(*["ArrowDown"] * (entries.index(user) + 1), "Enter", after_ms=SETTLED_MS)
        assert until(lambda: page.value(PASSWORD)) == password
        assert page.value(USERNAME) == user
