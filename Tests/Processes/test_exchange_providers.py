"""Accounts go between Passwords and Password Store, through the real broker, in both directions.

In a terminal and in windows, with an account of what could not be carried."""

from __future__ import annotations

import json
import subprocess

import pytest
from conftest import Keyway
from cxf_documents import CODE, EVERYTHING, KEY, PASSKEY, SECRET, SEED, document, item, login
from managers import Manager
from password_store import PASSPHRASE, is_missing
from sheets import Display, until
from terminal import ENTER, ESCAPE, Terminal
from test_cli import run as command
from test_verification import set_pin

from session.private import PASSWORDS
from session.store import STORE, Store

pytestmark = pytest.mark.skipif(is_missing("pass", "gpg", "git"), reason="the judges are not installed")

MASTER = "correct horse battery"
PIN = "canary-839204"


class Person:
    """Both providers of one person, who has a PIN."""

    def __init__(self, session: Keyway, passphrase: str = "") -> None:
        self.session = session
        self.store = Store(session)
        self.store.init(self.store.make_key("mine", passphrase), git=True)
        for provider in (PASSWORDS, STORE):
            session.keyway("providers", "enable", "--yes", provider)
        set_pin(session, PIN)
        # What else these tests do needs no verification; an exchange does, whatever is set.
        with self.run("verification", "set", "--rule", "never") as terminal:
            terminal.wait_for("Confirm it\u2019s you")
            terminal.type(PIN + ENTER)
            assert terminal.finish()[0] == 0
        session.keyway("passwords", "init", "--memory", "64", secrets=[MASTER, MASTER])

    def fill_vault(self, content: dict = EVERYTHING) -> None:
        path = self.session.folder / "everything.json"
        path.write_text(json.dumps(content))
        status, _, err = command(self.session, "import", str(path), "--yes")
        assert status == 0, err

    def exchange(self, source: str, destination: str | None, *words: str) -> Terminal:
        to = ["--to", destination] if destination else []
        return self.run("exchange", "--from", source, *to, *words)

    def run(self, *words: str) -> Terminal:
        environment = {**self.session.environment, "TERM": "xterm"}
        return Terminal([self.session.prefix / "bin/keyway", *words], environment, columns=110, rows=40)

    def agree(self, terminal: Terminal) -> None:
        """Chooses the one provider there is, and types the PIN."""
        terminal.wait_for("Copy all accounts of")
        terminal.type(ENTER)
        terminal.wait_for("Confirm it\u2019s you")
        terminal.type(PIN + ENTER)

    def give_master_password(self, terminal: Terminal, password: str = MASTER) -> None:
        terminal.wait_for("Everything in your vault is handed over")
        terminal.type(password + ENTER)

    def to_store(self, terminal: Terminal) -> tuple[int, str, str]:
        """Everything that the person does when the vault's items go into the store."""
        self.agree(terminal)
        self.give_master_password(terminal)
        self.seen = terminal.wait_for("Import into the password store\\?")
        terminal.type(ENTER)
        return terminal.finish()

    def unlock(self, terminal: Terminal) -> None:
        """The vault is locked for each new terminal."""
        terminal.wait_for("Unlock Passwords")
        terminal.type(MASTER + ENTER)

    def to_vault(self, terminal: Terminal) -> tuple[int, str, str]:
        self.agree(terminal)
        self.unlock(terminal)
        self.seen = terminal.wait_for("Import into Passwords\\?")
        terminal.type(ENTER)
        return terminal.finish()

    @property
    def entries(self) -> list[str]:
        folder = self.store.folder
        return sorted(str(path.relative_to(folder))[:-4] for path in folder.rglob("*.gpg"))

    @property
    def titles(self) -> list[str]:
        return sorted(
            entry["title"] for entry in json.loads(self.session.keyway("passwords", "list", "--json"))["items"]
        )


@pytest.fixture
def person(broker):
    person = Person(broker)
    yield person
    person.store.close()


# From the vault into the store


