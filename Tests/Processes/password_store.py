"""A person's password store, kept by the real gpg, git and pass, and the provider's extension without a broker."""

from __future__ import annotations

import os
import socket
import subprocess
from pathlib import Path

from wire import Peer, Refused, contents, sealed

IDENTIFIER = "org.keyway.password-store"
BUNDLE = "share/keyway/providers/PasswordStore.appex"
EXTENSION = f"{BUNDLE}/keyway-password-store-extension"
PASSPHRASE = "the key's own passphrase"


class Store:
    """The store of a private session's person, and the programs that judge what we do with it."""

    def __init__(self, session) -> None:
        self.session = session
        self.folder = session.folder / "home/.password-store"
        self.keyring = session.folder / "gnupg"
        self.keyring.mkdir(mode=0o700)
        # Else the agent takes seconds to find out how slow it can be.
        (self.keyring / "gpg-agent.conf").write_text("s2k-count 65536\n")
        self.environment = {
            **session.environment,
            "GNUPGHOME": str(self.keyring),
            "GIT_AUTHOR_NAME": "Ada",
            "GIT_AUTHOR_EMAIL": "ada@home.example",
            "GIT_COMMITTER_NAME": "Ada",
            "GIT_COMMITTER_EMAIL": "ada@home.example",
        }
        # Where the agent's socket lies does not depend on the home folder, so the keyring is named.
        self.set(GNUPGHOME=self.keyring)

    def close(self) -> None:
        self.forget()

    def set(self, **settings: object) -> None:
        """Settings that `pass` takes from its environment, for the provider and for `pass`."""
        file = self.session.folder / "config/keyway-password-store/settings"
        file.parent.mkdir(exist_ok=True)
        with file.open("a") as lines:
            lines.writelines(f"{name}={value}\n" for name, value in settings.items())
        self.environment |= {name: str(value) for name, value in settings.items()}

    # The judges

    def run(self, *command: str | Path, given: bytes = b"", ok: bool = True) -> bytes:
        finished = subprocess.run(command, env=self.environment, input=given, capture_output=True, timeout=60)
        assert not ok or finished.returncode == 0, finished.stderr.decode()
        return finished.stdout

    def make_key(self, name: str, passphrase: str = "") -> str:
        """A new key, which gpg knows by its name."""
        address = f"{name}@keys.example"
        options = ["--batch", "--quiet", "--pinentry-mode", "loopback", "--passphrase", passphrase]
        self.run("gpg", *options, "--quick-generate-key", address, "future-default", "default", "never")
        return address

    def init(self, *keys: str, folder: str = "", git: bool = False) -> None:
        self.run("pass", "init", *(["--path", folder] if folder else []), *keys)
        if git:
            self.run("git", "config", "--file", self.session.folder / "home/.gitconfig", "user.name", "Ada")
            mail = ("user.email", "ada@home.example")
            self.run("git", "config", "--file", self.session.folder / "home/.gitconfig", *mail)
            self.run("pass", "git", "init", "--quiet")

    def insert(self, name: str, text: str | bytes) -> None:
        given = text if isinstance(text, bytes) else text.encode()
        self.run("pass", "insert", "--multiline", "--force", name, given=given)

    def show(self, name: str) -> bytes:
        return self.run("pass", "show", name)

    def history(self) -> list[str]:
        """The messages of the commits, newest first."""
        return self.run("git", "-C", self.folder, "log", "--format=%s").decode().splitlines()

    def recipients(self, name: str) -> int:
        """To how many keys an entry is encrypted."""
        packets = self.run("gpg", "--batch", "--list-packets", "--list-only", self.folder / f"{name}.gpg")
        return packets.count(b":pubkey enc packet:")

    def forget(self) -> None:
        """Ends the agent, and with it what it remembers."""
        self.run("gpgconf", "--kill", "all", ok=False)


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

    def answer(self, method: str, params: dict) -> dict:
        match method:
            case "hello":
                return {"protocol": params["protocol"], "name": "test"}
            case "identities.state":
                return {"isEnabled": self.is_enabled, "supportsIncrementalUpdates": bool(self.identities)}
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
    return name in ("HOME", "PATH", "LANG") or name.startswith("XDG_")


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
