"""A second reader of vault files, written from Docs/vault-format.md alone: libsodium through ctypes, BLAKE2b of Python.

As a program it prints what is in a vault: vault_reader.py FILE PASSWORD. It is for tests: it holds secrets in strings.
"""

from __future__ import annotations

import ctypes
import json
import shutil
import sqlite3
import sys
import uuid
from collections.abc import Iterator
from contextlib import closing
from dataclasses import asdict, dataclass, field
from hashlib import blake2b, sha256
from pathlib import Path

SODIUM = ctypes.CDLL("libsodium.so.23")
SODIUM.sodium_init()

SCHEMA = [
    "CREATE TABLE header (id INTEGER PRIMARY KEY CHECK (id = 1), content BLOB NOT NULL)",
    "CREATE TABLE manifest (id INTEGER PRIMARY KEY CHECK (id = 1), sealed BLOB NOT NULL)",
    "CREATE TABLE summary (item BLOB PRIMARY KEY, version INTEGER NOT NULL, sealed BLOB NOT NULL) WITHOUT ROWID",
    "CREATE TABLE body (item BLOB PRIMARY KEY, version INTEGER NOT NULL, sealed BLOB NOT NULL) WITHOUT ROWID",
]


class Refused(Exception):
    """The file must not be read; the text is the code that Keyway gives."""


@dataclass
class Section:
    """What an item holds beside what has a field of its own; no members where the version is another than 1."""

    type: str
    version: int
    members: list[tuple[str, int, str | int]] = field(default_factory=list)
    labels: list[str | None] = field(default_factory=list)


@dataclass
class Item:
    title: str = ""
    user_name: str = ""
    addresses: list[str] = field(default_factory=list)
    tags: list[str] = field(default_factory=list)
    created: int = 0
    modified: int = 0
    password: str | None = None
    notes: str | None = None
    fields: list[tuple[str, str, bool]] = field(default_factory=list)
    history: list[tuple[int, str]] = field(default_factory=list)
    is_without_password: bool = False
    relying_party: str | None = None
    user_handle: str | None = None
    credential_id: str | None = None
    is_backup_eligible: bool | None = None
    private_key: str | None = None
    pseudo_random_secret: str | None = None
    large_blob: str | None = None
    hidden: int | None = None
    former_user: str | None = None
    is_favorite: bool = False
    use: int = 0
    source: int = 0
    subtitle: str | None = None
    sections: dict[int, Section] = field(default_factory=dict)
    files: dict[int, str] = field(default_factory=dict)


def number(data: bytes, signed: bool = False) -> int:
    return int.from_bytes(data, "little", signed=signed)


def argon2id(password: bytes, salt: bytes, mebibytes: int, passes: int) -> bytes:
    key = ctypes.create_string_buffer(32)
    size = ctypes.c_ulonglong
    status = SODIUM.crypto_pwhash(
        key, size(32), password, size(len(password)), salt, size(passes), ctypes.c_size_t(mebibytes << 20), 2
    )
    assert status == 0
    return key.raw


def unseal(key: bytes, context: bytes, sealed: bytes) -> bytes:
    if len(sealed) < 40:
        raise Refused("damaged")
    plaintext = ctypes.create_string_buffer(max(1, len(sealed) - 40))
    size = ctypes.c_ulonglong
    status = SODIUM.crypto_aead_xchacha20poly1305_ietf_decrypt(
        plaintext, None, None, sealed[24:], size(len(sealed) - 24), context, size(len(context)), sealed[:24], key
    )
    if status != 0:
        raise Refused("damaged")
    return plaintext.raw[: len(sealed) - 40]


def reading(key: bytes, nonce: bytes, ciphertext: bytes) -> bytes:
    """What stands there under this key, whatever its tag and its context say: for a search of what is left over."""
    plaintext = ctypes.create_string_buffer(max(1, len(ciphertext)))
    # The first block of the stream makes the key of the tag.
    SODIUM.crypto_stream_xchacha20_xor_ic(
        plaintext, ciphertext, ctypes.c_ulonglong(len(ciphertext)), nonce, ctypes.c_uint64(1), key
    )
    return plaintext.raw[: len(ciphertext)]


