"""Accounts go from one manager to another: two apps, the real broker, and the person in a terminal."""

from __future__ import annotations

import json
import shutil
import subprocess
import uuid
from collections.abc import Iterator
from pathlib import Path

import pytest
from conftest import Keyway, eventually
from managers import Manager, choose, confirm, let_person_be_verified
from sheets import Display, until
from terminal import DOWN, ENTER, ESCAPE
from test_verification import PIN
from wire import Peer, Refused, contents, sealed

VECTORS = Path(__file__).resolve().parents[1] / "Vectors/exchange"
CANARY = "canary-of-the-exchange"
# What is said of every token that is not good.
NOTHING = "credentialImport: No accounts wait under this token."


def accounts(name: str = "generated-account-level") -> dict:
    return json.loads((VECTORS / f"{name}.json").read_text())


def secret_account() -> dict:
    account = accounts()
    account["items"][0]["title"] = "canary of a name"
    account["items"][0]["credentials"][0]["password"]["value"] = CANARY
    return account


@pytest.fixture
def session(broker) -> Keyway:
    return broker


@pytest.fixture
def exporter(session) -> Manager:
    manager = Manager(session, "First Manager").enable()
    manager.export(secret_account())
    return manager


@pytest.fixture
def importer(session) -> Manager:
    return Manager(session, "Second Manager").enable()


def exchange(exporter: Manager, *words: str, keys: str = ENTER) -> tuple[str, str]:
    """What the exporting app prints, and what the terminal says in which the person agreed."""
    with exporter.start(*(words or ("export-at-once",))) as run, run.answer() as terminal:
        choose(terminal, exporter, keys=keys)
        confirm(terminal)
        printed = run.end()
        _, _, said = terminal.finish()
        return printed, said


def plain(value: object) -> object:
    """A document without what means nothing: members that are empty or false, and the order of fields' members."""
    if isinstance(value, dict):
        kept = {key: plain(inner) for key, inner in sorted(value.items())}
        return {key: inner for key, inner in kept.items() if inner is not False and inner not in (None, [], {})}
    return [plain(inner) for inner in value] if isinstance(value, list) else value


# What arrives


@pytest.mark.parametrize("words", [("export",), ("export-at-once",)])
def test_the_chosen_manager_gets_exactly_what_was_exported(exporter, importer, words):
    printed, said = exchange(exporter, *words)
    count = len(secret_account()["items"])
    assert printed == f"exported {count}"
    assert "gave its accounts to the provider that you chose" in said
    (account,) = importer.imported["accounts"]
    assert plain(account) == plain(secret_account())
    assert importer.imported["exporterRpId"] == "example.org"
    assert importer.imported["version"] == {"major": 1, "minor": 0}


def test_every_type_arrives(exporter, importer):
    """What the exporting app has read of a document is what the other app gets."""
    exporter.export(accounts("generated-all-types"))
    printed, _ = exchange(exporter)
    assert printed.startswith("exported "), printed
    once = importer.imported
    assert {credential["type"] for item in items(once) for credential in item["credentials"]} == {
        *("address", "api-key", "basic-auth", "credit-card", "custom-fields", "drivers-license"),
        *("generated-password", "identity-document", "item-reference", "note", "passkey", "passport", "person-name"),
        *("ssh-key", "totp", "wifi"),
    }
    # Nothing is lost on the way itself: the same goes through a second time unchanged.
    exporter.export(once)
    exchange(exporter)
    assert importer.imported == once


def items(header: dict) -> list[dict]:
    return [item for account in header["accounts"] for item in account["items"]]


def test_of_several_managers_the_one_that_was_chosen_gets_it(exporter, importer, session):
    third = Manager(session, "Third Manager").enable()
    with exporter.start("export-at-once") as run, run.answer() as terminal:
        screen = choose(terminal, exporter, keys=DOWN + ENTER)
        confirm(terminal)
        assert run.end().startswith("exported")
        terminal.finish()
    assert "Second Manager" in screen and "Third Manager" in screen
    # The path is cut where the line ends.
    assert f"asked for by {str(exporter.app)[:30]}" in screen, "which program asks"
    assert third.imported is not None and importer.imported is None


# Who is offered


EXCHANGE = "ASCredentialExchangeActivity"


def attributes(versions: list[str], *, exchanges: bool = True) -> dict:
    return {
        "NSExtensionPointIdentifier": "com.apple.authentication-services-credential-provider-ui",
        "NSExtensionAttributes": {
            "ASCredentialProviderExtensionCapabilities": {
                "ProvidesPasswords": True,
                "SupportsCredentialExchange": exchanges,
                "SupportedCredentialExchangeVersions": versions,
            }
        },
    }


