"""A broker that only asks: it takes one program of a terminal and puts questions to whoever sits there."""

from __future__ import annotations

import os
import socket
from pathlib import Path

from wire import PROTOCOL, Peer, contents, sealed

PROVIDER = {"identifier": "org.keyway.passwords", "name": "Passwords"}


def verification(method: str, **more: str) -> dict:
    question = {"provider": PROVIDER, "service": "a.example", "account": "ada", "method": method, **more}
    return {"verification": {"_0": question}}


def other_site() -> dict:
    site = {"provider": PROVIDER, "account": "ada", "accountService": "a.example", "service": "b.example"}
    return {"otherSite": {"_0": site}}


class AskingBroker:
    """Listens where a program of the private session looks for its broker."""

    def __init__(self, runtime: Path) -> None:
        folder = runtime / "keyway"
        folder.mkdir(mode=0o700)
        self.listener = socket.socket(socket.AF_UNIX)
        self.listener.bind(str(folder / "autofill.sock"))
        self.listener.listen()
        self.listener.settimeout(60)
        self.peer: Peer | None = None
        self.request = 0

    def __enter__(self) -> AskingBroker:
        return self

    def __exit__(self, *_: object) -> None:
        if self.peer:
            self.peer.close()
        self.listener.close()

    def take_request(self) -> None:
        """Greets the program that comes, and waits for what it wants."""
        connected, _ = self.listener.accept()
        self.peer = Peer(connected)
        hello, _ = self.peer.receive()
        assert hello["method"] == "hello" and hello["params"]["role"] == "terminal"
        self.reply(hello["id"], {"protocol": PROTOCOL, "name": "asking"})
        self.request = self.peer.receive()[0]["id"]

    def reply(self, number: int, result: dict, *descriptors: int) -> None:
        message = {"jsonrpc": "2.0", "id": number, "result": result}
        if descriptors:
            message["descriptors"] = len(descriptors)
        self.peer.send(message, descriptors)
        for descriptor in descriptors:
            os.close(descriptor)

    def ask(self, question: dict) -> int:
        """The number of the question, to be answered or taken back."""
        return self.peer.request("person.ask", {"question": question})

    def answer(self, number: int) -> str | bytes:
        """What the person answered: "allowed", "refused", or what was typed."""
        result, descriptors = self.peer.answer(number)
        ((kind, _),) = result["answer"].items()
        return contents(descriptors[0]) if kind == "secret" else kind

    def give(self, text: bytes) -> None:
        """Ends the request with a text."""
        credential = {"text": {"_0": {"descriptor": 0}}}
        self.reply(self.request, {"credential": credential, "provider": PROVIDER}, sealed(text))
