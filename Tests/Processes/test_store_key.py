"""The key of the identity stores: each of its sources for real, and what the broker does without it."""

import os
import subprocess
from pathlib import Path

import pytest
from conftest import eventually, suggest
from memory_scan import parts, regions
from store_key import ALL_SEALS, KEY_LENGTH, Keyring, Tpm, ask
from test_vault_login import LOGIN1, SESSION, Bus
from wire import Refused


@pytest.fixture
def program(stage):
    return stage / "libexec/keyway/keyway-store-key"


@pytest.fixture
def folder(tmp_path):
    return tmp_path / "identities"


@pytest.fixture
def tpm(tmp_path):
    tpm = Tpm(tmp_path / "tpm")
    yield tpm
    tpm.stop()


@pytest.fixture
def keyring(tmp_path):
    keyring = Keyring(tmp_path / "keyring")
    yield keyring
    keyring.close()


@pytest.fixture
def bus(tmp_path):
    bus = Bus(tmp_path)
    yield bus
    bus.close()


def handed_over(answer, source: str, *, is_new: bool) -> bytes:
    """The key, after all that must hold of every answer."""
    assert answer.finished.returncode == 0
    assert answer.seals & ALL_SEALS == ALL_SEALS, "nobody can change it any more"
    assert (answer.state["source"], answer.state["isOpen"], answer.state["isNew"]) == (source, True, is_new)
    assert len(answer.key) == KEY_LENGTH
    for form in (answer.key, answer.key.hex().encode()):
        assert form not in answer.finished.stdout + answer.finished.stderr
    return answer.key


# The sources


def test_file_keeps_the_key_where_there_is_nothing_better(program, folder):
    key = handed_over(ask(program, folder), "file", is_new=True)
    again = ask(program, folder)
    assert handed_over(again, "file", is_new=False) == key
    assert "TPM 2" in again.state["detail"] and "session bus" in again.state["detail"]
    file = folder / "store-key.bin"
    assert file.read_bytes() == key
    assert file.stat().st_mode & 0o777 == 0o600


def test_tpm_keeps_the_key_and_the_disk_does_not(program, folder, tpm):
    key = handed_over(ask(program, folder, KEYWAY_TPM2=tpm.address), "tpm2", is_new=True)
    for _ in range(3):
        assert handed_over(ask(program, folder, KEYWAY_TPM2=tpm.address), "tpm2", is_new=False) == key
    tpm.stop()
    tpm.start()
    assert handed_over(ask(program, folder, KEYWAY_TPM2=tpm.address), "tpm2", is_new=False) == key
    for file in folder.iterdir():
        assert key not in file.read_bytes() and key.hex().encode() not in file.read_bytes()
    assert not (folder / "store-key.bin").exists()


def test_tpm_that_does_not_answer_is_waited_for(program, folder, tpm):
    key = handed_over(ask(program, folder, KEYWAY_TPM2=tpm.address), "tpm2", is_new=True)
    tpm.stop()
    answer = ask(program, folder, KEYWAY_TPM2=tpm.address)
    assert answer.state["isOpen"] is False and answer.key == b""
    tpm.start()
    assert handed_over(ask(program, folder, KEYWAY_TPM2=tpm.address), "tpm2", is_new=False) == key


def test_key_is_lost_with_the_tpm(program, folder, tpm):
    key = handed_over(ask(program, folder, KEYWAY_TPM2=tpm.address), "tpm2", is_new=True)
    tpm.clear()
    answer = ask(program, folder, KEYWAY_TPM2=tpm.address)
    assert handed_over(answer, "tpm2", is_new=True) != key
    assert "cleared" in answer.state["detail"]


def test_altered_blob_is_a_lost_key(program, folder, tpm):
    key = handed_over(ask(program, folder, KEYWAY_TPM2=tpm.address), "tpm2", is_new=True)
    blob = bytearray((folder / "store-key.tpm2").read_bytes())
    blob[-5] ^= 1
    (folder / "store-key.tpm2").write_bytes(blob)
    assert handed_over(ask(program, folder, KEYWAY_TPM2=tpm.address), "tpm2", is_new=True) != key
    (folder / "store-key.tpm2").write_bytes(blob[:30])
    handed_over(ask(program, folder, KEYWAY_TPM2=tpm.address), "tpm2", is_new=True)