def test_what_the_vault_has_becomes_entries_and_the_rest_is_told(person):
    person.fill_vault()
    before = person.store.history()
    with person.exchange(PASSWORDS, STORE) as terminal:
        status, out, err = person.to_store(terminal)
        assert (status, out) == (0, ""), err
        assert terminal.is_restored()
        for secret in (SECRET, MASTER, SEED, PIN):
            assert secret not in terminal.written + err
    assert person.entries == ["Note", "Visa", "example.com/ada"]
    assert person.store.show("example.com/ada").decode() == (
        f"{SECRET}\ntitle: Example\notpauth://totp/ada?secret={SEED}\n"
    )
    assert person.store.show("Visa") == b"\ncard number: 4111\nexpires: 2029-04\n"
    assert person.store.show("Note") == b"\ntitle: Note\n\ntwo\nlines\n"
    # One commit of what `pass` then has nothing to add to.
    assert len(person.store.history()) == len(before) + 1
    assert "3 entries from" in person.store.history()[0]
    assert person.store.run("git", "-C", person.store.folder, "status", "--porcelain") == b""
    # What the person read before the yes, and after it.
    assert "4 items" in person.seen and "New: 3" in person.seen and "Left out: 1" in person.seen
    assert "Passwords handed 4 items over to Password Store, which stored 3" in err
    assert err.count("no place for passkeys") == 2 and "other.example" in err
    assert "card becomes lines of text" in err
    # The copy stays where it was.
    assert person.titles == ["Example", "Note", "Only a passkey", "Visa"]


def test_as_json_it_is_one_object(person):
    person.fill_vault(document(item("AAAA", "Example", login("ada", SECRET), PASSKEY)))
    with person.exchange(PASSWORDS, STORE, "--json") as terminal:
        status, out, err = person.to_store(terminal)
    assert status == 0, err
    told = json.loads(out)
    assert (told["from"], told["to"], told["handedOver"], told["stored"]) == (PASSWORDS, STORE, 1, 1)
    (notice,) = told["notices"]
    assert notice["provider"] == STORE and notice["item"] == "Example" and "passkeys" in notice["reason"]


def test_the_master_password_is_asked_for_though_the_vault_is_open_in_this_terminal(person):
    person.fill_vault()
    keyway = person.session.prefix / "bin/keyway"
    unlock = f"printf '%s\\n' '{MASTER}' | {keyway} passwords unlock"
    then = f"exec {keyway} exchange --from {PASSWORDS} --to {STORE}"
    environment = {**person.session.environment, "TERM": "xterm"}
    with Terminal(["/bin/sh", "-c", f"{unlock} && {then}"], environment, columns=110, rows=40) as terminal:
        person.agree(terminal)
        person.give_master_password(terminal, "wrong")
        terminal.wait_for("[Ww]rong|isn.t right|not right")
        terminal.type(ESCAPE)
        assert terminal.finish()[0] != 0
    assert person.entries == []


def test_nothing_is_stored_when_the_person_backs_out_at_the_preview(person):
    person.fill_vault()
    commits = person.store.history()
    with person.exchange(PASSWORDS, STORE) as terminal:
        person.agree(terminal)
        person.give_master_password(terminal)
        terminal.wait_for("Import into the password store\\?")
        terminal.type(ESCAPE)
        status, _, err = terminal.finish()
    assert status != 0 and "ancel" in err
    assert person.entries == [] and person.store.history() == commits


def test_another_entry_for_the_account_is_not_overwritten(person):
    person.fill_vault(document(item("AAAA", "Example", login("ada", SECRET), urls=("https://example.com",))))
    person.store.insert("Web/example.com/ada", "mine\n")
    with person.exchange(PASSWORDS, STORE) as terminal:
        status, _, err = person.to_store(terminal)
    assert status == 0, err
    assert "beside another entry" in person.seen
    assert person.store.show("Web/example.com/ada") == b"mine\n"
    assert person.store.show("Web/imported/example.com/ada").decode().startswith(f"{SECRET}\n")
    assert "Web/imported/example.com/ada" in err


def test_the_second_time_nothing_is_new(person):
    person.fill_vault()
    with person.exchange(PASSWORDS, STORE) as terminal:
        assert person.to_store(terminal)[0] == 0
    entries, commits = person.entries, person.store.history()
    with person.exchange(PASSWORDS, STORE) as terminal:
        person.agree(terminal)
        person.give_master_password(terminal)
        assert "Already there: 3" in terminal.wait_for("Nothing to import")
        terminal.type(ENTER)
        status, _, err = terminal.finish()
    assert status == 0 and "which stored 0" in err
    assert (person.entries, person.store.history()) == (entries, commits)


# From the store into the vault


