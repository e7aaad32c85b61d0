"""Signing in, in real browsers; the site itself says whether somebody is signed in."""

from pathlib import Path

import pytest
from page import SETTLED_MS, Page
from site_server import Site, SiteServer
from support import USER, FakeHost, until

USERNAME = "document.getElementById('username')"
PASSWORD = "document.getElementById('password')"
FORM = """<form method=post action=/login>
    <label>User name <input id=username name=username></label>
    <label>Password <input id=password name=password type=password></label>
    <button>Sign in</button></form>"""


def choose_first(page: Page, field: str = USERNAME) -> None:
    page.click(field)
    assert page.wait_for_menu() == [USER]
    page.click_first_entry(field)


def test_signs_in_by_click(page: Page, site: Site) -> None:
    page.open("/")
    choose_first(page)
    until(lambda: page.value(PASSWORD))
    page.press("Enter")
    assert until(site.signed_in) == [USER]
    assert site.attempts == [USER]


def test_signs_in_by_keyboard(page: Page, site: Site) -> None:
    page.open("/")
    page.press("Tab")
    page.wait_for_menu()
    page.press("ArrowDown", "Enter", after_ms=SETTLED_MS)
    until(lambda: page.value(PASSWORD))
    page.press("Enter")
    assert until(site.signed_in) == [USER]


def test_signs_in_over_two_pages(page: Page, site: Site, host: FakeHost) -> None:
    page.open("/first")
    choose_first(page)
    until(lambda: page.value(USERNAME))
    page.press("Enter")
    page.wait_for_path("/second")
    choose_first(page, PASSWORD)
    until(lambda: page.value(PASSWORD))
    page.press("Enter")
    assert until(site.signed_in) == [USER]
    assert [request["params"]["fields"] for request in host.requests("fill")] == [["username"], ["password"]]


def test_fills_a_form_that_came_later(page: Page, site: Site) -> None:
    page.open("/empty")
    page.click("document.documentElement")
    page.browser.evaluate(f"void (document.body.innerHTML = `{FORM}`)")
    choose_first(page)
    until(lambda: page.value(PASSWORD))
    page.press("Enter")
    assert until(site.signed_in) == [USER]


@pytest.mark.parametrize("mode", ["open", "closed"])
def test_fills_inside_a_shadow_root(page: Page, site: Site, mode: str) -> None:
    page.open("/empty")
    page.browser.evaluate(
        f"void ((window.root = document.body.appendChild(document.createElement('div'))"
        f".attachShadow({{mode: '{mode}'}})).innerHTML = `{FORM}`)"
    )
    choose_first(page, "root.getElementById('username')")
    until(lambda: page.value("root.getElementById('password')"))
    page.press("Enter")
    assert until(site.signed_in) == [USER]


@pytest.mark.parametrize("mode", ["open", "closed"])
def test_moves_inside_one_shadow_root_are_noticed(page: Page, mode: str) -> None:
    page.open("/empty")
    page.browser.evaluate(
        f"void ((window.root = document.body.appendChild(document.createElement('div'))"
        f".attachShadow({{mode: '{mode}'}})).innerHTML = `<input id=other type=search>{FORM}`)"
    )
    page.click("root.getElementById('other')")
    page.press("Tab")
    assert page.wait_for_menu() == [USER]


def test_fills_fields_of_one_form_in_several_shadow_roots(page: Page) -> None:
    page.open("/empty")
    page.browser.evaluate("""void (document.body.innerHTML = '<form><p></p><p></p><button>Log in</button></form>',
        window.roots = [...document.querySelectorAll('p')].map((host) => host.attachShadow({mode: 'closed'})),
        roots[0].innerHTML = '<input id=field name=user>',
        roots[1].innerHTML = '<input id=field type=password>')""")
    choose_first(page, "roots[0].getElementById('field')")
    until(lambda: page.value("roots[1].getElementById('field')"))
    assert page.value("roots[0].getElementById('field')") == USER


def test_fills_a_react_form(page: Page, site: Site) -> None:
    page.open("/react")
    choose_first(page)
    until(lambda: page.browser.evaluate("document.getElementById('state').textContent.endsWith(' 16')"))
    page.press("Enter")
    assert until(site.signed_in) == [USER]


@pytest.mark.parametrize("path", ["/vue", "/angular"])
def test_the_model_of_a_framework_hears_of_what_is_filled(page: Page, site: Site, path: str) -> None:
    page.open(path)
    choose_first(page)
    until(lambda: page.browser.evaluate("document.getElementById('state').textContent") == f"{USER} 16")
    page.press("Enter")
    assert until(site.signed_in) == [USER]


