"""The bundled provider as processes: keyway-passwords-extension between the real broker and the real vault service."""

from __future__ import annotations

import socket
import subprocess
import time

import pytest
from conftest import eventually, fill, suggest, url
from wire import Closed, Peer, Refused, contents, sealed

from session.private import PASSWORDS

MASTER = b"correct horse battery staple"
PAGE = "https://alpha.example/login"
FLOOR = {"memory": 64, "passes": 3}


class Vault:
    """A conversation with the vault's service, as `keyway passwords` has it."""

    def __init__(self, broker: Peer) -> None:
        _, (descriptor,) = broker.answer(broker.request("service.connect", {"provider": PASSWORDS}))
        self.peer = Peer(socket.socket(fileno=descriptor))

    def create(self) -> None:
        parameters = {"masterPassword": {"descriptor": 0}, "derivation": FLOOR}
        self.peer.answer(self.peer.request("vault.create", parameters, (sealed(MASTER),)))

    def add(self, title: str, password: bytes) -> str:
        item = {
            "title": title,
            "user": "ada",
            "password": {"descriptor": 0},
            "addresses": [f"https://{title}.example/login"],
        }
        return self.peer.answer(self.peer.request("items.add", {"item": item}, (sealed(password),)))[0]["item"]["id"]

    def remove(self, item: str) -> None:
        self.peer.call("items.remove", {"item": {"text": item}})

    def lock(self) -> None:
        self.peer.call("vault.lock")


def new_vault(peer: Peer) -> Vault:
    """A new vault with two items, open; the system knows what to suggest."""
    vault = Vault(peer)
    vault.create()
    for title in ("alpha", "beta"):
        vault.add(title, f"password of {title}".encode())
    eventually(lambda: suggest(peer, PAGE))
    return vault


def start_on_desktop(keyway, display) -> None:
    """Starts a broker on a desktop, where a vault of two items is locked."""
    # On a desktop the person would be asked about the provider: it is on before.
    process = keyway.start_broker()
    keyway.enable(PASSWORDS)
    with keyway.connect() as terminal:
        new_vault(terminal)
    keyway.stop(process)
    for name in ("DISPLAY", "DBUS_SESSION_BUS_ADDRESS"):
        keyway.environment[name] = display.environment[name]
    keyway.start_broker()


@pytest.fixture
def passwords(broker):
    """A broker with Passwords turned on, and a terminal's connection to it."""
    broker.enable(PASSWORDS)
    with broker.connect() as peer:
        yield peer


@pytest.fixture
def vault(passwords):
    """A new vault with two items, open; the system knows what to suggest."""
    return new_vault(passwords)


def password_of(answer: tuple[dict, list[int]]) -> bytes:
    return contents(answer[1][0])


def handle(peer: Peer) -> str:
    return suggest(peer, PAGE)[0]["handle"]


def do(peer: Peer, shown: dict, event: dict, *descriptors: int) -> None:
    """What the person does with the interface that is shown."""
    message = {
        "jsonrpc": "2.0",
        "method": "presentation.event",
        "params": {"request": shown["request"], "event": event},
    }
    if descriptors:
        message["descriptors"] = len(descriptors)
    peer.send(message, descriptors)


def type_master(peer: Peer, shown: dict, text: bytes) -> None:
    do(peer, shown, {"submitted": {"_0": {"master": {"secret": {"_0": {"descriptor": 0}}}}}}, sealed(text))


def next_screen(peer: Peer) -> tuple[dict, str, dict]:
    """The next interface that is not the one that says to wait: what was shown, its kind, and what it says."""
    while True:
        shown = peer.notification("presentation.show")
        ((kind, value),) = shown["interface"].items()
        if kind != "progress":
            return shown, kind, value["_0"]


def test_fills_without_interface_from_an_open_vault(passwords, vault):
    answer = passwords.answer(passwords.request("fill", fill(handle(passwords), PAGE)))
    assert answer[0]["credential"]["password"]["user"] == "ada"
    assert password_of(answer) == b"password of alpha"


