"""Private windows: everything that is asked from one says so, and nothing of it is remembered further on."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from bidi import Browser
from page import Page
from relying_party import Duo
from site_server import SiteServer
from support import USER, FakeHost, launch, until
from test_passkeys import ask
from test_sign_in import PASSWORD, USERNAME, choose_first


@pytest.fixture(scope="module")
def private_browser(
    browser_name: str, fake_host: FakeHost, extension: Path, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Browser]:
    folder = tmp_path_factory.mktemp(f"private-{browser_name}")
    browser = launch(browser_name, folder, fake_host.program, extension, private=True)
    yield browser
    browser.close()


@pytest.fixture
def page(private_browser: Browser, server: SiteServer, host: FakeHost) -> Page:
    private_browser.open("about:blank")
    return Page(private_browser, server.url)


def test_what_is_asked_and_filled_in_a_private_window_says_so(page: Page, host: FakeHost) -> None:
    page.open("/")
    choose_first(page)
    until(lambda: page.value(PASSWORD))
    asked = [request["params"]["private"] for name in ("suggest", "fill") for request in host.requests(name)]
    assert len(asked) >= 2
    assert all(asked)


def test_a_list_that_is_opened_from_a_private_window_says_so(page: Page, host: FakeHost) -> None:
    host.accounts([])
    host.lists("password", picked={"user": USER, "password": "picked"})
    page.open("/")
    page.click(USERNAME)
    until(page.lists)
    page.choose_list()
    until(lambda: page.value(PASSWORD))
    assert [request["params"]["private"] for request in host.requests("list")] == [True]


def test_passkeys_in_a_private_window_say_so(page: Page, host: FakeHost, server: SiteServer) -> None:
    duo = Duo("localhost", server.url)
    page.open("/")
    duo.created(ask(page, "create", duo.creation()))
    assert duo.signed_in(ask(page, "get", duo.request()))
    for method in ("passkeys.create", "passkeys.get"):
        assert [request["params"]["private"] for request in host.requests(method)] == [True]
