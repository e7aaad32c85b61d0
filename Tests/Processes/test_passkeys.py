"""Passkeys of the provider Passwords, through broker, extension and vault, judged by Duo's and Yubico's servers.

The test plays the client that knows the page: it makes the client data, and shows what the provider wants shown.
"""

from __future__ import annotations

import base64
import hashlib
import json
import os
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
import vault_reader
from conftest import Keyway, eventually
from cryptography.hazmat.primitives.serialization import load_der_private_key
from fido2.webauthn import AttestationObject, AuthenticatorData
from memory_scan import occurrences
from test_passwords_extension import MASTER, Vault, do, next_screen, type_master
from test_related_origins import Server, leading_to, serving
from webauthn_servers import ORIGIN, RELYING_PARTY, Duo, Yubico
from wire import Peer, Refused, contents, sealed

from session.private import PASSWORDS

SITE = [{"identifier": f"{ORIGIN}/login", "kind": "URL"}]
VAULT = "data/keyway/private/org.keyway.passwords/Passwords.vault"
VERIFIED = 0x04
PRESENT = 0x01


def decode(text: str) -> bytes:
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


def encode(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def standard(data: bytes) -> str:
    """As our protocol has bytes."""
    return base64.b64encode(data).decode()


def member(value: Any, name: str) -> Any:
    """A member of options, which one server spells as the page does and the other as Python does."""
    return json.loads(json.dumps(dict(value), default=plain))[name]


def plain(value: Any) -> Any:
    if isinstance(value, bytes):
        return encode(value)
    return dict(value) if hasattr(value, "keys") else str(value)


class Page:
    """What a browser does for a page that calls `navigator.credentials`, over one connection to the broker."""

    def __init__(self, peer: Peer) -> None:
        self.peer = peer
        self.party = RELYING_PARTY

    def client_data(self, kind: str, options: dict, origin: str = ORIGIN) -> bytes:
        challenge = member(options, "challenge")
        return json.dumps({"type": f"webauthn.{kind}", "challenge": challenge, "origin": origin}).encode()

    # Making

    def ask_to_make(
        self,
        options: dict,
        data: bytes,
        *,
        verification: str = "preferred",
        excluded: tuple[str, ...] = (),
        extensions: dict | None = None,
        presents: bool = True,
        is_conditional: bool = False,
    ) -> int:
        user = member(options, "user")
        registration = {
            "relyingParty": self.party,
            "userName": user["name"],
            "userHandle": standard(decode(user["id"])),
            "clientDataHash": standard(hashlib.sha256(data).digest()),
            "userVerification": verification,
            "algorithms": [each["alg"] for each in member(options, "pubKeyCredParams")],
            "excludedCredentials": [standard(decode(each)) for each in excluded],
            **({"extensions": extensions} if extensions else {}),
        }
        return self.peer.request(
            "credentials.registerPasskey",
            {
                "registration": registration,
                "provider": PASSWORDS,
                "isConditional": is_conditional,
                "presents": presents,
            },
        )

    def made(self, number: int, data: bytes) -> tuple[dict, dict]:
        """What the page gives its server, and what the broker answered."""
        result, self.received = self.peer.answer(number)
        credential = result["credential"]
        identifier = encode(base64.b64decode(credential["credentialID"]))
        answer = {
            "id": identifier,
            "rawId": identifier,
            "type": "public-key",
            "response": {
                "clientDataJSON": encode(data),
                "attestationObject": encode(base64.b64decode(credential["attestationObject"])),
            },
            "clientExtensionResults": {},
        }
        return answer, credential

    def make(self, options: dict, master: bytes | None = None, **asked: Any) -> dict:
        """Makes a passkey, where a person agrees: by typing the master password, or by the button."""
        data = self.client_data("create", options)
        number = self.ask_to_make(options, data, **asked)
        shown, kind, _ = next_screen(self.peer)
        if kind == "form":
            type_master(self.peer, shown, master or MASTER)
        else:
            do(self.peer, shown, {"activated": {"action": "save"}})
        answer, self.credential = self.made(number, data)
        return answer

    # Signing

    def passkeys(self) -> list[dict]:
        answer = self.peer.call("suggest", {"services": SITE, "kinds": ["passkey"]})
        return answer["suggestions"]

    def request(
        self,
        options: dict,
        data: bytes,
        target: dict,
        *,
        verification: str = "preferred",
        allowed: tuple[str, ...] | None = None,
        extensions: dict | None = None,
        presents: bool = True,
        secrets: tuple[int, ...] = (),
    ) -> int:
        if allowed is None:
            allowed = tuple(each["id"] for each in member(options, "allowCredentials"))
        assertion = {
            "clientDataHash": standard(hashlib.sha256(data).digest()),
            "userVerification": verification,
            "allowedCredentials": [standard(decode(each)) for each in allowed],
            **({"extensions": extensions} if extensions else {}),
        }
        return self.peer.request(
            "fill",
            {
                "target": target,
                "services": SITE,
                "presents": presents,
                "passkey": {"relyingParty": self.party, "assertion": assertion},
            },
            secrets,
        )

    def ask_to_sign(self, options: dict, data: bytes, **asked: Any) -> int:
        return self.request(options, data, {"suggestion": {"handle": self.passkeys()[0]["handle"]}}, **asked)

    def signed(self, number: int, data: bytes) -> dict:
        result, self.received = self.peer.answer(number)
        self.assertion = result["credential"]["passkey"]["_0"]
        identifier = encode(base64.b64decode(self.assertion["credentialID"]))
        return {
            "id": identifier,
            "rawId": identifier,
            "type": "public-key",
            "response": {
                "clientDataJSON": encode(data),
                "authenticatorData": encode(base64.b64decode(self.assertion["authenticatorData"])),
                "signature": encode(base64.b64decode(self.assertion["signature"])),
                "userHandle": encode(base64.b64decode(self.assertion["userHandle"])),
            },
            "clientExtensionResults": {},
        }

    def sign(self, options: dict, **asked: Any) -> dict:
        """Signs with the first passkey that is suggested, without an interface."""
        data = self.client_data("get", options)
        return self.signed(self.ask_to_sign(options, data, **asked), data)

    @property
    def flags(self) -> int:
        return AuthenticatorData(base64.b64decode(self.assertion["authenticatorData"])).flags


@contextmanager
def connect_without_terminal(keyway: Keyway) -> Iterator[Peer]:
    """A connection of a process that sits at no terminal, wherever the tests were started."""
    ours, theirs = socket.socketpair()
    child = os.fork()
    if child == 0:
        try:
            os.setsid()
            with socket.socket(socket.AF_UNIX) as door:
                door.connect(str(keyway.socket))
                socket.send_fds(theirs, [b"."], [door.fileno()])
            ours.close()
            theirs.recv(1)
        finally:
            os._exit(0)
    theirs.close()
    try:
        _, (descriptor,), _, _ = socket.recv_fds(ours, 1, 1)
        with Peer(socket.socket(fileno=descriptor)).greet("terminal") as peer:
            yield peer
    finally:
        ours.close()
        os.waitpid(child, 0)


@pytest.fixture(params=[Duo, Yubico], ids=["duo", "yubico"])
def server(request):
    return request.param()


@pytest.fixture
def peer(broker):
    """A client at no terminal: only the interface of the provider can ask the person anything."""
    broker.enable(PASSWORDS)
    with connect_without_terminal(broker) as peer:
        yield peer


@pytest.fixture
def vault(peer):
    vault = Vault(peer)
    vault.create()
    return vault


@pytest.fixture
def page(peer, vault):
    return Page(peer)


def items(vault: Vault, **asked: Any) -> list[dict]:
    return vault.peer.call("items.search", {"text": "", "limit": 100, "offset": 0, **asked})["items"]


def unlock(vault: Vault) -> None:
    parameters = {"masterPassword": {"descriptor": 0}, "acceptsOlderCopy": False}
    vault.peer.answer(vault.peer.request("vault.unlock", parameters, (sealed(MASTER),)))


# Registration and signing in


@pytest.mark.parametrize("algorithm", [-7, -8, -257], ids=["ES256", "EdDSA", "RS256"])
def test_a_server_takes_registration_and_sign_in(server, page, algorithm):
    account = server.created(page.make(server.creation([algorithm])))
    assert account.format == "none" and not account.is_verified
    assert account.is_eligible and not account.is_backed_up
    for _ in range(2):
        sign_in = server.signed_in(account, page.sign(server.request(account)))
        assert not sign_in.is_verified and not sign_in.is_backed_up and sign_in.counter == 0


def test_a_locked_vault_opens_for_a_passkey_and_the_person_is_verified_by_that(server, page, vault):
    vault.lock()
    account = server.created(page.make(server.creation([-7], "required"), verification="required"))
    assert account.is_verified
    vault.lock()
    options = server.request(account, "required")
    data = page.client_data("get", options)
    number = page.ask_to_sign(options, data, verification="required")
    shown, kind, form = next_screen(page.peer)
    assert kind == "form" and form["title"] == "Unlock Passwords"
    type_master(page.peer, shown, MASTER)
    assert server.signed_in(account, page.signed(number, data)).is_verified


def test_required_asks_for_the_master_password_of_an_open_vault(server, page):
    account = server.created(page.make(server.creation([-7])))
    options = server.request(account, "required")
    data = page.client_data("get", options)
    number = page.ask_to_sign(options, data, verification="required")
    shown, kind, form = next_screen(page.peer)
    assert kind == "form" and form["title"] == "Confirm it\u2019s you"
    type_master(page.peer, shown, b"wrong")
    shown, kind, form = next_screen(page.peer)
    assert "wrong" in form["error"]
    type_master(page.peer, shown, MASTER)
    assert server.signed_in(account, page.signed(number, data)).is_verified


@pytest.mark.parametrize("verification", ["preferred", "discouraged"])
def test_whoever_was_not_verified_is_not_said_to_be(server, page, verification):
    account = server.created(page.make(server.creation([-7], verification), verification=verification))
    assert not account.is_verified
    assert not server.signed_in(account, page.sign(server.request(account), verification=verification)).is_verified
    assert page.flags & PRESENT and not page.flags & VERIFIED


def test_required_without_anybody_to_ask_signs_nothing(page):
    server = Duo()
    account = server.created(page.make(server.creation([-7])))
    options = server.request(account)
    with pytest.raises(Refused) as refused:
        page.sign(options, verification="required", presents=False)
    assert refused.value.kind == "notVerified"


def test_who_was_verified_by_the_system_is_said_to_be(server, broker, page):
    """The broker asks in the terminal before the provider is asked: `preferred` is enough where that is possible."""
    account = server.created(page.make(server.creation([-7])))
    with broker.connect_in_terminal() as peer:
        # The vault is open to the terminal that unlocked it.
        terminal = Page(peer)
        unlock(Vault(peer))
        for verification in ("preferred", "required"):
            options = server.request(account, verification)
            data = terminal.client_data("get", options)
            number = terminal.ask_to_sign(options, data, verification=verification)
            answer_the_broker(peer)
            assert server.signed_in(account, terminal.signed(number, data)).is_verified
        options = server.request(account, "discouraged")
        assert not server.signed_in(account, terminal.sign(options, verification="discouraged")).is_verified


def answer_the_broker(peer: Peer, typed: bytes | None = MASTER) -> None:
    """Types the master password where the broker itself asks for it; backs out where nothing is typed."""
    while not any(message.get("method") == "person.ask" for message in peer.notifications):
        message, _ = peer.receive()
        peer.notifications.append(message)
    (question,) = [message for message in peer.notifications if message["method"] == "person.ask"]
    peer.notifications.remove(question)
    answer = {"jsonrpc": "2.0", "id": question["id"]}
    if typed is None:
        peer.send({**answer, "result": {"answer": {"cancelled": {}}}})
        return
    result = {"answer": {"secret": {"_0": {"descriptor": 0}}}}
    peer.send({**answer, "result": result, "descriptors": 1}, (sealed(typed),))


@pytest.mark.parametrize(
    ("verification", "typed", "kind"),
    [("preferred", None, "cancelled"), ("required", None, "cancelled"), ("preferred", b"wrong", "notVerified")],
)
def test_a_check_that_fails_signs_nothing_and_makes_nothing(broker, page, vault, verification, typed, kind):
    server = Duo()
    account = server.created(page.make(server.creation([-7])))
    with broker.connect_in_terminal() as peer:
        terminal = Page(peer)
        unlock(Vault(peer))
        options = server.request(account)
        number = terminal.ask_to_sign(options, terminal.client_data("get", options), verification=verification)
        assert refused_after(peer, number, typed) == kind
        # Each wrong one makes the next wait longer.
        if typed is None:
            options = server.creation([-7])
            data = terminal.client_data("create", options)
            number = terminal.ask_to_make(options, data, verification=verification)
            assert refused_after(peer, number, typed) == kind
    assert len(items(vault)) == 1


def refused_after(peer: Peer, number: int, typed: bytes | None) -> str:
    """The error of a request for which the broker asks the person, again and again, and is told this."""
    while True:
        message, _ = peer.receive()
        if message.get("method") == "person.ask":
            peer.notifications.append(message)
            answer_the_broker(peer, typed)
        elif message.get("id") == number:
            return message["error"]["data"]["kind"]


def test_a_passkey_that_is_made_by_who_was_verified_says_so(server, broker, page):
    with broker.connect_in_terminal() as peer:
        terminal = Page(peer)
        unlock(Vault(peer))
        options = server.creation([-7])
        data = terminal.client_data("create", options)
        number = terminal.ask_to_make(options, data)
        answer_the_broker(peer)
        shown, kind, _ = next_screen(peer)
        assert kind == "message"
        do(peer, shown, {"activated": {"action": "save"}})
        assert server.created(terminal.made(number, data)[0]).is_verified


def test_backing_out_makes_nothing(page, vault):
    options = Duo().creation([-7])
    number = page.ask_to_make(options, page.client_data("create", options))
    shown, kind, message = next_screen(page.peer)
    assert kind == "message" and "“user”" in message["text"] and RELYING_PARTY in message["text"]
    do(page.peer, shown, {"cancelled": {}})
    with pytest.raises(Refused) as refused:
        page.peer.answer(number)
    assert refused.value.kind == "cancelled"
    assert items(vault) == []


def test_an_excluded_passkey_is_told_after_the_person_agreed(server, page, vault):
    options = server.creation([-7])
    first = page.make(options)
    with pytest.raises(Refused) as refused:
        page.make(options, excluded=("AAAA", first["id"]))
    assert refused.value.kind == "exists"
    page.make(options, excluded=("AAAA",))
    assert len(items(vault)) == 2


# Which one


def choose(page: Page, options: dict, title: str, **asked: Any) -> dict:
    data = page.client_data("get", options)
    number = page.request(options, data, {"list": {"provider": PASSWORDS}}, **asked)
    shown, kind, shown_list = next_screen(page.peer)
    assert kind == "list"
    rows = [row for section in shown_list["sections"] for row in section["rows"] if row["title"] == title]
    do(page.peer, shown, {"chose": {"row": rows[-1]["id"]}})
    return page.signed(number, data)


def test_one_of_several_is_chosen_from_the_list(server, page, vault):
    accounts = {}
    for name in ("grace", "ada"):
        options = server.creation([-7])
        data = page.client_data("create", options)
        user = {**member(options, "user"), "name": name}
        number = page.ask_to_make({**options, "user": user}, data)
        shown, _, _ = next_screen(page.peer)
        do(page.peer, shown, {"activated": {"action": "save"}})
        accounts[name] = server.created(page.made(number, data)[0])
    vault.add("alpha", b"password of alpha")
    options = server.request(accounts["grace"])
    answer = choose(page, options, "grace", allowed=())
    assert not server.signed_in(accounts["grace"], answer).is_verified
    # Only those that will do are shown, and passwords beside them.
    data = page.client_data("get", options)
    number = page.request(options, data, {"list": {"provider": PASSWORDS}})
    shown, _, shown_list = next_screen(page.peer)
    sections = {section["title"]: [row["title"] for row in section["rows"]] for section in shown_list["sections"]}
    assert sections == {f"Passkeys for {RELYING_PARTY}": ["grace"], "All passwords": ["alpha"]}
    do(page.peer, shown, {"cancelled": {}})
    with pytest.raises(Refused):
        page.peer.answer(number)


def test_suggestions_are_of_the_site_alone(page):
    page.make(Duo().creation([-7]))
    (suggestion,) = page.passkeys()
    assert suggestion["user"] == "user" and suggestion["service"] == RELYING_PARTY
    for other in ("https://example.com/login", "https://example.org.evil.test/"):
        answer = page.peer.call(
            "suggest", {"services": [{"identifier": other, "kind": "URL"}], "kinds": ["passkey", "password"]}
        )
        assert answer["suggestions"] == []


@pytest.fixture
def related(keyway, tmp_path):
    """The site of the relying party, which names others of its own; there before the broker is."""
    server = Server(tmp_path)
    keyway.environment |= leading_to(server)
    yield from serving(server)


def test_a_page_that_the_relying_party_names_is_offered_its_passkeys(related, page):
    page.party = "bank.test"
    page.make(Duo().creation([-7]))
    passkeys = {"relyingParty": page.party, "allowedCredentials": []}

    def offered(url: str) -> list[dict]:
        services = [{"identifier": url, "kind": "URL"}]
        wanted = {"services": services, "kinds": ["passkey"], "passkeys": passkeys}
        return page.peer.call("suggest", wanted)["suggestions"]

    (suggestion,) = offered("https://shop.test/")
    assert (suggestion["user"], suggestion["service"]) == ("user", page.party)
    with pytest.raises(Refused) as refused:
        offered("https://evil.test/")
    assert refused.value.kind == "refused"
    assert [(host, path) for host, path, _ in related.asked] == [(page.party, "/.well-known/webauthn")]


def test_what_is_not_allowed_does_not_sign(page):
    page.make(Duo().creation([-7]))
    options = {"challenge": encode(b"challenge")}
    with pytest.raises(Refused) as refused:
        page.sign(options, allowed=("AAAA",))
    assert refused.value.kind == "refused"


# Extensions


def values(*inputs: bytes) -> dict:
    return dict(zip(("first", "second"), map(standard, inputs), strict=False))


def test_prf_is_equal_across_sign_ins_and_needs_verification(server, page, vault):
    prf = {"prf": {"values": values(b"one", b"two")}}
    vault.lock()
    account = server.created(page.make(server.creation([-7]), extensions=prf))
    output = page.credential["extensions"]["prf"]
    assert output["isSupported"]
    first = [contents(descriptor) for descriptor in page.received]
    assert [len(key) for key in first] == [32, 32] and first[0] != first[1]
    options = server.request(account)
    for _ in range(2):
        data = page.client_data("get", options)
        assertion_prf = {"prf": {"values": values(b"one", b"two"), "byCredential": []}}
        number = page.ask_to_sign(options, data, extensions=assertion_prf)
        shown, kind, _ = next_screen(page.peer)
        assert kind == "form", "keys are for the person alone, whatever the site wants"
        type_master(page.peer, shown, MASTER)
        assert server.signed_in(account, page.signed(number, data)).is_verified
        assert [contents(descriptor) for descriptor in page.received] == first


def test_prf_inputs_of_one_passkey_come_before_the_others(page):
    server = Duo()
    answer = page.make(server.creation([-7]), verification="discouraged")
    account = server.created(answer)

    def output(prf: dict) -> bytes:
        options = server.request(account)
        data = page.client_data("get", options)
        number = page.ask_to_sign(options, data, extensions={"prf": prf})
        shown, _, _ = next_screen(page.peer)
        type_master(page.peer, shown, MASTER)
        page.signed(number, data)
        return contents(page.received[0])

    ours = {"credentialID": standard(decode(answer["id"])), "values": values(b"ours")}
    other = {"credentialID": standard(b"other"), "values": values(b"other")}
    wanted = output({"values": values(b"ours"), "byCredential": []})
    assert output({"values": values(b"any"), "byCredential": [other, ours]}) == wanted
    assert output({"values": values(b"any"), "byCredential": [other]}) != wanted


def test_a_blob_is_kept_through_a_lock(server, page, vault):
    account = server.created(page.make(server.creation([-7]), extensions={"largeBlob": "required"}))
    assert page.credential["extensions"]["isLargeBlobSupported"]
    options = server.request(account)
    data = page.client_data("get", options)
    number = page.ask_to_sign(
        options,
        data,
        extensions={"largeBlob": {"write": {"_0": {"descriptor": 0}}}},
        secrets=(sealed(b"the blob"),),
    )
    server.signed_in(account, page.signed(number, data))
    assert page.assertion["extensions"]["largeBlob"] == {"wrote": {"_0": True}}
    vault.lock()
    unlock(vault)
    server.signed_in(account, page.sign(server.request(account), extensions={"largeBlob": {"read": {}}}))
    assert contents(page.received[0]) == b"the blob"


# The automatic upgrade


def test_a_password_is_upgraded_without_asking_anybody(page, vault):
    options = {"challenge": encode(b"challenge"), "user": {"id": encode(b"handle"), "name": "ada"}}
    options["pubKeyCredParams"] = [{"alg": -7}]
    data = page.client_data("create", options)

    def upgrade() -> dict:
        return page.made(page.ask_to_make(options, data, is_conditional=True, presents=False), data)[1]

    def sign_in() -> None:
        (found,) = page.peer.call("suggest", {"services": SITE})["suggestions"]
        target = {"suggestion": {"handle": found["handle"]}}
        page.peer.call("fill", {"target": target, "services": SITE, "presents": False})

    with pytest.raises(Refused):
        upgrade()
    parameters = {"title": "Example", "user": "ada", "password": {"descriptor": 0}, "addresses": [RELYING_PARTY]}
    vault.peer.answer(vault.peer.request("items.add", {"item": parameters}, (sealed(b"password"),)))
    sign_in()
    vault.lock()
    with pytest.raises(Refused):
        upgrade()
    unlock(vault)
    sign_in()
    attested = AttestationObject(base64.b64decode(upgrade()["attestationObject"])).auth_data
    assert not attested.flags & (PRESENT | VERIFIED)
    assert attested.credential_data
    sign_in()
    with pytest.raises(Refused):
        upgrade()
    assert sorted(item["title"] for item in items(vault)) == ["Example", RELYING_PARTY]
    assert [each["kind"] for each in page.passkeys()] == ["passkey"]


# What sites report


def test_what_a_site_no_longer_knows_is_hidden_and_can_be_restored(server, page, vault):
    answer = page.make(server.creation([-7]))
    account = server.created(answer)
    report = {"relyingParty": RELYING_PARTY, "credentialID": standard(decode(answer["id"]))}
    other = {"relyingParty": "example.com", "credentialID": report["credentialID"]}
    page.peer.call("credentials.report", {"report": {"passkeyUnknown": other}})
    page.peer.call("credentials.report", {"report": {"passkeyUnknown": report}})
    eventually(lambda: page.passkeys() == [])
    (item,) = items(vault)
    assert item["hidden"] > 0
    vault.peer.call("items.restore", {"item": {"text": item["id"]}})
    server.signed_in(account, page.sign(server.request(account)))


def test_a_site_renames_its_account(page, vault):
    options = Duo().creation([-7])
    page.make(options)
    report = {
        "relyingParty": RELYING_PARTY,
        "userHandle": standard(decode(member(options, "user")["id"])),
        "newName": "user@example.org",
    }
    page.peer.call("credentials.report", {"report": {"passkeyUpdated": report}})
    eventually(lambda: [each["user"] for each in page.passkeys()] == ["user@example.org"])


def test_the_person_gives_an_account_its_name_back(broker, page, vault):
    options = Duo().creation([-7])
    answer = page.make(options)
    handle = standard(decode(member(options, "user")["id"]))

    def rename(name: str) -> None:
        renamed = {"relyingParty": RELYING_PARTY, "userHandle": handle, "newName": name}
        page.peer.call("credentials.report", {"report": {"passkeyUpdated": renamed}})

    def named(name: str) -> bool:
        return [each["user"] for each in page.passkeys()] == [name]

    rename("mallory")
    eventually(lambda: named("mallory"))
    rename("mallet")
    eventually(lambda: named("mallet"))
    (stored,) = vault_reader.read(str(broker.folder / VAULT), MASTER.decode()).values()
    assert (stored.user_name, stored.former_user) == ("mallet", "user")
    broker.keyway("passwords", "unlock", secrets=[MASTER.decode()])
    assert "passkey, renamed" in broker.keyway("passwords", "list")
    assert "Old name:   user, until the site renamed it" in broker.keyway("passwords", "show", RELYING_PARTY)
    broker.keyway("passwords", "restore", RELYING_PARTY, "--passkey")
    eventually(lambda: named("user"))
    # From now on it is the person's. The second report is there to be waited for.
    rename("mallory")
    report = {"relyingParty": RELYING_PARTY, "credentialID": standard(decode(answer["id"]))}
    page.peer.call("credentials.report", {"report": {"passkeyUnknown": report}})
    eventually(lambda: page.passkeys() == [])
    (stored,) = vault_reader.read(str(broker.folder / VAULT), MASTER.decode()).values()
    assert (stored.user_name, stored.former_user) == ("user", None)


# In a terminal


def test_the_command_line_shows_hides_nothing_and_restores(server, broker, page):
    answer = page.make(server.creation([-7]))
    account = server.created(answer)
    broker.keyway("passwords", "unlock", secrets=[MASTER.decode()])
    (item,) = json.loads(broker.keyway("passwords", "list", "--passkeys", "--json"))["items"]
    assert item["passkey"]["credentialID"] == answer["id"]
    shown = broker.keyway("passwords", "show", RELYING_PARTY, "--reveal")
    assert f"Passkey:    {RELYING_PARTY}" in shown and answer["id"] in shown
    (secrets,) = vault_reader.read(str(broker.folder / VAULT), MASTER.decode()).values()
    for secret in (bytes.fromhex(secrets.private_key), bytes.fromhex(secrets.pseudo_random_secret)):
        revealed = broker.keyway("passwords", "show", RELYING_PARTY, "--reveal", "--json")
        assert not any(form in revealed for form in (secret.hex(), encode(secret), standard(secret)))
    report = {"relyingParty": RELYING_PARTY, "credentialID": standard(decode(answer["id"]))}
    page.peer.call("credentials.report", {"report": {"passkeyUnknown": report}})
    eventually(lambda: "passkey, hidden" in broker.keyway("passwords", "list"))
    broker.keyway("passwords", "restore", RELYING_PARTY, "--passkey")
    server.signed_in(account, page.sign(server.request(account)))
    broker.keyway("passwords", "remove", RELYING_PARTY, "--passkey", "--yes")
    assert page.passkeys() == []


# Who may


def test_a_program_in_a_terminal_gets_no_signature(page, vault):
    answer = page.make(Duo().creation([-7]))
    (item,) = items(vault)
    assertion = {"clientDataHash": standard(bytes(32)), "userVerification": "preferred", "allowedCredentials": []}
    request = {"relyingParty": RELYING_PARTY, "assertion": assertion, "isPersonVerified": True}
    with pytest.raises(Refused) as refused:
        vault.peer.call("passkeys.sign", {"item": item["id"], "request": request})
    assert refused.value.kind == "refused"
    shown = vault.peer.call("items.show", {"item": {"text": item["id"]}, "parts": ["password", "notes", "fields"]})
    assert shown["summary"]["passkey"]["credentialID"] == standard(decode(answer["id"]))
    assert "descriptor" not in json.dumps(shown)


def private_keys(keyway: Keyway) -> dict[str, bytes]:
    """The secrets of the passkeys in the vault, by a reader of its own; of a key, the number that it is."""
    found = {}
    for name, item in vault_reader.read(str(keyway.folder / VAULT), MASTER.decode()).items():
        key = load_der_private_key(bytes.fromhex(item.private_key), password=None)
        found[f"key of {name}"] = key.private_numbers().private_value.to_bytes(32, "big")
        found[f"secret of {name}"] = bytes.fromhex(item.pseudo_random_secret)
    return found


def test_no_other_process_sees_a_private_key(broker, page, vault):
    """Nor does the service keep it once it has signed."""
    server = Duo()
    for _ in range(10):
        account = server.created(page.make(server.creation([-7]), verification="discouraged"))
        choose(page, server.request(account), "user")
    options = server.request(account)
    data = page.client_data("get", options)
    prf = {"prf": {"values": values(b"one"), "byCredential": []}}
    number = page.request(options, data, {"list": {"provider": PASSWORDS}}, extensions=prf)
    shown, _, shown_list = next_screen(page.peer)
    do(page.peer, shown, {"chose": {"row": shown_list["sections"][0]["rows"][0]["id"]}})
    shown, kind, _ = next_screen(page.peer)
    assert kind == "form"
    type_master(page.peer, shown, MASTER)
    assert server.signed_in(account, page.signed(number, data)).is_verified
    keys = private_keys(broker)
    assert len(keys) == 20
    processes = {each["role"]: each["processIdentifier"] for each in broker.running()}
    assert {"providerExtension", "providerService"} <= set(processes)
    processes["broker"] = broker.processes[-1].pid
    for role, process in processes.items():
        assert [name for name, count in occurrences(process, keys).items() if count] == [], role
    assert page.received and all(occurrences(os.getpid(), keys).values()), "the scanner finds what is there"


def test_a_client_does_not_say_that_the_person_was_verified(page):
    server = Duo()
    account = server.created(page.make(server.creation([-7])))
    options = server.request(account)
    data = page.client_data("get", options)
    number = page.peer.request(
        "fill",
        {
            "target": {"suggestion": {"handle": page.passkeys()[0]["handle"]}},
            "services": SITE,
            "presents": True,
            "passkey": {
                "relyingParty": RELYING_PARTY,
                "assertion": {
                    "clientDataHash": standard(hashlib.sha256(data).digest()),
                    "userVerification": "preferred",
                    "allowedCredentials": [],
                },
                "isPersonVerified": True,
            },
        },
    )
    assert not server.signed_in(account, page.signed(number, data)).is_verified
