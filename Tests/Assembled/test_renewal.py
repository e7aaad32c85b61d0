"""T31: a new master password, or a new key alone, leaves nothing that the former key opens."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
import vault_reader
from login import HOME, MASTER, Login

NEW = "another master password"
CANARIES = [b"canary-of-title", b"canary-of-password"]
ITEMS = 6


def passwords(file: Path, master: str) -> set[str]:
    """What another reader finds in a vault."""
    return {item.password for item in vault_reader.read(str(file), master).values()}


@pytest.mark.parametrize(
    ("line", "given", "master"),
    [("change-master", (MASTER, NEW, NEW), NEW), ("renew-key", (MASTER,), MASTER)],
    ids=["new master password", "new key alone"],
)
def test_T31_what_a_copy_of_the_vault_opened_with_opens_nothing_of_what_is_there_now(
    vault: Login, tmp_path: Path, line: str, given: tuple[str, ...], master: str
):
    terminal = vault.open_terminal
    for number in range(ITEMS):
        terminal.keyway(f"passwords add canary-of-title-{number} --user ada", f"canary-of-password {number}")
    # It leaves pages that are free.
    terminal.keyway("passwords remove canary-of-title-0 --yes")
    (file,) = HOME.rglob("*.vault")
    older = tmp_path / "older.vault"
    shutil.copy(file, older)
    before = passwords(older, MASTER)
    assert f"canary-of-password {ITEMS - 1}" in before
    known = vault_reader.keys(str(older), MASTER)
    # The search finds what a key opens.
    assert len(vault_reader.places_that_open(older.read_bytes(), known, CANARIES)) >= 2 * (ITEMS - 1)
    terminal.keyway(f"passwords {line}", *given)
    # Nor after a change, whose journal lies beside the file.
    terminal.keyway("passwords edit canary-of-title-1 --password", "canary-of-password newer")
    for place in file.parent.iterdir():
        assert vault_reader.places_that_open(place.read_bytes(), known, CANARIES) == [], place
    assert not set(vault_reader.keys(str(file), master)) & set(known)
    assert passwords(file, master) == before - {"canary-of-password 1"} | {"canary-of-password newer"}
    # The old copy holds what it held, for whoever knows the password of then, which opens nothing else.
    assert passwords(older, MASTER) == before
    if master != MASTER:
        with pytest.raises(vault_reader.Refused, match="wrongPassword"):
            vault_reader.read(str(file), MASTER)
    assert terminal.keyway("fill https://a.example") == "password of alpha\n"
