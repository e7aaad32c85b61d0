"""Passkeys the whole way: a page, the extension, the native host, the broker, the windows, and the vault that signs.

What one part does with each option is shown where that part is tested alone (`test_passkeys.py` behind a fake host,
`Tests/Processes/test_passkeys.py` behind a fake page); here two servers judge what all of them make together.
"""

from __future__ import annotations

import base64
import json
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from bidi import Browser
from desktop import Desktop
from page import SETTLED_MS, Page
from passkey_stack import MASTER, Notifications, PasskeyStack, passkey_stack
from relying_party import JUDGES, NAME, Both, Refused, forged
from site_server import Site, SiteServer
from support import USER, until
from test_origins import embed
from test_passkeys import CONDITIONAL, CONTROLLED, POLICY, ask, begin, finish
from test_sign_in import PASSWORD, USERNAME

from session.sample import add

ANOTHER_DEVICE = "Another device"
# How long nothing is to show, in seconds.
QUIET = 3
# Whether passkeys are offered in fields, somebody can be verified, and accounts are upgraded.
COUNTED_ON = """Promise.all([PublicKeyCredential.isConditionalMediationAvailable(),
    PublicKeyCredential.isUserVerifyingPlatformAuthenticatorAvailable(),
    PublicKeyCredential.getClientCapabilities().then(({ conditionalCreate }) => conditionalCreate)])"""


@pytest.fixture(scope="module")
def desktop() -> Iterator[Desktop]:
    with Desktop() as desktop:
        yield desktop


@pytest.fixture(scope="module")
def notifications(desktop: Desktop) -> Notifications:
    return Notifications(desktop)


@pytest.fixture(scope="module")
def stack(
    stage: Path, server: SiteServer, password: str, desktop: Desktop, notifications: Notifications
) -> Iterator[PasskeyStack]:
    with passkey_stack(stage, desktop, password, server.url) as stack:
        yield stack


