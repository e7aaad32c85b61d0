"""`keyway import`: what files of other programs come to, and what they cannot do."""

from __future__ import annotations

import json
import os
import resource
import shutil
import signal
import subprocess
import time
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from conftest import Keyway
from terminal import ENTER, Terminal
from test_cli import MASTER, run

from session.private import PASSWORDS

ROOT = Path(__file__).resolve().parents[2]
EXPORTS = ROOT / "Tests/Vectors/imports"
RECORDS = json.loads((EXPORTS / "generated-records.json").read_text())
SECRETS = [record["password"] for record in RECORDS if len(record["password"]) > 5]
HOSTILE = {
    # How `keyway` ends; `Tests/ImportingTests` says what arrives.
    "deep-nesting.json": 7,
    "duplicate-ids.json": 0,
    "entity-expansion.xml": 11,
    "lying-size.1pux": 11,
    "nul-and-formula.csv": 0,
    "truncated.json": 11,
    "unbalanced-quote.csv": 11,
    "unknown-types.json": 0,
    "wrong-base64url.json": 0,
    "zip-slip.1pux": 0,
}


def spent(*command: object, **options: object) -> tuple[subprocess.CompletedProcess, float, int]:
    """Runs a command: what came of it, and seconds and MiB of it or of the largest process that it waited for."""
    read, write = os.pipe()
    start = time.monotonic()
    # A process of its own, so that what ran before doesn't count.
    child = os.fork()
    if child == 0:
        finished = subprocess.run(command, capture_output=True, text=True, timeout=120, **options)
        most = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
        with os.fdopen(write, "w") as pipe:
            json.dump([finished.returncode, finished.stdout, finished.stderr, most], pipe)
        os._exit(0)
    os.close(write)
    with os.fdopen(read) as pipe:
        code, out, err, most = json.load(pipe)
    os.waitpid(child, 0)
    return subprocess.CompletedProcess(command, code, out, err), time.monotonic() - start, most >> 10


@pytest.fixture
def preview(stage, tmp_path):
    """Runs `keyway import --preview` where there is no broker, no vault and no terminal."""

    def run(*arguments: object, password: str | None = None) -> tuple[int, str, str]:
        finished = subprocess.run(
            [stage / "bin/keyway", "import", *arguments, "--preview"],
            env={"PATH": os.environ["PATH"], "HOME": str(tmp_path)},
            input="" if password is None else password + "\n",
            capture_output=True,
            text=True,
            timeout=120,
            start_new_session=True,
        )
        return finished.returncode, finished.stdout, finished.stderr

    return run


def records(preview, *arguments: object, password: str | None = None) -> dict:
    status, out, err = preview(*arguments, "--json", "--reveal", password=password)
    assert (status, err) == (0, "")
    return json.loads(out)


# What formats have no place for (`shared/reference/credential-exchange.md`, part 4).


def lacks(*names: str):
    empty = {"favorite": False, "folder": [], "custom": [], "notes": ""}

    def remove(record: dict) -> None:
        for name in names:
            if name == "further addresses":
                record["urls"] = record["urls"][:1]
            elif name == "dates":
                record["created"] = record["modified"] = None
            elif name == "all of codes but their secrets" and record["totp"]:
                record["totp"] = {"secret": record["totp"]["secret"], "issuer": "", "account": ""}
            elif name == "what is hidden":
                record["custom"] = [[label, value, True] for label, value, _ in record["custom"]]
            elif name == "all but the host":
                record["urls"] = [f"https://{urlsplit(url).hostname}".replace("www.", "") for url in record["urls"]]
                record["title"] = record["urls"][0].removeprefix("https://") if record["urls"] else ""
            elif name in record:
                record[name] = empty.get(name)

    return remove


def of_keepass(record: dict) -> None:
    record["favorite"] = False
    # The library that made the file notes when it makes an entry.
    record["created"] = record["modified"] = 1_795_264_891
    if record["passkey"]:
        record["passkey"]["userDisplayName"] = "ada"
    # KeeOtp's form of a code says not whose it is.
    if record["totp"] and "algorithm" in record["totp"]:
        record["totp"]["issuer"] = record["totp"]["account"] = ""


