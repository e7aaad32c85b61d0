"""Passwords of forms that were sent, and new ones: what a page brings about, and what it does not."""

import json
from collections.abc import Iterator

import pytest
from bidi import Browser
from page import SETTLED_MS, Page
from site_server import Site
from support import USER, FakeHost, launch, until
from test_menu_attacks import AFTER, MOVES
from test_sign_in import PASSWORD, USERNAME, choose_first

NEW = "document.getElementById('new')"
AGAIN = "document.getElementById('again')"


def type_into(page: Page, field: str, text: str) -> None:
    page.click(field)
    until(lambda: page.browser.evaluate(f"document.activeElement === {field}"))
    page.press("Escape", *text)


def sign_in(page: Page, user: str, password: str) -> None:
    type_into(page, USERNAME, user)
    # By the keys: a menu may hang over the second field.
    page.press("Escape", "Tab", *password)
    assert page.value(PASSWORD) == password
    page.press("Enter")


def settled(host: FakeHost) -> list[bool]:
    return [request["params"]["worked"] for request in host.requests("passwords.settle")]


def submitted(host: FakeHost) -> list[dict]:
    return [request["params"] for request in host.requests("passwords.submit")]


def test_a_sign_in_that_worked_is_offered_once(page: Page, host: FakeHost, site: Site, password: str) -> None:
    page.open("/")
    sign_in(page, USER, password)
    page.wait_for_path("/welcome")
    assert until(lambda: settled(host)) == [True]
    (form,) = submitted(host)
    assert (form["user"], form["password"]) == (USER, password)
    # Origin and path as the browser says, and nothing that the page says.
    assert form["url"] == page.url + "/"
    assert not form["private"]
    assert not form["isGenerated"]
    page.open("/empty")
    assert settled(host) == [True]


def test_a_wrong_password_is_forgotten(page: Page, host: FakeHost, site: Site) -> None:
    page.open("/")
    sign_in(page, USER, "wrong")
    page.wait_for_path("/login")
    assert until(lambda: settled(host)) == [False]


def test_what_was_filled_here_is_no_question(page: Page, host: FakeHost, site: Site) -> None:
    page.open("/")
    choose_first(page)
    until(lambda: page.value(PASSWORD))
    page.press("Enter")
    page.wait_for_path("/welcome")
    page.open("/empty")
    assert submitted(host) == []


def test_what_was_filled_and_then_changed_is_one(page: Page, host: FakeHost, site: Site) -> None:
    page.open("/")
    choose_first(page)
    until(lambda: page.value(PASSWORD))
    page.click(PASSWORD)
    page.browser.evaluate(f"void {PASSWORD}.select()")
    page.press("Escape", *"another", "Enter")
    assert until(lambda: submitted(host))[0]["password"] == "another"
    assert until(lambda: settled(host)) == [False]


def test_the_name_of_the_page_before_counts(page: Page, host: FakeHost, site: Site, password: str) -> None:
    page.open("/first")
    type_into(page, USERNAME, USER)
    page.press("Enter")
    page.wait_for_path("/second")
    type_into(page, PASSWORD, password)
    page.press("Enter")
    page.wait_for_path("/welcome")
    assert until(lambda: settled(host)) == [True]
    assert [(form["user"], form["password"]) for form in submitted(host)] == [(USER, password)]


def test_a_page_without_navigation_is_offered_when_its_form_is_gone(
    page: Page, host: FakeHost, site: Site, password: str
) -> None:
    page.open("/spa")
    send = "document.getElementById('send')"
    type_into(page, USERNAME, USER)
    type_into(page, PASSWORD, "wrong")
    page.click(send)
    until(lambda: page.browser.evaluate("document.getElementById('wrong').textContent"))
    page.click(PASSWORD)
    page.browser.evaluate(f"void {PASSWORD}.select()")
    page.press(*password)
    page.click(send)
    until(lambda: page.browser.evaluate("document.getElementById('welcome') !== null"))
    # The wrong one is gone with the right one: there is one question, and it is about what worked.
    assert until(lambda: settled(host)) == [True]
    forms = submitted(host)
    assert [form["password"] for form in forms] == ["wrong", password]
    assert len({form["session"] for form in forms}) == 1


