"""T26 to T29: what the vault's file and the memory of the person's processes tell."""

from __future__ import annotations

import hashlib
import os
import sqlite3
import struct
from contextlib import closing

import pytest
import vault_reader
from login import HOME, MASTER, USER, Login, eventually, read
from memory_scan import occurrences

SECRETS = {"master password": MASTER.encode(), "password": b"password of alpha"}


def vault_keys() -> dict[str, bytes]:
    """The keys of the person's vault: a second reader makes them of the file and the master password."""
    (file,) = HOME.rglob("*.vault")
    keys = vault_reader.keys(str(file), MASTER)
    # What seals the notes beside the file.
    keys.append(vault_reader.subkey(keys[0], 6))
    return {f"vault key {number}": key for number, key in enumerate(keys)}


def in_memory(login: Login, secrets: dict[str, bytes]) -> dict[str, set[str]]:
    """Which of the secrets stand in the memory of Keyway's processes, by program."""
    pids = [pid for name in ("keywayd", "keyway-vaultd", "keyway-passwords-extension") for pid in login.named(name)]
    assert len(pids) >= 2
    found: dict[str, set[str]] = {}
    for pid in pids:
        try:
            counts = occurrences(pid, secrets)
        except (FileNotFoundError, ProcessLookupError):
            # An extension ends when its vault locks.
            continue
        if any(counts.values()):
            found.setdefault(read(pid, "comm").strip(), set()).update(name for name, count in counts.items() if count)
    return found


def test_T29_after_the_lock_no_key_and_no_secret_is_in_the_memory_of_any_process(vault):
    terminal, keys = vault.open_terminal, vault_keys()
    assert terminal.keyway("fill https://a.example") == "password of alpha\n"
    # The keys are there as long as the vault is open, nothing else is, and the search finds them.
    assert in_memory(vault, SECRETS | keys) == {"keyway-vaultd": set(keys)}
    terminal.keyway("passwords lock")
    assert in_memory(vault, SECRETS | keys) == {}


def test_T28_the_size_of_what_is_stored_does_not_tell_of_one_byte(vault):
    """Of the item itself: the file grows by whole pages, and so hides what its records would tell."""
    terminal = vault.open_terminal
    # A byte more in the title, in the address and in the password.
    terminal.keyway("passwords add alphas --user ada --url https://aa.example", "passwords of alpha")
    assert [len(lengths) for lengths in lengths_of_records()] == [1, 1]
    terminal.keyway("passwords add much --user ada --url https://a.example", "p" * 400)
    # What is longer by far shows.
    assert [len(lengths) for lengths in lengths_of_records()] == [1, 2]


def lengths_of_records() -> tuple[set[int], set[int]]:
    """How long the summaries of the items are, and their bodies."""
    (file,) = HOME.rglob("*.vault")
    with closing(sqlite3.connect(f"file:{file}?mode=ro", uri=True)) as database:
        summaries, bodies = (
            {length for (length,) in database.execute(f"SELECT length(sealed) FROM {table}")}
            for table in ("summary", "body")
        )
    return summaries, bodies


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


ARGON2ID = 1
DEMANDS = [(ARGON2ID, 8, 3), (ARGON2ID, 64, 1), (ARGON2ID, 65536, 3), (2, 256, 3)]
SAID = ["8 MiB", "1 passes", "65536 MiB", "key derivation 2 is not known"]


@pytest.mark.parametrize(("demand", "why"), list(zip(DEMANDS, SAID, strict=True)), ids=SAID)
def test_T27_a_vault_that_demands_a_weak_an_absurd_or_an_unknown_derivation_is_refused(vault, demand, why):
    terminal = vault.open_terminal
    terminal.keyway("passwords lock")
    end_broker(vault)
    forge(*demand)
    status, _, said = terminal.run("keyway passwords unlock", MASTER)
    assert status != 0
    assert why in said


def test_T27_a_new_vault_demands_256_MiB_of_whoever_guesses(vault):
    (file,) = HOME.rglob("*.vault")
    with closing(sqlite3.connect(f"file:{file}?mode=ro", uri=True)) as database:
        ((header,),) = database.execute("SELECT content FROM header").fetchall()
    memory, passes = struct.unpack_from("<2I", header, DERIVATION)
    assert (memory, passes) == (256, 3)
    # The same numbers open it, without Keyway: that is how the key is derived.
    assert vault_reader.keys(str(file), MASTER)


# Where the header says it, after magic, version, suite, number of slots, vault; and after kind, length and algorithm (a
# byte) of the first slot.
DERIVATION = 8 + 2 + 1 + 1 + 16 + 1 + 2 + 1


def forge(algorithm: int, memory: int, passes: int) -> None:
    """What the header of the vault demands is changed, and its checksum against accidents with it."""
    (file,) = HOME.rglob("*.vault")
    with closing(sqlite3.connect(file)) as database, database:
        ((header,),) = database.execute("SELECT content FROM header").fetchall()
        forged = bytearray(header[:-16])
        assert forged[DERIVATION - 1] == ARGON2ID
        forged[DERIVATION - 1] = algorithm
        forged[DERIVATION : DERIVATION + 8] = memory.to_bytes(4, "little") + passes.to_bytes(4, "little")
        forged += hashlib.blake2b(bytes(forged), digest_size=16).digest()
        database.execute("UPDATE header SET content = ?", (bytes(forged),))
    for place in file.parent.iterdir():
        os.chown(place, USER, USER)