def keys(path: str, password: str) -> list[bytes]:
    """The vault key of a file, and every key that is derived from it."""
    database = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
    (header,) = database.execute("SELECT content FROM header").fetchone()
    key = vault_key(*read_header(header), password)
    return [key, *(subkey(key, which) for which in range(1, 6))]


def sealed_parts(path: str) -> list[bytes]:
    """Everything that is sealed in a file."""
    database = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
    tables = ("SELECT sealed FROM manifest", "SELECT sealed FROM summary", "SELECT sealed FROM body")
    return [sealed for table in tables for (sealed,) in database.execute(table)]


def places_that_open(content: bytes, known: list[bytes], texts: list[bytes]) -> list[int]:
    """Where in `content` one of the keys makes one of the texts appear: every byte is tried, in free pages too."""
    found = []
    for at in range(max(0, len(content) - 24)):
        nonce, rest = content[at : at + 24], content[at + 24 : at + 24 + 64]
        if any(text in reading(key, nonce, rest) for key in known for text in texts):
            found.append(at)
    return found


def subkey(key: bytes, which: int) -> bytes:
    salt = which.to_bytes(8, "little") + bytes(8)
    return blake2b(key=key, salt=salt, person=b"KWVault1" + bytes(8), digest_size=32).digest()


def fields(record: bytes) -> Iterator[tuple[int, bytes]]:
    size, at, previous = len(record), 0, 1
    if size < 256 or size & (size - 1):
        raise Refused("damaged")
    while at < size and record[at]:
        tag, length = record[at], number(record[at + 1 : at + 5])
        content = record[at + 5 : at + 5 + length]
        if tag < previous or len(content) != length:
            raise Refused("damaged")
        yield tag, content
        at, previous = at + 5 + length, tag
    if any(record[at:]):
        raise Refused("damaged")


def read_summary(item: Item, record: bytes) -> None:
    for tag, content in fields(record):
        if tag == 1:
            item.title = content.decode()
        elif tag == 2:
            item.user_name = content.decode()
        elif tag == 3:
            item.addresses.append(content.decode())
        elif tag == 4:
            item.tags.append(content.decode())
        elif tag == 5:
            item.created, item.modified = number(content[:8], True), number(content[8:], True)
        elif tag == 6:
            item.is_without_password = True
        elif tag == 7:
            read_passkey(item, content)
        elif tag == 8:
            item.hidden = number(content, True)
        elif tag == 9:
            item.former_user = content.decode()
        elif tag == 10:
            if len(content) != 3 or not any(content):
                raise Refused("damaged")
            if content[0] > 1 or content[1] > 2:
                raise Refused("unsupported")
            item.is_favorite, item.use, item.source = content[0] == 1, content[1], content[2]
        elif tag == 11:
            item.subtitle = content.decode()
        elif tag == 12:
            read_section_of_summary(item, content)
        elif tag < 128:
            raise Refused("unsupported")


def read_section_of_summary(item: Item, content: bytes) -> None:
    end = 5 + content[4]
    which, section = number(content[:2]), Section(content[5:end].decode(), number(content[2:4]))
    if not section.type or not section.version or which <= max(item.sections, default=0):
        raise Refused("damaged")
    item.sections[which] = section
    read_members(section, content[end:])


def read_section_of_body(item: Item, content: bytes) -> int:
    which = number(content[:2])
    if which not in item.sections or len(content) < 3:
        raise Refused("damaged")
    read_members(item.sections[which], content[2:])
    return which


