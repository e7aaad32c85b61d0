"""T13 to T16: who comes to the broker's door, and who stands there in its place."""

from __future__ import annotations

import json
import os
import struct
import subprocess
import time

import pytest
from browser_host import CHROMIUM, FIREFOX, HELLO, PAGE, Host, frame, kind
from login import MASTER, RUNTIME, USER, read
from persons_programs import ASKS, LISTENS, PYTHON, SENDS, SERVICE_MANAGER, TALKS

NOBODY = 65_534
# How timeout(1) ends when it ended the program.
TIMED_OUT = 124
HELLO_OF_ANOTHER = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "hello",
    "params": {"protocol": {"major": 1, "minor": 0}, "role": "terminal", "name": "keyway"},
}


# T13: programs that nobody approved, and other users


@pytest.mark.parametrize("role", ["terminal", "browser"])
def test_T13_another_program_of_the_person_learns_no_name(vault, role):
    asked = vault.run(PYTHON, "-c", ASKS, str(vault.door), role)
    assert asked.returncode == 0, asked.stderr
    answers = dict(line.split(maxsplit=1) for line in asked.stdout.splitlines())
    assert len(answers) == 6
    assert {*answers.values()} <= {"notApproved", "unknownMethod", "notAllowed", "interactionRequired"}, answers
    listed = vault.open_terminal.keyway("suggest https://a.example")
    assert "ada" in listed


def test_T13_who_approves_a_program_in_a_terminal_is_verified(vault):
    def suggested() -> str:
        asked = vault.run(PYTHON, "-c", ASKS, str(vault.door), "terminal").stdout
        return asked.splitlines()[0]

    assert suggested() == "suggest interactionRequired"
    terminal = vault.open_terminal
    listed = json.loads(terminal.keyway("clients list --json"))["clients"]
    (waiting,) = [client for client in listed if not client["isKnown"]]
    approve = f"keyway clients approve {waiting['identifier']}"
    # A program can start it as well, and knows what is to be said yes to.
    assert vault.run(vault.prefix / "bin" / approve.split()[0], *approve.split()[1:], input="yes\n").returncode != 0
    terminal.begin(approve)
    for answer in ("yes", "a guess"):
        terminal.read_until("Master password:")
        terminal.type(answer)
    assert suggested() == "suggest interactionRequired"
    terminal.read_until("Master password:")
    terminal.type(MASTER)
    terminal.read_until("ended=0")
    assert "ada" in suggested()


def test_T13_another_user_is_refused_where_everybody_may_enter(vault):
    assert vault.door.parent.stat().st_mode & 0o777 == 0o700
    for place, mode in ((RUNTIME, 0o711), (vault.door.parent, 0o711), (vault.door, 0o666)):
        place.chmod(mode)
    script = f"""
import json, socket, struct
door = socket.socket(socket.AF_UNIX)
door.connect({str(vault.door)!r})
data = json.dumps({HELLO_OF_ANOTHER!r}).encode()
try:
    door.sendall(struct.pack("=I", len(data)) + data)
    print("heard", door.recv(100))
except (BrokenPipeError, ConnectionResetError):
    print("heard", b"")
"""
    asked = subprocess.run(
        [PYTHON, "-c", script], user=NOBODY, group=NOBODY, extra_groups=[], capture_output=True, text=True, timeout=60
    )
    assert (asked.stdout, asked.stderr) == ("heard b''\n", "")


# T14: somebody else at the door


@pytest.mark.parametrize(
    "how",
    [
        pytest.param("takes connections", id="taking"),
        pytest.param(
            "takes none",
            id="idle",
        ),
    ],
)
def test_T14_to_who_listens_in_the_brokers_place_nothing_is_said(login, how):
    squatter = squat(login, how)
    # It gives the broker twenty seconds, and whoever listens there ten for a connection.
    said = login.run("/usr/bin/timeout", "60", login.prefix / "bin/keyway", "status")
    assert said.returncode not in (0, TIMED_OUT), said.stderr
    assert "isn't the keywayd installed" in said.stderr
    assert heard(login, squatter, how) == {b"gone"}


