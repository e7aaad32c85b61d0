"""A new vault key: nothing that is left opens with the old one, and a kill at any write leaves one vault, whole."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest
import vault_reader
from vault_service import MASTER, Refused, VaultService, refusal
from wire import Closed

NEW = "another master password"
CANARIES = [b"canary-of-title", b"canary-of-password", b"canary-of-notes"]


@pytest.fixture
def service(stage):
    with VaultService(stage) as service:
        yield service


def fill(terminal, count: int) -> dict[str, str]:
    """Items of all sizes, some changed and some removed, so that the file has free pages and a history."""
    for number in range(count + 4):
        notes = "canary-of-notes" * (300 if number % 5 == 0 else 1)
        terminal.add(f"canary-of-title {number}", f"canary-of-password {number}", notes)
    for number in range(count, count + 4):
        terminal.call("items.remove", {"item": {"text": f"canary-of-title {number}"}})
    terminal.edit("canary-of-title 1", "canary-of-password changed")
    return stored(terminal)


def stored(terminal) -> dict[str, str]:
    return {title: terminal.show(title, "password")["password"] for title in terminal.titles()}


def files(service: VaultService) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in service.vault.parent.iterdir()}


def fragments(parts: list[bytes]) -> set[bytes]:
    return {part[at : at + 16] for part in parts for at in range(0, len(part) - 15, 16)}


@pytest.mark.parametrize("change", ["password", "key"])
def test_nothing_that_is_left_opens_with_the_old_key(service, tmp_path, change):
    terminal = service.start().with_vault()
    before = fill(terminal, 12)
    older = tmp_path / "older.vault"
    shutil.copy(service.vault, older)
    known = vault_reader.keys(str(older), MASTER)
    pieces = fragments(vault_reader.sealed_parts(str(older)))
    # What is searched for is found where it is.
    assert len(vault_reader.places_that_open(older.read_bytes(), known, CANARIES)) >= 24
    password = MASTER if change == "key" else NEW
    if change == "key":
        terminal.renew_key(MASTER)
    else:
        terminal.change_master(MASTER, NEW)

    def look() -> None:
        for name, content in files(service).items():
            assert vault_reader.places_that_open(content, known, CANARIES) == [], name
            assert not any(content[at : at + 16] in pieces for at in range(len(content))), name

    assert set(files(service)) == {"Passwords.vault"}
    look()
    # Nor after changes, whose journal lies beside the file, and whose pages become free.
    terminal.edit("canary-of-title 2", "canary-of-password newer")
    terminal.call("items.remove", {"item": {"text": "canary-of-title 3"}})
    assert set(files(service)) == {"Passwords.vault", "Passwords.vault-journal"}
    look()
    after = {title: password for title, password in before.items() if title != "canary-of-title 3"}
    after["canary-of-title 2"] = "canary-of-password newer"
    assert stored(terminal) == after
    service.stop()
    found = vault_reader.read(str(service.vault), password)
    assert {item.title: item.password for item in found.values()} == after
    new = vault_reader.keys(str(service.vault), password)
    assert not set(new) & set(known)
    # The old copy holds what it held, for who knows the password of then.
    found = vault_reader.read(str(older), MASTER)
    assert {item.title: item.password for item in found.values()} == before


def test_the_old_file_put_back_is_noticed(service, tmp_path):
    terminal = service.start().with_vault()
    fill(terminal, 2)
    older = service.vault.read_bytes()
    terminal.change_master(MASTER, NEW)
    service.stop()
    service.vault.write_bytes(older)
    terminal = service.start().attach()
    with pytest.raises(Refused) as error:
        terminal.unlock(MASTER)
    assert error.value.kind == "refused" and "older copy" in str(error.value)


def test_the_old_file_put_back_is_noticed_also_without_the_notes(service):
    terminal = service.start().with_vault()
    terminal.add("First", "1")
    older = service.vault.read_bytes()
    terminal.add("Second", "2")
    service.broker.wait(lambda broker: 3 in broker.versions.values())
    service.stop()
    service.vault.write_bytes(older)
    shutil.rmtree(service.state / "epochs")
    terminal = service.start().attach()
    with pytest.raises(Refused) as error:
        terminal.unlock(MASTER)
    assert error.value.kind == "refused" and "older copy" in str(error.value)
    # The notes of that time, put back with it, hide nothing either.
    (service.state / "epochs").mkdir(mode=0o700, exist_ok=True)
    vault = next(iter(service.versions))
    (service.state / "epochs" / f"{vault}.epoch").write_text(f"{2:020}\n")
    assert refusal(lambda: terminal.unlock(MASTER)) == "refused"
    terminal.unlock(MASTER, accepts_older_copy=True)
    assert terminal.titles() == ["First"]


@pytest.fixture(scope="module")
def counter(tmp_path_factory) -> Path:
    """A library that kills the program that it is loaded into before a write of a certain number."""
    library = tmp_path_factory.mktemp("writes") / "writes.so"
    source = Path(__file__).parent / "writes.c"
    subprocess.run(["clang", "-shared", "-fPIC", "-o", library, source], check=True, capture_output=True)
    return library


def killed_at(service: VaultService, counter: Path, number: int) -> bool:
    """Changes the master password in a service that is killed before its write `number` in the folder of the vault;
    whether it came to that.
    """
    armed = service.folder / "armed"
    armed.unlink(missing_ok=True)
    below = str(service.vault.parent)
    service.environment |= {"LD_PRELOAD": str(counter), "WRITES_ARMED": str(armed), "WRITES_BELOW": below}
    terminal = service.start().attach()
    terminal.unlock()
    armed.write_text(str(number))
    try:
        terminal.change_master(MASTER, NEW)
        was_killed = False
    except (Closed, OSError):
        was_killed = True
    finally:
        armed.unlink()
        service.kill()
        del service.environment["LD_PRELOAD"]
    return was_killed


def test_a_kill_at_any_write_leaves_one_whole_vault(service, counter):
    terminal = service.start().with_vault()
    before = fill(terminal, 6)
    # As a service that was killed leaves it: its journal lies beside the file.
    assert (service.vault.parent / "Passwords.vault-journal").exists()
    service.kill()
    known = vault_reader.keys(str(service.vault), MASTER)
    original = service.folder / "original"
    shutil.copytree(service.folder / "data", original / "data")
    shutil.copytree(service.folder / "state", original / "state")
    outcomes: list[str] = []
    was_killed = True
    while was_killed:
        for name in ("data", "state"):
            shutil.rmtree(service.folder / name)
            shutil.copytree(original / name, service.folder / name)
        service.versions.clear()
        was_killed = killed_at(service, counter, len(outcomes))
        # Either the one or the other, and never a mixture: another reader decides, before ours has mended anything.
        opens = [password for password in (MASTER, NEW) if opens_with(service, password)]
        assert len(opens) == 1
        terminal = service.start().attach()
        terminal.unlock(opens[0])
        assert stored(terminal) == before
        terminal.add("afterwards", "kept")
        service.stop()
        # Nothing lies beside the vault any more, and nothing that the old key opens.
        assert set(files(service)) == {"Passwords.vault"}
        if opens == [NEW]:
            content = service.vault.read_bytes()
            assert vault_reader.places_that_open(content, known, CANARIES) == []
        outcomes.append("old" if opens == [MASTER] else "new")
    # It was killed before and after the moment in which it counts, and there is one such moment.
    assert outcomes[0] == "old" and outcomes[-1] == "new"
    assert outcomes == sorted(outcomes, reverse=True)
    assert len(outcomes) > 10, outcomes


def opens_with(service: VaultService, password: str) -> bool:
    return vault_reader.opens(service.vault, password, service.folder / "copy")
