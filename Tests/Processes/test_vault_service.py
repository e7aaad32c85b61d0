"""The vault's service as a process: its broker, its clients, its locks."""

import os
import time

import pytest
from vault_service import EXTENSION, MASTER, VaultService, eventually, refusal


@pytest.fixture
def service(stage):
    with VaultService(stage) as service:
        yield service.start()


def test_greets_the_broker_as_a_service(service):
    service.broker.wait(lambda broker: broker.hello is not None)
    assert service.broker.hello["role"] == "providerService"
    assert service.broker.hello["protocol"] == {"major": 1, "minor": 1}


def test_without_a_broker_it_says_who_starts_it(service, stage):
    status = os.spawnve(os.P_WAIT, service.program, [str(service.program)], service.environment)
    assert status == 69


def test_keeps_items_across_processes(service):
    terminal = service.with_vault()
    terminal.add("Example", "hunter2", "käse", user="ada", addresses=["https://a.example/login"])
    assert service.stop() == 0
    service.start()
    terminal = service.attach()
    assert terminal.access() == "locked"
    terminal.unlock()
    shown = terminal.show("Example", "password", "notes")
    assert (shown["password"], shown["notes"], shown["summary"]["user"]) == ("hunter2", "käse", "ada")


def test_an_unlock_is_for_its_session_and_the_extension(service):
    terminal = service.with_vault()
    terminal.lock()
    terminal.unlock()
    assert terminal.titles() == []
    assert service.attach(EXTENSION).titles() == []
    other = service.attach()
    assert other.access() == "locked"
    assert refusal(other.titles) == "locked"
    other.unlock()
    assert other.titles() == []


def test_a_grant_ends_with_the_session(service):
    session = service.terminal()
    terminal = service.attach(session)
    terminal.create()
    assert terminal.titles() == []
    service.leaders[-1].kill()
    service.leaders[-1].wait()
    assert refusal(terminal.titles) == "locked"
    assert service.attach(EXTENSION).titles() == []


def test_tells_the_broker_when_it_opens_and_locks(service):
    terminal = service.with_vault()
    service.broker.wait_for_states("ready")
    terminal.lock()
    service.broker.wait_for_states("ready", "locked")


def test_keeps_the_identity_store_in_step(service):
    terminal = service.with_vault()
    terminal.add("Example", "hunter2", user="ada", addresses=["https://a.example/login"])
    service.broker.wait(lambda broker: ("ada", "https://a.example/login") in broker.store["identities"])
    terminal.edit("Example", addresses=["b.example"])
    service.broker.wait(lambda broker: list(broker.store["identities"]) == [("ada", "b.example")])
    held = dict(service.broker.store["identities"])
    service.stop()
    service.vault.unlink()
    service.start(store={"identities": held})
    service.broker.wait(lambda broker: not broker.store["identities"])


def test_locks_and_ends_with_the_broker(service):
    terminal = service.with_vault()
    assert service.stop() == 0
    assert terminal.peer.is_closed()
    assert "locked: the broker is gone" in service.log


def test_locks_after_idle_time(stage):
    with VaultService(stage) as service:
        service.set_idle_seconds(1)
        terminal = service.start().with_vault()
        service.broker.wait_for_states("ready", "locked")
        assert refusal(terminal.titles) == "locked"


def test_locks_after_idle_time_although_the_broker_says_no_limits(stage):
    """An open vault waits for no answer: a broker that hangs would keep it open."""
    with VaultService(stage) as service:
        service.set_idle_seconds(1)
        service.start()
        service.broker.says_limits = False
        service.with_vault()
        service.broker.wait_for_states("ready", "locked")


def test_settings_that_are_wrong_are_said_and_not_used(stage):
    with VaultService(stage) as service:
        service.set_idle_seconds(0)
        assert service.start().attach().call("vault.status")["idleLimit"] == 600
        assert "is ignored" in service.log


def test_a_wrong_password_makes_the_next_attempt_wait_and_nobody_else(service):
    terminal = service.with_vault()
    terminal.add("Example", "hunter2")
    terminal.lock()
    assert refusal(lambda: terminal.unlock("guess")) == "wrongPassword"
    failed = time.monotonic()
    waiting = terminal.request(
        "vault.unlock", {"masterPassword": {"descriptor": 0}, "acceptsOlderCopy": False}, (MASTER,)
    )
    other = service.attach()
    assert other.access() == "locked"
    assert len(other.call("passwords.generate", {"length": 20, "digits": True, "symbols": True})["password"]) == 20
    assert time.monotonic() - failed < 0.9, "others waited as well"
    result, _ = terminal.peer.answer(waiting)
    assert time.monotonic() - failed >= 1
    assert result["access"] == "open"
    assert terminal.titles() == ["Example"]


def test_two_clients_at_a_time(service):
    first = service.with_vault()
    second = service.attach()
    second.unlock()
    first.add("One", "1")
    second.add("Two", "2")
    assert first.titles() == second.titles() == ["One", "Two"]
    assert first.show("Two", "password")["password"] == "2"


def test_requests_under_way_end_when_it_locks(service):
    terminal = service.with_vault()
    terminal.add("Example", "hunter2")
    other = service.attach()
    params = {"item": {"text": "Example"}, "parts": ["password"]}
    for _ in range(5):
        shows = [terminal.request("items.show", params) for _ in range(40)]
        other.lock()
        outcomes = {refusal(lambda number=number: terminal.peer.answer(number)) for number in shows}
        assert outcomes <= {None, "locked"}
        assert refusal(lambda: terminal.show("Example")) == "locked"
        terminal.unlock()


def test_an_unlock_under_way_ends_when_its_client_goes(service):
    terminal = service.with_vault()
    terminal.lock()
    gone = service.attach()
    params = {"masterPassword": {"descriptor": 0}, "acceptsOlderCopy": False}
    gone.request("vault.unlock", params, (MASTER,))
    gone.close()
    eventually(lambda: terminal.access() == "locked")
    terminal.unlock()
    assert terminal.titles() == []


def test_a_frame_that_is_no_message_costs_its_sender_only(service):
    terminal = service.with_vault()
    stranger = service.attach()
    stranger.peer.send_bytes(b"\x05\0\0\0{{{{{")
    error, _ = stranger.peer.receive()
    assert error["error"]["data"]["kind"] == "malformed"
    assert stranger.access() == "locked"
    assert terminal.titles() == []