@pytest.mark.parametrize("path", ["/react", "/vue", "/angular"])
def test_forms_of_frameworks_are_read_as_they_are_sent(
    page: Page, host: FakeHost, site: Site, password: str, path: str
) -> None:
    page.open(path)
    sign_in(page, USER, password)
    page.wait_for_path("/welcome")
    assert until(lambda: settled(host)) == [True]
    assert submitted(host)[0]["password"] == password


def test_a_frame_of_the_same_origin_is_a_page_like_any_other(
    page: Page, host: FakeHost, site: Site, password: str
) -> None:
    page.open("/empty")
    page.browser.evaluate("void (document.body.innerHTML = '<iframe src=/ width=500 height=400></iframe>')")
    frame = page.frame()
    frame.click(USERNAME)
    frame.wait_for_menu()
    frame.press("Escape", *USER, "Escape", "Tab", *password)
    assert frame.value(PASSWORD) == password
    frame.press("Enter")
    assert until(site.signed_in) == [USER]
    (form,) = until(lambda: submitted(host))
    assert (form["user"], form["password"], form["url"]) == (USER, password, page.url + "/")
    page.open("/empty")
    assert until(lambda: settled(host))


def test_nothing_of_a_frame_of_another_origin_is_read(page: Page, host: FakeHost, site: Site, password: str) -> None:
    page.open("/empty")
    other = page.url.replace("localhost", "127.0.0.1")
    page.browser.evaluate(f"void (document.body.innerHTML = '<iframe src={other}/ width=500 height=400></iframe>')")
    frame = page.frame()
    frame.click(USERNAME)
    frame.press(*USER, "Tab", *password, "Enter")
    assert until(site.signed_in) == [USER]
    page.open("/empty")
    assert submitted(host) == []


SHADOW = (
    "void (document.body.innerHTML = '<div></div>',"
    " window.root = document.body.firstChild.attachShadow({mode: '%s'}),"
    " root.innerHTML = '<form method=post action=/login><input id=username name=username autocomplete=username>"
    "<input id=password name=password type=password><button>Sign in</button></form>')"
)


@pytest.mark.parametrize("mode", ["open", "closed"])
def test_forms_in_shadow_roots_are_read(page: Page, host: FakeHost, site: Site, password: str, mode: str) -> None:
    page.open("/empty")
    page.browser.evaluate(SHADOW % mode)
    type_into_root(page, "username", USER)
    page.press("Escape", "Tab", *password)
    assert page.value("root.getElementById('password')") == password
    page.press("Enter")
    page.wait_for_path("/welcome")
    assert until(lambda: settled(host)) == [True]
    assert [(form["user"], form["password"]) for form in submitted(host)] == [(USER, password)]


def type_into_root(page: Page, name: str, text: str) -> None:
    field = f"root.getElementById('{name}')"
    page.click(field)
    until(lambda: page.browser.evaluate(f"root.activeElement === {field}"))
    page.press("Escape", *text)


# T9 in the question: where a form sends to is no word on whose password it is.


@pytest.mark.parametrize("way", ["action", "formaction", "action, at the last moment"])
def test_a_form_that_sends_elsewhere_is_the_pages_own(
    page: Page, host: FakeHost, site: Site, password: str, way: str
) -> None:
    page.open("/trap")
    other = page.url.replace("localhost", "127.0.0.1") + "/login"
    if way == "action":
        page.browser.evaluate(f"void form.setAttribute('action', '{other}')")
    elif way == "formaction":
        page.browser.evaluate(f"void send.setAttribute('formaction', '{other}')")
    else:
        page.browser.evaluate(f"void form.addEventListener('submit', () => form.setAttribute('action', '{other}'))")
    type_into(page, USERNAME, USER)
    page.press("Escape", "Tab", *password, "Enter")
    (form,) = until(lambda: submitted(host))
    assert form["url"] == page.url + "/trap", "the question names the page that the person typed into"
    # Firefox answers nobody who asks for a page while it goes to another site.
    page.wait_for_path("/welcome")


# What a page does by itself.


