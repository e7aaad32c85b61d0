"""`keyway export --format`: what other programs read, and what is said of what they have no place for."""

from __future__ import annotations

import json
import os
import shutil
import stat
import subprocess
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest
from conftest import Keyway
from terminal import ENTER, Terminal
from test_cli import MASTER, run

from session.private import PASSWORDS

EXPORTS = Path(__file__).resolve().parents[1] / "Vectors/imports"
DATABASE = "a password for the database"
TABLES = ["apple-csv", "bitwarden-csv", "chrome-csv", "firefox-csv"]
FORMULA = "=HYPERLINK(1)"


@pytest.fixture(scope="module")
def vault(stage):
    with Keyway() as session:
        session.prefix.symlink_to(stage)
        session.start_broker()
        session.keyway("providers", "enable", "--yes", PASSWORDS)
        session.keyway("passwords", "init", "--memory", "64", secrets=[MASTER, MASTER])
        status, _, err = run(session, "import", str(EXPORTS / "bitwarden/generated_individual.json"), "--yes")
        assert status == 0, err
        add = ("passwords", "add", "Formula", "--user", "@ada", "--address", "https://formula.example")
        session.keyway(*add, secrets=[FORMULA])
        yield session


def export(session: Keyway, path: Path, form: str, *arguments: str, secrets: list[str] | None = None) -> dict:
    given = secrets or ([MASTER, DATABASE] if form == "kdbx" else [MASTER])
    status, out, err = run(session, "export", str(path), "--format", form, "--yes", "--json", *arguments, secrets=given)
    assert status == 0, err
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert [entry.name for entry in path.parent.iterdir() if entry.name.endswith(".new")] == []
    return json.loads(out)


def preview(session: Keyway, path: Path, secrets: list[str] | None = None) -> dict:
    status, out, err = run(session, "import", str(path), "--preview", "--json", "--reveal", secrets=secrets)
    assert status == 0, err
    return json.loads(out)


@pytest.fixture(scope="module")
def records(vault, tmp_path_factory) -> dict[str, dict]:
    """What is in the vault, by title."""
    path = tmp_path_factory.mktemp("all") / "all.json"
    export(vault, path, "cxf")
    found = preview(vault, path)["records"]
    assert len(found) > 12
    return {record["title"]: record for record in found}


@pytest.mark.parametrize("form", TABLES)
def test_what_a_table_holds_is_the_same_when_it_is_read_again(vault, records, tmp_path, form):
    path = tmp_path / "export.csv"
    report = export(vault, path, form)
    found = preview(vault, path)
    assert found["format"] == form and found["skipped"] == []
    assert report["entries"] == len(found["records"]) and not report["encrypted"]
    wanted = {record["password"] for record in records.values() if record["password"]}
    if form == "firefox-csv":
        # The one that is for an app alone.
        wanted.remove("droid")
    assert {record["password"] for record in found["records"] if record["password"]} == wanted
    for record in found["records"]:
        if form == "firefox-csv":
            continue
        same = records[record["title"]]
        assert record["username"] == same["username"] and record["notes"] == same["notes"]
        if form != "chrome-csv":
            assert record["totp"] == same["totp"]
    # Whatever isn't there is told by its item.
    told = {loss["title"] for loss in report["losses"]}
    assert "Passkey site" in told and "Card" in told
    assert report["lossCount"] == len(report["losses"]) and report["notices"]


@pytest.mark.parametrize("form", TABLES)
def test_cells_that_a_spreadsheet_would_run_are_written_as_they_are_and_named(vault, tmp_path, form):
    path = tmp_path / "export.csv"
    status, out, err = run(vault, "export", str(path), "--format", form, "--yes", secrets=[MASTER])
    assert (status, out) == (0, "")
    assert "2 values begin as formulas do" in err and "“Formula” (@ada), in " in err
    assert "HYPERLINK" not in err and "isn't encrypted" in err
    assert FORMULA in path.read_text()
    assert FORMULA in {record["password"] for record in preview(vault, path)["records"]}


def keepassxc(folder: Path, *arguments: str) -> str:
    finished = subprocess.run(
        ["keepassxc-cli", *arguments],
        input=DATABASE + "\n",
        capture_output=True,
        text=True,
        timeout=120,
        cwd=folder,
        env={"HOME": str(folder), "PATH": os.environ["PATH"], "LC_ALL": "C.UTF-8", "QT_QPA_PLATFORM": "offscreen"},
    )
    assert finished.returncode == 0, finished.stderr
    return finished.stdout


def entries(xml: str) -> dict[str, dict[str, str]]:
    found = {}
    for entry in ElementTree.fromstring(xml).iterfind(".//Entry"):
        strings = {string.findtext("Key"): (string.findtext("Value") or "") for string in entry.iterfind("String")}
        found[strings["Title"]] = strings
    return found


