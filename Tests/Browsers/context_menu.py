"""The browser's own context menu. In Firefox it is opened and its entry is chosen as a person does it. Chromium without
a display shows none: there, after the real press of the other button, the extension's background is told what the
browser tells it when the entry is chosen."""

import json

from bidi import Browser
from page import Page
from support import until
from worlds import background

OTHER_BUTTON = 2
CLICKED = """chrome.tabs.query({active: true}).then(([tab]) => void chrome.contextMenus.onClicked.dispatch(
    {menuItemId: '%s', editable: true, frameId: 0}, tab))"""
# Whether the entry is there, which is then chosen: in the menu of the extension's own, which Firefox makes of several.
CHOOSE = """(() => {
    const menu = document.getElementById('contentAreaContextMenu');
    const own = menu.querySelector(':scope > menu[id*="keyway"]');
    if (menu.state !== 'open' || !own) return false;
    if (own.menupopup.state !== 'open') {
        own.openMenu(true);
        return false;
    }
    const entry = [...own.menupopup.querySelectorAll('menuitem')].find(({label}) => label === %s);
    if (!entry || entry.hidden) return false;
    own.menupopup.activateItem(entry);
    return true;
})()"""
# The entries: what the extension calls each, and what the person reads.
INSERT = ("insert", "Insert from Keyway\u2026")
CHANGE_PASSWORD = ("changePassword", "Change this site\u2019s password\u2026")


def open_on(page: Page, field: str) -> None:
    """Presses the other button on a field."""
    box, corner = page.box(field), page.corner()
    left, top = corner["left"] + box["left"] + box["width"] / 2, corner["top"] + box["top"] + box["height"] / 2
    page.browser.click(left, top, button=OTHER_BUTTON)


def choose(browser: Browser, entry: tuple[str, str] = INSERT) -> None:
    """Chooses an entry of Keyway in the menu that is open."""
    identifier, label = entry
    if browser.name == "firefox":
        until(lambda: in_chrome(browser, CHOOSE % json.dumps(label)))
    else:
        with background(browser) as world:
            world.evaluate(CLICKED % identifier)


def insert_into(page: Page, field: str) -> None:
    open_on(page, field)
    choose(page.browser)


def in_chrome(browser: Browser, expression: str) -> bool:
    """Whether something is so in Firefox's own window."""
    window = browser.send("browsingContext.getTree", **{"moz:scope": "chrome"})["contexts"][0]["context"]
    answer = browser.send("script.evaluate", expression=expression, target={"context": window}, awaitPromise=False)
    return answer.get("result", {}).get("value") is True
