"""Passkeys the whole way: a page, the extension, the native host, the broker, the windows, and the vault that signs."""

import base64
import json
import secrets
from collections.abc import Iterator

import pytest
from bidi import Browser
from desktop import Desktop, title
from page import SETTLED_MS, Page
from relying_party import JUDGES, NAME
from site_server import SiteServer
from support import USER, launch, until
from test_passkeys import ABORTED, CONDITIONAL, Judge, ask, begin, finish
from test_sign_in import USERNAME
from test_whole import Stack

from session.private import PASSWORDS
from session.sample import Sample, fill_vault

ANOTHER_DEVICE = "Another device"


@pytest.fixture(scope="module")
def desktop() -> Iterator[Desktop]:
    with Desktop() as desktop:
        yield desktop


@pytest.fixture(scope="module")
def stack(stage: object, server: SiteServer, password: str, desktop: Desktop) -> Iterator[Stack]:
    sample = Sample(master=secrets.token_urlsafe(16), user=USER, password=password)
    with Stack(stage, sample) as stack:
        stack.enable_beforehand(PASSWORDS)
        plain = dict(stack.environment)
        stack.environment |= {name: desktop.environment[name] for name in ("DISPLAY", "DBUS_SESSION_BUS_ADDRESS")}
        stack.start_broker()
        stack.environment = plain
        fill_vault(stack, sample, server.url)
        yield stack


@pytest.fixture(scope="module")
def real_browser(
    browser_name: str, stack: Stack, stage: object, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Browser]:
    folder = tmp_path_factory.mktemp(f"passkeys-{browser_name}")
    host = stage / "libexec/keyway/keyway-browser-host"
    browser = launch(browser_name, folder, host, stage / "share/keyway/browser", stack.environment)
    yield browser
    browser.close()


@pytest.fixture
def page(real_browser: Browser, server: SiteServer, stack: Stack, desktop: Desktop) -> Iterator[Page]:
    stack.unlock()
    page = Page(real_browser, server.url)
    page.open("/")
    yield page
    real_browser.open("about:blank")
    desktop.wait_until_empty()


@pytest.fixture(params=JUDGES)
def judge(request: pytest.FixtureRequest, server: SiteServer) -> Judge:
    return JUDGES[request.param]("localhost", server.url)


def take(desktop: Desktop, stack: Stack, name: str) -> None:
    """Chooses, and shows who chooses: the vault's password is a way to be verified."""
    desktop.choose("localhost", name)
    desktop.confirm("localhost", stack.sample.master)


def keep(desktop: Desktop) -> None:
    """What the vault asks before it keeps one."""
    desktop.window(title("Passwords", "localhost"), 60)
    desktop.wait_for("Save passkey")
    desktop.use("Save passkey")


def register(page: Page, judge: Judge, desktop: Desktop, stack: Stack, more: dict | None = None) -> dict:
    begin(page, "create", judge.creation() | (more or {}))
    take(desktop, stack, "Passwords")
    keep(desktop)
    answer = finish(page)
    assert "error" not in answer, answer
    judge.created(answer)
    return answer


def test_registers_and_signs_in(page: Page, judge: Judge, desktop: Desktop, stack: Stack) -> None:
    made = register(page, judge, desktop, stack)
    assert made["response"]["transports"] == ["internal"]
    begin(page, "get", judge.request())
    take(desktop, stack, NAME)
    judge.signed_in(finish(page))


def test_a_conditional_request_is_answered_from_the_menu(
    page: Page, judge: Judge, desktop: Desktop, stack: Stack
) -> None:
    register(page, judge, desktop, stack)
    begin(page, "get", judge.request(), CONDITIONAL)
    page.click(USERNAME)
    assert until(lambda: len(page.entries()) == 2 and page.entries()) == [NAME, USER]
    page.press("ArrowDown", "Enter", after_ms=SETTLED_MS)
    desktop.confirm("localhost", stack.sample.master)
    assert judge.signed_in(finish(page))