def test_a_form_that_a_script_sends_is_not_read(page: Page, host: FakeHost, site: Site) -> None:
    """A sign-in of the page's own making, to have a password overwritten: nobody is even asked."""
    page.open("/trap")
    # Somebody has been in the form, and has sent nothing.
    page.click(USERNAME)
    page.wait_for_menu()
    page.press("Escape")
    page.browser.evaluate(f"void ({USERNAME}.value = '{USER}', {PASSWORD}.value = 'evil', {PASSWORD}.focus())")
    page.browser.evaluate("void document.getElementById('form').requestSubmit()")
    page.wait_for_path("/login")
    page.open("/empty")
    assert submitted(host) == []


@pytest.mark.parametrize("style", ["opacity: 0", "position: absolute; left: -9999px", "display: none", "width: 1px"])
def test_a_password_that_nobody_sees_is_not_read(page: Page, host: FakeHost, site: Site, style: str) -> None:
    page.open("/trap")
    page.browser.evaluate(f"void ({PASSWORD}.value = 'evil', {PASSWORD}.style = '{style}')")
    type_into(page, USERNAME, USER)
    page.press("Enter")
    page.wait_for_path("/login")
    page.open("/empty")
    assert submitted(host) == []


@pytest.mark.parametrize("kind", ["text", "password"])
def test_what_is_typed_into_a_field_that_shows_it_is_no_password(
    page: Page, host: FakeHost, site: Site, password: str, kind: str
) -> None:
    """T11: whoever stands by has read it, and the page may call a field a password's that takes something else."""
    page.open("/trap")
    page.browser.evaluate(f"void ({PASSWORD}.type = '{kind}')")
    sign_in(page, USER, password)
    page.wait_for_path("/welcome")
    page.open("/empty")
    assert [form["password"] for form in submitted(host)] == ([] if kind == "text" else [password])
    assert (password in json.dumps(host.requests())) == (kind == "password")


def test_events_of_the_page_send_nothing(page: Page, host: FakeHost, site: Site) -> None:
    page.open("/trap")
    type_into(page, USERNAME, USER)
    type_into(page, PASSWORD, "evil")
    page.browser.evaluate(
        "void (document.addEventListener('submit', (event) => event.preventDefault()),"
        f" {PASSWORD}.dispatchEvent(new KeyboardEvent('keydown', {{key: 'Enter', bubbles: true}})),"
        " document.getElementById('send').dispatchEvent(new MouseEvent('click', {bubbles: true})),"
        " document.getElementById('form').dispatchEvent(new SubmitEvent('submit', {bubbles: true})))"
    )
    page.open("/empty")
    assert submitted(host) == []


# New passwords.


def open_generator(page: Page) -> None:
    page.open("/join")
    type_into(page, USERNAME, USER)
    page.click(NEW)
    assert page.wait_for_menu() == ["Use a strong password"]


def test_a_strong_password_goes_into_both_fields_and_is_kept_at_once(page: Page, host: FakeHost, site: Site) -> None:
    open_generator(page)
    assert host.requests("passwords.generate") == [], "it is made when it is chosen"
    page.click_first_entry(NEW)
    assert until(lambda: page.value(NEW)) == "Strong-4711-one"
    assert page.value(AGAIN) == "Strong-4711-one"
    (asked,) = host.requests("passwords.generate")
    assert asked["params"]["rules"] == "required: upper; required: digit; allowed: [-!"
    assert (asked["params"]["minLength"], asked["params"]["maxLength"]) == (10, 24)
    # Before the form is sent, and whatever becomes of the page.
    page.browser.open("about:blank")
    (kept,) = until(lambda: host.requests("passwords.keep"))
    assert (kept["params"]["user"], kept["params"]["password"]) == (USER, "Strong-4711-one")
    assert submitted(host) == []


def test_a_password_that_the_fields_pattern_takes_is_preferred(page: Page, host: FakeHost, site: Site) -> None:
    host.set_mark("proposals.json", '["Strong-4711-one", "plain4711"]')
    open_generator(page)
    page.browser.evaluate(f"void {NEW}.setAttribute('pattern', '[a-z0-9]+')")
    page.click_first_entry(NEW)
    assert until(lambda: page.value(NEW)) == "plain4711"


def test_a_generated_password_that_was_sent_says_so(page: Page, host: FakeHost, site: Site) -> None:
    open_generator(page)
    page.press("ArrowDown", "Enter", after_ms=SETTLED_MS)
    until(lambda: page.value(AGAIN))
    page.click(AGAIN)
    page.press("Escape", "Enter")
    (form,) = until(lambda: submitted(host))
    assert form["isGenerated"]
    until(lambda: settled(host))


