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
    """Which of the secrets stand in the memory of any of Keyway's processes, by program."""
    found: dict[str, set[str]] = {}
    for pid in login.all_processes():
        try:
            if not read(pid, "comm").startswith("keyway"):
                continue
            counts = occurrences(pid, secrets)
        except (FileNotFoundError, ProcessLookupError):
            # An extension ends when its vault locks, and a command when it is done.
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
    assert vault.named("keywayd") and vault.named("keyway-vaultd")


def test_T28_the_size_of_what_is_stored_does_not_tell_of_one_byte(vault):
    """Of the item itself: the file grows by whole pages, and so hides what its records would tell."""
    terminal = vault.open_terminal
    # A byte more in the title, in the address and in the password.
    terminal.keyway("passwords add alphas --user ada --url https://aa.example", "passwords of alpha")
    assert [len(lengths) for lengths in lengths_of_records()] == [1, 1]
    terminal.keyway("passwords add much --user ada --url https://a.example", "p" * 400)
    # What is longer by far shows.
    assert [len(lengths) for lengths in lengths_of_records()] == [1, 2]


# A file of which everybody knows what is in it, and which is the same all over; it fills more than one part.
LINE = b"%PDF-1.7, as everybody has it.\n\n"
KNOWN = LINE * 40_000
BLOCK = 16


def test_T28_a_known_file_that_two_items_have_leaves_nothing_that_tells(vault):
    terminal, known = vault.open_terminal, vault.tools / "known.pdf"
    known.write_bytes(KNOWN)
    terminal.keyway("passwords add beta --user bob", "password of beta")
    for item in ("alpha", "beta"):
        terminal.keyway(f"passwords attach {item} {known}")
    (file,) = HOME.rglob("*.vault")
    # It is there twice, for another reader who knows the master password.
    files = [text for item in vault_reader.read(str(file), MASTER).values() for text in item.files.values()]
    assert files == [KNOWN.hex()] * 2
    stored = vault_reader.sealed_parts(str(file))
    assert sum(map(len, stored)) > 2 * len(KNOWN)
    assert repeated(stored) == 0
    assert [place for place in file.parent.iterdir() if LINE.strip() in place.read_bytes()] == []
    # The search finds what two of them have in common, and what one has again and again.
    assert repeated([*stored, max(stored, key=len)]) == max(map(len, stored)) // BLOCK
    assert repeated([KNOWN]) > 0


def repeated(stored: list[bytes]) -> int:
    """How many blocks of what is stored are there once more."""
    blocks = [one[at : at + BLOCK] for one in stored for at in range(0, len(one) - BLOCK + 1, BLOCK)]
    return len(blocks) - len(set(blocks))


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
# What a header demands, and what is said against it.
DEMANDS = {
    "8 MiB": (ARGON2ID, 8, 3),
    "1 passes": (ARGON2ID, 64, 1),
    "65536 MiB": (ARGON2ID, 65536, 3),
    "1000 passes": (ARGON2ID, 64, 1000),
    "key derivation 2 is not known": (2, 256, 3),
}


@pytest.mark.parametrize("why", DEMANDS)
def test_T27_a_vault_that_demands_a_weak_an_absurd_or_an_unknown_derivation_is_refused(vault, why):
    algorithm, memory, passes = DEMANDS[why]
    costs = memory.to_bytes(4, "little") + passes.to_bytes(4, "little")
    assert why in said_of_a_forged(vault, DERIVATION - 1, bytes([ARGON2ID]), bytes([algorithm]) + costs)


def test_T27_a_vault_in_an_unknown_cipher_suite_is_refused(vault):
    assert "cipher suite 2" in said_of_a_forged(vault, SUITE, b"\1", b"\2")


def test_T27_a_new_vault_demands_256_MiB_of_whoever_guesses(vault):
    assert demanded() == (256, 3)
    # The same numbers open it, without Keyway: that is how the key is derived.
    (file,) = HOME.rglob("*.vault")
    assert vault_reader.keys(str(file), MASTER)


COSTLY, NEW = (288, 4), "another master password"


def test_T27_what_a_vault_demands_does_not_become_less_with_a_new_master_password(vault):
    terminal = vault.open_terminal
    terminal.keyway("passwords change-master --memory 288 --passes 4", MASTER, NEW, NEW)
    assert demanded() == COSTLY
    for less in ("--memory 256 --passes 4", "--memory 288 --passes 3", "--memory 512 --passes 3"):
        status, _, said = terminal.run(f"keyway passwords change-master {less}", NEW, MASTER, MASTER)
        assert status != 0 and "weaker" in said, less
        assert demanded() == COSTLY
    # Who says nothing of it keeps it, also with a new key alone.
    terminal.keyway("passwords change-master", NEW, MASTER, MASTER)
    assert demanded() == COSTLY
    terminal.keyway("passwords renew-key", MASTER)
    assert demanded() == COSTLY
    (file,) = HOME.rglob("*.vault")
    assert vault_reader.keys(str(file), MASTER)


def demanded() -> tuple[int, int]:
    """Memory in MiB and passes, as the header of the vault says."""
    (file,) = HOME.rglob("*.vault")
    with closing(sqlite3.connect(f"file:{file}?mode=ro", uri=True)) as database:
        ((header,),) = database.execute("SELECT content FROM header").fetchall()
    return struct.unpack_from("<2I", header, DERIVATION)


# Where the header says it, after magic and version; and after suite, number of slots, vault, and kind, length and
# algorithm (a byte) of the first slot.
SUITE = 8 + 2
DERIVATION = SUITE + 1 + 1 + 16 + 1 + 2 + 1


def said_of_a_forged(vault: Login, place: int, was: bytes, becomes: bytes) -> str:
    """What is said where the header of the vault was changed at that place, and its checksum against accidents."""
    terminal = vault.open_terminal
    terminal.keyway("passwords lock")
    end_broker(vault)
    forge(place, was, becomes)
    status, _, said = terminal.run("keyway passwords unlock", MASTER)
    assert status != 0
    return said


def forge(place: int, was: bytes, becomes: bytes) -> None:
    (file,) = HOME.rglob("*.vault")
    with closing(sqlite3.connect(file)) as database, database:
        ((header,),) = database.execute("SELECT content FROM header").fetchall()
        forged = bytearray(header[:-16])
        assert forged[place:].startswith(was)
        forged[place : place + len(becomes)] = becomes
        forged += hashlib.blake2b(bytes(forged), digest_size=16).digest()
        database.execute("UPDATE header SET content = ?", (bytes(forged),))
    for place in file.parent.iterdir():
        os.chown(place, USER, USER)
