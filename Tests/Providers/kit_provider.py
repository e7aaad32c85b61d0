"""A provider that declares everything and keeps every rule of the kit; or breaks the one that is named.

    kit_provider.py BUNDLE/extension FAULT

FAULT is the name of a rule, `none`, or one of the ways of `mischief.py`. It speaks the protocol as bytes on descriptor
3, so that it can break it. What it keeps is in memory: a password and a code of `ada` at `https://a.example`, and the
passkeys that it made.
"""

from __future__ import annotations

import base64
import contextlib
import hashlib
import os
import secrets
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "Processes"))
sys.path.insert(0, str(Path(__file__).resolve().parent))

import mischief
import p256
from wire import Closed, Peer, Refused, sealed

SERVICE = {"identifier": "https://a.example", "kind": "URL"}
PASSWORD = b"correct-horse-battery"
CODE = b"482911"
IDENTITIES = [
    {"kind": "password", "service": SERVICE, "user": "ada", "recordIdentifier": "r1", "rank": 0},
    {"kind": "oneTimeCode", "service": SERVICE, "user": "ada", "recordIdentifier": "r1", "rank": 0},
]
DOMAIN = "ASExtensionErrorDomain"
FAILED, CANCELED, INTERACTION, MISSING, EXCLUDED = 0, 1, 100, 101, 102
UP, UV, BE, BS, AT = 0x01, 0x04, 0x08, 0x10, 0x40
ES256 = -7
# Requests during which nothing may be shown.
QUIET = {
    "provideWithoutInteraction",
    "registerPasskeyWithoutInteraction",
    "savePasswordWithoutInteraction",
    "generatePasswordsWithoutInteraction",
    "report",
}


