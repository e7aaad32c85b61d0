"""T31, T32: what leaves the vault as a whole, and what reads the files of others."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from login import HOME, MASTER, ROOT, Login

PASSWORD = "password of alpha"


@pytest.mark.parametrize("given", [["wrong"], [""], []], ids=["wrong", "empty", "nothing"])
def test_T31_an_open_vault_is_not_exported_unless_the_master_password_is_given_again(vault: Login, given: list[str]):
    terminal = vault.open_terminal
    # It is open, and shows this terminal what it is asked for.
    assert terminal.keyway("passwords show alpha --field password") == f"{PASSWORD}\n"
    status, printed, said = terminal.run(f"keyway export {HOME}/all.json --yes", *given)
    assert status != 0 and printed == "" and PASSWORD not in said
    assert list(HOME.glob("all.json*")) == []


def test_T31_an_export_is_for_its_person_alone_and_stands_in_the_history(vault: Login):
    terminal, path = vault.open_terminal, HOME / "all.json"
    said = terminal.run(f"keyway export {path} --yes", MASTER)[2]
    assert "1 item" in said and PASSWORD not in said
    assert (path.stat().st_mode & 0o777, path.stat().st_uid) == (0o600, vault.user)
    (account,) = json.loads(path.read_text())["accounts"]
    assert account["items"][0]["credentials"][0]["password"]["value"] == PASSWORD
    assert "as an export" in terminal.keyway("history --json")


@pytest.fixture
def probe(login: Login) -> Iterator[Path]:
    """A program in the place of the reader, which says what it can reach; it has the reader's mode."""
    reader = login.prefix / "libexec/keyway/keyway-import-reader"
    aside = reader.with_suffix(".aside")
    reader.rename(aside)
    try:
        subprocess.run(["cc", "-O1", "-o", reader, ROOT / "Tests/Processes/reads.c"], check=True)
        reader.chmod(aside.stat().st_mode & 0o7777)
        file = HOME / "file.csv"
        file.write_text("content")
        file.chmod(0o644)
        yield file
    finally:
        aside.replace(reader)


def test_T32_what_reads_the_files_of_others_reaches_neither_the_network_nor_a_file(login: Login, probe: Path):
    finished = login.run(login.prefix / "bin/keyway", "import", probe, "--preview", "--columns", f"title={probe}")
    assert finished.returncode == 1
    assert "inet 0 unix 0 open 0 new 0 write 0 fork 0 others 0 memory 0 environment 0" in finished.stderr


def test_T32_a_file_of_another_manager_is_stored_and_filled(vault: Login):
    file = HOME / "file.csv"
    file.write_text("name,url,username,password\nbeta,https://b.example,grace,from a file\n")
    file.chmod(0o644)
    vault.open_terminal.keyway(f"import {file} --yes")
    assert vault.open_terminal.keyway("fill https://b.example") == "from a file\n"