def test_keyring_keeps_the_key_and_the_disk_does_not(program, folder, keyring):
    keyring.open()
    key = handed_over(ask(program, folder, **keyring.environment), "keyring", is_new=True)
    assert handed_over(ask(program, folder, **keyring.environment), "keyring", is_new=False) == key
    for file in [*folder.iterdir(), *(keyring.folder / "data").rglob("*.keyring")]:
        assert key not in file.read_bytes() and key.hex().encode() not in file.read_bytes()


def test_keyring_is_found_on_the_bus_of_the_runtime_folder(program, folder, keyring):
    keyring.open()
    environment = {name: keyring.environment[name] for name in ("HOME", "XDG_RUNTIME_DIR")}
    key = handed_over(ask(program, folder, **environment), "keyring", is_new=True)
    assert handed_over(ask(program, folder, **keyring.environment), "keyring", is_new=False) == key


def test_locked_keyring_is_waited_for_and_nobody_is_asked(program, folder, keyring):
    keyring.open()
    key = handed_over(ask(program, folder, **keyring.environment), "keyring", is_new=True)
    keyring.lock()
    answer = ask(program, folder, **keyring.environment)
    assert answer.state["isOpen"] is False and answer.key == b""
    # The daemon of another login: it starts with the password, and opens what the one before had kept.
    keyring.close_daemon()
    answer = ask(program, folder, **keyring.environment)
    assert answer.state["isOpen"] is False
    keyring.open()
    assert handed_over(ask(program, folder, **keyring.environment), "keyring", is_new=False) == key


def test_key_is_lost_when_the_open_keyring_lost_it(program, folder, keyring):
    keyring.open()
    key = handed_over(ask(program, folder, **keyring.environment), "keyring", is_new=True)
    keyring.forget()
    assert handed_over(ask(program, folder, **keyring.environment), "keyring", is_new=True) != key


def test_key_stays_where_it_is_when_something_better_comes(program, folder, tpm):
    key = handed_over(ask(program, folder), "file", is_new=True)
    answer = ask(program, folder, KEYWAY_TPM2=tpm.address)
    assert handed_over(answer, "file", is_new=False) == key
    assert "could keep the key now" in answer.state["detail"]


@pytest.mark.parametrize("arguments", [[], ["relative"], ["/tmp", "more"], ["--key=x"]])
def test_wrong_arguments_are_refused(program, arguments):
    finished = subprocess.run([program, *arguments], capture_output=True, stdin=subprocess.DEVNULL)
    assert finished.returncode == 64


def test_folder_that_others_may_enter_is_refused(program, folder):
    folder.mkdir(mode=0o755)
    folder.chmod(0o755)
    answer = ask(program, folder)
    assert answer.finished.returncode == 1
    assert list(folder.iterdir()) == []


# The broker


def store_key(broker) -> dict:
    with broker.connect() as peer:
        return peer.call("status")["storeKey"]


def say(broker, identifier: str, word: str) -> str:
    with broker.connect() as peer:
        return broker.visit_service(peer, identifier, word)


def test_broker_seals_under_the_tpm(stranger, tpm):
    keyway = stranger
    keyway.environment["KEYWAY_TPM2"] = tpm.address
    keyway.start_broker()
    identifier = keyway.provide("good")
    assert store_key(keyway) == {"source": "tpm2", "isOpen": True}
    process = keyway.processes[-1]
    keyway.stop(process)
    keyway.start_broker()
    with keyway.connect() as peer:
        assert len(suggest(peer)) == 1
    keyway.stop(keyway.processes[-1])
    # Another machine: the provider is asked for everything, and the person for what they had allowed.
    tpm.clear()
    keyway.start_broker()
    with keyway.connect() as peer:
        with pytest.raises(Refused) as refused:
            suggest(peer)
        assert refused.value.kind == "interactionRequired"
        disbelieved = peer.call("status")["disbelieved"]
    assert [line.split(" ")[0].split("/")[-1] for line in disbelieved] == ["clients.json", "providers.json"]
    keyway.stop(keyway.processes[-1])
    for name in ("clients", "providers", "applications", "verification", "register"):
        (keyway.state / f"{name}.json").unlink(missing_ok=True)
    keyway.start_broker()
    keyway.enable(identifier)
    with keyway.connect() as peer:
        assert suggest(peer) == []
    assert "what the stores held cannot be opened" in keyway.log
    assert say(keyway, identifier, "replace") == "written"
    assert say(keyway, identifier, "state") == "True True"


