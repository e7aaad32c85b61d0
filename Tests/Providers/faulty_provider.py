"""A provider for the tests that does what its behaviour says, rules or not: extension and service in one program.

    faulty_provider.py BUNDLE/extension|service BEHAVIOUR MARKS

It speaks the protocol as bytes on descriptor 3, so that it can break it. The service saves one identity, user `ada` at
`https://a.example`, whenever it starts, and the extension where there is no service; the password is `s3cret`.
What the tests must see of it, it leaves in the folder MARKS, the only one that it may write to.
"""

from __future__ import annotations

import os
import signal
import socket
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "Processes"))

from escapes import attempt
from wire import Closed, Peer, Refused, sealed

IDENTITY = {
    "kind": "password",
    "service": {"identifier": "https://a.example", "kind": "URL"},
    "user": "ada",
    "recordIdentifier": "r1",
    "rank": 0,
}
ERRORS = {"failed": 0, "cancel": 1, "interaction": 100, "missing": 101}
FORM = {
    "form": {
        "_0": {
            "title": "Unlock",
            "fields": [{"id": "word", "label": "Word", "kind": {"secure": {}}}],
            "submitTitle": "Go",
        }
    }
}


def answer(peer: Peer, number: int, result: dict, descriptors: tuple[int, ...] = ()) -> None:
    message = {"jsonrpc": "2.0", "id": number, "result": result}
    if descriptors:
        message["descriptors"] = len(descriptors)
    peer.send(message, descriptors)


def give_password(peer: Peer, number: int) -> None:
    descriptor = sealed(b"s3cret")
    answer(peer, number, {"password": {"user": "ada", "password": {"descriptor": 0}}}, (descriptor,))
    os.close(descriptor)


def refuse(peer: Peer, number: int, code: int) -> None:
    answer(peer, number, {"cancelled": {"domain": "ASExtensionErrorDomain", "code": code}})


def present(peer: Peer, number: int, interface: object) -> None:
    peer.notify("extension.present", {"request": number, "interface": interface})


def perform(peer: Peer, number: int, request: dict, behaviour: str, marks: Path) -> None:
    """Answers one request of the broker, or does not."""
    quiet = "provideWithoutInteraction" in request
    if behaviour in ERRORS:
        refuse(peer, number, ERRORS[behaviour])
    elif behaviour == "hang":
        pass
    elif behaviour == "die":
        os.kill(os.getpid(), signal.SIGKILL)
    elif behaviour == "die-once":
        if not (marks / "died").exists():
            (marks / "died").touch()
            os.kill(os.getpid(), signal.SIGKILL)
        give_password(peer, number)
    elif behaviour == "twice":
        give_password(peer, number)
        give_password(peer, number)
    elif behaviour == "other-request":
        give_password(peer, number + 1000)
        give_password(peer, number)
    elif behaviour == "unsealed":
        descriptor = os.memfd_create("open")
        answer(peer, number, {"password": {"user": "ada", "password": {"descriptor": 0}}}, (descriptor,))
    elif behaviour == "no-descriptor":
        answer(peer, number, {"password": {"user": "ada", "password": {"descriptor": 0}}})
    elif behaviour == "garbage":
        peer.send_bytes(b"\x05\x00\x00\x00hello")
    elif behaviour == "half-answer":
        # A frame that is announced and never comes.
        peer.send_bytes(b"\x40\x00\x00\x00" + b'{"jsonrpc"')
        os._exit(1)
    elif behaviour == "forks":
        children = [fork_sleeper() for _ in range(20)]
        (marks / "children").write_text(" ".join(map(str, children)))
    elif behaviour == "allocates":
        (marks / "taken").write_text(str(allocate()))
        refuse(peer, number, ERRORS["failed"])
    elif behaviour == "floods":
        for _ in range(5000):
            present(peer, number, FORM)
    elif behaviour == "floods-strays":
        for _ in range(5000):
            answer(peer, number + 1000, {"saved": {}})
        give_password(peer, number)
    elif behaviour == "late":
        (marks / "began").touch()
        # Until the broker takes the request back.
        while peer.receive(3600)[0].get("method") != "cancel":
            pass
        give_password(peer, number)
        (marks / "answered").touch()
    elif behaviour == "huge-frame":
        peer.send_bytes(b"\x00\x00\x00\x40" + b"x" * 4096)
    elif behaviour == "huge-list":
        rows = [{"id": str(row), "title": "row"} for row in range(1001)]
        present(peer, number, {"list": {"_0": {"title": "All", "sections": [{"rows": rows}], "search": "rows"}}})
    elif behaviour == "odd-interface":
        present(peer, number, {"dance": {}})
    elif behaviour == "form" and quiet:
        refuse(peer, number, ERRORS["interaction"])
    elif behaviour == "form":
        present(peer, number, FORM)
    elif behaviour == "vault" and not (marks / "open").exists():
        refuse(peer, number, ERRORS["interaction"])
    elif behaviour == "other-kind":
        give_secrets(peer, number, {"text": {"_0": {"descriptor": 0}}}, b"any text")
    elif behaviour == "steals":
        (marks / "stolen").write_text(steal(peer))
        give_password(peer, number)
    elif behaviour == "everything":
        give_anything(peer, number, request, marks)
    else:
        give_password(peer, number)