def test_an_excluded_passkey_is_not_made_again(page: Page, judge: Judge, desktop: Desktop, stack: Stack) -> None:
    register(page, judge, desktop, stack)
    begin(page, "create", judge.creation(exclude=True))
    take(desktop, stack, "Passwords")
    # Nobody learns of a passkey from whom the person did not agree to a new one.
    keep(desktop)
    assert finish(page)["error"] == "InvalidStateError"


@pytest.mark.parametrize("method", ["create", "get"])
def test_another_device_is_the_browsers_and_escape_is_no(
    page: Page, server: SiteServer, desktop: Desktop, stack: Stack, method: str
) -> None:
    duo = JUDGES["duo"]("localhost", server.url)
    register(page, duo, desktop, stack)
    options = duo.creation() if method == "create" else duo.request()
    begin(page, method, options)
    desktop.question("localhost", ANOTHER_DEVICE)
    desktop.refuse("Keyway", "localhost")
    assert finish(page)["error"] == "NotAllowedError"
    begin(page, method, options, "{ signal: (window.controller = new AbortController()).signal }")
    desktop.choose("localhost", ANOTHER_DEVICE)
    # Nobody answers the browser's own question, which goes on until it is taken back.
    desktop.wait_until_empty()
    assert page.browser.evaluate("window.answer ?? null") is None
    page.browser.evaluate("void window.controller.abort()")
    assert finish(page)["error"] == "AbortError"


def test_a_person_counts_as_verified_only_where_they_were(
    page: Page, judge: Judge, desktop: Desktop, stack: Stack
) -> None:
    register(page, judge, desktop, stack)
    begin(page, "get", judge.request("discouraged"))
    desktop.choose("localhost", NAME)
    assert not judge.signed_in(finish(page))
    begin(page, "get", judge.request("required"))
    desktop.choose("localhost", NAME)
    desktop.question("localhost", "Confirm that it is you")
    desktop.refuse("Keyway", "localhost")
    assert finish(page)["error"] == "NotAllowedError"
    begin(page, "get", judge.request("required"))
    take(desktop, stack, NAME)
    assert judge.signed_in(finish(page), verified=True)


def test_a_signal_takes_the_window_away(page: Page, server: SiteServer, desktop: Desktop, stack: Stack) -> None:
    duo = JUDGES["duo"]("localhost", server.url)
    begin(page, "create", duo.creation(), "{ signal: (window.controller = new AbortController()).signal }")
    desktop.question("localhost", "Passwords")
    page.browser.evaluate("void window.controller.abort()")
    assert finish(page)["error"] == "AbortError"
    desktop.wait_until_empty()


def test_outputs_of_extensions_are_kept(page: Page, judge: Judge, desktop: Desktop, stack: Stack) -> None:
    salt = base64.urlsafe_b64encode(b"salt").decode().rstrip("=")
    inputs = {"extensions": {"prf": {}, "credProps": True, "largeBlob": {"support": "preferred"}}}
    made = register(page, judge, desktop, stack, inputs)["clientExtensionResults"]
    assert made["credProps"] == {"rk": True}
    assert made["prf"]["enabled"] is True
    assert made["largeBlob"] == {"supported": True}
    begin(page, "get", judge.request() | {"extensions": {"prf": {"eval": {"first": salt}}}})
    take(desktop, stack, NAME)
    judge.signed_in(finish(page))


def test_without_a_match_no_window_opens(page: Page, server: SiteServer, desktop: Desktop, stack: Stack) -> None:
    duo = JUDGES["duo"]("localhost", server.url)
    register(page, duo, desktop, stack)
    options = duo.request() | {"allowCredentials": [{"type": "public-key", "id": "AAAA"}]}
    answer = ask(page, "get", json.loads(json.dumps(options)), ABORTED)
    assert answer["error"] in ("TimeoutError", "AbortError", "NotAllowedError")
    assert desktop.windows() == []
