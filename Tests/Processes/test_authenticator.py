"""The authenticator, judged by two servers that others wrote: Duo's `webauthn` and Yubico's `fido2`.

`authenticator-probe` answers their options as a browser would, without a browser, a broker or a vault.
"""

from __future__ import annotations

import base64
import json
import os
import subprocess
from pathlib import Path
from typing import Any

import pytest
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat, load_der_public_key
from fido2 import cbor
from fido2.webauthn import AttestationObject, CollectedClientData
from webauthn.helpers import decode_credential_public_key, decoded_public_key_to_cryptography
from webauthn_servers import ORIGIN, Duo, Refused, Yubico

ROOT = Path(__file__).resolve().parents[2]
BUILT = Path(os.environ.get("KEYWAY_BUILT", ROOT / ".build/debug"))
AAGUID = "c8caeac8-df3f-4e6f-8a09-8529b4c88321"
ALGORITHMS = {"ES256": -7, "EdDSA": -8, "RS256": -257}


class Probe:
    """The program, one request at a time."""

    def __init__(self) -> None:
        self.process = subprocess.Popen(
            [BUILT / "authenticator-probe"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )

    def ask(
        self, options: dict[str, Any], person: str = "verified", extensions: dict[str, Any] | None = None, **more: Any
    ) -> dict[str, Any]:
        request = {"options": options, "origin": ORIGIN, "person": person, "extensions": json.dumps(extensions or {})}
        self.process.stdin.write(json.dumps(request | more) + "\n")
        self.process.stdin.flush()
        return json.loads(self.process.stdout.readline())


@pytest.fixture
def probe():
    probe = Probe()
    yield probe
    probe.process.stdin.close()
    assert probe.process.wait(timeout=60) == 0


@pytest.fixture(params=[Duo, Yubico], ids=["duo", "yubico"])
def server(request):
    return request.param()


@pytest.mark.parametrize("algorithm", ALGORITHMS.values(), ids=ALGORITHMS.keys())
def test_a_server_takes_registration_and_sign_in(server, probe, algorithm):
    answer = probe.ask(server.creation([algorithm]))
    account = server.created(answer)
    assert account.format == "none"
    assert account.is_verified and account.is_eligible and not account.is_backed_up
    for _ in range(2):
        sign_in = server.signed_in(account, probe.ask(server.request(account)))
        assert sign_in.is_verified and sign_in.is_backed_up
        assert sign_in.counter == 0


@pytest.mark.parametrize("algorithm", ALGORITHMS.values(), ids=ALGORITHMS.keys())
def test_a_server_takes_self_attestation(server, probe, algorithm):
    account = server.created(probe.ask(server.creation([algorithm], attestation="direct")))
    assert account.format == "packed"


@pytest.mark.parametrize("verification", ["required", "preferred", "discouraged"])
@pytest.mark.parametrize("person", ["present", "verified"])
def test_the_flag_of_verification_is_true_only_when_it_happened(server, probe, verification, person):
    account = server.created(probe.ask(server.creation([-7])))
    answer = probe.ask(server.request(account, verification), person)
    if verification == "required" and person == "present":
        assert answer == {"error": "NotAllowedError"}
    else:
        assert server.signed_in(account, answer).is_verified == (person == "verified")
    answer = probe.ask(server.creation([-7], verification), person)
    if verification == "required" and person == "present":
        assert answer == {"error": "NotAllowedError"}
    else:
        assert server.created(answer).is_verified == (person == "verified")


def test_a_server_refuses_what_was_made_for_another_origin_or_changed(server, probe):
    answer = probe.ask(server.creation([-7]), origin="https://evil.example")
    with pytest.raises(Refused):
        server.created(answer)
    account = server.created(probe.ask(server.creation([-7])))
    answer = probe.ask(server.request(account))
    signature = bytearray(decode(answer["response"]["signature"]))
    signature[-1] ^= 1
    answer["response"]["signature"] = encode(signature)
    with pytest.raises(Refused):
        server.signed_in(account, answer)


def test_nobody_present_signs_nothing(server, probe):
    account = server.created(probe.ask(server.creation([-7])))
    assert probe.ask(server.request(account), "absent") == {"error": "NotAllowedError"}


def test_an_excluded_passkey_is_an_invalid_state(server, probe):
    options = server.creation([-7])
    first = probe.ask(options)
    options["excludeCredentials"] = [{"type": "public-key", "id": first["id"]}]
    assert probe.ask(options) == {"error": "InvalidStateError"}
    options["excludeCredentials"] = [{"type": "public-key", "id": "AAAA"}]
    assert "error" not in probe.ask(options)


def test_an_allow_list_without_our_passkeys_finds_none(server, probe):
    account = server.created(probe.ask(server.creation([-7])))
    options = server.request(account)
    options["allowCredentials"] = [{"type": "public-key", "id": "AAAA"}]
    assert probe.ask(options) == {"error": "NotAllowedError"}
    options["allowCredentials"] = []
    assert "error" not in probe.ask(options)
    options["rpId"] = "example.com"
    assert probe.ask(options) == {"error": "NotAllowedError"}


def test_a_conditional_registration_says_that_nobody_was_there(probe):
    answer = probe.ask(Duo().creation([-7]), "absent")
    data = AttestationObject(decode(answer["response"]["attestationObject"])).auth_data
    assert not data.is_user_present() and not data.is_user_verified()


@pytest.mark.parametrize("algorithm", ALGORITHMS.values(), ids=ALGORITHMS.keys())
def test_other_readers_find_the_same_key_and_the_aaguid(probe, algorithm):
    response = probe.ask(Duo().creation([algorithm]))["response"]
    data = AttestationObject(decode(response["attestationObject"])).auth_data
    assert bytes(data) == decode(response["authenticatorData"])
    assert str(data.credential_data.aaguid) == AAGUID
    assert data.counter == 0 and not data.extensions
    cose = decode_credential_public_key(cbor.encode(dict(data.credential_data.public_key)))
    ours = decode(response["publicKey"])
    assert spki(decoded_public_key_to_cryptography(cose)) == spki(load_der_public_key(ours)) == ours


def test_client_data_tells_of_frames(probe):
    answer = probe.ask(Duo().creation([-7]), topOrigin="https://top.example")
    client = CollectedClientData(decode(answer["response"]["clientDataJSON"]))
    assert client.cross_origin is True and client.origin == ORIGIN
    assert json.loads(client)["topOrigin"] == "https://top.example"
    plain = json.loads(decode(probe.ask(Duo().creation([-7]))["response"]["clientDataJSON"]))
    assert plain["crossOrigin"] is False and "topOrigin" not in plain


def test_outputs_of_prf_are_equal_across_sign_ins(probe):
    duo = Duo()
    one, two = {"first": encode(b"one")}, {"first": encode(b"one"), "second": encode(b"two")}
    answer = probe.ask(duo.creation([-7]), extensions={"prf": {"eval": two}, "credProps": True, "unknown": 1})
    account = duo.created(answer)
    outputs = answer["clientExtensionResults"]
    assert outputs.keys() == {"prf", "credProps"}
    assert outputs["credProps"] == {"rk": True} and outputs["prf"]["enabled"] is True
    results = outputs["prf"]["results"]
    assert {len(decode(value)) for value in results.values()} == {32} and results["first"] != results["second"]
    for _ in range(2):
        sign_in = probe.ask(duo.request(account), extensions={"prf": {"eval": two}})
        duo.signed_in(account, sign_in)
        assert sign_in["clientExtensionResults"] == {"prf": {"results": results}}
    mapped = probe.ask(duo.request(account), extensions={"prf": {"evalByCredential": {account_id(account): one}}})
    assert mapped["clientExtensionResults"]["prf"]["results"] == {"first": results["first"]}
    other = probe.ask(duo.creation([-7]), extensions={"prf": {"eval": two}})
    assert other["clientExtensionResults"]["prf"]["results"] != results


def test_a_large_blob_is_kept(probe):
    duo = Duo()
    answer = probe.ask(duo.creation([-7]), extensions={"largeBlob": {"support": "required"}})
    assert answer["clientExtensionResults"] == {"largeBlob": {"supported": True}}
    account = duo.created(answer)
    for extension, result in [
        ({"read": True}, {}),
        ({"write": encode(b"blob")}, {"written": True}),
        ({"read": True}, {"blob": encode(b"blob")}),
    ]:
        sign_in = probe.ask(duo.request(account), extensions={"largeBlob": extension})
        duo.signed_in(account, sign_in)
        assert sign_in["clientExtensionResults"] == {"largeBlob": result}


@pytest.mark.parametrize(
    ("extensions", "name"),
    [
        ({"prf": {"evalByCredential": {"AAAA": {"first": "AA"}}}}, "SyntaxError"),
        ({"prf": {"evalByCredential": {"": {"first": "AA"}}}}, "SyntaxError"),
        ({"largeBlob": {"support": "preferred"}}, "NotSupportedError"),
        ({"largeBlob": {"read": True, "write": "AA"}}, "NotSupportedError"),
    ],
)
def test_extensions_that_ask_too_much_end_the_sign_in(probe, extensions, name):
    duo = Duo()
    account = duo.created(probe.ask(duo.creation([-7])))
    assert probe.ask(duo.request(account), extensions=extensions) == {"error": name}


def account_id(account) -> str:
    return encode(account.stored.credential_id)


def encode(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def decode(text: str) -> bytes:
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


def spki(key) -> bytes:
    return key.public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo)
