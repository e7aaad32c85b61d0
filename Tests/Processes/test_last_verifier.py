"""The provider that alone verifies the person is not turned off unasked; and room for connections."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from terminal import ENTER, Terminal

from session import grants
from session.private import PASSWORDS

MASTER = "correct horse battery staple"


@pytest.fixture
def vault(broker):
    broker.keyway("providers", "enable", "--yes", PASSWORDS)
    broker.keyway("passwords", "init", "--memory", "64", secrets=[MASTER, MASTER])
    return broker


def is_on(session) -> bool:
    return any(one["reference"]["identifier"] == PASSWORDS and one["isEnabled"] for one in listed(session))


def listed(session) -> list[dict]:
    peer = session.connect()
    return peer.answer(peer.request("providers.list", {}))[0]["providers"]


def disable(session) -> list:
    return [session.prefix / "bin/keyway", "providers", "disable", PASSWORDS]


def test_turning_off_what_alone_verifies_asks_first(vault):
    # A program without a terminal.
    ended = subprocess.run(
        disable(vault), env=vault.environment, stdin=subprocess.DEVNULL, capture_output=True, start_new_session=True
    )
    assert ended.returncode != 0
    assert is_on(vault)
    # The person, in a terminal.
    with Terminal(disable(vault), {**vault.environment, "TERM": "xterm"}) as terminal:
        terminal.wait_for("[Mm]aster password")
        terminal.type(MASTER + ENTER)
        status, _, err = terminal.finish()
    assert status == 0, err
    assert not is_on(vault)


def test_a_provider_without_a_vault_is_turned_off_unasked(broker):
    broker.keyway("providers", "enable", "--yes", PASSWORDS)
    broker.keyway("providers", "disable", PASSWORDS)
    assert not is_on(broker)


FLOODS = """
import socket, sys
doors = []
for _ in range(300):
    door = socket.socket(socket.AF_UNIX)
    door.connect(sys.argv[1])
    doors.append(door)
print("connected", flush=True)
open_ones = 0
for door in doors:
    door.settimeout(0.3 if open_ones < 65 else 5)
    try:
        door.recv(1)
    except TimeoutError:
        open_ones += 1
print(open_ones, flush=True)
sys.stdin.read()
"""


def test_a_program_that_nobody_approved_takes_few_connections(broker, tmp_path):
    # Another file than the one that the tests run.
    stranger = tmp_path / "stranger"
    stranger.write_bytes(Path(grants.own_program()).read_bytes())
    stranger.chmod(0o755)
    flood = subprocess.Popen(
        [stranger, "-c", FLOODS, broker.socket],
        env={**broker.environment, "PYTHONHOME": sys.base_prefix},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        assert flood.stdout.readline() == "connected\n"
        # Keyway's own programs are served all the while.
        assert "Passwords" not in broker.keyway("clients", "list")
        assert int(flood.stdout.readline()) <= 64
    finally:
        flood.stdin.close()
        flood.wait()
