"""Vault files that somebody changed (T25 to T27): refused, untouched, and what to do is said."""

import hashlib
import sqlite3
import time
from pathlib import Path

import pytest
from vault_service import Refused, VaultService, refusal


@pytest.fixture
def service(stage):
    with VaultService(stage) as service:
        yield service.start()


@pytest.fixture
def locked(service):
    """A vault with two items, which no process has open."""
    terminal = service.with_vault()
    terminal.add("First", "password of the first", user="ada")
    terminal.add("Second", "password of the second", user="bob")
    service.stop()
    return service


def restart(service: VaultService):
    return service.start().attach()


def refused(service: VaultService, **how: object) -> str:
    """Tries to unlock; what is said. The file must stay as it is."""
    before = service.vault.read_bytes()
    terminal = restart(service)
    with pytest.raises(Refused) as error:
        terminal.unlock(**how)
    assert terminal.access() == "locked"
    assert refusal(terminal.titles) == "locked"
    assert service.broker.states == []
    service.stop()
    assert service.vault.read_bytes() == before
    return f"{error.value.kind}: {error.value}"


def change(vault: Path, statement: str, *values: object) -> None:
    database = sqlite3.connect(vault)
    with database:
        assert database.execute(statement, values).rowcount > 0
    database.close()


def read(vault: Path, statement: str) -> list[tuple]:
    database = sqlite3.connect(vault)
    rows = database.execute(statement).fetchall()
    database.close()
    return rows


TABLES = [("header", "content"), ("manifest", "sealed"), ("summary", "sealed"), ("body", "sealed")]


@pytest.mark.parametrize(("table", "column"), TABLES)
def test_a_flipped_bit_is_refused(locked, table, column):
    ((content,),) = read(locked.vault, f"SELECT {column} FROM {table} LIMIT 1")
    flipped = bytearray(content)
    flipped[len(flipped) // 2] ^= 0x10
    change(locked.vault, f"UPDATE {table} SET {column} = ? WHERE {column} = ?", bytes(flipped), content)
    if table != "body":
        said = refused(locked)
        assert said.startswith("damaged") and "Nothing was changed" in said and "backup" in said
        return
    # Secrets are opened one at a time: the damaged one is refused when it is used, the other is shown.
    before = locked.vault.read_bytes()
    terminal = restart(locked)
    terminal.unlock()
    outcomes = {refusal(lambda title=title: terminal.show(title, "password")) for title in ("First", "Second")}
    assert outcomes == {None, "damaged"}
    locked.stop()
    assert locked.vault.read_bytes() == before


def test_swapped_secrets_are_refused(locked):
    rows = read(locked.vault, "SELECT item, sealed FROM body")
    for (item, _), (_, sealed) in zip(rows, reversed(rows), strict=True):
        change(locked.vault, "UPDATE body SET sealed = ? WHERE item = ?", sealed, item)
    terminal = restart(locked)
    terminal.unlock()
    for title in ("First", "Second"):
        assert refusal(lambda title=title: terminal.show(title, "password")) == "damaged"


@pytest.mark.parametrize("table", ["summary", "body", "manifest", "header"])
def test_dropped_rows_are_refused(locked, table):
    change(
        locked.vault,
        f"DELETE FROM {table} WHERE rowid IN (SELECT rowid FROM {table} LIMIT 1)"
        if table in ("manifest", "header")
        else f"DELETE FROM {table} WHERE item = (SELECT item FROM {table} LIMIT 1)",
    )
    if table == "body":
        terminal = restart(locked)
        terminal.unlock()
        outcomes = {refusal(lambda title=title: terminal.show(title, "password")) for title in ("First", "Second")}
        assert outcomes == {None, "damaged"}
    else:
        assert refused(locked).startswith("damaged")


@pytest.mark.parametrize("keep", [0, 100, 4096, -4096])
def test_a_cut_file_is_refused(locked, keep):
    content = locked.vault.read_bytes()
    locked.vault.write_bytes(content[:keep])
    said = refused(locked)
    assert said.startswith(("damaged", "refused")), said


def test_a_file_that_is_no_vault_is_refused(locked):
    locked.vault.write_bytes(b"KeePass or a shopping list" * 1000)
    assert refused(locked).startswith("damaged")


def test_an_older_copy_put_back_is_noticed(locked):
    older = locked.vault.read_bytes()
    terminal = restart(locked)
    terminal.unlock()
    terminal.edit("First", "newer password")
    locked.stop()
    locked.vault.write_bytes(older)
    said = refused(locked)
    assert said.startswith("refused") and "older copy" in said and "--accept-older-copy" in said
    terminal = restart(locked)
    terminal.unlock(accepts_older_copy=True)
    assert terminal.show("First", "password")["password"] == "password of the first"
    # Accepted once, it is the newest state, and the one before would be an older copy now.
    terminal.lock()
    terminal.unlock()


@pytest.mark.parametrize(
    ("memory", "passes", "why"),
    [
        (8, 3, "8 MiB"),
        (63, 3, "63 MiB"),
        (64, 1, "1 passes"),
        (65536, 3, "65536 MiB"),
        (64, 4_000_000, "4000000 passes"),
    ],
)
def test_a_derivation_that_is_too_weak_or_too_costly_is_never_computed(locked, memory, passes, why):
    ((header,),) = read(locked.vault, "SELECT content FROM header")
    # Magic, version, suite, number of slots, vault; then the first slot: kind, length, algorithm, memory, passes.
    place = 8 + 2 + 1 + 1 + 16 + 1 + 2 + 1
    assert int.from_bytes(header[place : place + 4], "little") == 64
    forged = bytearray(header[:-16])
    forged[place : place + 8] = memory.to_bytes(4, "little") + passes.to_bytes(4, "little")
    # The checksum against accidents is no secret; whoever forges a header makes a new one.
    forged += hashlib.blake2b(bytes(forged), digest_size=16).digest()
    change(locked.vault, "UPDATE header SET content = ?", bytes(forged))
    began = time.monotonic()
    said = refused(locked)
    assert said.startswith("refused") and why in said, said
    assert time.monotonic() - began < 10


def test_the_right_password_of_another_vault_opens_nothing(locked, stage):
    with VaultService(stage) as other:
        other.start().attach().create("intruder")
        other.stop()
        content = other.vault.read_bytes()
    # While ours is open, somebody puts their own file in its place, and knows its password.
    terminal = restart(locked)
    terminal.unlock()
    locked.vault.unlink()
    locked.vault.write_bytes(content)
    intruder = locked.attach()
    assert refusal(lambda: intruder.unlock("intruder")) == "wrongPassword"
    assert refusal(intruder.titles) == "locked"
