"""Passkeys in pages, judged by the servers of Duo and Yubico; behind the extension stands the fake host."""

import base64
import json
from collections.abc import Iterator

import pytest
from page import SETTLED_MS, Page
from relying_party import JUDGES, NAME, Duo, Yubico
from site_server import SiteServer
from support import FakeHost, until
from test_origins import embed
from test_sign_in import USERNAME

Judge = Duo | Yubico
NO_ACCOUNTS: list[dict] = []
# What the page does with the options of a server, and what it sends back.
ASK = """(async () => {
    const options = %s;
    const method = '%s';
    const publicKey = method === 'create'
        ? PublicKeyCredential.parseCreationOptionsFromJSON(options)
        : PublicKeyCredential.parseRequestOptionsFromJSON(options);
    try {
        const credential = await navigator.credentials[method]({ publicKey, ...(%s) });
        return credential.toJSON();
    } catch (error) {
        return { error: error.name, message: error.message };
    }
})()"""
BEGIN = "void (window.answer = undefined, %s.then((answer) => { window.answer = answer; }))"


def ask(page: Page, method: str, options: dict, more: str = "{}") -> dict:
    answer = page.browser.evaluate(ASK % (json.dumps(options), method, more), page.context)
    assert isinstance(answer, dict)
    return answer


def begin(page: Page, method: str, options: dict, more: str = "{}", *, gesture: bool = False) -> None:
    """Asks, and does not wait for the answer; with `gesture`, as if the person had done something there."""
    page.browser.evaluate(BEGIN % (ASK % (json.dumps(options), method, more)), page.context, gesture=gesture)


def finish(page: Page) -> dict:
    answer = until(lambda: page.browser.evaluate("window.answer", page.context))
    assert isinstance(answer, dict)
    return answer


@pytest.fixture(params=JUDGES)
def judge(request: pytest.FixtureRequest, server: SiteServer) -> Judge:
    return JUDGES[request.param]("localhost", server.url)


@pytest.fixture
def duo(server: SiteServer) -> Duo:
    return Duo("localhost", server.url)


@pytest.fixture
def keys(page: Page, host: FakeHost) -> Iterator[Page]:
    """A page that waits for nothing yet, on a site where nobody has a password."""
    host.accounts(NO_ACCOUNTS)
    page.open("/")
    yield page


def register(page: Page, judge: Judge) -> dict:
    answer = ask(page, "create", judge.creation())
    judge.created(answer, verified=True)
    return answer


def test_registers_and_signs_in(keys: Page, judge: Judge, host: FakeHost) -> None:
    register(keys, judge)
    for verification in ("required", "preferred", "discouraged"):
        assert judge.signed_in(ask(keys, "get", judge.request(verification)), verified=verification == "required")
    assert judge.signed_in(ask(keys, "get", judge.request(named=False)))
    asked = host.requests("passkeys.get")
    assert {request["params"]["url"] for request in asked} == {f"{keys.url}/"}
    assert all("top" not in request["params"] for request in asked)


def test_the_credential_looks_like_the_browsers_own(keys: Page, duo: Duo) -> None:
    register(keys, duo)
    keys.browser.evaluate(f"void (window.options = {json.dumps(duo.request())})")
    shape = keys.browser.evaluate(
        """(async () => {
        const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(window.options);
        const credential = await navigator.credentials.get({ publicKey });
        const { response } = credential;
        return [
            credential instanceof PublicKeyCredential, credential instanceof Credential,
            response instanceof AuthenticatorAssertionResponse, response instanceof AuthenticatorResponse,
            String(credential), Reflect.ownKeys(credential).length, Reflect.ownKeys(response).length,
            credential.type, credential.authenticatorAttachment, credential.rawId instanceof ArrayBuffer,
            response.signature instanceof ArrayBuffer, new Uint8Array(response.userHandle).length,
            navigator.credentials.get.name, navigator.credentials.get.length,
        ];
    })()"""
    )
    assert shape == [True, True, True, True, "[object PublicKeyCredential]", 0, 0, "public-key", "platform", True,
                     True, 11, "get", 0]  # fmt: skip