def read_members(section: Section, rest: bytes) -> None:
    if section.version != 1:
        return
    while rest:
        parts = []
        for width in (1, 0, 4, 4):
            length = number(rest[:width]) if width else 1
            parts.append(rest[width : width + length])
            if len(parts[-1]) != length:
                raise Refused("damaged")
            rest = rest[width + length :]
        name, kind, attributes, value = parts[0].decode(), parts[1][0], parts[2], parts[3]
        if not name or (kind == 34 and len(value) != 8):
            raise Refused("damaged")
        is_text = kind in range(1, 11) or kind in (32, 35)
        section.members.append(
            (name, kind, number(value) if kind == 34 else value.decode() if is_text else value.hex())
        )
        section.labels.append(label(attributes))


def label(attributes: bytes) -> str | None:
    found, previous = None, 0
    while attributes:
        tag, length = attributes[0], number(attributes[1:5])
        if tag <= previous or len(attributes) < 5 + length:
            raise Refused("damaged")
        if tag == 1:
            found = attributes[5 : 5 + length].decode()
        attributes, previous = attributes[5 + length :], tag
    return found


def read_passkey(item: Item, content: bytes) -> None:
    flags, end = content[0], 2 + content[1]
    handle_end = end + 1 + content[end]
    if flags > 7:
        raise Refused("unsupported")
    item.is_backup_eligible = bool(flags & 1)
    item.relying_party = content[2:end].decode()
    item.user_handle = content[end + 1 : handle_end].hex()
    item.credential_id = content[handle_end:].hex()


def read_body(item: Item, record: bytes) -> None:
    section = 0
    for tag, content in fields(record):
        if tag == 1:
            item.password = content.decode()
        elif tag == 2:
            item.notes = content.decode()
        elif tag == 3:
            end = 3 + number(content[1:3])
            item.fields.append((content[3:end].decode(), content[end:].decode(), content[0] == 1))
        elif tag == 4:
            item.history.append((number(content[:8], True), content[8:].decode()))
        elif tag == 5:
            item.private_key = content.hex()
        elif tag == 6:
            item.pseudo_random_secret = content.hex()
        elif tag == 7:
            item.large_blob = content.hex()
        elif tag == 8:
            previous, section = section, read_section_of_body(item, content)
            if section <= previous:
                raise Refused("damaged")
        elif tag < 128:
            raise Refused("unsupported")


PART = 2**20 - 5


def read_part(summary: bytes, body: bytes) -> tuple[bytes, int, bytes]:
    """The item and the position that a part of a file says it has, and what is in it."""
    first, second = list(fields(summary)), list(fields(body))
    if [tag for tag, _ in first] != [13] or [tag for tag, _ in second] != [9] or len(first[0][1]) != 20:
        raise Refused("damaged")
    return first[0][1][:16], number(first[0][1][16:]), second[0][1]