class Provider:
    """One process of the provider: what it keeps, and which rule it breaks."""

    def __init__(self, peer: Peer, fault: str, bundle: Path) -> None:
        self.peer = peer
        self.fault = fault
        self.bundle = bundle
        self.passkeys: dict[bytes, dict] = {}
        self.open: dict[int, tuple[str, dict]] = {}
        self.has_published = False
        self.kept: list[object] = []
        self.count = 0

    # Answers

    def answer(self, number: int, result: dict, *values: bytes) -> None:
        if self.fault == "well-formed":
            self.peer.send_bytes(b"\x05\x00\x00\x00hello")
        descriptors = tuple(self.memory(value) for value in values)
        message = {"jsonrpc": "2.0", "id": number, "result": result}
        if descriptors:
            message["descriptors"] = len(descriptors)
        self.peer.send(message, descriptors)
        if self.fault == "answers-once":
            self.peer.send({"jsonrpc": "2.0", "id": number, "result": {"saved": {}}})
        for descriptor in descriptors:
            if self.fault == "descriptors":
                self.kept.append(descriptor)
            else:
                os.close(descriptor)
        self.open.pop(number, None)

    def memory(self, value: bytes) -> int:
        if self.fault == "secret-sealed":
            descriptor = os.memfd_create("open")
            os.write(descriptor, value)
            return descriptor
        return sealed(value)

    def refuse(self, number: int, code: int) -> None:
        self.answer(number, {"cancelled": {"domain": DOMAIN, "code": code}})

    def give_password(self, number: int, password: bytes = PASSWORD, user: str = "ada") -> None:
        self.leak()
        if self.fault == "secret-not-in-messages":
            self.peer.notify("kit.debug", {"password": base64.b64encode(password).decode()})
        self.answer(number, {"password": {"user": user, "password": {"descriptor": 0}}}, password)

    def give_code(self, number: int, code: bytes = CODE) -> None:
        self.answer(number, {"oneTimeCode": {"_0": {"descriptor": 0}}}, code)

    def leak(self) -> None:
        """What only a careless provider does with a secret, and with the machine."""
        fault = self.fault
        if fault == "secret-not-in-output":
            print("filled", PASSWORD.decode(), file=sys.stderr, flush=True)
        elif fault == "secret-not-in-arguments":
            subprocess.run(["/bin/true", PASSWORD.decode()], check=True)
        elif fault == "secret-not-in-files":
            (Path(os.environ["XDG_DATA_HOME"]) / "cache.txt").write_bytes(b"ada:" + PASSWORD)
        elif fault == "bundle-unchanged":
            (self.bundle / "log.txt").write_text("filled\n")
        elif fault == "files":
            (Path(os.environ["HOME"]) / "filled.txt").write_text("filled\n")
        elif fault in mischief.WAYS:
            mischief.WAYS[fault](Path(os.environ["XDG_DATA_HOME"]), self.bundle.parent / "foreign")
        elif fault == "network":
            with contextlib.suppress(OSError):
                socket.socket(socket.AF_INET, socket.SOCK_STREAM).connect(("127.0.0.1", 9))
        elif fault == "no-children" and not self.kept:
            self.kept.append(subprocess.Popen(["sleep", "60"], close_fds=True, start_new_session=True))
        elif fault == "memory":
            self.kept.append(os.urandom(1 << 20))

    # Requests

    def perform(self, number: int, kind: str, values: dict) -> None:
        """Answers one request of the broker, or shows something for it."""
        self.count += 1
        if self.fault == "many-requests" and self.count > 40:
            os.kill(os.getpid(), signal.SIGKILL)
        if kind in QUIET and self.fault in ("quiet-shows-nothing", "reports"):
            self.show(number, form("Unlock"))
        handler = {
            "provideWithoutInteraction": self.provide,
            "provideWithInteraction": self.provide_with_interface,
            "list": self.show_list,
            "oneTimeCodeList": self.show_list,
            "textToInsert": self.show_list,
            "registerPasskey": self.register,
            "registerPasskeyWithoutInteraction": self.register_quietly,
            "savePassword": self.ask,
            "setUpCode": self.ask,
            "savePasswordWithoutInteraction": self.save_quietly,
            "generatePasswords": self.generate,
            "generatePasswordsWithoutInteraction": self.generate,
            "report": self.report,
            "configuration": self.configure,
        }.get(kind)
        if handler is None:
            if self.fault == "unknown-request":
                return
            self.peer.send(error(number, "invalidParameters"))
            return
        if not is_declared(kind, values, self.declared()) and self.fault != "undeclared-request":
            self.refuse(number, FAILED)
            return
        self.open[number] = (kind, values)
        if self.fault != "store-busy":
            with contextlib.suppress(Refused):
                self.publish()
        else:
            self.publish()
        handler(number, kind, values)

    def declared(self) -> set[str] | None:
        """What its Info.plist declares, where that is not everything."""
        declares = self.bundle / "declares"
        return set(declares.read_text().split()) if declares.exists() else None

    def publish(self) -> None:
        """Tells the system what there is, as the rules of the store say."""
        if self.has_published:
            return
        self.has_published = True
        declared = self.declared()
        identities = [
            dict(identity)
            for identity in IDENTITIES
            if declared is None or IDENTITY_KINDS[identity["kind"]] in declared
        ]
        if self.fault == "secret-not-in-identities":
            identities[0]["recordIdentifier"] = PASSWORD.decode()
        if self.fault == "store-kinds":
            identities[1]["recordIdentifier"] = ""
        operation = "save" if self.fault == "store-complete-set" else "replace"
        part = {"operation": operation, "identities": identities, "isLast": True}
        if self.fault == "store-asks-first":
            self.peer.call("identities.write", part)
            return
        state = self.peer.call("identities.state")
        if state["isEnabled"] or self.fault == "store-disabled":
            self.peer.call("identities.write", part)

    def provide(self, number: int, _: str, values: dict) -> None:
        identity = values["_0"]["identity"]
        fault = self.fault
        if identity["kind"] == "passkey":
            self.sign(number, values["_0"])
        elif not self.knows(identity):
            self.refuse(number, MISSING)
        elif identity["kind"] == "oneTimeCode":
            self.give_code(number, b"" if fault == "code-fill" else CODE)
        elif fault == "quiet-in-time":
            time.sleep(3.5)
            self.give_password(number)
        elif fault == "locked":
            self.refuse(number, FAILED)
        elif fault in ("password-with-interface", "interface-cancel"):
            self.refuse(number, INTERACTION)
        elif fault == "password-fill":
            self.give_password(number, user="somebody else")
        elif fault == "two-at-a-time":
            # Another process of the provider holds the only lock there is.
            lock = Path(os.environ["XDG_STATE_HOME"]) / "lock"
            while lock.exists():
                time.sleep(0.05)
            self.give_password(number)
        else:
            self.give_password(number)

    def knows(self, identity: dict) -> bool:
        if identity.get("recordIdentifier") in ("r1", PASSWORD.decode()):
            return True
        broken = "code-missing-record" if identity["kind"] == "oneTimeCode" else "missing-record"
        return self.fault == broken

    def provide_with_interface(self, number: int, kind: str, values: dict) -> None:
        identity = values["_0"]["identity"]
        if self.fault == "password-with-interface":
            self.refuse(number, FAILED)
        elif identity["kind"] != "passkey" and not self.knows(identity):
            self.refuse(number, MISSING)
        elif identity["kind"] == "password":
            self.show(number, form("Unlock"))
        else:
            self.provide(number, kind, values)

    def show(self, number: int, interface: dict) -> None:
        self.peer.notify("extension.present", {"request": number, "interface": interface})

    def show_list(self, number: int, kind: str, values: dict) -> None:
        rows = [{"id": "r1", "title": "ada", "subtitle": "a.example"}, {"id": "r2", "title": "bob"}]
        services = values.get("_0", [])
        fault = self.fault
        if kind == "list" and fault == "two-at-a-time":
            (Path(os.environ["XDG_STATE_HOME"]) / "lock").touch()
        if kind == "list" and fault == "list-without-services" and not services:
            self.refuse(number, FAILED)
            return
        if fault == "list-without-matches" and any("nobody" in service["identifier"] for service in services):
            rows = rows[:1]
        if kind == "oneTimeCodeList" and fault == "code-list" and not services:
            rows = []
        if fault == "interface-bounded":
            rows = [{"id": str(row), "title": "row"} for row in range(1001)]
        if fault == "interface-identifiers":
            rows[1]["id"] = "r1"
        title = "" if fault == "interface-titled" else "Accounts"
        if fault == "independent" and self.count > 1:
            title += f" ({self.count})"
        self.show(number, {"list": {"_0": {"title": title, "sections": [{"rows": rows}], "search": "provider"}}})

    def ask(self, number: int, *_: object) -> None:
        actions = [{"id": "yes", "title": "Save"}]
        message = {"title": "Save?", "text": "ada at kit.example", "style": "information", "actions": actions}
        self.show(number, {"message": {"_0": message}})

    def save_quietly(self, number: int, *_: object) -> None:
        if self.fault == "save-quiet":
            self.show(number, form("Save"))
        self.refuse(number, INTERACTION)

    def generate(self, number: int, *_: object) -> None:
        if self.fault == "generate-keeps-nothing":
            self.peer.call("identities.write", {"operation": "save", "identities": IDENTITIES[:1], "isLast": True})
        if self.fault == "generate" or (self.fault == "generate-with-interface" and _[0] == "generatePasswords"):
            self.refuse(number, INTERACTION)
            return
        value = b"always-the-same" if self.fault == "generate-fresh" else secrets.token_urlsafe(15).encode()
        self.answer(number, {"generated": {"_0": [{"kind": "STRONG", "value": {"descriptor": 0}}]}}, value)

    def report(self, number: int, *_: object) -> None:
        self.answer(number, {"reported": {}})

    def configure(self, number: int, *_: object) -> None:
        actions = [{"id": "done", "title": "Done"}]
        message = {"title": "Set up", "text": "All is well.", "style": "information", "actions": actions}
        self.show(number, {"message": {"_0": message}})

    # Passkeys

    def register_quietly(self, number: int, kind: str, values: dict) -> None:
        if self.fault == "passkey-conditional":
            self.show(number, form("Agree"))
        self.register(number, kind, values)

    def register(self, number: int, _: str, values: dict) -> None:
        registration = values["_0"]
        fault = self.fault
        excluded = {base64.b64decode(value) for value in registration["excludedCredentials"]}
        if excluded & self.passkeys.keys() and fault != "passkey-excluded":
            self.refuse(number, EXCLUDED)
            return
        if ES256 not in registration["algorithms"] and fault != "passkey-algorithms":
            self.refuse(number, FAILED)
            return
        private, point = p256.new_key()
        identifier = b"\0" * 16 if fault == "passkey-fresh" else secrets.token_bytes(16)
        self.passkeys[identifier] = {
            "key": private,
            "party": registration["relyingParty"],
            "handle": registration["userHandle"],
        }
        flags = UP | UV | AT | BE | BS
        if fault == "passkey-flags":
            flags = UP | UV | AT | BS
        cose = b"\xa5\x01\x02\x03\x26\x20\x01\x21\x58\x20" + number32(point[0]) + b"\x22\x58\x20" + number32(point[1])
        data = party_hash(registration["relyingParty"]) + bytes([flags]) + bytes(4) + bytes(16)
        data += len(identifier).to_bytes(2, "big") + identifier + cose
        attestation = b"\xa3\x63fmt\x64none\x67attStmt\xa0\x68authData\x58" + bytes([len(data)]) + data
        if fault == "passkey-registration":
            attestation = attestation[:-1]
        credential = {
            "relyingParty": registration["relyingParty"],
            "clientDataHash": registration["clientDataHash"],
            "credentialID": base64.b64encode(identifier).decode(),
            "attestationObject": base64.b64encode(attestation).decode(),
        }
        self.answer(number, {"passkeyRegistration": {"_0": credential}})

    def sign(self, number: int, request: dict) -> None:
        identifier = base64.b64decode(request["identity"]["passkey"]["credentialID"])
        if identifier not in self.passkeys:
            self.refuse(number, MISSING)
            return
        self.give_signature(number, identifier, request["assertion"]["clientDataHash"])

    def give_signature(self, number: int, identifier: bytes, client_hash: str) -> None:
        passkey = self.passkeys[identifier]
        data = party_hash(passkey["party"]) + bytes([UP | UV | BE | BS]) + bytes(4)
        message = data + base64.b64decode(client_hash)
        if self.fault == "passkey-assertion":
            message = data
        credential = {
            "userHandle": passkey["handle"],
            "relyingParty": passkey["party"],
            "signature": base64.b64encode(p256.sign(passkey["key"], message)).decode(),
            "clientDataHash": client_hash,
            "authenticatorData": base64.b64encode(data).decode(),
            "credentialID": base64.b64encode(identifier).decode(),
        }
        self.answer(number, {"passkeyAssertion": {"_0": credential}})

    # The person

    def happened(self, number: int, event: dict) -> None:
        if number not in self.open:
            return
        kind, values = self.open[number]
        if "cancelled" in event:
            self.refuse(number, FAILED if self.fault == CANCEL_FAULTS.get(kind) else CANCELED)
        elif "searched" in event:
            if self.fault != "list-search":
                self.show(number, listing("Nothing", []))
        elif kind == "list":
            self.choose(number, values)
        elif kind == "oneTimeCodeList":
            self.give_code(number)
        elif kind == "textToInsert":
            self.answer(number, {"text": {"_0": {"descriptor": 0}}}, b"" if self.fault == "text-insert" else b"+1 555")
        elif kind == "savePassword":
            self.refuse(number, FAILED) if self.fault == "save-with-interface" else self.answer(number, {"saved": {}})
        elif kind == "setUpCode":
            self.refuse(number, FAILED) if self.fault == "code-setup" else self.answer(number, {"saved": {}})
        elif kind == "configuration":
            self.refuse(number, FAILED) if self.fault == "configuration" else self.answer(number, {"configured": {}})
        else:
            self.give_password(number)

    def choose(self, number: int, values: dict) -> None:
        passkeys = values.get("passkeys")
        if self.fault == "list-choice":
            self.refuse(number, FAILED)
        elif passkeys and self.passkeys:
            wanted = [base64.b64decode(value) for value in passkeys["assertion"]["allowedCredentials"]]
            identifier = next((value for value in wanted if value in self.passkeys), next(iter(self.passkeys)))
            client_hash = passkeys["assertion"]["clientDataHash"]
            if self.fault == "passkey-list":
                client_hash = base64.b64encode(bytes(32)).decode()
            self.give_signature(number, identifier, client_hash)
        else:
            self.give_password(number)

    def withdrawn(self, number: int) -> None:
        if self.open.pop(number, None) and self.fault != "withdrawn":
            self.peer.send(error(number, "cancelled"))