@pytest.mark.parametrize(
    "keys",
    [
        {"NSUserActivityTypes": ["KeywayCredentialExportActivity"]},
        {"NSUserActivityTypes": None},
        {"NSExtension": attributes(["2.0"])},
        {"NSExtension": attributes(["1.0"], exchanges=False)},
        {"KeywayActivityProgram": None},
    ],
    ids=["only-exports", "no-activity", "other-version", "no-exchange", "no-program"],
)
def test_a_manager_that_cannot_take_it_is_not_offered(exporter, session, keys):
    Manager(session, "Second Manager", **keys).enable()
    with exporter.start("export") as run:
        assert run.end().startswith("credentialExport: No ")


def test_the_spelling_of_the_documentation_is_taken_too(exporter, session):
    other = Manager(session, "Second Manager", NSUserActivityTypes=[f"{EXCHANGE}Type"]).enable()
    assert exchange(exporter)[0].startswith("exported")
    assert other.imported is not None


def test_a_manager_that_is_off_is_not_offered(exporter, importer):
    exporter.session.keyway("providers", "disable", importer.identifier)
    assert exporter.run("export").startswith("credentialExport: No other provider")


# What the person decides


def test_nothing_leaves_when_the_person_backs_out(exporter, importer):
    with exporter.start("export") as run, run.answer() as terminal:
        choose(terminal, exporter, keys=ESCAPE)
        assert run.end().startswith("canceled")
        terminal.finish()
    assert importer.token is None


def test_nothing_leaves_without_the_pin(exporter, importer):
    with exporter.start("export") as run, run.answer() as terminal:
        choose(terminal, exporter)
        terminal.wait_for("Confirm it\u2019s you")
        terminal.type(ESCAPE)
        assert run.end().startswith("canceled")
        terminal.finish()
    assert importer.token is None


def test_each_export_is_verified_however_lately_that_was(exporter, importer, session):
    for _ in range(2):
        # Each asks for the PIN again.
        assert exchange(exporter)[0].startswith("exported")


def test_nothing_leaves_where_nothing_verifies_the_person(broker):
    broker.is_verifiable = False
    first = Manager(broker, "First Manager").enable()
    second = Manager(broker, "Second Manager").enable()
    with first.start("export") as run, run.answer() as terminal:
        printed = run.end()
        terminal.finish()
    assert printed.startswith("credentialExport: Accounts can leave only after Keyway has verified you")
    assert second.token is None


def test_the_importing_app_asks_where_the_person_looks(exporter, importer):
    importer.behave("asks")
    with exporter.start("export-at-once") as run, run.answer() as terminal:
        choose(terminal, exporter)
        confirm(terminal)
        assert "Everything goes into one file" in terminal.wait_for("Import into the sample")
        terminal.type(ENTER)
        assert run.end().startswith("exported")
        terminal.finish()
    assert importer.imported is not None


def test_who_backs_out_in_the_importing_app_cancels_the_export(exporter, importer):
    importer.behave("asks")
    with exporter.start("export-at-once") as run, run.answer() as terminal:
        choose(terminal, exporter)
        confirm(terminal)
        terminal.wait_for("Import into the sample")
        terminal.type(ESCAPE)
        assert run.end().startswith("canceled")
        terminal.finish()
    assert importer.imported is None


# When something goes wrong


@pytest.mark.parametrize(
    ("behaviour", "says"),
    [
        ("dies", "credentialExport: Second Manager ended before it answered"),
        ("refuses", "credentialExport: Second Manager failed"),
        ("ignores", "credentialExport: Second Manager took nothing"),
    ],
)
def test_an_export_fails_when_the_importing_app_does(exporter, importer, behaviour, says):
    importer.behave(behaviour)
    printed, said = exchange(exporter)
    assert printed.startswith(says)
    assert "gave its accounts to nobody" in said
    assert importer.imported is None


def test_the_importing_app_ends_when_the_exporting_one_dies(exporter, importer, session):
    importer.behave("waits")
    with exporter.start("export-at-once") as run, run.answer() as terminal:
        choose(terminal, exporter)
        confirm(terminal)
        eventually(lambda: importer.token)
        (app,) = session.running("providerApplication")
        run.kill()
        eventually(lambda: not session.running("providerApplication"))
        eventually(lambda: not Path(f"/proc/{app['processIdentifier']}").exists())
        terminal.finish()
    assert importer.run("import", importer.token) == NOTHING