def give_anything(peer: Peer, number: int, request: dict, marks: Path) -> None:
    """Answers whatever may be asked; what that is, and what it is offered to keep, is noted."""
    (kind, wanted), *_ = request.items()
    with (marks / "asked").open("a") as asked:
        asked.write(f"{kind}\n")
    if kind == "configuration":
        answer(peer, number, {"configured": {}})
    elif kind.startswith("savePassword"):
        (marks / "saved").write_text(f"{wanted['_0']['service']['identifier']} {wanted['_0']['user']}")
        answer(peer, number, {"saved": {}})
    elif kind.startswith("generatePasswords"):
        proposals = [{"kind": word, "value": {"descriptor": index}} for index, word in enumerate(("STRONG", "RUNES"))]
        give_secrets(peer, number, {"generated": {"_0": proposals}}, b"strong", b"runes")
    elif kind == "textToInsert":
        give_secrets(peer, number, {"text": {"_0": {"descriptor": 0}}}, b"any text")
    elif kind == "oneTimeCodeList" or "oneTimeCode" in str(wanted):
        give_secrets(peer, number, {"oneTimeCode": {"_0": {"descriptor": 0}}}, b"123456")
    else:
        give_password(peer, number)


def give_secrets(peer: Peer, number: int, result: dict, *secrets: bytes) -> None:
    descriptors = tuple(sealed(secret) for secret in secrets)
    answer(peer, number, result, descriptors)
    for descriptor in descriptors:
        os.close(descriptor)


def fork_sleeper() -> int:
    child = os.fork()
    if child == 0:
        signal.pause()
    return child


def allocate() -> int:
    """Takes memory until there is none, 8 GiB at most; how many MiB it got."""
    taken = []
    try:
        for _ in range(8 << 10):
            taken.append(bytearray(1 << 20))
    except MemoryError:
        pass
    count = len(taken)
    del taken
    return count


def event(peer: Peer, number: int, happened: dict) -> None:
    """The person did something: a form that was handed over is answered, anything else is a cancel."""
    if "submitted" in happened:
        give_password(peer, number)
    else:
        refuse(peer, number, ERRORS["cancel"])


def serve(peer: Peer, program: Path, behaviour: str, marks: Path) -> None:
    if program.name == "service":
        serve_service(peer, behaviour, marks)
    if behaviour != "no-greeting":
        peer.greet("providerExtension")
        if not (program.parent / "service").exists():
            peer.call("identities.write", {"operation": "save", "identities": [IDENTITY], "isLast": True})
    while True:
        while peer.notifications:
            message = peer.notifications.pop(0)
            if message["method"] == "extension.perform":
                perform(peer, message["id"], message["params"]["request"], behaviour, marks)
            elif message["method"] == "extension.event":
                event(peer, message["params"]["request"], message["params"]["event"])
        message, descriptors = peer.receive(3600)
        for descriptor in descriptors:
            os.close(descriptor)
        if "method" in message:
            peer.notifications.append(message)


def serve_service(peer: Peer, behaviour: str, marks: Path) -> None:
    """Saves the identity, says that it is locked, and is ready as soon as a client says so."""
    peer.greet("providerService")
    # Refused while the stores are locked: this one does not come back to it.
    outcome(peer, "save")
    is_open = (marks / "open").exists()
    peer.notify("service.stateChanged", {"state": "ready" if is_open else "locked"})
    if behaviour == "service-dies":
        os.kill(os.getpid(), signal.SIGKILL)
    while True:
        while not peer.notifications:
            message, _ = peer.receive(3600)
            if "method" in message:
                peer.notifications.append(message)
        message = peer.notifications.pop(0)
        if message["method"] == "service.attach" and behaviour != "no-attach":
            answer(peer, message["id"], {})
            converse(peer, message, marks)


def identities(generation: int, count: int) -> list[dict]:
    return [{**IDENTITY, "user": f"user{number}", "recordIdentifier": str(generation)} for number in range(count)]


def churn(peer: Peer, marks: Path) -> None:
    """Replaces everything again and again, in two parts each, and notes which generation was confirmed last."""
    with (marks / "confirmed").open("w") as confirmed:
        for generation in range(1_000_000):
            part = {"operation": "replace", "identities": identities(generation, 40)}
            write = peer.call("identities.write", {**part, "isLast": False})["write"]
            rest = [{**identity, "user": f"more {identity['user']}"} for identity in part["identities"]]
            peer.call("identities.write", {**part, "identities": rest, "write": write, "isLast": True})
            confirmed.seek(0)
            confirmed.write(f"{generation:08}")
            confirmed.flush()


