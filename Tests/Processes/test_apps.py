"""An app that signs up and in, and is upgraded: what its server gets is judged by Duo's and Yubico's.

The bundled provider keeps its accounts, and its person answers in a terminal, or in a window at the end.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from conftest import Keyway, eventually
from sample_app import (
    CHOOSE,
    CONFIRM,
    KEEP,
    ORIGIN,
    SAVE,
    SITE,
    TYPED,
    UNLOCK,
    App,
    Failed,
    client_data,
    credential,
    keep_account,
    naming,
    site,
)
from sheets import Display, until
from terminal import DOWN, ENTER, ESCAPE, Terminal
from test_passkeys import decode, member
from test_passwords_extension import MASTER, Vault
from webauthn_servers import Duo, Refused, Yubico

from session.private import PASSWORDS, CommandFailed

PASSWORD = "canary-of-the-bank"
CHALLENGE = "AAECAwQFBgcICQoLDA0ODw"
UNNAMED = "Unverified program"
LEFT = "\x1b[D"


@contextmanager
def fails(code: str) -> Iterator[None]:
    """The app ends with this code of `ASAuthorizationError`."""
    with pytest.raises(Failed) as failed:
        yield
    assert str(failed.value) == code


@pytest.fixture(params=[Duo, Yubico], ids=["duo", "yubico"])
def server(request):
    """The app's server."""
    return request.param(SITE)


@pytest.fixture
def bank(keyway, tmp_path):
    """The app's site."""
    assert os.geteuid() == 0, "only root can install an app that a site can name"
    with site(keyway, tmp_path) as bank:
        yield bank


@pytest.fixture
def session(keyway, bank) -> Keyway:
    """A broker with an empty vault."""
    keyway.start_broker()
    keyway.enable(PASSWORDS)
    with keyway.connect() as terminal:
        Vault(terminal).create()
    return keyway


@pytest.fixture
def stranger(session) -> App:
    """The app, which its site does not name."""
    return App(session)


@pytest.fixture
def app(session, bank) -> App:
    """The app, which its site names."""
    app = App(session)
    bank.answer = naming("desktop:org.example.other", app.name)
    return app


@pytest.fixture
def account(session) -> None:
    """An account with a password."""
    keep_account(session, PASSWORD)


def history(session: Keyway) -> list[tuple[str, str | None]]:
    """What happened, and what is said of it, the newest first."""
    entries = json.loads(session.keyway("history", "--json"))["entries"]
    return [(entry["event"], entry.get("detail")) for entry in entries]


def sign_up(app: App, server: Duo | Yubico):
    options = server.creation([-7])
    message = app.answered("sign-up", "ada", member(options, "challenge"), steps=(KEEP, CONFIRM, SAVE))
    return message, server.created(credential(message), ORIGIN)


def sign_in(app: App, server: Duo | Yubico, account):
    options = server.request(account)
    message = app.answered("sign-in", member(options, "challenge"), steps=(CHOOSE, CONFIRM, UNLOCK))
    return message, server.signed_in(account, credential(message), ORIGIN)


# Its site names it


def test_an_app_signs_up_and_in(app, session, server):
    message, account = sign_up(app, server)
    assert message["kind"] == "registration"
    assert account.is_verified and account.is_eligible and account.format == "none"
    assert client_data(message) == {
        "type": "webauthn.create",
        "challenge": client_data(message)["challenge"],
        "origin": ORIGIN,
        "crossOrigin": False,
    }
    for _ in range(2):
        message, proof = sign_in(app, server, account)
        assert proof.is_verified and proof.counter == 0
        assert decode(message["userHandle"]) == b"user handle"
        assert client_data(message)["type"] == "webauthn.get"
    assert [event for event, _ in history(session)][:3] == ["fill", "fill", "registration"]