def test_what_the_store_has_becomes_items(person):
    person.store.insert("Web/example.com/ada", f"{SECRET}\nurl: https://example.net\notpauth://totp/x?secret={SEED}\n")
    person.store.insert("bank", "1234\ncolour: red\n\nremember\n")
    person.store.insert("broken", b"\xff\xfe\n")
    with person.exchange(STORE, PASSWORDS) as terminal:
        person.agree(terminal)
        assert "broken" in terminal.wait_for("Not everything can be handed over")
        terminal.type(ENTER)
        person.unlock(terminal)
        person.seen = terminal.wait_for("Import into Passwords\\?")
        terminal.type(ENTER)
        status, out, err = terminal.finish()
        assert SECRET not in terminal.written + err
    assert (status, out) == (0, ""), err
    assert "2 items" in person.seen and "New: 2" in person.seen
    assert "which stored 2" in err and "broken" in err and "keyway import --undo" in err
    assert person.titles == ["bank", "example.com"]
    session = person.session
    only = ("--provider", PASSWORDS)
    for page in ("https://example.com/x", "https://example.net/x"):
        assert session.keyway("fill", page, *only).strip() == SECRET
    ours = session.keyway("code", "https://example.com/x", *only).strip()
    theirs = subprocess.run(["oathtool", "--totp", "--base32", SEED], capture_output=True, text=True, check=True).stdout
    assert ours == theirs.strip()
    # It is one import, taken back as one step.
    assert command(session, "import", "--undo", "--yes")[0] == 0
    assert person.titles == []


def test_there_and_back_nothing_is_new(person):
    person.store.insert("Web/example.com/ada", f"{SECRET}\nurl: https://example.net\nnote\n")
    person.store.insert("otp/example.com/ada", f"otpauth://totp/x?secret={SEED}\n")
    with person.exchange(STORE, PASSWORDS) as terminal:
        assert person.to_vault(terminal)[0] == 0
    with person.exchange(PASSWORDS, STORE) as terminal:
        person.agree(terminal)
        person.give_master_password(terminal)
        assert "Already there: 2" in terminal.wait_for("Nothing to import")
        terminal.type(ENTER)
        assert terminal.finish()[0] == 0


def test_the_vault_is_no_destination_of_its_own(person):
    with person.exchange(PASSWORDS, None) as terminal:
        assert "Password Store" in terminal.wait_for("Copy all accounts of")
        terminal.type(ESCAPE)
        assert terminal.finish()[0] == 4


# Another manager, which can keep passkeys


def test_passkeys_and_codes_go_through_the_vault_with_the_keys_that_they_had(broker):
    other = Manager(broker, "Other Manager").enable()
    other.export(document(item("AAAA", "Example", login("ada", SECRET), CODE, PASSKEY)))
    person = Person(broker)
    try:
        with person.exchange(other.identifier, PASSWORDS) as terminal:
            status, _, err = person.to_vault(terminal)
        assert status == 0, err
        with person.exchange(PASSWORDS, other.identifier) as terminal:
            person.agree(terminal)
            person.give_master_password(terminal)
            status, _, err = terminal.finish()
        assert status == 0, err
        (account,) = other.imported["accounts"]
        (arrived,) = account["items"]
        credentials = {credential["type"]: credential for credential in arrived["credentials"]}
        assert {name: credentials["passkey"][name] for name in PASSKEY} == PASSKEY
        assert {name: credentials["totp"][name] for name in CODE} == CODE
        assert credentials["basic-auth"]["password"]["value"] == SECRET
    finally:
        person.store.close()


# A locked key, a locked vault


def test_a_locked_key_is_asked_for_once(broker):
    person = Person(broker, PASSPHRASE)
    try:
        for number in range(3):
            person.store.insert(f"example.com/user{number}", f"password {number}\n")
        person.store.forget()
        with person.exchange(STORE, PASSWORDS) as terminal:
            person.agree(terminal)
            terminal.wait_for("Unlock your GnuPG key")
            terminal.type(PASSPHRASE + ENTER)
            person.unlock(terminal)
            terminal.wait_for("Import into Passwords\\?")
            terminal.type(ENTER)
            status, _, err = terminal.finish()
            assert PASSPHRASE not in terminal.written + err
        assert status == 0, err
        assert person.titles == ["example.com"] * 3
    finally:
        person.store.close()


def test_a_locked_vault_is_unlocked_before_anything_is_taken(person):
    person.store.insert("example.com/ada", "secret\n")
    person.session.keyway("passwords", "lock")
    with person.exchange(STORE, PASSWORDS) as terminal:
        assert person.to_vault(terminal)[0] == 0
    person.session.keyway("passwords", "unlock", secrets=[MASTER])
    assert person.titles == ["example.com"]


