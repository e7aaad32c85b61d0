"""T18: a provider in a namespace reaches no network, socket, file or other process that it did not declare."""

from __future__ import annotations

import os
import socket
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

import pytest
from login import HOME, RUNTIME, USER, Login, eventually

REPORT, SECRET, SOCKET = HOME / "report", HOME / ".ssh/id", RUNTIME / "socket"
ABSTRACT = "keyway-test-of-a-lodger"
EVERYTHING = ["network", "broker", "socket", "abstract", "read", "write", "memory", "seen", "signal"]


@dataclass
class Surroundings:
    login: Login
    # What the broker starts.
    service: Path
    victim: int


@pytest.fixture
def around(login: Login) -> Iterator[Surroundings]:
    """Somebody listens everywhere, and a process of the person's sleeps."""
    victim = login.start("/bin/sleep", "600")
    REPORT.mkdir()
    SECRET.parent.mkdir(mode=0o700)
    SECRET.write_text("a secret key\n")
    with ExitStack() as stack:
        machine = stack.enter_context(socket.create_server(("127.0.0.1", 0)))
        for address in (str(SOCKET), f"\0{ABSTRACT}"):
            listening = stack.enter_context(socket.socket(socket.AF_UNIX))
            listening.bind(address)
            listening.listen()
        os.chown(SOCKET, USER, USER)
        program = login.compile(
            "lodger.c",
            "lodger",
            REPORT=f'"{REPORT}"',
            SECRET=f'"{SECRET}"',
            VICTIM=victim.pid,
            PORT=machine.getsockname()[1],
            DOOR=f'"{login.door}"',
            SOCKET=f'"{SOCKET}"',
            ABSTRACT=f'"{ABSTRACT}"',
        )
        # What declares a program needs a namespace.
        sandbox = {"WritePaths": [str(REPORT)], "Programs": ["true"]}
        yield Surroundings(login, login.install_bundle("lodger", program, sandbox), victim.pid)


def reached() -> list[str]:
    eventually((REPORT / "done").exists)
    return (REPORT / "done").read_text().splitlines()


def test_T18_a_provider_in_a_namespace_reaches_nothing_that_it_did_not_declare(around: Surroundings):
    around.login.keyway("providers", "enable", "--yes", "test.lodger")
    assert reached() == []


def test_T18_without_its_walls_it_reaches_all_of_it(around: Surroundings):
    # The broker is there.
    around.login.keyway("providers", "list")
    around.login.start(around.service)
    assert reached() == EVERYTHING
