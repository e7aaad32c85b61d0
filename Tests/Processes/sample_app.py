"""The sample app in a private session, the site that it belongs to, and the person who answers it in a terminal."""

from __future__ import annotations

import json
import os
import plistlib
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from conftest import Keyway, eventually
from terminal import ENTER, Terminal
from test_passkeys import decode, unlock
from test_passwords_extension import MASTER, Vault
from test_related_origins import Server, document, leading_to, serving
from wire import sealed

SITE = "bank.test"
ORIGIN = f"https://{SITE}"
COMMAND = "keyway answer"

# What the person is shown, and what they do about it.
Step = tuple[str, str]
TYPED = MASTER.decode() + ENTER
CHOOSE: Step = ("Choose an account for sample-app", ENTER)
KEEP: Step = ("Where do you want to save the passkey", ENTER)
CONFIRM: Step = ("Confirm it\u2019s you", TYPED)
UNLOCK: Step = ("Unlock Passwords", TYPED)
SAVE: Step = ("Save a passkey", TYPED)


class Failed(Exception):
    """The app ended with an error of the API; `str` is its code."""


@contextmanager
def site(session: Keyway, folder: Path) -> Iterator[Server]:
    """The app's site, for the broker of the session; it names nobody yet."""
    server = Server(folder)
    server.answer = naming()
    session.environment |= leading_to(server)
    yield from serving(server)


def naming(*names: str):
    """A site that names these apps."""
    return document(json.dumps({"webcredentials": {"apps": names}}).encode())


def keep_account(session: Keyway, password: str) -> None:
    """An account of the site, in an open vault."""
    with session.connect() as terminal:
        vault = Vault(terminal)
        unlock(vault)
        item = {
            "title": "bank",
            "user": "ada",
            "password": {"descriptor": 0},
            "addresses": [f"https://{SITE}/login"],
        }
        vault.peer.answer(vault.peer.request("items.add", {"item": item}, (sealed(password.encode()),)))
        services = {"services": [{"identifier": SITE, "kind": "domain"}]}
        eventually(lambda: terminal.call("suggest", services)["suggestions"])


class App:
    """The sample app, as its user starts it."""

    def __init__(self, session: Keyway, folder: Path | None = None) -> None:
        self.session = session
        folder = folder or Path(os.path.realpath(session.folder)) / "app"
        folder.mkdir(mode=0o755, parents=True, exist_ok=True)
        self.path = folder / "sample-app"
        shutil.copy(session.prefix / "share/keyway/samples/sample-app", self.path)
        self.path.chmod(0o755)
        entitlements = {"com.apple.developer.associated-domains": [f"webcredentials:{SITE}"]}
        self.path.with_name("sample-app.entitlements").write_bytes(plistlib.dumps(entitlements))
        # What stands before a command that is to run where the app runs.
        self.door: tuple[str, ...] = ()
        self.command: tuple[str | Path, ...] = (self.path,)
        self.runs = 0

    @property
    def name(self) -> str:
        """What a site calls a program that only the administrator can change: root runs the tests."""
        return f"program:{self.path}"

    def start(self, *words: str, site: str = SITE, secret: str = "") -> Run:
        return Run(self, words, site, secret)

    def run(self, *words: str, site: str = SITE) -> dict[str, str]:
        """What it prints where nobody is asked."""
        with self.start(*words, site=site) as run:
            message = run.end()
            assert COMMAND not in run.told, "somebody was asked"
            return message

    def answered(self, *words: str, steps: tuple[Step, ...], site: str = SITE, secret: str = "") -> dict[str, str]:
        """What it prints when the person does these steps."""
        with self.start(*words, site=site, secret=secret) as run:
            run.answer(*steps)
            return run.end()


class Run:
    """One run of it."""

    def __init__(self, app: App, words: tuple[str, ...], site: str, secret: str) -> None:
        self.session = app.session
        self.door = app.door
        app.runs += 1
        self.log = app.session.folder / f"app-{app.runs}.log"
        with self.log.open("wb") as log, tempfile.TemporaryFile("w+") as typed:
            typed.write(f"{secret}\n")
            typed.seek(0)
            self.process = subprocess.Popen(
                [*app.door, *app.command, *words],
                env={**app.session.environment, "SAMPLE_SITE": site},
                stdin=typed,
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
        self.process.stdout.close()

    @property
    def told(self) -> str:
        return self.log.read_text()

    def wait_for_the_person(self) -> None:
        eventually(lambda: COMMAND in self.told or self.process.poll() is not None)
        assert self.process.poll() is None, f"nobody is asked: {self.process.stdout.read()} {self.told}"

    def answer(self, *steps: Step) -> str:
        """The person does what the app is told to say; what the command says at its end."""
        self.wait_for_the_person()
        with Terminal([*self.door, self.session.prefix / "bin/keyway", "answer"], self.session.environment) as terminal:
            screens = []
            for pattern, keys in steps:
                screens.append(terminal.wait_for(pattern))
                terminal.type(keys)
            self.screens = screens
            _, out, said = terminal.finish()
            assert out == ""
            assert terminal.is_restored()
        return said

    def end(self) -> dict[str, str]:
        out, _ = self.process.communicate(timeout=120)
        if self.process.returncode != 0:
            raise Failed(out.strip())
        return json.loads(out)


def credential(message: dict[str, str]) -> dict[str, Any]:
    """What the app's server is sent, as servers take it."""
    names = ("clientDataJSON", "attestationObject", "authenticatorData", "signature", "userHandle")
    return {
        "id": message["id"],
        "rawId": message["id"],
        "type": "public-key",
        "response": {name: message[name] for name in names if name in message},
        "clientExtensionResults": {},
    }


def client_data(message: dict[str, str]) -> dict[str, Any]:
    return json.loads(decode(message["clientDataJSON"]))
