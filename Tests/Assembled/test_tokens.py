"""T34: what is on its way from one provider to another is for one program, and for it once."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from cxf_documents import EVERYTHING
from login import HOME, MASTER, USER, Login, Terminal, eventually
from own_provider import own_copy
from person import PASSWORDS
from persons_programs import PYTHON, WIRE
from screen import DOWN, ENTER, ESCAPE, Screen
from test_traces import set_pin

PIN = "839204"
COMMAND = "keyway answer"
# What is said of every token that is not good.
NOTHING = "credentialImport: No accounts wait under this token."
# Asks the broker, in the role of an app or of another program, for one thing.
DEMANDS = (
    WIRE
    + """
import json, sys

with Peer.connect(sys.argv[1]).greet(sys.argv[2]) as peer:
    try:
        print(peer.call(sys.argv[3], json.loads(sys.argv[4])))
    except Refused as refused:
        print(refused.kind)
"""
)


class Manager:
    """The sample manager under a name of its own, and its app; the person let it act for its provider."""

    def __init__(self, login: Login, terminal: Terminal, name: str) -> None:
        self.login, self.name = login, name
        self.identifier = f"org.example.{name.lower()}"
        self.group = f"group.{self.identifier}"
        keys = {"CFBundleName": name, "KeywayGroup": self.group}
        bundle = own_copy(login, "share/keyway/samples/SampleManager.appex", name.lower(), **keys)
        self.app = bundle / "sample-manager"
        terminal.keyway(f"providers enable --yes {self.identifier}")
        terminal.keyway(f"providers approve {self.identifier}")
        assert self.run("group") == "group"

    @property
    def folder(self) -> Path:
        return HOME / ".local/share/keyway/groups" / self.group

    def put(self, name: str, text: str) -> None:
        (self.folder / name).write_text(text)
        os.chown(self.folder / name, USER, USER)

    @property
    def token(self) -> str:
        """The token that its app got last; nothing if there was none."""
        file = self.folder / "token"
        return file.read_text() if file.exists() else ""

    @property
    def has_imported(self) -> bool:
        return (self.folder / "imported.json").exists()

    def run(self, *words: str, program: Path | None = None) -> str:
        """What the app prints, started by another program of the person's."""
        return self.login.run(program or self.app, *words).stdout.strip()


@pytest.fixture
def terminal(login: Login) -> Iterator[Terminal]:
    with login.terminal() as terminal:
        yield terminal


@pytest.fixture
def managers(login: Login, terminal: Terminal) -> list[Manager]:
    """One that exports, one to which the accounts go, and a third one; the person also has a vault, and a PIN."""
    made = [Manager(login, terminal, name) for name in ("First", "Second", "Third")]
    made[0].put("export.json", json.dumps(EVERYTHING["accounts"][0]))
    # From now on they are verified where something is turned on.
    terminal.keyway(f"providers enable --yes {PASSWORDS}")
    terminal.keyway("passwords init", MASTER, MASTER)
    assert "ended=0" in set_pin(terminal, PIN)
    return made


@contextmanager
def exporting(manager: Manager) -> Iterator[subprocess.Popen]:
    """Its app hands everything over, as far as the person wants it to, and has told them where they answer."""
    log = manager.login.tools / "app.log"
    with log.open("wb") as said:
        process = manager.login.start(manager.app, "export-at-once", stdout=subprocess.PIPE, stderr=said, text=True)
    try:
        eventually(lambda: COMMAND in log.read_text() or process.poll() is not None)
        assert process.poll() is None, process.stdout.read() + log.read_text()
        yield process
    finally:
        process.kill()
        process.communicate()


def ended(process: subprocess.Popen) -> str:
    """What the app printed, once it has ended."""
    eventually(lambda: process.poll() is not None)
    return process.stdout.read()


def answer(terminal: Terminal) -> Screen:
    """The terminal in which the person answers."""
    screen = Screen(terminal, COMMAND)
    screen.wait_for("Copy all accounts of First to")
    return screen


def choose(screen: Screen, name: str) -> None:
    """Goes to the row of a provider, wherever it stands, and takes it."""
    rows = [line for line in screen.text.splitlines() if any(one in line for one in ("Passwords", "Second", "Third"))]
    place = next(number for number, row in enumerate(rows) if name in row)
    screen.type(DOWN * place + ENTER)


def confirm(screen: Screen) -> None:
    screen.wait_for("Confirm it\u2019s you")
    screen.type(PIN + ENTER)


def test_T34_a_token_is_for_the_app_that_the_person_chose_and_for_once(managers: list[Manager], terminal: Terminal):
    first, second, third = managers
    second.put("behaviour", "waits")
    copy = HOME / "copy"
    shutil.copy(second.app, copy)
    with exporting(first):
        screen = answer(terminal)
        choose(screen, "Second")
        confirm(screen)
        token = eventually(lambda: second.token)
        # The app of another provider, which is on and may act for it, and who exported it.
        assert third.run("import", token) == NOTHING
        assert first.run("import", token) == NOTHING
        assert third.run("import", str(uuid.uuid4())) == NOTHING
        # The same program somewhere else, and what is no program of a provider.
        assert second.run("import", token, program=copy).startswith("credentialImport: This program isn't")
        for role in ("application", "terminal", "browser"):
            assert demand(first.login, role, "exchange.take", {"token": token}) in REFUSALS, role
        assert not third.has_imported
        # None of them took anything away from whom it is for.
        assert second.run("import", token) == "imported 1"
        assert second.run("import", token) == NOTHING


def test_T34_what_was_taken_once_is_not_given_to_the_same_process_again(managers: list[Manager], terminal: Terminal):
    first, second, _ = managers
    second.put("behaviour", "twice")
    with exporting(first) as process:
        screen = answer(terminal)
        choose(screen, "Second")
        confirm(screen)
        said = ended(process)
        assert said.startswith("credentialExport: Second failed: No accounts wait under this token."), said
    assert not second.has_imported
    assert second.run("import", second.token) == NOTHING


def test_T31_T34_nothing_leaves_where_the_person_chose_nobody(managers: list[Manager], terminal: Terminal):
    first, second, third = managers
    with exporting(first) as process:
        screen = answer(terminal)
        screen.type(ESCAPE)
        assert ended(process).startswith("canceled")
    assert (second.token, third.token) == ("", "")


def test_T31_no_program_but_the_app_of_a_provider_has_accounts_exported(managers: list[Manager], login: Login):
    first = managers[0]
    copy = HOME / "copy"
    shutil.copy(first.app, copy)
    process = login.start(copy, "export", stdout=subprocess.PIPE, text=True)
    assert ended(process).startswith("credentialExport: This program isn't the app")
    for role in ("application", "terminal", "browser"):
        for method, parameters in (
            ("exchange.request", {}),
            ("exchange.begin", {"provider": first.identifier, "presents": False}),
        ):
            said = demand(login, role, method, parameters)
            assert said in REFUSALS, (role, method)


# The last one is said where the person would have to be asked first, and cannot be.
REFUSALS = ("notAllowed", "notApproved", "disabled", "interactionRequired")


def demand(login: Login, role: str, method: str, parameters: dict) -> str:
    """What another program of the person's is told, which has no terminal."""
    return login.run(PYTHON, "-c", DEMANDS, login.door, role, method, json.dumps(parameters)).stdout.strip()
