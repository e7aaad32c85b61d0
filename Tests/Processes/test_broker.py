"""The broker as a process: how it starts and ends, who may talk to it, and what bad messages cost."""

import json
import os
import resource
import signal
import socket
import struct
import subprocess
import time
from pathlib import Path

import pytest
from conftest import eventually, suggest, url
from wire import Closed, Peer, Refused, frame

ANOTHER_RUNS = 75


# Start and end


def test_help_and_version_need_no_environment(keyway):
    for argument, words in (("--help", "Usage:"), ("--version", "keywayd 0.1.0")):
        finished = subprocess.run([keyway.keywayd, argument], env={}, capture_output=True, text=True)
        assert finished.returncode == 0
        assert words in finished.stdout


def test_unknown_argument_is_refused(keyway):
    assert subprocess.run([keyway.keywayd, "--nonsense"], env=keyway.environment).returncode == 64


def test_without_a_socket_from_systemd_it_says_how_to_run_it(keyway):
    finished = subprocess.run([keyway.keywayd], env=keyway.environment, capture_output=True, text=True)
    assert finished.returncode == 1
    assert "keywayd --foreground" in finished.stderr


def test_two_clients_are_answered_at_the_same_time(broker):
    with broker.connect() as one, broker.connect("browser") as other:
        first, second = one.request("status"), other.request("status")
        assert other.answer(second)[0]["connections"] == 2
        assert one.answer(first)[0]["version"] == "0.1.0"


def test_socket_and_folders_are_closed_to_others(broker):
    # Whoever is greeted finds all folders made: the socket listens a moment earlier.
    broker.connect().close()
    assert broker.socket.stat().st_mode & 0o777 == 0o600
    assert broker.socket.parent.stat().st_mode & 0o777 == 0o700
    assert (broker.folder / "state/keyway").stat().st_mode & 0o777 == 0o700
    assert (broker.folder / "state/keyway/identities").stat().st_mode & 0o777 == 0o700


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_signal_ends_it_cleanly(broker, number):
    peer = broker.connect()
    process = broker.processes[-1]
    process.send_signal(number)
    assert process.wait(timeout=60) == 0
    assert not broker.socket.exists()
    assert peer.is_closed()
    peer.close()


def test_whoever_was_let_in_before_it_ends_is_answered(broker):
    peer = broker.connect()
    process = broker.processes[-1]
    process.send_signal(signal.SIGTERM)
    # By then it has heard of it, and lets nobody else in.
    eventually(lambda: not broker.socket.exists())
    assert peer.call("status")["processIdentifier"] == process.pid
    peer.close()
    assert process.wait(timeout=60) == 0


def test_second_broker_ends_with_a_clear_message(broker):
    finished = subprocess.run(
        [broker.keywayd, "--foreground"], env=broker.environment, capture_output=True, text=True, timeout=60
    )
    assert finished.returncode == ANOTHER_RUNS
    assert "Another keywayd is already running" in finished.stderr
    with broker.connect() as peer:
        assert peer.call("status")["processIdentifier"] == broker.processes[-1].pid


def test_killed_broker_leaves_a_socket_that_the_next_one_takes_over(broker):
    peer = broker.connect()
    process = broker.processes.pop()
    process.kill()
    process.wait()
    assert peer.is_closed()
    # A program that it was about to start may have its open files for a moment longer.
    eventually(lambda: not can_connect(broker.socket))
    assert broker.socket.exists()
    broker.start_broker()
    eventually(lambda: can_connect(broker.socket))
    with broker.connect() as again:
        assert again.call("status")["processIdentifier"] == broker.processes[-1].pid
    peer.close()


def test_something_else_at_the_sockets_path_is_left_alone(keyway):
    keyway.socket.parent.mkdir(mode=0o700)
    keyway.socket.write_text("mine")
    finished = subprocess.run(
        [keyway.keywayd, "--foreground"], env=keyway.environment, capture_output=True, text=True, timeout=60
    )
    assert finished.returncode == 1
    assert "in the way" in finished.stderr
    assert keyway.socket.read_text() == "mine"


def test_socket_at_which_somebody_listens_is_not_taken(keyway):
    keyway.socket.parent.mkdir(mode=0o700)
    with socket.socket(socket.AF_UNIX) as other:
        other.bind(str(keyway.socket))
        other.listen()
        finished = subprocess.run(
            [keyway.keywayd, "--foreground"], env=keyway.environment, capture_output=True, text=True, timeout=60
        )
    assert finished.returncode == ANOTHER_RUNS
    assert "already listens on" in finished.stderr


def test_runtime_folder_open_to_others_is_refused(keyway):
    keyway.socket.parent.mkdir(mode=0o755)
    finished = subprocess.run(
        [keyway.keywayd, "--foreground"], env=keyway.environment, capture_output=True, text=True, timeout=60
    )
    assert finished.returncode == 1
    assert "chmod 700" in finished.stderr


