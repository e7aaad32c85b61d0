"""Encrypted exports between managers: `keyway import --request`, `keyway export --to`, and the import of answers."""

from __future__ import annotations

import json
import shutil
import stat
from pathlib import Path

import pytest
from conftest import Keyway
from terminal import ENTER, Terminal
from test_cli import MASTER, run
from test_import import titles

from session.private import PASSWORDS

MESSAGES = Path(__file__).resolve().parents[1] / "Vectors/exchange/cxp"
KEYS = MESSAGES / "generated-importer-keys.json"
ANSWERS = ["generated-response-x25519-aes256", "generated-response-p256-aes128"]


@pytest.fixture
def preview(stage, tmp_path):
    """Runs `keyway import --preview` where there is no broker and no vault."""
    with Keyway() as session:
        session.prefix.symlink_to(stage)

        def read(*arguments: object) -> tuple[int, str, str]:
            return run(session, "import", *map(str, arguments), "--preview", "--json", "--reveal")

        yield read


@pytest.mark.parametrize("name", ANSWERS)
def test_answers_of_others_are_read_with_their_keys(preview, name):
    status, out, err = preview(MESSAGES / f"{name}.json", "--key-file", KEYS)
    assert status == 0, err
    found = json.loads(out)
    expected = json.loads(preview(MESSAGES / f"{name}.expected.json")[1])
    assert found["format"] == "cxp" and found["records"] == expected["records"] != []


