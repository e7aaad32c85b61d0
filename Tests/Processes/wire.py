"""The protocol as bytes: native-messaging frames of JSON-RPC 2.0 on a Unix socket, descriptors beside them."""

from __future__ import annotations

import array
import fcntl
import json
import os
import select
import socket
import struct
import time
from pathlib import Path
from typing import IO

PROTOCOL = {"major": 1, "minor": 0}
SEALS = 0x0002 | 0x0004 | 0x0008 | 0x0001  # shrink, grow, write, and no further seals
ADD_SEALS = 1033


class Closed(Exception):
    """The other end closed the connection."""


class Refused(Exception):
    """The answer was an error; `kind` is its `data.kind`."""

    def __init__(self, error: dict) -> None:
        super().__init__(error["message"])
        self.kind = error.get("data", {}).get("kind")
        self.provider = error.get("data", {}).get("provider")


class Peer:
    """One end of one connection."""

    def __init__(self, connected: socket.socket) -> None:
        self.socket = connected
        self.buffer = b""
        self.descriptors: list[int] = []
        self.next_id = 1
        self.notifications: list[dict] = []
        self.answers: dict[int, tuple[dict, list[int]]] = {}

    @classmethod
    def connect(cls, path: str | Path) -> Peer:
        connected = socket.socket(socket.AF_UNIX)
        connected.connect(str(path))
        return cls(connected)

    def __enter__(self) -> Peer:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        self.socket.close()
        for descriptor in self.descriptors:
            os.close(descriptor)
        self.descriptors = []

    # Sending

    def send(self, message: object, descriptors: tuple[int, ...] = ()) -> None:
        self.send_bytes(frame(json.dumps(message).encode()), descriptors)

    def send_bytes(self, data: bytes, descriptors: tuple[int, ...] = ()) -> None:
        beside = [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", descriptors))] if descriptors else []
        sent = self.socket.sendmsg([data], beside)
        if sent < len(data):
            self.socket.sendall(data[sent:])

    def request(self, method: str, params: object = None, descriptors: tuple[int, ...] = ()) -> int:
        number = self.next_id
        self.next_id += 1
        message = {"jsonrpc": "2.0", "id": number, "method": method, "params": {} if params is None else params}
        if descriptors:
            message["descriptors"] = len(descriptors)
        self.send(message, descriptors)
        return number

    def notify(self, method: str, params: object) -> None:
        self.send({"jsonrpc": "2.0", "method": method, "params": params})

    # Receiving

    def receive(self, within: float = 60) -> tuple[dict, list[int]]:
        """The next message and the descriptors that belong to it, which it also holds as `received`."""
        deadline = time.monotonic() + within
        (length,) = struct.unpack("=I", self.take(4, deadline))
        message = json.loads(self.take(length, deadline))
        count = message.get("descriptors", 0)
        mine, self.descriptors = self.descriptors[:count], self.descriptors[count:]
        message["received"] = mine
        return message, mine

    def take(self, count: int, deadline: float) -> bytes:
        while len(self.buffer) < count:
            assert is_readable(self.socket, deadline - time.monotonic()), "no message in time"
            try:
                data, beside, _, _ = self.socket.recvmsg(1 << 16, socket.CMSG_SPACE(64 * 4))
            except ConnectionResetError:
                raise Closed from None
            for _, _, numbers in beside:
                received = array.array("i")
                received.frombytes(numbers[: len(numbers) - len(numbers) % received.itemsize])
                self.descriptors += received
            if not data:
                raise Closed
            self.buffer += data
        taken, self.buffer = self.buffer[:count], self.buffer[count:]
        return taken

    def answer(self, number: int, within: float = 60) -> tuple[dict, list[int]]:
        """The result of a request and its descriptors; notifications that come before are kept."""
        deadline = time.monotonic() + within
        while number not in self.answers:
            message, descriptors = self.receive(deadline - time.monotonic())
            if "method" in message:
                self.notifications.append(message)
            else:
                self.answers[message.get("id")] = (message, descriptors)
        message, descriptors = self.answers.pop(number)
        if "error" in message:
            raise Refused(message["error"])
        return message["result"], descriptors

    def notification(self, method: str, within: float = 60) -> dict:
        """The parameters of the next notification with that name."""
        deadline = time.monotonic() + within
        while True:
            for index, message in enumerate(self.notifications):
                if message["method"] == method:
                    return self.notifications.pop(index)["params"]
            message, descriptors = self.receive(deadline - time.monotonic())
            if "method" in message:
                self.notifications.append(message)
            else:
                self.answers[message.get("id")] = (message, descriptors)

    def call(self, method: str, params: object = None, within: float = 60) -> dict:
        """The result of a request, without what came beside it."""
        result, descriptors = self.answer(self.request(method, params), within)
        for descriptor in descriptors:
            os.close(descriptor)
        return result

    def greet(self, role: str, protocol: dict = PROTOCOL) -> Peer:
        self.call("hello", {"protocol": protocol, "role": role, "name": "test"})
        return self

    def is_closed(self, within: float = 60) -> bool:
        """Waits until the other end closes; False when it does not."""
        try:
            while True:
                self.receive(within)
        except Closed:
            return True
        except AssertionError:
            return False


def frame(data: bytes) -> bytes:
    return struct.pack("=I", len(data)) + data


def sealed(secret: bytes) -> int:
    """A sealed memory file that holds `secret`."""
    descriptor = os.memfd_create("secret", os.MFD_CLOEXEC | os.MFD_ALLOW_SEALING)
    os.write(descriptor, secret)
    fcntl.fcntl(descriptor, ADD_SEALS, SEALS)
    return descriptor


def contents(descriptor: int) -> bytes:
    """What a memory file holds; closes it."""
    try:
        return os.pread(descriptor, 1 << 20, 0)
    finally:
        os.close(descriptor)


def is_readable(file: socket.socket | IO[bytes] | int, seconds: float) -> bool:
    """Waits until there is something to read, or the end. Takes descriptors of any number: select(2) takes 1024."""
    watch = select.poll()
    watch.register(file, select.POLLIN)
    return bool(watch.poll(max(0, seconds) * 1000))
