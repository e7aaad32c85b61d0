"""Faults at the writes of the identity store, and clients that start the broker at the same time."""

import concurrent.futures
import os
import shutil
import signal
import subprocess
import time

import pytest
from conftest import brokers, eventually, suggest, url
from wire import Peer, Refused

ROUNDS = 12


def test_store_is_whole_after_the_broker_was_killed_at_any_write(broker):
    identifier = broker.provide("churn")
    marks = broker.marks(identifier)
    for round in range(ROUNDS):
        with broker.connect() as peer:
            _, (conversation,) = peer.answer(peer.request("service.connect", {"provider": identifier}))
            os.write(conversation, b"churn\n")
            eventually(lambda: (marks / "confirmed").exists() and (marks / "confirmed").read_text())
            # Not in step with the writes: another moment each round.
            time.sleep(0.01 + 0.007 * round)
            process = broker.processes.pop()
            process.kill()
            process.wait()
            os.close(conversation)
        confirmed = int((marks / "confirmed").read_text())
        (marks / "confirmed").unlink()
        broker.start_broker()
        with broker.connect() as peer:
            found = peer.call("suggest", {"services": [url()], "limit": 1000})["suggestions"]
        users = sorted(suggestion["user"] for suggestion in found)
        expected = sorted([f"user{number}" for number in range(40)] + [f"more user{number}" for number in range(40)])
        assert users == expected, f"half a write is there (round {round})"
        assert stored_generation(broker, identifier) >= confirmed


def stored_generation(broker, identifier: str) -> int:
    """The record identifier that every identity of the store has, as the provider itself reads it."""
    with broker.connect() as peer:
        return int(broker.visit_service(peer, identifier, "generation"))


def on_disk(keyway, options: str):
    """Runs the broker with its state on a disk of its own, seen by it alone."""
    saved = keyway.folder / "saved"
    shutil.copytree(keyway.state, saved)
    mount = f"mount -t tmpfs -o {options},mode=700 none {keyway.state} && cp -a {saved}/. {keyway.state}"
    return keyway.broker_apart(mount)


def test_full_disk_loses_nothing_that_was_confirmed(keyway):
    with on_disk(keyway, "size=768k"):
        identifier = keyway.provide("eager")
        fill_disk(keyway, identifier)


def fill_disk(keyway, identifier: str) -> None:
    with keyway.connect() as peer:
        confirmed, kind = keyway.visit_service(peer, identifier, "fill-disk").split()
        assert kind == "system"
        assert int(confirmed) > 100
        assert suggest(peer), "the broker lives"
        assert provider_of(peer, identifier)["identities"] == int(confirmed) + 1


def provider_of(peer: Peer, identifier: str) -> dict:
    """What `providers.list` says of one provider."""
    (provider,) = [
        provider
        for provider in peer.call("providers.list")["providers"]
        if provider["reference"]["identifier"] == identifier
    ]
    return provider


def test_choice_that_does_not_fit_on_the_disk_changes_nothing(keyway):
    # Room for what is there and for nothing more.
    process = keyway.start_broker()
    keyway.connect().close()
    keyway.stop(process)
    identifier = keyway.install("late")
    options = f"size=1m,nr_inodes={1 + sum(1 for _ in keyway.state.rglob('*'))}"
    with on_disk(keyway, options), keyway.connect() as peer:
        with pytest.raises(Refused) as refused:
            peer.call("providers.setEnabled", {"identifier": identifier, "isEnabled": True})
        # Where the key of the settings does not fit either, nothing can be written at all; where a check of the person
        # cannot be counted, none is made.
        assert refused.value.kind in ("system", "locked", "interactionRequired")
        assert not provider_of(peer, identifier)["isEnabled"]
        assert peer.call("status")["version"]


@pytest.mark.parametrize("count", [2, 8])
def test_clients_that_start_the_broker_together_share_one(keyway, count):
    program = keyway.prefix / "bin/keyway"
    with concurrent.futures.ThreadPoolExecutor(count) as pool:
        runs = [
            pool.submit(
                subprocess.run,
                [program, "providers", "list", "--json"],
                env=keyway.environment,
                capture_output=True,
                text=True,
                timeout=60,
            )
            for _ in range(count)
        ]
    for finished in (run.result() for run in runs):
        assert finished.returncode == 0, finished.stderr
    (process,) = brokers(keyway.folder)
    with keyway.connect() as peer:
        assert peer.call("status")["processIdentifier"] == process
    started = (keyway.folder / "runtime/keyway/keywayd.log").read_text()
    assert started.count("listens, process") == 1


def test_left_over_socket_is_no_obstacle_for_a_client(keyway):
    keyway.start_broker()
    process = keyway.processes.pop()
    process.send_signal(signal.SIGKILL)
    process.wait()
    assert keyway.socket.exists()
    finished = subprocess.run(
        [keyway.prefix / "bin/keyway", "providers", "list", "--json"],
        env=keyway.environment,
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert finished.returncode == 0, finished.stderr
    assert brokers(keyway.folder) != [process.pid]
