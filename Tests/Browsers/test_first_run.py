"""The first run in real browsers: from the first focused field, through windows of the system, to a saved password."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from bidi import Browser
from desktop import Desktop
from first_run import ROW, choose_row, go_through, press
from page import Page
from site_server import Site, SiteServer
from support import USER, launch, until
from test_saving import sign_in
from test_sign_in import USERNAME
from test_whole import Stack

from session.sample import Sample

MASTER = "gigantic-otter-waffle-nebula-42"


@pytest.fixture(scope="module")
def desktop() -> Iterator[Desktop]:
    with Desktop() as desktop:
        yield desktop


@pytest.fixture
def stack(stage: Path, password: str, desktop: Desktop) -> Iterator[Stack]:
    """Everything of Keyway on a desktop, with no provider on."""
    with Stack(stage, Sample(master=MASTER, user=USER, password=password)) as stack:
        variables = {name: desktop.environment[name] for name in ("DISPLAY", "DBUS_SESSION_BUS_ADDRESS")}
        plain = dict(stack.environment)
        stack.environment |= variables
        stack.start_broker()
        stack.environment = plain
        yield stack


@pytest.fixture
def page(
    browser_name: str, stack: Stack, stage: Path, server: SiteServer, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Page]:
    folder = tmp_path_factory.mktemp(f"first-run-{browser_name}")
    host = stage / "libexec/keyway/keyway-browser-host"
    browser: Browser = launch(browser_name, folder, host, stage / "share/keyway/browser", stack.environment)
    page = Page(browser, server.url)
    page.open("/")
    yield page
    browser.close()


def test_the_first_field_leads_to_a_saved_password(
    page: Page, site: Site, stack: Stack, desktop: Desktop, password: str, pictures: Path
) -> None:
    page.click(USERNAME)
    assert until(page.entries) == [ROW]
    page.browser.screenshot(pictures / f"{page.browser.name}-set-up.png")
    choose_row(page)
    desktop.wait_for("Set up Keyway?")
    desktop.picture(pictures / f"{page.browser.name}-set-up-window.png")
    go_through(desktop, MASTER)
    # Without loading the page again.
    sign_in(page, USER, password)
    assert until(site.signed_in) == [USER]
    press(desktop, "Save")
    desktop.wait_until_empty()
    stack.unlock()
    (item,) = until(lambda: json.loads(stack.keyway("passwords", "list", "--json"))["items"])
    assert item["user"] == USER
    assert stack.keyway("passwords", "show", item["id"], "--field", "password").strip() == password


def test_never_is_kept(page: Page, stack: Stack, desktop: Desktop) -> None:
    choose_row(page)
    press(desktop, "Never")
    desktop.wait_until_empty()
    page.open("/")
    page.click(USERNAME)
    assert page.stays_without_menu()


def test_a_page_cannot_begin_it(page: Page, desktop: Desktop) -> None:
    """T3: what a script clicks and types is not the person's."""
    page.click(USERNAME)
    assert until(page.entries) == [ROW]
    box = page.first_entry(USERNAME)
    page.browser.evaluate(
        f"""(() => {{
            const [clientX, clientY] = [{box["left"]}, {box["top"]}];
            const at = {{ clientX, clientY, bubbles: true, composed: true, cancelable: true }};
            const target = document.elementFromPoint(clientX, clientY);
            for (const kind of ['pointerdown', 'mousedown', 'pointerup', 'mouseup', 'click']) {{
                target.dispatchEvent(new MouseEvent(kind, at));
            }}
            for (const key of ['ArrowDown', 'Enter']) {{
                {USERNAME}.dispatchEvent(new KeyboardEvent('keydown', {{ key, bubbles: true, composed: true }}));
            }}
        }})()"""
    )
    # Had the script been heard, the menu would say that Keyway goes on elsewhere.
    assert page.entries() == [ROW]
    assert not desktop.windows()