CANCEL_FAULTS = {
    "list": "list-cancel",
    "textToInsert": "text-cancel",
    "savePassword": "save-cancel",
    "setUpCode": "code-setup-cancel",
    "configuration": "configuration-cancel",
    "provideWithInteraction": "interface-cancel",
}
KINDS = {
    "oneTimeCodeList": "ProvidesOneTimeCodes",
    "textToInsert": "ProvidesTextToInsert",
    "setUpCode": "KeywaySetsUpOneTimeCodes",
    "registerPasskey": "ProvidesPasskeys",
    "registerPasskeyWithoutInteraction": "SupportsConditionalPasskeyRegistration",
    "savePassword": "SupportsSavePasswordCredentials",
    "savePasswordWithoutInteraction": "SupportsSavePasswordCredentials",
    "generatePasswords": "SupportsGeneratePasswordCredentialsWithUI",
    "generatePasswordsWithoutInteraction": "SupportsGeneratePasswordCredentials",
    "report": "SupportsCredentialUpdate",
    "configuration": "ShowsConfigurationUI",
}
IDENTITY_KINDS = {"password": "ProvidesPasswords", "passkey": "ProvidesPasskeys", "oneTimeCode": "ProvidesOneTimeCodes"}


def is_declared(kind: str, values: dict, declared: set[str] | None) -> bool:
    if declared is None:
        return True
    if kind in ("provideWithoutInteraction", "provideWithInteraction"):
        return IDENTITY_KINDS[values["_0"]["identity"]["kind"]] in declared
    if kind == "list":
        return bool(declared & {"ProvidesPasswords", "ProvidesPasskeys"})
    return KINDS[kind] in declared