def test_asks_for_the_master_password_until_it_is_right_and_fills(passwords, vault):
    chosen = handle(passwords)
    vault.lock()
    request = passwords.request("fill", fill(chosen, PAGE, presents=True))
    shown, kind, form = next_screen(passwords)
    assert (kind, form.get("error")) == ("form", None)
    type_master(passwords, shown, b"wrong")
    shown, kind, form = next_screen(passwords)
    assert kind == "form" and "wrong" in form["error"]
    type_master(passwords, shown, MASTER)
    assert password_of(passwords.answer(request)) == b"password of alpha"


def test_lists_matches_first_then_everything(passwords, vault):
    target = {"target": {"list": {"provider": PASSWORDS}}, "services": [url(PAGE)], "presents": True}
    request = passwords.request("fill", target)
    shown, kind, shown_list = next_screen(passwords)
    assert kind == "list"
    assert [section["title"] for section in shown_list["sections"]] == ["For alpha.example", "All passwords"]
    rows = [[row["title"] for row in section["rows"]] for section in shown_list["sections"]]
    assert rows == [["alpha"], ["alpha", "beta"]]
    services = [[row["service"] for row in section["rows"]] for section in shown_list["sections"]]
    assert services == [["https://alpha.example"], ["https://alpha.example", "https://beta.example"]]
    do(passwords, shown, {"searched": {"_0": "alp"}})
    shown, _, found = next_screen(passwords)
    (row,) = found["sections"][0]["rows"]
    do(passwords, shown, {"chose": {"row": row["id"]}})
    assert password_of(passwords.answer(request)) == b"password of alpha"


def test_a_text_of_an_item_is_picked_and_handed_over(passwords, vault):
    found = vault.peer.call("items.search", {"text": "beta", "limit": 1, "offset": 0})
    change = {
        "notes": {"descriptor": 0},
        "fields": [{"name": "PIN", "isHidden": True, "value": {"descriptor": 1}}],
    }
    parameters = {"item": {"text": found["items"][0]["id"]}, "change": change}
    secrets = (sealed(b"first\nsecond"), sealed(b"1234"))
    vault.peer.answer(vault.peer.request("items.edit", parameters, secrets))
    target = {"target": {"text": {}}, "services": [], "presents": True}
    for name, wanted in [("Notes", b"first\nsecond"), ("PIN", b"1234")]:
        request = passwords.request("fill", target)
        shown, kind, items = next_screen(passwords)
        assert kind == "list" and [row["title"] for row in items["sections"][0]["rows"]] == ["alpha", "beta"]
        do(passwords, shown, {"chose": {"row": items["sections"][0]["rows"][1]["id"]}})
        shown, _, texts = next_screen(passwords)
        rows = {row["title"]: row for row in texts["sections"][0]["rows"]}
        assert list(rows) == ["Notes", "PIN"] and rows["PIN"]["subtitle"] == "Hidden"
        do(passwords, shown, {"chose": {"row": rows[name]["id"]}})
        answer, descriptors = passwords.answer(request)
        assert list(answer["credential"]) == ["text"]
        assert contents(descriptors[0]) == wanted


def test_backing_out_cancels_the_request(passwords, vault):
    target = {"target": {"list": {"provider": PASSWORDS}}, "services": [], "presents": True}
    request = passwords.request("fill", target)
    shown, _, _ = next_screen(passwords)
    do(passwords, shown, {"cancelled": {}})
    with pytest.raises(Refused) as refused:
        passwords.answer(request)
    assert refused.value.kind == "cancelled"


def test_says_how_to_make_a_vault_where_there_is_none(passwords):
    target = {"target": {"list": {"provider": PASSWORDS}}, "services": [], "presents": True}
    passwords.request("fill", target)
    _, kind, message = next_screen(passwords)
    assert kind == "message" and "keyway passwords init" in message["text"]


