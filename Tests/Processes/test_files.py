"""Files that are attached to items: stored, listed, handed out, imported and exported with equal bytes."""

from __future__ import annotations

import hashlib
import json
import os
import stat
import subprocess
import zipfile
from pathlib import Path

import pytest
import vault_reader
from conftest import Keyway
from test_cli import MASTER, run

from session.private import PASSWORDS

EXPORTS = Path(__file__).resolve().parents[1] / "Vectors/imports"
VAULT = "data/keyway/private/org.keyway.passwords/Passwords.vault"
DATABASE = "a password for the database"


@pytest.fixture(scope="module")
def vault(stage):
    with Keyway() as session:
        session.prefix.symlink_to(stage)
        session.start_broker()
        session.keyway("providers", "enable", "--yes", PASSWORDS)
        session.keyway("passwords", "init", "--memory", "64", secrets=[MASTER, MASTER])
        session.keyway("passwords", "add", "One", "--user", "ada", secrets=["hunter2"])
        yield session


def content(count: int, seed: int) -> bytes:
    """Bytes that no packing makes smaller, the same in every run."""
    pieces = (hashlib.sha256(f"{seed} {number}".encode()).digest() for number in range(count // 32 + 1))
    return b"".join(pieces)[:count]


def saved(session: Keyway, item: str, file: str, path: Path) -> bytes:
    status, _, err = run(session, "passwords", "save-file", item, file, str(path), "--force")
    assert status == 0, err
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    return path.read_bytes()


def test_a_file_is_attached_listed_saved_and_removed(vault, tmp_path):
    small, large = b"1111\n2222\n", content(5_000_000, 1)
    (tmp_path / "codes.txt").write_bytes(small)
    (tmp_path / "large.bin").write_bytes(large)
    for name in ("codes.txt", "large.bin"):
        status, _, err = run(vault, "passwords", "attach", "One", str(tmp_path / name))
        assert status == 0, err
    assert run(vault, "passwords", "attach", "One", str(tmp_path / "codes.txt"))[0] == 12
    out = run(vault, "passwords", "show", "One")[1]
    assert "file “codes.txt” (10 bytes)" in out and "file “large.bin” (4.8 MiB)" in out
    assert saved(vault, "One", "codes.txt", tmp_path / "a") == small
    assert saved(vault, "One", "large.bin", tmp_path / "b") == large
    assert run(vault, "passwords", "save-file", "One", "codes.txt", str(tmp_path / "a"))[0] == 12
    # Another implementation of the format reads them, and the vault says nothing of them to who has the file alone.
    (item,) = vault_reader.read(str(vault.folder / VAULT), MASTER).values()
    assert {bytes.fromhex(found) for found in item.files.values()} == {small, large}
    assert b"codes.txt" not in (vault.folder / VAULT).read_bytes()
    assert run(vault, "passwords", "remove-file", "One", "large.bin", "--yes")[0] == 0
    assert run(vault, "passwords", "save-file", "One", "large.bin", str(tmp_path / "c"))[0] == 3
    (item,) = vault_reader.read(str(vault.folder / VAULT), MASTER).values()
    assert [bytes.fromhex(found) for found in item.files.values()] == [small]


def test_a_file_outlives_a_new_key_and_a_backup(vault, tmp_path):
    status, _, err = run(vault, "passwords", "renew-key", secrets=[MASTER])
    assert status == 0, err
    assert saved(vault, "One", "codes.txt", tmp_path / "a") == b"1111\n2222\n"
    status, _, err = run(vault, "passwords", "backup", str(tmp_path / "backup.vault"))
    assert status == 0, err
    (item,) = vault_reader.read(str(tmp_path / "backup.vault"), MASTER).values()
    assert [bytes.fromhex(found) for found in item.files.values()] == [b"1111\n2222\n"]


def test_what_is_too_large_or_no_file_is_refused(vault, tmp_path):
    large = tmp_path / "large"
    with large.open("wb") as file:
        os.ftruncate(file.fileno(), (64 << 20) + 1)
    assert run(vault, "passwords", "attach", "One", str(large))[0] == 7
    assert run(vault, "passwords", "attach", "One", str(tmp_path))[0] == 7
    assert run(vault, "passwords", "attach", "One", str(tmp_path / "none"))[0] == 3


def keepassxc(*arguments: object, secrets: list[str]) -> subprocess.CompletedProcess:
    command = ["keepassxc-cli", *map(str, arguments)]
    return subprocess.run(command, input="\n".join(secrets) + "\n", capture_output=True, text=True, timeout=60)


@pytest.fixture(scope="module")
def database(tmp_path_factory) -> tuple[Path, bytes]:
    """A database that KeePassXC wrote, with a file in it."""
    folder = tmp_path_factory.mktemp("keepass")
    path, file = folder / "made.kdbx", folder / "photo.bin"
    file.write_bytes(content(1_500_000, 2))
    keepassxc("db-create", "--set-password", path, secrets=[DATABASE, DATABASE])
    keepassxc("add", path, "With a file", secrets=[DATABASE])
    made = keepassxc("attachment-import", path, "With a file", "photo.bin", file, secrets=[DATABASE])
    assert made.returncode == 0, made.stderr
    return path, file.read_bytes()


def test_a_file_of_keepassxc_arrives_leaves_again_and_is_taken_back(vault, database, tmp_path):
    path, wanted = database
    status, out, err = run(vault, "import", str(path), "--yes", "--json", secrets=[DATABASE])
    assert status == 0, err
    assert "photo.bin" not in out
    assert saved(vault, "With a file", "photo.bin", tmp_path / "a") == wanted
    # A second time it is there already.
    status, out, err = run(vault, "import", str(path), "--yes", "--json", "--conflicts", "skip", secrets=[DATABASE])
    assert status == 0, err
    exported = tmp_path / "export.kdbx"
    status, out, err = run(
        vault, "export", str(exported), "--format", "kdbx", "--yes", "--json", secrets=[MASTER, DATABASE]
    )
    assert status == 0, err
    assert not [loss for loss in json.loads(out)["losses"] if "file" in loss["reason"]]
    found = keepassxc("attachment-export", exported, "With a file", "photo.bin", tmp_path / "b", secrets=[DATABASE])
    assert found.returncode == 0, found.stderr
    assert (tmp_path / "b").read_bytes() == wanted
    # CXF alone has no place for it, and says so.
    status, out, err = run(vault, "export", str(tmp_path / "all.json"), "--yes", "--json", secrets=[MASTER])
    assert status == 0, err
    losses = [loss["reason"] for loss in json.loads(out)["losses"] if loss["title"] == "With a file"]
    assert losses == ["What is in its file “photo.bin” is left out."]
    document = json.loads((tmp_path / "all.json").read_text())
    assert "photo.bin" in json.dumps(document)
    assert run(vault, "import", "--undo", "--yes")[0] == 0
    assert run(vault, "passwords", "show", "With a file")[0] == 3
    items = vault_reader.read(str(vault.folder / VAULT), MASTER).values()
    assert [name for item in items for name in item.files] == [1]


def test_an_answer_of_the_exchange_protocol_has_the_files(vault, stage, tmp_path):
    with Keyway() as other:
        other.prefix.symlink_to(stage)
        other.start_broker()
        other.keyway("providers", "enable", "--yes", PASSWORDS)
        other.keyway("passwords", "init", "--memory", "64", secrets=[MASTER, MASTER])
        request, answer = tmp_path / "request.json", tmp_path / "answer.json"
        status, out, err = run(other, "import", "--request", str(request), "--yes", "--json")
        assert status == 0, err
        fingerprint = json.loads(out)["fingerprint"]
        status, out, err = run(
            vault, "export", str(answer), "--to", str(request), "--fingerprint", fingerprint, "--yes", secrets=[MASTER]
        )
        assert status == 0, err
        status, out, err = run(other, "import", str(answer), "--yes", "--json")
        assert status == 0, err
        assert saved(other, "One", "codes.txt", tmp_path / "a") == b"1111\n2222\n"


def test_a_file_of_1password_arrives(vault, tmp_path):
    source = EXPORTS / "1password/generated.1pux"
    status, _, err = run(vault, "import", str(source), "--yes", "--json")
    assert status == 0, err
    with zipfile.ZipFile(source) as archive:
        (name,) = [name for name in archive.namelist() if name.startswith("files/")]
        wanted = archive.read(name)
    assert saved(vault, "Document", "read me.txt", tmp_path / "a") == wanted
    assert run(vault, "import", "--undo", "--yes")[0] == 0


@pytest.mark.parametrize("kind", ["bomb", "outside"])
def test_a_hostile_file_of_an_archive_is_left_out_and_lands_nowhere(vault, tmp_path, kind):
    source, hostile = EXPORTS / "1password/generated.1pux", tmp_path / "hostile.1pux"
    with zipfile.ZipFile(source) as archive, zipfile.ZipFile(hostile, "w", zipfile.ZIP_DEFLATED) as changed:
        for name in archive.namelist():
            if not name.startswith("files/"):
                changed.writestr(name, archive.read(name))
            elif kind == "bomb":
                changed.writestr(name, bytes(60 << 20))
            else:
                changed.writestr("files/../../../outside.txt", b"out")
    status, out, err = run(vault, "import", str(hostile), "--yes", "--json")
    assert status == 0, err
    assert "read me.txt” is left out" in out
    assert not list(tmp_path.parent.rglob("outside.txt"))
    assert run(vault, "passwords", "save-file", "Document", "read me.txt", str(tmp_path / "a"))[0] == 3
    assert run(vault, "import", "--undo", "--yes")[0] == 0