def test_broker_waits_for_the_keyring_and_wipes_nothing(stranger, keyring):
    keyway = stranger
    keyring.open()
    keyway.environment["DBUS_SESSION_BUS_ADDRESS"] = keyring.address
    keyway.start_broker()
    identifier = keyway.provide("good")
    assert store_key(keyway)["source"] == "keyring"
    keyway.stop(keyway.processes[-1])
    # As after a boot, before the desktop has opened it.
    keyring.close_daemon()
    keyway.start_broker()
    with keyway.connect() as peer:
        with pytest.raises(Refused) as refused:
            suggest(peer)
        assert refused.value.kind == "locked"
    # Nor is it known which providers are on.
    with pytest.raises(Refused) as refused:
        say(keyway, identifier, "save")
    assert refused.value.kind == "locked"
    state = store_key(keyway)
    assert state["source"] == "keyring" and not state["isOpen"] and state["detail"]
    keyring.open()

    def suggested():
        with keyway.connect() as peer:
            try:
                return suggest(peer)
            except Refused:
                return []

    eventually(suggested, within=60)
    assert "emptied" not in keyway.log
    assert say(keyway, identifier, "state") == "True True"


def test_nothing_of_an_identity_is_readable_on_the_disk(broker):
    broker.provide("good")
    with broker.connect() as peer:
        assert suggest(peer)[0]["user"] == "ada"
    folder = broker.folder / "state/keyway/identities"
    files = sorted(file.name for file in folder.iterdir())
    assert {"CACHEDIR.TAG", "store-key.json", "store-key.bin", "test.good.sqlite"} <= set(files)
    for file in folder.iterdir():
        content = file.read_bytes()
        for canary in (b"a.example", b"ada", b"https", b"password"):
            assert canary not in content, f"{canary!r} in {file.name}"
        assert file.stat().st_mode & 0o077 == 0 or file.name == "CACHEDIR.TAG"


def test_while_the_session_is_locked_the_key_is_nowhere(keyway, bus):
    bus.add_session("c1", os.getuid())
    keyway.start_broker()
    identifier = keyway.provide("good")
    process = keyway.processes[-1]
    key = (keyway.folder / "state/keyway/identities/store-key.bin").read_bytes()
    assert occurrences_of(key, process.pid) > 0
    for lock, unlock in (
        (("SetLockedHint", "b", "true"), ("SetLockedHint", "b", "false")),
        (("Lock",), ("Unlock",)),
    ):
        bus.call(f"{SESSION}/c1", f"{LOGIN1}.Session", *lock)
        eventually(lambda: not store_key(keyway)["isOpen"], within=60)
        assert occurrences_of(key, process.pid) == 0
        with keyway.connect() as peer, pytest.raises(Refused) as refused:
            suggest(peer)
        assert refused.value.kind == "locked"
        assert say(keyway, identifier, "save") == "busy"
        bus.call(f"{SESSION}/c1", f"{LOGIN1}.Session", *unlock)
        eventually(lambda: store_key(keyway)["isOpen"], within=60)
        with keyway.connect() as peer:
            assert len(suggest(peer)) == 1
        assert say(keyway, identifier, "save") == "written"


def test_broker_that_starts_in_a_locked_session_has_no_key(keyway, bus):
    bus.add_session("c1", os.getuid())
    bus.call(f"{SESSION}/c1", f"{LOGIN1}.Session", "SetLockedHint", "b", "true")
    keyway.start_broker()
    eventually(lambda: "identity stores locked" in keyway.log, within=60)
    assert store_key(keyway)["isOpen"] is False
    bus.call(f"{SESSION}/c1", f"{LOGIN1}.Session", "SetLockedHint", "b", "false")
    eventually(lambda: store_key(keyway)["isOpen"], within=60)


def occurrences_of(secret: bytes, pid: int) -> int:
    """How often the bytes stand in the memory of a process."""
    with Path(f"/proc/{pid}/mem").open("rb", buffering=0) as memory:
        return sum(
            part.count(secret) for start, end in regions(pid) for part in parts(memory, start, end, len(secret) - 1)
        )
