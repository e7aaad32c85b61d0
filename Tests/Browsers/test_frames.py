"""T1 and T2 for a field in a frame: the menu is drawn in the page of the tab, and no page around the frame gets
anything by hiding, covering or moving it. Where it might, only lists in windows of the system's are offered."""

from collections.abc import Iterator

import pytest
from page import SETTLED_MS, Page
from support import USER, FakeHost, until
from test_lists import ALL_PASSWORDS, PICKED
from test_menu_attacks import OVERLAY, POPOVER, STYLE
from test_origins import embed
from test_sign_in import FORM, PASSWORD, USERNAME, choose_first

FRAME = "document.querySelector('iframe')"
ROW = FORM.replace("\n", " ")
USUAL = "<iframe src=/ width=500 height=400></iframe>"
LOW = f'<iframe srcdoc="<!doctype html><body>{ROW}" width=500 height=60></iframe>'

HONEST = {
    "usual": USUAL,
    "lower than the menu": LOW,
    "with borders": "<iframe src=/ width=500 height=400 style='border: 9px solid; padding: 7px'></iframe>",
    "in a scrolled box": "<div style='height: 380px; overflow: auto'><p style='height: 20px'></p>"
    "<iframe src=/ width=500 height=400></iframe></div>",
    "under a low box": "<div style='position: relative; overflow: hidden; height: 10px'></div>" + USUAL,
}

# What is done in the page around the frame while the menu is open.
AFTER = {
    "frame opacity": f"void ({FRAME}.style.opacity = 0.01)",
    "frame a little transparent": f"void ({FRAME}.style.opacity = 0.9)",
    "frame hidden": f"void ({FRAME}.style.visibility = 'hidden')",
    "frame blurred": f"void ({FRAME}.style.filter = 'blur(20px)')",
    "frame transformed": f"void ({FRAME}.style.transform = 'scale(0.9)')",
    "frame clipped": f"void ({FRAME}.style.clipPath = 'inset(0 0 99% 0)')",
    "frame clipped the old way": f"void ({FRAME}.style.cssText = 'position: absolute; clip: rect(0, 9px, 999px, 0)')",
    "frame masked": f"void ({FRAME}.style.maskImage = 'linear-gradient(transparent, transparent)')",
    "frame blended": f"void ({FRAME}.style.mixBlendMode = 'multiply')",
    "frame zoomed": f"void ({FRAME}.style.zoom = 0.9)",
    "frame moved": f"void ({FRAME}.style.margin = '90px 0 0 120px')",
    "frame lifted out": f"void ({FRAME}.style.cssText = 'position: fixed; top: 150px; left: 200px')",
    "frame cut off by what is around it": f"void ({FRAME}.parentNode.style.cssText = 'height: 9px; overflow: hidden')",
    "frame put aside": f"void ({FRAME}.style.cssText = 'position: fixed; top: -900px')",
    "frame removed": f"void {FRAME}.remove()",
    "frame covered": f"void document.body.appendChild(Object.assign({OVERLAY}, {{id: 'over'}})),"
    " void (over.style.pointerEvents = 'auto')",
    "around it: opacity": f"void ({FRAME}.parentNode.style.opacity = 0.5)",
    "around it: filter": f"void ({FRAME}.parentNode.style.filter = 'blur(9px)')",
    "around it: perspective": f"void ({FRAME}.parentNode.style.perspective = '1px')",
    "around it: transform by animation": f"void {FRAME}.parentNode.animate("
    "[{transform: 'scale(0.98)'}, {transform: 'scale(0.98)'}], 100000)",
    "around it: content not shown": f"void ({FRAME}.parentNode.style.contentVisibility = 'hidden')",
    "in a shadow root, whose host is transparent": f"void ((host) => {{ host.attachShadow({{mode: 'closed'}})"
    f".appendChild(document.createElement('slot')); host.style.opacity = 0.1 }})({FRAME}.parentNode)",
    "html opacity": STYLE % "html { opacity: 0.01 !important }",
    "html filter": STYLE % "html { filter: opacity(0.01) }",
    "popover on top": POPOVER,
    "popover on top, in a closed shadow root": "void ((root) => root.appendChild("
    f"Object.assign({OVERLAY}, {{popover: 'manual'}})).showPopover())"
    "(document.body.appendChild(document.createElement('div')).attachShadow({mode: 'closed'}))",
    "modal dialog on top": "void document.body.appendChild(Object.assign(document.createElement('dialog'), "
    "{style: 'pointer-events: none'})).showModal()",
    "focus taken away": "void (document.body.tabIndex = 0, document.body.focus())",
    "focus given to another frame": "void document.body.appendChild(document.createElement('iframe'))"
    ".contentWindow.focus()",
}

