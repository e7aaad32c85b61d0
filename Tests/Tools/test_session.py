"""The private session that `make run` and the tests stand on."""

import socket
import stat
import subprocess
import time

import pytest
from running import ends, is_running

from session.private import CommandFailed, PrivateSession
from session.steps import StepFailed, step


@pytest.fixture
def session():
    with PrivateSession() as private:
        yield private


def program(session: PrivateSession, path: str, script: str) -> None:
    place = session.prefix / path
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_text(script)
    place.chmod(0o755)


def test_folder_is_private_and_gone_afterwards():
    with PrivateSession() as session:
        assert stat.S_IMODE(session.folder.stat().st_mode) == 0o700
    assert not session.folder.exists()


def test_nothing_of_the_persons_own_is_named(session, monkeypatch):
    monkeypatch.setenv("DBUS_SESSION_BUS_ADDRESS", "unix:path=/run/user/1000/bus")
    monkeypatch.setenv("KEYWAY_SECRET", "x")
    with PrivateSession() as other:
        for name, value in other.environment.items():
            if name.startswith("XDG_") or name == "HOME":
                assert value.split(":")[0].startswith(str(other.folder)), name
        assert "DBUS_SESSION_BUS_ADDRESS" not in other.environment
        assert "KEYWAY_SECRET" not in other.environment


def test_secrets_go_through_standard_input_a_line_each(session):
    program(session, "bin/keyway", '#!/bin/sh\nread a; read b; echo "$a-$b $*"\n')
    assert session.keyway("passwords", "init", secrets=["one", "two"]) == "one-two passwords init\n"


def test_command_that_fails_says_what_it_said(session):
    program(session, "bin/keyway", "#!/bin/sh\necho 'keyway: no such vault' >&2\nexit 3\n")
    with pytest.raises(CommandFailed, match="keyway fill: status 3: keyway: no such vault"):
        session.keyway("fill")


def test_broker_that_dies_is_told_with_its_words(session):
    program(session, "libexec/keyway/keywayd", "#!/bin/sh\necho 'the folder is open to others' >&2\nexit 1\n")
    with pytest.raises(CommandFailed, match="the folder is open to others"):
        session.start_broker()


LISTENS_LATE = """#!/usr/bin/env python3
import os, socket, time
folder = os.environ["XDG_RUNTIME_DIR"] + "/keyway"
os.mkdir(folder)
door = socket.socket(socket.AF_UNIX)
door.bind(folder + "/autofill.sock")
time.sleep(0.2)
door.listen()
time.sleep(60)
"""


def test_broker_is_waited_for_until_it_takes_connections(session):
    program(session, "libexec/keyway/keywayd", LISTENS_LATE)
    session.start_broker()
    with socket.socket(socket.AF_UNIX) as connection:
        connection.connect(f"{session.folder}/runtime/keyway/autofill.sock")


def test_processes_end_with_the_session_and_with_what_they_started():
    with PrivateSession() as session:
        session.start("sh", "-c", "sleep 60 & echo $!; wait", log="log")
        deadline = time.monotonic() + 10
        while not (text := (session.folder / "log").read_text()).endswith("\n") and time.monotonic() < deadline:
            time.sleep(0.01)
        child = int(text)
        assert is_running(child)
    assert ends(child)


def test_folder_goes_also_while_something_that_ends_still_writes_there():
    with PrivateSession() as session:
        script = "cd $0; for i in $(seq 300); do mkdir -p a/b; : > a/b/$i; done"
        subprocess.Popen(["sh", "-c", script, session.folder], stderr=subprocess.DEVNULL)
    assert not session.folder.exists()


def test_step_prints_its_time(capsys):
    with step("a thing"):
        pass
    assert capsys.readouterr().out.endswith(" s  a thing\n")


def test_failed_step_is_named_and_not_printed_as_done(capsys):
    with pytest.raises(StepFailed, match="a thing: because"), step("a thing"):
        raise ValueError("because")
    assert capsys.readouterr().out == ""
