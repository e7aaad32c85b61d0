"""From the browser's request to the window and back: broker, bundled provider and `keyway-sheets` as processes."""

from __future__ import annotations

import os
import signal
from pathlib import Path

import pytest
from conftest import eventually, fill, suggest, url
from sheets import Display, until
from test_passwords_extension import MASTER, Vault, start_on_desktop
from wire import Refused, contents

from session.private import PASSWORDS

PAGE = "https://alpha.example/login"
TITLE = "\u2068Passwords\u2069 for \u2068alpha.example\u2069"


@pytest.fixture(scope="module")
def display():
    with Display() as display:
        yield display


@pytest.fixture
def desktop(keyway, display):
    """A broker that was started on a desktop, with a vault of two items that is locked."""
    start_on_desktop(keyway, display)
    yield keyway


@pytest.fixture
def browser(desktop):
    with desktop.connect("browser") as browser:
        yield browser


def ask(browser) -> int:
    (suggestion,) = suggest(browser, PAGE)
    return browser.request("fill", fill(suggestion["handle"], PAGE))


def unlock(display) -> None:
    display.window(TITLE)
    display.type(MASTER.decode())
    display.press("Return")


def test_a_locked_vault_is_unlocked_in_the_window(browser, display):
    number = ask(browser)
    unlock(display)
    result, descriptors = browser.answer(number, 60)
    assert result["credential"]["password"]["user"] == "ada"
    assert contents(descriptors[0]) == b"password of alpha"
    until(lambda: not display.windows())


def test_a_wrong_password_is_said_and_asked_again(browser, display):
    number = ask(browser)
    display.window(TITLE)
    display.type("wrong")
    display.press("Return")
    until(lambda: any("wrong" in node["name"].lower() for node in display.accessible()), 60)
    display.type(MASTER.decode())
    display.press("Return")
    _, descriptors = browser.answer(number, 60)
    assert contents(descriptors[0]) == b"password of alpha"


def pick(browser, display, title: str) -> int:
    """Opens the whole list for a page, unlocks it, and takes the account with this title."""
    services = {"target": {"list": {"provider": PASSWORDS}}, "services": [url(PAGE)], "presents": False}
    number = browser.request("fill", services)
    unlock(display)
    until(lambda: any(node["name"].startswith("beta") for node in display.accessible()), 60)
    display.type(title)
    display.press("Return")
    return number


def test_the_whole_list_is_reached_from_a_page(browser, display):
    number = pick(browser, display, "alpha")
    _, descriptors = browser.answer(number, 60)
    assert contents(descriptors[0]) == b"password of alpha"


QUESTION = "\u2068Keyway\u2069 for \u2068alpha.example\u2069"


def test_the_account_of_another_site_is_given_when_the_person_says_so(browser, display):
    number = pick(browser, display, "beta")
    display.window(QUESTION, 60)
    for name in ("alpha.example", "beta.example"):
        until(lambda name=name: any(name in node["name"] for node in display.accessible()), 60)
    display.can_use("Allow")
    display.press("Tab", "Return")
    _, descriptors = browser.answer(number, 60)
    assert contents(descriptors[0]) == b"password of beta"


def test_the_account_of_another_site_is_given_to_nobody_otherwise(browser, display):
    number = pick(browser, display, "beta")
    display.window(QUESTION, 60)
    display.press("Escape")
    with pytest.raises(Refused) as refusal:
        browser.answer(number, 60)
    assert refusal.value.kind == "cancelled"
    until(lambda: not display.windows())


def test_escape_ends_the_request(browser, display):
    number = ask(browser)
    display.window(TITLE)
    display.press("Escape")
    with pytest.raises(Refused) as refusal:
        browser.answer(number, 60)
    assert refusal.value.kind == "cancelled"
    until(lambda: not display.windows())


def test_a_browser_that_gives_up_takes_the_window_away(browser, display):
    number = ask(browser)
    display.window(TITLE)
    browser.notify("cancel", {"id": number})
    until(lambda: not display.windows())


def test_the_window_that_dies_ends_the_request_and_the_next_is_told_what_to_type(desktop, browser, display):
    number = ask(browser)
    display.window(TITLE)
    os.kill(sheets_of(desktop), signal.SIGKILL)
    with pytest.raises(Refused) as refusal:
        browser.answer(number, 60)
    assert refusal.value.kind == "cancelled"
    waiting = ask(browser)
    notice = browser.notification("fill.waiting")
    assert notice["request"] == waiting
    assert notice["command"] == "keyway passwords unlock"


def test_a_window_that_hangs_is_replaced_and_the_request_goes_on(desktop, browser, display):
    number = ask(browser)
    display.window(TITLE)
    browser.notify("cancel", {"id": number})
    until(lambda: not display.windows())
    hung = sheets_of(desktop)
    os.kill(hung, signal.SIGSTOP)
    number = ask(browser)
    until(lambda: not Path(f"/proc/{hung}").exists(), 60)
    unlock(display)
    _, descriptors = browser.answer(number, 60)
    assert contents(descriptors[0]) == b"password of alpha"


def test_the_window_ends_with_the_broker(desktop, browser, display):
    ask(browser)
    display.window(TITLE)
    process = sheets_of(desktop)
    desktop.stop(desktop.processes[-1])
    until(lambda: not Path(f"/proc/{process}").exists())


def test_without_a_display_the_browser_is_told_what_to_type(keyway):
    keyway.environment.pop("DISPLAY", None)
    keyway.environment.pop("WAYLAND_DISPLAY", None)
    keyway.start_broker()
    keyway.enable(PASSWORDS)
    with keyway.connect() as terminal, keyway.connect("browser") as browser:
        vault = Vault(terminal)
        vault.create()
        vault.add("alpha", b"password of alpha")
        eventually(lambda: suggest(terminal, PAGE))
        vault.lock()
        waiting = ask(browser)
        assert browser.notification("fill.waiting")["request"] == waiting


def sheets_of(desktop) -> int:
    """The process of the window, as the broker's log names it."""
    lines = [line for line in desktop.log.splitlines() if "keyway-sheets" in line and line.endswith("started")]
    return int(lines[-1].split()[-2])
