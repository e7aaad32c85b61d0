"""Servers that ask to sign in by HTTP itself: an offer that names host and realm, and nothing sent without a choice."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from bidi import Browser, DriverError
from guarded_site import USER, GuardedSite
from page import Page
from support import FakeHost, launch, until

# The window lets a choice count 0.7 seconds after it came.
SETTLED_MS = 900


@pytest.fixture
def guarded(host: FakeHost) -> Iterator[GuardedSite]:
    site = GuardedSite()
    host.accounts([{"origin": site.url, "user": USER, "password": site.password}])
    yield site
    site.shutdown()
    site.server_close()


@pytest.fixture
def tab(
    browser_name: str, fake_host: FakeHost, extension: Path, tmp_path: Path, guarded: GuardedSite
) -> Iterator[Page]:
    """A browser that no server has let in yet: it remembers what it sent."""
    browser = launch(browser_name, tmp_path, fake_host.program, extension)
    page = Page(browser)
    page.browser.open(f"{guarded.url}/open")
    # Until the background has run once, Chromium does not know what it listens for.
    until(lambda: fake_host.requests("state"))
    yield page
    browser.close()


class Offer(Page):
    """The window that names host and realm."""

    @classmethod
    def of(cls, page: Page, besides: str = "") -> "Offer":
        (context,) = until(lambda: [each for each in windows(page.browser) if each != besides])
        offer = cls(page.browser, context=context)
        until(offer.is_shown)
        return offer

    def is_shown(self) -> bool:
        try:
            return bool(self.ask("document.body.dataset.state === 'shown'"))
        except DriverError:
            return False

    def ask(self, expression: str) -> object:
        return self.browser.evaluate(expression, self.context)

    def texts(self, selector: str) -> list[str]:
        return self.ask(f"[...document.querySelectorAll({json.dumps(selector)})].map((each) => each.textContent)")

    def choose_first(self) -> None:
        until(lambda: self.ask("'settled' in document.body.dataset"))
        self.ask("void document.querySelector('[role=option]').click()")

    def decline(self) -> None:
        self.ask("void document.getElementById('decline').click()")


def windows(browser: Browser) -> list[str]:
    contexts = browser.send("browsingContext.getTree")["contexts"]
    return [each["context"] for each in contexts if "/src/basic/basic.html" in each["url"]]


def go(page: Page, url: str) -> None:
    """Begins to load a page, which may wait for the person."""
    target = {"context": page.browser.context}
    page.browser.send(
        "script.evaluate", expression=f"void (location.href = '{url}')", target=target, awaitPromise=False
    )


def title(page: Page) -> str:
    try:
        return str(page.browser.evaluate("document.title"))
    except DriverError:
        return ""


@pytest.mark.parametrize("scheme", ["basic", "digest", "digest-md5"])
def test_a_server_that_asks_is_answered_with_what_the_person_chose(
    tab: Page, guarded: GuardedSite, host: FakeHost, scheme: str
) -> None:
    go(tab, f"{guarded.url}/{scheme}/a")
    offer = Offer.of(tab)
    assert offer.texts("h1") == [f"localhost:{guarded.server_port} asks you to sign in"]
    assert offer.texts(".realm") == ["Staff"]
    assert offer.texts(".title") == [USER]
    assert guarded.sent == []
    offer.choose_first()
    until(lambda: title(tab) == "in")
    (asked,) = host.requests("fill")
    assert asked["params"] == {
        "url": f"{guarded.url}/{scheme}/a",
        "private": False,
        "realm": "Staff",
        "handle": "0",
        "fields": ["username", "password"],
    }
    until(lambda: not windows(tab.browser))


def test_nothing_is_sent_without_a_choice(tab: Page, guarded: GuardedSite, host: FakeHost) -> None:
    go(tab, f"{guarded.url}/basic/a")
    offer = Offer.of(tab)
    # Whatever key the page was waiting for falls on nothing.
    offer.press("Enter")
    assert offer.texts("[aria-selected=true]") == []
    offer.decline()
    until(lambda: not windows(tab.browser))
    assert (guarded.sent, host.requests("fill")) == ([], [])


def test_a_choice_counts_only_once_the_window_was_seen(tab: Page, guarded: GuardedSite, host: FakeHost) -> None:
    go(tab, f"{guarded.url}/basic/a")
    offer = Offer.of(tab)
    clicks = """new Promise((done) => {
        const unsettled = () => !('settled' in document.body.dataset);
        window.dispatchEvent(new Event('focus'));
        const early = unsettled();
        document.querySelector('[role=option]').click();
        done(early && unsettled());
    })"""
    assert offer.ask(clicks) is True
    assert offer.texts("#status p") == []
    assert (guarded.sent, host.requests("fill")) == ([], [])


def test_a_wrong_password_is_asked_about_once_more_and_then_by_the_browser(
    tab: Page, guarded: GuardedSite, host: FakeHost
) -> None:
    host.accounts([{"origin": guarded.url, "user": USER, "password": "wrong"}])
    go(tab, f"{guarded.url}/basic/a")
    first = Offer.of(tab)
    assert first.texts(".warning")[1:] == []
    first.choose_first()
    second = Offer.of(tab, besides=str(first.context))
    assert "rejected the account" in second.texts(".warning")[-1]
    second.choose_first()
    until(lambda: not windows(tab.browser))
    until(lambda: len(guarded.sent) == 2)
    assert len(host.requests("suggest")) == 2


def test_a_page_that_nobody_has_an_account_for_is_the_browsers_matter(
    tab: Page, guarded: GuardedSite, host: FakeHost
) -> None:
    host.accounts([])
    go(tab, f"{guarded.url}/basic/a")
    until(lambda: host.requests("suggest"))
    assert not windows(tab.browser)
    assert guarded.sent == []


def test_parts_of_a_page_are_offered_nothing(tab: Page, guarded: GuardedSite, host: FakeHost) -> None:
    go(tab, f"{guarded.url}/parts")
    until(lambda: guarded.asked.count("/basic/part") >= 1)
    tab.browser.send("script.evaluate", expression="1", target={"context": tab.browser.context}, awaitPromise=False)
    assert (windows(tab.browser), host.requests("suggest"), guarded.sent) == ([], [], [])


def test_a_load_that_ended_closes_its_offer(tab: Page, guarded: GuardedSite) -> None:
    go(tab, f"{guarded.url}/basic/a")
    offer = Offer.of(tab)
    elsewhere = "chrome.tabs.query({}).then((tabs) => chrome.tabs.update(tabs[0].id, {url: %r})).then(() => 1)"
    offer.ask(elsewhere % f"{guarded.url}/open")
    until(lambda: not windows(tab.browser))
    until(lambda: title(tab) == "open")
    assert guarded.sent == []