def test_systemd_passes_the_socket_on(keyway):
    keyway.socket.parent.mkdir(mode=0o700)
    activate = keyway.start(
        "systemd-socket-activate",
        *[f"--setenv={name}={value}" for name, value in keyway.environment.items()],
        f"--listen={keyway.socket}",
        keyway.keywayd,
        log="activate.log",
    )
    eventually(keyway.socket.exists)
    eventually(lambda: can_connect(keyway.socket))
    with keyway.connect() as peer:
        assert peer.call("status")["processIdentifier"] == activate.pid
    activate.terminate()
    assert activate.wait(timeout=60) == 0
    assert keyway.socket.exists(), "the socket is systemd's"


def descriptors(process: int) -> int:
    return sum(1 for _ in Path(f"/proc/{process}/fd").iterdir())


def can_connect(path) -> bool:
    try:
        Peer.connect(path).close()
    except OSError:
        return False
    return True


def test_no_core_dump_and_no_reading_of_its_memory(keyway):
    soft, hard = resource.getrlimit(resource.RLIMIT_CORE)
    # Where nobody may write any, there would be none without the broker's doing.
    resource.setrlimit(resource.RLIMIT_CORE, (hard, hard))
    try:
        process = keyway.start_broker().pid
    finally:
        resource.setrlimit(resource.RLIMIT_CORE, (soft, hard))
    limits = Path(f"/proc/{process}/limits").read_text().splitlines()
    assert any(line.startswith("Max core file size") and line.split()[4] == "0" for line in limits)
    # What is not dumpable belongs to root, whoever runs it.
    assert Path(f"/proc/{process}/mem").stat().st_uid == 0


# Who may talk to it


def test_process_of_another_user_is_refused(broker):
    if os.geteuid() != 0:
        pytest.skip("needs root to become another user")
    opened = [broker.folder, broker.folder / "runtime", broker.socket.parent]
    for folder in opened:
        folder.chmod(0o755)
    broker.socket.chmod(0o666)
    script = (
        "import socket, sys\n"
        "s = socket.socket(socket.AF_UNIX)\n"
        f"s.connect({str(broker.socket)!r})\n"
        "s.settimeout(60)\n"
        "try: print(len(s.recv(100)))\n"
        "except ConnectionResetError: print(0)\n"
    )
    finished = subprocess.run(
        ["/usr/bin/python3", "-c", script], user="nobody", cwd="/", env={}, capture_output=True, text=True, timeout=30
    )
    assert finished.stdout.strip() == "0", finished.stderr
    assert "was refused" in broker.log


def test_nothing_is_answered_before_the_greeting(broker):
    with Peer.connect(broker.socket) as peer:
        with pytest.raises(Refused) as refused:
            peer.call("status")
        assert refused.value.kind == "helloExpected"
        peer.greet("terminal")
        assert peer.call("status")["version"]


def test_older_client_is_told_so(broker):
    with Peer.connect(broker.socket) as peer:
        with pytest.raises(Refused) as refused:
            peer.greet("terminal", {"major": 0, "minor": 9})
        assert refused.value.kind == "versionMismatch"
        assert "update" in str(refused.value)


@pytest.mark.parametrize("role", ["providerExtension", "providerService", "serviceClient", "broker"])
def test_only_clients_come_through_the_door(broker, role):
    with Peer.connect(broker.socket) as peer, pytest.raises(Refused) as refused:
        peer.greet(role)
    assert refused.value.kind == "notAllowed"


@pytest.mark.parametrize("method", ["providers.list", "providers.setEnabled", "service.connect", "identities.write"])
def test_browser_cannot_change_anything(broker, method):
    with broker.connect("browser") as peer, pytest.raises(Refused) as refused:
        peer.call(method)
    assert refused.value.kind in ("notAllowed", "unknownMethod")


# What bad messages cost


@pytest.mark.parametrize(
    "data",
    [
        frame(b"hello"),
        frame(b""),
        frame(b"[]"),
        frame(b'{"jsonrpc":"1.0","id":1,"method":"status"}'),
        frame(b'{"jsonrpc":"2.0"}'),
        frame(b"[" * 5000),
        frame(b'{"jsonrpc":"2.0","id":{},"method":"status"}'),
        frame(b"\xff\xfe\x00"),
        struct.pack("=I", 4 << 20) + b"x" * (4 << 20),
    ],
    ids=["text", "empty", "array", "version", "neither", "nesting", "id", "binary", "large"],
)
def test_malformed_frame_costs_its_sender_an_error_and_nobody_else_anything(broker, data):
    with broker.connect() as bad, broker.connect() as other:
        bad.send_bytes(data)
        message, _ = bad.receive()
        assert message["error"]["data"]["kind"] in ("malformed", "frameTooLarge")
        assert bad.call("status")["connections"] == 2
        assert other.call("status")["connections"] == 2


def test_half_a_frame_and_silence_harm_nobody(broker):
    with broker.connect() as bad, broker.connect() as other:
        bad.send_bytes(struct.pack("=I", 100) + b'{"jsonrpc"')
        assert other.call("status")["connections"] == 2
        bad.close()
        eventually(lambda: other.call("status")["connections"] == 1)


