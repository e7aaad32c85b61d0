"""What programs of an older commit had written for a person (`Tests/Vectors/homes`), and what must be found in it."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import os
import shutil
import struct
import tarfile
import time
from collections.abc import Callable
from pathlib import Path

HOMES = Path(__file__).resolve().parents[1] / "Vectors/homes"
MADE = json.loads((HOMES / "645bf1a8.json").read_text())
MASTER = MADE["masterPassword"]
COUNTER, CLOCK = "https://counter.example", "https://clock.example"


def lay_down(state: Path, data: Path, owner: int | None = None) -> None:
    """Puts the home's files where this person has their state and their data."""
    aside = state / ".older"
    aside.mkdir(parents=True)
    with tarfile.open(HOMES / f"{MADE['commit']}.tar.xz") as archive:
        archive.extractall(aside)
    for part, place in (("state", state), ("data", data)):
        shutil.copytree(aside / part, place, dirs_exist_ok=True)
    shutil.rmtree(aside)
    for path in (*(state / "keyway").rglob("*"), *(data / "keyway").rglob("*"), state / "keyway", data / "keyway"):
        path.chmod(0o700 if path.is_dir() else 0o600)
        if owner is not None:
            os.chown(path, owner, owner)


def check_items(keyway: Callable[..., str]) -> None:
    """Every item is there as it was, and none else; `keyway` runs a command in a terminal whose vault is open."""
    listed = json.loads(keyway("passwords", "list", "--json"))["items"]
    assert {item["id"]: item["title"] for item in listed} == {
        item["id"]: title for title, item in MADE["items"].items()
    }
    for item in MADE["items"].values():
        shown = json.loads(keyway("passwords", "show", item["id"], "--json", "--reveal"))
        assert {name: shown[name] for name in item} == item
    shop = keyway("passwords", "show", "Shop", "--json", "--reveal", "--history")
    assert [past["password"] for past in json.loads(shop)["history"]] == MADE["former"]["Shop"]


def check_signing_in(keyway: Callable[..., str]) -> None:
    """Passwords and codes are those that the sites know."""
    assert keyway("fill", "https://shop.example/login") == "second of shop\n"
    assert keyway("code", COUNTER) == f"{MADE['codes']['nextByCounter']}\n"
    while True:
        before = int(time.time()) // 60
        shown = keyway("code", CLOCK)
        if int(time.time()) // 60 == before:
            break
    # A code that is about to end is followed by the next one.
    assert shown.rstrip("\n") in {code_at(before), code_at(before + 1)}


def code_at(period: int) -> str:
    """RFC 6238 with SHA-256 and eight digits."""
    digest = hmac.digest(base64.b32decode(MADE["codes"]["secret"]), struct.pack(">Q", period), hashlib.sha256)
    (number,) = struct.unpack_from(">I", digest, digest[-1] & 15)
    return f"{(number & 0x7FFFFFFF) % 10**8:08}"


def check_export(document: dict) -> None:
    """A document of the exchange format holds all of it: `keyway export`."""
    (account,) = document["accounts"]
    exported = {item["title"]: item for item in account["items"]}
    assert set(exported) == set(MADE["items"])
    for title, item in MADE["items"].items():
        kinds = {credential["type"]: credential for credential in exported[title]["credentials"]}
        if item["password"] is not None:
            assert kinds["basic-auth"]["password"]["value"] == item["password"]
            assert kinds["basic-auth"]["username"]["value"] == item["user"]
            assert exported[title]["scope"]["urls"] == item["addresses"]
        if item["notes"] is not None:
            assert kinds["note"]["content"]["value"] == item["notes"]
        for field in item["fields"]:
            fields = [one for credential in exported[title]["credentials"] for one in credential.get("fields", [])]
            assert field["value"] in [one["value"] for one in fields]
        assert exported[title].get("tags", []) == item["tags"]
    codes = {
        title: credential["secret"].rstrip("=")
        for title in exported
        for credential in exported[title]["credentials"]
        if credential["type"] == "totp"
    }
    assert codes == {"Clock": MADE["codes"]["secret"]}
    assert MADE["codes"]["secret"] in json.dumps(exported["Counter"])
    (passkey,) = [one for one in exported["example.org"]["credentials"] if one["type"] == "passkey"]
    assert passkey["rpId"] == MADE["passkey"]["relyingParty"]
    assert passkey["credentialId"] == MADE["passkey"]["credentialID"]
    assert passkey["userHandle"] == MADE["items"]["example.org"]["passkey"]["userHandle"]