# What leaves the field to be seen, and is not harmless.
BEFORE = {
    "frame moved by a transform": f"void ({FRAME}.style.transform = 'translateX(9px)')",
    "frame a little blurred": f"void ({FRAME}.style.filter = 'blur(0.1px)')",
    "frame a little transparent": f"void ({FRAME}.style.opacity = 0.9)",
    "frame in something scaled": f"void ({FRAME}.parentNode.style.cssText = 'scale: 0.98; transform-origin: 0 0')",
    "page transformed": STYLE % "html { translate: 0 1px }",
    "a popover stands open": POPOVER,
}


@pytest.fixture
def lists(host: FakeHost) -> FakeHost:
    host.lists("password", picked=PICKED)
    return host


def frame_in(page: Page, markup: str) -> Page:
    return embed(page, f"<div>{markup}</div>")


def nested(page: Page) -> tuple[Page, Page]:
    """A frame in a frame of a page: the one between, and the innermost."""
    outer = embed(page, "<div><iframe src=/empty width=700 height=500></iframe></div>")
    inside = "<div><iframe src=/ width=500 height=400></iframe></div>"
    page.browser.evaluate(f"void (document.body.innerHTML = `{inside}`)", outer.context)
    children = until(
        lambda: page.browser.send("browsingContext.getTree", root=outer.context)["contexts"][0]["children"]
    )
    innermost = Page(page.browser, page.url, children[0]["context"])
    until(innermost.is_loaded)
    return outer, innermost


def open_menu(frame: Page, gesture: str) -> dict[str, float]:
    """Opens the menu and waits until it has settled; gives where its entry is."""
    frame.click(USERNAME)
    assert frame.wait_for_menu() == [USER]
    frame.press(*(["ArrowDown"] if gesture == "key" else []), after_ms=SETTLED_MS)
    return frame.first_entry(USERNAME)


def hold_form(frame: Page) -> None:
    """Enter belongs to the page again once the menu has gone."""
    frame.browser.evaluate("void addEventListener('submit', (event) => event.preventDefault())", frame.context)


def hide_focused(page: Page, style: str) -> None:
    """Hides the frame once its field has the focus: no click reaches what is not visible, but in Chromium keys do."""
    field = f"{FRAME}.contentDocument.forms[0].elements[0]"
    page.browser.evaluate(f"void ({FRAME}.contentWindow.focus(), {field}.focus())")
    page.browser.evaluate(f"void ({FRAME}.style = '{style}')")


def choose(page: Page, gesture: str, entry: dict[str, float]) -> None:
    if gesture == "key":
        page.press("Enter")
    else:
        page.click_entry_at(entry, after_ms=0)
    page.press(after_ms=200)


def assert_nothing_was_filled(frame: Page, host: FakeHost) -> None:
    assert host.requests("fill") == host.requests("list") == []
    inputs = "[...document.querySelectorAll('input')].every(({value}) => value === '')"
    assert frame.browser.evaluate(inputs, frame.context)


@pytest.mark.parametrize("gesture", ["click", "key"])
@pytest.mark.parametrize("kind", HONEST)
def test_a_frame_of_the_page_keeps_its_menu(page: Page, host: FakeHost, password: str, kind: str, gesture: str) -> None:
    frame = frame_in(page, HONEST[kind])
    choose(page, gesture, open_menu(frame, gesture))
    assert until(lambda: frame.value(PASSWORD)) == password


def test_a_frame_in_a_frame_keeps_its_menu(page: Page, password: str) -> None:
    _, innermost = nested(page)
    choose_first(innermost)
    assert until(lambda: innermost.value(PASSWORD)) == password


def test_a_frame_in_a_dialog_keeps_its_menu(page: Page, password: str) -> None:
    frame = embed(page, f"<dialog>{USUAL}</dialog>")
    page.browser.evaluate("void document.querySelector('dialog').showModal()")
    choose_first(frame)
    assert until(lambda: frame.value(PASSWORD)) == password


def test_a_frame_in_a_shadow_root_keeps_its_menu(page: Page, password: str) -> None:
    page.open("/empty")
    page.browser.evaluate(
        "void (document.body.appendChild(document.createElement('div'))"
        f".attachShadow({{mode: 'closed'}}).innerHTML = `{USUAL}`)"
    )
    frame = page.frame()
    choose_first(frame)
    assert until(lambda: frame.value(PASSWORD)) == password