def test_a_registration_has_what_servers_read(keys: Page, duo: Duo) -> None:
    keys.browser.evaluate(f"void (window.options = {json.dumps(duo.creation())})")
    shape = keys.browser.evaluate(
        """(async () => {
        const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(window.options);
        const { response } = await navigator.credentials.create({ publicKey });
        const key = await crypto.subtle.importKey(
            'spki', response.getPublicKey(), { name: 'ECDSA', namedCurve: 'P-256' }, true, ['verify']);
        return [response instanceof AuthenticatorAttestationResponse, response.getPublicKeyAlgorithm(),
            response.getTransports(), response.getAuthenticatorData().byteLength > 37, key.type];
    })()"""
    )
    assert shape == [True, -7, ["internal"], True, "public"]


def test_an_excluded_passkey_is_not_made_again(keys: Page, judge: Judge) -> None:
    register(keys, judge)
    assert ask(keys, "create", judge.creation(exclude=True))["error"] == "InvalidStateError"


@pytest.mark.parametrize("method", ["create", "get"])
def test_who_cancels_gives_nothing(keys: Page, duo: Duo, host: FakeHost, method: str) -> None:
    register(keys, duo)
    host.set_mark("choice", "cancelled")
    options = duo.creation() if method == "create" else duo.request()
    assert ask(keys, method, options)["error"] == "NotAllowedError"


# Then the browser asks for itself, and nobody answers there.
ABORTED = "{ signal: AbortSignal.timeout(700) }"
CONTROLLED = "{ signal: (window.controller = new AbortController()).signal }"


@pytest.mark.parametrize("method", ["create", "get"])
def test_another_device_is_the_browsers(keys: Page, duo: Duo, host: FakeHost, method: str) -> None:
    register(keys, duo)
    host.set_mark("choice", "elsewhere")
    options = duo.creation() if method == "create" else duo.request()
    begin(keys, method, options, CONTROLLED)
    expected = 2 if method == "create" else 1
    until(lambda: len(host.requests(f"passkeys.{method}")) == expected)
    keys.browser.evaluate("void window.controller.abort()")
    # What a browser says that has no device to ask is its own.
    assert finish(keys)["error"] in ("AbortError", "NotAllowedError")
    assert len(host.requests(f"passkeys.{method}")) == expected


# Only Chromium's own driver has a security key to plug in.
@pytest.mark.parametrize("browser_name", ["chromium"], indirect=True, scope="session")
def test_a_security_key_goes_on_working(keys: Page, judge: Judge, host: FakeHost) -> None:
    keys.browser.devtools("WebAuthn.enable", {})
    options = {"protocol": "ctap2", "transport": "usb", "hasResidentKey": True, "hasUserVerification": True}
    options |= {"isUserVerified": True}
    key = keys.browser.devtools("WebAuthn.addVirtualAuthenticator", {"options": options})["authenticatorId"]
    try:
        host.set_mark("choice", "elsewhere")
        answer = ask(keys, "create", judge.creation())
        judge.created(answer, verified=True)
        assert answer["authenticatorAttachment"] == "cross-platform"
        # Nobody here has it, so nobody here is in the way.
        host.clear_mark("choice")
        assert judge.signed_in(ask(keys, "get", judge.request()))
    finally:
        keys.browser.devtools("WebAuthn.removeVirtualAuthenticator", {"authenticatorId": key})
        keys.browser.devtools("WebAuthn.disable", {})


@pytest.mark.parametrize("method", ["create", "get"])
@pytest.mark.parametrize("party", ["evil.test", "com", "other.localhost"])
def test_a_wrong_relying_party_gets_the_browsers_error(keys: Page, server: SiteServer, method: str, party: str) -> None:
    wrong = Duo(party, server.url)
    own = Duo("localhost", server.url)
    register(keys, own)
    wrong.stored = own.stored
    options = wrong.creation() if method == "create" else wrong.request()
    assert ask(keys, method, options)["error"] == "SecurityError"


def test_a_signal_ends_what_waits(keys: Page, duo: Duo, host: FakeHost) -> None:
    host.set_mark("choice", "wait")
    begin(keys, "create", duo.creation(), CONTROLLED)
    until(lambda: host.requests("passkeys.create"))
    keys.browser.evaluate("void window.controller.abort()")
    assert finish(keys)["error"] == "AbortError"
    until(lambda: host.requests("cancel"))


