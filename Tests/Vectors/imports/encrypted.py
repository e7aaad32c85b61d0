#!/usr/bin/env python3
"""Writes the encrypted exports beside it, by what is known of their formats: Tests/Vectors/imports/encrypted.py

All of them open with the password “correct horse”. Their salts and nonces are counted, so that a second run writes the
same files again.
"""

from __future__ import annotations

import hashlib
import json
import os
from base64 import b64encode
from pathlib import Path

from cryptography.hazmat.primitives import hashes, hmac, padding
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.argon2 import Argon2id
from cryptography.hazmat.primitives.kdf.hkdf import HKDFExpand
from cryptography.hazmat.primitives.kdf.pbkdf2 import PBKDF2HMAC
from cryptography.hazmat.primitives.kdf.scrypt import Scrypt

HERE = Path(__file__).resolve().parent
PASSWORD = b"correct horse"
SECRET = "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ"


def main() -> None:
    write("bitwarden/encrypted-argon2id.json", bitwarden())
    write("authenticators/aegis-encrypted.json", aegis())
    write("authenticators/2fas-encrypted.2fas", two_fas())


def write(name: str, document: dict[str, object]) -> None:
    path = HERE / name
    path.parent.mkdir(exist_ok=True)
    path.write_text(json.dumps(document, separators=(",", ":")) + os.linesep)


def counted(name: str, count: int) -> bytes:
    """Bytes that look random."""
    return hashlib.shake_256(name.encode()).digest(count)


def text(data: bytes) -> str:
    return b64encode(data).decode()


def bitwarden() -> dict[str, object]:
    salt = text(counted("bitwarden", 16))
    derivation = Argon2id(
        salt=hashlib.sha256(salt.encode()).digest(), length=32, iterations=3, lanes=4, memory_cost=16 << 10
    )
    key = derivation.derive(PASSWORD)
    encryption, authentication = (HKDFExpand(hashes.SHA256(), 32, info).derive(key) for info in (b"enc", b"mac"))

    def seal(name: str, plain: str) -> str:
        vector = counted(name, 16)
        padder = padding.PKCS7(128).padder()
        padded = padder.update(plain.encode()) + padder.finalize()
        encryptor = Cipher(algorithms.AES(encryption), modes.CBC(vector)).encryptor()
        message = encryptor.update(padded) + encryptor.finalize()
        code = hmac.HMAC(authentication, hashes.SHA256())
        code.update(vector + message)
        return f"2.{text(vector)}|{text(message)}|{text(code.finalize())}"

    login = {"username": "ada", "password": "s3cret", "uris": [{"match": None, "uri": "https://mail.example"}]}
    items = [{"id": "1", "type": 1, "name": "Mail", "favorite": False, "login": login}]
    return {
        "encrypted": True,
        "passwordProtected": True,
        "salt": salt,
        "kdfType": 1,
        "kdfIterations": 3,
        "kdfMemory": 16,
        "kdfParallelism": 4,
        "encKeyValidation_DO_NOT_EDIT": seal("validation", "5b2b7c1e-7a57-4d5b-9d4b-0f4b4a7a1c11"),
        "data": seal("data", json.dumps({"encrypted": False, "folders": [], "items": items})),
    }


def aegis() -> dict[str, object]:
    master, salt = counted("master", 32), counted("salt", 32)
    derived = Scrypt(salt=salt, length=32, n=1 << 15, r=8, p=1).derive(PASSWORD)

    def seal(name: str, key: bytes, plain: bytes) -> tuple[bytes, dict[str, str]]:
        nonce = counted(name, 12)
        sealed = AESGCM(key).encrypt(nonce, plain, None)
        return sealed[:-16], {"nonce": nonce.hex(), "tag": sealed[-16:].hex()}

    info = {"secret": SECRET, "algo": "SHA1", "digits": 6, "period": 30}
    entry = {"type": "totp", "uuid": "e", "name": "ada", "issuer": "Mail", "note": "", "favorite": True, "info": info}
    database = {"version": 3, "entries": [entry | {"groups": ["g"]}], "groups": [{"uuid": "g", "name": "Work"}]}
    content, parameters = seal("content", master, json.dumps(database).encode())
    key, key_parameters = seal("key", derived, master)
    other, other_parameters = seal("other", counted("phone", 32), master)
    slots = [
        {"type": 2, "uuid": "b", "key": other.hex(), "key_params": other_parameters},
        {"type": 1, "uuid": "p", "key": key.hex(), "key_params": key_parameters}
        | {"n": 1 << 15, "r": 8, "p": 1, "salt": salt.hex(), "repaired": True, "is_backup": False},
    ]
    return {"version": 1, "header": {"slots": slots, "params": parameters}, "db": text(content)}


def two_fas() -> dict[str, object]:
    def seal(name: str, plain: str) -> str:
        salt, nonce = counted(f"{name} salt", 256), counted(f"{name} nonce", 12)
        key = PBKDF2HMAC(hashes.SHA256(), 32, salt, 10_000).derive(PASSWORD)
        return ":".join(text(part) for part in (AESGCM(key).encrypt(nonce, plain.encode(), None), salt, nonce))

    otp = {"account": "ada", "issuer": "Mail", "digits": 6, "period": 30, "algorithm": "SHA1", "tokenType": "TOTP"}
    services = [{"name": "Mail", "secret": SECRET, "otp": otp, "groupId": "g", "order": {"position": 0}}]
    return {
        "services": [],
        "groups": [{"id": "g", "name": "Work", "isExpanded": True}],
        "schemaVersion": 4,
        "servicesEncrypted": seal("services", json.dumps(services)),
        "reference": seal("reference", "a text that never changes"),
    }


if __name__ == "__main__":
    main()