def test_what_the_page_lays_over_a_frame_is_under_the_menu(page: Page, password: str) -> None:
    frame = frame_in(page, USUAL)
    entry = open_menu(frame, "click")
    menu = {"x": entry["left"] - 30, "y": entry["top"] - 16, "width": 180, "height": 36}
    before = page.browser.picture(menu)
    page.browser.evaluate(f"void (document.body.appendChild({OVERLAY}).style.zIndex = 9)")
    assert page.browser.picture(menu) == before
    page.click_entry_at(entry)
    assert until(lambda: frame.value(PASSWORD)) == password


@pytest.mark.parametrize("gesture", ["click", "key"])
@pytest.mark.parametrize("attack", AFTER)
def test_a_frame_that_is_tampered_with_is_not_filled(page: Page, lists: FakeHost, attack: str, gesture: str) -> None:
    frame = frame_in(page, USUAL)
    entry = open_menu(frame, gesture)
    hold_form(frame)
    page.browser.evaluate(AFTER[attack])
    choose(page, gesture, entry)
    if attack == "frame removed":
        assert page.entries() == page.lists() == lists.requests("fill") == []
    else:
        assert_nothing_was_filled(frame, lists)


@pytest.mark.parametrize("gesture", ["click", "key"])
@pytest.mark.parametrize("where", ["page", "between"])
def test_a_frame_in_a_frame_that_is_tampered_with_is_not_filled(
    page: Page, lists: FakeHost, where: str, gesture: str
) -> None:
    outer, innermost = nested(page)
    entry = open_menu(innermost, gesture)
    page.browser.evaluate(f"void ({FRAME}.style.opacity = 0.9)", outer.context if where == "between" else None)
    hold_form(innermost)
    choose(page, gesture, entry)
    assert_nothing_was_filled(innermost, lists)


def test_a_frame_that_glides_under_the_pointer_is_not_filled(page: Page, lists: FakeHost) -> None:
    frame = frame_in(page, USUAL)
    open_menu(frame, "click")
    page.browser.evaluate(f"""void (() => {{
        for (let step = 1; step <= 20; step++) {{
            {FRAME}.style.cssText = `position: relative; top: ${{3 * step}}px`;
            dispatchEvent(new Event('scroll'));
        }}
    }})()""")
    choose(page, "click", frame.first_entry(USERNAME))
    assert_nothing_was_filled(frame, lists)


def choose_unseen(page: Page, style: str, gesture: str) -> Page:
    """Asks for the menu in a frame that has become unseen, which gets none, and chooses all the same: that frame."""
    frame = frame_in(page, USUAL)
    hold_form(frame)
    hide_focused(page, style)
    if gesture == "click":
        frame.click(USERNAME)
    else:
        frame.press("ArrowDown")
    assert frame.stays_without_menu()
    frame.press("ArrowDown", "Enter", after_ms=SETTLED_MS)
    return frame


@pytest.mark.parametrize(
    ("style", "gesture"),
    [
        ("opacity: 0.01", "click"),
        ("opacity: 0.01", "key"),
        ("filter: opacity(0)", "click"),
        ("filter: opacity(0)", "key"),
        ("visibility: hidden", "key"),
    ],
)
def test_a_frame_that_cannot_be_seen_is_offered_nothing(page: Page, lists: FakeHost, style: str, gesture: str) -> None:
    frame = choose_unseen(page, style, gesture)
    assert_nothing_was_filled(frame, lists)


@pytest.mark.parametrize("gesture", ["click", "key"])
@pytest.mark.parametrize("attack", BEFORE)
def test_where_the_page_could_hide_the_menu_a_window_is_offered(
    page: Page, lists: FakeHost, attack: str, gesture: str
) -> None:
    frame = frame_in(page, USUAL)
    page.browser.evaluate(BEFORE[attack])
    frame.click(USERNAME)
    assert until(page.lists) == [ALL_PASSWORDS]
    assert page.entries() == []
    assert "separate window" in page.notes()[0]
    assert lists.requests("list") == []
    open_the_window(frame, gesture)
    assert until(lambda: frame.value(PASSWORD)) == PICKED["password"]
    assert (len(lists.requests("list")), lists.requests("fill")) == (1, [])


def open_the_window(frame: Page, gesture: str) -> None:
    if gesture == "key":
        frame.press("ArrowDown", "Enter", after_ms=SETTLED_MS)
        return
    # Under the note, whatever the page does to where things are.
    entry = frame.first_entry(USERNAME)
    frame.click_entry_at({"left": entry["left"], "top": entry["top"] + 44})