@pytest.mark.parametrize("percent", range(0, 100, 7))
def test_an_answer_that_is_cut_off_is_refused(preview, tmp_path, percent):
    whole = (MESSAGES / f"{ANSWERS[1]}.json").read_bytes()
    part = tmp_path / "part.json"
    part.write_bytes(whole[: len(whole) * percent // 100])
    status, out, _ = preview(part, "--key-file", KEYS)
    assert status in (1, 11) and "records" not in out


def test_a_request_is_nothing_to_import(preview):
    status, _, err = preview(MESSAGES / "generated-request.json")
    assert status == 7 and "keyway export FILE --to REQUEST" in err


@pytest.fixture(scope="module")
def sides(stage):
    """One who exports, and one who imports."""
    with Keyway() as exporter, Keyway() as importer:
        for session in (exporter, importer):
            session.prefix.symlink_to(stage)
            session.start_broker()
            session.keyway("providers", "enable", "--yes", PASSWORDS)
            session.keyway("passwords", "init", "--memory", "64", secrets=[MASTER, MASTER])
        for name in ("One", "Two"):
            exporter.keyway("passwords", "add", name, "--user", "ada", secrets=[f"hunter-{name}"])
        yield exporter, importer


def type_twice(terminal: Terminal) -> None:
    """The master password, for the terminal and for the export."""
    for pattern in ("Master password:\\s*$", "(?s)Master password.*Master password:\\s*$"):
        terminal.wait_for(pattern)
        terminal.type(MASTER + ENTER)


def request(session: Keyway, path: Path) -> dict:
    status, out, err = run(session, "import", "--request", str(path), "--yes", "--json")
    assert status == 0, err
    return json.loads(out)


def answer(session: Keyway, path: Path, to: Path, fingerprint: str) -> tuple[int, str, str]:
    options = ("--to", str(to), "--fingerprint", fingerprint, "--yes")
    return run(session, "export", str(path), *options, secrets=[MASTER])


def keys(session: Keyway) -> Path:
    return session.socket.with_name("exchange-request")


def test_what_was_asked_for_arrives_once(sides, tmp_path):
    exporter, importer = sides
    asked, answered = tmp_path / "request.json", tmp_path / "answer.json"
    made = request(importer, asked)
    assert stat.S_IMODE(keys(importer).stat().st_mode) == 0o600
    assert stat.S_IMODE(asked.stat().st_mode) == 0o600 and '"d"' not in asked.read_text()
    status, _, err = answer(exporter, answered, asked, made["fingerprint"])
    assert status == 0 and "isn't encrypted" not in err, err
    text = answered.read_text()
    assert "hunter" not in text and "One" not in text
    # It may be looked at before it is stored.
    status, out, err = run(importer, "import", str(answered), "--preview", "--json", "--reveal")
    assert status == 0 and made["fingerprint"] in err, err
    assert {record["password"] for record in json.loads(out)["records"]} == {"hunter-One", "hunter-Two"}
    status, _, err = run(importer, "import", str(answered), "--yes", "--json")
    assert status == 0, err
    assert titles(importer) == ["One", "Two"] and not keys(importer).exists()
    # Replayed: nothing opens it any more.
    status, _, err = run(importer, "import", str(answered), "--yes")
    assert status == 3 and "none waits" in err
    assert run(importer, "import", "--undo", "--yes")[0] == 0


def test_a_request_gets_one_answer(sides, tmp_path):
    exporter, importer = sides
    asked, first, second = (tmp_path / f"{name}.json" for name in ("request", "first", "second"))
    made = request(importer, asked)
    for path in (first, second):
        assert answer(exporter, path, asked, made["fingerprint"])[0] == 0
    assert run(importer, "import", str(first), "--preview")[0] == 0
    status, _, err = run(importer, "import", str(second), "--preview")
    assert status == 7 and "A request gets one answer." in err
    assert run(importer, "import", str(first), "--preview")[0] == 0


def test_a_request_whose_key_was_replaced_is_not_answered(sides, tmp_path):
    exporter, importer = sides
    asked, answered = tmp_path / "request.json", tmp_path / "answer.json"
    made = request(importer, asked)
    theirs = json.loads((MESSAGES / "generated-request.json").read_text())
    forged = json.loads(asked.read_text())
    forged["hpke"][0]["key"] = theirs["hpke"][0]["key"]
    asked.write_text(json.dumps(forged))
    status, _, err = answer(exporter, answered, asked, made["fingerprint"])
    assert status == 7 and "replaced" in err and not answered.exists()
    # Nor is anything believed that nobody has compared.
    status, _, err = run(exporter, "export", str(answered), "--to", str(asked), "--yes", secrets=[MASTER], alone=True)
    assert status == 5 and "--fingerprint" in err and not answered.exists()


def test_a_person_compares_the_fingerprint(sides, tmp_path):
    exporter, importer = sides
    asked, answered = tmp_path / "request.json", tmp_path / "answer.json"
    made = request(importer, asked)
    command = [exporter.prefix / "bin/keyway", "export", answered, "--to", asked]
    with Terminal(command, exporter.environment, columns=200) as terminal:
        terminal.wait_for(made["fingerprint"])
        terminal.type("n")
        status, _, _ = terminal.finish()
    assert status == 4 and not answered.exists()
    with Terminal(command, exporter.environment, columns=200) as terminal:
        terminal.wait_for(made["fingerprint"])
        terminal.type("y")
        type_twice(terminal)
        status, _, err = terminal.finish()
    assert status == 0 and "“keyway.org” (as it says of itself)" in err, err
    assert run(importer, "import", str(answered), "--preview")[0] == 0


def test_an_answer_to_another_request_is_refused(sides, tmp_path):
    exporter, importer = sides
    asked, answered = tmp_path / "request.json", tmp_path / "answer.json"
    made = request(importer, asked)
    assert answer(exporter, answered, asked, made["fingerprint"])[0] == 0
    request(importer, tmp_path / "newer.json")
    status, _, err = run(importer, "import", str(answered), "--preview")
    assert status == 7 and "isn't encrypted for this key" in err
    # Which is no reason to end the request that waits.
    assert keys(importer).exists()


def test_an_answer_in_another_way_than_was_offered_is_refused(sides, tmp_path):
    exporter, importer = sides
    asked, answered = tmp_path / "request.json", tmp_path / "answer.json"
    request(importer, asked)
    weaker = json.loads(asked.read_text())
    weaker["hpke"] = [{**weaker["hpke"][0], "aead": 1}]
    asked.write_text(json.dumps(weaker))
    shown = run(exporter, "export", str(answered), "--to", str(asked), "--fingerprint", "0", "--yes")
    assert shown[0] == 7
    with Terminal(
        [exporter.prefix / "bin/keyway", "export", answered, "--to", asked], exporter.environment
    ) as terminal:
        terminal.wait_for("The fingerprint of the request")
        terminal.type("y")
        type_twice(terminal)
        assert terminal.finish()[0] == 0
    status, _, err = run(importer, "import", str(answered), "--preview")
    assert status == 11 and "didn't offer" in err


@pytest.mark.parametrize("ends", ["1", "99999999999", "soon"])
def test_a_request_that_has_ended_opens_nothing(sides, tmp_path, ends):
    exporter, importer = sides
    asked, answered = tmp_path / "request.json", tmp_path / "answer.json"
    made = request(importer, asked)
    assert answer(exporter, answered, asked, made["fingerprint"])[0] == 0
    lines = keys(importer).read_text().split("\n")
    assert int(lines[1]) == made["ends"]
    lines[1] = ends
    keys(importer).write_text("\n".join(lines))
    assert run(importer, "import", str(answered), "--preview")[0] == 3
    assert not keys(importer).exists()


def test_keys_that_others_can_read_are_not_used(sides, tmp_path):
    exporter, importer = sides
    asked, answered = tmp_path / "request.json", tmp_path / "answer.json"
    made = request(importer, asked)
    assert answer(exporter, answered, asked, made["fingerprint"])[0] == 0
    keys(importer).chmod(0o644)
    status, _, err = run(importer, "import", str(answered), "--preview")
    assert status == 7 and "can be read" in err
    keys(importer).unlink()


def test_requests_of_others_are_answered_with_what_they_ask_for(sides, preview, tmp_path):
    exporter, _ = sides
    for name in ("generated-request", "generated-request-bitwarden-shape", "generated-request-unknown-values"):
        asked, answered = tmp_path / f"{name}.json", tmp_path / f"{name}-answer.json"
        shutil.copy(MESSAGES / f"{name}.json", asked)
        with Terminal(
            [exporter.prefix / "bin/keyway", "export", answered, "--to", asked], exporter.environment
        ) as terminal:
            terminal.wait_for("The fingerprint of the request")
            terminal.type("y")
            type_twice(terminal)
            assert terminal.finish()[0] == 0
        status, out, err = preview(answered, "--key-file", KEYS)
        assert status == 0, err
        assert {record["password"] for record in json.loads(out)["records"]} == {"hunter-One", "hunter-Two"}


@pytest.mark.parametrize(
    "arguments",
    [
        ("export", "FILE", "--format", "cxp"),
        ("export", "FILE", "--format", "kdbx", "--to", "R"),
        ("export", "FILE", "--fingerprint", "1"),
        ("import", "--request", "R", "FILE"),
        ("import", "--request", "R", "--preview"),
    ],
)
def test_options_that_make_no_sense_together_are_refused(sides, arguments):
    assert run(sides[0], *arguments)[0] == 2
