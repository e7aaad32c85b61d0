"""Who is asked for: the frame's own origin, as the browser says it, and only where nobody else stands around it."""

import pytest
from bidi import DriverError
from page import Page
from site_server import SiteServer
from support import USER, FakeHost, until
from test_sign_in import FORM, PASSWORD, USERNAME, choose_first


def embed(page: Page, markup: str, path: str = "/empty") -> Page:
    """A page with one frame in it."""
    page.open(path)
    page.browser.evaluate(f"void (document.body.innerHTML = `{markup}`)")
    return page.frame()


def embedded_in(frame: Page, markup: str) -> Page:
    """One more frame, in a frame."""
    browser = frame.browser
    browser.evaluate(f"void (document.body.innerHTML = `{markup}`)", frame.context)
    children = until(lambda: browser.send("browsingContext.getTree", root=frame.context)["contexts"][0]["children"])
    innermost = Page(browser, frame.url, children[0]["context"])
    until(innermost.is_loaded)
    return innermost


def test_asks_for_origin_and_path_and_nothing_else(page: Page, host: FakeHost) -> None:
    page.open("/?user=ada#fragment")
    page.click(USERNAME)
    page.wait_for_menu()
    assert [request["params"] for request in host.requests("suggest")] == [{"url": f"{page.url}/", "private": False}]


@pytest.mark.parametrize("name", ["127.0.0.1", "other.localhost"])
def test_another_origin_gets_nothing(page: Page, host: FakeHost, server: SiteServer, name: str) -> None:
    page.url = f"http://{name}:{server.server_port}"
    page.open("/")
    page.click(USERNAME)
    until(lambda: host.requests("suggest"))
    assert host.requests("suggest")[0]["params"]["url"] == f"{page.url}/"
    assert page.stays_without_menu()


def test_plain_http_is_asked_for_as_plain_http(page: Page, host: FakeHost, server: SiteServer, password: str) -> None:
    """Which items fit is the broker's to say; here the address that it hears is right."""
    page.url = f"http://login.bank.test:{server.server_port}"
    host.accounts([{"origin": page.url.replace("http:", "https:"), "user": USER, "password": password}])
    page.open("/")
    page.click(USERNAME)
    until(lambda: host.requests("suggest"))
    assert page.stays_without_menu()
    host.accounts([{"origin": page.url, "user": USER, "password": password}])
    page.open("/")
    choose_first(page)
    assert until(lambda: page.value(PASSWORD)) == password


def test_a_frame_of_the_same_origin_is_filled(page: Page, password: str) -> None:
    frame = embed(page, "<iframe src=/ width=700 height=500></iframe>")
    choose_first(frame)
    assert until(lambda: frame.value(PASSWORD)) == password


# Documents that the page makes itself: they have its origin, and no address of their own.
INHERITING = {
    "srcdoc": "<iframe srcdoc='<!doctype html><body>' width=700 height=500></iframe>",
    "blob": "<iframe src=${URL.createObjectURL(new Blob(['<!doctype html><body>'], {type: 'text/html'}))}"
    " width=700 height=500></iframe>",
}


@pytest.mark.parametrize("kind", INHERITING)
def test_a_frame_that_inherits_the_origin_is_filled(page: Page, host: FakeHost, password: str, kind: str) -> None:
    frame = embed(page, INHERITING[kind])
    page.browser.evaluate(f"void (document.body.innerHTML = `{FORM}`)", frame.context)
    choose_first(frame)
    assert until(lambda: frame.value(PASSWORD)) == password
    assert host.requests("suggest")[0]["params"]["url"] == f"{page.url}/"


FOREIGN = {
    "other origin": "<iframe src='http://127.0.0.1:{port}/' width=700 height=500></iframe>",
    "sandboxed": "<iframe sandbox='allow-scripts allow-forms' src=/ width=700 height=500></iframe>",
    "sandboxed srcdoc": "<iframe sandbox='allow-scripts' srcdoc='{form}' width=700 height=500></iframe>",
    "data address": "<iframe src='data:text/html,{form}' width=700 height=500></iframe>",
    "blob of a sandboxed frame": "<iframe sandbox='allow-scripts allow-forms' srcdoc='<script>"
    'location.replace(URL.createObjectURL(new Blob(["{form}"], {type: "text/html"})))'
    "</script>' width=700 height=500></iframe>",
    "sandboxed by its server": "<iframe src=/sandboxed width=700 height=500></iframe>",
}


def has_form(frame: Page) -> bool:
    """Whether its form has come; while a frame goes from one document to another, it answers nothing."""
    try:
        return bool(frame.browser.evaluate(f"{PASSWORD} !== null && document.readyState === 'complete'", frame.context))
    except DriverError:
        return False


@pytest.mark.parametrize("kind", FOREIGN)
def test_other_frames_get_nothing_and_ask_nothing(page: Page, host: FakeHost, server: SiteServer, kind: str) -> None:
    account = {"user": USER, "password": "x"}
    host.accounts([{"origin": origin, **account} for origin in (page.url, f"http://127.0.0.1:{server.server_port}")])
    form = FORM.replace("\n", " ").replace("'", "")
    frame = embed(page, FOREIGN[kind].replace("{port}", str(server.server_port)).replace("{form}", form))
    until(lambda: has_form(frame))
    if "blob" in kind:
        assert frame.browser.evaluate("location.protocol", frame.context) == "blob:"
    frame.click(USERNAME)
    assert frame.stays_without_menu()
    assert host.requests("suggest") == []


def test_a_page_that_its_server_sandboxes_gets_nothing_and_asks_nothing(page: Page, host: FakeHost) -> None:
    page.open("/sandboxed")
    assert page.browser.evaluate("origin") == "null"
    page.click(USERNAME)
    assert page.stays_without_menu()
    assert host.requests("suggest") == []


# Firefox has no such frames: there, these are the page's own.
@pytest.mark.parametrize("place", ["itself", "around it"])
@pytest.mark.parametrize("browser_name", ["chromium"], indirect=True, scope="session")
def test_a_credentialless_frame_gets_nothing_and_asks_nothing(page: Page, host: FakeHost, place: str) -> None:
    """It has the page's origin, and nothing of what the origin keeps."""
    frame = embed(
        page, f"<iframe credentialless src={'/' if place == 'itself' else '/empty'} width=800 height=600></iframe>"
    )
    if place == "around it":
        frame = embedded_in(frame, f"<iframe src={page.url}/ width=700 height=500></iframe>")
    assert frame.browser.evaluate("[origin, window.credentialless]", frame.context) == [page.url, True]
    frame.click(USERNAME)
    assert frame.stays_without_menu()
    assert host.requests("suggest") == []


def test_a_page_inside_a_stranger_gets_nothing(page: Page, host: FakeHost, server: SiteServer) -> None:
    """The innermost frame is of the same origin as the page, the one between is not."""
    outer = embed(page, f"<iframe src=http://127.0.0.1:{server.server_port}/empty width=800 height=600></iframe>")
    innermost = embedded_in(outer, f"<iframe src={page.url}/ width=700 height=500></iframe>")
    innermost.click(USERNAME)
    assert innermost.stays_without_menu()
    assert host.requests("suggest") == []
