"""The extension of Password Store without a broker."""

from __future__ import annotations

import os
import socket
import subprocess
from collections.abc import Callable
from pathlib import Path

from wire import Peer, Refused, contents, sealed

BUNDLE = "share/keyway/providers/PasswordStore.appex"
EXTENSION = f"{BUNDLE}/keyway-password-store-extension"
PASSPHRASE = "the key's own passphrase"


class Extension:
    """The extension's program, with this test in the broker's place: it keeps the identities and asks for things."""

    def __init__(self, session) -> None:
        self.identities: list[dict] = []
        self.is_enabled = True
        self.shown: list[dict] = []
        self.service: socket.socket | None = None
        ours, theirs = socket.socketpair()
        command = ["/bin/bash", "-c", f'exec "$0" 3<&{theirs.fileno()}', session.prefix / EXTENSION]
        environment = {name: session.environment[name] for name in session.environment if is_passed_on(name)}
        self.environment = environment
        self.process = subprocess.Popen(
            command, pass_fds=[theirs.fileno()], env=environment, stdin=subprocess.DEVNULL, stderr=subprocess.PIPE
        )
        theirs.close()
        self.peer = Peer(ours)
        self.answers: dict[int, tuple[dict, list[int]]] = {}

    def __enter__(self) -> Extension:
        return self

    def __exit__(self, *_: object) -> None:
        self.peer.close()
        try:
            self.process.wait(20)
        except subprocess.TimeoutExpired:
            self.process.kill()
        self.complaint = self.process.stderr.read().decode()

    # What the broker does

    def pump(self) -> dict:
        """Takes one message, and answers it where it asks for something."""
        message, descriptors = self.peer.receive()
        if "method" not in message:
            self.answers[message["id"]] = (message, descriptors)
        elif "id" in message:
            descriptors = ()
            if message["method"] == "service.connect":
                self.service, theirs = socket.socketpair()
                self.service.settimeout(20)
                result, descriptors = {"connection": {"descriptor": 0}}, (theirs.detach(),)
            else:
                result = self.answer(message["method"], message["params"])
            beside = {"descriptors": len(descriptors)} if descriptors else {}
            self.peer.send({"jsonrpc": "2.0", "id": message["id"], "result": result, **beside}, descriptors)
            for descriptor in descriptors:
                os.close(descriptor)
        elif message["method"] == "extension.present":
            self.shown.append(message["params"])
        return message

    def pump_until(self, condition: Callable[[], bool]) -> None:
        """Takes messages until the condition is true; each must come in time."""
        while not condition():
            self.pump()

    def answer(self, method: str, params: dict) -> dict:
        match method:
            case "hello":
                return {"protocol": params["protocol"], "name": "test"}
            case "identities.state":
                return {"isEnabled": self.is_enabled, "supportsIncrementalUpdates": bool(self.identities)}
            case "repository.commit":
                self.git(params["repository"], "add", "--all", "--", *params["paths"])
                self.git(params["repository"], "commit", "--quiet", "--message", params["message"])
                return {}
            case "identities.read":
                return {"identities": self.identities}
            case "identities.write":
                given = params["identities"]
                if params["operation"] == "replace":
                    self.identities = []
                self.identities = [old for old in self.identities if old not in given]
                if params["operation"] != "remove":
                    self.identities += given
                return {}
        raise AssertionError(f"asked for {method}")

    def git(self, folder: str, *words: str) -> None:
        subprocess.run(["git", "-C", folder, *words], check=True, capture_output=True, env=self.environment)

    def ask(self, request: dict, *descriptors: int) -> int:
        return self.peer.request("extension.perform", {"request": request}, descriptors)

    def result(self, number: int) -> dict:
        """The answer to a request, with what came beside it in place of every descriptor's number."""
        while number not in self.answers:
            self.pump()
        message, descriptors = self.answers.pop(number)
        if "error" in message:
            raise Refused(message["error"])
        return filled(message["result"], [contents(descriptor) for descriptor in descriptors])

    def call(self, request: dict, *descriptors: int) -> dict:
        return self.result(self.ask(request, *descriptors))

    # What the person does

    def screen(self) -> tuple[str, dict]:
        """The next interface that does not just say to wait: its kind, and what it says."""
        while True:
            while not self.shown:
                self.pump()
            self.newest = self.shown.pop(0)
            ((kind, value),) = self.newest["interface"].items()
            if kind != "progress":
                return kind, value["_0"]

    def do(self, event: dict, *descriptors: int) -> None:
        message = {
            "jsonrpc": "2.0",
            "method": "extension.event",
            "params": {"request": self.newest["request"], "event": event},
        }
        if descriptors:
            message["descriptors"] = len(descriptors)
        self.peer.send(message, descriptors)

    def type_passphrase(self, text: str) -> None:
        secret = {"secret": {"_0": {"descriptor": 0}}}
        self.do({"submitted": {"_0": {"passphrase": secret}}}, sealed(text.encode()))

    def choose(self, listing: dict, title: str) -> None:
        rows = [row for section in listing["sections"] for row in section["rows"] if row["title"] == title]
        self.do({"chose": {"row": rows[0]["id"]}})


def is_passed_on(name: str) -> bool:
    """Whether the broker hands a variable to the programs of a bundle."""
    return name in ("HOME", "PATH", "LANG", "GNUPGHOME", "PASSWORD_STORE_DIR") or name.startswith("XDG_")


def filled(value: object, secrets: list[bytes]) -> object:
    """A value with what was beside the frame in it."""
    if isinstance(value, dict):
        if set(value) == {"descriptor"}:
            return secrets[value["descriptor"]]
        return {key: filled(part, secrets) for key, part in value.items()}
    return [filled(part, secrets) for part in value] if isinstance(value, list) else value


def one(record: str, *, kind: str = "password", openly: bool = False) -> dict:
    """The request for one credential, with or without an interface."""
    identity = {
        "kind": kind,
        "rank": 0,
        "recordIdentifier": record,
        "service": {"identifier": "example.com", "kind": "domain"},
        "user": "ada",
    }
    return {"provideWithInteraction" if openly else "provideWithoutInteraction": {"_0": {"identity": identity}}}


def offer(user: str, *, url: str = "https://example.com/join", openly: bool = False, **more: object) -> dict:
    """The request to keep a password, which goes beside it."""
    password = {
        "service": {"identifier": url, "kind": "URL"},
        "user": user,
        "password": {"descriptor": 0},
        "session": "form",
        "event": "formDidDisappear",
        **more,
    }
    return {"savePassword" if openly else "savePasswordWithoutInteraction": {"_0": password}}


def code(error: dict) -> tuple[int, str | None]:
    """How a request was cancelled: the code of ASExtensionError, and what the person is told."""
    cancelled = error["cancelled"]
    assert cancelled["domain"] == "ASExtensionErrorDomain"
    return cancelled["code"], cancelled.get("reason")


def is_missing(*programs: str) -> bool:
    """Whether one of the judges is not installed."""
    paths = [Path(folder) for folder in os.environ["PATH"].split(os.pathsep)]
    return not all(any((path / program).exists() for path in paths) for program in programs)
