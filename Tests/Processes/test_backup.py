"""Backups of the vault: one file that its master password opens anywhere, and what restoring one does."""

import json
import os
import resource
import stat
from pathlib import Path

import pytest
from conftest import Keyway, eventually
from terminal import ENTER, Terminal
from test_cli import MASTER, run
from vault_reader import read
from vault_service import MASTER as SERVICE_MASTER
from vault_service import Refused, VaultService
from wire import sealed

from session.private import PASSWORDS


def prepared(session: Keyway, stage) -> Keyway:
    session.prefix.symlink_to(stage)
    session.start_broker()
    session.keyway("providers", "enable", "--yes", PASSWORDS)
    return session


def restored(session: Keyway, backup: Path) -> str:
    """Restores a backup in a terminal, where the master password verifies the person: what it printed."""
    command = [session.prefix / "bin/keyway", "passwords", "restore-backup", backup, "--replace", "--json"]
    with Terminal(command, session.environment) as terminal:
        terminal.wait_for("Master password of the backup")
        terminal.type(MASTER + ENTER)
        terminal.wait_for("older than the vault")
        terminal.type("y" + ENTER)
        terminal.wait_for("(?s)to replace what Passwords keeps.*[Mm]aster password")
        terminal.type(MASTER + ENTER)
        status, out, err = terminal.finish()
    assert status == 0, err
    return out


@pytest.fixture(scope="module")
def vault(stage):
    with Keyway() as session:
        prepared(session, stage)
        session.keyway("passwords", "init", "--memory", "64", secrets=[MASTER, MASTER])
        session.keyway("passwords", "add", "One", "--user", "ada", secrets=["hunter2"])
        yield session


def doctor(session: Keyway) -> dict:
    checks = json.loads(run(session, "doctor", "--json")[1])["checks"]
    return next(check for check in checks if check["name"] == "backup")


def test_a_backup_is_restored_on_another_computer_with_its_master_password_alone(vault, stage, tmp_path):
    backup = tmp_path / "backup.vault"
    assert doctor(vault)["status"] == "warning"
    status, out, err = run(vault, "passwords", "backup", str(backup))
    assert (status, out) == (0, "") and "opened every item" in err
    assert stat.S_IMODE(backup.stat().st_mode) == 0o600
    assert [path.name for path in tmp_path.iterdir()] == ["backup.vault"]
    assert doctor(vault)["status"] == "ok" and "every item checked" in doctor(vault)["detail"]
    # Another implementation of the format reads it.
    assert [item.password for item in read(str(backup), MASTER).values()] == ["hunter2"]
    with Keyway() as other:
        prepared(other, stage)
        assert run(other, "passwords", "restore-backup", str(backup), secrets=["no"])[0] == 6
        status, out, err = run(other, "passwords", "restore-backup", str(backup), secrets=[MASTER])
        assert status == 0, err
        assert run(other, "passwords", "show", "One", "--field", "password")[1] == "hunter2\n"


def test_a_locked_vault_is_backed_up_too_and_nothing_is_overwritten(vault, tmp_path):
    backup = tmp_path / "backup.vault"
    backup.write_text("mine")
    run(vault, "passwords", "lock")
    try:
        assert run(vault, "passwords", "backup", str(backup))[0] == 12
        assert backup.read_text() == "mine"
        status, _, err = run(vault, "passwords", "backup", str(backup), "--force")
        assert status == 0 and "structure only" in err
        assert len(read(str(backup), MASTER)) == 1
        assert run(vault, "passwords", "backup", str(tmp_path / "no/such"))[0] == 1
    finally:
        run(vault, "passwords", "unlock", secrets=[MASTER])


