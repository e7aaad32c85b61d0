"""A person who comes from an older commit: what its programs wrote is read, whole, signs in, and goes out again."""

from __future__ import annotations

import base64
import hashlib
import json

import pytest
from conftest import Keyway, eventually
from cryptography.hazmat.primitives.asymmetric.ec import SECP256R1, EllipticCurvePublicNumbers
from cryptography.hazmat.primitives.serialization import load_der_private_key
from fido2.cose import ES256
from older_home import MADE, MASTER, check_export, check_items, check_signing_in, lay_down
from test_passkeys import Page, connect_without_terminal, decode, encode
from test_passwords_extension import next_screen, type_master

from session.private import PASSWORDS

PUBLIC = MADE["passkey"]["publicKey"]


@pytest.fixture
def older(stranger: Keyway) -> Keyway:
    """A session with that home, and a terminal to which its vault is open."""
    lay_down(stranger.folder / "state", stranger.folder / "data")
    stranger.approve_programs()
    stranger.start_broker()
    # It was another installation's: the bundle lies in another place here.
    stranger.keyway("providers", "enable", "--yes", PASSWORDS)
    stranger.keyway("passwords", "unlock", secrets=[MASTER])
    return stranger


def test_every_item_is_there_and_signs_in(older):
    check_items(older.keyway)
    check_signing_in(older.keyway)
    # What the last code changed was written by this commit, into that file.
    older.keyway("passwords", "lock")
    older.keyway("passwords", "unlock", secrets=[MASTER])
    check_items_but_the_counter(older)


def check_items_but_the_counter(older: Keyway) -> None:
    listed = json.loads(older.keyway("passwords", "list", "--json"))["items"]
    assert {item["title"] for item in listed} == set(MADE["items"])
    assert older.keyway("code", "https://counter.example") == "969429\n"


def test_its_passkey_signs(older):
    options = {"challenge": encode(b"of this test"), "allowCredentials": []}
    with connect_without_terminal(older) as peer:
        page = Page(peer)
        # An unlock doesn't wait until all accounts are known to the broker.
        eventually(page.passkeys)
        data = page.client_data("get", options)
        number = page.ask_to_sign(options, data, allowed=(MADE["passkey"]["credentialID"],))
        # Who sits at no terminal has unlocked nothing yet.
        shown, kind, _ = next_screen(peer)
        assert kind == "form"
        type_master(peer, shown, MASTER.encode())
        answer = page.signed(number, data)
    assert answer["id"] == MADE["passkey"]["credentialID"]
    key = ES256({int(name): decode(value) if isinstance(value, str) else value for name, value in PUBLIC.items()})
    signed = base64.b64decode(page.assertion["authenticatorData"]) + hashlib.sha256(data).digest()
    key.verify(signed, base64.b64decode(page.assertion["signature"]))


def test_all_of_it_is_exported(older, tmp_path):
    older.keyway("export", str(tmp_path / "all.json"), "--yes", secrets=[MASTER])
    document = json.loads((tmp_path / "all.json").read_text())
    check_export(document)
    (passkey,) = [
        credential
        for item in document["accounts"][0]["items"]
        for credential in item["credentials"]
        if credential["type"] == "passkey"
    ]
    key = load_der_private_key(decode(passkey["key"]), None)
    point = (int.from_bytes(decode(PUBLIC[coordinate])) for coordinate in ("-2", "-3"))
    assert key.public_key().public_numbers() == EllipticCurvePublicNumbers(*point, SECP256R1())