def test_a_signature_is_for_one_site_and_one_challenge(app, server):
    _, account = sign_up(app, server)
    message, _ = sign_in(app, server, account)
    with pytest.raises(Refused):
        server.signed_in(account, credential(message), "https://evil.test")
    server.request(account)
    with pytest.raises(Refused):
        server.signed_in(account, credential(message), ORIGIN)


def test_an_account_that_signed_in_with_its_password_is_upgraded(app, session, server, account):
    signed_in = app.answered("sign-in", CHALLENGE, steps=(CHOOSE, UNLOCK))
    assert signed_in == {"kind": "password", "user": "ada", "password": PASSWORD}
    options = server.creation([-7])
    message = app.run("upgrade", "ada", member(options, "challenge"))
    with pytest.raises(Refused, match="resen"):
        server.created(credential(message), ORIGIN)
    account = server.created(credential(message), ORIGIN, is_present=False)
    assert not account.is_verified, "nobody was asked"
    assert ("registration", "created in the background, after its password was filled") in history(session)
    # The passkey is offered first, and the password under it.
    options = server.request(account)
    with app.start("sign-in", member(options, "challenge")) as run:
        said = run.answer(CHOOSE, CONFIRM, UNLOCK)
        assert said == f"keyway: sample-app received what it asked for at {SITE}.\n"
        rows = [line.strip() for line in run.screens[0].splitlines() if "Passwords" in line]
        assert [row.removeprefix("\u203a ").split(",")[0] for row in rows] == [
            "ada  passkey",
            "ada  password",
            "All accounts in Passwords",
        ]
        assert server.signed_in(account, credential(run.end()), ORIGIN).is_verified
    # There is one now.
    app.answered("password", steps=(CHOOSE, UNLOCK))
    with fails("failed"):
        app.run("upgrade", "ada", CHALLENGE)
    assert history(session)[0] == (
        "refusal",
        "No passkey was created in the background: the account already has a passkey.",
    )


def test_a_password_goes_to_the_delegate_of_a_controller(app, account):
    message = app.answered("password", steps=(CHOOSE, UNLOCK))
    assert message == {"kind": "password", "user": "ada", "password": PASSWORD}


def test_a_field_with_the_focus_offers_what_there_is(app, server):
    _, account = sign_up(app, server)
    options = server.request(account)
    message = app.answered("focus", member(options, "challenge"), steps=(CHOOSE, CONFIRM, UNLOCK))
    server.signed_in(account, credential(message), ORIGIN)


def test_a_field_waits_on_when_the_person_closes_what_it_offers(app, session, account):
    with app.start("focus", CHALLENGE) as run:
        assert (
            run.answer(("Choose an account for sample-app", ESCAPE))
            == f"keyway: sample-app received nothing for {SITE}.\n"
        )
        # Any other request would have ended by that.
        assert app.answered("password", steps=(CHOOSE, UNLOCK))["user"] == "ada"
        assert run.process.poll() is None


def test_a_way_of_the_apps_own_is_chosen_from_the_same_list(app, account):
    message = app.answered("ways", CHALLENGE, steps=(("Choose an account for sample-app", DOWN * 2 + ENTER),))
    assert message == {"kind": "method", "method": "restorePurchase"}


def test_a_new_account_is_called_as_the_person_says(app, server):
    options = server.creation([-7])
    named = ("New account", "  grace@bank.test " + ENTER)
    message = app.answered("new-account", member(options, "challenge"), steps=(KEEP, named, CONFIRM, SAVE))
    assert message["user"] == "grace@bank.test"
    server.created(credential(message), ORIGIN)


def test_what_the_server_does_not_know_is_hidden_and_comes_back(app, session, server):
    message, account = sign_up(app, server)
    assert app.run("forget", message["id"]) == {"kind": "told"}
    session.keyway("passwords", "unlock", secrets=[MASTER.decode()])
    eventually(lambda: "passkey, hidden" in session.keyway("passwords", "list"))
    with fails("canceled"):
        app.run("here", CHALLENGE)
    session.keyway("passwords", "restore", SITE, "--passkey")
    eventually(lambda: "passkey, hidden" not in session.keyway("passwords", "list"))
    sign_in(app, server, account)


