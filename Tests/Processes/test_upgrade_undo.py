"""What Passwords makes in the background is taken back in the notification, kept, and offered again by the person.

Broker, extension and vault are the installed ones; the desktop is played by python-dbusmock.
"""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Iterator

import pytest
from conftest import Keyway, eventually
from desktop import Desktop
from fido2.webauthn import AttestationObject
from test_passkeys import PRESENT, SITE, VERIFIED, Page, connect_without_terminal, encode, items, standard, unlock
from test_passwords_extension import MASTER, Vault
from webauthn_servers import RELYING_PARTY
from wire import Peer, Refused, contents, sealed

from session.private import PASSWORDS

OPTIONS = {
    "challenge": encode(b"challenge"),
    "user": {"id": encode(b"handle"), "name": "ada"},
    "pubKeyCredParams": [{"alg": -7}],
    "allowCredentials": [],
}


@pytest.fixture
def desktop(tmp_path) -> Iterator[Desktop]:
    desktop = Desktop(tmp_path, shows=True)
    yield desktop
    desktop.close()


@pytest.fixture
def session(keyway, desktop) -> Keyway:
    keyway.environment["DBUS_SESSION_BUS_ADDRESS"] = desktop.address
    keyway.start_broker()
    keyway.enable(PASSWORDS)
    return keyway


@pytest.fixture
def page(session) -> Iterator[Page]:
    with connect_without_terminal(session) as peer:
        yield Page(peer)


@pytest.fixture
def vault(page) -> Vault:
    """An open vault with the password of one account."""
    vault = Vault(page.peer)
    vault.create()
    item = {"title": "Example", "user": "ada", "password": {"descriptor": 0}, "addresses": [RELYING_PARTY]}
    vault.peer.answer(vault.peer.request("items.add", {"item": item}, (sealed(b"password"),)))
    return vault


def offered(peer: Peer) -> list[tuple[str, str]]:
    found = peer.call("suggest", {"services": SITE, "kinds": ["password", "passkey"]})["suggestions"]
    return [(each.get("kind", "password"), each["user"]) for each in found]


def fill(peer: Peer) -> bytes:
    (found,) = peer.call("suggest", {"services": SITE, "kinds": ["password"]})["suggestions"]
    target = {"suggestion": {"handle": found["handle"]}}
    _, (descriptor,) = peer.answer(peer.request("fill", {"target": target, "services": SITE, "presents": False}))
    return contents(descriptor)


def upgrade(page: Page) -> AttestationObject:
    """Signs in with the password, and has the passkey made: what it is attested by."""
    assert fill(page.peer) == b"password"
    data = page.client_data("create", OPTIONS)
    number = page.ask_to_make(OPTIONS, data, is_conditional=True, presents=False)
    return AttestationObject(base64.b64decode(page.made(number, data)[1]["attestationObject"]))


def signs(page: Page, attested: AttestationObject) -> bool:
    """Whether the passkey that was attested signs, which raises an error where it is another one's signature."""
    data = page.client_data("get", OPTIONS)
    page.signed(page.ask_to_sign(OPTIONS, data, allowed=()), data)
    signed = base64.b64decode(page.assertion["authenticatorData"]) + hashlib.sha256(data).digest()
    attested.auth_data.credential_data.public_key.verify(signed, base64.b64decode(page.assertion["signature"]))
    return True


def hidden(vault: Vault) -> list[str]:
    return [item["title"] for item in items(vault) if item.get("hidden")]


BOTH = [("passkey", "ada"), ("password", "ada")]


def test_the_passkey_is_offered_first_and_the_password_is_kept_under_it(session, page, vault, desktop):
    attested = upgrade(page)
    assert not attested.auth_data.flags & (PRESENT | VERIFIED)
    assert offered(page.peer) == BOTH
    assert signs(page, attested)
    assert fill(page.peer) == b"password"
    eventually(lambda: len(desktop.shown) == 1)
    assert f"Passwords created a passkey for “ada” at {RELYING_PARTY}" in desktop.shown[0]