def test_fills_in_a_modal_dialog(page: Page, site: Site) -> None:
    page.open("/empty")
    page.browser.evaluate(
        f"void (document.body.innerHTML = `<dialog>{FORM}</dialog>`, document.querySelector('dialog').showModal())"
    )
    choose_first(page)
    until(lambda: page.value(PASSWORD))
    page.press("Enter")
    assert until(site.signed_in) == [USER]


def test_fills_in_a_dialog_that_shows_the_form_in_a_slot(page: Page, site: Site) -> None:
    page.open("/empty")
    page.browser.evaluate(
        f"void (document.body.innerHTML = `<div>{FORM}</div>`, "
        "document.querySelector('div').attachShadow({mode: 'open'}).innerHTML = '<dialog><slot></slot></dialog>', "
        "document.querySelector('div').shadowRoot.firstChild.showModal())"
    )
    choose_first(page)
    until(lambda: page.value(PASSWORD))
    page.press("Enter")
    assert until(site.signed_in) == [USER]


def test_fills_a_form_whose_parts_are_named_like_properties(page: Page) -> None:
    """In a form and a document, a named element stands before the property of that name."""
    page.open("/empty")
    names = (
        "parentNode localName getAttribute matches querySelectorAll ownerDocument previousSibling textContent action"
    )
    hidden = "".join(f"<input type=hidden name={name}>" for name in names.split())
    page.browser.evaluate(
        f"void (document.body.innerHTML = `{FORM}`, document.forms[0].insertAdjacentHTML('beforeend', `{hidden}`), "
        "document.body.insertAdjacentHTML('beforeend', "
        "'<img name=documentElement><img name=activeElement><img name=createElement><img name=title>'))"
    )
    choose_first(page)
    until(lambda: page.value(PASSWORD))


def test_fills_after_the_page_rewrote_its_document(page: Page) -> None:
    page.open("/empty")
    page.browser.evaluate(f"void (document.open(), document.write(`<!doctype html>{FORM}`), document.close())")
    choose_first(page)
    until(lambda: page.value(PASSWORD))


def test_waits_for_the_person_and_then_fills(page: Page, site: Site, host: FakeHost, pictures: Path) -> None:
    host.lock()
    page.open("/")
    choose_first(page)
    assert "example unlock" in until(lambda: len(page.notes()) > 1 and page.notes())
    page.browser.screenshot(pictures / f"{page.browser.name}-waiting.png")
    assert page.value(PASSWORD) == ""
    host.unlock()
    until(lambda: page.value(PASSWORD))
    page.press("Enter")
    assert until(site.signed_in) == [USER]


def test_says_that_the_provider_failed(page: Page, host: FakeHost) -> None:
    host.fail()
    page.open("/")
    choose_first(page)
    assert until(lambda: "provide this account" in " ".join(page.notes()) and page.notes())[0].startswith("Example")
    assert page.value(USERNAME) == page.value(PASSWORD) == ""
    page.press("Escape")
    until(lambda: not page.notes())


def test_follows_the_field_when_the_page_scrolls(page: Page) -> None:
    page.open("/empty")
    page.browser.evaluate(
        f"void (document.body.innerHTML = `<div style='height: 300px'></div>{FORM}<div style='height: 3000px'></div>`)"
    )
    page.click(USERNAME)
    page.wait_for_menu()
    page.browser.evaluate("scrollTo(0, 150)")
    until(lambda: page.box(USERNAME)["top"] < 200)
    page.press(after_ms=100)
    page.click_first_entry(USERNAME)
    until(lambda: page.value(PASSWORD))


def test_fills_on_a_page_with_a_strict_policy(page: Page) -> None:
    page.open("/strict")
    choose_first(page)
    until(lambda: page.value(PASSWORD))


def test_fills_a_page_that_was_come_back_to(page: Page) -> None:
    page.open("/")
    page.click(USERNAME)
    page.wait_for_menu()
    page.open("/empty")
    page.browser.send("browsingContext.traverseHistory", context=page.browser.context, delta=-1)
    page.wait_for_path("/")
    page.press("Escape")
    page.press("Tab")
    page.press("ArrowDown")
    assert page.wait_for_menu() == [USER]