def test_both_apps_end_when_the_terminal_is_closed_in_which_the_person_looks(exporter, importer, session):
    importer.behave("asks")
    with exporter.start("export-at-once") as run:
        with run.answer() as terminal:
            choose(terminal, exporter)
            confirm(terminal)
            terminal.wait_for("Import into the sample")
        assert run.end().startswith("canceled")
    eventually(lambda: not session.running("providerApplication"))
    assert importer.imported is None


def test_what_was_agreed_on_ends_with_the_app(exporter, importer):
    """The person agreed, and the app died before it handed anything over."""
    with exporter.start("export") as run, run.answer() as terminal:
        choose(terminal, exporter)
        confirm(terminal)
        run.kill()
        _, _, said = terminal.finish()
    assert "gave its accounts to nobody" in said
    assert importer.token is None


# Who gets it


def test_a_third_program_gets_nothing_by_the_token(exporter, importer, session):
    third = Manager(session, "Third Manager").enable()
    importer.behave("waits")
    copy = Path(shutil.copy(importer.app, session.folder / "copy"))
    with exporter.start("export-at-once") as run, run.answer() as terminal:
        choose(terminal, exporter)
        confirm(terminal)
        eventually(lambda: importer.token)
        # The app of another provider, which is on and approved, and a program that is nobody's app.
        assert third.run("import", importer.token) == NOTHING
        assert third.run("import", str(uuid.uuid4())) == NOTHING
        assert importer.run("import", importer.token, program=copy).startswith("credentialImport: This program isn't")
        # The app that it is for, in a process of its own: as where a window is open already.
        assert importer.run("import", importer.token) == "imported 1"
        assert importer.run("import", importer.token) == NOTHING, "a token is good once"
        run.kill()
        terminal.finish()


def test_a_token_is_good_once(exporter, importer):
    importer.behave("twice")
    printed, _ = exchange(exporter)
    assert printed.startswith("credentialExport: Second Manager failed: No accounts wait under this token.")
    assert importer.imported is None
    assert importer.run("import", importer.token) == NOTHING


def test_a_token_is_no_good_after_the_exchange(exporter, importer):
    exchange(exporter)
    assert importer.run("import", importer.token) == NOTHING


def test_an_app_that_is_not_approved_exports_nothing(exporter, importer, session):
    copy = Path(shutil.copy(exporter.app, session.folder / "copy"))
    assert exporter.run("export", program=copy).startswith("credentialExport: This program isn't the app")


# What is left of it


def test_the_history_names_both_and_no_secret(exporter, importer, session):
    exchange(exporter)
    (entry, *_) = [
        entry for entry in json.loads(session.keyway("history", "--json"))["entries"] if entry["event"] == "exchange"
    ]
    assert entry["verification"] == "pin"
    assert "Second Manager" in entry["detail"] and entry["provider"] == exporter.identifier
    shown = session.keyway("history")
    assert "exchanged" in shown and "Second Manager" in shown


def test_neither_secrets_nor_names_of_items_are_written_anywhere(exporter, importer, session):
    exchange(exporter)
    assert CANARY in (importer.folder / "imported.json").read_text()
    for word in (CANARY, "canary of a name"):
        assert word not in session.log
        found = subprocess.run(
            ["grep", "-rl", word, session.folder, "--exclude-dir=groups"], capture_output=True, text=True, check=False
        ).stdout.split()
        assert found == [], f"{word} lies on the disk"


def test_the_app_is_started_with_nothing_of_the_exchange_in_sight(exporter, importer, session):
    importer.behave("waits")
    with exporter.start("export-at-once") as run, run.answer() as terminal:
        choose(terminal, exporter)
        confirm(terminal)
        eventually(lambda: importer.token)
        (app,) = session.running("providerApplication")
        process = Path(f"/proc/{app['processIdentifier']}")
        for name in ("cmdline", "environ"):
            assert importer.token.encode() not in (process / name).read_bytes()
        run.kill()
        terminal.finish()


# From a terminal: somebody asks the exporting app for it


