"""What is written down of what the broker does, by the installed programs: who, which account, when; never a secret."""

import json
import subprocess

import pytest
from conftest import PAGE, fill, suggest, url
from terminal import ENTER, Terminal
from wire import Refused

from session.private import PASSWORDS

MASTER = "canary-of-the-master-password"
SECRET = "canary-of-the-password"


@pytest.fixture
def vault(broker):
    """A broker with a vault that has one account, open to pages."""
    broker.keyway("providers", "enable", "--yes", PASSWORDS)
    broker.keyway("passwords", "init", "--memory", "64", secrets=[MASTER, MASTER])
    broker.keyway("passwords", "add", "Site", "--user", "ada", "--address", PAGE, secrets=[SECRET])
    return broker


def entries(session, *options: str) -> list[dict]:
    return json.loads(session.keyway("history", "--json", *options))["entries"]


def fill_in_terminal(session) -> None:
    unlock = f'echo "{MASTER}" | "$0" passwords unlock > /dev/null 2>&1 && exec "$0" "$@"'
    command = ["/bin/sh", "-c", unlock, session.prefix / "bin/keyway", "fill", PAGE]
    with Terminal(command, {**session.environment, "TERM": "xterm"}) as terminal:
        status, out, err = terminal.finish()
        assert (status, out) == (0, SECRET + "\n"), err


def test_a_fill_in_a_terminal_is_listed(vault):
    fill_in_terminal(vault)
    newest = entries(vault)[0]
    assert newest["event"] == "fill"
    assert newest["client"].startswith("keyway")
    assert (newest["account"], newest["service"], newest["kind"]) == ("ada", "a.example", "password")
    assert newest["provider"] == PASSWORDS
    row = vault.keyway("history", "--limit", "1")
    assert "filled" in row and "ada" in row and "a.example" in row
    assert [entry["event"] for entry in entries(vault)].count("fill") == 1


def test_no_secret_is_in_it_nor_anywhere_beside(vault):
    fill_in_terminal(vault)
    listed = vault.keyway("history") + vault.keyway("history", "--json")
    files = [file for file in (vault.folder / "state").rglob("*") if file.is_file()]
    assert any(file.name == "history.sqlite" for file in files)
    told = listed.encode() + vault.log.encode() + b"".join(file.read_bytes() for file in files)
    for canary in (SECRET, MASTER):
        assert canary.encode() not in told
    sealed = b"".join(file.read_bytes() for file in files if file.name.startswith("history.sqlite"))
    for word in (b"ada", b"a.example", b"Passwords", b"fill"):
        assert word not in sealed


def test_nothing_of_a_private_window_is_listed(vault):
    # What is suggested to a page needs no terminal; the vault is open to pages since it was made.
    with vault.connect("browser") as browser:
        handle = suggest(browser)[0]["handle"]
        browser.call("fill", {**fill(handle), "isPrivate": True})
        with pytest.raises(Refused):
            browser.call("fill", {**fill(handle), "services": [url("https://b.example/")], "isPrivate": True})
    assert {entry["event"] for entry in entries(vault)} <= {"approval"}
    with vault.connect("browser") as browser:
        browser.call("fill", fill(suggest(browser)[0]["handle"]))
    assert entries(vault)[0]["event"] == "fill"


def test_a_refusal_says_why(vault):
    with vault.connect("browser") as browser:
        handle = suggest(browser)[0]["handle"]
        with pytest.raises(Refused, match="other services") as refusal:
            browser.call("fill", {**fill(handle), "services": [url("https://b.example/")]})
    newest = entries(vault)[0]
    assert newest["event"] == "refusal"
    assert newest["service"] == "b.example"
    assert newest["detail"] == str(refusal.value)


def test_it_is_cleared_and_that_stays(vault):
    fill_in_terminal(vault)
    with Terminal([vault.prefix / "bin/keyway", "history", "clear"], vault.environment) as terminal:
        terminal.wait_for("Clear the whole history")
        terminal.type(ENTER)
        assert terminal.finish()[0] == 4
    assert len(entries(vault)) > 1
    # A program that has no terminal cannot be asked, and clears nothing.
    alone = subprocess.run(
        [vault.prefix / "bin/keyway", "history", "clear", "--yes"],
        env=vault.environment,
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert alone.returncode != 0, alone
    assert len(entries(vault)) > 1
    with Terminal([vault.prefix / "bin/keyway", "history", "clear", "--yes"], vault.environment) as terminal:
        terminal.wait_for("Master password:")
        terminal.type(MASTER + ENTER)
        status, _, said = terminal.finish()
        assert status == 0, said
    assert [(entry["detail"], entry["verification"]) for entry in entries(vault)] == [
        ("The history was cleared.", "masterPassword")
    ]


def test_it_outlives_the_broker_and_is_bounded_in_time(vault):
    fill_in_terminal(vault)
    before = entries(vault)
    vault.stop(vault.processes[-1])
    vault.start_broker()
    assert entries(vault) == before
    assert entries(vault, "--since", "1h") == before
    assert entries(vault, "--since", "2099-01-01") == []


def test_a_file_that_was_changed_is_kept_aside_and_said(vault):
    fill_in_terminal(vault)
    entries(vault)
    vault.stop(vault.processes[-1])
    file = vault.folder / "state/keyway/history/history.sqlite"
    file.write_bytes(b"no database" + file.read_bytes()[11:])
    vault.start_broker()
    listed = subprocess.run(
        [vault.prefix / "bin/keyway", "history"], env=vault.environment, capture_output=True, text=True, timeout=120
    )
    assert listed.returncode == 0
    assert "was changed by another program" in listed.stdout
    assert file.with_name("history.sqlite.damaged").exists()