def test_a_password_that_an_app_keeps_is_in_the_vault(app, session):
    message = app.answered("keep", "ada", steps=(("Save a password", TYPED),), secret=PASSWORD)
    assert message == {"kind": "kept"}
    assert "ada" in session.keyway("passwords", "list")


def test_where_nobody_saves_passwords_none_is_kept(keyway, bank):
    keyway.start_broker()
    app = App(keyway)
    bank.answer = naming("desktop:org.example.other", app.name)
    with fails("notHandled"), app.start("keep", "ada", secret=PASSWORD) as run:
        run.end()


# Its site does not


def test_the_person_is_asked_about_another_app_at_each_request(stranger, bank, account):
    bank.answer = naming("program:/usr/bin/another", f"{stranger.name}x", stranger.name.upper())
    allow = (UNNAMED, LEFT + ENTER)
    for _ in range(2):
        with stranger.start("sign-in", CHALLENGE) as run:
            run.answer(allow, CONFIRM, CHOOSE, UNLOCK)
            shown = " ".join(run.screens[0].split())
            assert f"sample-app ({stranger.path}) wants to sign you in to {SITE}" in shown
            assert run.end()["password"] == PASSWORD


@pytest.mark.parametrize("keys", [ENTER, ESCAPE], ids=["enter", "escape"])
def test_who_is_not_allowed_gets_nothing_and_learns_nothing(stranger, session, account, keys):
    for words in (("sign-in", CHALLENGE), ("here", CHALLENGE), ("sign-up", "ada", CHALLENGE), ("forget", "AAAA")):
        with fails("canceled"):
            stranger.answered(*words, steps=((UNNAMED, keys),))
        assert history(session)[0] == (
            "refusal",
            f"You didn't allow it to ask for {SITE}, which doesn't list it as its own.",
        )


@pytest.mark.parametrize("place", ["person", "writable", "interpreter"])
def test_a_program_that_anybody_could_have_put_there_is_named_by_no_site(session, bank, account, place):
    folder = session.folder / "open"
    folder.mkdir()
    if place == "person":
        # Whoever owns it, is not root.
        os.chown(folder, 1000, 1000)
    elif place == "writable":
        folder.chmod(0o777)
    app = App(session, folder / "app")
    if place == "interpreter":
        # What the loader is handed runs as the loader.
        (loader,) = [
            path for path in ("/lib64/ld-linux-x86-64.so.2", "/lib/ld-linux-aarch64.so.1") if Path(path).exists()
        ]
        app.command = (os.path.realpath(loader), app.path)
    bank.answer = naming(app.name, *(f"program:{path}" for path in map(str, app.command)))
    with fails("canceled"):
        app.answered("sign-in", CHALLENGE, steps=((UNNAMED, ESCAPE),))


# What does not work, and who learns why


def test_closing_the_list_cancels(app, account):
    with fails("canceled"):
        app.answered("sign-in", CHALLENGE, steps=(("Choose an account for sample-app", ESCAPE),))


def test_who_is_not_verified_gets_no_passkey(app, session):
    wrong = ("Confirm it\u2019s you", "wrong" + ENTER)
    with fails("canceled"):
        app.answered("sign-up", "ada", CHALLENGE, steps=(KEEP, wrong, ("Wrong master password", ESCAPE)))
    with fails("canceled"):
        app.run("here", CHALLENGE)


def test_where_nothing_is_there_nobody_is_asked(app):
    with fails("canceled"):
        app.run("here", CHALLENGE)


@pytest.mark.parametrize("place", ["test", "127.0.0.1", "https://bank.test", "bank.test."])
def test_what_is_no_site_is_refused(app, place):
    with fails("failed"):
        app.run("sign-in", CHALLENGE, site=place)


