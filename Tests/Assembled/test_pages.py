"""T1, T3, T4, T7, T8, T11, T22, T23, T24, K16: what pages try against browsers and the extension as installed.

One of each kind: the others are tried with the same extension in Tests/Browsers.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator

import pytest
from bidi import Browser
from desktop import LIMIT, title
from living import browser, choose, page, person, server, sign_in, site
from login import MASTER
from native_host import CHROMIUM_EXTENSION
from own_pages import OwnPage
from page import SETTLED_MS, Page
from person import IN_THE_VAULT, USER, Person
from relying_party import Both
from seat import Seat
from site_server import Site, SiteServer
from support import until
from test_fields import NAME as NAME_FIELD
from test_fields import WORD, build
from test_menu_attacks import (
    AFTER,
    BEFORE,
    FACES,
    FACES_CAME,
    HANDED_OUT,
    HARMLESS,
    RISING,
    SYNTHETIC,
    looks_the_same_and_fills,
    menu_under,
    pass_over_the_menu,
)
from test_passkeys import CONDITIONAL, IMPOSTOR, ask, begin, finish
from test_sign_in import PASSWORD, USERNAME
from worlds import content_script

__all__ = ["browser", "page", "person", "server", "site"]
LOOK_ALIKES = ("evil.test", "1ocalhost.localhost", "127.0.0.1")


def filled(page: Page) -> list[str]:
    """What stands in the fields of a page after anything that was chosen has had its time."""
    page.press(after_ms=300)
    return page.browser.evaluate("[...document.querySelectorAll('input')].map(({value}) => value).filter(Boolean)")


@pytest.fixture(scope="module", autouse=True)
def first_fill(browser: Browser, person: Person, server: SiteServer) -> None:
    """The browser has filled the site before, and the vault is open: only the page stands between."""
    page = Page(browser, server.url)
    page.open("/")
    person.shell.keyway("passwords lock")
    choose(page)
    person.seat.unlock("localhost", MASTER)
    until(lambda: page.value(PASSWORD))
    person.shell.keyway("passwords unlock", MASTER)


# T7, T8: who asks


@pytest.mark.parametrize("name", LOOK_ALIKES)
def test_T7_a_page_that_only_looks_like_the_site_is_offered_nothing(page: Page, server: SiteServer, name: str) -> None:
    # What its title, address and script say of it is the page's.
    look_alike = Page(page.browser, f"http://{name}:{server.server_port}")
    look_alike.open("/?localhost")
    page.browser.evaluate("void (document.title = 'localhost', history.replaceState(null, '', '/localhost'))")
    look_alike.click(USERNAME)
    assert until(look_alike.lists)
    assert look_alike.entries() == []


def test_T8_an_account_of_an_encrypted_page_is_not_for_one_without(page: Page, person: Person, server: SiteServer):
    site = f"http://login.bank.test:{server.server_port}"
    person.shell.keyway(f"passwords add bank-{page.browser.name} --user {USER} --url https://login.bank.test", "hidden")
    plain = Page(page.browser, site)
    plain.open("/")
    plain.click(USERNAME)
    assert until(plain.lists)
    assert plain.entries() == []
    person.shell.keyway(f"passwords remove bank-{page.browser.name} --yes")


# T1, T3, T4: the menu


@pytest.mark.parametrize("attack", ["html opacity", "html mask", "a popover stands open"])
def test_T1_a_page_that_hid_the_menu_before_it_opened_gets_nothing(page: Page, attack: str) -> None:
    box = page.box(USERNAME)
    page.browser.evaluate(BEFORE[attack])
    page.click(USERNAME)
    page.stays_without_menu()
    page.browser.click(box["left"] + 40, box["top"] + box["height"] + 26, after_ms=SETTLED_MS)
    assert filled(page) == []


@pytest.mark.parametrize(
    "attack",
    [
        "popover on top, in a closed shadow root",
        "html filter",
        "host in a transition of its own",
        "field moved away",
    ],
)
def test_T1_a_page_that_hides_the_open_menu_gets_nothing(page: Page, attack: str) -> None:
    box = page.box(USERNAME)
    page.click(USERNAME)
    page.wait_for_menu()
    page.press(after_ms=SETTLED_MS)
    page.browser.evaluate(AFTER[attack])
    page.browser.click(box["left"] + 40, box["top"] + box["height"] + 26)
    assert filled(page) == []


def test_T1_a_click_right_after_the_menu_came_gets_nothing(page: Page) -> None:
    page.click(USERNAME)
    page.wait_for_menu()
    page.click_first_entry(USERNAME, after_ms=0)
    assert filled(page) == []


def test_T1_without_an_attack_the_same_click_fills(page: Page, site: Site) -> None:
    page.click(USERNAME)
    page.wait_for_menu()
    page.click_first_entry(USERNAME)
    assert sign_in(page, site) == [USER]


@pytest.mark.parametrize("attack", ["registered properties", "what stands before and after the host", "host opacity"])
def test_T1_a_page_that_styles_the_menu_changes_nothing_of_what_is_clicked(page: Page, attack: str) -> None:
    looks_the_same_and_fills(page, HARMLESS[attack])


@pytest.mark.parametrize("kind", RISING)
@pytest.mark.parametrize("rises", [True, False])
def test_T1_what_comes_above_the_menu_unheard_gets_nothing(page: Page, kind: str, rises: bool) -> None:
    username, password = (f"root.getElementById('{name}')" for name in ("username", "password"))
    page.open("/empty")
    page.browser.evaluate(RISING[kind])
    page.click(username)
    page.wait_for_menu()
    if rises:
        page.browser.evaluate("rise()")
    page.click_first_entry(username)
    if rises:
        page.press(after_ms=300)
        assert [page.value(username), page.value(password)] == ["", ""]
    else:
        until(lambda: page.value(password))


@pytest.fixture
def locked_and_left(person: Person) -> Iterator[None]:
    """The vault is locked and its person sits elsewhere: the page's menu says what to type, instead of a window."""
    person.shell.keyway("passwords lock")
    with person.seat.left():
        yield
    person.shell.keyway("passwords unlock", MASTER)