def test_two_requests_behave_as_in_this_browser(keys: Page, duo: Duo, host: FakeHost) -> None:
    host.set_mark("choice", "wait")
    begin(keys, "create", duo.creation())
    until(lambda: host.requests("passkeys.create"))
    if keys.browser.name == "chromium":
        assert ask(keys, "create", duo.creation())["error"] == "OperationError"
    else:
        host.clear_mark("choice")
        duo.created(ask(keys, "create", duo.creation()))
        assert finish(keys)["error"] == "AbortError"


def test_outputs_of_prf_are_the_same_at_each_sign_in(keys: Page, judge: Judge) -> None:
    salt = base64.urlsafe_b64encode(b"salt").decode().rstrip("=")
    options = judge.creation() | {"extensions": {"prf": {"eval": {"first": salt}}, "credProps": True}}
    made = ask(keys, "create", options)
    judge.created(made)
    results = made["clientExtensionResults"]
    assert results["credProps"] == {"rk": True}
    assert results["prf"]["enabled"] is True
    general = {"extensions": {"prf": {"eval": {"first": salt, "second": salt + "AA"}}}}
    single = {"extensions": {"prf": {"evalByCredential": {made["id"]: {"first": salt}}}}}
    outputs = []
    for more in (general, general, single):
        answer = ask(keys, "get", judge.request() | more)
        assert judge.signed_in(answer)
        outputs.append(answer["clientExtensionResults"]["prf"]["results"])
    assert len({output["first"] for output in outputs} | {results["prf"]["results"]["first"]}) == 1
    assert outputs[0]["second"] == outputs[1]["second"] != outputs[0]["first"]
    assert "second" not in outputs[2]


def test_a_blob_is_stored_and_read(keys: Page, duo: Duo) -> None:
    made = ask(keys, "create", duo.creation() | {"extensions": {"largeBlob": {"support": "required"}}})
    duo.created(made)
    assert made["clientExtensionResults"]["largeBlob"] == {"supported": True}
    text = """(async () => {
        const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(%s);
        publicKey.extensions = { largeBlob: %s };
        const credential = await navigator.credentials.get({ publicKey });
        const { blob, ...rest } = credential.getClientExtensionResults().largeBlob;
        return { ...rest, blob: blob ? new TextDecoder().decode(blob) : null };
    })()"""
    write = "{ write: new TextEncoder().encode('a note') }"
    assert keys.browser.evaluate(text % (json.dumps(duo.request()), write)) == {"written": True, "blob": None}
    assert keys.browser.evaluate(text % (json.dumps(duo.request()), "{ read: true }")) == {"blob": "a note"}


CONDITIONAL = "{ mediation: 'conditional' }"


def test_a_conditional_request_waits_for_the_choice_in_the_menu(keys: Page, judge: Judge, host: FakeHost) -> None:
    register(keys, judge)
    host.accounts([{"origin": keys.url, "user": "password@example.org", "password": "x"}])
    begin(keys, "get", judge.request(named=False), CONDITIONAL)
    until(lambda: host.requests("suggest"))
    keys.click(USERNAME)
    assert until(lambda: len(keys.entries()) > 1 and keys.entries()) == [NAME, "password@example.org"]
    assert host.requests("passkeys.get") == []
    keys.press("ArrowDown", "Enter", after_ms=SETTLED_MS)
    assert judge.signed_in(finish(keys))
    assert keys.value(USERNAME) == ""
    assert keys.stays_without_menu()


def test_the_password_beside_it_is_filled_and_the_request_waits_on(keys: Page, duo: Duo, host: FakeHost) -> None:
    register(keys, duo)
    host.accounts([{"origin": keys.url, "user": "password@example.org", "password": "x"}])
    begin(keys, "get", duo.request(named=False), CONDITIONAL)
    until(lambda: host.requests("suggest"))
    keys.click(USERNAME)
    until(lambda: len(keys.entries()) > 1)
    keys.press("ArrowDown", "ArrowDown", "Enter", after_ms=SETTLED_MS)
    until(lambda: keys.value(USERNAME))
    assert keys.browser.evaluate("window.answer ?? null") is None