def test_an_empty_vault_says_how_to_add(passwords):
    Vault(passwords).create()
    target = {"target": {"list": {"provider": PASSWORDS}}, "services": [], "presents": True}
    passwords.request("fill", target)
    _, kind, message = next_screen(passwords)
    assert kind == "message" and "keyway passwords add" in message["text"]


def test_an_item_that_is_gone_is_not_found(passwords, vault):
    chosen = handle(passwords)
    found = vault.peer.call("items.search", {"text": "alpha", "limit": 1, "offset": 0})
    vault.remove(found["items"][0]["id"])
    with pytest.raises(Refused) as refused:
        passwords.answer(passwords.request("fill", fill(chosen, PAGE)))
    assert refused.value.kind == "notFound"


def test_keeps_filling_when_the_service_has_been_killed(passwords, vault, broker):
    passwords.answer(passwords.request("fill", fill(handle(passwords), PAGE)))
    (service,) = broker.running("providerService")
    subprocess.run(["kill", "-9", str(service["processIdentifier"])], check=True)
    request = passwords.request("fill", fill(handle(passwords), PAGE, presents=True))
    shown, kind, _ = next_screen(passwords)
    assert kind == "form", "a new service knows no key"
    type_master(passwords, shown, MASTER)
    assert password_of(passwords.answer(request)) == b"password of alpha"


# The program itself


@pytest.fixture
def extension(keyway):
    """The program's path."""
    return keyway.prefix / "share/keyway/providers/Passwords.appex/keyway-passwords-extension"


def start(extension) -> tuple[subprocess.Popen, Peer]:
    """Starts it as the broker does: with one end of a socket pair as descriptor 3."""
    ours, theirs = socket.socketpair()
    command = ["/bin/bash", "-c", f'exec "$0" 3<&{theirs.fileno()}', extension]
    process = subprocess.Popen(command, pass_fds=[theirs.fileno()], stderr=subprocess.PIPE)
    theirs.close()
    return process, Peer(ours)


def test_started_by_hand_it_says_so_and_ends(extension):
    finished = subprocess.run([extension], stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=60)
    assert finished.returncode == 1
    assert "was not started by keywayd" in finished.stderr


def test_a_descriptor_that_is_no_socket_is_left_alone(extension, tmp_path):
    command = ["/bin/sh", "-c", 'exec "$0" 3>"$1"', extension, tmp_path / "file"]
    finished = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert finished.returncode == 1
    assert (tmp_path / "file").read_bytes() == b""


def test_greets_starts_fast_and_ends_with_the_broker(extension):
    # The first start also reads the program from the disk.
    for _ in range(2):
        began = time.monotonic()
        process, broker = start(extension)
        greeting, _ = broker.receive()
        took = time.monotonic() - began
        assert greeting["params"]["role"] == "providerExtension"
        broker.close()
        assert process.wait(20) == 0
    assert took < 1, "milliseconds when nothing else runs"


def test_answers_nothing_before_its_greeting_was_answered(extension):
    process, broker = start(extension)
    request = broker.request("extension.perform", {"request": {"configuration": {}}})
    greeting, _ = broker.receive()
    assert greeting["method"] == "hello"
    broker.send({"jsonrpc": "2.0", "id": greeting["id"], "result": {"protocol": {"major": 1, "minor": 0}, "name": "k"}})
    result, _ = broker.answer(request)
    assert result == {"cancelled": {"domain": "ASExtensionErrorDomain", "code": 0}}
    broker.close()
    assert process.wait(20) == 0


def test_a_broker_of_another_version_is_named_and_left(extension):
    process, broker = start(extension)
    greeting, _ = broker.receive()
    error = {"code": -32004, "message": "Update it.", "data": {"kind": "versionMismatch"}}
    broker.send({"jsonrpc": "2.0", "id": greeting["id"], "error": error})
    assert process.wait(20) == 1
    assert b"Update it." in process.stderr.read()
    with pytest.raises(Closed):
        broker.receive()