ONE = ("passkey", "dates", "further addresses")
FORMATS = {
    "apple-passwords/generated_passwords.csv": ("apple-csv", lacks(*ONE, "folder", "favorite", "custom"), set()),
    "apple-passwords/generated_browser_data.zip": ("apple-zip", lacks(*ONE, "folder", "favorite", "custom"), set()),
    "bitwarden/generated_individual.csv": ("bitwarden-csv", lacks("passkey", "dates", "what is hidden"), set()),
    "bitwarden/generated_individual.json": ("bitwarden-json", lacks(), set()),
    "chrome/generated_chrome.csv": ("chrome-csv", lacks(*ONE, "folder", "favorite", "custom", "totp"), {"Empty"}),
    "firefox/generated_firefox.csv": (
        "firefox-csv",
        lacks("passkey", "further addresses", "folder", "favorite", "custom", "totp", "notes", "all but the host"),
        {"Empty", "Android app"},
    ),
    "1password/generated_1password8.csv": ("1password-csv", lacks(*ONE, "folder", "custom"), set()),
    "1password/generated.1pux": ("1password-1pux", lacks("passkey", "folder"), set()),
    "dashlane/generated_dashlane.zip": (
        "dashlane-zip",
        lacks(*ONE, "all of codes but their secrets", "favorite", "custom"),
        set(),
    ),
    "keepass/generated_keepassxc.csv": (
        "keepassxc-csv",
        lacks("passkey", "further addresses", "favorite", "custom"),
        set(),
    ),
    "keepass/generated_keepass2.xml": ("keepass-xml", of_keepass, set()),
    "keepass/generated_kdbx4.kdbx": ("kdbx", of_keepass, set()),
    "lastpass/generated_current.csv": (
        "lastpass-csv",
        lacks(*ONE, "all of codes but their secrets", "custom"),
        set(),
    ),
    "lastpass/generated_html_escaped.csv": (
        "lastpass-csv",
        lacks(*ONE, "all of codes but their secrets", "custom"),
        set(),
    ),
    "nordpass/generated_current.csv": ("nordpass-csv", lacks("passkey", "dates", "favorite", "totp"), set()),
    "proton-pass/generated_export.csv": ("proton-csv", lacks("passkey", "favorite", "custom"), set()),
    "proton-pass/generated_export.zip": ("proton-zip", lacks("passkey"), set()),
    "proton-pass/generated_data.json": ("proton-json", lacks("passkey"), set()),
}


def test_every_generated_export_is_tried():
    assert set(FORMATS) == {
        str(path.relative_to(EXPORTS)) for path in EXPORTS.rglob("generated*") if path.parent != EXPORTS
    }


@pytest.mark.parametrize("file", FORMATS)
def test_everything_that_a_format_holds_is_in_the_preview(preview, file):
    name, remove, absent = FORMATS[file]
    found = records(preview, EXPORTS / file, password="correct horse" if name == "kdbx" else None)
    assert list(found) == ["format", "records", "skipped"]
    assert found["format"] == name
    for record in json.loads(json.dumps(RECORDS)):
        if record["title"] in absent:
            continue
        remove(record)
        assert record in found["records"]
    assert all(list(record) == list(RECORDS[0]) for record in found["records"])
    assert all("trash" in entry["reason"] and set(entry) == {"place", "reason"} for entry in found["skipped"])


def test_secrets_are_printed_only_when_they_are_asked_for(preview):
    file = EXPORTS / "bitwarden/generated_individual.json"
    status, out, err = preview(file, "--json")
    assert (status, err) == (0, "")
    hidden = json.loads(out)["records"]
    revealed = records(preview, file)["records"]
    for shown, whole in zip(hidden, revealed, strict=True):
        assert shown["password"] is None and shown["notes"] is None
        for code, key in (("totp", "secret"), ("passkey", "key")):
            if whole[code]:
                assert shown[code].pop(key) is None and whole[code].pop(key)
        for field, known in zip(shown["custom"], whole["custom"], strict=True):
            assert field == [known[0], None if known[2] else known[1], known[2]]
        for record in (shown, whole):
            del record["password"], record["notes"], record["custom"]
        assert shown == whole
    for text in (out, preview(file)[1], preview(file, "--reveal")[1]):
        assert not any(secret in text for secret in [*SECRETS, "JBSWY3DPEHPK3PXP", "1111-2222", "line 1"])