@pytest.mark.usefixtures("locked_and_left")
def test_T1_the_command_to_type_is_in_no_font_of_the_page(page: Page) -> None:
    menu = menu_under(page.box(USERNAME), 80)
    page.click(USERNAME)
    page.wait_for_menu()
    page.click_first_entry(USERNAME)
    until(lambda: "keyway passwords unlock" in page.notes())
    before = page.browser.picture(menu)
    page.browser.evaluate(FACES)
    page.browser.evaluate(FACES_CAME)
    assert page.browser.picture(menu) == before


def test_T3_no_event_gives_a_page_the_menu_or_a_name_in_it(page: Page) -> None:
    page.browser.evaluate(HANDED_OUT)
    page.click(USERNAME)
    page.wait_for_menu()
    pass_over_the_menu(page, USERNAME)
    until(lambda: page.value(PASSWORD))
    assert {"focusin", "mousemove", "wheel", "click"} <= set(page.browser.evaluate("heard"))
    assert page.browser.evaluate("[...new Set(handed)]") == []


@pytest.mark.parametrize("attack", ["pointer events on the host", "keys on the field"])
def test_T3_events_that_a_page_makes_up_choose_nothing(page: Page, attack: str) -> None:
    page.click(USERNAME)
    page.wait_for_menu()
    page.press(after_ms=SETTLED_MS)
    page.browser.evaluate(SYNTHETIC[attack])
    assert filled(page) == []


def test_T4_a_page_that_nobody_touched_gets_nothing(page: Page) -> None:
    page.browser.evaluate(f"void ({USERNAME}.focus(), {USERNAME}.click(), {PASSWORD}.focus())")
    assert page.stays_without_menu()
    assert filled(page) == []


# T11: where a password goes


TRAPS = {"text": "type=text name=password", "unseen": "type=password style='opacity: 0'"}


@pytest.mark.parametrize("trap", TRAPS)
def test_T11_a_password_goes_only_where_it_is_hidden_and_can_be_seen_to_go(page: Page, trap: str) -> None:
    page.open("/empty")
    build(page, NAME_FIELD, f"<p><label>Password <input id=trap {TRAPS[trap]}></label>", WORD)
    page.browser.evaluate("void (window.seen = [], trap.addEventListener('input', () => seen.push(trap.value)))")
    choose(page)
    until(lambda: filled(page))
    assert page.browser.evaluate("[trap.value, ...seen]") == [""]
    assert filled(page) == [USER, IN_THE_VAULT]


# K16: the whole list


def fills(person: Person) -> list[dict]:
    """What was handed out, as the history has it."""
    entries = json.loads(person.shell.keyway("history --json"))["entries"]
    return [entry for entry in entries if entry["event"] == "fill"]


def close(seat: Seat) -> None:
    seat.decline("127.0.0.1", "127.0.0.1")


def refuse(seat: Seat) -> None:
    seat.disallow("127.0.0.1", "127.0.0.1")


@pytest.mark.parametrize("answer", [close, refuse])
def test_K16_an_account_of_another_site_is_handed_out_only_after_a_question_that_names_both(
    page: Page, person: Person, server: SiteServer, answer: Callable[[Seat], None]
) -> None:
    look_alike = Page(page.browser, f"http://127.0.0.1:{server.server_port}")
    look_alike.open("/")
    look_alike.click(USERNAME)
    until(look_alike.lists)
    look_alike.choose_list()
    person.seat.accounts = (server.url,)
    person.seat.wait_for_list("127.0.0.1")
    # It is the only one: a letter or two are enough of a search.
    person.seat.type("lo")
    until(lambda: person.seat.rows() == [server.url])
    person.seat.press("Return")
    person.seat.asked("localhost", "127.0.0.1")
    assert filled(look_alike) == []
    before = fills(person)
    answer(person.seat)
    until(lambda: person.seat.windows() == [])
    assert fills(person) == before
    assert filled(look_alike) == []


