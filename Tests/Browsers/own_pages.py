"""The extension's own pages, opened in a tab beside the page that they are about."""

import json

from bidi import Browser, DriverError
from native_host import CHROMIUM_EXTENSION, FIREFOX_EXTENSION
from page import Page
from support import until

IN_WORKER = "chrome.tabs.query({}).then((tabs) => tabs.map(({id, url}) => [id, url ?? '']))"


def home_of(browser: Browser) -> str:
    """The address of the extension's own pages: Firefox makes one up for each profile."""
    if browser.name == "chromium":
        return f"chrome-extension://{CHROMIUM_EXTENSION}/"
    kept = browser.chrome_value("Services.prefs.getStringPref('extensions.webextensions.uuids')")
    return f"moz-extension://{json.loads(str(kept))[FIREFOX_EXTENSION]}/"


class OwnPage(Page):
    """One of the extension's own pages, in a tab of its own."""

    def __init__(self, browser: Browser, path: str) -> None:
        made = browser.send("browsingContext.create", type="tab", background=True)
        super().__init__(browser, home_of(browser), made["context"])
        self.go(path)

    def go(self, path: str) -> None:
        self.browser.send("browsingContext.navigate", context=self.context, url=self.url + path, wait="complete")

    def ask(self, expression: str) -> object:
        return self.browser.evaluate(expression, self.context)

    def texts(self, selector: str) -> list[str]:
        return self.ask(f"[...document.querySelectorAll({json.dumps(selector)})].map((each) => each.textContent)")

    def press_button(self, selector: str) -> None:
        self.ask(f"void document.querySelector({json.dumps(selector)}).click()")

    def activate(self) -> None:
        """Brings its tab to the front: Firefox presses no button in another one."""
        self.browser.send("browsingContext.activate", context=self.context)
        if self.browser.name == "firefox":
            self.browser.in_chrome("gBrowser.selectedBrowser.focus()")

    def close(self) -> None:
        self.browser.send("browsingContext.close", context=self.context)


class Popup(OwnPage):
    """The window of the toolbar button, about the tab of `page`."""

    def __init__(self, page: Page) -> None:
        super().__init__(page.browser, "src/options/options.html")
        self.page = page
        self.look()

    def look(self) -> None:
        """Opens the window anew."""
        address = self.browser.evaluate("location.href", self.page.context)
        tabs = self.ask(IN_WORKER)
        # The address of a page that is not of the web is not told.
        (number,) = [number for number, url in tabs if url == (address if address.startswith("http") else "")]
        # The same address with another fragment would be the same document.
        self.go("src/options/options.html")
        self.go(f"src/popup/popup.html#{number}")
        until(self.is_shown)

    def is_shown(self) -> bool:
        search = "document.getElementById('search')"
        has_keys = f"({search}.hidden || document.activeElement === {search})"
        return bool(self.ask(f"document.body.dataset.state === 'shown' && {has_keys}"))

    def options(self) -> list[str]:
        return self.texts("[role=option] .title")

    def headings(self) -> list[str]:
        return self.texts(".heading, .frame")

    def reason(self) -> str:
        return "".join(self.texts(".reason"))

    def said(self) -> list[str]:
        return self.texts("#status p")

    def is_filled(self) -> bool:
        """The window closes itself then, as far as a tab lets it."""
        try:
            return bool(self.ask("document.body.dataset.state === 'filled'"))
        except DriverError:
            return True

    def close(self) -> None:
        try:
            super().close()
        except DriverError:
            pass
