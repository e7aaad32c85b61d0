"""What a page gives to `navigator.credentials` comes to the same in a browser with the extension as in one without.

`passkey_options.js` has the table: each member of each dictionary with each kind of value. Both browsers have an
authenticator that agrees at once, and so has the fake host, so that whatever goes on ends soon.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

import pytest
from bidi import Browser
from page import Page
from site_server import SiteServer
from support import HERE, FakeHost, launch
from virtual_key import VirtualKey

SCRIPT = (HERE / "passkey_options.js").read_text()
Outcomes = dict[str, str]

GOES_ON, WAITS = "goes on", "waits"
REFUSED, UNSUPPORTED = "DOMException NotAllowedError", "DOMException NotSupportedError"


@dataclass(frozen=True)
class Difference:
    """What is different, and has to be; a table without one of these fails as one with another does."""

    alone: str
    ours: str
    why: str


MENU = "ours are chosen in the menu; the browser's own authenticator agrees to everything at once"
UNSEEN = "ours are made in the background; the browser knows no such requests, or waits for a password that it filled"
NAMES = "the browser's own authenticator keeps no name that is no Unicode"
BLOBS = "the browser's own authenticator has blobs for passkeys that can be discovered, or none; ours always has them"
PLUGGED_IN = "the browser looks where the page says that the passkey is; ours knows it by its ID"
CONSENT = "the browser asks the person first; the fake host does not"
ATTACHED = "the browser's own authenticator is no part of this machine; ours is"
LONG = "Chromium takes no salts of that length, so they are the browser's, and that has no such passkey in Firefox"
CONDITIONAL = "“conditional”"
SURROGATE = "half a surrogate pair"
DIFFERENCES = {
    "chromium": {
        ("create", "mediation", CONDITIONAL): Difference(WAITS, GOES_ON, UNSEEN),
        ("create", "publicKey.extensions.largeBlob.support", "“required”"): Difference(REFUSED, GOES_ON, BLOBS),
        ("create", "publicKey.rp.name", SURROGATE): Difference(REFUSED, GOES_ON, NAMES),
        ("create", "publicKey.user.displayName", SURROGATE): Difference(REFUSED, GOES_ON, NAMES),
        ("create", "publicKey.user.name", SURROGATE): Difference(REFUSED, GOES_ON, NAMES),
        ("get", "mediation", CONDITIONAL): Difference(GOES_ON, WAITS, MENU),
        ("get", "publicKey.allowCredentials.0.transports", "“usb” in a list"): Difference(WAITS, GOES_ON, PLUGGED_IN),
    },
    "firefox": {
        ("create", "mediation", CONDITIONAL): Difference(UNSUPPORTED, GOES_ON, UNSEEN),
        ("create", "publicKey.attestation", "“indirect”"): Difference(WAITS, GOES_ON, CONSENT),
        ("create", "publicKey.attestation", "“direct”"): Difference(WAITS, GOES_ON, CONSENT),
        ("create", "publicKey.attestation", "“enterprise”"): Difference(WAITS, GOES_ON, CONSENT),
        ("create", "publicKey.authenticatorSelection.authenticatorAttachment", "“platform”"): Difference(
            REFUSED, GOES_ON, ATTACHED
        ),
        ("get", "publicKey.extensions.prf.evalByCredential.*.first", "a long buffer"): Difference(
            GOES_ON, REFUSED, LONG
        ),
        ("get", "publicKey.extensions.prf.evalByCredential.*.second", "a long buffer"): Difference(
            GOES_ON, REFUSED, LONG
        ),
    },
}


class Table:
    """The table in one browser; `host` answers there, or nobody beside the browser itself."""

    def __init__(self, browser: Browser, url: str, host: FakeHost | None = None) -> None:
        self.browser = browser
        self.url = url
        self.host = host

    def outcomes(self, method: str) -> dict[str, Outcomes]:
        """What each kind of value came to, by member."""
        key = self.prepare()
        try:
            kept = (self.host.folder / "passkeys.json").read_text() if self.host else ""
            found = {}
            for member in self.browser.evaluate(f"passkeyOptions.members('{method}')"):
                if self.host:
                    # Nobody has that many passkeys, and the fake host reads them all each time.
                    self.host.set_mark("passkeys.json", kept)
                found[member] = self.browser.evaluate(f"passkeyOptions.run('{method}', {json.dumps(member)})")
            return found
        finally:
            key.remove()

    def prepare(self) -> VirtualKey:
        """A new page, and one passkey that the browser has, and one of ours, if there is one."""
        key = VirtualKey(self.browser)
        self.browser.open(f"{self.url}/empty")
        self.browser.evaluate(f"(() => {{{SCRIPT}}})()")
        if self.host:
            self.host.forget()
            self.host.set_mark("choice", "elsewhere")
            self.browser.evaluate("passkeyOptions.prepare()")
            self.host.clear_mark("choice")
        self.browser.evaluate("passkeyOptions.prepare()")
        return key


@pytest.fixture(scope="module")
def alone(browser_name: str, server: SiteServer, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Table]:
    """The browser without the extension."""
    browser = launch(browser_name, tmp_path_factory.mktemp(f"{browser_name}-alone"))
    yield Table(browser, server.url)
    browser.close()


@pytest.fixture
def ours(page: Page, server: SiteServer, host: FakeHost) -> Table:
    return Table(page.browser, server.url, host)


@pytest.mark.parametrize("method", ["create", "get"])
def test_each_member_with_each_kind_of_value_is_as_in_the_browser_alone(alone: Table, ours: Table, method: str) -> None:
    expected, found = alone.outcomes(method), ours.outcomes(method)
    assert Counter(kind for kinds in expected.values() for kind in kinds.values())["TypeError"] > 1000
    different = {
        (method, member, kind): (outcome, found[member][kind])
        for member, kinds in expected.items()
        for kind, outcome in kinds.items()
        if found[member][kind] != outcome
    }
    known = DIFFERENCES[alone.browser.name]
    assert different == {cell: (known[cell].alone, known[cell].ours) for cell in known if cell[0] == method}


@pytest.mark.parametrize("method", ["create", "get"])
def test_what_the_page_gives_is_read_once_and_in_the_browsers_order(alone: Table, ours: Table, method: str) -> None:
    read = []
    for table in (alone, ours):
        key = table.prepare()
        try:
            read.append(table.browser.evaluate(f"passkeyOptions.reads('{method}')"))
        finally:
            key.remove()
    assert read[0] == read[1]
    assert len(read[0]) > 30


def test_a_passkey_is_stored_no_more_than_the_browsers_own(alone: Table, ours: Table) -> None:
    said = []
    for table in (alone, ours):
        key = table.prepare()
        try:
            said.append(table.browser.evaluate("passkeyOptions.stored()"))
        finally:
            key.remove()
    assert said[0] == said[1] == [UNSUPPORTED, UNSUPPORTED]


def test_a_request_that_is_to_be_answered_at_once_needs_somebody_who_did_something(ours: Table, host: FakeHost) -> None:
    key = ours.prepare()
    try:
        ask = "passkeyOptions.immediate()"
        knows = ours.browser.name == "chromium"
        assert ours.browser.evaluate(ask) == (REFUSED if knows else GOES_ON)
        assert len(host.requests("passkeys.get")) == (0 if knows else 1)
        assert ours.browser.evaluate(ask, gesture=True) == GOES_ON
        assert len(host.requests("passkeys.get")) == (1 if knows else 2)
    finally:
        key.remove()
