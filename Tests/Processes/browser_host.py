"""The browser's end of `keyway-browser-host`: starts it, speaks native messaging with it."""

from __future__ import annotations

import base64
import hashlib
import json
import os
import socket
import struct
import subprocess
import time
from pathlib import Path

from wire import is_readable

ROOT = Path(__file__).resolve().parents[2]
STAGE = Path(os.environ.get("KEYWAY_STAGE", ROOT / ".build/stage"))
PROGRAM = STAGE / "libexec/keyway/keyway-browser-host"
MANIFEST = json.loads((ROOT / "Browser/manifest.json").read_text())


def chromium_identifier(key: str) -> str:
    """The first half of the key's SHA-256 in hexadecimal, with `a` to `p` as digits: how Chromium names extensions."""
    digest = hashlib.sha256(base64.b64decode(key)).hexdigest()[:32]
    return "".join(chr(ord("a") + int(digit, 16)) for digit in digest)


# What the browsers pass for the extension that Browser/manifest.json describes.
CHROMIUM = [f"chrome-extension://{chromium_identifier(MANIFEST['key'])}/"]
FIREFOX = ["/somewhere/org.keyway.autofill.json", MANIFEST["browser_specific_settings"]["gecko"]["id"]]
HELLO = {
    "protocol": {"major": 1, "minor": 0},
    "version": "0.1.0",
    "browser": "Chromium",
    "profile": "5e0c5e3c-b7a7-4e0e-9a53-2f1b4cd8a1f0",
}
PAGE = {"url": "https://a.example/login", "private": False}


class Ended(Exception):
    """The host closed its end."""


class Host:
    """One host and the two pipes to it."""

    def __init__(
        self, environment: dict, arguments: list[str] = CHROMIUM, program: Path = PROGRAM, user: int | None = None
    ) -> None:
        self.process = subprocess.Popen(
            [program, *arguments],
            **({} if user is None else {"user": user, "group": user, "extra_groups": [], "cwd": "/"}),
            env=environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            bufsize=0,
            start_new_session=True,
        )

    def __enter__(self) -> Host:
        return self

    def __exit__(self, *_: object) -> None:
        self.process.kill()
        self.process.wait()
        for pipe in (self.process.stdin, self.process.stdout, self.process.stderr):
            pipe.close()

    def send(self, message: object) -> None:
        self.send_raw(frame(json.dumps(message).encode()))

    def send_raw(self, data: bytes) -> None:
        while data:
            data = data[self.process.stdin.write(data) :]

    def request(self, number: int, method: str, params: object) -> None:
        self.send({"jsonrpc": "2.0", "id": number, "method": method, "params": params})

    def greet(self, profile: str = HELLO["profile"]) -> Host:
        self.request(1, "hello", HELLO | {"profile": profile})
        assert self.answer()["result"]["version"]
        return self

    def answer(self, within: float = 60) -> dict:
        """The next message of the host."""
        deadline = time.monotonic() + within
        (length,) = struct.unpack("=I", self.read(4, deadline))
        assert length <= 1 << 20
        return json.loads(self.read(length, deadline))

    def read(self, count: int, deadline: float) -> bytes:
        data = b""
        while len(data) < count:
            assert is_readable(self.process.stdout, deadline - time.monotonic()), "no answer in time"
            part = os.read(self.process.stdout.fileno(), count - len(data))
            if not part:
                raise Ended
            data += part
        return data

    def close_input(self) -> int:
        """What a browser does to end a host; its exit status."""
        self.process.stdin.close()
        return self.process.wait(timeout=60)

    @property
    def peak_kib(self) -> int:
        """The most memory that it ever had."""
        status = Path(f"/proc/{self.process.pid}/status").read_text()
        return int(status.partition("VmHWM:")[2].split()[0])


def frame(data: bytes) -> bytes:
    return struct.pack("=I", len(data)) + data


def kind(message: dict) -> str:
    return message["error"]["data"]["kind"]


def broker_of(environment: dict) -> int | None:
    """The process that listens at the broker's socket; None when nobody does."""
    with socket.socket(socket.AF_UNIX) as door:
        try:
            door.connect(f"{environment['XDG_RUNTIME_DIR']}/keyway/autofill.sock")
        except OSError:
            return None
        peer = door.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, struct.calcsize("3i"))
        return struct.unpack("3i", peer)[0]