def test_restoring_needs_a_yes_and_keeps_the_vault_that_was_there(vault, tmp_path):
    backup = tmp_path / "backup.vault"
    assert run(vault, "passwords", "backup", str(backup))[0] == 0
    run(vault, "passwords", "add", "Two", "--user", "bob", secrets=["later"])
    assert run(vault, "passwords", "restore-backup", str(backup), secrets=[MASTER])[0] == 12
    assert run(vault, "passwords", "restore-backup", str(backup), "--replace", secrets=[MASTER], alone=True)[0] == 5
    assert "Two" in run(vault, "passwords", "list")[1]
    # Where nobody can be verified, nothing is replaced.
    assert run(vault, "passwords", "restore-backup", str(backup), "--replace", "--yes", secrets=[MASTER])[0] == 7
    assert "Two" in run(vault, "passwords", "list")[1]
    out = restored(vault, backup)
    former = json.loads(out)["former"]
    assert sorted(item.title for item in read(former, MASTER).values()) == ["One", "Two"]
    assert "Two" not in run(vault, "passwords", "list", opens=True)[1]
    Path(former).unlink()


def test_a_damaged_vault_is_replaced_by_a_backup(vault, tmp_path):
    backup = tmp_path / "backup.vault"
    assert run(vault, "passwords", "backup", str(backup))[0] == 0
    run(vault, "passwords", "lock")
    path = Path(json.loads(run(vault, "passwords", "lock", "--json")[1])["path"])
    path.write_bytes(b"damaged" * 1000)
    # Its master password can verify nobody any more: that of the backup does.
    status, out, err = run(
        vault, "passwords", "restore-backup", str(backup), "--replace", "--yes", "--json", secrets=[MASTER]
    )
    assert status == 0, err
    former = Path(json.loads(out)["former"])
    assert former.read_bytes() == b"damaged" * 1000
    former.unlink()
    assert run(vault, "passwords", "show", "One", "--field", "password")[1] == "hunter2\n"


@pytest.mark.parametrize("spoil", ["empty", "short", "flipped", "folder", "missing"])
def test_what_is_no_backup_changes_nothing(vault, tmp_path, spoil):
    backup = tmp_path / "backup.vault"
    assert run(vault, "passwords", "backup", str(backup))[0] == 0
    content = bytearray(backup.read_bytes())
    backup.unlink()
    if spoil == "empty":
        backup.write_bytes(b"")
    elif spoil == "short":
        backup.write_bytes(content[:-4096])
    elif spoil == "flipped":
        place = content.find(b"KWVAULT")
        content[place + 40] ^= 1
        backup.write_bytes(content)
    elif spoil == "folder":
        backup.mkdir()
    status, _, err = run(
        vault, "passwords", "restore-backup", str(backup), "--replace", "--yes", secrets=[MASTER, MASTER]
    )
    assert status == {"folder": 1, "missing": 3}.get(spoil, 11), err
    assert run(vault, "passwords", "show", "One", "--field", "password")[1] == "hunter2\n"


def test_a_full_disk_costs_a_restore_nothing(stage, tmp_path):
    with VaultService(stage) as service:
        terminal = service.start().with_vault()
        for number in range(40):
            terminal.add(f"Item {number}", "p" * 2000)
        result, (descriptor,) = terminal.peer.answer(terminal.peer.request("vault.backUp", {}))
        assert result["items"] == 40
        with os.fdopen(descriptor, "rb") as file:
            backup = file.read()
        service.stop()
        before = service.vault.read_bytes()
        copy = tmp_path / "backup"
        copy.write_bytes(backup)
        terminal = service.start(limits={resource.RLIMIT_FSIZE: len(backup) // 2}).attach()
        file, secret = os.open(copy, os.O_RDONLY), sealed(SERVICE_MASTER.encode())
        params = {"file": {"descriptor": 0}, "masterPassword": {"descriptor": 1}, "replaces": True}
        with pytest.raises(Refused) as error:
            request = terminal.peer.request("vault.restoreBackup", {**params, "acceptsOlderCopy": True}, (file, secret))
            terminal.peer.answer(request)
        assert error.value.kind == "system"
        assert service.vault.read_bytes() == before
        # The copy goes with the request, which may end a moment after its answer.
        eventually(lambda: [path.name for path in service.vault.parent.iterdir()] == ["Passwords.vault"])
        service.stop()
