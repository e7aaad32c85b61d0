"""`keyway import --from`: what the real Firefox and Chromium stored."""

from __future__ import annotations

import json
import shutil
import sqlite3
import subprocess
from pathlib import Path

import browser_profiles
import pytest
from conftest import Keyway
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes
from cryptography.hazmat.primitives.hashes import SHA1
from cryptography.hazmat.primitives.kdf.pbkdf2 import PBKDF2HMAC
from password_store import is_missing
from store_key import Keyring
from terminal import ENTER, Terminal
from test_cli import MASTER, run
from test_verification import PIN, Person, set_pin

from session.private import PASSWORDS

FIREFOX = [
    ("https://example.com", "https://example.com", None, "ada", "päss wörd 1"),
    ("https://http.example", None, "realm", "bob", "x" * 300),
    ("chrome://FirefoxAccounts", None, "Firefox Accounts credentials", "uid", "keys"),
]
CHROMIUM = [("https://example.com/login", "ada", "päss wörd 1", "a note"), ("https://b.example/", "bob", "zwei", "")]
PRIMARY = "the primary password"
needs_firefox = pytest.mark.skipif(is_missing("firefox-esr"), reason="there is no Firefox")
needs_chromium = pytest.mark.skipif(is_missing("chromium"), reason="there is no Chromium")