def test_a_person_is_shown_counts_and_what_is_not_taken_over(preview):
    status, out, err = preview(EXPORTS / "bitwarden/generated_individual.json")
    assert (status, err) == (0, "")
    assert "Bitwarden JSON, 15 entries, with 7 passwords, 1 passkey, 2 one-time codes" in out
    assert "1 is left out:" in out and "item 15  It is in the trash of Bitwarden." in out
    assert "item 14  SSH" in out and "former password is left out" in out


def test_signs_that_would_steer_the_terminal_are_text(preview, tmp_path):
    file = tmp_path / "\x1b[31m.csv"
    file.write_text("name,url,username,password\n\x1b]0;x\x07,https://a.example/,a,\x1b[2J\n")
    for arguments in ([file], [file, "--json", "--reveal"]):
        status, out, err = preview(*arguments)
        assert status == 0 and "\x1b" not in out + err and "\x07" not in out + err
    file.write_text("nothing")
    assert "\x1b" not in preview(file)[2]


def test_several_files_are_shown_in_their_order(preview):
    files = [EXPORTS / "chrome/generated_chrome.csv", EXPORTS / "firefox/generated_firefox.csv"]
    found = records(preview, *files)["files"]
    assert [entry["file"] for entry in found] == [str(file) for file in files]
    assert [entry["format"] for entry in found] == ["chrome-csv", "firefox-csv"]
    status, out, err = preview(*files, EXPORTS / "hostile/truncated.json")
    assert (status, out) == (11, "") and "truncated.json: line 57" in err


# Files with a password


def test_the_password_of_a_file_is_a_line_of_standard_input(preview):
    found = records(preview, EXPORTS / "bitwarden/encrypted.json", password="correct horse")
    assert found["format"] == "bitwarden-json" and found["records"]


@pytest.mark.parametrize("file", ["bitwarden/encrypted.json", "keepass/generated_kdbx4.kdbx"])
@pytest.mark.parametrize("password", ["wrong horse", "", "correct horse "])
def test_a_wrong_password_is_told_by_its_exit_code(preview, file, password):
    status, out, err = preview(EXPORTS / file, "--json", password=password)
    assert (status, out) == (6, "")
    assert f"{file}: the password is wrong" in err and (not password or password not in err)


def test_a_key_file_is_used_and_one_that_cannot_be_is_refused(preview, tmp_path):
    database = EXPORTS / "keepass/generated_kdbx4.kdbx"
    key = tmp_path / "key"
    key.write_bytes(bytes(range(32)))
    # That database has none: with one, the password alone is not what opens it.
    assert preview(database, "--key-file", key, password="correct horse")[0] == 6
    key.write_bytes(b"")
    assert preview(database, "--key-file", key, password="correct horse")[0] == 7
    assert preview(database, "--key-file", tmp_path / "none", password="correct horse")[0] == 3


def test_an_empty_password_is_not_the_same_as_none(preview, tmp_path):
    key = tmp_path / "key"
    key.write_bytes(bytes(range(32)))

    def database(name: str, *options: object) -> Path:
        path = tmp_path / name
        command = ["keepassxc-cli", "db-create", *options, "-t", "100", path]
        # An empty password, and that it is meant so.
        subprocess.run(command, input="\ny\n", capture_output=True, text=True, check=True, timeout=60)
        return path

    alone = database("alone.kdbx", "--set-key-file", key)
    empty = database("empty.kdbx", "--set-password")
    both = database("both.kdbx", "--set-password", "--set-key-file", key)
    assert preview(alone, "--key-file", key)[0] == 0
    assert preview(empty, password="")[0] == 0
    assert preview(empty)[0] == 5
    assert preview(both, "--key-file", key, password="")[0] == 0
    assert preview(both, "--key-file", key)[0] == 6
    assert preview(both, password="")[0] == 6
    assert preview(empty, "--key-file", key, password="")[0] == 6