@pytest.mark.parametrize("how", ["takes connections", "takes none"], ids=["taking", "idle"])
def test_T14_a_browser_host_says_nothing_to_who_listens_in_the_brokers_place(login, how):
    squatter = squat(login, how)
    program = login.prefix / "libexec/keyway/keyway-browser-host"
    with Host(login.environment, CHROMIUM, program, USER) as host:
        # A greeting it answers itself; about a page it asks the broker.
        host.request(1, "hello", HELLO)
        assert "result" in host.answer()
        host.request(2, "suggest", PAGE)
        # Somebody whom it greeted would have thirty seconds to answer, twice.
        answer = host.answer(within=120)
        assert heard(login, squatter, how) == {b"gone"}
    assert kind(answer) == "refused"
    assert "isn't the keywayd installed" in answer["error"]["message"]


def squat(login, how: str) -> subprocess.Popen:
    """A program of the person's that listens before the broker does."""
    squatter = login.start(PYTHON, "-c", LISTENS, login.door, how, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert squatter.stdout.readline() == b"listening\n"
    return squatter


def heard(login, squatter: subprocess.Popen, how: str) -> set[bytes]:
    """What it was told by whoever came; of one who says something, it would have heard that."""
    assert login.run(PYTHON, "-c", TALKS, login.door).returncode == 0
    if how == "takes none":
        squatter.stdin.close()
    lines = []
    while (line := squatter.stdout.readline()) not in (b"b'hello'\n", b""):
        lines.append(line.strip())
    assert line, lines
    squatter.kill()
    return {*lines}


def test_T14_something_else_in_the_place_of_the_log_keeps_nobody_waiting(login):
    """A pipe: whoever opens it to write would wait for somebody who reads."""
    log = login.door.parent / "keywayd.log"
    log.parent.mkdir(mode=0o700)
    os.mkfifo(log)
    for place in (log.parent, log):
        os.chown(place, USER, USER)
    said = login.run("/usr/bin/timeout", "60", login.prefix / "bin/keyway", "providers", "list")
    assert said.returncode not in (0, TIMED_OUT), said.stderr
    assert str(log) in said.stderr
    log.unlink()
    assert login.keyway("providers", "list")


def test_T14_the_socket_of_a_service_manager_becomes_the_brokers(login):
    keywayd = login.prefix / "libexec/keyway/keywayd"
    manager = login.start(PYTHON, "-c", SERVICE_MANAGER, login.door, keywayd, stdout=subprocess.PIPE)
    assert manager.stdout.readline() == b"listening\n"
    assert str(manager.pid) in login.keyway("status", "--json")
    assert manager.poll() is None


# T15: the native-messaging host


@pytest.fixture
def host(vault):
    """Starts the installed host as a program of the person's might."""
    program = vault.prefix / "libexec/keyway/keyway-browser-host"

    def start(arguments: list[str] = CHROMIUM) -> Host:
        return Host(vault.environment, arguments, program, USER)

    return start


@pytest.mark.parametrize(
    "arguments", [[], ["chrome-extension://" + "a" * 32 + "/"], [FIREFOX[0], "someone@else.example"]]
)
def test_T15_the_host_of_an_extension_that_is_not_ours_says_nothing(host, arguments):
    with host(arguments) as stranger:
        assert stranger.process.wait(timeout=60) == 1
        assert stranger.process.stdout.read() == b""


@pytest.mark.parametrize(
    "data",
    [
        frame(b"[" * 500_000),
        frame(b'{"a":' * 100_000),
        frame(b'{"jsonrpc":"2.0","id":1,"method":"\xc3"}'),
        frame(b"\xff\xfe{\x00}\x00"),
        struct.pack("=I", (1 << 20) + 1) + b" " * ((1 << 20) + 1),
        struct.pack("=I", 64 << 20) + b"[" * (1 << 16),
        struct.pack("=I", 64) + b"{",
        b"\x10\x00",
    ],
    ids=["nested arrays", "nested objects", "half a letter", "UTF-16", "too long", "64 MiB", "cut off", "cut length"],
)
def test_T15_messages_that_are_none_end_the_host_cleanly(host, data):
    with host() as browser:
        browser.request(1, "hello", HELLO)
        assert "result" in browser.answer()
        before = browser.peak_kib
        browser.send_raw(data)
        whole = struct.unpack_from("=I", data.ljust(4, b"\xff"))[0] <= len(data) - 4
        if whole:
            assert kind(browser.answer()) == "invalid"
        assert browser.peak_kib - before < 32 << 10
        assert browser.close_input() == (0 if whole else 1)


# T15: the broker's own door

FILL = "fill https://a.example"
# Deeper than the protocol's limit, and not so deep that a parser would refuse it by itself.
DEEP = b'{"jsonrpc":"2.0","id":7,"method":"status","params":' + b'{"a":' * 40 + b"1" + b"}" * 41


@pytest.mark.parametrize(
    "data, refusal",
    [
        pytest.param(frame(DEEP), "malformed", id="deep"),
        pytest.param(frame(b"[" * 500_000), "malformed", id="nested arrays"),
        pytest.param(frame(b'{"jsonrpc":"2.0","id":7,"method":"\xc3"}'), "malformed", id="half a letter"),
        pytest.param(frame(b"hello"), "malformed", id="no JSON"),
        pytest.param(frame(b" " * ((1 << 20) + 1)), "frameTooLarge", id="too long"),
        pytest.param(struct.pack("=I", 1 << 30) + b"[" * (1 << 16), "frameTooLarge", id="1 GiB"),
    ],
)
def test_T15_a_message_that_is_none_costs_its_sender_an_error_and_nobody_else_anything(vault, data, refusal):
    before = peak_kib(vault.broker)
    sender = send(vault, data)
    assert sender.stdout.readline() == f"{refusal}\n".encode()
    # It is still connected.
    assert vault.open_terminal.keyway(FILL) == "password of alpha\n"
    assert peak_kib(vault.broker) - before < 32 << 10
    assert sender.poll() is None


@pytest.mark.parametrize("data", [frame(DEEP)[:64], b"\x10\x00"], ids=["cut off", "cut length"])
def test_T15_a_message_that_does_not_end_keeps_nobody_waiting(vault, data):
    sender = send(vault, data)
    assert vault.open_terminal.keyway(FILL) == "password of alpha\n"
    sender.kill()
    assert sender.stdout.read() == b""
    assert vault.open_terminal.keyway(FILL) == "password of alpha\n"


def send(vault, data: bytes) -> subprocess.Popen:
    """A program that nobody approved, which has sent that and is told what is wrong with it."""
    sender = vault.start(PYTHON, "-c", SENDS, vault.door, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    sender.stdin.write(data)
    sender.stdin.close()
    assert sender.stdout.readline() == b"sent\n"
    return sender


def peak_kib(pid: int) -> int:
    """The most memory that a process ever had."""
    return int(read(pid, "status").partition("VmHWM:")[2].split()[0])


# T16: an approved program that goes through a list


def test_T16_many_sites_in_a_row_are_stopped(vault):
    began = time.monotonic()
    line = "for n in $(seq 60); do keyway suggest https://site$n.example; echo $?; done"
    status, printed, said = vault.open_terminal.run(line)
    assert status == 0
    outcomes = printed.split()
    refused = [outcome for outcome in outcomes if outcome not in ("0", "1")]
    assert len(outcomes) - len(refused) <= 31 + (time.monotonic() - began) / 2, outcomes
    assert "many sites" in said
