"""Passkeys on pages whose certificate is broken, once the person clicked the browser's warning away, and on pages whose
certificate is trusted; behind the extension stands the fake host."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from bidi import Browser, DriverError
from page import SETTLED_MS, Page
from relying_party import NAME, Duo
from secure_server import Authority, SecureServer
from serving import serving
from site_server import Site
from support import FakeHost, launch, until
from test_passkeys import CONDITIONAL, ask, begin, finish, register
from test_sign_in import USERNAME
from virtual_key import SERVICE

# Chromium distrusts all pages of a host from then on, whichever their port.
HOST, BROKEN_HOST = "bank.test", "login.bank.test"
# A frame that may make passkeys, and get none.
FRAME = """<iframe src="/" allow="publickey-credentials-get 'none'" width="600" height="400"></iframe>"""
# What a person types at Chromium's warning who knows about it.
ANYWAY = "thisisunsafe"


@pytest.fixture(scope="module")
def authority(tmp_path_factory: pytest.TempPathFactory) -> Authority:
    return Authority(tmp_path_factory.mktemp("authority"))


@pytest.fixture(scope="module")
def trusted(authority: Authority, tmp_path_factory: pytest.TempPathFactory) -> Iterator[SecureServer]:
    yield from serving(SecureServer(Site({}), tmp_path_factory.mktemp("trusted"), HOST, authority))


@pytest.fixture(scope="module")
def broken(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SecureServer]:
    yield from serving(SecureServer(Site({}), tmp_path_factory.mktemp("broken"), BROKEN_HOST))


@pytest.fixture(scope="module")
def careful_browser(
    browser_name: str,
    fake_host: FakeHost,
    extension: Path,
    authority: Authority,
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[Browser]:
    folder = tmp_path_factory.mktemp(f"careful-{browser_name}")
    browser = launch(browser_name, folder, fake_host.program, extension, authority=authority)
    yield browser
    browser.close()


@pytest.fixture
def page(careful_browser: Browser, trusted: SecureServer, host: FakeHost) -> Iterator[Page]:
    """A page whose certificate is trusted, where nobody has a password."""
    host.accounts([])
    page = Page(careful_browser, trusted.url)
    page.open("/")
    yield page
    careful_browser.open("about:blank")


@pytest.fixture
def duo(trusted: SecureServer) -> Duo:
    return Duo(HOST, trusted.url)


def open_anyway(page: Page, url: str) -> None:
    """Opens a page whose certificate is broken, through the browser's warning where there is one."""
    page.url = url
    try:
        page.open("/")
    except DriverError as warning:
        assert "ERR_CERT_AUTHORITY_INVALID" in str(warning)
        until(lambda: stands_at(page, "null"))
        page.press(*ANYWAY)
    until(lambda: stands_at(page, url))


def stands_at(page: Page, origin: str) -> bool:
    try:
        return page.browser.evaluate("origin") == origin and page.is_loaded()
    except DriverError:
        return False


@pytest.mark.parametrize("more", ["{}", CONDITIONAL], ids=["modal", "conditional"])
@pytest.mark.parametrize("method", ["create", "get"])
def test_where_the_certificate_is_broken_the_browser_refuses_itself(
    page: Page, duo: Duo, host: FakeHost, broken: SecureServer, method: str, more: str
) -> None:
    register(page, duo)
    open_anyway(page, broken.url)
    before = host.requests()
    answer = ask(page, method, duo.creation() if method == "create" else duo.request(named=False), more)
    if page.browser.name == "chromium":
        assert answer["error"] == "NotAllowedError"
        assert "TLS certificate" in answer["message"]
    else:
        # Firefox makes none without a window, wherever that is.
        makes_quietly = (method, more) == ("create", CONDITIONAL)
        assert answer["error"] == ("NotAllowedError" if makes_quietly else "SecurityError")
    assert host.requests() == before


def test_a_frame_that_may_only_make_them_makes_none_there_either(
    page: Page, duo: Duo, host: FakeHost, broken: SecureServer
) -> None:
    open_anyway(page, broken.url)
    page.browser.evaluate(f"void (document.body.innerHTML = `{FRAME}`)")
    answer = ask(page.frame(), "create", duo.creation())
    assert answer["error"] == ("NotAllowedError" if page.browser.name == "chromium" else "SecurityError")
    assert host.requests("passkeys.create") == []


