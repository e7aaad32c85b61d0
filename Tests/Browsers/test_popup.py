"""The window of the toolbar button: what it offers for the tab, what it fills, and what it says if that is nothing."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from own_pages import OwnPage, Popup, home_of
from page import Page
from site_server import SiteServer
from support import USER, FakeHost, launch, until
from test_sign_in import FORM, PASSWORD, USERNAME, choose_first

LIST = "All passwords in Example…"
PICKED = {"user": "eve@example.org", "password": "picked", "code": "123456"}
FOREIGN = "http://127.0.0.1:{port}"


@contextmanager
def popup_of(page: Page) -> Iterator[Popup]:
    popup = Popup(page)
    try:
        yield popup
    finally:
        popup.close()
        page.browser.send("browsingContext.activate", context=page.browser.context)


def with_frame(page: Page, markup: str) -> Page:
    page.open("/empty")
    page.browser.evaluate(f"void (document.body.innerHTML = `{markup}`)")
    return page.frame()


def foreign_origin(server: SiteServer) -> str:
    return FOREIGN.format(port=server.server_port)


def in_foreign_frame(page: Page, host: FakeHost, server: SiteServer, password: str) -> Page:
    """A form in a frame of another origin; there are accounts for the page and for the frame."""
    origin = foreign_origin(server)
    host.accounts(
        [
            {"origin": page.url, "user": "top@example.org", "password": "of the page"},
            {"origin": origin, "user": USER, "password": password},
        ]
    )
    return with_frame(page, f"<iframe src={origin}/ width=700 height=500></iframe>")


def test_an_account_of_the_page_is_filled_with_the_keys(page: Page, host: FakeHost, password: str) -> None:
    host.lists("password", picked=PICKED)
    page.open("/")
    with popup_of(page) as popup:
        assert popup.headings() == ["localhost"]
        assert popup.options() == [USER, LIST]
        popup.press("ArrowDown", "Enter")
        until(popup.is_filled)
    assert (page.value(USERNAME), page.value(PASSWORD)) == (USER, password)
    (asked,) = host.requests("fill")
    assert asked["params"] == {
        "url": f"{page.url}/",
        "private": False,
        "handle": "0",
        "fields": ["username", "password"],
    }


def test_what_is_picked_from_a_whole_list_is_filled(page: Page, host: FakeHost) -> None:
    host.accounts([])
    host.lists("password", picked=PICKED)
    page.open("/")
    with popup_of(page) as popup:
        assert popup.options() == [LIST]
        popup.press("ArrowUp", "Enter")
        until(popup.is_filled)
    assert page.value(PASSWORD) == PICKED["password"]


def test_typing_finds_an_account_and_escape_takes_it_back(page: Page, host: FakeHost) -> None:
    names = ["ada@example.org", "Grace.Hopper@example.org", "édith@example.org"]
    host.accounts([{"origin": page.url, "user": name, "password": "p"} for name in names])
    page.open("/")
    with popup_of(page) as popup:
        assert popup.options() == names
        popup.press("hopper")
        until(lambda: popup.options() == names[1:2])
        popup.press("Escape")
        until(lambda: popup.options() == names)
        popup.press("edith")
        until(lambda: popup.options() == names[2:])
        popup.press("x")
        until(lambda: popup.options() == [])
        assert popup.texts("#notes p") == ["No account matches"]


def test_a_screen_reader_is_told_what_is_selected(page: Page) -> None:
    page.open("/")
    with popup_of(page) as popup:
        search = "document.getElementById('search')"
        assert popup.ask(f"[{search}.role, {search}.ariaLabel]") == ["combobox", "Search accounts"]
        assert popup.ask("document.activeElement.id") == "search"
        popup.press("ArrowDown")
        selected = f"document.getElementById({search}.getAttribute('aria-activedescendant'))"
        until(lambda: popup.ask(f"{search}.hasAttribute('aria-activedescendant')"))
        assert popup.ask(f"[{selected}.role, {selected}.ariaSelected]") == ["option", "true"]
        assert popup.ask(f"{selected}.ariaLabel") == f"{USER}, localhost, from Example"
        owner = f"{selected}.closest('[role=listbox]')"
        assert popup.ask(f"[{owner}.id, {owner}.ariaLabel]") == ["accounts", "Accounts from Keyway"]


def test_keys_reach_everything_and_everything_has_a_name(page: Page, host: FakeHost) -> None:
    page.open("/")
    with popup_of(page) as popup:
        # Firefox gives keys to the tab in front alone.
        popup.activate()
        popup.ask("void document.getElementById('search').focus()")
        reached = []
        for _ in range(4):
            popup.press("Tab")
            reached.append(popup.ask("document.activeElement.textContent"))
        assert reached == ["Lock Example", "Turn off for localhost", "Help", "Options"]
        assert popup.ask("document.getElementById('search').ariaLabel") == "Search accounts"
    host.accounts([])
    with popup_of(page) as popup:
        # Nothing to search: reading begins at the top, with the reason, and Enter presses nothing.
        assert popup.ask("document.activeElement.localName") == "main"
        assert popup.ask("document.activeElement.getAttribute('aria-describedby')") == "notes"
        assert popup.reason()
        popup.press("Enter")
        assert host.requests("lock") == []


def test_a_frame_of_another_origin_is_filled_after_both_were_named(
    page: Page, host: FakeHost, server: SiteServer, password: str
) -> None:
    frame = in_foreign_frame(page, host, server, password)
    with popup_of(page) as popup:
        assert popup.headings() == ["In a frame from 127.0.0.1 on localhost"]
        assert popup.options() == [USER]
        popup.press("ArrowDown", "Enter")
        (question,) = until(lambda: popup.texts("[role=alertdialog] p"))
        assert [name in question for name in (USER, "127.0.0.1", "localhost")] == [True] * 3
        assert host.requests("fill") == []
        # The keys are on the button that fills nothing.
        assert popup.ask("document.activeElement.textContent") == "Cancel"
        popup.press_button(".yes")
        until(popup.is_filled)
    assert until(lambda: frame.value(PASSWORD)) == password
    assert [asked["params"]["url"] for asked in host.requests("fill")] == [f"{foreign_origin(server)}/"]


@pytest.mark.parametrize("key", ["Enter", "Escape"])
def test_a_frame_of_another_origin_stays_empty_without_a_yes(
    page: Page, host: FakeHost, server: SiteServer, password: str, key: str
) -> None:
    frame = in_foreign_frame(page, host, server, password)
    with popup_of(page) as popup:
        popup.press("ArrowDown", "Enter")
        until(lambda: popup.texts("[role=alertdialog] p"))
        popup.activate()
        popup.press(key)
        until(lambda: not popup.texts("[role=alertdialog] p"))
    assert host.requests("fill") == []
    assert frame.value(PASSWORD) == ""


def test_a_frame_of_another_origin_is_offered_no_account_of_the_page(
    page: Page, host: FakeHost, server: SiteServer, password: str
) -> None:
    in_foreign_frame(page, host, server, password)
    host.accounts([{"origin": page.url, "user": "top@example.org", "password": "of the page"}])
    with popup_of(page) as popup:
        assert popup.options() == []
        assert "127.0.0.1" in popup.reason()


OPAQUE = {
    "sandboxed": "<iframe sandbox='allow-scripts allow-forms' src=/ width=700 height=500></iframe>",
    "data address": "<iframe src='data:text/html,{form}' width=700 height=500></iframe>",
}


@pytest.mark.parametrize("kind", OPAQUE)
def test_a_frame_without_an_origin_is_offered_nothing_and_the_reason_is_said(
    page: Page, host: FakeHost, kind: str
) -> None:
    is_offered_nothing(page, host, OPAQUE[kind].replace("{form}", FORM.replace("\n", " ")))


# Firefox has no such frames: there, it is the page's own.
@pytest.mark.parametrize("browser_name", ["chromium"], indirect=True, scope="session")
def test_a_credentialless_frame_is_offered_nothing_and_the_reason_is_said(page: Page, host: FakeHost) -> None:
    is_offered_nothing(page, host, "<iframe credentialless src=/ width=700 height=500></iframe>")


def is_offered_nothing(page: Page, host: FakeHost, markup: str) -> None:
    """Neither an account nor a list of the provider."""
    host.lists("password", picked=PICKED)
    with_frame(page, markup)
    with popup_of(page) as popup:
        assert popup.options() == []
        assert "in a sandboxed frame or a credentialless one" in popup.reason()
    assert [asked["params"]["url"] for asked in host.requests("suggest")] == [f"{page.url}/empty"]


def test_where_the_menu_cannot_be_shown_safely_the_window_fills(page: Page, password: str) -> None:
    page.open("/")
    page.browser.evaluate("void (document.documentElement.style.opacity = '0.9')")
    page.click(USERNAME)
    assert page.stays_without_menu(0.5)
    with popup_of(page) as popup:
        popup.press("ArrowDown", "Enter")
        until(popup.is_filled)
    assert page.value(PASSWORD) == password


def test_what_was_chosen_goes_to_no_page_that_came_after(page: Page, host: FakeHost) -> None:
    page.open("/")
    with popup_of(page) as popup:
        page.open("/second")
        popup.press("ArrowDown", "Enter")
        until(lambda: "page changed" in "".join(popup.said()))
        assert not popup.is_filled()
    assert page.value(PASSWORD) == ""


@pytest.mark.parametrize("action", ["https://evil.test/", "http://evil.test/"])
def test_a_form_that_begins_to_send_elsewhere_is_not_filled(page: Page, host: FakeHost, action: str) -> None:
    page.open("/")
    with popup_of(page) as popup:
        page.browser.evaluate(f"void (document.forms[0].action = '{action}')")
        popup.press("ArrowDown", "Enter")
        until(popup.said)
        until(lambda: host.requests("fill"))
        until(lambda: "Filling" not in popup.said()[0])
        assert not popup.is_filled()
    assert page.value(PASSWORD) == ""


def test_a_form_that_sends_elsewhere_says_so(page: Page) -> None:
    page.open("/")
    page.browser.evaluate("void (document.forms[0].action = 'http://evil.test/')")
    with popup_of(page) as popup:
        assert popup.headings() == ["localhost This form submits to evil.test without encryption"]


def test_the_provider_is_locked_and_the_window_says_so(page: Page, host: FakeHost) -> None:
    host.lists("password", picked=PICKED)
    page.open("/")
    with popup_of(page) as popup:
        assert popup.texts(".state") == ["Unlocked"]
        popup.press_button(".provider button")
        until(lambda: popup.texts(".state") == ["Locked"])
        assert popup.texts(".provider button") == ["Unlock Example"]
        assert popup.options() == [USER, "Unlock Example to see accounts"]
        popup.press_button(".provider button")
        # The provider's own window is open until it is unlocked; then nobody waits for its list.
        until(lambda: "example unlock" in popup.said())
        assert popup.texts(".state") == ["Locked"]
        host.unlock()
        until(lambda: popup.texts(".state") == ["Unlocked"])
        assert popup.said() == []
    assert page.value(PASSWORD) == ""
    assert [asked["params"] for asked in host.requests("lock")] == [{"provider": "org.example.provider"}]


CODE = "document.getElementById('code')"
WATCH_TIMES = """void (window.names = [], window.beats = 0, new MutationObserver((changes) => {
    for (const {type, target} of changes) {
        if (type === 'attributes') names.push(target.ariaLabel);
        else beats += 1;
    }
}).observe(document.getElementById('accounts'), {subtree: true, childList: true, attributeFilter: ['aria-label']}))"""
CODE_FORM = "<form><label>One-time code <input id=code autocomplete=one-time-code></label></form>"


def test_codes_count_down_in_the_window_and_only_the_page_gets_one(page: Page, host: FakeHost) -> None:
    coded = {"origin": page.url, "user": USER, "password": "p", "oneTimeCode": "123456", "period": 8}
    host.accounts([coded, {"origin": page.url, "user": "eve", "password": "p"}])
    page.open("/empty")
    page.browser.evaluate(f"void (document.body.innerHTML = `{CODE_FORM}`)")
    with popup_of(page) as popup:
        assert popup.options() == [USER]
        assert popup.texts("[role=option] .detail") == ["One-time code · localhost · Example"]
        shown: set[str] = set()
        until(lambda: shown.update(popup.texts(".left")) or len(shown) >= 3)
        assert shown <= {f"{seconds}s" for seconds in range(1, 9)}
        # The name that a screen reader has changes with each code, and not with the seconds.
        popup.ask(WATCH_TIMES)
        until(lambda: popup.ask("names.length > 0 && beats > 4"))
        names, beats = popup.ask("[names.length, beats]")
        assert names <= beats / 2
        assert popup.ask("names[0]").startswith(f"One-time code for {USER}, localhost, from Example. ")
        assert popup.ask("document.documentElement.outerHTML.includes('123456')") is False
        popup.press("ArrowDown", "Enter")
        until(popup.is_filled)
    assert page.value(CODE) == "123456"


def test_help_says_what_to_do_and_which_keys_there_are(page: Page) -> None:
    page.open("/")
    with popup_of(page) as popup:
        assert "Help" in popup.texts("footer button")
    help_page = OwnPage(page.browser, "src/help/help.html")
    try:
        assert "keyway doctor --fix" in help_page.texts("code")
        terms = until(lambda: help_page.texts("#keys dt"))
        assert dict(zip(terms, help_page.texts("#keys dd"), strict=True)) == {
            "Open the Keyway window": "Ctrl+Shift+X",
            "Show accounts for the current field": "Ctrl+Shift+F",
            "Insert text from Keyway into the current field": "Not set",
        }
        assert help_page.ask("[...document.querySelectorAll('[data-text]')].filter((each) => !each.textContent)") == []
    finally:
        help_page.close()


def test_what_a_locked_provider_needs_is_said_until_it_fills(page: Page, host: FakeHost, password: str) -> None:
    host.lock()
    page.open("/")
    with popup_of(page) as popup:
        popup.press("ArrowDown", "Enter")
        until(lambda: "example unlock" in popup.said())
        host.unlock()
        until(popup.is_filled)
    assert page.value(PASSWORD) == password


@pytest.mark.parametrize("how", ["Escape", "button"])
def test_what_waits_for_a_provider_is_taken_back(page: Page, host: FakeHost, how: str) -> None:
    host.lock()
    page.open("/")
    with popup_of(page) as popup:
        popup.press("ArrowDown", "Enter")
        until(lambda: "example unlock" in popup.said())
        assert popup.ask("document.getElementById('stop').hidden") is False
        if how == "Escape":
            popup.press("Escape")
        else:
            popup.press_button("#stop")
        until(lambda: popup.ask("document.getElementById('stop').hidden"))
        (asked,) = host.requests("fill")
        assert [request["params"] for request in until(lambda: host.requests("cancel"))] == [{"id": asked["id"]}]
        host.unlock()
        assert popup.said() == []
        assert not popup.is_filled()
    assert page.value(PASSWORD) == ""


def test_what_was_chosen_is_filled_after_the_window_was_closed_for_the_one_of_the_provider(
    page: Page, host: FakeHost, password: str
) -> None:
    """Browsers close the window of a toolbar button when another one comes to the front."""
    host.lock()
    page.open("/")
    with popup_of(page) as popup:
        popup.press("ArrowDown", "Enter")
        until(lambda: "example unlock" in popup.said())
    assert page.value(PASSWORD) == ""
    host.unlock()
    assert until(lambda: page.value(PASSWORD)) == password


def test_a_site_is_turned_off_and_on_again(page: Page, host: FakeHost, password: str) -> None:
    page.open("/")
    with popup_of(page) as popup:
        popup.press_button("#site")
        until(lambda: popup.reason() == "You turned Keyway off on localhost.")
        assert popup.options() == []
        title = "chrome.action.getTitle({tabId: Number(location.hash.slice(1))})"
        until(lambda: popup.ask(title) == "Keyway AutoFill: off on this site")
        page.browser.send("browsingContext.activate", context=page.browser.context)
        page.open("/")
        asked = len(host.requests("suggest"))
        page.click(USERNAME)
        assert page.stays_without_menu(0.5)
        assert len(host.requests("suggest")) == asked
        popup.look()
        popup.press_button("#site")
        until(lambda: popup.options() == [USER])
        until(lambda: popup.ask(title) == "Keyway AutoFill")
    page.open("/")
    choose_first(page)
    assert until(lambda: page.value(PASSWORD)) == password


HIDDEN = FORM.replace("<input ", "<input style='opacity: 0' ")


def reason_on(page: Page, markup: str) -> str:
    page.open("/empty")
    page.browser.evaluate(f"void (document.body.innerHTML = `{markup}`)")
    with popup_of(page) as popup:
        return popup.reason()


@pytest.mark.parametrize(
    ("markup", "reason"),
    [
        ("<p>Nothing</p>", "Keyway found no sign-in field on this page."),
        (HIDDEN, "The sign-in fields of this page are hidden, covered or off the screen."),
        (FORM, "No account is saved for localhost over http."),
    ],
)
def test_the_reason_is_a_fact_of_the_page(page: Page, host: FakeHost, markup: str, reason: str) -> None:
    host.accounts([])
    assert reason_on(page, markup).startswith(reason)


def test_the_reason_is_what_the_host_says(page: Page, host: FakeHost) -> None:
    host.refuse("notApproved", "You refused this browser. Run: keyway clients")
    page.open("/")
    with popup_of(page) as popup:
        assert "isn\u2019t allowed to use Keyway yet" in popup.reason()
        assert "You refused this browser. Run: keyway clients" in popup.texts("#notes p")
        host.answer_again()
        popup.look()
        assert popup.options() == [USER]


def test_a_tab_without_a_page_of_the_web_is_told_so(page: Page) -> None:
    page.browser.open("about:blank")
    with popup_of(page) as popup:
        assert popup.reason().startswith("This tab doesn\u2019t show a website.")


def test_the_window_says_what_to_do_about_a_missing_host(
    browser_name: str, extension: Path, server: SiteServer, tmp_path: Path
) -> None:
    browser = launch(browser_name, tmp_path, None, extension)
    try:
        page = Page(browser, server.url)
        page.open("/")
        popup = Popup(page)
        assert "keyway doctor --fix" in popup.reason()
        assert popup.ask("chrome.action.getBadgeText({})") == "!"
    finally:
        browser.close()


def test_a_private_window_says_so_and_nothing_of_it_is_kept(
    browser_name: str, fake_host: FakeHost, host: FakeHost, extension: Path, server: SiteServer, tmp_path: Path
) -> None:
    browser = launch(browser_name, tmp_path, fake_host.program, extension, private=True)
    try:
        page = Page(browser, server.url)
        page.open("/")
        popup = Popup(page)
        assert "Private window: Keyway doesn\u2019t remember anything you do here." in popup.texts("#notes p")
        assert popup.ask("document.getElementById('site').hidden") is True
        assert [asked["params"]["private"] for asked in host.requests("suggest")] == [True]
    finally:
        browser.close()


REACHES = """Promise.all([
    fetch('{home}src/popup/popup.html').then(() => 'read', () => 'refused'),
    new Promise((done) => {{
        const image = new Image();
        image.onload = () => done('read');
        image.onerror = () => done('refused');
        image.src = '{home}icons/ready-16.png';
    }}),
])"""


def test_a_page_reads_and_frames_nothing_of_the_extension(page: Page) -> None:
    page.open("/empty")
    home = home_of(page.browser)
    assert page.browser.evaluate(REACHES.format(home=home)) == ["refused", "refused"]
    page.browser.evaluate(f"void (document.body.innerHTML = `<iframe src={home}src/popup/popup.html></iframe>`)")
    frame = Page(page.browser, page.url, until(page.browser.frames)[0]["context"])
    until(lambda: page.browser.evaluate("document.readyState", frame.context) == "complete")
    assert page.browser.evaluate("document.getElementById('accounts')", frame.context) is None


def test_options_turn_sites_off_and_on(page: Page, host: FakeHost) -> None:
    options = OwnPage(page.browser, "src/options/options.html")
    try:
        add = "(document.getElementById('host').value = {name!r}, document.querySelector('#add button').click())"
        options.ask(f"void {add.format(name='not a site')}")
        until(lambda: "isn\u2019t the name of a site" in options.texts("#said")[0])
        options.ask(f"void {add.format(name='https://Other.Example/path')}")
        options.ask(f"void {add.format(name='localhost')}")
        until(lambda: options.texts("#sites span") == ["localhost", "other.example"])
        page.browser.send("browsingContext.activate", context=page.browser.context)
        page.open("/")
        page.click(USERNAME)
        assert page.stays_without_menu(0.5)
        for name in ("localhost", "other.example"):
            until(lambda name=name: name in options.texts("#sites span")[:1])
            options.press_button("#sites button")
        until(lambda: options.texts("#sites span") == [])
        # A key that the browser has taken already would not be ours.
        assert sorted(options.texts("#keys dd")) == ["Ctrl+Shift+F", "Ctrl+Shift+X", "Not set"]
    finally:
        options.close()
    page.browser.send("browsingContext.activate", context=page.browser.context)
    page.open("/")
    page.click(USERNAME)
    assert page.wait_for_menu() == [USER]


SAVES = "Services.prefs.getBoolPref('signon.rememberSignons')"


def test_options_turn_the_browsers_own_saving_off_and_on(page: Page) -> None:
    """Firefox asks nobody here; Chromium's question is a window of its own that no driver can answer."""
    browser = page.browser
    options = OwnPage(browser, "src/options/options.html")
    try:
        assert "may still offer" in until(lambda: options.texts("#saving")[0])
        assert options.texts("#saving-turn") == ["Turn off the browser\u2019s saving"]
        if browser.name == "chromium":
            return
        browser.in_chrome("Services.prefs.setBoolPref('extensions.webextOptionalPermissionPrompts', false)")
        browser.in_chrome("Services.prefs.setBoolPref('signon.rememberSignons', true)")
        assert browser.chrome_value(SAVES) is True
        options.activate()
        options.ask("void document.getElementById('saving-turn').scrollIntoView({block: 'center'})")
        options.click("document.getElementById('saving-turn')")
        until(lambda: "turned off" in options.texts("#saving")[0])
        assert browser.chrome_value(SAVES) is False
        options.click("document.getElementById('saving-turn')")
        until(lambda: "may still offer" in options.texts("#saving")[0])
        assert browser.chrome_value(SAVES) is True
    finally:
        options.close()
        browser.send("browsingContext.activate", context=browser.context)


