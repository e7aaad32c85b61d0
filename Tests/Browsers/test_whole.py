"""The whole way: real browser, extension, native host, broker, provider and vault, and the site that says who is in."""

import json
import os
import secrets
import select
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest
from bidi import Browser
from page import SETTLED_MS, Page
from site_server import Site, SiteServer
from support import LIMIT, USER, launch, until
from test_sign_in import PASSWORD, USERNAME

from session.private import PASSWORDS, PrivateSession
from session.sample import Sample, add, fill_vault

PLAIN = "http://login.bank.test:{port}"


class Stack(PrivateSession):
    """Everything of Keyway in a private folder, with a vault that has accounts for the sample site."""

    def __init__(self, stage: Path, sample: Sample) -> None:
        super().__init__()
        self.prefix.symlink_to(stage)
        self.sample = sample

    def end_broker(self) -> None:
        """Ends whichever broker runs here, also one that a client started, and waits until it has gone."""
        broker = json.loads(self.keyway("status", "--json"))["broker"]
        if broker is None:
            return
        end = os.pidfd_open(broker["processIdentifier"])
        try:
            signal.pidfd_send_signal(end, signal.SIGTERM)
            assert select.select([end], [], [], LIMIT)[0], "the broker does not end"
        finally:
            os.close(end)

    def close(self) -> None:
        self.end_broker()
        super().close()

    def lock(self) -> None:
        self.keyway("passwords", "lock")

    def unlock(self) -> None:
        self.keyway("passwords", "unlock", secrets=[self.sample.master])


@pytest.fixture(scope="session")
def stack(stage: Path, server: SiteServer, password: str) -> Iterator[Stack]:
    sample = Sample(master=secrets.token_urlsafe(16), user=USER, password=password)
    with Stack(stage, sample) as stack:
        stack.enable_beforehand(PASSWORDS)
        stack.start_broker()
        fill_vault(stack, sample, server.url)
        add(stack, "Plain", "plain@example.org", PLAIN.format(port=server.server_port), "over http")
        add(stack, "Secure", "secure@example.org", f"https://login.bank.test:{server.server_port}", "over https")
        yield stack


@pytest.fixture(scope="session")
def real_browser(
    browser_name: str, stack: Stack, stage: Path, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Browser]:
    host = stage / "libexec/keyway/keyway-browser-host"
    folder = tmp_path_factory.mktemp(f"whole-{browser_name}")
    browser = launch(browser_name, folder, host, stage / "share/keyway/browser", stack.environment)
    yield browser
    browser.close()


@pytest.fixture
def page(real_browser: Browser, server: SiteServer, stack: Stack) -> Page:
    stack.unlock()
    real_browser.open("about:blank")
    return Page(real_browser, server.url)


def test_signs_in_by_click(page: Page, site: Site) -> None:
    page.open("/")
    page.click(USERNAME)
    assert page.wait_for_menu() == [USER]
    page.click_first_entry(USERNAME)
    until(lambda: page.value(PASSWORD))
    page.press("Enter")
    assert until(site.signed_in) == [USER]


def test_signs_in_by_keyboard_over_two_pages(page: Page, site: Site) -> None:
    page.open("/first")
    page.press("Tab")
    page.wait_for_menu()
    page.press("ArrowDown", "Enter", after_ms=SETTLED_MS)
    until(lambda: page.value(USERNAME))
    page.press("Enter")
    page.wait_for_path("/second")
    page.press("Tab")
    page.wait_for_menu()
    page.press("ArrowDown", "Enter", after_ms=SETTLED_MS)
    until(lambda: page.value(PASSWORD))
    page.press("Enter")
    assert until(site.signed_in) == [USER]


def test_suggests_while_locked_and_goes_on_after_the_unlock(
    page: Page, site: Site, stack: Stack, pictures: Path
) -> None:
    stack.lock()
    page.open("/")
    page.click(USERNAME)
    assert page.wait_for_menu() == [USER]
    page.click_first_entry(USERNAME)
    assert "keyway passwords unlock" in until(lambda: len(page.notes()) > 1 and page.notes())
    page.browser.screenshot(pictures / f"{page.browser.name}-whole-locked.png")
    assert page.value(PASSWORD) == ""
    stack.unlock()
    until(lambda: page.value(PASSWORD))
    page.press("Enter")
    assert until(site.signed_in) == [USER]


def test_escape_while_locked_leaves_the_fields_empty_after_the_unlock(page: Page, stack: Stack) -> None:
    stack.lock()
    page.open("/")
    page.click(USERNAME)
    page.wait_for_menu()
    page.click_first_entry(USERNAME)
    until(lambda: len(page.notes()) > 1)
    page.press("Escape")
    stack.unlock()
    assert page.stays_without_menu()
    assert page.value(PASSWORD) == ""


@pytest.mark.parametrize("name", ["127.0.0.1", "other.localhost", "evil.test"])
def test_another_host_is_offered_no_account(page: Page, server: SiteServer, name: str) -> None:
    page.url = f"http://{name}:{server.server_port}"
    page.open("/")
    page.click(USERNAME)
    assert until(page.lists) == ["All passwords in Passwords…"]
    assert page.entries() == []


def test_plain_http_gets_only_what_was_saved_for_plain_http(page: Page, server: SiteServer) -> None:
    page.url = PLAIN.format(port=server.server_port)
    page.open("/")
    page.click(USERNAME)
    assert page.wait_for_menu() == ["plain@example.org"]
    page.click_first_entry(USERNAME)
    assert until(lambda: page.value(PASSWORD)) == "over http"


def test_a_broker_that_died_is_started_again(page: Page, stack: Stack, site: Site) -> None:
    broker = stack.processes[0]
    broker.kill()
    broker.wait()
    page.open("/")
    page.click(USERNAME)
    assert page.wait_for_menu() == [USER]
    stack.unlock()
    page.click_first_entry(USERNAME)
    until(lambda: page.value(PASSWORD))
    page.press("Enter")
    assert until(site.signed_in) == [USER]
