"""Two people of one machine, who never meet; and one who may not write to their home."""

from __future__ import annotations

import os
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest
from browser_host import Host, kind
from conftest import add_user, turn_passwords_on
from login import HOME, MASTER, Login, Terminal

SITE = "https://a.example"


class Neighbour(Login):
    """The other login of the machine."""

    name, user = "grace", 64_341
    home, runtime = Path("/home/grace"), Path("/run/user/64341")


@pytest.fixture(scope="module")
def other_user(machine: None) -> None:
    add_user(Neighbour.name, Neighbour.user)


@pytest.fixture
def neighbour(prefix: Path, other_user: None) -> Iterator[Neighbour]:
    with Neighbour(prefix) as neighbour:
        yield neighbour


def start_broker(login: Login) -> None:
    # It asks for more than it is told here, and starts the broker.
    login.run("keyway", "clients", "list")
    assert login.named("keywayd")


def keep(terminal: Terminal, password: str) -> None:
    """Makes a vault with one account of that password."""
    turn_passwords_on(terminal)
    terminal.keyway("passwords init", MASTER, MASTER)
    terminal.keyway(f"passwords add site --user me --url {SITE}", password)


def test_each_has_a_broker_and_a_vault_of_their_own(login: Login, neighbour: Neighbour) -> None:
    with login.terminal() as hers, neighbour.terminal() as theirs:
        keep(hers, "of ada")
        keep(theirs, "of grace")
        assert hers.keyway(f"fill {SITE}") == "of ada\n"
        assert theirs.keyway(f"fill {SITE}") == "of grace\n"
        for person, terminal in ((login, hers), (neighbour, theirs)):
            assert len(person.named("keywayd")) == len(person.named("keyway-vaultd")) == 1
            assert f'"processIdentifier":{person.broker}' in terminal.keyway("status --json").replace(" ", "")
        # What one locks, the other keeps open.
        hers.keyway("passwords lock")
        assert theirs.keyway(f"fill {SITE}") == "of grace\n"


def test_neither_reads_what_is_the_others(login: Login, neighbour: Neighbour) -> None:
    with login.terminal() as hers:
        keep(hers, "of ada")
        vault = next(HOME.rglob("*.vault"))
        processes = [login.broker, *login.named("keyway-vaultd")]
        for command in (
            *[["cat", vault], ["ls", vault.parent], ["ls", login.runtime], ["cat", login.door.parent / "keywayd.log"]],
            *[["cat", f"/proc/{process}/{what}"] for process in processes for what in ("environ", "maps", "mem")],
            *[["kill", "-0", str(process)] for process in processes],
        ):
            assert neighbour.run(*command).returncode != 0, command


def test_variables_lead_nobody_to_the_others_broker(login: Login, neighbour: Neighbour) -> None:
    start_broker(login)
    start_broker(neighbour)
    with neighbour.terminal() as theirs:
        variables = f"HOME={login.home} XDG_RUNTIME_DIR={login.runtime} XDG_STATE_HOME={login.home}/.local/state"
        _, told, said = theirs.run(f"env {variables} keyway status --json")
        assert f'"processIdentifier":{neighbour.broker}' in told.replace(" ", ""), said
        assert login.broker != neighbour.broker


def test_a_door_that_was_left_open_lets_no_other_user_in(login: Login, neighbour: Neighbour) -> None:
    start_broker(login)
    for path, mode in ((login.runtime, 0o755), (login.door.parent, 0o755), (login.door, 0o666)):
        path.chmod(mode)
    knock = (
        "import socket; s = socket.socket(socket.AF_UNIX); s.settimeout(30); "
        f"s.connect({str(login.door)!r}); print(repr(s.recv(1)))"
    )
    finished = neighbour.run("/usr/bin/python3", "-c", knock)
    assert finished.stdout == "b''\n", finished.stderr
    assert f"a connection of user {neighbour.user} was refused" in login.log


def test_a_door_of_the_others_in_ones_own_place_is_not_entered(login: Login, neighbour: Neighbour) -> None:
    """A socket at which another user listens, put where one's own broker would be."""
    folder = login.door.parent
    login.run("mkdir", "-m", "700", folder)
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(str(login.door))
        listening.listen()
        os.chown(login.door, login.user, login.user)
        with login.terminal() as hers:
            status, _, said = hers.run("keyway status")
        assert status != 0
        assert f"Another user's program listens on {login.door}" in said


@pytest.fixture
def locked_out(login: Login) -> Iterator[Login]:
    """Somebody who may not write to their home: an administrator's mistake, or a home that is not mounted."""
    with login.terminal() as terminal:
        login.open_terminal = terminal
        os.chown(login.home, 0, 0)
        login.home.chmod(0o755)
        yield login


@pytest.mark.parametrize("command", ["providers list", "clients list", f"fill {SITE}", f"suggest {SITE}"])
def test_a_home_that_cannot_be_written_to_is_named(locked_out: Login, command: str) -> None:
    status, _, said = locked_out.open_terminal.run(f"keyway {command}")
    assert status != 0
    assert f"Couldn't create {locked_out.home}/.local: Permission denied." in said
    assert "Keyway needs a home folder that you can write to." in said
    assert not locked_out.named("keywayd")


def test_setup_names_a_home_that_cannot_be_written_to(locked_out: Login) -> None:
    """Before anything is asked."""
    status, told, said = locked_out.open_terminal.run("keyway setup")
    assert status != 0
    assert f"and {locked_out.home} isn't writable." in said
    assert "run `keyway setup` again" in said.replace("\n", " ")
    assert told == ""
    assert not locked_out.named("keywayd")


def test_doctor_names_a_home_that_cannot_be_written_to(locked_out: Login) -> None:
    status, told, _ = locked_out.open_terminal.run("keyway doctor")
    assert status != 0
    assert f"{locked_out.home} isn't writable" in told


def test_a_browser_names_a_home_that_cannot_be_written_to(locked_out: Login) -> None:
    """What the extension is told, and shows."""
    program = locked_out.prefix / "libexec/keyway/keyway-browser-host"
    with Host(locked_out.environment, program=program, user=locked_out.user) as host:
        host.greet().request(2, "suggest", {"url": f"{SITE}/login", "private": False})
        answer = host.answer()
    assert kind(answer) == "brokerUnreachable"
    assert f"Couldn't create {locked_out.home}/.local: Permission denied." in answer["error"]["message"]