# Where the extension isn't in the way: as a page that came by the browser's own function.
SPAM = """void (async () => {
    for (;;) {
        const publicKey = { challenge: new Uint8Array(16) };
        await navigator.credentials.get({ mediation: 'conditional', publicKey }).catch(() => {});
    }
})()"""


# In Chromium, only a relying party with a slow list of its own keeps a request from being refused at once.
@pytest.mark.parametrize("browser_name", ["firefox"], indirect=True, scope="session")
def test_a_page_that_asks_the_browser_all_the_time_is_refused_as_well(
    page: Page, duo: Duo, host: FakeHost, broken: SecureServer
) -> None:
    register(page, duo)
    open_anyway(page, broken.url)
    target = {"context": page.browser.context, "sandbox": "own"}
    page.browser.send("script.evaluate", expression=SPAM, target=target, awaitPromise=False)
    assert ask(page, "get", duo.request())["error"] in ("SecurityError", "AbortError")
    assert host.requests("passkeys.get") == []


# Firefox says of such a frame that it may get none, and nothing more.
@pytest.mark.parametrize("browser_name", ["chromium"], indirect=True, scope="session")
def test_a_frame_that_may_only_make_them_makes_one_where_the_certificate_is_trusted(page: Page, duo: Duo) -> None:
    page.browser.evaluate(f"void (document.body.innerHTML = `{FRAME}`)")
    duo.created(ask(page.frame(), "create", duo.creation()))


def test_with_a_trusted_certificate_the_page_makes_and_gets_them(page: Page, duo: Duo) -> None:
    register(page, duo)
    for _ in range(2):
        assert duo.signed_in(ask(page, "get", duo.request()))
    begin(page, "get", duo.request(named=False), CONDITIONAL)
    page.click(USERNAME)
    assert page.wait_for_menu() == [NAME]
    page.press("ArrowDown", "Enter", after_ms=SETTLED_MS)
    assert duo.signed_in(finish(page))


# Where the extension isn't in the way: Chromium refuses a request while another one waits, and lets that one be.
REFUSED = """navigator.credentials.get({ mediation: 'conditional', signal: AbortSignal.timeout(10000), publicKey: {
    challenge: new Uint8Array(16), extensions: { appid: 'https://nobody.invalid/' } } }).catch(({ name }) => name)"""


def waits_in_the_browser(page: Page) -> bool:
    """Whether a conditional request of the page waits in the browser itself."""
    if page.browser.name == "firefox":
        place = f"gBrowser.selectedBrowser.browsingContext.id, '{page.url}'"
        return page.browser.chrome_value(f"String({SERVICE}.hasPendingConditionalGet({place}))") != "0"
    return (
        page.browser.send(
            "script.evaluate",
            expression=REFUSED,
            target={"context": page.browser.context, "sandbox": "own"},
            awaitPromise=True,
        )["result"]["value"]
        == "OperationError"
    )


def test_what_waits_in_the_browser_itself_waits_on(page: Page, duo: Duo, host: FakeHost) -> None:
    begin(page, "get", {"challenge": "AQID", "rpId": HOST}, CONDITIONAL)
    # The extension's own request, about the certificate, is over then.
    until(lambda: host.requests("suggest"))
    until(lambda: waits_in_the_browser(page))
    register(page, duo)
    for _ in range(2):
        assert duo.signed_in(ask(page, "get", duo.request()))
    assert page.browser.evaluate("window.answer ?? null") is None
    assert waits_in_the_browser(page)


def test_frames_that_ask_at_once_are_all_answered(page: Page, duo: Duo, host: FakeHost) -> None:
    register(page, duo)
    frames = 4
    page.browser.evaluate(
        f"void (document.body.innerHTML = '<iframe src=/ width=200 height=200></iframe>'.repeat({frames}))"
    )
    until(lambda: len(page.browser.frames()) == frames)
    within = [Page(page.browser, page.url, frame["context"]) for frame in page.browser.frames()]
    for frame in within:
        until(frame.is_loaded)
    asked = "Array.from(frames, (frame) => frame.navigator.credentials.get({ publicKey }).then(({ id }) => id))"
    page.browser.evaluate("void (window.publicKey = { challenge: new Uint8Array(16) })")
    assert len(set(page.browser.evaluate(f"Promise.all({asked})"))) == 1
    assert len(host.requests("passkeys.get")) == frames