def test_a_conditional_request_is_unseen_until_it_begins(keys: Page, duo: Duo, host: FakeHost) -> None:
    register(keys, duo)
    host.accounts([{"origin": keys.url, "user": "password@example.org", "password": "x"}])
    keys.click(USERNAME)
    assert keys.wait_for_menu() == ["password@example.org"]
    begin(
        keys,
        "get",
        duo.request(named=False),
        "{ mediation: 'conditional', signal: (window.c = new AbortController()).signal }",
    )
    assert until(lambda: len(keys.entries()) > 1 and keys.entries())[0] == NAME
    keys.browser.evaluate("void window.c.abort()")
    assert finish(keys)["error"] == "AbortError"
    until(lambda: keys.entries() == [])


def test_a_password_that_was_chosen_is_filled_although_the_request_beside_it_ends(
    keys: Page, duo: Duo, host: FakeHost
) -> None:
    register(keys, duo)
    host.accounts([{"origin": keys.url, "user": "password@example.org", "password": "x"}])
    more = "{ mediation: 'conditional', signal: (window.controller = new AbortController()).signal }"
    begin(keys, "get", duo.request(named=False), more)
    until(lambda: host.requests("suggest"))
    keys.click(USERNAME)
    until(lambda: len(keys.entries()) > 1)
    host.set_mark("locked")
    keys.press("ArrowDown", "ArrowDown", "Enter", after_ms=SETTLED_MS)
    until(lambda: host.requests("fill"))
    keys.browser.evaluate("void window.controller.abort()")
    assert finish(keys)["error"] == "AbortError"
    host.clear_mark("locked")
    until(lambda: keys.value(USERNAME))
    assert keys.value(USERNAME) == "password@example.org"


def test_a_locked_provider_is_unlocked_from_the_menu_and_the_request_waits_for_it(
    keys: Page, duo: Duo, host: FakeHost
) -> None:
    register(keys, duo)
    kept = (host.folder / "passkeys.json").read_text()
    host.clear_mark("passkeys.json")
    host.lists("password", "passkey", picked={})
    host.set_mark("unopened")
    begin(keys, "get", duo.request(named=False), CONDITIONAL)
    until(lambda: host.requests("suggest"))
    keys.click(USERNAME)
    assert until(keys.lists) == ["Unlock Example to see accounts"]
    host.set_mark("passkeys.json", kept)
    host.set_mark("picks-passkey")
    keys.choose_list()
    duo.signed_in(finish(keys))


def test_a_conditional_registration_asks_nobody(keys: Page, judge: Judge, host: FakeHost) -> None:
    host.set_mark("choice", "cancelled")
    judge.created(ask(keys, "create", judge.creation(), CONDITIONAL), present=False)
    assert host.requests("passkeys.create")[0]["params"]["isConditional"] is True
    host.clear_mark("choice")
    assert judge.signed_in(ask(keys, "get", judge.request()))


def test_two_tabs_do_not_know_of_each_other(keys: Page, duo: Duo, host: FakeHost) -> None:
    register(keys, duo)
    begin(keys, "get", duo.request(named=False), CONDITIONAL)
    until(lambda: host.requests("suggest"))
    opened = keys.browser.send("browsingContext.create", type="tab")["context"]
    other = Page(keys.browser, keys.url, opened)
    try:
        keys.browser.send("browsingContext.navigate", context=opened, url=f"{keys.url}/", wait="complete")
        second = Duo("localhost", keys.url)
        second.created(ask(other, "create", second.creation()))
        begin(
            other, "get", second.request(named=False), "{ mediation: 'conditional', signal: AbortSignal.timeout(50) }"
        )
        assert finish(other)["error"] in ("AbortError", "TimeoutError")
    finally:
        keys.browser.send("browsingContext.close", context=opened)
    assert keys.browser.evaluate("window.answer ?? null") is None
    keys.browser.send("browsingContext.activate", context=keys.browser.context)
    keys.click(USERNAME)
    assert until(lambda: len(keys.entries()) == 2 and keys.entries()) == [NAME, NAME]
    keys.press("ArrowDown", "Enter", after_ms=SETTLED_MS)
    assert duo.signed_in(finish(keys))


