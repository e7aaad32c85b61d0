"""T28, T29: what the vault's file and the memory of the person's processes tell."""

from __future__ import annotations

import sys

from login import HOME, MASTER, ROOT, read

sys.path.append(str(ROOT / "Tests/Processes"))
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