# T22: what the extension stores


STORED_THERE = "chrome.storage.local.get(null)"
OPENED = "chrome.storage.local.setAccessLevel({accessLevel: 'TRUSTED_AND_UNTRUSTED_CONTEXTS'}).catch(() => {})"
REACHES = {
    "read": STORED_THERE,
    "read once opened": f"{OPENED}.then(() => {STORED_THERE})",
    "write": "chrome.storage.local.set({reached: true})",
    "remove": "chrome.storage.local.remove('reached')",
}
# Firefox keeps no storage from the extension's scripts in pages (SECURITY.md).
in_chromium = pytest.mark.parametrize("browser", ["chromium"], indirect=True)


@pytest.fixture
def own(page: Page) -> Iterator[OwnPage]:
    """A page of the extension's own, which sees what is stored."""
    own = OwnPage(page.browser, "src/options/options.html")
    yield own
    own.close()


@in_chromium
@pytest.mark.parametrize("reach", REACHES)
def test_T22_a_renderer_that_was_taken_over_reaches_nothing_that_is_stored(page: Page, own: OwnPage, reach: str):
    stored = own.ask(STORED_THERE)
    assert "profile" in stored
    with content_script(page.browser, f"{page.url}/") as renderer:
        assert renderer.evaluate("chrome.runtime.id") == CHROMIUM_EXTENSION
        assert renderer.evaluate(f"{REACHES[reach]}.then(JSON.stringify, () => 'refused')") == "refused"
    assert own.ask(STORED_THERE) == stored


@in_chromium
def test_T22_a_renderer_that_was_taken_over_hears_of_nothing_that_is_stored(page: Page, own: OwnPage) -> None:
    with content_script(page.browser, f"{page.url}/") as renderer:
        renderer.evaluate("void (globalThis.heard = [], chrome.storage.onChanged.addListener((it) => heard.push(it)))")
        own.ask("chrome.storage.local.set({new: 1}).then(() => chrome.storage.local.remove('new'))")
        page.press(after_ms=300)
        assert renderer.evaluate("heard") == []


def test_T22_a_page_that_speaks_in_place_of_our_script_gets_nothing(page: Page, person: Person) -> None:
    # It asks for accounts, passwords and a passkey; not even a refusal comes.
    assert page.browser.evaluate(IMPOSTOR) == []
    assert filled(page) == [] and person.seat.windows() == []


# T23, T24: passkeys


def test_T23_a_page_gets_no_passkey_that_nobody_asked_for(page: Page, person: Person, server: SiteServer) -> None:
    """Nobody has signed in there by a password of theirs: once they have, the same request makes one unasked."""
    host = f"other-{page.browser.name}.localhost"
    url = f"http://{host}:{server.server_port}"
    person.shell.keyway(f"passwords add other --user {USER} --url {url}", IN_THE_VAULT)
    other = Page(page.browser, url)
    other.open("/")
    judge = Both(host, url)
    assert ask(other, "create", judge.creation(), CONDITIONAL)["error"] == "NotAllowedError"
    assert person.seat.windows() == []
    assert passkeys(person) == []
    choose(other)
    person.seat.agree(f"” fill {host}?", host)
    until(lambda: other.value(PASSWORD))
    judge.created(ask(other, "create", judge.creation(), CONDITIONAL), present=False)
    (made,) = passkeys(person)
    for item in {made["id"], *(item["id"] for item in items(person) if item["title"] == "other")}:
        person.shell.keyway(f"passwords remove {item} --yes")


def items(person: Person) -> list[dict]:
    return json.loads(person.shell.keyway("passwords list --json"))["items"]


def passkeys(person: Person) -> list[dict]:
    return [item for item in items(person) if item.get("passkey")]


def test_T24_a_report_of_a_page_hides_a_passkey_and_destroys_nothing(page: Page, person: Person, server: SiteServer):
    seat, judge = person.seat, Both("localhost", server.url)
    begin(page, "create", judge.creation())
    seat.choose("localhost", "Passwords")
    seat.confirm("localhost", MASTER)
    seat.window(title("Passwords", "localhost"), LIMIT)
    seat.wait_for("Save passkey")
    seat.use("Save passkey")
    made = finish(page)
    judge.created(made)
    (kept,) = passkeys(person)
    assert "hidden" not in kept
    report = {"rpId": "localhost", "credentialId": made["id"]}
    page.browser.evaluate(f"PublicKeyCredential.signalUnknownCredential({json.dumps(report)})")
    (after,) = until(lambda: [now for now in [passkeys(person)] if now != [kept]])
    assert [(item["passkey"], bool(item.get("hidden"))) for item in after] == [(kept["passkey"], True)]
    person.shell.keyway(f"passwords restore {kept['id']}")
    assert "hidden" not in passkeys(person)[0]
    person.shell.keyway(f"passwords remove {kept['id']} --yes")