def test_without_a_terminal_and_a_line_a_person_is_needed(preview):
    status, out, _ = preview(EXPORTS / "bitwarden/encrypted.json")
    assert (status, out) == (5, "")


def test_a_terminal_asks_for_the_password_again_and_shows_none(stage, tmp_path):
    command = [stage / "bin/keyway", "import", EXPORTS / "bitwarden/encrypted.json", "--preview"]
    with Terminal(command, {"PATH": os.environ["PATH"], "HOME": str(tmp_path), "TERM": "xterm"}) as terminal:
        terminal.wait_for("Password of .*encrypted.json")
        terminal.type("not it" + ENTER)
        terminal.wait_for("(?s)Password of .*encrypted.json.*Password of .*encrypted.json")
        terminal.type("correct horse" + ENTER)
        status, out, err = terminal.finish()
        assert status == 0 and "Bitwarden JSON" in out and "password is wrong" in err
        assert "correct" not in terminal.text and "not it" not in terminal.text


# What is refused


def test_how_a_file_is_refused_is_its_exit_code(preview, tmp_path):
    assert preview(tmp_path / "none")[0] == 3
    (tmp_path / "notes").write_text("Dear diary")
    status, out, err = preview(tmp_path / "notes")
    assert (status, out) == (1, "") and "--columns" in err
    (tmp_path / "empty").touch()
    assert preview(tmp_path / "empty")[0] == 1
    with (tmp_path / "long").open("wb") as file:
        file.truncate(129 << 20)
    status, out, err = preview(tmp_path / "long")
    assert (status, out) == (7, "") and "128 MiB" in err
    assert preview(EXPORTS / "hostile/truncated.json")[0] == 11
    os.mkfifo(tmp_path / "pipe")
    assert preview(tmp_path / "pipe")[0] == 7
    assert preview("/dev/null")[0] == 7
    assert preview(tmp_path / "notes", "--columns", "colour=Name")[0] == 2
    assert preview(tmp_path / "notes", "--columns", "title=Name,title")[0] == 2


def test_of_folders_only_that_of_1password_is_one(preview, tmp_path):
    bundle = tmp_path / "My.1pif"
    bundle.mkdir()
    status, _, err = preview(bundle)
    assert status == 7 and "is a folder" in err
    entry = {
        "uuid": "1",
        "typeName": "webforms.WebForm",
        "title": "Mail",
        "location": "https://a.example/",
        "secureContents": {"fields": [{"designation": "password", "value": "one", "type": "P"}]},
    }
    text = json.dumps(entry) + "\n***5642bee8-a5ff-11dc-8314-0800200c9a66***\n"
    (tmp_path / "elsewhere").write_text(text)
    (bundle / "data.1pif").symlink_to(tmp_path / "elsewhere")
    assert preview(bundle)[0] == 1
    (bundle / "data.1pif").unlink()
    (bundle / "data.1pif").write_text(text)
    found = records(preview, bundle)
    assert found["format"] == "1password-1pif" and found["records"][0]["password"] == "one"


def test_any_csv_is_read_by_a_mapping_of_its_columns(preview, tmp_path):
    file = tmp_path / "own.csv"
    file.write_text("Seite;Wer;Kennwort;Rest\nhttps://a.example/;ada;geheim;mehr\n")
    assert preview(file)[0] == 1
    found = records(preview, file, "--columns", "url=Seite,username=Wer", "--columns", "password=Kennwort")
    assert found["format"] == "csv"
    (record,) = found["records"]
    assert (record["urls"], record["username"], record["password"]) == (["https://a.example/"], "ada", "geheim")
    assert record["custom"] == [["rest", "mehr", False]]
    status, out, err = preview(file, "--columns", "url=Site")
    assert (status, out) == (11, "") and "no column “site”" in err


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_file_takes_little_and_tells_nothing(stage, tmp_path, name):
    command = [stage / "bin/keyway", "import", EXPORTS / "hostile" / name, "--preview", "--json"]
    finished, seconds, memory = spent(*command, env={"HOME": str(tmp_path)}, stdin=subprocess.DEVNULL)
    assert finished.returncode == HOSTILE[name]
    assert seconds < 10 and memory < 256
    if finished.returncode:
        assert finished.stdout == "" and f"{name}: " in finished.stderr
    assert not any(word in finished.stdout + finished.stderr for word in ["hunter2", "secret"])