def test_a_window_is_offered_although_the_answer_came_late(page: Page, lists: FakeHost) -> None:
    lists.fall_silent()
    frame = frame_in(page, USUAL)
    page.browser.evaluate(BEFORE["frame a little transparent"])
    frame.click(USERNAME)
    assert "allow it there" in until(page.notes)[-1]
    lists.answer_again()
    assert until(page.lists) == [ALL_PASSWORDS]
    assert page.entries() == []


def test_a_page_that_could_hide_its_own_menu_is_offered_a_window(page: Page, lists: FakeHost) -> None:
    page.open("/")
    page.browser.evaluate(STYLE % "html { filter: grayscale(1) }")
    page.click(USERNAME)
    assert until(page.lists) == [ALL_PASSWORDS]
    assert page.entries() == []
    open_the_window(page, "key")
    assert until(lambda: page.value(PASSWORD)) == PICKED["password"]


def test_a_window_comes_from_a_gesture_of_the_person_only(page: Page, lists: FakeHost) -> None:
    frame = frame_in(page, USUAL)
    page.browser.evaluate(BEFORE["frame moved by a transform"])
    frame.click(USERNAME)
    until(page.lists)
    page.press(after_ms=SETTLED_MS)
    page.browser.evaluate("void [...document.documentElement.children].at(-1).click()")
    for key in ("ArrowDown", "Enter"):
        page.browser.evaluate(
            f"void {USERNAME}.dispatchEvent(new KeyboardEvent('keydown', {{key: '{key}', bubbles: true}}))",
            frame.context,
        )
    page.press(after_ms=200)
    assert_nothing_was_filled(frame, lists)


def test_after_a_refused_choice_a_window_is_offered(page: Page, lists: FakeHost) -> None:
    """Only the choice looks into every shadow root."""
    frame = frame_in(page, USUAL)
    entry = open_menu(frame, "click")
    page.browser.evaluate(AFTER["popover on top, in a closed shadow root"])
    choose(page, "click", entry)
    frame.click(USERNAME)
    assert until(page.lists) == [ALL_PASSWORDS]
    assert page.entries() == []


@pytest.fixture
def window(page: Page) -> Iterator[Page]:
    yield page
    page.browser.set_viewport(None)
    page.browser.move_window(0, 0)
    until(lambda: page.browser.evaluate("screenX") == 0)


@pytest.mark.parametrize("place", ["page", "frame"])
def test_an_entry_that_is_off_the_screen_is_not_offered(window: Page, lists: FakeHost, place: str) -> None:
    page = window
    frame = frame_in(page, USUAL)
    if place == "page":
        page.open("/")
        frame = page
    page.browser.move_window(-600, 1)
    until(lambda: page.browser.evaluate("screenX") == -600)
    frame.click(USERNAME)
    assert until(page.lists) == [ALL_PASSWORDS]
    assert page.entries() == []


@pytest.mark.parametrize("gesture", ["click", "key"])
def test_a_window_that_is_moved_under_the_pointer_fills_nothing(window: Page, lists: FakeHost, gesture: str) -> None:
    page = window
    page.open("/")
    entry = open_menu(page, gesture)
    page.browser.move_window(60, 60)
    until(lambda: page.browser.evaluate("screenX") == 60)
    hold_form(page)
    choose(page, gesture, entry)
    assert_nothing_was_filled(page, lists)


def test_a_window_that_is_moved_between_press_and_release_fills_nothing(window: Page, lists: FakeHost) -> None:
    page = window
    page.open("/")
    entry = open_menu(page, "click")

    def move() -> None:
        page.browser.move_window(60, 60)
        until(lambda: page.browser.evaluate("screenX") == 60)

    page.click_entry_around(entry, move)
    until(lambda: page.entries() == [])
    page.press(after_ms=200)
    assert_nothing_was_filled(page, lists)


def test_an_entry_that_does_not_fit_into_the_window_is_not_offered(window: Page, lists: FakeHost) -> None:
    page = window
    page.open("/empty")
    page.browser.evaluate(f"void (document.body.innerHTML = `{FORM}`)")
    page.browser.set_viewport((500, 60))
    until(lambda: page.browser.evaluate("innerHeight") == 60)
    page.click(USERNAME)
    assert until(page.lists) == [ALL_PASSWORDS]
    assert page.entries() == []
    open_the_window(page, "key")
    assert until(lambda: page.value(PASSWORD)) == PICKED["password"]
