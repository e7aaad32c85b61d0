"""A person on that machine: a terminal, a desktop, and browsers that nobody told anything."""

from __future__ import annotations

import os
import select
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from bidi import PREFERENCES, Browser, connect, post, start, start_firefox, stop
from conftest import living_person
from login import MASTER, ROOT, Login
from login import USER as USER_ID
from page import SETTLED_MS, Page
from person import IN_THE_VAULT, USER, Person
from serving import serving
from site_server import Site, SiteServer
from support import until
from test_sign_in import PASSWORD, USERNAME


@pytest.fixture(scope="module")
def server() -> Iterator[SiteServer]:
    yield from serving(SiteServer(Site({USER: IN_THE_VAULT}, (ROOT / "Tests/Site/pages",))))


@pytest.fixture
def site(server: SiteServer) -> Site:
    server.site.forget()
    return server.site


@pytest.fixture(scope="module")
def person(prefix: Path, server: SiteServer, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Person]:
    with living_person(prefix, tmp_path_factory.mktemp("machine"), server.url) as person:
        yield person


def test_a_terminal_is_filled(person: Person, server: SiteServer) -> None:
    assert person.shell.keyway(f"fill {server.url} --user {USER}") == f"{IN_THE_VAULT}\n"


# Other tests leave it out: Firefox offers to save passwords itself, beside Keyway.
AS_IT_COMES = {"signon.rememberSignons": True}


def open_browser(name: str, login: Login, folder: Path) -> Browser:
    """A browser of the person's with its profile in `folder`, told nothing of Keyway: no switch, no preference."""
    who = {"user": USER_ID, "group": USER_ID, "extra_groups": [], "cwd": "/"}
    if name == "firefox":
        browser = start_firefox(folder, folder / "profile", login.environment, AS_IT_COMES, **who)
    else:
        browser = start_plain_chromium(folder, login.environment, **who)
    browser.adopt_first_tab()
    return browser


def profile_folder(name: str, login: Login) -> Path:
    folder = Path(tempfile.mkdtemp(prefix=f"{name}-", dir=login.tools))
    (folder / "profile").mkdir()
    for path in (folder, folder / "profile"):
        os.chown(path, USER_ID, USER_ID)
    return folder


def start_plain_chromium(folder: Path, environment: dict[str, str], **who: object) -> Browser:
    """Debian's Chromium with its own sandbox; only that it is driven, and draws nowhere."""
    process, port = start(
        ["/usr/bin/chromedriver", "--port=0"],
        *(folder / "driver.log", r"started successfully on port (\d+)", environment),
        **who,
    )
    options = {
        "binary": "/usr/bin/chromium",
        "args": ["--headless=new", f"--user-data-dir={folder}/profile", "--window-size=1000,700"],
    }
    wanted = {"browserName": "chrome", "webSocketUrl": True, "goog:chromeOptions": options}
    try:
        answer = post(f"http://127.0.0.1:{port}/session", {"capabilities": {"alwaysMatch": wanted}})
        socket = connect(answer["capabilities"]["webSocketUrl"], max_size=None, proxy=None, legacy=True)
        browser = Browser("chromium", process, socket)
        browser.session = f"http://127.0.0.1:{port}/session/{answer['sessionId']}"
        return browser
    except BaseException as error:
        stop(process)
        error.add_note((folder / "driver.log").read_text()[-4000:])
        raise


def test_no_preference_of_the_tests_lets_firefox_take_an_extension() -> None:
    assert not [name for name in PREFERENCES if "xpinstall" in name or name.startswith("extensions.auto")]


@pytest.mark.parametrize("name", ["chromium", "firefox"])
def test_a_fresh_browser_has_the_extension_and_fills(name: str, person: Person, server: SiteServer, site: Site) -> None:
    browser = open_browser(name, person, profile_folder(name, person))
    try:
        fill(Page(browser, server.url), person)
        assert until(site.signed_in) == [USER]
    finally:
        browser.close()


def fill(page: Page, person: Person) -> None:
    # The extension becomes active while the browser already shows its first page.
    until(lambda: is_asked(page, person), 120)
    person.seat.agree("use Keyway?")
    page.wait_for_menu()
    person.shell.keyway("passwords lock")
    page.open("/")
    page.click(USERNAME)
    choose(page, person)


def fill_again(page: Page) -> None:
    """The same where the browser may ask, and the vault is open."""
    page.open("/")
    page.click(USERNAME)
    choose(page)


def choose(page: Page, unlocker: Person | None = None) -> None:
    """Picks the account from the menu, and sends the form; `unlocker` is asked for the master password."""
    until(lambda: page.entries() == [USER])
    page.press("ArrowDown", "Enter", after_ms=SETTLED_MS)
    if unlocker:
        unlocker.seat.unlock("localhost", MASTER)
    until(lambda: page.value(PASSWORD))
    page.press("Enter")


def is_asked(page: Page, person: Person) -> bool:
    """Whether a click into a field of a page that was just opened leads to a question."""
    page.open("/")
    page.click(USERNAME)
    deadline = time.monotonic() + 20
    while not (windows := person.seat.windows()) and time.monotonic() < deadline:
        select.select([], [], [], 0.05)
    return bool(windows)
