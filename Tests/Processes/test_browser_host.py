"""The native-messaging host as a process, fed what a browser, a page or a stranger might feed it (T15)."""

import os
import random
import re
import struct
import subprocess
from pathlib import Path

import pytest
from browser_host import CHROMIUM, FIREFOX, HELLO, PAGE, ROOT, STAGE, Host, frame, kind

from session.private import PrivateSession


@pytest.fixture
def environment():
    with PrivateSession() as session:
        yield session.environment


@pytest.mark.parametrize("arguments", [CHROMIUM, FIREFOX, [*CHROMIUM, "--parent-window=0"]])
def test_own_extension_is_answered(environment, arguments):
    with Host(environment, arguments) as host:
        host.request(1, "hello", HELLO)
        assert host.answer()["result"] == {"protocol": {"major": 1, "minor": 1}, "version": "0.1.0"}
        assert host.close_input() == 0


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["chrome-extension://aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa/"],
        [CHROMIUM[0].removesuffix("/")],
        ["/manifest.json", "someone@else.example"],
        ["/manifest.json"],
    ],
)
def test_stranger_is_refused_before_anything_is_read(environment, arguments):
    with Host(environment, arguments) as host:
        assert host.process.wait(timeout=60) == 1
        assert host.process.stdout.read() == b""
        assert host.process.stderr.read().startswith(b"keyway-browser-host: ")


def test_announced_64_mib_cost_an_error_and_no_memory(environment):
    with Host(environment) as host:
        host.greet()
        before = host.peak_kib
        host.send_raw(struct.pack("=I", 64 << 20))
        answer = host.answer()
        assert answer["id"] is None
        assert kind(answer) == "invalid"
        for _ in range(64):
            host.send_raw(b"[" * (1 << 20))
        host.request(2, "unheard.of", {})
        assert host.answer()["id"] == 2
        assert host.peak_kib - before < 4096


def test_largest_announcement_and_the_end_is_a_clean_exit(environment):
    with Host(environment) as host:
        host.greet()
        host.send_raw(b"\xff\xff\xff\xff")
        assert kind(host.answer()) == "invalid"
        assert host.close_input() == 1


def test_frame_of_exactly_the_limit_is_read(environment):
    with Host(environment) as host:
        host.greet()
        before = host.peak_kib
        host.send_raw(frame(b" " * (1 << 20)))
        assert kind(host.answer()) == "invalid"
        host.send_raw(frame(b" " * ((1 << 20) + 1)))
        assert "over" in host.answer()["error"]["message"]
        assert host.peak_kib - before < 16384


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"{",
        b"null",
        b"[]",
        b"\xff\xfe{\x00}\x00",
        b'{"jsonrpc":"2.0","id":1,"method":"\xc3"}',
        b"[" * 100_000,
        b'{"a":' * 100_000,
        b'{"jsonrpc":"2.0","id":9,"result":{}}',
        b'{"jsonrpc":"2.0","id":9,"method":"hello","params":{},"more":1}',
        random.Random(11).randbytes(4096),
    ],
    ids=lambda data: repr(data[:16]),
)
def test_what_is_no_request_costs_an_error_and_nothing_else(environment, data):
    with Host(environment) as host:
        host.send_raw(frame(data))
        answer = host.answer()
        assert answer["id"] is None
        assert kind(answer) == "invalid"
        host.greet()
        assert host.close_input() == 0


@pytest.mark.parametrize("data", [b"\x10", b"\x10\x00\x00", b"\x10\x00\x00\x00", b"\x10\x00\x00\x00{}"])
def test_message_that_breaks_off_ends_it_with_1(environment, data):
    with Host(environment) as host:
        host.greet()
        host.send_raw(data)
        assert host.close_input() == 1
        assert b"broke off" in host.process.stderr.read()


def test_frames_may_arrive_byte_by_byte(environment):
    with Host(environment) as host:
        message = frame(b'{"jsonrpc":"2.0","id":5,"method":"suggest","params":{}}')
        for byte in message:
            host.send_raw(bytes([byte]))
        assert host.answer()["id"] == 5


def test_end_of_input_ends_it_and_says_nothing(environment):
    with Host(environment) as host:
        assert host.close_input() == 0
        assert host.process.stdout.read() == b""
        assert host.process.stderr.read() == b""


def test_browser_that_does_not_read_any_more_is_survived(environment):
    with Host(environment) as host:
        host.process.stdout.close()
        host.request(1, "hello", HELLO)
        host.request(2, "hello", HELLO)
        assert host.close_input() == 0


def test_nothing_of_the_browsers_environment_stays(environment):
    poisoned = {**environment, "LD_BIND_NOW": "1", "MOZ_CRASHREPORTER": "1", "API_TOKEN": "x", "LC_ALL": "C.UTF-8"}
    with Host(poisoned) as host:
        host.greet()
        left = environment_of(host.process.pid)
        assert not left & {"LD_BIND_NOW", "MOZ_CRASHREPORTER", "API_TOKEN"}
        assert {"HOME", "XDG_RUNTIME_DIR", "LC_ALL"} <= left


def test_memory_is_closed_to_other_programs(environment):
    with Host(environment) as host:
        host.greet()
        # What a process that may not be dumped looks like from outside: its files belong to root.
        assert Path(f"/proc/{host.process.pid}/mem").stat().st_uid == 0
        limits = Path(f"/proc/{host.process.pid}/limits").read_text()
        core = next(line for line in limits.splitlines() if line.startswith("Max core file size"))
        assert core.split()[4:6] == ["0", "0"]


def test_name_is_the_one_that_the_extension_connects_to():
    script = (ROOT / "Browser/src/protocol/host.js").read_text()
    names = (ROOT / "Sources/AutoFillProtocol/BrowserExtension.swift").read_text()
    assert re.search("hostName = ['\"](.*)['\"]", script)[1] == re.search('hostName = "(.*)"', names)[1]


def test_says_its_release():
    said = subprocess.check_output([STAGE / "libexec/keyway/keyway-browser-host", "--version"], text=True)
    assert said == "keyway-browser-host 0.1.0\n"


def test_page_that_is_none_of_the_web_is_refused(environment):
    with Host(environment) as host:
        host.greet()
        host.request(2, "suggest", {**PAGE, "url": "file:///etc/passwd"})
        assert kind(host.answer()) == "refused"


def environment_of(process: int) -> set[str]:
    """The names in a process's environment block. Only root may look into a process that hides its memory."""
    if os.geteuid() != 0:
        pytest.skip("needs root to look into a hardened process")
    data = Path(f"/proc/{process}/environ").read_bytes()
    return {entry.partition(b"=")[0].decode() for entry in data.split(b"\0") if entry}
