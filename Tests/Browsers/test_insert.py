"""Text that the person inserts by the context menu: into the field that they chose, and nowhere else."""

from pathlib import Path

import pytest
from context_menu import choose, insert_into, open_on
from own_pages import OwnPage
from page import Page
from site_server import SiteServer
from support import USER, FakeHost, launch, until
from test_sign_in import USERNAME

TEXT = 'first line\nsecond "line" \u2026'
LINE = TEXT.replace("\n", "")
FIELD = "document.getElementById('field')"
OTHER = "document.getElementById('other')"
FORMS = {
    "input": "<input id=field value='ab'>",
    "area": "<textarea id=field rows=3>ab</textarea>",
    "search": "<form role=search><input id=field type=search value='ab'></form>",
    "content": "<div id=field contenteditable style='width: 200px'><b>a</b>b</div>",
}
CONTENT = f"({FIELD}).value ?? ({FIELD}).innerText"
SELECT_ALL = f"void (({FIELD}).select ? ({FIELD}).select() : getSelection().selectAllChildren({FIELD}))"


def prepare(page: Page, form: str) -> None:
    """A page with a form; the extension's background runs since its host was asked something."""
    page.open("/")
    page.click(USERNAME)
    page.wait_for_menu()
    page.open("/empty")
    script = f"void (document.body.innerHTML = `{form}<p><input id=other></p>`)"
    page.browser.evaluate(script)


def content(page: Page) -> str:
    return str(page.browser.evaluate(CONTENT))


@pytest.mark.parametrize("kind", FORMS)
def test_the_text_goes_where_the_person_would_go_on_typing(page: Page, host: FakeHost, kind: str) -> None:
    host.texts(notes=TEXT)
    prepare(page, FORMS[kind])
    page.click(FIELD)
    page.press("End")
    noted = f"({FIELD}).addEventListener('input', () => (window.noticed = (window.noticed ?? 0) + 1))"
    page.browser.evaluate(f"void ({noted})")
    insert_into(page, FIELD)
    wanted = TEXT if kind in ("area", "content") else LINE
    assert until(lambda: wanted in content(page))
    assert content(page).startswith("a")
    # Where content is edited, the browser itself types, line by line.
    noticed = page.browser.evaluate("window.noticed")
    assert noticed == 1 if kind != "content" else noticed >= 1
    (texts,), (insert,) = host.requests("texts"), host.requests("insert")
    assert texts["params"] == {"url": f"{page.url}/empty", "private": False}
    assert insert["params"] == {"url": f"{page.url}/empty", "private": False, "provider": "notes"}


def test_the_text_takes_the_place_of_what_is_selected(page: Page, host: FakeHost) -> None:
    host.texts(notes="new")
    host.lock()
    prepare(page, FORMS["area"])
    insert_into(page, FIELD)
    until(lambda: host.requests("insert"))
    page.browser.evaluate(SELECT_ALL)
    host.unlock()
    assert until(lambda: content(page) == "new")


def test_the_person_says_whose_text_where_several_have_some(page: Page, host: FakeHost) -> None:
    host.texts(notes="from notes", pass_="from pass")
    prepare(page, FORMS["area"])
    insert_into(page, FIELD)
    assert until(page.lists) == ["Text from Notes\u2026", "Text from Pass_\u2026"]
    assert host.requests("insert") == []
    page.choose_list(1)
    assert until(lambda: "from pass" in content(page))


def test_where_nobody_has_texts_the_menu_says_so(page: Page, host: FakeHost) -> None:
    prepare(page, FORMS["area"])
    insert_into(page, FIELD)
    assert until(page.notes)[0] == "No provider can insert text"
    page.press("Escape")
    assert page.stays_without_menu()


def test_escape_takes_it_back(page: Page, host: FakeHost) -> None:
    host.texts(notes=TEXT)
    host.lock()
    prepare(page, FORMS["area"])
    insert_into(page, FIELD)
    until(page.notes)
    page.press("Escape")
    until(lambda: host.requests("cancel"))
    assert content(page) == "ab"


