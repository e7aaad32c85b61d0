"""Accounts that were just signed in to get a passkey by themselves.

The programs are the installed ones, the provider is one of the tests, and the desktop is played by python-dbusmock.
"""

from __future__ import annotations

import base64
import json
import os
import subprocess
import time
from collections.abc import Iterator

import pytest
from conftest import EXTENSION_POINT, FAULTY, PAGE, Keyway, eventually, fill, suggest, url
from desktop import Desktop
from test_verification import set_pin
from wire import Peer, Refused

UPGRADING = FAULTY.with_name("upgrading_provider.py")
IDENTIFIER = "test.manager"
CAPABILITIES = (
    "ProvidesPasswords",
    "ProvidesPasskeys",
    "SupportsConditionalPasskeyRegistration",
    "SupportsCredentialUpdate",
)
# How long the broker holds back every refusal, in seconds.
PATIENCE = 4


@pytest.fixture
def shows() -> bool:
    return True


@pytest.fixture
def has_pin() -> bool:
    return True


@pytest.fixture
def capabilities() -> tuple[str, ...]:
    return CAPABILITIES


@pytest.fixture
def behaviour() -> str:
    return "good"


@pytest.fixture
def has_second() -> bool:
    """Whether another provider is on, which makes passkeys in the background and has no account."""
    return False


@pytest.fixture
def desktop(tmp_path, shows) -> Iterator[Desktop]:
    desktop = Desktop(tmp_path, shows)
    yield desktop
    desktop.close()


@pytest.fixture
def session(keyway, desktop, capabilities, behaviour, has_pin, has_second) -> Keyway:
    """A broker on that desktop, with the provider turned on."""
    keyway.environment["DBUS_SESSION_BUS_ADDRESS"] = desktop.address
    keyway.start_broker()
    install(keyway, "manager", behaviour, capabilities)
    # Nobody is asked about a password: the person can be verified, and that is all that counts here.
    keyway.keyway("verification", "set", "--rule", "never")
    keyway.enable(IDENTIFIER)
    # Before there is a way to ask the person whether they want it.
    if has_second:
        keyway.enable(install(keyway, "second", behaviour, CAPABILITIES, service=False))
    if has_pin:
        set_pin(keyway)
    with keyway.connect() as terminal:
        keyway.visit_service(terminal, IDENTIFIER, "hello")
        eventually(lambda: suggest(terminal))
    return keyway


def install(keyway: Keyway, name: str, behaviour: str, capabilities: tuple[str, ...], **more: bool) -> str:
    attributes = {"ASCredentialProviderExtensionCapabilities": dict.fromkeys(capabilities, True)}
    extension = {"NSExtensionPointIdentifier": EXTENSION_POINT, "NSExtensionAttributes": attributes}
    identifier = keyway.install(name, behaviour, NSExtension=extension, **more)
    for program in (path for path in keyway.bundle(identifier).iterdir() if path.name in ("extension", "service")):
        program.write_text(program.read_text().replace(str(FAULTY), str(UPGRADING)))
    return identifier


@pytest.fixture
def browser(session) -> Iterator[Peer]:
    with session.connect("browser") as browser:
        yield browser


def sign_in(browser: Peer, **more: object) -> None:
    (found,) = browser.call("suggest", {"services": [url()], "kinds": ["password"]})["suggestions"]
    result, descriptors = browser.answer(browser.request("fill", {**fill(found["handle"]), **more}))
    assert result["credential"]["password"]["user"] == "ada"
    for descriptor in descriptors:
        os.close(descriptor)


def ask(browser: Peer, user: str = "ada", site: str = "a.example", **more: object) -> dict:
    """What the page's registration, of which nobody is to notice anything, is answered with."""
    registration = {
        "relyingParty": site,
        "userName": user,
        "userHandle": base64.b64encode(user.encode()).decode(),
        "clientDataHash": base64.b64encode(bytes(32)).decode(),
        "userVerification": "preferred",
        "algorithms": [-7],
        "excludedCredentials": [],
    }
    page = url(f"https://{site}/login")
    asked = {"registration": registration, "isConditional": True, "presents": False, "services": [page], **more}
    return browser.call("credentials.registerPasskey", asked)


def offered(browser: Peer) -> list[str]:
    parameters = {"services": [url()], "kinds": ["password", "passkey"]}
    return [found.get("kind", "password") for found in browser.call("suggest", parameters)["suggestions"]]


def history(session: Keyway) -> list[dict]:
    return json.loads(session.keyway("history", "--json"))["entries"]


def last(session: Keyway, event: str) -> dict:
    return next(entry for entry in history(session) if entry["event"] == event)


# Every condition is met


def test_an_account_that_was_signed_in_to_gets_a_passkey(session, desktop, browser):
    assert offered(browser) == ["password"]
    sign_in(browser)
    result = ask(browser)
    assert result["provider"]["identifier"] == IDENTIFIER
    assert offered(browser) == ["passkey", "password"], "the password is kept, under it"
    eventually(lambda: desktop.shown)
    (note,) = desktop.shown
    assert "Passkey added" in note and "manager created a passkey for “ada” at a.example" in note and "Undo" in note
    made = last(session, "registration")
    assert made["detail"] == "created in the background, after its password was filled"
    assert (made["account"], made["service"], made["kind"]) == ("ada", "a.example", "passkey")
    assert "verification" not in made or made["verification"] is None


