"""Faults at the writes of the identity store, and clients that start the broker at the same time."""

import concurrent.futures
import json
import os
import shutil
import signal
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from conftest import brokers, eventually, suggest, url
from wire import PROTOCOL, Peer, Refused

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


# A client that comes in the moment in which the broker ends


LIST = ("providers", "list", "--json")


def start_client(keyway, *arguments: str) -> subprocess.Popen:
    return subprocess.Popen(
        [keyway.prefix / "bin/keyway", *arguments],
        env=keyway.environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def ended(client: subprocess.Popen) -> tuple[int, str, str]:
    """Its status, what it printed, and what it said."""
    printed, said = client.communicate(timeout=60)
    return client.returncode, printed, said


@contextmanager
def listening(keyway) -> Iterator[socket.socket]:
    """A broker of the test's, which listens where the real one would."""
    keyway.socket.parent.mkdir(mode=0o700, exist_ok=True)
    with socket.socket(socket.AF_UNIX) as door:
        door.bind(str(keyway.socket))
        door.listen()
        door.settimeout(60)
        yield door


def waiting(door: Path) -> int:
    """How many connections to a socket there are, taken or not: each has its name, as the one that listens does."""
    lines = Path("/proc/net/unix").read_text().splitlines()
    return sum(1 for line in lines if line.endswith(f" {door}")) - 1


def test_client_that_a_killed_broker_did_not_answer_comes_to_the_next_one(keyway):
    keyway.start_broker()
    process = keyway.processes.pop()
    process.send_signal(signal.SIGSTOP)
    # What asked whether it listens may have left a connection, too.
    before = waiting(keyway.socket)
    client = start_client(keyway, *LIST)
    eventually(lambda: waiting(keyway.socket) > before)
    process.kill()
    process.wait()
    status, printed, said = ended(client)
    assert status == 0, said
    assert "providers" in json.loads(printed)
    assert brokers(keyway.folder) not in ([], [process.pid])


def test_client_whose_greeting_a_broker_took_along_comes_to_the_next_one(keyway):
    with listening(keyway) as door:
        client = start_client(keyway, *LIST)
        taken, _ = door.accept()
        greeted, _ = Peer(taken).receive()
        assert greeted["method"] == "hello"
        # As when the process ends: nobody listens any more, and the connection is gone.
        door.close()
        taken.close()
    status, printed, said = ended(client)
    assert status == 0, said
    assert "providers" in json.loads(printed)
    assert brokers(keyway.folder)


def test_broker_that_ends_every_connection_is_told(keyway):
    with listening(keyway) as door:
        client = start_client(keyway, *LIST)
        for _ in range(2):
            door.accept()[0].close()
        status, printed, said = ended(client)
        door.settimeout(0)
        with pytest.raises(BlockingIOError):
            door.accept()
    assert status != 0 and printed == ""
    assert "keywayd ended the connection before it answered, and did so again." in said
    assert "libexec/keyway/keywayd --foreground" in said


def test_client_asks_nothing_twice_once_a_broker_has_greeted_it(keyway):
    with listening(keyway) as door:
        client = start_client(keyway, "fill", "https://a.example")
        taken, _ = door.accept()
        with Peer(taken) as peer:
            greeted, _ = peer.receive()
            peer.send({"jsonrpc": "2.0", "id": greeted["id"], "result": {"protocol": PROTOCOL, "name": "of the test"}})
            asked, _ = peer.receive()
            assert asked["method"] != "hello"
        status, printed, said = ended(client)
        door.settimeout(0)
        with pytest.raises(BlockingIOError):
            door.accept()
    assert status != 0 and printed == ""
    assert "The connection ended before the answer came." in said