def test_what_is_taken_back_is_hidden_and_can_be_offered_again(session, page, vault, desktop):
    attested = upgrade(page)
    eventually(lambda: len(desktop.shown) == 1)
    desktop.press(1, "undo")
    eventually(lambda: offered(page.peer) == [("password", "ada")])
    eventually(lambda: hidden(vault) == [RELYING_PARTY])
    assert fill(page.peer) == b"password"
    entries = json.loads(session.keyway("history", "--json"))["entries"]
    assert any("You undid the passkey" in (entry["detail"] or "") for entry in entries)
    # Nothing of it is lost.
    session.keyway("passwords", "unlock", secrets=[MASTER.decode()])
    assert "passkey, hidden" in session.keyway("passwords", "list")
    session.keyway("passwords", "restore", RELYING_PARTY, "--passkey")
    eventually(lambda: offered(page.peer) == BOTH)
    assert signs(page, attested)


def test_what_is_taken_back_stays_so_whatever_the_site_lists_and_for_a_new_broker(session, page, vault, desktop):
    attested = upgrade(page)
    eventually(lambda: len(desktop.shown) == 1)
    desktop.press(1, "undo")
    eventually(lambda: hidden(vault) == [RELYING_PARTY])

    def report_all(name: str) -> None:
        """What a site says at a sign-in: which passkeys there are, and then what the account is called."""
        account = {"relyingParty": RELYING_PARTY, "userHandle": standard(b"handle")}
        listed = {**account, "credentialIDs": [standard(attested.auth_data.credential_data.credential_id)]}
        for report in ({"passkeysAccepted": listed}, {"passkeyUpdated": {**account, "newName": name}}):
            page.peer.call("credentials.report", {"report": report})
        eventually(lambda: any(item["user"] == name for item in items(vault)))

    report_all("Ada")
    assert hidden(vault) == [RELYING_PARTY]
    session.stop(session.processes[-1])
    session.start_broker()
    with connect_without_terminal(session) as peer:
        page.peer, vault.peer = peer, Vault(peer).peer
        unlock(vault)
        eventually(lambda: offered(peer) == [("password", "ada")])
        # No other one is made beside it.
        before = items(vault)
        with pytest.raises(Refused):
            upgrade(page)
        assert items(vault) == before and len(before) == 2
        report_all("Ada Lovelace")
        assert hidden(vault) == [RELYING_PARTY]
        # The person alone decides; from then on the site's word counts again.
        session.keyway("passwords", "unlock", secrets=[MASTER.decode()])
        session.keyway("passwords", "restore", RELYING_PARTY, "--passkey")
        eventually(lambda: len(offered(peer)) == 2)
        none = {"relyingParty": RELYING_PARTY, "userHandle": standard(b"handle"), "credentialIDs": []}
        peer.call("credentials.report", {"report": {"passkeysAccepted": none}})
        eventually(lambda: hidden(vault) == [RELYING_PARTY])
        report_all("ada@example.org")
        eventually(lambda: hidden(vault) == [])
        # With the name it has now: between two names there is none for a moment.
        eventually(lambda: sorted(offered(peer)) == [("passkey", "ada@example.org"), ("password", "ada")])
        assert signs(page, attested)


def test_what_is_taken_back_while_the_vault_is_locked_is_hidden_when_it_opens(session, page, vault, desktop):
    attested = upgrade(page)
    eventually(lambda: len(desktop.shown) == 1)
    vault.lock()
    desktop.press(1, "undo")
    eventually(lambda: offered(page.peer) == [("password", "ada")])
    unlock(vault)
    eventually(lambda: hidden(vault) == [RELYING_PARTY])
    assert offered(page.peer) == [("password", "ada")]
    session.keyway("passwords", "unlock", secrets=[MASTER.decode()])
    session.keyway("passwords", "restore", RELYING_PARTY, "--passkey")
    eventually(lambda: offered(page.peer) == BOTH)
    assert signs(page, attested)