def test_what_a_page_can_count_on(keys: Page, host: FakeHost) -> None:
    text = """Promise.all([PublicKeyCredential.isConditionalMediationAvailable(),
        PublicKeyCredential.isUserVerifyingPlatformAuthenticatorAvailable(),
        PublicKeyCredential.getClientCapabilities()])"""
    # After a second it is the browser's word, and the first time everything has to start.
    conditional, verifying, capabilities = until(
        lambda: (found := keys.browser.evaluate(text)) and found[:2] == [True, True] and found
    )
    assert (conditional, verifying) == (True, True)
    names = ("conditionalCreate", "conditionalGet", "signalUnknownCredential", "relatedOrigins", "extension:prf")
    assert all(capabilities[name] for name in names)


def test_signals_reach_the_host(keys: Page, host: FakeHost) -> None:
    text = """(async () => {
        const rpId = 'localhost';
        await PublicKeyCredential.signalUnknownCredential({ rpId, credentialId: 'AQID' });
        await PublicKeyCredential.signalAllAcceptedCredentials(
            { rpId, userId: 'AQ', allAcceptedCredentialIds: ['AQID'] });
        await PublicKeyCredential.signalCurrentUserDetails({ rpId, userId: 'AQ', name: 'ada', displayName: 'Ada' });
        try {
            await PublicKeyCredential.signalUnknownCredential({ rpId, credentialId: '!' });
        } catch (error) {
            return error.name;
        }
    })()"""
    assert keys.browser.evaluate(text) == "TypeError"
    reports = [request["params"]["report"]["kind"] for request in host.requests("passkeys.report")]
    assert reports == ["unknown", "accepted", "renamed"]


def test_a_strict_page_is_served_too(keys: Page, duo: Duo) -> None:
    keys.open("/strict")
    register(keys, duo)
    assert duo.signed_in(ask(keys, "get", duo.request()))


@pytest.mark.parametrize(
    "change",
    [
        "Object.freeze(navigator.credentials)",
        "Object.defineProperty(navigator, 'credentials', { value: Object.create(navigator.credentials) })",
        "navigator.credentials.get = async () => ({ toJSON: () => ({ id: 'forged' }) })",
        "CredentialsContainer.prototype.get = async () => ({ toJSON: () => ({ id: 'forged' }) })",
        "Object.defineProperty(window, 'origin', { value: 'https://bank.test' })",
        "Object.freeze(CredentialsContainer.prototype)",
        "document.open(), document.write('<p>new'), document.close()",
        "JSON.stringify = () => '{}', JSON.parse = () => ({})",
        "EventTarget.prototype.dispatchEvent = () => { throw 1 }, EventTarget.prototype.addEventListener = () => {}",
    ],
)
def test_a_page_that_replaces_things_gets_at_most_its_own_origin_signed(
    keys: Page, duo: Duo, host: FakeHost, change: str
) -> None:
    register(keys, duo)
    text = f"(async () => {{ const stringify = JSON.stringify; {change}; return 1; }})()"
    keys.browser.send("script.evaluate", expression=text, target={"context": keys.browser.context}, awaitPromise=True)
    keys.browser.send(
        "script.evaluate",
        expression="navigator.credentials.get({ publicKey: { challenge: new Uint8Array(16) }, "
        "signal: AbortSignal.timeout(700) }).catch(() => {})",
        target={"context": keys.browser.context},
        awaitPromise=True,
    )
    assert {request["params"]["url"] for request in host.requests("passkeys.get")} <= {f"{keys.url}/"}


# What a page can do that puts itself in the place of our script.
IMPOSTOR = """new Promise((resolve) => {
    const target = document.createElement('div');
    const answers = [];
    target.addEventListener('answer', ({ detail }) => answers.push(JSON.parse(detail)));
    document.dispatchEvent(new FocusEvent('keyway-passkeys', { relatedTarget: target }));
    const ask = (id, method, params) => target.dispatchEvent(
        new CustomEvent('ask', { detail: JSON.stringify({ jsonrpc: '2.0', id, method, params }) }));
    ask(1, 'suggest', {});
    ask(2, 'fill', { handle: '0', fields: ['password'] });
    ask(3, 'list', { provider: 'org.example.provider', fields: ['password'] });
    ask(4, 'get', { request: { challenge: 'AQ', allowed: [], userVerification: 'preferred' }, isConditional: false });
    ask(5, 'passkeys.get', {});
    setTimeout(() => resolve(answers), 500);
})"""


