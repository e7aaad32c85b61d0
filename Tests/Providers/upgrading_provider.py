"""A provider that has the password of one account, and makes a passkey for it in the background where it is asked to.

    upgrading_provider.py BUNDLE/extension|service BEHAVIOUR MARKS

BEHAVIOUR is `good`, or `declines`: then it makes none. What it holds lies in the folder MARKS, the only one that it may
write to: `passkey` as long as it has one, `hidden` once it was told that it is not wanted.
"""

from __future__ import annotations

import base64
import hashlib
import os
import secrets
import socket
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "Processes"))
sys.path.insert(0, str(Path(__file__).resolve().parent))

import p256
from wire import Closed, Peer, sealed

HOST = "a.example"
PASSWORD = {
    "kind": "password",
    "service": {"identifier": f"https://{HOST}", "kind": "URL"},
    "user": "ada",
    "recordIdentifier": "r1",
    "rank": 0,
}
AT = 0x40


def answer(peer: Peer, number: int, result: dict, descriptors: tuple[int, ...] = ()) -> None:
    message = {"jsonrpc": "2.0", "id": number, "result": result}
    if descriptors:
        message["descriptors"] = len(descriptors)
    peer.send(message, descriptors)


def refuse(peer: Peer, number: int) -> None:
    answer(peer, number, {"cancelled": {"domain": "ASExtensionErrorDomain", "code": 0}})


def publish(peer: Peer, marks: Path) -> None:
    """Tells the broker which accounts there are: all of them, as they are now."""
    identities = [PASSWORD]
    if (marks / "passkey").exists():
        identifier, handle = (marks / "passkey").read_text().split()
        passkey = {"credentialID": identifier, "userHandle": handle}
        service = {"identifier": HOST, "kind": "domain"}
        identities.append(
            {
                "kind": "passkey",
                "service": service,
                "user": "ada",
                "recordIdentifier": "k1",
                "rank": 0,
                "passkey": passkey,
            }
        )
    peer.call("identities.write", {"operation": "replace", "identities": identities, "isLast": True})


def make(peer: Peer, number: int, wanted: dict, marks: Path) -> None:
    """A passkey that nobody was asked for: neither present nor verified."""
    _, point = p256.new_key()
    identifier = secrets.token_bytes(16)
    cose = b"\xa5\x01\x02\x03\x26\x20\x01\x21\x58\x20" + point[0].to_bytes(32) + b"\x22\x58\x20" + point[1].to_bytes(32)
    data = hashlib.sha256(wanted["relyingParty"].encode()).digest() + bytes([AT]) + bytes(4) + bytes(16)
    data += len(identifier).to_bytes(2) + identifier + cose
    attestation = b"\xa3\x63fmt\x64none\x67attStmt\xa0\x68authData\x58" + bytes([len(data)]) + data
    name = base64.b64encode(identifier).decode()
    (marks / "passkey").write_text(f"{name} {wanted['userHandle']}")
    publish(peer, marks)
    credential = {
        "relyingParty": wanted["relyingParty"],
        "clientDataHash": wanted["clientDataHash"],
        "credentialID": name,
        "attestationObject": base64.b64encode(attestation).decode(),
    }
    answer(peer, number, {"passkeyRegistration": {"_0": credential}})


def hide(peer: Peer, number: int, report: dict, marks: Path) -> None:
    told = report.get("passkeyUnknown", {}).get("credentialID")
    if (marks / "passkey").exists() and (marks / "passkey").read_text().split()[0] == told:
        (marks / "passkey").rename(marks / "hidden")
        publish(peer, marks)
    answer(peer, number, {"reported": {}})


def perform(peer: Peer, number: int, request: dict, behaviour: str, marks: Path) -> None:
    (kind, values), *_ = request.items()
    if kind == "provideWithoutInteraction":
        descriptor = sealed(b"s3cret")
        answer(peer, number, {"password": {"user": "ada", "password": {"descriptor": 0}}}, (descriptor,))
        os.close(descriptor)
    elif kind == "registerPasskeyWithoutInteraction" and behaviour == "good":
        make(peer, number, values["_0"], marks)
    elif kind == "report":
        hide(peer, number, values["_0"], marks)
    else:
        refuse(peer, number)


def greet_client(message: dict) -> None:
    """Somebody looks in: the service runs, and has told what there is."""
    with socket.socket(fileno=message["received"][0]) as client, client.makefile("rw") as lines:
        lines.readline()
        lines.write("hello\n")


def serve(peer: Peer, part: str, behaviour: str, marks: Path) -> None:
    peer.greet("providerService" if part == "service" else "providerExtension")
    publish(peer, marks)
    if part == "service":
        peer.notify("service.stateChanged", {"state": "ready"})
    while True:
        while peer.notifications:
            message = peer.notifications.pop(0)
            if message["method"] == "extension.perform":
                perform(peer, message["id"], message["params"]["request"], behaviour, marks)
            elif message["method"] == "service.attach":
                answer(peer, message["id"], {})
                greet_client(message)
        message, descriptors = peer.receive(3600)
        if "method" in message:
            peer.notifications.append(message)
        else:
            for descriptor in descriptors:
                os.close(descriptor)


try:
    serve(Peer(socket.socket(fileno=3)), Path(sys.argv[1]).name, sys.argv[2], Path(sys.argv[3]))
except (Closed, BrokenPipeError, ConnectionResetError):
    sys.exit(0)
