"""T31 to T34: what leaves the vault as a whole, for whom, and what reads the files of others."""

from __future__ import annotations

import csv
import json
import subprocess
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Iterator
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZipFile

import pytest
from login import BIND, HOME, MASTER, ROOT, Login, Terminal, mount

from session import system_bus

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
    """A program in the place of the reader, which says what it can reach; it has the reader's mode. What is installed
    stays as it is: the program is laid over it, for this run alone."""
    reader, probe = login.prefix / "libexec/keyway/keyway-import-reader", login.tools / "reads"
    subprocess.run(["cc", "-O1", "-o", probe, ROOT / "Tests/Processes/reads.c"], check=True)
    probe.chmod(reader.stat().st_mode & 0o7777)
    mount(bytes(probe), reader, None, BIND, None)
    try:
        file = HOME / "file.csv"
        file.write_text("content")
        file.chmod(0o644)
        yield file
    finally:
        system_bus.call("umount", system_bus.libc.umount(bytes(reader)))


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


# T33: what a spreadsheet would run

FORMULA = "=HYPERLINK(1)"


@pytest.mark.parametrize("form", ["chrome-csv", "bitwarden-csv", "apple-csv", "firefox-csv"])
def test_T33_what_a_spreadsheet_would_run_is_written_as_it_is_and_told_without_its_value(vault: Login, form: str):
    terminal, path = vault.open_terminal, HOME / "all.csv"
    terminal.keyway("passwords add formula --user @ada --url https://f.example", FORMULA)
    status, printed, said = terminal.run(f"keyway export {path} --format {form} --yes", MASTER)
    assert (status, printed) == (0, ""), said
    assert "2 values begin as formulas do" in said and "\u201cformula\u201d (@ada), in " in said
    assert "HYPERLINK" not in said and PASSWORD not in said
    cells = [cell for row in csv.reader(path.read_text().splitlines()) for cell in row]
    assert FORMULA in cells and "@ada" in cells


# T34: what goes to another manager, encrypted for it


@dataclass
class Sent:
    """A request, and what it was answered with."""

    fingerprint: str
    request: Path
    answer: Path


def ask(terminal: Terminal, name: str) -> Sent:
    path = HOME / f"{name}-request.json"
    printed = terminal.keyway(f"import --request {path} --yes --json")
    return Sent(json.loads(printed)["fingerprint"], path, HOME / f"{name}-answer.json")


def send(terminal: Terminal, sent: Sent) -> tuple[int, str]:
    """Answers the request as whoever compared its fingerprint; the status, and what was said."""
    options = f"--to {sent.request} --fingerprint '{sent.fingerprint}' --yes"
    status, _, said = terminal.run(f"keyway export {sent.answer} {options}", MASTER)
    return status, said


def answered(terminal: Terminal, name: str = "first") -> Sent:
    sent = ask(terminal, name)
    status, said = send(terminal, sent)
    assert status == 0, said
    return sent


def test_T34_an_answer_opens_for_whoever_asked_and_once(vault: Login):
    terminal = vault.open_terminal
    sent = answered(terminal)
    for path in (sent.request, sent.answer):
        assert (path.stat().st_mode & 0o777, path.stat().st_uid) == (0o600, vault.user)
    assert PASSWORD not in sent.answer.read_text() and "alpha" not in sent.answer.read_text()
    terminal.keyway("passwords remove alpha --yes")
    terminal.keyway(f"import {sent.answer} --yes")
    assert terminal.keyway("fill https://a.example") == f"{PASSWORD}\n"
    # Sent again: nothing opens it any more.
    terminal.keyway("passwords remove alpha --yes")
    status, printed, said = terminal.run(f"keyway import {sent.answer} --yes")
    assert (status, printed) == (3, "") and "none waits" in said
    assert terminal.run("keyway fill https://a.example")[0] != 0


def test_T34_an_answer_to_another_request_is_not_opened(vault: Login):
    terminal = vault.open_terminal
    sent = answered(terminal)
    ask(terminal, "second")
    status, printed, said = terminal.run(f"keyway import {sent.answer} --preview --json --reveal")
    assert (status, printed) == (7, "") and "isn't encrypted for this key" in said


def test_T34_a_second_answer_is_not_taken_for_the_one_that_was_shown(vault: Login):
    terminal = vault.open_terminal
    sent = answered(terminal)
    other = Sent(sent.fingerprint, sent.request, HOME / "other-answer.json")
    assert send(terminal, other)[0] == 0
    terminal.keyway(f"import {sent.answer} --preview")
    status, _, said = terminal.run(f"keyway import {other.answer} --yes")
    assert status == 7 and "A request gets one answer." in said


def test_T34_a_request_whose_key_was_replaced_on_its_way_gets_nothing(vault: Login):
    terminal = vault.open_terminal
    sent, theirs = ask(terminal, "first"), ask(terminal, "second")
    forged, other = (json.loads(one.request.read_text()) for one in (sent, theirs))
    forged["hpke"][0]["key"] = other["hpke"][0]["key"]
    sent.request.write_text(json.dumps(forged))
    status, said = send(terminal, sent)
    assert status == 7 and "replaced" in said
    assert not sent.answer.exists()


def test_T34_an_answer_in_which_one_letter_was_changed_on_its_way_is_refused(vault: Login):
    """Whoever carries it knows how it is made: the place of the letter, and its checksums."""
    terminal = vault.open_terminal
    sent = answered(terminal)
    terminal.keyway(f"export {HOME}/all.json --yes", MASTER)
    items = (HOME / "all.json").read_text().partition('"items":[')[2]
    change(sent.answer, items.encode().index(PASSWORD.encode()))
    status, printed, said = terminal.run(f"keyway import {sent.answer} --preview --json --reveal")
    assert (status, printed) == (7, "") and "was changed" in said, said


def change(answer: Path, place: int) -> None:
    """Changes a byte of the one item in an answer."""
    content = json.loads(answer.read_text())
    with ZipFile(BytesIO(decoded(content["payload"].encode()))) as archive:
        files = {name: archive.read(name) for name in archive.namelist()}
    (item,) = [name for name in files if "documents" in name]
    parts = files[item].split(b".")
    sealed = bytearray(decoded(parts[3]))
    sealed[place] ^= 1
    parts[3] = urlsafe_b64encode(sealed).rstrip(b"=")
    files[item] = b".".join(parts)
    changed = BytesIO()
    with ZipFile(changed, "w", ZIP_DEFLATED) as archive:
        for name, text in files.items():
            archive.writestr(name, text)
    content["payload"] = urlsafe_b64encode(changed.getvalue()).rstrip(b"=").decode()
    answer.write_text(json.dumps(content))


def decoded(text: bytes) -> bytes:
    return urlsafe_b64decode(text + b"==")