def test_why_nothing_is_made_in_the_background_is_told_to_the_person_alone(app, bank, session, account):
    def refused() -> str:
        with fails("failed"):
            app.run("upgrade", "ada", CHALLENGE)
        event, detail = history(session)[0]
        assert event == "refusal"
        return detail.removeprefix("No passkey was created in the background: ")

    assert refused() == "its password was not filled there within the last five minutes."
    app.answered("sign-in", CHALLENGE, steps=(CHOOSE, UNLOCK))
    # The program beside it is another one.
    other = App(session, app.path.parent / "other")
    bank.answer = naming(app.name, other.name)
    with fails("failed"):
        other.run("upgrade", "ada", CHALLENGE)


def test_an_app_that_the_site_does_not_name_is_not_upgraded(stranger, session, account):
    stranger.answered("sign-in", CHALLENGE, steps=((UNNAMED, LEFT + ENTER), CONFIRM, CHOOSE, UNLOCK))
    with fails("failed"):
        stranger.run("upgrade", "ada", CHALLENGE)
    assert history(session)[0] == (
        "refusal",
        "No passkey was created in the background: the site doesn't list the app as its own.",
    )


def test_an_app_is_answered_in_a_terminal_alone(app, session, account):
    with app.start("sign-in", CHALLENGE) as run:
        run.wait_for_the_person()
        with pytest.raises(CommandFailed, match="only in a terminal"):
            session.keyway("answer")
        assert run.process.poll() is None


def test_where_no_app_waits_the_terminal_says_so(session):
    with Terminal([session.prefix / "bin/keyway", "answer"], session.environment) as terminal:
        status, out, said = terminal.finish()
    assert status != 0 and out == "" and "No app is waiting for an answer." in said


# In a window


@pytest.fixture(scope="module")
def display():
    with Display() as display:
        yield display


@pytest.fixture
def desktop(session, account, display) -> Keyway:
    """The same broker, on a desktop."""
    session.stop(session.processes[-1])
    for name in ("DISPLAY", "DBUS_SESSION_BUS_ADDRESS"):
        session.environment[name] = display.environment[name]
    session.start_broker()
    return session


QUESTION = f"\u2068Keyway\u2069 for \u2068{SITE}\u2069"
UNLOCKING = f"\u2068Passwords\u2069 for \u2068{SITE}\u2069"


def is_at(display: Display, name: str) -> bool:
    """Whether the keys are at the row that begins like that; if not, one step further."""
    rows = [node for node in display.accessible() if node["name"].startswith(name)]
    if any({"focused", "selected"} & set(node["states"]) for node in rows):
        return True
    display.press("Down")
    return False


def has_taken(display: Display, next_window: str) -> bool:
    """Takes what the keys are at: what is taken at once was meant for something else, and does not count."""
    display.press("Return")
    try:
        until(lambda: next_window in display.windows(), 4)
    except AssertionError:
        return False
    return True


def test_a_window_asks_where_one_can_be_shown(desktop, bank, display):
    app = App(desktop)
    bank.answer = naming(app.name)
    with app.start("sign-in", CHALLENGE) as run:
        display.window(QUESTION, 60)
        until(lambda: is_at(display, "ada, with a password"), 60, "the keys do not come to the account")
        until(lambda: has_taken(display, UNLOCKING), 60, "the account is not taken")
        display.window(UNLOCKING, 60)
        display.type(MASTER.decode())
        display.press("Return")
        assert run.end()["password"] == PASSWORD
        assert run.told == ""
    until(lambda: not display.windows())


def test_a_window_asks_about_an_app_that_the_site_does_not_name(desktop, display):
    app = App(desktop)
    with app.start("sign-in", CHALLENGE) as run:
        display.window(QUESTION, 60)
        for said in (SITE, str(app.path)):
            until(lambda said=said: any(said in node["name"] for node in display.accessible()), 60)
        display.press("Escape")
        with fails("canceled"):
            run.end()
    until(lambda: not display.windows())
