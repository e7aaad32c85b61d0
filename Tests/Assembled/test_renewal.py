"""T31: a new master password, or a new key alone, leaves nothing that the former key opens."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path

import pytest
import vault_reader
from login import HOME, MASTER, Login, eventually, read

NEW = "another master password"
# The calls by which they change what lies on the disk: those of the vault before, in and after the moment that counts.
WRITES = {"keyway-vaultd": ["pwrite64", "rename"], "keywayd": ["write", "fsync", "rename"]}
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


@contextmanager
def killed_at(call: str, number: int, process: int, calls: Path) -> Iterator[None]:
    """Ends that process the moment one of its threads would make that call for the time of that number."""
    options = ["-o", calls, "-e", f"trace={call}", "-e", f"inject={call}:signal=KILL:when={number}"]
    with subprocess.Popen(["strace", "-f", "-qq", *options, "-p", str(process)]) as tracer:
        try:
            eventually(lambda: all("\nTracerPid:\t0\n" not in text for text in threads(process)))
            yield
        finally:
            # SIGTERM is not enough: it may wait for a thread that is gone.
            tracer.kill()


def threads(process: int) -> list[str]:
    return [read(process, f"task/{thread.name}/status") for thread in Path(f"/proc/{process}/task").iterdir()]


@pytest.mark.parametrize("program", WRITES)
def test_T31_a_kill_at_any_write_leaves_one_whole_vault(vault: Login, tmp_path: Path, program: str):
    terminal = vault.open_terminal
    (file,) = HOME.rglob("*.vault")
    master, outcomes = MASTER, []
    for call in WRITES[program]:
        for number in count(1):
            wanted = f"master password for {call} {number}"
            process = min(vault.named(program))
            with killed_at(call, number, process, tmp_path / "calls"):
                status, _, _ = terminal.run("keyway passwords change-master", master, wanted, wanted)
                terminal.run("keyway passwords unlock", wanted)
            was_killed = process not in vault.named(program)
            opens = [
                one for one in (master, wanted) if file.exists() and vault_reader.opens(file, one, tmp_path / "copy")
            ]
            assert len(opens) == 1, f"killed at {call} {number}"
            # Whoever was told that it is done was told the truth.
            assert status != 0 or opens == [wanted]
            outcomes.append(("old" if opens == [master] else "new", was_killed))
            (master,) = opens
            # Nothing takes it for an older copy, and whoever knows its password goes on.
            terminal.keyway("passwords unlock", master)
            assert terminal.keyway("fill https://a.example") == "password of alpha\n"
            if not was_killed:
                break
    # It was killed before and after the moment in which it counts.
    assert set(outcomes) == {("old", True), ("new", True), ("new", False)}
