"""What Keyway takes a field for, corrected in the context menu: kept for the site, listed, and undone there."""

import json
from collections.abc import Iterator

import pytest
from bidi import Browser
from own_pages import OwnPage
from page import Page
from support import USER, FakeHost, until
from test_sign_in import PASSWORD, USERNAME

ENTRIES = {
    "correctNothing": "Not a sign-in field",
    "correctUserName": "Use this field for the user name",
    "correctUndecided": "Let Keyway decide again",
}
# Firefox has no menu of its own without a window, but the one that it would show, which can be opened.
OPEN_MENU = "document.getElementById('contentAreaContextMenu').state === 'open'"
OPEN_SUBMENU = """(() => {
    const own = document.querySelector('#contentAreaContextMenu > menu[id*="keyway"]');
    own?.openMenu(true);
    return own?.menupopup?.state === 'open';
})()"""
ACTIVATE = """(() => {
    const popup = document.querySelector('#contentAreaContextMenu > menu[id*="keyway"]').menupopup;
    popup.activateItem([...popup.children].find(({ label }) => label === %s));
})()"""
# What Chromium calls when an entry is chosen: it shows no menu without a window.
DISPATCH = """chrome.tabs.query({}).then((tabs) => {
    const tab = tabs.find(({ url }) => url === %s);
    chrome.contextMenus.onClicked.dispatch({ menuItemId: %s, frameId: 0, editable: true }, tab);
})"""
LONELY = "<form><p><label>Reference <input id=reference name=reference></label><p><button>OK</button></form>"


@pytest.fixture(autouse=True)
def undone(page: Page) -> Iterator[None]:
    """No test leaves a correction to the next."""
    yield
    options = OwnPage(page.browser, "src/options/options.html")
    options.ask("chrome.storage.local.set({ corrections: {} })")
    options.close()


def open_menu(page: Page, field: str) -> None:
    """A press of the other button of the mouse on a field."""
    box = page.box(field)
    actions = [
        {"type": "pointerMove", "x": round(box["left"] + 30), "y": round(box["top"] + box["height"] / 2)},
        {"type": "pointerDown", "button": 2},
        {"type": "pointerUp", "button": 2},
    ]
    source = {"type": "pointer", "id": "mouse", "parameters": {"pointerType": "mouse"}, "actions": actions}
    page.browser.send("input.performActions", context=page.browser.context, actions=[source])


def choose(page: Page, field: str, entry: str) -> None:
    """Chooses an entry of the context menu of a field."""
    open_menu(page, field)
    if page.browser.name == "chromium":
        dispatch(page.browser, entry)
        return
    until(lambda: page.browser.chrome_value(OPEN_MENU))
    until(lambda: page.browser.chrome_value(OPEN_SUBMENU))
    page.browser.in_chrome(ACTIVATE % json.dumps(ENTRIES[entry]))
    until(lambda: not page.browser.chrome_value(OPEN_MENU))


def dispatch(browser: Browser, entry: str) -> None:
    """Calls the extension's background as the browser does."""
    targets = browser.devtools("Target.getTargets", {})["targetInfos"]
    (worker,) = [each["targetId"] for each in targets if each["type"] == "service_worker"]
    session = browser.devtools("Target.attachToTarget", {"targetId": worker, "flatten": False})["sessionId"]
    expression = DISPATCH % (json.dumps(browser.evaluate("location.href")), json.dumps(entry))
    message = {"id": 1, "method": "Runtime.evaluate", "params": {"expression": expression}}
    browser.devtools("Target.sendMessageToTarget", {"sessionId": session, "message": json.dumps(message)})


def kept(page: Page) -> list[str]:
    """The sites that the page of options lists, which it is told of as they come."""
    options = OwnPage(page.browser, "src/options/options.html")
    try:
        until(
            lambda: (
                options.texts("#corrections li span")
                or not options.ask("document.querySelector('#no-corrections').hidden")
            )
        )
        return options.texts("#corrections li span")
    finally:
        options.close()
        page.browser.send("browsingContext.activate", context=page.browser.context)


def test_what_is_no_sign_in_field_gets_no_menu_until_keyway_decides_again(page: Page) -> None:
    page.open("/")
    page.click(USERNAME)
    assert page.wait_for_menu() == [USER]
    choose(page, USERNAME, "correctNothing")
    until(lambda: kept(page) == ["localhost"])
    page.open("/")
    page.click(USERNAME)
    assert page.stays_without_menu()
    page.click(PASSWORD)
    assert page.wait_for_menu() == [USER]
    choose(page, USERNAME, "correctUndecided")
    until(lambda: kept(page) == [])
    page.open("/")
    page.click(USERNAME)
    assert page.wait_for_menu() == [USER]


def test_a_field_that_nobody_knew_is_filled_once_the_person_said_what_it_is(page: Page, host: FakeHost) -> None:
    for load in range(2):
        page.open("/empty")
        page.browser.evaluate(f"void (document.body.innerHTML = `{LONELY}`)")
        page.click("reference")
        if load == 0:
            assert page.stays_without_menu(0.5)
            choose(page, "reference", "correctUserName")
            until(lambda: kept(page) == ["localhost"])
            page.browser.evaluate("void document.activeElement.blur()")
            page.click("reference")
        assert page.wait_for_menu() == [USER]
        page.click_first_entry("reference")
        until(lambda: page.value("reference") == USER)


def test_a_field_in_a_closed_shadow_root_is_the_one_that_has_the_focus(page: Page) -> None:
    page.open("/empty")
    page.browser.evaluate(
        "void (document.body.innerHTML = '<div id=host></div>',"
        "document.querySelector('#host').attachShadow({mode: 'closed'}).innerHTML ="
        " '<form><input name=user><input type=password><button>Log in</button></form>')"
    )
    page.click("host")
    choose(page, "host", "correctNothing")
    until(lambda: kept(page) == ["localhost"])
