"""`keyway import FOLDER`: a store of `pass`, which the real gpg decrypts."""

from __future__ import annotations

import json
import os
import subprocess

import pytest
from password_store import PASSPHRASE, is_missing
from terminal import ENTER, Terminal

from session.store import Store

pytestmark = pytest.mark.skipif(is_missing("pass", "gpg"), reason="there is no pass, or no gpg")

LINK = "otpauth://totp/Example:ada?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ&issuer=Example"
ENTRY = f"first line\nuser: ada\nurl: https://example.net/login\npin: 1234\n{LINK}\n\nremember\nthis\n"


@pytest.fixture
def store(keyway):
    """An empty store with a key that has no passphrase."""
    store = Store(keyway)
    store.init(store.make_key("open"))
    yield store
    store.close()


@pytest.fixture
def locked(keyway):
    """An empty store with a key whose passphrase nobody has typed yet."""
    store = Store(keyway)
    store.init(store.make_key("locked", PASSPHRASE))
    yield store
    store.close()


def preview(store, *options: str, **variables: str) -> tuple[int, dict, str]:
    """What would be imported of the store: how the command ended, its document, and what it said."""
    finished = subprocess.run(
        [store.session.prefix / "bin/keyway", "import", store.folder, "--preview", "--json", "--reveal", *options],
        env={**store.environment, **variables},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=120,
        start_new_session=True,
    )
    return finished.returncode, json.loads(finished.stdout or "{}"), finished.stderr


def test_an_entry_is_read_as_pass_and_its_extensions_write_it(store):
    store.insert("Web/example.com/grace", ENTRY)
    status, found, _ = preview(store)
    assert (status, found["format"], found["skipped"]) == (0, "pass", [])
    (record,) = found["records"]
    assert (record["title"], record["username"], record["password"]) == ("example.com", "ada", "first line")
    assert record["urls"] == ["example.com", "https://example.net/login"]
    assert record["folder"] == ["Web"] and record["notes"] == "remember\nthis"
    assert record["custom"] == [["pin", "1234", True]]
    assert record["totp"] == {"secret": "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ", "issuer": "Example", "account": "ada"}


@pytest.mark.parametrize(
    ("name", "title", "user", "folder"),
    [
        ("example.com/ada", "example.com", "ada", []),
        ("a/b/example.com", "example.com", "", ["a", "b"]),
        ("Work/bank", "bank", "", ["Work"]),
        ("Web/ada@example.com", "ada@example.com", "ada", ["Web"]),
        ("odd 'name' $(an)/日本", "日本", "", ["odd 'name' $(an)"]),
    ],
)
def test_what_the_name_says(store, name, title, user, folder):
    store.insert(name, "secret\n")
    (record,) = preview(store)[1]["records"]
    assert (record["title"], record["username"], record["folder"]) == (title, user, folder)


def test_an_entry_for_another_key_is_told_and_the_others_go_in(store):
    store.insert("example.com/ada", "secret\n")
    other = store.make_key("gone")
    store.init(other, folder="theirs")
    store.insert("theirs/example.org", "other\n")
    listing = store.run("gpg", "--with-colons", "--list-secret-keys", other).decode().splitlines()
    fingerprint = next(line.split(":")[9] for line in listing if line.startswith("fpr"))
    store.run("gpg", "--batch", "--yes", "--delete-secret-keys", fingerprint)
    (store.folder / "damaged.gpg").write_bytes(b"no message of gpg")
    status, found, _ = preview(store)
    assert status == 0
    assert [record["title"] for record in found["records"]] == ["example.com"]
    assert {entry["place"]: entry["reason"] for entry in found["skipped"]} == {
        "damaged": "The entry is damaged: gpg cannot read it.",
        "theirs/example.org": "The entry is encrypted to keys that are not yours.",
    }


def test_links_lead_nowhere_and_git_is_not_looked_at(store, tmp_path):
    store.insert("example.com/ada", "secret\n")
    outside = tmp_path / "outside"
    outside.mkdir()
    (store.folder / "example.com/ada.gpg").rename(outside / "stolen.gpg")
    store.insert("example.com/ada", "secret\n")
    (store.folder / "folder").symlink_to(outside)
    (store.folder / "file.gpg").symlink_to(outside / "stolen.gpg")
    (store.folder / "up").symlink_to("..")
    for hidden in (".git", "Web/.git", ".extensions"):
        (store.folder / hidden).mkdir(parents=True)
        os.link(outside / "stolen.gpg", store.folder / hidden / "x.gpg")
    os.mkfifo(store.folder / "pipe.gpg")
    status, found, _ = preview(store)
    assert (status, [record["title"] for record in found["records"]]) == (0, ["example.com"])
    assert {entry["place"] for entry in found["skipped"]} == {"folder", "file.gpg", "up"}
    assert all("link" in entry["reason"] for entry in found["skipped"])


def test_a_locked_key_without_a_terminal_is_told_of_each_entry(locked):
    locked.insert("example.com/ada", "secret\n")
    locked.insert("example.org/ada", "secret\n")
    locked.forget()
    status, found, _ = preview(locked)
    assert (status, found["records"]) == (0, [])
    assert [entry["reason"] for entry in found["skipped"]] == ["The key is locked."] * 2


@pytest.mark.skipif(is_missing("pinentry-curses"), reason="there is no pinentry-curses")
def test_a_pinentry_asks_on_the_terminal(locked):
    locked.insert("example.com/ada", "secret\n")
    locked.forget()
    (locked.keyring / "gpg-agent.conf").write_text("pinentry-program /usr/bin/pinentry-curses\n")
    locked.run("gpgconf", "--kill", "gpg-agent")
    command = [locked.session.prefix / "bin/keyway", "import", locked.folder, "--preview"]
    with Terminal(command, {**locked.environment, "TERM": "xterm"}) as terminal:
        terminal.wait_for("Passphrase")
        terminal.type(PASSPHRASE + ENTER)
        status, out, _ = terminal.finish()
    assert status == 0 and "pass, 1 entry, with 1 password" in out
    assert PASSPHRASE not in terminal.text


def test_no_entry_is_read_where_there_is_no_gpg(store):
    store.insert("example.com/ada", "secret\n")
    status, found, said = preview(store, PATH="/nowhere")
    assert (status, found) == (1, {}) and "without gpg" in said


@pytest.mark.parametrize("marker", [".age-recipients", "example.com.age"])
def test_a_store_of_age_is_refused_by_name(keyway, tmp_path, marker):
    (tmp_path / marker).write_text("age1qqq")
    finished = subprocess.run(
        [keyway.prefix / "bin/keyway", "import", tmp_path, "--preview"],
        env=keyway.environment,
        capture_output=True,
        text=True,
        stdin=subprocess.DEVNULL,
        timeout=60,
    )
    assert finished.returncode == 7 and "age encrypted" in finished.stderr


def test_no_secret_is_in_an_argument_or_a_variable(store, tmp_path):
    """gpg is replaced by one that notes how it was started."""
    store.insert("example.com/ada", "canary-secret\n")
    shim = tmp_path / "bin"
    shim.mkdir()
    (shim / "gpg").write_text(f'#!/bin/sh\n{{ echo "$@"; env; }} >>{tmp_path}/noted\nexec /usr/bin/gpg "$@"\n')
    (shim / "gpg").chmod(0o755)
    status, found, _ = preview(store, PATH=f"{shim}:{store.environment['PATH']}")
    assert (status, found["records"][0]["password"]) == (0, "canary-secret")
    noted = (tmp_path / "noted").read_text()
    assert "--decrypt" in noted and "canary" not in noted