def test_passwords_that_are_not_repeated_alike_are_not_sent_on(page: Page, host: FakeHost, site: Site) -> None:
    page.open("/join")
    type_into(page, NEW, "one")
    type_into(page, AGAIN, "two")
    page.press("Enter")
    page.open("/empty")
    assert submitted(host) == []


@pytest.mark.parametrize("style", ["opacity: 0.01", "filter: blur(9px)"])
def test_a_hidden_menu_makes_no_password(page: Page, host: FakeHost, site: Site, style: str) -> None:
    open_generator(page)
    point = page.first_entry(NEW)
    page.browser.evaluate(f"void (document.documentElement.style = '{style}')")
    page.click_entry_at(point)
    until(lambda: not page.entries())
    assert host.requests("passwords.generate") == []


@pytest.mark.parametrize("move", [None, *MOVES])
def test_a_menu_that_moves_between_press_and_release_makes_no_password(
    page: Page, host: FakeHost, site: Site, move: str | None
) -> None:
    open_generator(page)
    entry = page.first_entry(NEW)
    page.click_entry_around(entry, lambda: move and page.browser.evaluate(MOVES[move](NEW)))
    until(lambda: page.entries() == [])
    if move is None:
        assert until(lambda: page.value(NEW)) == page.value(AGAIN) == "Strong-4711-one"
        until(lambda: host.requests("passwords.keep"))
    else:
        page.press(after_ms=200)
        assert host.requests("passwords.generate") == []
        assert [page.value(NEW), page.value(AGAIN)] == ["", ""]


@pytest.mark.parametrize(
    "change",
    [None, "form sends elsewhere now", "a button of the form sends elsewhere now", "html transform by animation"],
)
def test_a_page_that_changes_while_a_password_is_made_gets_none(
    page: Page, host: FakeHost, site: Site, change: str | None
) -> None:
    """T1, T9: between the choice and the answer."""
    host.set_mark("unmade")
    open_generator(page)
    page.click_first_entry(NEW)
    until(lambda: host.requests("passwords.generate"))
    if change:
        page.browser.evaluate(AFTER[change])
    host.clear_mark("unmade")
    until(lambda: page.notes() == [])
    if change:
        page.press(after_ms=200)
        assert [page.value(NEW), page.value(AGAIN)] == ["", ""]
        assert host.requests("passwords.keep") == []
    else:
        assert until(lambda: page.value(NEW)) == page.value(AGAIN) == "Strong-4711-one"
        # Or that would be told to the next test's host.
        until(lambda: host.requests("passwords.keep"))


def test_scripts_of_the_page_choose_no_password(page: Page, host: FakeHost, site: Site) -> None:
    open_generator(page)
    # One of those clicks would send the form, and the page would be gone before it is looked at.
    page.browser.evaluate("void addEventListener('submit', (event) => event.preventDefault())")
    page.browser.evaluate(
        "void [...document.querySelectorAll('*')].forEach((element) => {"
        " element.dispatchEvent(new MouseEvent('click', {bubbles: true}));"
        " element.dispatchEvent(new KeyboardEvent('keydown', {key: 'ArrowDown', bubbles: true}));"
        " element.dispatchEvent(new KeyboardEvent('keydown', {key: 'Enter', bubbles: true})); })"
    )
    assert "strong" not in page.browser.evaluate("document.documentElement.innerText").lower()
    page.open("/empty")
    assert host.requests("passwords.generate") == []


# Private windows.


@pytest.fixture(scope="module")
def private_browser(
    browser_name: str, fake_host: FakeHost, extension, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Browser]:
    folder = tmp_path_factory.mktemp(f"private-saving-{browser_name}")
    browser = launch(browser_name, folder, fake_host.program, extension, private=True)
    yield browser
    browser.close()


def test_nothing_of_a_private_window_is_sent_on(
    private_browser: Browser, host: FakeHost, page: Page, site: Site, password: str
) -> None:
    private = Page(private_browser, page.url)
    private.open("/")
    sign_in(private, USER, password)
    private.wait_for_path("/welcome")
    private.open("/empty")
    assert submitted(host) == []