def test_the_person_takes_it_back(session, desktop, browser):
    sign_in(browser)
    ask(browser)
    eventually(lambda: desktop.shown)
    desktop.press(2, "undo")
    desktop.press(1, "default")
    desktop.press(1, "undo")
    marks = session.marks(IDENTIFIER)
    eventually((marks / "hidden").exists)
    assert not (marks / "passkey").exists(), "the provider still has what it hides"
    eventually(lambda: offered(browser) == ["password"])
    eventually(lambda: any("You undid the passkey" in (entry["detail"] or "") for entry in history(session)))
    # Not again, until the person signs in to the machine anew.
    sign_in(browser)
    with pytest.raises(Refused):
        ask(browser)
    assert "you undid the one" in last(session, "refusal")["detail"]


@pytest.mark.parametrize("shows", [False])
def test_without_a_desktop_the_history_says_so(session, browser):
    sign_in(browser)
    ask(browser)
    # The next terminal is told instead.
    eventually(lambda: "manager created a passkey for “ada” at a.example" in said(session))
    assert any("Keyway couldn't notify you on the desktop" in (entry["detail"] or "") for entry in history(session))
    assert last(session, "registration")["account"] == "ada"


def said(session: Keyway) -> str:
    """What a command says beside its answer."""
    command = [session.prefix / "bin/keyway", "suggest", PAGE]
    return subprocess.run(command, env=session.environment, capture_output=True, text=True, timeout=60).stderr


# A condition is not met


def refused(session: Keyway, browser: Peer, desktop: Desktop, **asked: object) -> tuple[str, str, str | None]:
    """Asks for one that is not made: how, with which words, and why, as only the person is told."""
    before = len(history(session))
    began = time.monotonic()
    with pytest.raises(Refused) as refusal:
        ask(browser, **asked)
    assert time.monotonic() - began >= PATIENCE, "the time tells nobody anything either"
    assert refusal.value.provider is None
    assert desktop.shown == [] and not (session.marks(IDENTIFIER) / "hidden").exists()
    entries = history(session)
    detail = entries[0]["detail"] if len(entries) > before else None
    return refusal.value.kind, str(refusal.value), detail


ANSWER = ("notAllowed", "No passkey is created in the background.")


def why(answer: tuple[str, str, str | None]) -> str:
    assert answer[:2] == ANSWER
    assert answer[2] is not None
    return answer[2].removeprefix("No passkey was created in the background: ")


@pytest.mark.parametrize("capabilities", [CAPABILITIES[:2]])
def test_a_provider_must_say_that_it_makes_them(session, browser, desktop):
    sign_in(browser)
    assert why(refused(session, browser, desktop)).startswith("no provider that is turned on")


def test_nothing_happens_in_a_private_window(session, browser, desktop):
    sign_in(browser)
    assert refused(session, browser, desktop, isPrivate=True) == (*ANSWER, None)


def test_what_was_filled_in_a_private_window_does_not_count(session, browser, desktop):
    sign_in(browser, isPrivate=True)
    assert why(refused(session, browser, desktop)).startswith("its password was not filled there")


@pytest.mark.parametrize("has_pin", [False])
def test_the_person_must_be_verifiable(session, browser, desktop):
    sign_in(browser)
    assert why(refused(session, browser, desktop)).startswith("Keyway can't verify you")


def test_the_password_of_that_user_must_have_been_filled(session, browser, desktop):
    assert why(refused(session, browser, desktop)).startswith("its password was not filled there")
    sign_in(browser)
    assert why(refused(session, browser, desktop, user="eve")).startswith("its password was not filled there")


def test_the_password_must_have_been_filled_at_that_site(session, browser, desktop):
    sign_in(browser)
    assert why(refused(session, browser, desktop, site="b.example")).startswith("its password was not filled there")
    # Nothing was used up by that.
    assert ask(browser)["provider"]["identifier"] == IDENTIFIER


@pytest.mark.parametrize(("capabilities", "has_second"), [(CAPABILITIES[:2], True)])
def test_only_the_provider_that_filled_it_makes_one(session, browser, desktop):
    sign_in(browser)
    assert why(refused(session, browser, desktop)).startswith(
        "the provider that filled its password doesn't create passkeys"
    )


def test_what_another_program_had_filled_does_not_count(session, browser, desktop):
    with session.connect() as terminal:
        sign_in(terminal)
    assert why(refused(session, browser, desktop)).startswith("its password was not filled there")


def test_an_account_that_has_one_gets_no_other(session, browser, desktop):
    sign_in(browser)
    ask(browser)
    eventually(lambda: len(desktop.shown) == 1)
    sign_in(browser)
    with pytest.raises(Refused) as refusal:
        ask(browser)
    assert (refusal.value.kind, str(refusal.value)) == ANSWER
    assert last(session, "refusal")["detail"].endswith("the account already has a passkey.")
    assert len(desktop.shown) == 1


@pytest.mark.parametrize("behaviour", ["declines"])
def test_what_the_provider_declines_looks_like_everything_else(session, browser, desktop):
    sign_in(browser)
    assert why(refused(session, browser, desktop)) == "the provider created none."
