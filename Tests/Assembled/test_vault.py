"""T26 to T29: what the vault's file and the memory of the person's processes tell."""

from __future__ import annotations

import hashlib
import os
import sqlite3
from contextlib import closing

import pytest
from login import HOME, MASTER, USER, eventually, read
from memory_scan import occurrences

SECRETS = {"master password": MASTER.encode(), "password": b"password of alpha"}


def in_memory(login) -> dict[str, dict[str, int]]:
    """What of the secrets stands in the memory of Keyway's processes."""
    pids = [pid for name in ("keywayd", "keyway-vaultd", "keyway-passwords-extension") for pid in login.named(name)]
    assert len(pids) >= 2
    found = {}
    for pid in pids:
        try:
            counts = occurrences(pid, SECRETS)
        except (FileNotFoundError, ProcessLookupError):
            # An extension ends when its vault locks.
            continue
        if any(counts.values()):
            found[f"{read(pid, 'comm').strip()} {pid}"] = counts
    return found


def test_T29_after_the_lock_no_secret_is_in_the_memory_of_any_process(vault):
    terminal = vault.open_terminal
    assert terminal.keyway("fill https://a.example") == "password of alpha\n"
    terminal.keyway("passwords lock")
    assert in_memory(vault) == {}


def test_T28_the_size_of_the_file_does_not_tell_of_one_byte(vault):
    (file,) = [place for place in HOME.rglob("*.vault") if place.is_file()] or [None]
    assert file is not None, [str(place) for place in HOME.rglob("*") if "keyway" in str(place)]
    sizes = set()
    for password in ("secret", "secrets"):
        vault.open_terminal.keyway("passwords edit alpha --password", password)
        sizes.add(file.stat().st_size)
    assert len(sizes) == 1


@pytest.mark.parametrize(
    "patterns", [["*.vault"], ["*.vault", "epochs/*"]], ids=["alone", "with the notes of its time"]
)
def test_T26_an_older_copy_of_the_vault_that_is_put_back_is_noticed(vault, patterns):
    terminal = vault.open_terminal
    terminal.keyway("passwords lock")
    end_broker(vault)
    older = {place: place.read_bytes() for pattern in patterns for place in HOME.rglob(pattern)}
    assert len(older) == len(patterns)
    terminal.keyway("passwords unlock", MASTER)
    terminal.keyway("passwords edit alpha --password", "newer password")
    terminal.keyway("passwords lock")
    end_broker(vault)
    for place, content in older.items():
        place.write_bytes(content)
    status, _, said = terminal.run("keyway passwords unlock", MASTER)
    assert status != 0
    assert "older copy" in said


def end_broker(login) -> None:
    os.kill(login.broker, 15)
    eventually(lambda: not login.named("keywayd") and not login.named("keyway-vaultd"))


@pytest.mark.parametrize(("memory", "passes", "why"), [(8, 3, "8 MiB"), (64, 1, "1 passes"), (65536, 3, "65536 MiB")])
def test_T27_a_vault_that_demands_a_weak_or_an_absurd_derivation_is_refused(vault, memory, passes, why):
    terminal = vault.open_terminal
    terminal.keyway("passwords lock")
    end_broker(vault)
    forge(memory, passes)
    status, _, said = terminal.run("keyway passwords unlock", MASTER)
    assert status != 0
    assert why in said


def forge(memory: int, passes: int) -> None:
    """What the header of the vault demands is changed, and its checksum against accidents with it."""
    (file,) = HOME.rglob("*.vault")
    with closing(sqlite3.connect(file)) as database, database:
        ((header,),) = database.execute("SELECT content FROM header").fetchall()
        # Magic, version, suite, number of slots, vault; then the first slot: kind, length, algorithm, memory, passes.
        place = 8 + 2 + 1 + 1 + 16 + 1 + 2 + 1
        forged = bytearray(header[:-16])
        forged[place : place + 8] = memory.to_bytes(4, "little") + passes.to_bytes(4, "little")
        forged += hashlib.blake2b(bytes(forged), digest_size=16).digest()
        database.execute("UPDATE header SET content = ?", (bytes(forged),))
    for place in file.parent.iterdir():
        os.chown(place, USER, USER)
