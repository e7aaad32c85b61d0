"""A browser that shows the extension no sites, or runs it no more: doctor says so, and one click on the icon asks for
sites."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from bidi import Browser
from login import Login
from profiles import said_of_extension, used_profile
from support import until
from test_fills import open_browser, profile_folder

CHROMIUM, FIREFOX = "pniijmlillaikoljeeajbdinbododcbl", "autofill@keyway.org"
POLICY = f'WebExtensionPolicy.getByID("{FIREFOX}")'


def wait_for(status: str, name: str, login: Login, folder: Path) -> None:
    """Until doctor says that of the extension."""
    until(lambda: said_of_extension(name, login, folder)["status"] == status)


def choose_sites(browser: Browser, access: str) -> None:
    """As a person does in chrome://extensions."""
    browser.open("chrome://extensions")
    configuration = f"{{extensionId: '{CHROMIUM}', hostAccess: '{access}'}}"
    browser.evaluate(f"chrome.developerPrivate.updateExtensionConfiguration({configuration})")


def test_doctor_says_that_chromium_keeps_sites_back(login: Login) -> None:
    folder = profile_folder("chromium", login)
    browser = open_browser("chromium", login, folder)
    try:
        choose_sites(browser, "ON_CLICK")
        # It writes its settings down some seconds later.
        wait_for("warning", "chromium", login, folder)
        assert "(profile Default)" in said_of_extension("chromium", login, folder)["detail"]
    finally:
        browser.close()


def turn_in_chromium(browser: Browser, is_on: bool) -> None:
    browser.open("chrome://extensions")
    browser.evaluate(f"chrome.management.setEnabled('{CHROMIUM}', {str(is_on).lower()})")


def turn_in_firefox(browser: Browser, is_on: bool) -> None:
    browser.chrome_value(f"""(async () => {{
        const {{ AddonManager }} = ChromeUtils.importESModule("resource://gre/modules/AddonManager.sys.mjs");
        await (await AddonManager.getAddonByID("{FIREFOX}")).{"enable" if is_on else "disable"}();
        return "";
    }})()""")


@pytest.mark.parametrize(("name", "turn"), [("chromium", turn_in_chromium), ("firefox", turn_in_firefox)])
def test_doctor_says_that_the_extension_is_off(name: str, turn: Callable[[Browser, bool], None], login: Login) -> None:
    folder = profile_folder(name, login)
    with closing(open_browser(name, login, folder)) as browser:
        wait_for("ok", name, login, folder)
        for is_on, status in ((False, "warning"), (True, "ok")):
            turn(browser, is_on)
            wait_for(status, name, login, folder)


def test_doctor_says_that_firefox_keeps_sites_back_until_a_click_allows_them(login: Login) -> None:
    folder = used_profile("firefox", login)
    # It lies where Firefox looks for extensions when it starts.
    assert "no profile that you use" in said_of_extension("firefox", login, folder)["detail"]
    browser = open_browser("firefox", login, folder)
    try:
        wait_for("ok", "firefox", login, folder)
        take_sites_away(browser)
        wait_for("warning", "firefox", login, folder)
        assert "(profile used.default)" in said_of_extension("firefox", login, folder)["detail"]
        until(lambda: asks_for_sites(browser))
        browser.in_chrome('document.getElementById("addon-webext-permissions-notification").button.click()')
        wait_for("ok", "firefox", login, folder)
    finally:
        browser.close()


def take_sites_away(browser: Browser) -> None:
    """As the switches in about:addons do."""
    browser.chrome_value(f"""(async () => {{
        const {{ ExtensionPermissions }} =
            ChromeUtils.importESModule("resource://gre/modules/ExtensionPermissions.sys.mjs");
        const sites = {{ permissions: [], origins: ["http://*/*", "https://*/*"] }};
        await ExtensionPermissions.remove("{FIREFOX}", sites, {POLICY}.extension);
        return "";
    }})()""")


def asks_for_sites(browser: Browser) -> bool:
    """Clicks the icon of the extension, whatever part of Firefox's window it is in; whether Firefox asks then."""
    browser.in_chrome(f"""
        ChromeUtils.importESModule("resource://gre/modules/ExtensionParent.sys.mjs").ExtensionParent
            .apiManager.global.browserActionFor({POLICY}.extension).triggerAction(window)""")
    return browser.chrome_value("PopupNotifications.panel.state") == "open"