@pytest.mark.parametrize("address", ["{url}", "http://login.bank.test:{port}"], ids=["encrypted", "plain"])
def test_a_page_that_speaks_for_itself_gets_no_password(
    page: Page, host: FakeHost, server: SiteServer, address: str
) -> None:
    page.url = address.format(url=server.url, port=server.server_port)
    host.accounts([{"origin": page.url, "user": NAME, "password": "s3cret"}])
    page.open("/")
    answers = page.browser.evaluate(IMPOSTOR)
    # Our script was there first, and where there are no passkeys nobody listens: it is not even told that it may not.
    assert answers == []
    assert host.requests("suggest") == host.requests("fill") == host.requests("list") == []
    assert host.requests("passkeys.get") == []


def frame_of(page: Page, server: SiteServer, allow: str) -> Page:
    source = f"http://other.localhost:{server.server_port}/empty"
    return embed(page, f"<iframe allow='{allow}' src='{source}' width=600 height=400></iframe>")


POLICY = "publickey-credentials-get *; publickey-credentials-create *"


def test_a_frame_of_another_origin_asks_where_the_page_lets_it(keys: Page, server: SiteServer, host: FakeHost) -> None:
    origin = f"http://other.localhost:{server.server_port}"
    duo = Duo("other.localhost", origin)
    keys.url, own = origin, keys.url
    keys.open("/empty")
    register(keys, duo)
    keys.url = own
    frame = frame_of(keys, server, POLICY)
    if keys.browser.name == "firefox":
        ask(frame, "get", duo.request(), ABORTED)
        assert host.requests("passkeys.get") == []
        return
    answer = ask(frame, "get", duo.request())
    duo.signed_in(answer)
    data = json.loads(base64.urlsafe_b64decode(answer["response"]["clientDataJSON"] + "=="))
    assert (data["crossOrigin"], data["topOrigin"], data["origin"]) == (True, own, origin)
    unlet = frame_of(keys, server, "")
    assert ask(unlet, "get", duo.request())["error"] == "NotAllowedError"
    assert len(host.requests("passkeys.get")) == 1


@pytest.mark.parametrize("kind", ["sandbox='allow-scripts' src=/empty", "src='data:text/html,<p>x'"])
def test_a_frame_without_an_origin_asks_nothing(keys: Page, duo: Duo, host: FakeHost, kind: str) -> None:
    register(keys, duo)
    frame = embed(keys, f'<iframe allow="{POLICY}" {kind}></iframe>')
    text = "(navigator.credentials?.get({ publicKey: { challenge: new Uint8Array(16) } }) ?? Promise.reject())"
    assert frame.browser.evaluate(f"{text}.then(() => 1, () => 2)", frame.context) == 2
    assert host.requests("passkeys.get") == []


# Firefox has no such frames: there, it is the page's own.
@pytest.mark.parametrize("browser_name", ["chromium"], indirect=True, scope="session")
def test_a_credentialless_frame_asks_nothing(keys: Page, duo: Duo, host: FakeHost) -> None:
    register(keys, duo)
    frame = embed(keys, f"<iframe credentialless allow='{POLICY}' src=/empty></iframe>")
    # What the browser says to it is its own.
    assert "error" in ask(frame, "get", duo.request(), ABORTED)
    assert host.requests("passkeys.get") == []
    # The same frame without that word is the page's own.
    assert duo.signed_in(ask(embed(keys, "<iframe src=/empty></iframe>"), "get", duo.request()))


def test_a_page_without_encryption_has_no_passkeys(page: Page, host: FakeHost, server: SiteServer) -> None:
    page.url = f"http://login.bank.test:{server.server_port}"
    page.open("/")
    assert page.browser.evaluate("typeof PublicKeyCredential + typeof navigator.credentials") == "undefinedundefined"
    assert [request for request in host.requests() if request["method"].startswith("passkeys")] == []