def join_parts(name: bytes, item: Item, parts: dict[bytes, tuple[bytes, int, bytes]]) -> None:
    for which, section in item.sections.items():
        members = {member: value for member, _, value in section.members}
        if section.type != "file" or "keyway.parts" not in members:
            continue
        content, size = b"", members["decryptedSize"]
        for position in range(-(-size // PART)):
            place = bytes.fromhex(members["keyway.parts"]) + name + position.to_bytes(4, "little")
            hashed = bytearray(blake2b(place, digest_size=16).digest())
            hashed[6], hashed[8] = hashed[6] & 0x0F | 0x40, hashed[8] & 0x3F | 0x80
            if bytes(hashed) not in parts:
                raise Refused("damaged")
            owner, stated, piece = parts.pop(bytes(hashed))
            if (owner, stated) != (name, position) or len(piece) != min(PART, size - len(content)):
                raise Refused("damaged")
            content += piece
        if sha256(content).hexdigest() != members["integrityHash"]:
            raise Refused("damaged")
        item.files[which] = content.hex()


def read_header(header: bytes) -> tuple[bytes, bytes]:
    """The vault, and the content of its password slot."""
    content = header[:-16]
    if len(header) > 65536 or not header.startswith(b"KWVAULT\0"):
        raise Refused("damaged")
    if blake2b(content, digest_size=16).digest() != header[-16:]:
        raise Refused("damaged")
    if number(header[8:10]) not in (1, 2, 3, 4) or header[10] != 1:
        raise Refused("unsupported")
    slots, at = [], 28
    for _ in range(header[11]):
        kind, length = header[at], number(header[at + 1 : at + 3])
        slots.append((kind, content[at + 3 : at + 3 + length]))
        at += 3 + length
        if (kind == 1 and length != 97) or at > len(content):
            raise Refused("damaged")
    if at + 32 != len(content):
        raise Refused("damaged")
    passwords = [slot for kind, slot in slots if kind == 1]
    if len(passwords) != 1 or passwords[0][0] != 1:
        raise Refused("unsupported")
    memory, passes = number(passwords[0][1:5]), number(passwords[0][5:9])
    if memory < 64 or passes < 3:
        raise Refused("weakDerivation")
    if memory > 2048 or passes > 16:
        raise Refused("excessiveDerivation")
    return header[12:28], passwords[0]


def vault_key(vault: bytes, slot: bytes, password: str) -> bytes:
    derived = argon2id(password.encode(), slot[9:25], number(slot[1:5]), number(slot[5:9]))
    try:
        return unseal(derived, vault + b"\1" + slot[:25], slot[25:])
    except Refused:
        raise Refused("wrongPassword") from None


def opens(file: Path, password: str, copy: Path) -> bool:
    """Whether a vault opens with that password, as `copy` of its folder: ours must not have mended anything before."""
    shutil.rmtree(copy, ignore_errors=True)
    shutil.copytree(file.parent, copy)
    # A journal that is still needed is rolled back by whoever opens the file.
    with closing(sqlite3.connect(copy / file.name)) as database:
        database.execute("SELECT * FROM header").fetchall()
    try:
        read(str(copy / file.name), password)
    except Refused as refused:
        assert str(refused) == "wrongPassword"
        return False
    return True


def read(path: str, password: str) -> dict[str, Item]:
    """Everything in a vault, by item."""
    database = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
    if [row[0] for row in database.execute("SELECT sql FROM sqlite_schema ORDER BY rowid")] != SCHEMA:
        raise Refused("damaged")
    (header,) = database.execute("SELECT content FROM header").fetchone()
    (sealed,) = database.execute("SELECT sealed FROM manifest").fetchone()
    vault, slot = read_header(header)
    key = vault_key(vault, slot, password)
    code = header[-48:-16]
    if blake2b(header[:-48], key=subkey(key, 1), digest_size=32).digest() != code:
        raise Refused("damaged")
    manifest = unseal(subkey(key, 4), vault + b"\4", sealed)
    epoch, count, total = number(manifest[:8]), number(manifest[8:16]), number(manifest[16:48])
    if manifest[48:] != code:
        raise Refused("damaged")

    found: dict[str, Item] = {}
    parts: dict[bytes, tuple[bytes, int, bytes]] = {}
    for name, version, summary in database.execute("SELECT item, version, sealed FROM summary"):
        place = name + version.to_bytes(8, "little")
        tag = summary[-16:]
        opened = unseal(subkey(key, 2), vault + b"\2" + place, summary)
        (body,) = database.execute("SELECT sealed FROM body WHERE item = ?", (name,)).fetchone()
        secrets = unseal(subkey(key, 3), vault + b"\3" + place + tag, body)
        if opened[0] == 13:
            parts[name] = read_part(opened, secrets)
        else:
            item = found.setdefault(str(uuid.UUID(bytes=name)), Item())
            read_summary(item, opened)
            read_body(item, secrets)
        total -= number(blake2b(place + tag, key=subkey(key, 5), digest_size=32).digest())
        count -= 1
        if version > epoch:
            raise Refused("damaged")
    for name, item in found.items():
        join_parts(uuid.UUID(name).bytes, item, parts)
    if count or total % 2**256 or parts:
        raise Refused("damaged")
    return found


if __name__ == "__main__":
    items = read(sys.argv[1], sys.argv[2])
    print(json.dumps({name: asdict(item) for name, item in items.items()}, indent=2, ensure_ascii=False))
