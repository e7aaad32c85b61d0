"""The end of the menu: the whole list of each provider, and what else the menu says when there is nothing to choose."""

import re

import pytest
from page import Page
from support import USER, FakeHost, until
from test_sign_in import PASSWORD, USERNAME

ALL_PASSWORDS = "All passwords in Example…"
ALL_CODES = "All one-time codes in Example…"
PICKED = {"user": "eve@example.org", "password": "picked", "code": "123456"}
CODE = "document.getElementById('code')"
CODE_FORM = """<form><label>Code from your authenticator app
    <input id=code autocomplete=one-time-code inputmode=numeric></label><button>Go on</button></form>"""


def test_the_menu_ends_with_the_whole_list(page: Page, host: FakeHost) -> None:
    host.lists("password", picked=PICKED)
    page.open("/")
    page.click(USERNAME)
    assert page.wait_for_menu() == [USER]
    assert page.lists() == [ALL_PASSWORDS]


@pytest.mark.parametrize("by", ["keys", "click"])
def test_an_account_is_picked_although_none_is_for_this_page(page: Page, host: FakeHost, by: str) -> None:
    host.accounts([])
    host.lists("password", picked=PICKED)
    page.open("/")
    page.click(USERNAME)
    assert until(page.lists) == [ALL_PASSWORDS]
    assert page.entries() == []
    if by == "keys":
        page.choose_list()
    else:
        page.click_first_entry(USERNAME)
    until(lambda: page.value(PASSWORD))
    assert (page.value(USERNAME), page.value(PASSWORD)) == (PICKED["user"], PICKED["password"])
    (request,) = host.requests("list")
    assert request["params"] == {
        "url": f"{page.url}/",
        "private": False,
        "provider": "org.example.provider",
        "fields": ["username", "password"],
    }


def test_the_menu_says_where_to_choose_and_escape_takes_it_back(page: Page, host: FakeHost) -> None:
    host.lists("password", picked=PICKED)
    host.lock()
    page.open("/")
    page.click(USERNAME)
    page.wait_for_menu()
    page.choose_list()
    until(lambda: host.requests("list"))
    until(page.notes)
    page.press("Escape")
    until(lambda: host.requests("cancel"))
    host.unlock()
    assert page.stays_without_menu()
    assert page.value(USERNAME) == page.value(PASSWORD) == ""


def test_a_field_for_a_code_gets_a_code_from_the_list(page: Page, host: FakeHost) -> None:
    host.lists("password", "oneTimeCode", picked=PICKED)
    page.open("/empty")
    page.browser.evaluate(f"void (document.body.innerHTML = `{CODE_FORM}`)")
    page.click(CODE)
    assert until(page.lists) == [ALL_CODES]
    assert page.entries() == []
    page.choose_list()
    assert until(lambda: page.value(CODE)) == PICKED["code"]
    assert [request["params"]["fields"] for request in host.requests("list")] == [["oneTimeCode"]]


def test_a_field_for_a_code_has_no_menu_where_nobody_has_codes(page: Page, host: FakeHost) -> None:
    host.lists("password", picked=PICKED)
    page.open("/empty")
    page.browser.evaluate(f"void (document.body.innerHTML = `{CODE_FORM}`)")
    page.click(CODE)
    until(lambda: host.requests("suggest"))
    assert page.stays_without_menu()


def test_a_browser_that_is_not_allowed_is_told_what_to_do(page: Page, host: FakeHost) -> None:
    host.refuse("notApproved", "You refused this browser. Run: keyway clients")
    page.open("/")
    page.click(USERNAME)
    assert until(page.notes) == [
        "This browser isn\u2019t allowed to use Keyway yet",
        "You refused this browser. Run: keyway clients",
    ]
    assert page.entries() == page.lists() == []
    host.answer_again()
    page.press("Escape", "ArrowDown")
    assert page.wait_for_menu() == [USER]


def test_a_browser_that_asks_too_much_is_told_once(page: Page, host: FakeHost) -> None:
    host.refuse("rateLimited", "Wait a minute.")
    page.open("/")
    page.click(USERNAME)
    assert until(page.notes) == ["Too many requests from this browser", "Wait a minute."]
    asked = len(host.requests("suggest"))
    page.press("Escape", "ArrowDown")
    until(lambda: len(host.requests("suggest")) > asked)
    assert page.stays_without_menu()
    host.answer_again()
    page.press("ArrowDown")
    assert page.wait_for_menu() == [USER]


def test_while_nobody_answers_the_menu_says_where_to_look(page: Page, host: FakeHost) -> None:
    host.fall_silent()
    page.open("/")
    page.click(USERNAME)
    assert "allow it there" in until(page.notes)[-1]
    host.answer_again()
    assert page.wait_for_menu() == [USER]
    # What came in the place of a note has to stand there before a choice counts.
    page.click_first_entry(USERNAME, after_ms=0)
    assert page.value(PASSWORD) == ""


def test_the_profile_is_said_and_stays(page: Page, host: FakeHost) -> None:
    for _ in range(3):
        page.open("/")
        page.click(USERNAME)
        page.wait_for_menu()
        host.kill()
    hellos = [request["params"] for request in host.requests("hello")]
    assert len(hellos) >= 2
    assert len({hello["profile"] for hello in hellos}) == 1
    assert re.fullmatch(r"[A-Za-z0-9-]{16,64}", hellos[0]["profile"])
    assert hellos[0]["browser"] == {"chromium": "Chromium", "firefox": "Firefox"}[page.browser.name]