def error(number: int, kind: str) -> dict:
    return {"jsonrpc": "2.0", "id": number, "error": {"code": -32602, "message": "No.", "data": {"kind": kind}}}


def form(title: str) -> dict:
    fields = [{"id": "word", "label": "Word", "kind": {"secure": {}}}]
    return {"form": {"_0": {"title": title, "fields": fields, "submitTitle": "Go"}}}


def listing(title: str, rows: list[dict]) -> dict:
    return {"list": {"_0": {"title": title, "sections": [{"rows": rows}], "search": "provider"}}}


def party_hash(party: str) -> bytes:
    return hashlib.sha256(party.encode()).digest()


def number32(value: int) -> bytes:
    return value.to_bytes(32, "big")


def serve(provider: Provider) -> None:
    peer = provider.peer
    while True:
        while peer.notifications:
            message = peer.notifications.pop(0)
            params = message.get("params", {})
            if message["method"] == "extension.perform":
                ((kind, values),) = params["request"].items()
                provider.perform(message["id"], kind, values)
            elif message["method"] == "extension.event":
                provider.happened(params["request"], params["event"])
            elif message["method"] == "cancel":
                provider.withdrawn(params["id"])
            elif "id" in message and provider.fault != "unknown-method":
                peer.send(error(message["id"], "unknownMethod"))
        message, descriptors = peer.receive(3600)
        for descriptor in descriptors:
            os.close(descriptor)
        if "method" in message:
            peer.notifications.append(message)


def main() -> None:
    program, fault = Path(sys.argv[1]), sys.argv[2]
    if fault == "ends-when-told":
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
    try:
        peer = Peer(socket.socket(fileno=3))
    except OSError:
        time.sleep(60 if fault == "ends-without-the-broker" else 0)
        sys.exit("not started by the broker")
    if fault == "greets":
        time.sleep(60)
    if fault == "greets-first":
        peer.request("identities.state")
    try:
        peer.greet("providerExtension")
        serve(Provider(peer, fault, program.parent))
    except (Closed, BrokenPipeError, ConnectionResetError):
        if fault == "ends-when-let-go":
            time.sleep(60)
        sys.exit(0)


main()