class Seated:
    """A program in a terminal that draws: it answers the system's questions as the person does."""

    def __init__(self, peer: Peer, choice: int = 0) -> None:
        self.peer = peer
        self.choice = choice
        self.asked: list[str] = []

    def begin(self, **parameters: object) -> tuple[dict, list[int]]:
        """The answer to an exchange that is begun here, with what comes along."""
        number = self.peer.request("exchange.begin", {"presents": True, **parameters})
        while True:
            message, descriptors = self.peer.receive()
            if message.get("method") == "person.ask":
                self.reply(message)
            elif message.get("id") == number:
                if "error" in message:
                    raise Refused(message["error"])
                return message["result"], descriptors

    def reply(self, message: dict) -> None:
        (kind,) = message["params"]["question"]
        self.asked.append(kind)
        answers: dict[str, tuple[dict, tuple[int, ...]]] = {
            "exchange": ({"chosen": {"_0": self.choice}}, ()),
            "verification": ({"secret": {"_0": {"descriptor": 0}}}, (sealed(PIN.encode()),)),
        }
        answer, descriptors = answers[kind]
        reply = {"jsonrpc": "2.0", "id": message["id"], "result": {"answer": answer}}
        self.peer.send(reply | ({"descriptors": len(descriptors)} if descriptors else {}), descriptors)


@pytest.fixture
def seated(session, exporter, importer) -> Iterator[Seated]:
    let_person_be_verified(session)
    with session.connect_in_terminal() as peer:
        yield Seated(peer)


def test_a_terminal_has_an_app_export_and_hears_what_both_say_of_it(seated, exporter, importer):
    result, descriptors = seated.begin(provider=exporter.identifier, destination=importer.identifier)
    assert seated.asked == ["exchange", "verification"]
    assert result["exporter"]["identifier"] == exporter.identifier
    assert result["destination"]["identifier"] == importer.identifier
    reports = [json.loads(contents(descriptors[result[side]["descriptor"]])) for side in ("exported", "imported")]
    count = len(secret_account()["items"])
    assert reports[0] == {"items": count, "notices": []}
    assert reports[1] == {"items": count, "notices": [{"item": "One", "reason": "It lost its colour."}]}
    assert plain(importer.imported["accounts"][0]) == plain(secret_account())


def test_an_app_that_asks_nobody_first_has_the_system_ask(seated, exporter, importer):
    exporter.behave("direct")
    seated.begin(provider=exporter.identifier)
    assert seated.asked == ["exchange", "verification"]
    assert importer.imported is not None


def test_only_who_exports_is_asked_to(session, exporter):
    other = Manager(session, "Second Manager", NSUserActivityTypes=[EXCHANGE]).enable()
    let_person_be_verified(session)
    with session.connect_in_terminal() as peer:
        seated = Seated(peer)
        with pytest.raises(Refused) as refused:
            seated.begin(provider=other.identifier)
        assert refused.value.kind == "noProvider"
        assert seated.asked == []
        # Where one provider alone exports, it need not be named.
        assert seated.begin()[0]["exporter"]["identifier"] == exporter.identifier


def test_a_choice_that_was_not_offered_is_none(seated, exporter, importer):
    seated.choice = 7
    with pytest.raises(Refused) as refused:
        seated.begin(provider=exporter.identifier)
    assert refused.value.kind == "cancelled"
    assert seated.asked == ["exchange"] and importer.token is None


@pytest.mark.parametrize("role", ["browser", "application"])
def test_only_a_terminal_begins_an_exchange(session, exporter, importer, role):
    with session.connect(role) as peer, pytest.raises(Refused) as refused:
        peer.call("exchange.begin", {"presents": False})
    assert refused.value.kind == "notAllowed"


@pytest.mark.parametrize("role", ["terminal", "browser"])
@pytest.mark.parametrize("method", ["exchange.request", "exchange.export", "exchange.take"])
def test_only_apps_export_and_take(session, role, method):
    with session.connect(role) as peer, pytest.raises(Refused) as refused:
        peer.call(method, {"token": str(uuid.uuid4()), "formatVersion": "1.0"})
    assert refused.value.kind == "notAllowed"


# In a window


@pytest.fixture(scope="module")
def display():
    with Display() as display:
        yield display


def test_a_window_asks_where_one_can_be_shown(session, exporter, importer, display):
    importer.behave("asks")
    let_person_be_verified(session)
    session.stop(session.processes[-1])
    for name in ("DISPLAY", "DBUS_SESSION_BUS_ADDRESS"):
        session.environment[name] = display.environment[name]
    session.start_broker()
    with exporter.start("export") as run:
        run.process.stdin.write("\n")
        run.process.stdin.flush()
        until(lambda: seen(display, f"Copy all accounts of \u2068{exporter.name}\u2069 to"), 60)
        until(lambda: taken(display, "Confirm it\u2019s you"), 60, "the provider is not taken")
        display.type(PIN)
        display.press("Return")
        until(lambda: seen(display, "Everything goes into one file"), 60)
        display.can_use("Import")
        display.use("Import")
        assert run.end().startswith("exported")
    assert importer.imported is not None
    until(lambda: not display.windows())


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