def test_wrong_parameters_say_where(broker):
    with broker.connect() as peer, pytest.raises(Refused) as refused:
        peer.call("suggest", {"services": [{"identifier": 5, "kind": "URL"}]})
    assert refused.value.kind == "invalidParameters"
    assert "services" in str(refused.value)


def test_descriptors_that_nobody_asked_for_are_closed(broker):
    process = broker.processes[-1].pid
    with broker.connect() as peer:
        peer.call("status")
        before = descriptors(process)
        for _ in range(200):
            message = {"jsonrpc": "2.0", "id": peer.next_id, "method": "status", "params": {}, "descriptors": 2}
            peer.next_id += 1
            peer.send(message, (0, 1))
            peer.receive()
        assert descriptors(process) <= before + 4


def test_flood_of_requests_is_bounded_and_answered(broker):
    with broker.connect() as peer:
        numbers = [peer.request("status") for _ in range(500)]
        kinds = []
        for number in numbers:
            try:
                peer.answer(number)
                kinds.append("ok")
            except Refused as refused:
                kinds.append(refused.kind)
        assert set(kinds) <= {"ok", "tooManyRequests"}
        assert "ok" in kinds


def test_peer_that_never_reads_is_dropped(broker):
    with broker.connect() as deaf, broker.connect() as other:
        request = {"jsonrpc": "2.0", "method": "suggest", "params": {"services": [url()] * 17}}
        deaf.socket.settimeout(60)
        try:
            for number in range(200_000):
                deaf.send({**request, "id": number + 10})
        except (BrokenPipeError, ConnectionResetError, TimeoutError):
            pass
        else:
            pytest.fail("it was never dropped")
        assert other.call("status")["version"]


# Nothing to offer


def test_without_an_enabled_provider_there_is_nothing_and_fill_says_so(broker):
    with broker.connect() as peer:
        assert suggest(peer) == []
        with pytest.raises(Refused) as refused:
            peer.call("fill", {"target": {"list": {}}, "services": [url()], "presents": True})
        assert refused.value.kind == "noProvider"
        assert "keyway providers enable" in str(refused.value)


def test_browser_must_name_pages(broker):
    with broker.connect("browser") as peer:
        for service in ({"identifier": "a.example", "kind": "domain"}, url("ftp://a.example"), url("a.example")):
            with pytest.raises(Refused) as refused:
                peer.call("suggest", {"services": [service]})
            assert refused.value.kind == "invalidParameters"


def test_a_thousand_clients_fit_and_leave_nothing(broker):
    process = broker.processes[-1].pid
    # Once it is known that this program is approved, it is no stranger, who has room for few.
    with broker.connect("browser") as peer:
        peer.call("suggest", {"services": [url()]})
    peers = [Peer.connect(broker.socket) for _ in range(1000)]
    for peer in peers:
        peer.greet("browser")
    assert peers[-1].call("suggest", {"services": [url()]})["suggestions"] == []
    for peer in peers:
        peer.close()
    with broker.connect() as peer:
        eventually(lambda: peer.call("status")["connections"] == 1)
    assert descriptors(process) < 60


def test_closed_connection_withdraws_its_requests(broker):
    for _ in range(50):
        with broker.connect() as peer:
            peer.request("suggest", {"services": [url()]})
    with broker.connect() as peer:
        eventually(lambda: peer.call("status")["connections"] == 1)


def test_log_holds_one_line_for_each_event(broker):
    with broker.connect() as peer:
        peer.call("status")
    time.sleep(0.05)
    lines = broker.log.splitlines()
    assert all(line.startswith("keywayd: ") for line in lines)
    assert json.dumps(lines).count("listens, process") == 1


def test_choices_that_somebody_else_wrote_are_refused_and_kept_aside(keyway):
    choices = keyway.folder / "state/keyway/providers.json"
    choices.write_text("{ not json")
    keyway.start_broker()
    identifier = keyway.install("one")
    with keyway.connect() as peer:
        with pytest.raises(Refused) as refused:
            peer.call("suggest", {"services": [url()]})
        assert refused.value.kind == "damaged"
        assert "providers.json" in str(refused.value)
        # They are chosen anew from the list.
        listed = peer.call("providers.list")["providers"]
        assert (identifier, False) in [(one["reference"]["identifier"], one["isEnabled"]) for one in listed]
        assert "providers.json" in peer.call("status")["disbelieved"][0]
        assert choices.read_text() == "{ not json"
        # Nobody knows whether a provider is on whose master password says who turns this one on.
        with pytest.raises(Refused) as refused:
            peer.call("providers.setEnabled", {"identifier": identifier, "isEnabled": True})
        assert refused.value.kind == "interactionRequired"
        assert f"remove {choices.with_name('clients.json')}, {choices}" in str(refused.value)
        peer.call("providers.setEnabled", {"identifier": identifier, "isEnabled": False})
        assert "disbelieved" not in peer.call("status")
    assert choices.with_name("providers.json.disbelieved").read_text() == "{ not json"
    with pytest.raises(Closed):
        peer = Peer.connect(keyway.socket)
        keyway.stop(keyway.processes[-1])
        peer.receive()
