"""Passkeys behind the fake native host: real signatures, and a person who does what a file says.

`FOLDER/passkeys.json` keeps them. `FOLDER/choice` is what the person chooses in the window: `elsewhere`, `cancelled`,
`wait` (until it is taken back), or nothing for yes. While `FOLDER/no-passkeys` exists, no provider keeps passkeys.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import secrets
import threading
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from fido2 import cbor

UP, UV, BE, BS, AT = 0x01, 0x04, 0x08, 0x10, 0x40
WRITING = threading.Lock()


class Refusal(Exception):
    """Why there is no passkey: the kind of the error."""


def text_of(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).decode().rstrip("=")


def bytes_of(text: str) -> bytes:
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


class Passkeys:
    """What is kept in one folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.file = folder / "passkeys.json"
        self.kept: list[dict[str, Any]] = json.loads(self.file.read_text()) if self.file.exists() else []

    def offers(self, url: str, asked: dict) -> list[tuple[str, str]]:
        party = self._party(url, asked)
        return [
            (passkey["id"], passkey["user"])
            for passkey in self.kept
            if passkey["party"] == party and (not asked["allowed"] or passkey["id"] in asked["allowed"])
        ]

    def answer(self, method: str, params: dict, cancelled: threading.Event) -> dict:
        if method == "passkeys.available":
            there = not (self.folder / "no-passkeys").exists()
            return {"isAvailable": there, "canVerify": there, "makesInBackground": there}
        if method == "passkeys.report":
            return {}
        if method == "passkeys.create":
            return self._create(params, cancelled)
        return self._get(params, cancelled)

    def _get(self, params: dict, cancelled: threading.Event) -> dict:
        request = params["request"]
        found = [passkey for passkey, _ in self.offers(params["url"], request)]
        if "handle" in params:
            found = [passkey for passkey in found if passkey == params["handle"]]
        if not found:
            raise Refusal("elsewhere")
        if "handle" not in params:
            self._choose(cancelled)
        passkey = next(passkey for passkey in self.kept if passkey["id"] == found[0])
        data = hashlib.sha256(passkey["party"].encode()).digest() + bytes([UP | UV | BE | BS]) + bytes(4)
        client_data = self._client_data("webauthn.get", params)
        key = serialization.load_pem_private_key(passkey["key"].encode(), None)
        assert isinstance(key, ec.EllipticCurvePrivateKey)
        signature = key.sign(data + hashlib.sha256(client_data).digest(), ec.ECDSA(hashes.SHA256()))
        return {
            "id": passkey["id"],
            "clientDataJSON": text_of(client_data),
            "authenticatorData": text_of(data),
            "signature": text_of(signature),
            "userHandle": passkey["handle"],
            "extensions": self._outputs(passkey, request.get("extensions", {})),
        }

    def _create(self, params: dict, cancelled: threading.Event) -> dict:
        request = params["request"]
        party = self._party(params["url"], request)
        if not params["isConditional"]:
            self._choose(cancelled)
        if any(passkey["id"] in request["excluded"] for passkey in self.kept):
            raise Refusal("exists")
        key = ec.generate_private_key(ec.SECP256R1())
        identifier = secrets.token_bytes(16)
        point = key.public_key().public_numbers()
        cose = cbor.encode({1: 2, 3: -7, -1: 1, -2: point.x.to_bytes(32, "big"), -3: point.y.to_bytes(32, "big")})
        flags = BE | BS | AT | (0 if params["isConditional"] else UP | UV)
        data = hashlib.sha256(party.encode()).digest() + bytes([flags]) + bytes(4)
        data += bytes(16) + len(identifier).to_bytes(2, "big") + identifier + cose
        pem = key.private_bytes(
            serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
        )
        self.kept.append(
            {
                "id": text_of(identifier),
                "key": pem.decode(),
                "party": party,
                "user": request["user"]["name"],
                "handle": request["user"]["id"],
                "secret": secrets.token_hex(32),
            }
        )
        self._keep()
        info = key.public_key().public_bytes(
            serialization.Encoding.DER, serialization.PublicFormat.SubjectPublicKeyInfo
        )
        extensions = request.get("extensions", {})
        outputs = self._outputs(self.kept[-1], extensions)
        if "prf" in outputs:
            outputs["prf"]["enabled"] = True
        if "credProps" in extensions:
            outputs["credProps"] = {"rk": True}
        if "largeBlob" in extensions:
            outputs["largeBlob"] = {"supported": True}
        return {
            "id": text_of(identifier),
            "clientDataJSON": text_of(self._client_data("webauthn.create", params)),
            "attestationObject": text_of(cbor.encode({"fmt": "none", "attStmt": {}, "authData": data})),
            "authenticatorData": text_of(data),
            "publicKey": text_of(info),
            "algorithm": -7,
            "transports": ["internal"],
            "extensions": outputs,
        }

    def _outputs(self, passkey: dict, extensions: dict) -> dict:
        outputs: dict[str, Any] = {}
        if "prf" in extensions:
            single = extensions["prf"].get("evalByCredential", {})
            values = single.get(passkey["id"], extensions["prf"].get("eval"))
            secret = bytes.fromhex(passkey["secret"])
            results = {name: text_of(evaluate(secret, bytes_of(value))) for name, value in (values or {}).items()}
            outputs["prf"] = {"results": results} if results else {}
        blob = extensions.get("largeBlob", {})
        if "write" in blob:
            passkey["blob"] = blob["write"]
            self._keep()
            outputs["largeBlob"] = {"written": True}
        elif "read" in blob:
            outputs["largeBlob"] = {"blob": passkey["blob"]} if "blob" in passkey else {}
        return outputs

    def _choose(self, cancelled: threading.Event) -> None:
        choice = self.folder / "choice"
        said = choice.read_text() if choice.exists() else ""
        if said == "wait":
            cancelled.wait(60)
            raise Refusal("cancelled")
        if said:
            raise Refusal(said)

    def _client_data(self, kind: str, params: dict) -> bytes:
        parts = urlsplit(params["url"])
        data = {
            "type": kind,
            "challenge": params["request"]["challenge"],
            "origin": f"{parts.scheme}://{parts.netloc}",
            "crossOrigin": "top" in params,
        }
        if "top" in params:
            data["topOrigin"] = params["top"]
        return json.dumps(data, separators=(",", ":")).encode()

    @staticmethod
    def _party(url: str, asked: dict) -> str:
        host = urlsplit(url).hostname or ""
        party = asked.get("relyingParty", host)
        if host != party and not host.endswith("." + party):
            raise Refusal("refused")
        return party

    def _keep(self) -> None:
        with WRITING:
            new = self.folder / "passkeys.new"
            new.write_text(json.dumps(self.kept))
            new.rename(self.file)


def evaluate(secret: bytes, value: bytes) -> bytes:
    return hmac.digest(secret, hashlib.sha256(b"WebAuthn PRF\0" + value).digest(), "sha256")
