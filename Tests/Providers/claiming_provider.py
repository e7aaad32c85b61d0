"""A provider that says of every passkey that the person was verified, whether anybody was or not.

    claiming_provider.py HOST

It has one passkey of HOST, and makes others. It is installed together with `p256.py` and `wire.py`.
"""

from __future__ import annotations

import base64
import hashlib
import os
import secrets
import socket
import sys

import p256
from wire import Closed, Peer

PRESENT, VERIFIED, ATTESTED = 0x01, 0x04, 0x40


def text(data: bytes) -> str:
    return base64.b64encode(data).decode()


class Provider:
    def __init__(self, peer: Peer, host: str) -> None:
        self.peer = peer
        self.host = host
        self.key, _ = p256.new_key()
        self.identity = {
            "kind": "passkey",
            "service": {"identifier": host, "kind": "domain"},
            "user": "ada",
            "recordIdentifier": "k1",
            "rank": 0,
            # The same in each process, since the broker keeps it.
            "passkey": {"credentialID": text(b"the passkey of that provider"), "userHandle": text(b"ada")},
        }

    def perform(self, number: int, request: dict) -> None:
        ((kind, values),) = request.items()
        if kind == "registerPasskey":
            result = {"passkeyRegistration": {"_0": self.registration(values["_0"])}}
        elif kind.startswith("provideWith") and values["_0"]["identity"]["kind"] == "passkey":
            result = {"passkeyAssertion": {"_0": self.assertion(values["_0"]["assertion"]["clientDataHash"])}}
        else:
            result = {"cancelled": {"domain": "ASExtensionErrorDomain", "code": 0}}
        self.peer.send({"jsonrpc": "2.0", "id": number, "result": result})

    def data(self, flags: int) -> bytes:
        """The authenticator data as far as each has it: hash, flags, counter."""
        return hashlib.sha256(self.host.encode()).digest() + bytes([PRESENT | VERIFIED | flags]) + bytes(4)

    def registration(self, wanted: dict) -> dict:
        _, point = p256.new_key()
        identifier = secrets.token_bytes(16)
        first, second = (number.to_bytes(32, "big") for number in point)
        key = b"\xa5\x01\x02\x03\x26\x20\x01\x21\x58\x20" + first + b"\x22\x58\x20" + second
        data = self.data(ATTESTED) + bytes(16) + len(identifier).to_bytes(2, "big") + identifier + key
        attestation = b"\xa3\x63fmt\x64none\x67attStmt\xa0\x68authData\x58" + bytes([len(data)]) + data
        return {
            "relyingParty": wanted["relyingParty"],
            "clientDataHash": wanted["clientDataHash"],
            "credentialID": text(identifier),
            "attestationObject": text(attestation),
        }

    def assertion(self, client_hash: str) -> dict:
        data = self.data(0)
        return {
            "userHandle": self.identity["passkey"]["userHandle"],
            "relyingParty": self.host,
            "signature": text(p256.sign(self.key, data + base64.b64decode(client_hash))),
            "clientDataHash": client_hash,
            "authenticatorData": text(data),
            "credentialID": self.identity["passkey"]["credentialID"],
        }

    def serve(self) -> None:
        self.peer.greet("providerExtension")
        self.peer.call("identities.write", {"operation": "replace", "identities": [self.identity], "isLast": True})
        while True:
            while self.peer.notifications:
                message = self.peer.notifications.pop(0)
                if message["method"] == "extension.perform":
                    self.perform(message["id"], message["params"]["request"])
            message, descriptors = self.peer.receive(3600)
            for descriptor in descriptors:
                os.close(descriptor)
            if "method" in message:
                self.peer.notifications.append(message)


try:
    Provider(Peer(socket.socket(fileno=3)), sys.argv[1]).serve()
except (Closed, BrokenPipeError, ConnectionResetError):
    sys.exit(0)