def stored_generations(peer: Peer) -> str:
    """The generations of which there are identities; the identity of the start is of none."""
    stored = peer.call("identities.read", {"kinds": []})["identities"]
    return " ".join(sorted({one["recordIdentifier"] for one in stored if one["user"] != IDENTITY["user"]}))


def outcome(peer: Peer, operation: str) -> str:
    """How a write of the provider's identity ends."""
    try:
        peer.call("identities.write", {"operation": operation, "identities": [IDENTITY], "isLast": True})
    except Refused as refused:
        return refused.kind
    return "written"


def steal(peer: Peer) -> str:
    """Reads and wipes whatever it can reach of other providers' identities; how many it saw, and what was answered."""
    seen = 0
    answered = ""
    for parameters in ({}, {"provider": "test.good"}, {"identifier": "test.good"}):
        seen += len(peer.call("identities.read", {"kinds": [], **parameters})["identities"])
        for operation, identities in (("remove", [IDENTITY]), ("replace", [])):
            write = {"operation": operation, "identities": identities, "isLast": True, **parameters}
            peer.call("identities.write", write)
    for method in ("suggest", "providers.list", "fill", "status"):
        try:
            peer.call(method, {"services": []})
            answered += f" {method}"
        except Refused:
            pass
    return f"{seen}{answered}"


def pose(role: str) -> str:
    """Goes to the door where clients come, as one of them; how that ends."""
    path = Path(os.environ["XDG_RUNTIME_DIR"]) / "keyway/autofill.sock"
    if not path.exists():
        return "no-door"
    with Peer.connect(path) as door:
        try:
            door.greet(role)
        except Refused as refused:
            return str(refused.kind)
        return f"greeted {len(door.call('suggest', {'services': [IDENTITY['service']]})['suggestions'])}"


def pose_as_child(role: str) -> str:
    """The same from a process that the service started."""
    told, tell = os.pipe()
    child = os.fork()
    if child == 0:
        os.write(tell, pose(role).encode())
        os._exit(0)
    os.close(tell)
    with os.fdopen(told) as answer:
        text = answer.read()
    os.waitpid(child, 0)
    return text


def save_until_refused(peer: Peer) -> str:
    """Adds identities until the broker takes no more; how many were confirmed, and how it refused."""
    for generation in range(10_000):
        try:
            peer.call(
                "identities.write", {"operation": "save", "identities": identities(generation, 50), "isLast": True}
            )
        except Refused as refused:
            return f"{generation * 50} {refused.kind}"
    return "never refused"


def group_folder(peer: Peer, group: str) -> str:
    """Where the folder of a group lies, or how the broker refused to say."""
    try:
        return peer.call("bundle.groupContainer", {"group": group})["path"]
    except Refused as refused:
        return str(refused.kind)


def converse(peer: Peer, message: dict, marks: Path) -> None:
    """One conversation with a client: a line `open` or `lock`, answered with who the broker said is there."""
    with socket.socket(fileno=message["received"][0]) as client, client.makefile("rw") as lines:
        word = lines.readline().strip()
        marker = marks / "open"
        if word == "open":
            marker.touch()
            peer.notify("service.stateChanged", {"state": "ready"})
        elif word == "lock":
            marker.unlink(missing_ok=True)
            peer.notify("service.stateChanged", {"state": "locked"})
        elif word == "churn":
            churn(peer, marks)
        elif word in ("save", "replace"):
            lines.write(f"{outcome(peer, word)}\n")
            return
        elif word == "state":
            state = peer.call("identities.state")
            lines.write(f"{state['isEnabled']} {state['supportsIncrementalUpdates']}\n")
            return
        elif word == "generation":
            lines.write(f"{stored_generations(peer)}\n")
            return
        elif word == "steal":
            lines.write(f"{steal(peer)}\n")
            return
        elif word.startswith("pose "):
            lines.write(f"{pose(word[5:])} {pose_as_child(word[5:])}\n")
            return
        elif word.startswith("try "):
            lines.write(f"{attempt(*word.split()[1:])}\n")
            return
        elif word == "fill-disk":
            lines.write(f"{save_until_refused(peer)}\n")
            return
        elif word == "code":
            code = {**IDENTITY, "kind": "oneTimeCode", "recordIdentifier": "code"}
            peer.call("identities.write", {"operation": "save", "identities": [code], "isLast": True})
        elif word.startswith("group."):
            lines.write(f"{group_folder(peer, word)}\n")
            return
        lines.write(f"{next(iter(message['params']['client']))}\n")


def main() -> None:
    program, behaviour, marks = Path(sys.argv[1]), sys.argv[2], Path(sys.argv[3])
    peer = Peer(socket.socket(fileno=3))
    if behaviour == "slow-start":
        time.sleep(0.5)
    try:
        serve(peer, program, behaviour, marks)
    except (Closed, BrokenPipeError, ConnectionResetError):
        sys.exit(0)


main()
