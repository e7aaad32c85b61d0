"""Where a stored value goes, and where it never goes (T4, T10, T11)."""

import pytest
from page import Page
from support import USER, FakeHost, until
from test_sign_in import PASSWORD, USERNAME, choose_first

NAME = "<p><label>User name <input id=username name=username></label>"
WORD = "<p><label>Password <input id=password type=password></label>"
BUTTON = "<p><button>Sign in</button>"


@pytest.fixture(autouse=True)
def empty_page(page: Page) -> None:
    page.open("/empty")


def build(page: Page, *parts: str) -> None:
    page.browser.evaluate(f"void (document.body.innerHTML = `<form>{''.join(parts)}{BUTTON}</form>`)")


def trap(style: str, kind: str = "password") -> str:
    return f"<p><input id=trap type={kind} style='{style}'>"


HIDDEN = {
    "not displayed": trap("display: none"),
    "invisible": trap("visibility: hidden"),
    "transparent": trap("opacity: 0"),
    "nearly transparent": trap("opacity: 0.05"),
    "transparent by filter": trap("filter: opacity(0)"),
    "of no size": trap("width: 0; height: 0; padding: 0; border: 0"),
    "a single point": trap("width: 1px; height: 1px; padding: 0; border: 0"),
    "off to the left": trap("position: absolute; left: -9999px"),
    "above the page": trap("position: fixed; top: -500px"),
    "clipped": trap("position: absolute; clip-path: inset(100%)"),
    "cut off": "<div style='overflow: hidden; width: 0; height: 0'>" + trap("") + "</div>",
    "scaled down": trap("transform: scale(0)"),
    "in something transparent": "<div style='opacity: 0.01'>" + trap("") + "</div>",
    "covered": "<div style='position: relative; width: 300px'>"
    + trap("")
    + "<div style='position: absolute; inset: 0; background: white'></div></div>",
    "read-only": trap("").replace("<input", "<input readonly"),
    "disabled": trap("").replace("<input", "<input disabled"),
    "plain text named password": "<p><label>Password <input id=trap type=text name=password></label>",
    "search": "<p><label>Password <input id=trap type=search name=password></label>",
    "another user name": trap("opacity: 0", "text").replace("<input", "<input name=login"),
}


@pytest.mark.parametrize("kind", HIDDEN)
def test_traps_stay_empty(page: Page, password: str, kind: str) -> None:
    """Beside a form that is filled: the trap gets nothing before, during or after."""
    build(page, NAME, HIDDEN[kind], WORD)
    page.browser.evaluate("void (window.seen = [], trap.addEventListener('input', () => seen.push(trap.value)))")
    choose_first(page)
    until(lambda: page.value(USERNAME))
    page.press(after_ms=100)
    assert page.value("trap") == ""
    assert page.browser.evaluate("seen") == []


@pytest.mark.parametrize("kind", ["plain text named password", "search", "transparent", "covered"])
def test_a_password_is_not_even_asked_for_without_a_place_for_it(page: Page, host: FakeHost, kind: str) -> None:
    build(page, NAME, HIDDEN[kind])
    choose_first(page)
    assert until(lambda: page.value(USERNAME)) == USER
    assert [request["params"]["fields"] for request in host.requests("fill")] == [["username"]]
    assert page.value("trap") == ""


def test_a_field_that_shows_its_password_while_the_fill_waits_gets_none(page: Page, host: FakeHost) -> None:
    host.lock()
    build(page, NAME, WORD)
    choose_first(page)
    until(lambda: len(page.notes()) > 1)
    page.browser.evaluate(f"void ({PASSWORD}.type = 'text')")
    host.unlock()
    until(lambda: page.value(USERNAME))
    assert page.value(PASSWORD) == ""


def test_a_field_that_shows_its_password_when_the_name_comes_gets_none(page: Page) -> None:
    build(page, NAME, WORD)
    page.browser.evaluate(f"void {USERNAME}.addEventListener('input', () => {{ {PASSWORD}.type = 'text' }})")
    choose_first(page)
    until(lambda: page.value(USERNAME))
    page.press(after_ms=100)
    assert page.value(PASSWORD) == ""


def ask(page: Page) -> None:
    """Asks for what there is; whatever was asked before has come before this is answered."""
    build(page, NAME, WORD)
    page.click(USERNAME)
    page.wait_for_menu()
    # It would lie over what comes next.
    page.press("Escape")
    until(lambda: page.entries() == [])


def test_a_new_password_field_is_offered_no_account(page: Page, host: FakeHost) -> None:
    ask(page)
    build(
        page,
        "<h1>Register</h1>",
        WORD.replace("Password", "Choose a new password"),
        WORD.replace("=password", "=again", 1),
    )
    page.click(PASSWORD)
    assert page.wait_for_menu() == ["Use a strong password"]
    ask(page)
    assert len(host.requests("suggest")) == 2


@pytest.mark.parametrize(
    "field",
    [
        "<input id=username type=search name=q placeholder=Search>",
        "<label>Newsletter <input id=username type=email name=email></label>",
        "<label>Your comment <textarea id=username></textarea></label>",
    ],
)
def test_other_fields_ask_nothing(page: Page, host: FakeHost, field: str) -> None:
    ask(page)
    page.browser.evaluate(f"void (document.body.innerHTML = `<form>{field}<button>Send</button></form>`)")
    page.click(USERNAME)
    page.press("ArrowDown")
    assert page.stays_without_menu()
    ask(page)
    assert len(host.requests("suggest")) == 2


def test_nothing_reaches_the_page_without_a_gesture(page: Page, host: FakeHost, password: str) -> None:
    page.open("/")
    assert page.stays_without_menu()
    assert host.requests("suggest") == []
    page.click(USERNAME)
    page.wait_for_menu()
    assert page.value(USERNAME) == page.value(PASSWORD) == ""
    assert host.requests("fill") == []
    assert password not in page.browser.evaluate("document.documentElement.outerHTML")


@pytest.mark.parametrize("action", ["https://evil.test/in", "http://127.0.0.1:9/in"])
def test_says_where_a_form_sends_to_before_the_choice(page: Page, action: str) -> None:
    build(page, NAME, WORD)
    page.browser.evaluate(f"void document.forms[0].setAttribute('action', '{action}')")
    page.click(USERNAME)
    page.wait_for_menu()
    host = action.split("/")[2]
    assert page.notes()[0].startswith(f"This form submits to {host}")
    assert page.notes()[0].endswith("without encryption") == action.startswith("http:")