MOVES = {
    "to another field": f"({OTHER}).focus()",
    "away": f"({FIELD}).blur()",
    "out of sight": f"({FIELD}).style.opacity = 0",
    "off the screen": f"({FIELD}).style.position = 'fixed', ({FIELD}).style.left = '-5000px'",
    "under something": f"((cover) => (({FIELD}).after(cover), cover.style = 'position: relative; display: block; "
    f"background: white; top: -' + 2 * ({FIELD}).offsetHeight + 'px; height: ' + 2 * ({FIELD}).offsetHeight + 'px'))"
    "(document.createElement('div'))",
    "out of reach": f"({FIELD}).readOnly = true",
    "out of the page": f"({FIELD}).remove()",
    "to a copy": f"({FIELD}).replaceWith(({FIELD}).cloneNode(true))",
}


@pytest.mark.parametrize("how", MOVES)
def test_a_page_that_moves_the_field_meanwhile_gets_nothing(page: Page, host: FakeHost, how: str) -> None:
    host.texts(notes=TEXT)
    host.lock()
    prepare(page, FORMS["area"])
    page.browser.evaluate(f"void (window.first = {FIELD})")
    insert_into(page, FIELD)
    until(lambda: host.requests("insert"))
    page.browser.evaluate(f"void ({MOVES[how]})")
    host.unlock()
    # The menu goes away with the answer, whatever becomes of it.
    until(lambda: not page.notes())
    insert_into(page, OTHER)
    until(lambda: TEXT[:5] in page.value(OTHER))
    assert page.browser.evaluate("first.value") == "ab"
    assert "first" not in str(page.browser.evaluate(f"({FIELD})?.value ?? ''"))


def test_events_of_the_page_do_not_say_which_field(page: Page, host: FakeHost) -> None:
    host.texts(notes=TEXT)
    prepare(page, FORMS["area"])
    open_on(page, FIELD)
    untrue = f"({OTHER}).dispatchEvent(new MouseEvent('contextmenu', {{bubbles: true, composed: true}}))"
    page.browser.evaluate(f"void ({untrue})")
    choose(page.browser)
    assert until(lambda: "first" in content(page))
    assert page.value(OTHER) == ""


def test_a_page_that_moves_the_focus_under_the_menu_gets_nothing(page: Page, host: FakeHost) -> None:
    host.texts(notes=TEXT)
    prepare(page, FORMS["area"])
    open_on(page, FIELD)
    page.browser.evaluate(f"void ({OTHER}).focus()")
    choose(page.browser)
    assert page.stays_without_menu()
    assert host.requests("texts") == host.requests("insert") == []
    assert (content(page), page.value(OTHER)) == ("ab", "")


SET_KEYS = "browser.commands.update({name: 'insert-text', shortcut: 'Ctrl+Shift+Y'})"
PRESS = """[...document.querySelectorAll('keyset[id^="ext-keyset-id"] key')]
    .find((key) => key.getAttribute('key') === 'Y').doCommand()"""


def test_keys_that_the_person_chose_insert_where_they_are(extension: Path, server: SiteServer, tmp_path: Path) -> None:
    """In Firefox, which can be told to act on its keys."""
    host = FakeHost(tmp_path / "host")
    host.accounts([{"origin": server.url, "user": USER, "password": "p"}])
    host.texts(notes=LINE)
    folder = tmp_path / "browser"
    folder.mkdir()
    browser = launch("firefox", folder, host.program, extension)
    try:
        page = Page(browser, server.url)
        prepare(page, FORMS["input"])
        OwnPage(browser, "src/options/options.html").ask(SET_KEYS)
        browser.send("browsingContext.activate", context=browser.context)
        page.click(OTHER)
        browser.in_chrome(PRESS)
        assert until(lambda: page.value(OTHER)) == LINE
        assert content(page) == "ab"
        # Once for each time.
        assert len(host.requests("texts")) == 1
    finally:
        browser.close()
