"""Two copies of the sample manager, each a provider of its own: one exports, the other imports."""

from __future__ import annotations

import json
import plistlib
import shutil
import subprocess
from pathlib import Path

from conftest import Keyway, eventually
from terminal import ENTER, Terminal
from test_verification import PIN, set_pin

COMMAND = "keyway answer"


def let_person_be_verified(session: Keyway) -> None:
    """Sets the PIN, once. From then on a terminal is needed to turn providers on."""
    if not hasattr(session, "is_verifiable"):
        session.is_verifiable = True
        set_pin(session)


class Manager:
    """An installed copy of the sample manager, and its app."""

    def __init__(self, session: Keyway, name: str, **keys: object) -> None:
        self.session = session
        self.name = name
        self.identifier = f"org.example.{name.lower().replace(' ', '-')}"
        self.bundle = session.folder / f"data/keyway/providers/{self.identifier}.appex"
        shutil.copytree(session.prefix / "share/keyway/samples/SampleManager.appex", self.bundle)
        self.change(
            CFBundleIdentifier=self.identifier, CFBundleName=name, KeywayGroup=f"group.{self.identifier}", **keys
        )
        self.app = self.bundle / "sample-manager"

    def change(self, **keys: object) -> None:
        """Changes what the bundle declares; None takes a key away."""
        path = self.bundle / "Info.plist"
        declared = plistlib.loads(path.read_bytes()) | keys
        path.write_bytes(plistlib.dumps({key: value for key, value in declared.items() if value is not None}))

    def enable(self) -> Manager:
        """Turns it on, and lets its app act for it when it connects by itself."""
        self.session.keyway("providers", "enable", "--yes", self.identifier)
        self.session.keyway("providers", "approve", self.identifier)
        assert self.run("group") == "group"
        return self

    @property
    def folder(self) -> Path:
        return self.session.folder / f"data/keyway/groups/group.{self.identifier}"

    def behave(self, word: str) -> None:
        """What its app does instead, when the system starts it."""
        (self.folder / "behaviour").write_text(word)

    def export(self, document: dict) -> None:
        """What its app exports."""
        (self.folder / "export.json").write_text(json.dumps(document))

    @property
    def imported(self) -> dict | None:
        path = self.folder / "imported.json"
        return json.loads(path.read_text()) if path.exists() else None

    @property
    def token(self) -> str | None:
        """The token that its app got last."""
        path = self.folder / "token"
        return path.read_text() if path.exists() else None

    def run(self, *words: str, program: Path | None = None, typed: str = "\n") -> str:
        """What the app prints, started by hand."""
        with self.start(*words, program=program) as run:
            return run.end(typed)

    def start(self, *words: str, program: Path | None = None) -> Run:
        if words[0].startswith("export"):
            let_person_be_verified(self.session)
        return Run(self, words, program)


class Run:
    """One run of the app, by hand."""

    def __init__(self, manager: Manager, words: tuple[str, ...], program: Path | None) -> None:
        self.session = manager.session
        self.log = manager.session.folder / "app.log"
        with self.log.open("wb") as log:
            self.process = subprocess.Popen(
                [program or manager.app, *words],
                env=manager.session.environment,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=log,
                text=True,
                start_new_session=True,
            )

    def __enter__(self) -> Run:
        return self

    def __exit__(self, *_: object) -> None:
        self.process.kill()
        self.process.wait()
        for stream in (self.process.stdin, self.process.stdout):
            stream.close()

    def end(self, typed: str = "\n") -> str:
        return self.process.communicate(typed, timeout=120)[0].strip()

    def kill(self) -> None:
        self.process.kill()
        self.process.wait()

    def waits(self) -> None:
        """Waits until the person is to answer in a terminal."""
        eventually(lambda: COMMAND in self.log.read_text() or self.process.poll() is not None)
        assert self.process.poll() is None, f"nobody is asked: {self.process.stdout.read()} {self.log.read_text()}"

    def answer(self) -> Terminal:
        """The terminal in which the person answers."""
        self.waits()
        return Terminal([self.session.prefix / "bin/keyway", "answer"], self.session.environment)


def choose(terminal: Terminal, exporter: Manager, *, keys: str = ENTER) -> str:
    """The person chooses where the accounts go; what they saw."""
    screen = terminal.wait_for(f"Copy all accounts of {exporter.name} to")
    terminal.type(keys)
    return screen


def confirm(terminal: Terminal, pin: str = PIN) -> str:
    """The person types their PIN; what they saw."""
    screen = terminal.wait_for("Confirm it\u2019s you")
    terminal.type(pin + ENTER)
    return screen