def test_what_is_in_a_file_takes_no_more_memory_than_a_reader_may_have(stage, tmp_path):
    rows = (f'Site {row},https://site{row}.example/,user{row},one secret,"{"x" * 1000}"\n' for row in range(20_000))
    (tmp_path / "many.csv").write_text("name,url,username,password,note\n" + "".join(rows))
    command = [stage / "bin/keyway", "import", tmp_path / "many.csv", "--preview"]
    finished, _, memory = spent(*command, env={"HOME": str(tmp_path)}, stdin=subprocess.DEVNULL)
    assert finished.returncode == 0 and "20000 entries, with 20000 passwords, 20000 notes" in finished.stdout
    assert memory < 200
    (tmp_path / "lines").write_bytes(b"name,url,username,password\n" + b"a,b,c,d\n" * 100_001)
    finished, _, memory = spent(*command[:2], tmp_path / "lines", "--preview", env={"HOME": str(tmp_path)})
    assert finished.returncode == 7 and "100000" in finished.stderr and memory < 200


@pytest.mark.parametrize(
    "file", ["chrome/generated_chrome.csv", "keepass/generated_keepass2.xml", "1password/generated.1pux"]
)
def test_a_file_that_is_cut_off_anywhere_is_read_or_refused_and_tells_nothing(preview, tmp_path, file):
    content = (EXPORTS / file).read_bytes()
    part = tmp_path / Path(file).name
    for percent in range(100):
        part.write_bytes(content[: len(content) * percent // 100])
        status, out, err = preview(part)
        assert status in (0, 1, 7, 11)
        assert status == 0 or (out == "" and f"{part}: " in err)
        assert not any(secret in out + err for secret in SECRETS)


# The sandbox


@pytest.fixture(scope="module")
def probed(stage, tmp_path_factory):
    """`keyway` installed with a program in place of the reader, which says what it can reach."""
    folder = tmp_path_factory.mktemp("probed")
    for name in ("bin/keyway", "libexec/keyway/keyway-confine"):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(stage / name, folder / name)
    subprocess.run(
        ["cc", "-O1", "-o", folder / "libexec/keyway/keyway-import-reader", Path(__file__).with_name("reads.c")],
        check=True,
    )
    (folder / "file").write_text("content")

    def run(wanted: str) -> tuple[subprocess.CompletedProcess, float, int]:
        told = folder / "file" if wanted == "the file itself" else wanted
        command = [folder / "bin/keyway", "import", folder / "file", "--preview", "--columns", f"title={told}"]
        return spent(*command, env={"HOME": str(folder), "SECRET": "1"}, stdin=subprocess.DEVNULL)

    return run


def test_the_reader_reaches_nothing_but_its_file(probed):
    # Not even that by its path.
    finished, _, _ = probed("the file itself")
    assert finished.returncode == 1
    assert "inet 0 unix 0 open 0 new 0 write 0 fork 0 others 0 memory 0 environment 0" in finished.stderr


def test_a_reader_that_wants_ever_more_is_ended(probed):
    finished, seconds, _ = probed("spin")
    assert finished.returncode == 7 and "more memory or time" in finished.stderr
    # Ten seconds of a processor that others use, too.
    assert 9 < seconds < 60
    finished, _, memory = probed("memory")
    assert finished.returncode == 1 and memory < 300
    most = int(finished.stderr.split("memory ")[1].split()[0])
    assert 150 < most <= 256
    finished, _, _ = probed("file")
    assert finished.returncode == 7


def test_a_reader_that_is_killed_is_told(stage, tmp_path):
    (tmp_path / "many.csv").write_text("name,url,username,password\n" + "a,b,c,d\n" * 100_000)
    with subprocess.Popen(
        [stage / "bin/keyway", "import", tmp_path / "many.csv", "--preview"],
        env={"HOME": str(tmp_path)},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as keyway:
        deadline = time.monotonic() + 30
        while not (readers := readers_of(keyway.pid)):
            assert time.monotonic() < deadline
        os.kill(readers[0], 9)
        out, err = keyway.communicate(timeout=60)
    assert (keyway.returncode, out) == (7, "") and "many.csv: " in err


def readers_of(process: int) -> list[int]:
    """The readers that a process has started."""
    found = []
    for task in Path(f"/proc/{process}/task").glob("*/children"):
        for child in task.read_text().split():
            if Path(f"/proc/{child}/comm").read_text() == "keyway-import-r\n":
                found.append(int(child))
    return found


# With a vault


@pytest.fixture
def vault(stage):
    with Keyway() as session:
        session.prefix.symlink_to(stage)
        session.start_broker()
        session.keyway("providers", "enable", "--yes", PASSWORDS)
        session.keyway("passwords", "init", "--memory", "64", secrets=[MASTER, MASTER])
        yield session


def titles(session: Keyway) -> list[str]:
    status, out, err = run(session, "passwords", "list", "--json")
    assert status == 0, err
    return sorted(item["title"] for item in json.loads(out)["items"])


def test_what_was_imported_is_found_suggested_and_filled_until_it_is_taken_back(vault, tmp_path):
    file = tmp_path / "export.csv"
    shutil.copy(EXPORTS / "chrome/generated_chrome.csv", file)
    status, out, err = run(vault, "import", str(file))
    assert (status, titles(vault)) == (5, [])
    status, out, err = run(vault, "import", str(file), "--yes", "--json")
    assert status == 0, err
    report = json.loads(out)
    assert report["added"] == report["undoable"] == len(titles(vault)) == 9
    assert file.exists() and "plain text" in err
    (found,) = json.loads(run(vault, "passwords", "search", "GitHub", "--json")[1])["items"]
    assert found["user"] == "octo@example.com"
    suggested = json.loads(run(vault, "suggest", "https://example.com/login", "--json")[1])
    assert "ada" in json.dumps(suggested)
    assert run(vault, "fill", "https://example.com/login", "--user", "ada")[1] == "hunter2\n"
    # A second time there is nothing new.
    status, out, err = run(vault, "import", str(file), "--yes")
    assert status == 0 and "Nothing was imported." in err and len(titles(vault)) == 9
    status, out, err = run(vault, "import", "--undo", "--yes")
    assert status == 0 and "9 removed" in err and titles(vault) == []
    assert "ada" not in run(vault, "suggest", "https://example.com/login", "--json")[1]
    assert run(vault, "import", "--undo", "--yes")[0] == 3


def test_conflicts_become_what_was_chosen(vault, tmp_path):
    run(vault, "passwords", "add", "Mine", "--user", "ada", "--address", "https://example.com", secrets=["before"])
    file = tmp_path / "export.csv"
    file.write_text("name,url,username,password\nExample,https://example.com/login,ada,after\n")

    def passwords() -> list[str]:
        found = json.loads(run(vault, "passwords", "list", "--json")[1])["items"]
        return sorted(run(vault, "passwords", "show", item["id"], "--field", "password")[1].strip() for item in found)

    assert run(vault, "import", str(file), "--yes", "--conflicts", "skip")[0] == 0
    assert passwords() == ["before"]
    assert run(vault, "import", str(file), "--yes", "--conflicts", "replace")[0] == 0
    assert passwords() == ["after"]
    assert run(vault, "import", "--undo", "--yes")[0] == 0
    assert passwords() == ["before"]
    assert run(vault, "import", str(file), "--yes")[0] == 0
    assert passwords() == ["after", "before"]


def of_one_account(value: object) -> object:
    """JSON of a document with what its order, and the accounts that it names, don't say."""
    if isinstance(value, dict):
        kept = {key: of_one_account(inner) for key, inner in value.items() if inner is not None}
        if "item" in kept:
            kept.pop("account", None)
        return {key: inner for key, inner in kept.items() if not (key in ("tags", "extensions") and inner == [])}
    if isinstance(value, list):
        return sorted((of_one_account(inner) for inner in value), key=lambda inner: json.dumps(inner, sort_keys=True))
    return value


def test_a_cxf_document_arrives_whole_and_comes_out_again(vault, tmp_path):
    source = ROOT / "Tests/Vectors/exchange/generated-all-types.json"
    status, out, err = run(vault, "import", str(source), "--yes", "--json")
    assert status == 0, err
    assert json.loads(out)["added"] == 16
    assert "in a place of its own" in out
    path = tmp_path / "all.json"
    status, out, err = run(vault, "export", str(path), "--yes", secrets=[MASTER])
    assert status == 0, err
    before = json.loads(source.read_text())["accounts"]
    (after,) = json.loads(path.read_text())["accounts"]
    items = [item for account in before for item in account["items"]]
    assert of_one_account(after["items"]) == of_one_account(items)
    collections = [entry for account in before for entry in account["collections"] if entry["items"]]
    assert of_one_account(after["collections"]) == of_one_account(collections)
    # A second time there is nothing new, which is asked for like the secrets themselves.
    status, out, err = run(vault, "import", str(source), "--yes")
    assert status == 0 and "Nothing was imported." in err
    history = json.loads(run(vault, "history", "--json")[1])["entries"]
    assert any("compared with a document" in json.dumps(entry) for entry in history)


def test_every_type_is_shown_in_words(vault):
    source = ROOT / "Tests/Vectors/exchange/generated-all-types.json"
    assert run(vault, "import", str(source), "--yes")[0] == 0
    words = {
        "Card": ["card", "Card number", "Name on the card", "Expires"],
        "Home address": ["address", "Street", "Postal code", "City"],
        "Name": ["name", "First name", "Last name"],
        "Driving licence": ["driver's license", "License number"],
        "Identity card": ["identity document", "Document number"],
        "Passport": ["passport", "Passport number", "Nationality"],
        "Deploy key": ["SSH key", "Private key"],
        "Wi-Fi": ["Wi-Fi network", "Network", "Wi-Fi password"],
        "API": ["API key"],
        "Generated": ["generated password", "Password"],
        "Custom": ["custom fields"],
        "Attachment": ["recovery codes.txt"],
    }
    for title, expected in words.items():
        status, out, err = run(vault, "passwords", "show", title)
        assert status == 0, err
        assert all(word in out for word in expected), out
    number = run(vault, "passwords", "show", "Card", "--field", "Card number")[1]
    assert number.strip().replace(" ", "").isdigit()
    assert number.strip() not in run(vault, "passwords", "show", "Card")[1]
    assert number in run(vault, "passwords", "show", "Card", "--reveal")[1]
    key = run(vault, "passwords", "show", "Deploy key", "--field", "Private key")[1]
    assert key.startswith("-----BEGIN PRIVATE KEY-----\n")


def test_a_terminal_asks_before_it_stores_and_before_it_deletes(vault, tmp_path):
    file = tmp_path / "export.csv"
    shutil.copy(EXPORTS / "chrome/generated_chrome.csv", file)
    with Terminal([vault.prefix / "bin/keyway", "import", file], vault.environment) as terminal:
        terminal.wait_for("Master password")
        terminal.type(MASTER + ENTER)
        terminal.wait_for("Import 9 entries into Passwords")
        terminal.type("y")
        terminal.wait_for("Delete it")
        terminal.type("y")
        status, _, err = terminal.finish()
    assert status == 0 and "Imported: 9 added." in err and f"Deleted {file}." in err
    assert not file.exists() and len(titles(vault)) == 9


def test_a_damaged_file_among_sound_ones_stores_nothing(vault):
    files = [str(EXPORTS / "chrome/generated_chrome.csv"), str(EXPORTS / "hostile/truncated.json")]
    assert run(vault, "import", *files, "--yes")[0] == 11
    assert titles(vault) == []


def test_a_parent_that_ignores_the_end_of_children_keeps_nobody_waiting(stage, tmp_path):
    """What becomes of SIGCHLD is inherited: without it, nobody hears that the reader has ended."""
    finished = subprocess.run(
        [stage / "bin/keyway", "import", "--preview", EXPORTS / "chrome/generated_chrome.csv"],
        env={"PATH": os.environ["PATH"], "HOME": str(tmp_path)},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=60,
        preexec_fn=lambda: signal.signal(signal.SIGCHLD, signal.SIG_IGN),
    )
    assert finished.returncode == 0 and "Chrome CSV" in finished.stdout
