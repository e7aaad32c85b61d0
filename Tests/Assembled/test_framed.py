"""T1, T2, T5, T6: login forms in frames, in the browsers and with the extension as they are installed.

One of each kind: the others are tried with the same extension in Tests/Browsers.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from bidi import Browser
from living import browser, page, person, server, sign_in, site
from living import choose as choose_account
from own_pages import Popup
from page import SETTLED_MS, Page
from person import IN_THE_VAULT, USER, Person
from site_server import Site, SiteServer
from support import until
from test_frames import AFTER, BEFORE, LOW, USUAL, choose, choose_unseen, frame_in, hold_form, nested, open_menu
from test_origins import FOREIGN, has_form
from test_pages import first_fill
from test_sign_in import FORM, PASSWORD, USERNAME

__all__ = ["browser", "first_fill", "page", "person", "server", "site"]
FRAMED = "framed@example.org"
ALL_PASSWORDS = "All passwords in Passwords…"


@pytest.fixture(scope="module", autouse=True)
def account_of_the_frame(first_fill: None, browser: Browser, person: Person, server: SiteServer) -> Iterator[None]:
    """The vault has an account of the other origin, too, filled there before: nothing else keeps it from its frame."""
    person.shell.keyway(f"passwords add framed-{browser.name} --user {FRAMED} --url {foreign(server)}", IN_THE_VAULT)
    own = Page(browser, foreign(server))
    own.open("/")
    choose_account(own, FRAMED, of=(FRAMED,))
    person.seat.agree("” fill 127.0.0.1?", "127.0.0.1")
    until(lambda: own.value(PASSWORD))
    yield
    person.shell.keyway(f"passwords remove framed-{browser.name} --yes")


def foreign(server: SiteServer) -> str:
    return f"http://127.0.0.1:{server.server_port}"


def values(frame: Page) -> list[str]:
    """What stands in the fields of a frame after anything that was chosen has had its time."""
    frame.press(after_ms=300)
    inputs = "[...document.querySelectorAll('input')].map(({value}) => value).filter(Boolean)"
    return frame.browser.evaluate(inputs, frame.context)


@pytest.mark.parametrize(
    ("markup", "gesture"),
    [
        pytest.param(USUAL, "click", id="usual-click"),
        pytest.param(USUAL, "key", id="usual-key"),
        pytest.param(LOW, "click", id="lower than the menu-click"),
    ],
)
def test_T2_a_frame_of_the_same_origin_keeps_its_menu(page: Page, site: Site, markup: str, gesture: str) -> None:
    frame = frame_in(page, markup)
    choose(page, gesture, open_menu(frame, gesture))
    assert until(lambda: frame.value(PASSWORD)) == IN_THE_VAULT
    assert sign_in(frame, site) == [USER]


def test_T2_a_frame_in_a_frame_keeps_its_menu(page: Page, site: Site) -> None:
    _, innermost = nested(page)
    choose(page, "click", open_menu(innermost, "click"))
    assert until(lambda: innermost.value(PASSWORD)) == IN_THE_VAULT
    assert sign_in(innermost, site) == [USER]


@pytest.mark.parametrize("gesture", ["click", "key"])
@pytest.mark.parametrize(
    "attack",
    ["frame opacity", "frame moved", "frame clipped", "around it: filter", "popover on top, in a closed shadow root"],
)
def test_T1_T2_a_page_that_hides_or_moves_a_frame_under_its_open_menu_gets_nothing(
    page: Page, person: Person, attack: str, gesture: str
) -> None:
    frame = frame_in(page, USUAL)
    entry = open_menu(frame, gesture)
    hold_form(frame)
    page.browser.evaluate(AFTER[attack])
    choose(page, gesture, entry)
    assert values(frame) == []
    assert person.seat.windows() == []


# The menu of a low frame hangs out of it, over the page around it.
@pytest.mark.parametrize(
    ("attack", "gesture"), [("popover on top, in a closed shadow root", "click"), ("frame moved", "key")]
)
def test_T1_T2_a_page_that_tampers_with_a_frame_lower_than_its_menu_gets_nothing(
    page: Page, person: Person, attack: str, gesture: str
) -> None:
    frame = frame_in(page, LOW)
    entry = open_menu(frame, gesture)
    hold_form(frame)
    page.browser.evaluate(AFTER[attack])
    choose(page, gesture, entry)
    assert values(frame) == []
    assert person.seat.windows() == []


@pytest.mark.parametrize(
    ("attacked", "attack", "gesture"),
    [
        ("frame between", "frame hidden", "key"),
        ("frame between", "frame moved", "key"),
        ("frame between", "frame a little transparent", "click"),
        ("innermost frame", "frame moved", "key"),
        ("innermost frame", "frame a little transparent", "click"),
    ],
)
def test_T1_T2_a_frame_in_a_frame_gets_nothing_when_either_is_tampered_with(
    page: Page, person: Person, attacked: str, attack: str, gesture: str
) -> None:
    between, innermost = nested(page)
    entry = open_menu(innermost, gesture)
    hold_form(innermost)
    page.browser.evaluate(AFTER[attack], between.context if attacked == "innermost frame" else None)
    choose(page, gesture, entry)
    assert values(innermost) == []
    assert person.seat.windows() == []


def test_T1_T2_where_a_page_could_hide_the_menu_only_a_list_in_a_window_is_offered(
    page: Page, person: Person, server: SiteServer
) -> None:
    frame = frame_in(page, USUAL)
    page.browser.evaluate(BEFORE["frame a little transparent"])
    frame.click(USERNAME)
    assert until(page.lists) == [ALL_PASSWORDS]
    assert page.entries() == [] and person.seat.windows() == []
    frame.press("ArrowDown", "Enter", after_ms=SETTLED_MS)
    person.seat.accounts = (server.url,)
    person.seat.wait_for_list("localhost")
    assert values(frame) == []
    person.seat.type("lo")
    until(lambda: person.seat.rows() == [server.url])
    person.seat.press("Return")
    assert until(lambda: frame.value(PASSWORD)) == IN_THE_VAULT


@pytest.fixture
def window(page: Page) -> Iterator[Page]:
    """The page, in a window of which most has left the screen; it comes back."""
    page.browser.move_window(-600, 1)
    until(lambda: page.browser.evaluate("screenX") == -600)
    yield page
    page.browser.set_viewport(None)
    page.browser.move_window(0, 0)
    until(lambda: page.browser.evaluate("screenX") == 0)


def test_T1_an_entry_that_is_off_the_screen_is_not_offered(window: Page) -> None:
    window.click(USERNAME)
    assert until(window.lists) == [ALL_PASSWORDS]
    assert window.entries() == []


@pytest.mark.parametrize(
    ("style", "gesture"), [("opacity: 0.01", "click"), ("opacity: 0.01", "key"), ("visibility: hidden", "key")]
)
def test_T2_a_frame_that_nobody_sees_is_offered_nothing(page: Page, style: str, gesture: str) -> None:
    frame = choose_unseen(page, style, gesture)
    assert values(frame) == []


def framed(page: Page, server: SiteServer, kind: str) -> Page:
    form = FORM.replace("\n", " ").replace("'", "")
    frame = frame_in(page, FOREIGN[kind].replace("{port}", str(server.server_port)).replace("{form}", form))
    until(lambda: has_form(frame))
    return frame


@pytest.mark.parametrize("kind", FOREIGN)
def test_T5_T6_a_frame_of_another_origin_or_of_none_gets_no_menu(page: Page, server: SiteServer, kind: str) -> None:
    frame = framed(page, server, kind)
    hold_form(frame)
    frame.click(USERNAME)
    assert frame.stays_without_menu()
    frame.press("ArrowDown", "Enter", after_ms=SETTLED_MS)
    assert values(frame) == []


def test_T5_the_same_form_of_that_origin_in_a_tab_has_its_menu(page: Page, server: SiteServer) -> None:
    own = Page(page.browser, foreign(server))
    own.open("/")
    own.click(USERNAME)
    assert own.wait_for_menu() == [FRAMED]


def test_T5_a_frame_of_another_origin_is_offered_in_the_toolbar_buttons_window_which_names_both_before_it_fills(
    page: Page, person: Person, server: SiteServer
) -> None:
    frame = framed(page, server, "other origin")
    popup = Popup(page)
    try:
        assert popup.headings()[0] == "In a frame from 127.0.0.1 on localhost"
        assert FRAMED in popup.options() and USER not in popup.options()
        popup.press("ArrowDown", "Enter")
        until(lambda: popup.is_filled() or popup.texts("[role=alertdialog] p"))
        assert values(frame) == [] and person.seat.windows() == []
        (question,) = popup.texts("[role=alertdialog] p")
        assert [name in question for name in (FRAMED, "127.0.0.1", "localhost")] == [True] * 3
        popup.activate()
        popup.press("Escape")
        until(lambda: not popup.texts("[role=alertdialog] p"))
    finally:
        popup.close()
        page.browser.send("browsingContext.activate", context=page.browser.context)
    assert values(frame) == []