@pytest.fixture(scope="module")
def real_browser(browser_name: str, stack: PasskeyStack, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    browser = stack.launch(browser_name, tmp_path_factory.mktemp(f"passkeys-{browser_name}"))
    yield browser
    browser.close()


@pytest.fixture
def page(real_browser: Browser, server: SiteServer, desktop: Desktop) -> Iterator[Page]:
    page = Page(real_browser, server.url)
    page.open("/")
    yield page
    real_browser.open("about:blank")
    desktop.wait_until_empty()


class Accounts:
    """The passkeys that the tests of one browser share, each made when it is first wanted."""

    INPUTS = {"extensions": {"prf": {}, "credProps": True, "largeBlob": {"support": "preferred"}}}  # noqa: RUF012

    def __init__(self, stack: PasskeyStack, site: str) -> None:
        self.stack = stack
        self.site = site
        self.made: dict[str, tuple[Both, dict]] = {}

    def of(self, page: Page, name: str = "duo") -> tuple[Both, dict]:
        """The servers that know it, and what the page was given when it was made with the options of that one."""
        if name not in self.made:
            judge = Both("localhost", self.site, name)
            self.made[name] = judge, self.stack.register(page, judge, "required", self.INPUTS)
        judge, answer = self.made[name]
        return judge.at(self.site), answer


@pytest.fixture(scope="module")
def accounts(real_browser: Browser, stack: PasskeyStack, server: SiteServer) -> Accounts:
    return Accounts(stack, server.url)


@pytest.fixture
def judge(page: Page, accounts: Accounts) -> Both:
    return accounts.of(page)[0]


def test_the_servers_believe_nothing_that_is_not_true(page: Page, judge: Both, stack: PasskeyStack) -> None:
    """Or else none of them would show anything here."""
    answer = stack.sign_in(page, judge, "required")
    for lie, changed in forged(answer).items():
        assert changed != answer, lie
        for name, each in judge.judges.items():
            try:
                each.signed_in(changed)
            except Refused:
                continue
            raise AssertionError(f"{name} believes a wrong answer: {lie}")
    assert judge.signed_in(answer, verified=True)


def counted_on(page: Page) -> list[bool]:
    """What the page is told once everything runs: after a second, it is the browser's word."""
    return until(lambda: (told := page.browser.evaluate(COUNTED_ON))[0] and told)


def test_what_a_page_can_count_on(page: Page) -> None:
    assert counted_on(page) == [True, True, True]


@pytest.mark.parametrize("name", JUDGES)
def test_registers_and_signs_in(page: Page, accounts: Accounts, stack: PasskeyStack, name: str) -> None:
    judge, made = accounts.of(page, name)
    assert made["response"]["transports"] == ["internal"]
    assert made["authenticatorAttachment"] == "platform"
    stack.sign_in(page, judge)


def test_prf_is_the_same_at_each_sign_in_and_a_blob_is_kept(
    page: Page, accounts: Accounts, stack: PasskeyStack
) -> None:
    judge, made = accounts.of(page)
    outputs = made["clientExtensionResults"]
    assert outputs["credProps"] == {"rk": True}
    assert outputs["prf"]["enabled"] is True
    assert outputs["largeBlob"] == {"supported": True}
    first, second, blob = (encoded(text) for text in (b"first salt", b"second salt", b"a note"))
    prf = {"prf": {"eval": {"first": first, "second": second}}}
    wrote = stack.sign_in(page, judge, more={"extensions": prf | {"largeBlob": {"write": blob}}})
    read = stack.sign_in(page, judge, more={"extensions": prf | {"largeBlob": {"read": True}}})
    assert wrote["clientExtensionResults"]["largeBlob"] == {"written": True}
    assert read["clientExtensionResults"]["largeBlob"] == {"blob": blob}
    values = [answer["clientExtensionResults"]["prf"]["results"] for answer in (wrote, read)]
    assert values[0] == values[1]
    assert len({values[0]["first"], values[0]["second"], first, second}) == 4


def encoded(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).decode().rstrip("=")


def choose_passkey(page: Page) -> None:
    """Takes the first of what the field offers, with the keys."""
    page.click(USERNAME)
    assert until(lambda: len(page.entries()) == 2 and page.entries()) == [NAME, USER]
    page.press("ArrowDown", "Enter", after_ms=SETTLED_MS)


def test_a_conditional_request_is_answered_from_the_menu(page: Page, judge: Both, desktop: Desktop) -> None:
    # What the server wants and the page did not pass on is missed.
    wanted = judge.request("required")
    begin(page, "get", wanted | {"userVerification": "discouraged"}, CONDITIONAL)
    choose_passkey(page)
    answer = finish(page)
    for each in judge.judges.values():
        with pytest.raises(Refused):
            each.signed_in(answer, verified=True)
    assert page.value(USERNAME) == page.value(PASSWORD) == ""
    begin(page, "get", judge.request("discouraged"), CONDITIONAL)
    choose_passkey(page)
    assert judge.signed_in(finish(page)) is False
    assert desktop.windows() == []


def test_a_locked_vault_is_opened_for_what_was_chosen_in_the_menu(
    page: Page, judge: Both, stack: PasskeyStack, desktop: Desktop
) -> None:
    stack.lock()
    try:
        begin(page, "get", judge.request("discouraged"), CONDITIONAL)
        choose_passkey(page)
        desktop.unlock("localhost", MASTER)
        # Who typed the master password was verified, although nobody wanted that.
        assert judge.signed_in(finish(page)) is True
    finally:
        stack.unlock()


def test_a_vault_of_which_nothing_is_known_is_unlocked_from_the_menu_and_the_request_waits_for_it(
    page: Page, judge: Both, stack: PasskeyStack, desktop: Desktop
) -> None:
    stack.forget()
    try:
        page.open("/")
        begin(page, "get", judge.request("discouraged"), CONDITIONAL)
        page.click(USERNAME)
        until(lambda: page.lists() == ["Unlock Passwords to see accounts"])
        assert page.entries() == []
        page.choose_list()
        desktop.unlock("localhost", MASTER)
        desktop.wait_for("Passkeys for localhost")
        desktop.take_row(f"{NAME}, Passkey")
        assert judge.signed_in(finish(page)) is True
    finally:
        stack.unlock()


def test_an_excluded_passkey_is_not_made_again(page: Page, judge: Both, stack: PasskeyStack, desktop: Desktop) -> None:
    begin(page, "create", judge.creation("discouraged", exclude=True))
    desktop.choose("localhost", "Passwords")
    # Nobody learns of a passkey from whom the person did not agree to a new one.
    stack.keep()
    assert finish(page)["error"] == "InvalidStateError"


@pytest.mark.parametrize("method", ["create", "get"])
def test_another_device_is_the_browsers_escape_is_no_and_a_signal_takes_the_window_away(
    page: Page, judge: Both, desktop: Desktop, method: str
) -> None:
    options = judge.creation() if method == "create" else judge.request()
    begin(page, method, options)
    desktop.question("localhost", ANOTHER_DEVICE)
    desktop.refuse("Keyway", "localhost")
    assert finish(page)["error"] == "NotAllowedError"
    begin(page, method, options, CONTROLLED)
    desktop.question("localhost", ANOTHER_DEVICE)
    page.browser.evaluate("void window.controller.abort()")
    assert finish(page)["error"] == "AbortError"
    desktop.wait_until_empty()
    begin(page, method, options, CONTROLLED)
    desktop.choose("localhost", ANOTHER_DEVICE)
    # Nobody answers the browser's own question, which goes on until it is taken back.
    desktop.wait_until_empty()
    assert page.browser.evaluate("window.answer ?? null") is None
    page.browser.evaluate("void window.controller.abort()")
    assert finish(page)["error"] == "AbortError"


@pytest.mark.parametrize("verification", ["required", "preferred"])
def test_who_is_not_verified_signs_nothing(page: Page, judge: Both, desktop: Desktop, verification: str) -> None:
    begin(page, "get", judge.request(verification))
    desktop.choose("localhost", NAME)
    desktop.confirm("localhost", f"not {MASTER}")
    desktop.wait_for("Wrong master password")
    desktop.refuse("Keyway", "localhost")
    assert finish(page)["error"] == "NotAllowedError"


def test_who_need_not_be_verified_is_not_said_to_be(page: Page, judge: Both, stack: PasskeyStack) -> None:
    stack.sign_in(page, judge, "discouraged")


@pytest.mark.parametrize("method", ["create", "get"])
def test_a_wrong_relying_party_gets_the_browsers_error(page: Page, judge: Both, desktop: Desktop, method: str) -> None:
    options = judge.creation() if method == "create" else judge.request()
    for party in ("evil.test", "com", "other.localhost"):
        named = {"rp": {"id": party, "name": "Example"}} if method == "create" else {"rpId": party}
        assert ask(page, method, options | named)["error"] == "SecurityError", party
    assert desktop.windows() == []


def stays_without_window(desktop: Desktop) -> None:
    """A question of the page is open, and nothing shows: windows that open do so within this time."""
    end = time.monotonic() + QUIET
    while time.monotonic() < end:
        assert desktop.windows() == []
        time.sleep(0.1)


def aborted(page: Page) -> dict:
    page.browser.evaluate("void window.controller.abort()", page.context)
    return finish(page)


def test_without_a_match_no_window_opens(page: Page, judge: Both, desktop: Desktop) -> None:
    options = judge.request() | {"allowCredentials": [{"type": "public-key", "id": "AAAA"}]}
    begin(page, "get", options, CONTROLLED)
    stays_without_window(desktop)
    assert aborted(page)["error"] in ("AbortError", "NotAllowedError")


def test_two_tabs_do_not_know_of_each_other(page: Page, judge: Both, stack: PasskeyStack) -> None:
    begin(page, "get", judge.request("discouraged"), CONDITIONAL)
    opened = page.browser.send("browsingContext.create", type="tab")["context"]
    other = Page(page.browser, page.url, opened)
    try:
        page.browser.send("browsingContext.navigate", context=opened, url=f"{page.url}/", wait="complete")
        stack.sign_in(other, judge.at(page.url), "discouraged")
    finally:
        page.browser.send("browsingContext.close", context=opened)
    assert page.browser.evaluate("window.answer ?? null") is None
    page.browser.send("browsingContext.activate", context=page.browser.context)
    choose_passkey(page)
    assert judge.signed_in(finish(page)) is False


def test_a_frame_of_another_origin_asks_where_the_page_lets_it(
    page: Page, judge: Both, server: SiteServer, stack: PasskeyStack, desktop: Desktop
) -> None:
    origin = f"http://other.localhost:{server.server_port}"
    framed = judge.at(origin)
    frame = embed(page, f"<iframe allow='{POLICY}' src='{origin}/empty' width=600 height=400></iframe>")
    if page.browser.name == "firefox":
        # The browser's own word on it: where it does not wait for a device, a page has no passkeys of `localhost`.
        begin(frame, "get", framed.request(), CONTROLLED)
        stays_without_window(desktop)
        assert aborted(frame)["error"] in ("AbortError", "NotAllowedError", "SecurityError")
        return
    begin(frame, "get", framed.request("discouraged"))
    desktop.choose("other.localhost", NAME)
    answer = finish(frame)
    assert framed.signed_in(answer) is False
    data = json.loads(base64.urlsafe_b64decode(answer["response"]["clientDataJSON"] + "=="))
    assert (data["crossOrigin"], data["topOrigin"]) == (True, page.url)
    own = Both("other.localhost", origin)
    assert ask(frame, "create", own.creation("discouraged"))["error"] == "NotAllowedError"
    begin(frame, "create", own.creation("discouraged"), gesture=True)
    desktop.choose("other.localhost", "Passwords")
    stack.keep("other.localhost")
    assert own.created(finish(frame)) is False
    unlet = embed(page, f"<iframe src='{origin}/empty' width=600 height=400></iframe>")
    assert ask(unlet, "get", framed.request())["error"] == "NotAllowedError"
    assert ask(unlet, "create", own.creation())["error"] == "NotAllowedError"
    assert desktop.windows() == []


def test_a_sandboxed_frame_asks_nothing(page: Page, judge: Both, desktop: Desktop) -> None:
    frame = embed(page, f"<iframe allow='{POLICY}' sandbox='allow-scripts' src=/empty></iframe>")
    options = json.dumps(judge.request())
    text = f"""(async () => {{
        const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON({options});
        const {{ signal }} = window.controller;
        return (await navigator.credentials.get({{ publicKey, signal }})).id;
    }})().then(() => 'signed', () => 'not signed').then((end) => {{ window.answer = {{ end }}; }})"""
    frame.browser.evaluate(f"void (window.controller = new AbortController(), {text})", frame.context)
    stays_without_window(desktop)
    assert aborted(frame) == {"end": "not signed"}


# Accounts that just signed in with their password.


@dataclass(frozen=True)
class Upgrading:
    """A site of the browser's own, where an account has a password."""

    name: str
    url: str
    site: Site
    stack: PasskeyStack

    def sign_in(self, browser: Browser) -> Page:
        """The page on which one arrives with the password that Keyway filled."""
        page = Page(browser, self.url)
        self.site.forget()
        page.open("/")
        page.click(USERNAME)
        assert page.wait_for_menu() == [USER]
        page.click_first_entry(USERNAME)
        until(lambda: page.value(PASSWORD))
        page.press("Enter")
        assert until(self.site.signed_in) == [USER]
        page.wait_for_path("/welcome")
        return page

    def why_not(self) -> str:
        """What the person alone is told."""
        refusal = next(entry for entry in self.stack.history() if entry["event"] == "refusal")
        assert (refusal["service"], refusal["kind"]) == (self.name, "passkey")
        return refusal["detail"].removeprefix("No passkey was created in the background: ")


@pytest.fixture(scope="module")
def upgrading(browser_name: str, server: SiteServer, stack: PasskeyStack, password: str) -> Upgrading:
    name = f"{browser_name}.localhost"
    upgrading = Upgrading(name, f"http://{name}:{server.server_port}", server.site, stack)
    add(stack, name, USER, upgrading.url, password)
    return upgrading


def offered_while_waiting(page: Page, judge: Both) -> list[str]:
    """What a field offers while the page waits for a passkey."""
    page.open("/")
    begin(page, "get", judge.request(named=False), CONDITIONAL)
    # Asked later, so the request was looked at when this is answered.
    counted_on(page)
    page.click(USERNAME)
    return until(page.entries)


def test_an_account_that_was_signed_in_to_gets_a_passkey(
    page: Page, upgrading: Upgrading, desktop: Desktop, notifications: Notifications
) -> None:
    judge = Both(upgrading.name, upgrading.url)
    page.url = upgrading.url
    page.open("/")
    assert ask(page, "create", judge.creation(), CONDITIONAL)["error"] == "NotAllowedError"
    assert upgrading.why_not() == "its password was not filled there within the last five minutes."
    before = len(notifications.shown())
    upgrading.sign_in(page.browser)
    made = ask(page, "create", judge.creation(), CONDITIONAL)
    assert "error" not in made, made
    with pytest.raises(Refused):
        judge.created(made)
    assert judge.created(made, present=False) is False
    note = until(lambda: notifications.shown()[before:])
    assert f"Passwords created a passkey for “{USER}” at {upgrading.name}" in note[0]
    # The passkey comes first, and the password, which is kept, under it.
    page.open("/")
    assert offered_while_waiting(page, judge) == [NAME, USER]
    page.open("/")
    begin(page, "get", judge.request("discouraged", named=False), CONDITIONAL)
    choose_passkey(page)
    assert judge.signed_in(finish(page)) is False
    upgrading.sign_in(page.browser)
    assert ask(page, "create", judge.creation(), CONDITIONAL)["error"] == "NotAllowedError"
    assert upgrading.why_not() == "the account already has a passkey."
    notifications.undo(before + 1)
    until(lambda: any("You undid the passkey" in (entry["detail"] or "") for entry in upgrading.stack.history()))
    until(lambda: offered_while_waiting(page, judge) == [USER])
    assert desktop.windows() == []


# Private windows.


@pytest.fixture(scope="module")
def private_browser(
    browser_name: str, stack: PasskeyStack, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Browser]:
    browser = stack.launch(browser_name, tmp_path_factory.mktemp(f"private-{browser_name}"), private=True)
    yield browser
    browser.close()


def test_a_private_window_has_passkeys_no_upgrades_and_no_history(
    private_browser: Browser, server: SiteServer, upgrading: Upgrading, stack: PasskeyStack
) -> None:
    before = stack.history()
    private = Page(private_browser, server.url)
    private.open("/")
    judge = Both("localhost", server.url)
    stack.register(private, judge, "discouraged")
    stack.sign_in(private, judge, "discouraged")
    private = upgrading.sign_in(private_browser)
    asked = Both(upgrading.name, upgrading.url).creation()
    assert ask(private, "create", asked, CONDITIONAL)["error"] == "NotAllowedError"
    assert stack.history() == before