# Firefox tells its accessibility tree to nobody but the desktop.
@pytest.mark.parametrize("browser_name", ["chromium"], indirect=True, scope="session")
def test_a_screen_reader_finds_a_named_list(page: Page) -> None:
    page.open("/")
    page.click(USERNAME)
    page.wait_for_menu()
    page.press("ArrowDown")
    nodes = page.browser.devtools("Accessibility.getFullAXTree", {})["nodes"]
    found = {(node["role"]["value"], node["name"]["value"]) for node in nodes if "role" in node and "name" in node}
    assert ("listbox", "Accounts from Keyway") in found
    assert ("option", f"{USER}, localhost, from Example") in found


def test_escape_cancels_a_fill_that_waits(page: Page, host: FakeHost) -> None:
    host.lock()
    page.open("/")
    choose_first(page)
    until(lambda: len(page.notes()) > 1)
    page.press("Escape")
    until(lambda: host.requests("cancel"))
    host.unlock()
    assert page.stays_without_menu()
    assert page.value(PASSWORD) == ""


def test_leaving_the_page_cancels_a_fill_that_waits(page: Page, host: FakeHost) -> None:
    host.lock()
    page.open("/")
    choose_first(page)
    until(lambda: len(page.notes()) > 1)
    page.open("/empty")
    assert until(lambda: host.requests("cancel"))


def test_a_field_that_went_away_while_waiting_gets_nothing(page: Page, host: FakeHost) -> None:
    host.lock()
    page.open("/")
    choose_first(page)
    until(lambda: len(page.notes()) > 1)
    page.browser.evaluate(f"void (window.removed = {PASSWORD}, removed.remove())")
    host.unlock()
    until(lambda: page.value(USERNAME))
    assert page.browser.evaluate("removed.value") == ""


def test_connects_again_after_the_host_died(page: Page, host: FakeHost) -> None:
    page.open("/")
    choose_first(page)
    until(lambda: page.value(PASSWORD))
    host.kill()
    page.open("/")
    page.click(USERNAME)
    assert page.wait_for_menu() == [USER]
    assert len(host.requests("hello")) >= 1


def test_arrow_keys_go_through_the_accounts(page: Page, server: SiteServer, host: FakeHost) -> None:
    names = ["first@example.org", "second@example.org", "third@example.org"]
    host.accounts([{"origin": server.url, "user": name, "password": name.upper()} for name in names])
    page.open("/")
    page.click(USERNAME)
    assert page.wait_for_menu() == names
    page.press("ArrowDown", "ArrowDown", "ArrowUp", "ArrowUp", "Enter", after_ms=SETTLED_MS)
    until(lambda: page.value(PASSWORD))
    assert page.value(USERNAME) == "third@example.org"


def test_escape_closes_and_arrow_down_opens_again(page: Page) -> None:
    page.open("/")
    page.click(USERNAME)
    page.wait_for_menu()
    page.press("Escape")
    until(lambda: not page.entries())
    page.press("ArrowDown")
    assert page.wait_for_menu() == [USER]


def test_enter_without_a_selection_stays_the_pages(page: Page, site: Site) -> None:
    page.open("/")
    page.click(USERNAME)
    page.wait_for_menu()
    page.press("Enter", after_ms=SETTLED_MS)
    page.wait_for_path("/login")
    assert site.attempts and not site.signed_in()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_saves_pictures_of_the_open_menu(
    page: Page, server: SiteServer, host: FakeHost, pictures: Path, scheme: str
) -> None:
    names = [USER, "ada.lovelace@a-rather-long-company-name.example.org", "root"]
    host.accounts([{"origin": server.url, "user": name, "password": "x"} for name in names])
    page.prefer(scheme)
    try:
        page.open("/")
        page.click(USERNAME)
        page.wait_for_menu()
        page.press("ArrowDown")
        until(lambda: "true" in page.selections())
        page.browser.screenshot(pictures / f"{page.browser.name}-menu-{scheme}.png")
    finally:
        page.prefer(None)


def test_the_account_of_another_site_is_marked_and_the_host_has_the_last_word(
    page: Page, host: FakeHost, password: str
) -> None:
    """What is shown names both sites; whether it is filled, no page decides: here the host says no."""
    other = {"origin": "https://other.test", "user": USER, "password": password, "sharedWith": page.url}
    host.accounts([other])
    page.open("/")
    page.click(USERNAME)
    assert page.wait_for_menu() == [USER]
    (detail,) = page.details()
    assert "for other.test, which shares its accounts with localhost" in detail
    page.click_first_entry(USERNAME)
    until(lambda: host.requests("fill"))
    until(lambda: page.notes() or not page.entries())
    assert (page.value(USERNAME), page.value(PASSWORD)) == ("", "")