def test_keepassxc_reads_our_database_with_all_that_is_in_it(vault, records, tmp_path):
    report = export(vault, tmp_path / "ours.kdbx", "kdbx")
    assert report["encrypted"] and report["formulaCount"] == 0
    found = entries(keepassxc(tmp_path, "export", "-q", "-f", "xml", "ours.kdbx"))
    assert found.keys() == records.keys()
    for title, record in records.items():
        strings = found[title]
        assert strings["UserName"] == record["username"] and strings["Password"] == (record["password"] or "")
        assert strings["Notes"].replace("\r\n", "\n") == record["notes"]
        for label, value, _ in record["custom"]:
            assert value in strings.values(), label
        if record["totp"]:
            assert f"secret={record['totp']['secret']}" in strings["otp"]
        if record["passkey"]:
            assert strings["KPEX_PASSKEY_RELYING_PARTY"] == record["passkey"]["rpId"]
            assert strings["KPEX_PASSKEY_CREDENTIAL_ID"] == record["passkey"]["credentialId"]
            key = "".join(strings["KPEX_PASSKEY_PRIVATE_KEY_PEM"].splitlines()[1:-1])
            assert key.rstrip("=") == record["passkey"]["key"].replace("-", "+").replace("_", "/")
    # KeePassXC computes the codes of it.
    assert keepassxc(tmp_path, "show", "-q", "-t", "ours.kdbx", "GitHub").strip().isdigit()


def test_our_database_is_read_again_and_only_with_its_password(vault, records, tmp_path):
    path = tmp_path / "ours.kdbx"
    export(vault, path, "kdbx")
    found = {record["title"]: record for record in preview(vault, path, [DATABASE])["records"]}
    assert found.keys() == records.keys()
    for title, record in records.items():
        for name in ("username", "password", "urls", "notes", "totp"):
            assert found[title][name] == record[name], (title, name)
        if record["passkey"]:
            assert found[title]["passkey"]["key"] == record["passkey"]["key"]
    assert run(vault, "import", str(path), "--preview", secrets=["another"])[0] == 6
    assert run(vault, "import", str(path), "--preview", secrets=[MASTER])[0] == 6
    assert DATABASE.encode() not in path.read_bytes()


def test_the_password_of_a_database_is_typed_twice(vault, tmp_path):
    path = tmp_path / "ours.kdbx"
    command = [vault.prefix / "bin/keyway", "export", path, "--format", "kdbx"]
    with Terminal(command, vault.environment, columns=250) as terminal:
        # The master password, for this terminal and for the export; then the other one, first repeated wrongly.
        seen = "(?s)"
        typed = [("Master password", MASTER)] * 2 + [("Password for", DATABASE), ("again", "another")]
        for prompt, secret in [*typed, ("Password for", DATABASE), ("again", DATABASE)]:
            seen += f".*{prompt}[^\n]*"
            terminal.wait_for(seen + "\\s*$")
            terminal.type(secret + ENTER)
        status, _, err = terminal.finish()
    assert status == 0, err
    assert "isn't encrypted" not in err and DATABASE not in err
    assert preview(vault, path, [DATABASE])["records"]


@pytest.mark.parametrize("form", [*TABLES, "cxf", "kdbx"])
@pytest.mark.parametrize("secrets", [["wrong", DATABASE], []])
def test_no_format_starts_a_silent_export(vault, tmp_path, form, secrets):
    path = tmp_path / "export"
    status, out, err = run(vault, "export", str(path), "--format", form, "--yes", secrets=secrets)
    assert status in (5, 6) and out == "" and "hunter2" not in err
    assert list(tmp_path.iterdir()) == []


def test_a_database_without_a_password_is_not_written(vault, tmp_path):
    path = tmp_path / "ours.kdbx"
    for secrets, code in [([MASTER], 5), ([MASTER, ""], 1)]:
        assert run(vault, "export", str(path), "--format", "kdbx", "--yes", secrets=secrets)[0] == code
        assert not path.exists()


def test_a_file_is_replaced_only_by_force(vault, tmp_path):
    path = tmp_path / "export.csv"
    path.write_text("mine")
    assert run(vault, "export", str(path), "--format", "chrome-csv", "--yes", secrets=[MASTER])[0] == 12
    assert path.read_text() == "mine"
    export(vault, path, "chrome-csv", "--force")
    assert path.read_text().startswith("name,url,")


def test_a_writer_that_is_missing_writes_nothing(vault, stage, tmp_path):
    prefix = tmp_path / "prefix"
    (prefix / "libexec/keyway").mkdir(parents=True)
    (prefix / "bin").mkdir()
    # It looks for the others beside itself.
    shutil.copy2(stage / "bin/keyway", prefix / "bin/keyway")
    for program in (stage / "libexec/keyway").iterdir():
        if program.name != "keyway-export-writer":
            (prefix / program.relative_to(stage)).symlink_to(program)
    path = tmp_path / "export.csv"
    finished = subprocess.run(
        [prefix / "bin/keyway", "import", "--request", path],
        env=vault.environment,
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert finished.returncode == 1 and "keyway-export-writer" in finished.stderr
    assert not path.exists()