def test_the_window_says_once_after_the_set_up_that_the_browser_saves_too(page: Page, host: FakeHost) -> None:
    page.open("/")
    with popup_of(page) as popup:
        assert popup.texts(".own-saving") == []
        popup.ask("chrome.storage.local.set({tellsOwnSaving: true}).then(() => true)")
        popup.look()
        assert popup.texts(".own-saving button") == ["Change\u2026", "Keep both"]
        popup.press_button(".own-saving button:last-child")
        until(lambda: popup.texts(".own-saving") == [])
        popup.look()
        assert popup.texts(".own-saving") == []


def test_an_own_page_of_the_extension_gets_no_secret(page: Page, host: FakeHost, password: str) -> None:
    """The window asks on a port of its own, on which a fill is answered with the names of what was filled."""
    page.open("/")
    with popup_of(page) as popup:
        heard = popup.ask(
            """new Promise((done) => {
            const port = chrome.runtime.connect({name: 'keyway-popup'}), heard = [];
            const ask = (id, method, params) => port.postMessage({jsonrpc: '2.0', id, method, params});
            port.onMessage.addListener((message) => {
                heard.push(JSON.stringify(message));
                if (message.id !== 1) return done(heard);
                ask(2, 'fill', {frame: 0, handle: message.result.frames[0].suggestions[0].handle});
            });
            ask(1, 'look', {tab: Number(location.hash.slice(1))});
        })"""
        )
        assert '"filled":["username","password"]' in heard[1]
        assert password not in "".join(heard)
    assert page.value(PASSWORD) == password


SHORTCUT = """[...document.querySelectorAll('keyset[id^="ext-keyset-id"] key')]
    .find((key) => key.getAttribute('key') === 'F').doCommand()"""


def test_the_shortcut_opens_the_menu_where_the_person_is(extension: Path, server: SiteServer, tmp_path: Path) -> None:
    """In Firefox, which can be told to act on its keys; of Chromium, the page of options says that the key is ours."""
    host = FakeHost(tmp_path / "host")
    host.accounts([{"origin": server.url, "user": USER, "password": "p"}])
    folder = tmp_path / "browser"
    folder.mkdir()
    browser = launch("firefox", folder, host.program, extension)
    try:
        page = Page(browser, server.url)
        page.open("/autofocus")
        assert page.stays_without_menu(0.3)
        browser.in_chrome(SHORTCUT)
        assert page.wait_for_menu() == [USER]
    finally:
        browser.close()