@pytest.fixture(scope="module")
def firefox(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("firefox") / "plain"
    browser_profiles.firefox(folder, FIREFOX, never=("https://never.example", "https://never.example.org"))
    return folder


@pytest.fixture(scope="module")
def protected(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("firefox") / "protected"
    browser_profiles.firefox(folder, FIREFOX, primary=PRIMARY)
    return folder


@pytest.fixture(scope="module")
def chromium(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("chromium") / "plain"
    browser_profiles.chromium(folder, CHROMIUM)
    return folder


def use_firefox(session, *profiles: tuple[str, Path]) -> Path:
    """Copies profiles of Firefox to where Firefox has them."""
    base = session.folder / "home/.mozilla/firefox"
    base.mkdir(parents=True)
    text = ""
    for number, (name, folder) in enumerate(profiles):
        shutil.copytree(folder, base / name, symlinks=True)
        text += f"[Profile{number}]\nName={name}\nIsRelative=1\nPath={name}\n\n"
    (base / "profiles.ini").write_text(text + "[General]\nStartWithLastProfile=1\n")
    return base


def use_chromium(session, folder: Path, name: str = "Default") -> Path:
    """Copies the profile of Chromium to where Chromium has it."""
    base = session.folder / "home/.config/chromium"
    base.mkdir(parents=True)
    shutil.copytree(folder / "Default", base / name, symlinks=True)
    shutil.copy(folder / "Local State", base)
    return base / name


def preview(session, word: str, *, secret: str = "") -> tuple[int, dict, str]:
    finished = subprocess.run(
        [session.prefix / "bin/keyway", "import", "--from", word, "--preview", "--json", "--reveal"],
        env=session.environment,
        input=secret,
        capture_output=True,
        text=True,
        timeout=120,
        start_new_session=True,
    )
    return finished.returncode, json.loads(finished.stdout or "{}"), finished.stderr


def said(found: dict) -> dict[str, str]:
    return {entry["reason"]: entry["place"] for entry in found["skipped"]}


# Firefox


@needs_firefox
def test_what_firefox_stored_is_read(broker, firefox):
    use_firefox(broker, ("default-release", firefox))
    status, found, _ = preview(broker, "firefox")
    assert (status, found["format"]) == (0, "firefox-profile")
    first, second = found["records"]
    assert (first["title"], first["username"], first["password"]) == ("example.com", "ada", "päss wörd 1")
    assert first["urls"] == ["https://example.com"] and first["created"] and first["modified"]
    assert (second["username"], second["password"]) == ("bob", "x" * 300)
    assert said(found) == {
        "These are keys of Firefox itself, and no password of a site.": "1 entry",
        "Firefox was told never to save passwords of them.": "2 sites",
    }


@needs_firefox
def test_the_primary_password_is_asked_for(broker, protected):
    use_firefox(broker, ("mine", protected))
    assert preview(broker, "firefox:mine")[0] == 5
    status, found, err = preview(broker, "firefox:mine", secret="wrong\n")
    assert (status, found) == (6, {}) and "primary password is wrong" in err and "wrong\n" not in err
    status, found, _ = preview(broker, "firefox:mine", secret=PRIMARY + "\n")
    assert status == 0 and [record["username"] for record in found["records"]] == ["ada", "bob"]


@needs_firefox
def test_a_mistyped_primary_password_is_asked_for_again(broker, protected):
    use_firefox(broker, ("mine", protected))
    command = [broker.prefix / "bin/keyway", "import", "--from", "firefox:mine", "--preview"]
    with Terminal(command, {**broker.environment, "TERM": "xterm"}) as terminal:
        terminal.wait_for("Primary password of Firefox")
        terminal.type("nearly" + ENTER)
        terminal.wait_for("(?s)Primary password.*Primary password")
        terminal.type(PRIMARY + ENTER)
        status, out, err = terminal.finish()
    assert status == 0 and "2 entries, with 2 passwords" in out and "wrong" in err
    assert PRIMARY not in terminal.text and "nearly" not in terminal.text


SDR = r"""
#include <nss.h>
#include <nssb64.h>
#include <pk11pub.h>
#include <pk11sdr.h>
#include <stdio.h>
#include <string.h>
int main(int count, char **words) {
    char place[4096];
    snprintf(place, sizeof place, "sql:%s", words[1]);
    if (NSS_InitReadWrite(place) != SECSuccess) return 1;
    PK11SlotInfo *slot = PK11_GetInternalKeySlot();
    if (PK11_NeedUserInit(slot) && PK11_InitPin(slot, NULL, "") != SECSuccess) return 2;
    for (int i = 2; i < count; i++) {
        SECItem key = {0}, text = {siBuffer, (unsigned char *)words[i], strlen(words[i])}, out = {0};
        if (PK11SDR_Encrypt(&key, &text, &out, NULL) != SECSuccess) return 3;
        printf("%s\n\n", NSSBase64_EncodeItem(NULL, NULL, 0, &out));
        fflush(stdout);
    }
    return 0;
}
"""


@pytest.mark.skipif(is_missing("cc", "pkg-config"), reason="there is no compiler")
def test_what_former_versions_of_firefox_encrypted_is_read(broker, tmp_path):
    """NSS itself encrypts, as Firefox had it do until version 143: with triple DES."""
    (tmp_path / "sdr.c").write_text(SDR)
    flags = subprocess.run(["pkg-config", "--cflags", "--libs", "nss"], capture_output=True, text=True, check=True)
    subprocess.run(["cc", "-o", tmp_path / "sdr", tmp_path / "sdr.c", *flags.stdout.split()], check=True)
    profile = tmp_path / "old"
    profile.mkdir()
    made = subprocess.run([tmp_path / "sdr", profile, "ada", "älter"], capture_output=True, text=True, check=True)
    user, password = ("".join(text.split()) for text in made.stdout.strip().split("\n\n"))
    login = {"hostname": "https://old.example", "httpRealm": None, "encType": 1, "timeCreated": 1_500_000_000_000}
    login |= {"encryptedUsername": user, "encryptedPassword": password}
    (profile / "logins.json").write_text(json.dumps({"logins": [login], "disabledHosts": ["https://no.example"]}))
    use_firefox(broker, ("old", profile))
    status, found, err = preview(broker, "firefox")
    assert status == 0, err
    (record,) = found["records"]
    assert (record["username"], record["password"], record["created"]) == ("ada", "älter", 1_500_000_000)
    assert said(found) == {"Firefox was told never to save passwords of them.": "1 site"}


@needs_firefox
@pytest.mark.parametrize("file", ["key4.db", "logins.json"])
@pytest.mark.parametrize("damage", ["truncated", "zeros", "link", "gone"])
def test_a_damaged_profile_of_firefox_is_told_and_gives_nothing(broker, firefox, tmp_path, file, damage):
    base = use_firefox(broker, ("default", firefox))
    path = base / "default" / file
    content = path.read_bytes()
    (tmp_path / "real").write_bytes(content)
    path.unlink()
    if damage == "truncated":
        path.write_bytes(content[: len(content) // 2])
    elif damage == "zeros":
        path.write_bytes(bytes(len(content)))
    elif damage == "link":
        path.symlink_to(tmp_path / "real")
    status, found, err = preview(broker, "firefox:default")
    assert status in (1, 3, 7, 11), err
    assert found == {} and err and "päss" not in err


# Chromium


@needs_chromium
def test_what_chromium_stored_is_read(broker, chromium):
    use_chromium(broker, chromium)
    status, found, _ = preview(broker, "chromium")
    assert (status, found["format"], found["skipped"]) == (0, "chromium-profile", [])
    first, second = found["records"]
    assert (first["title"], first["username"], first["password"]) == ("example.com", "ada", "päss wörd 1")
    assert first["urls"] == ["https://example.com/login"] and first["notes"] == "a note"
    assert first["created"] > 1_700_000_000
    assert (second["password"], second["notes"]) == ("zwei", "")


@needs_chromium
@pytest.mark.skipif(is_missing("gnome-keyring-daemon", "dbus-daemon"), reason="there is no keyring")
def test_what_chromium_stored_under_a_key_of_the_keyring_is_read(broker, tmp_path):
    keyring = Keyring(tmp_path / "keyring")
    try:
        keyring.open()
        bus = {"DBUS_SESSION_BUS_ADDRESS": keyring.address}
        folder = tmp_path / "chromium"
        browser_profiles.chromium(folder, CHROMIUM, store="gnome-libsecret", environment=bus)
        with sqlite3.connect(folder / "Default/Login Data") as rows:
            assert {row[0][:3] for row in rows.execute("SELECT password_value FROM logins")} == {b"v11"}
        use_chromium(broker, folder)
        status, found, _ = preview(broker, "chromium")
        assert status == 0 and found["records"] == []
        assert [entry["place"] for entry in found["skipped"]] == ["2 passwords"]
        assert "keyring" in found["skipped"][0]["reason"]
        broker.environment |= bus
        status, found, _ = preview(broker, "chromium")
        assert status == 0 and [record["password"] for record in found["records"]] == ["päss wörd 1", "zwei"]
        keyring.lock()
        status, found, _ = preview(broker, "chromium")
        assert status == 0 and found["records"] == [] and "unlock the login keyring" in found["skipped"][0]["reason"]
    finally:
        keyring.close()


def encrypted(text: str, password: bytes = b"peanuts", version: bytes = b"v10") -> bytes:
    """As `components/os_crypt` of Chromium describes it for Linux."""
    key = PBKDF2HMAC(SHA1(), 16, b"saltysalt", 1).derive(password)
    data = text.encode()
    data += bytes([16 - len(data) % 16]) * (16 - len(data) % 16)
    cipher = Cipher(algorithms.AES(key), modes.CBC(b" " * 16)).encryptor()
    return version + cipher.update(data) + cipher.finalize()


COLUMNS = (
    "origin_url, username_value, password_value, signon_realm, date_created, blacklisted_by_user, scheme, "
    "federation_url, username_element, password_element"
)


def row(url: str, user: str, value: bytes, *, never: int = 0, scheme: int = 0, federation: str = "") -> tuple:
    return (url, user, value, url, 13_300_000_000_000_000, never, scheme, federation, "", "")


@needs_chromium
def test_rows_that_are_no_passwords_are_counted_and_odd_ones_are_told(broker, chromium):
    profile = use_chromium(broker, chromium)
    with sqlite3.connect(profile / "Login Data") as rows:
        rows.execute("DELETE FROM logins")
        rows.executemany(
            f"INSERT INTO logins ({COLUMNS}) VALUES ({','.join('?' * 10)})",
            [
                row("https://one.example/", "ada", encrypted("eins")),
                row("android://hash@com.example.app/", "ada", encrypted("zwei")),
                row("https://basic.example/", "ada", encrypted("drei"), scheme=1),
                row("https://never.example/", "", b"", never=1),
                row("https://never.example.org/", "", b"", never=1),
                row("https://federated.example/", "ada", b"", federation="https://idp.example"),
                row("https://wrong.example/", "ada", encrypted("x", b"another")),
                row("https://short.example/", "ada", b"v10" + b"short"),
                row("https://later.example/", "ada", b"v12" + bytes(32)),
                row("https://keyring.example/", "ada", encrypted("x", b"k", b"v11")),
            ],
        )
    status, found, _ = preview(broker, "chromium:Default")
    assert status == 0
    assert [(record["title"], record["password"]) for record in found["records"]] == [
        ("one.example", "eins"),
        ("com.example.app", "zwei"),
        ("basic.example", "drei"),
    ]
    assert found["records"][1]["urls"] == ["androidapp://com.example.app"]
    places = said(found)
    assert places.pop("It can't be decrypted.") == "2 passwords"
    assert sorted(places.values()) == ["1 account", "1 password", "1 password", "2 sites"]


@needs_chromium
@pytest.mark.parametrize("mode", ["wal", "exclusive"])
def test_a_browser_that_is_running_is_no_obstacle(broker, chromium, mode):
    """What is in a write-ahead log counts once it is committed, and a lock keeps nobody out who reads a copy."""
    profile = use_chromium(broker, chromium)
    browser = sqlite3.connect(profile / "Login Data", isolation_level=None)
    if mode == "wal":
        browser.execute("PRAGMA journal_mode = WAL")
        browser.execute("PRAGMA wal_autocheckpoint = 0")
    else:
        browser.execute("PRAGMA locking_mode = EXCLUSIVE")
    browser.execute(
        f"INSERT INTO logins ({COLUMNS}) VALUES ({','.join('?' * 10)})",
        row("https://new.example/", "eve", encrypted("neu")),
    )
    browser.execute("BEGIN IMMEDIATE")
    try:
        status, found, err = preview(broker, "chromium:Default")
        assert status == 0, err
        assert [record["password"] for record in found["records"]] == ["päss wörd 1", "zwei", "neu"]
        if mode == "wal":
            browser.execute("DELETE FROM logins")
            assert len(preview(broker, "chromium:Default")[1]["records"]) == 3
            browser.execute("COMMIT")
            assert preview(broker, "chromium:Default")[1]["records"] == []
    finally:
        browser.close()


@needs_chromium
@pytest.mark.parametrize("damage", ["truncated", "zeros", "text", "view", "link"])
def test_a_damaged_database_is_told_and_gives_nothing(broker, chromium, tmp_path, damage):
    path = use_chromium(broker, chromium) / "Login Data"
    content = path.read_bytes()
    match damage:
        case "truncated":
            path.write_bytes(content[:5000])
        case "zeros":
            path.write_bytes(bytes(len(content)))
        case "text":
            path.write_text("no database" * 1000)
        case "view":
            with sqlite3.connect(path) as rows:
                rows.execute("ALTER TABLE logins RENAME TO kept")
                rows.execute("CREATE VIEW logins AS SELECT * FROM kept")
        case "link":
            path.rename(tmp_path / "elsewhere")
            path.symlink_to(tmp_path / "elsewhere")
    status, found, err = preview(broker, "chromium:Default")
    if damage == "link":
        # The database for an account is there, and empty; the link is no file.
        assert status in (3, 7)
    else:
        assert status == 11, err
    assert found == {} or not found["records"]


# The vault


@needs_chromium
def test_what_a_browser_stored_is_in_the_vault_until_it_is_taken_back(broker, chromium):
    use_chromium(broker, chromium)
    broker.keyway("providers", "enable", "--yes", PASSWORDS)
    set_pin(broker)
    broker.keyway("passwords", "init", "--memory", "64", secrets=[MASTER, MASTER])
    # Nobody is there to be verified.
    assert run(broker, "import", "--from", "chromium", "--yes")[0] == 7

    def at_terminal(*words: str) -> tuple[str, str]:
        with Person(broker, *words) as person:
            terminal = person.terminal
            while terminal.process.poll() is None:
                terminal.pump(0.05)
                # Each question takes the terminal anew.
                if terminal.written.count("\x1b[?2004h") > person.asked and ":" in terminal.text:
                    person.asked += 1
                    person.types(PIN if "Keyway PIN" in terminal.text else MASTER)
            status, out, err = terminal.finish()
        assert status == 0, err
        return out, err

    _, said = at_terminal("import", "--from", "chromium", "--yes")
    assert "its own saving" in said and "chrome://password-manager/settings" in said

    def titles() -> list[str]:
        return sorted(item["title"] for item in json.loads(at_terminal("passwords", "list", "--json")[0])["items"])

    assert titles() == ["b.example", "example.com"]
    again = json.loads(at_terminal("import", "--from", "chromium:Default", "--yes", "--json")[0])
    assert (again["added"], again["duplicates"]) == (0, 2)
    at_terminal("import", "--undo", "--yes")
    assert titles() == []


# Which profile, and who may


@needs_firefox
@needs_chromium
def test_profiles_are_listed_and_doctor_names_each_with_its_command(broker, firefox, protected, chromium):
    use_firefox(broker, ("default", firefox), ("second one", protected))
    use_chromium(broker, chromium, "Profile 1")
    listed = json.loads(broker.keyway("import", "--list-browsers", "--json"))["profiles"]
    assert [(entry["name"], entry["passwords"]) for entry in listed] == [
        ("chromium:Profile 1", 2),
        ("firefox:default", 3),
        ("firefox:second one", 3),
    ]
    finished = subprocess.run(
        [broker.prefix / "bin/keyway", "doctor", "--json"], env=broker.environment, capture_output=True, timeout=120
    )
    checks = {check["name"]: check for check in json.loads(finished.stdout)["checks"]}
    assert checks["passwords:firefox:default"]["remedy"] == "keyway import --from firefox:default"
    assert checks["passwords:chromium:Profile 1"]["remedy"] == "keyway import --from 'chromium:Profile 1'"
    status, _, err = preview(broker, "firefox")
    assert status == 2 and "firefox:default" in err and "firefox:second one" in err


@pytest.mark.parametrize(("word", "status"), [("lynx", 2), ("chromium", 3), ("firefox:nobody", 3), ("../..", 2)])
def test_what_is_no_profile_is_said(broker, word, status):
    assert preview(broker, word)[0] == status


@needs_chromium
def test_a_profile_that_is_a_link_is_read_where_it_lies(broker, chromium, tmp_path):
    profile = use_chromium(broker, chromium)
    shutil.move(profile, tmp_path / "elsewhere")
    profile.symlink_to(tmp_path / "elsewhere")
    assert len(preview(broker, "chromium:Default")[1]["records"]) == 2


@needs_chromium
def test_the_person_is_verified_first(broker, chromium):
    use_chromium(broker, chromium)
    set_pin(broker)
    status, found, _ = preview(broker, "chromium")
    assert status != 0 and found == {}
    with Person(broker, "import", "--from", "chromium", "--preview") as person:
        person.answers("Keyway PIN", "not the PIN")
        person.answers("Keyway PIN", PIN)
        assert "2 entries, with 2 passwords" in person.gets()
    newest = json.loads(broker.keyway("history", "--json"))["entries"][0]
    assert newest["verification"] == "pin" and "Chromium" in newest["detail"]


# What the reader can reach

REACHES = r"""
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <sys/socket.h>
#include <unistd.h>
static int can(int folder, const char *name, int flags) { return openat(folder, name, flags, 0600) >= 0; }
int main(void) {
    char said[512];
    pid_t child = fork();
    if (child == 0) _exit(0);
    int text = snprintf(
        said, sizeof said,
        "{\"code\":\"failed\",\"advice\":\"\",\"detail\":\"data %d cookies %d above %d write %d new %d unix %d inet %d "
        "fork %d environment %d\"}",
        can(4, "Login Data", O_RDONLY), can(4, "Cookies", O_RDONLY), can(4, "../Local State", O_RDONLY),
        can(4, "Login Data", O_RDWR), can(4, "new", O_RDWR | O_CREAT), socket(AF_UNIX, SOCK_STREAM, 0) >= 0,
        socket(AF_INET, SOCK_STREAM, 0) >= 0, child > 0, __environ != NULL && *__environ != NULL);
    if (write(3, said, text) != text) return 70;
    fcntl(3, F_ADD_SEALS, F_SEAL_SEAL | F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_WRITE);
    return 65;
}
"""


@needs_chromium
def test_the_reader_reaches_nothing_but_what_it_needs(stage, chromium, tmp_path):
    """Another program in its place says what it can open and connect to."""
    (tmp_path / "reaches.c").write_text(REACHES)
    with Keyway() as session:
        shutil.copytree(stage, session.prefix)
        reader = session.prefix / "libexec/keyway/keyway-browser-passwords"
        reader.unlink()
        subprocess.run(["cc", "-O1", "-o", reader, tmp_path / "reaches.c"], check=True)
        session.approve_programs()
        session.start_broker()
        profile = use_chromium(session, chromium)
        (profile / "Cookies").write_text("canary")
        _, _, err = preview(session, "chromium:Default")
    assert "data 1 cookies 0 above 0 write 0 new 0 unix 0 inet 0 fork 0 environment 0" in err