def test_a_locked_vault_is_unlocked_by_the_master_password_of_the_export(person):
    person.fill_vault()
    person.session.keyway("passwords", "lock")
    with person.exchange(PASSWORDS, STORE) as terminal:
        status, _, err = person.to_store(terminal)
    assert status == 0, err
    assert person.entries == ["Note", "Visa", "example.com/ada"]


# What is refused


def test_without_a_terminal_nobody_is_asked(person):
    status, out, err = command(person.session, "exchange", "--from", PASSWORDS, "--to", STORE)
    assert status == 5 and out == "" and "--window" in err


@pytest.mark.parametrize(
    ("words", "status"), [(("--from", "no.such"), 3), (("--from", PASSWORDS, "--to", "no.such"), 3)]
)
def test_a_provider_that_is_not_there_is_told(person, words, status):
    with person.run("exchange", *words) as terminal:
        ended, _, err = terminal.finish()
    assert ended == status and "no.such" in err


def test_the_apps_do_nothing_for_whoever_starts_them(person):
    providers = person.session.prefix / "share/keyway/providers"
    for program in ("Passwords.appex/keyway-passwords", "PasswordStore.appex/keyway-password-store"):
        ended = subprocess.run([providers / program], capture_output=True, text=True, timeout=60)
        assert ended.returncode == 1 and "keyway exchange" in ended.stderr and ended.stdout == ""


def test_nothing_of_it_is_in_logs_and_the_history_knows_of_it(person):
    person.fill_vault()
    with person.exchange(PASSWORDS, STORE) as terminal:
        assert person.to_store(terminal)[0] == 0
    for secret in (SECRET, SEED, "Only a passkey", KEY[:40]):
        assert secret not in person.session.log
    history = json.loads(person.session.keyway("history", "--json"))["entries"]
    assert any("Password Store" in json.dumps(entry) and entry["event"] == "exchange" for entry in history)


# In windows


@pytest.fixture(scope="module")
def display():
    with Display() as display:
        yield display


def sit_down(person: Person, display: Display) -> None:
    """From now on the person is at a desktop, where the vault is locked."""
    session = person.session
    session.stop(session.processes[-1])
    for name in ("DISPLAY", "DBUS_SESSION_BUS_ADDRESS"):
        session.environment[name] = display.environment[name]
    session.start_broker()


def seen(display: Display, text: str) -> bool:
    return any(text in node["name"] for node in display.accessible())


def taken(display: Display, after: str) -> bool:
    """Takes the one row; what is taken at once was meant for something else, and does not count."""
    display.press("Return")
    try:
        until(lambda: seen(display, after), 4)
    except AssertionError:
        return False
    return True


def agree_in_window(display: Display) -> None:
    until(lambda: seen(display, "Copy all accounts of"), 60)
    until(lambda: taken(display, "Confirm it\u2019s you"), 60, "the provider is not taken")
    display.type(PIN)
    display.press("Return")


def shows(display: Display, text: str) -> None:
    """Waits until a window says so."""

    def names() -> str:
        return f"not {text!r} but {[node['name'] for node in display.accessible()]}"

    until(lambda: seen(display, text), 60, names)


def press(display: Display, button: str) -> None:
    display.can_use(button)
    display.use(button)


def test_windows_lead_from_the_vault_into_the_store(person, display):
    person.fill_vault()
    sit_down(person, display)
    with person.exchange(PASSWORDS, STORE, "--window") as terminal:
        agree_in_window(display)
        shows(display, "Everything in your vault is handed over")
        display.fill("Master password", MASTER)
        press(display, "Hand Over")
        shows(display, "Import into the password store?")
        assert seen(display, "no place for passkeys"), "what isn't carried is said before the yes"
        press(display, "Import 3")
        status, out, err = terminal.finish()
    assert (status, out) == (0, ""), err
    assert "which stored 3" in err and "no place for passkeys" in err
    assert person.entries == ["Note", "Visa", "example.com/ada"]
    until(lambda: not display.windows())


def test_windows_lead_from_the_store_into_the_vault(person, display):
    person.store.insert("example.com/ada", f"{SECRET}\notpauth://totp/x?secret={SEED}\n")
    sit_down(person, display)
    with person.exchange(STORE, PASSWORDS, "--window") as terminal:
        agree_in_window(display)
        shows(display, "Unlock Passwords")
        display.fill("Master password", MASTER)
        press(display, "Unlock")
        shows(display, "Import into Passwords?")
        press(display, "Import 1")
        status, out, err = terminal.finish()
    assert (status, out) == (0, ""), err
    person.session.keyway("passwords", "unlock", secrets=[MASTER])
    assert person.titles == ["example.com"]
    until(lambda: not display.windows())
