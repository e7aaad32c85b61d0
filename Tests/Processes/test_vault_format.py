"""Docs/vault-format.md, judged by a second implementation: it opens what ours wrote, and refuses what ours refuses."""

from __future__ import annotations

import json
import shutil
import sqlite3
from pathlib import Path

import pytest
import vault_reader

VECTORS = Path(__file__).parent.parent / "Vectors" / "vault"
VAULT = json.loads((VECTORS / "v1.json").read_text())
PASSKEYS = json.loads((VECTORS / "v2.json").read_text())
SECTIONS = json.loads((VECTORS / "v3.json").read_text())
FILES = json.loads((VECTORS / "v4.json").read_text())
REFUSED = json.loads((VECTORS / "v1-refused.json").read_text())


@pytest.fixture(scope="module")
def items() -> dict[str, vault_reader.Item]:
    return vault_reader.read(str(VECTORS / VAULT["file"]), VAULT["password"])


def test_reads_every_item(items: dict[str, vault_reader.Item]) -> None:
    assert {name: (item.title, item.password) for name, item in items.items()} == {
        record["item"]: (record["title"], record["password"]) for record in VAULT["records"]
    }


def test_reads_every_field(items: dict[str, vault_reader.Item]) -> None:
    (example,) = [item for item in items.values() if item.title == "Example"]
    assert example.user_name == "anna"
    assert example.addresses == ["https://example.com/login"]
    assert example.tags == ["work", "web"]
    assert example.notes == "first pet: käse"
    assert example.fields == [("PIN", "1234", True), ("", "", False)]
    assert example.history == [(1_800_000_000_000, "hunter2")]
    assert example.created == example.modified == 1_800_000_000_000


def test_reads_the_passkeys_of_version_2() -> None:
    items = vault_reader.read(str(VECTORS / PASSKEYS["file"]), PASSKEYS["password"])
    wanted = {record["item"]: record["passkey"] for record in PASSKEYS["records"] if "passkey" in record}
    assert len(items) == len(PASSKEYS["records"]) and len(wanted) == 2
    for name, passkey in wanted.items():
        item = items[name]
        assert item.is_without_password
        assert (item.relying_party, item.user_handle) == (passkey["relyingParty"], passkey["userHandle"])
        assert (item.credential_id, item.private_key) == (passkey["credentialID"], passkey["privateKey"])
        assert (item.pseudo_random_secret, item.large_blob) == (
            passkey["pseudoRandomSecret"],
            passkey.get("largeBlob"),
        )
    hidden = [item.relying_party for item in items.values() if item.hidden is not None]
    assert hidden == ["example.org"]


def test_reads_the_files_of_version_4() -> None:
    items = vault_reader.read(str(VECTORS / FILES["file"]), FILES["password"])
    assert len(items) == len(FILES["records"])
    (item,) = [item for item in items.values() if item.files]
    assert [len(content) // 2 for content in item.files.values()] == [40, 0, 1000]
    assert len(FILES["parts"]) == 2
    for part in FILES["parts"]:
        body = bytes.fromhex(part["bodyFields"])
        content = body[5 : 5 + int.from_bytes(body[1:5], "little")]
        assert content.hex() in item.files.values()


def test_reads_the_sections_of_version_3() -> None:
    items = vault_reader.read(str(VECTORS / SECTIONS["file"]), SECTIONS["password"])
    assert len(items) == len(SECTIONS["records"])
    seen = set()
    for record in SECTIONS["records"]:
        item = items[record["item"]]
        assert item.password == record.get("password")
        wanted = {section["number"]: section for section in record.get("sections", [])}
        assert item.sections.keys() == wanted.keys()
        for which, section in item.sections.items():
            assert (section.type, section.version) == (wanted[which]["type"], wanted[which]["version"])
            members = [(member["name"], member["kind"], stored(member)) for member in wanted[which]["members"]]
            assert section.members == members
            assert section.labels == [member.get("label") for member in wanted[which]["members"]]
            seen.add(section.type)
    assert {"totp", "hotp", "steam", "passkey", "credit-card", "custom-fields", "hologram"} <= seen
    (everything,) = [item for item in items.values() if item.title == "Everything"]
    assert (everything.is_favorite, everything.use, everything.source) == (True, 2, 4)
    assert everything.subtitle == "beside a password"


def stored(member: dict[str, str | int]) -> str | int:
    """The value of a member of the vectors, as the reader gives it."""
    value, kind = bytes.fromhex(str(member["value"])), member["kind"]
    if kind == 34:
        return int.from_bytes(value, "little")
    return value.hex() if kind == 33 else value.decode()


def test_refuses_a_wrong_password() -> None:
    with pytest.raises(vault_reader.Refused, match="wrongPassword"):
        vault_reader.read(str(VECTORS / VAULT["file"]), "wrong")


@pytest.mark.parametrize("refusal", REFUSED, ids=[each["name"] for each in REFUSED])
def test_refuses_the_same_headers(refusal: dict[str, str]) -> None:
    with pytest.raises(vault_reader.Refused) as caught:
        vault_reader.read_header(bytes.fromhex(refusal["header"]))
    assert str(caught.value) == refusal["code"]


@pytest.mark.parametrize(
    "sql",
    [
        "DELETE FROM summary WHERE item = (SELECT min(item) FROM summary)",
        "UPDATE summary SET version = version + 1",
        "UPDATE body SET sealed = (SELECT sealed FROM summary WHERE summary.item = body.item)",
        "UPDATE manifest SET sealed = zeroblob(120)",
    ],
)
def test_notices_altered_rows(sql: str, tmp_path: Path) -> None:
    copy = shutil.copy(VECTORS / VAULT["file"], tmp_path)
    with sqlite3.connect(copy) as database:
        database.execute(sql)
    with pytest.raises(vault_reader.Refused, match="damaged"):
        vault_reader.read(str(copy), VAULT["password"])
