"""`keyway providers debug`: who may look into a provider, what it then answers, and who hears of it."""

from __future__ import annotations

import ctypes
import json
import os
import signal
import subprocess
from pathlib import Path

import pytest
from conftest import EXTENSION_POINT, eventually, fill, suggest
from running import is_running, state
from test_verification import PIN, WRONG, Person, set_pin
from wire import Peer, Refused, contents, sealed

EXTENSION = {
    "NSExtensionPointIdentifier": EXTENSION_POINT,
    "NSExtensionAttributes": {
        "ASCredentialProviderExtensionCapabilities": {"ProvidesPasswords": True, "ShowsConfigurationUI": True},
    },
}


@pytest.fixture
def good(broker) -> str:
    """A provider of the person's, on a machine where a PIN is what verifies them."""
    identifier = broker.provide("good")
    set_pin(broker)
    return identifier


def answer_questions(peer: Peer, number: int, pin: str = PIN, within: float = 60) -> tuple[dict, list[int]]:
    """The answer to a request; whoever is asked for the PIN meanwhile types it."""
    while True:
        message, descriptors = peer.receive(within)
        if message.get("method") == "person.ask":
            typed = sealed(pin.encode())
            answer = {"answer": {"secret": {"_0": {"descriptor": 0}}}}
            peer.send({"jsonrpc": "2.0", "id": message["id"], "result": answer, "descriptors": 1}, (typed,))
            os.close(typed)
        elif "method" in message:
            peer.notifications.append(message)
        else:
            assert message["id"] == number
            if "error" in message:
                raise Refused(message["error"])
            return message["result"], descriptors


def debug(author: Peer, identifier: str, *, waits: bool = False, pin: str = PIN) -> dict:
    number = author.request("providers.debug", {"identifier": identifier, "waits": waits})
    return answer_questions(author, number, pin)[0]


def extensions(session) -> set[int]:
    return {process["processIdentifier"] for process in session.running("providerExtension")}


@pytest.mark.parametrize("waits", [False, True])
def test_a_debugged_extension_answers_its_own_terminal_only(broker, good, waits):
    with broker.connect_in_terminal() as author, broker.connect("browser") as page:
        process = debug(author, good, waits=waits)["processIdentifier"]
        # What is given to a page comes from another process. Here, nobody can be verified for it.
        with pytest.raises(Refused, match="verify you"):
            page.call("fill", fill(suggest(page)[0]["handle"]))
        assert len(extensions(broker) - {process}) == 1
        assert process in extensions(broker)


def test_a_debugged_extension_waits_for_a_debugger_and_has_no_deadline(broker, good):
    with broker.connect_in_terminal() as author:
        started = debug(author, good, waits=True)
        process = started["processIdentifier"]
        assert started["path"] == str(broker.bundle(good) / "extension")
        number = author.request("fill", fill(suggest(author)[0]["handle"], presents=True))
        # Longer than an extension has otherwise.
        with pytest.raises(AssertionError, match="in time"):
            author.answer(number, within=4)
        assert "keyway-confine" in str(Path(f"/proc/{process}/exe").readlink())
        attach(process)
        result, descriptors = answer_questions(author, number)
        assert result["provider"]["identifier"] == good
        assert contents(descriptors[0]) == b"s3cret"
        assert "python" in str(Path(f"/proc/{process}/exe").readlink())
        author.close()
        eventually(lambda: not is_running(process), within=20)
        eventually(lambda: not broker.running("providerExtension"), within=20)


def attach(process: int) -> None:
    """Attaches to a process as a debugger does, lets it go on until it runs its program, and lets go of it."""
    library = ctypes.CDLL(None, use_errno=True)
    attach_request, continue_request, detach_request = 16, 7, 17
    library.ptrace.argtypes = [ctypes.c_long, ctypes.c_long, ctypes.c_void_p, ctypes.c_void_p]
    assert library.ptrace(attach_request, process, None, None) == 0, os.strerror(ctypes.get_errno())
    os.waitpid(process, 0)
    library.ptrace(continue_request, process, None, None)
    # Executing a program stops a traced process.
    _, status = os.waitpid(process, 0)
    assert os.WIFSTOPPED(status)
    assert os.WSTOPSIG(status) == signal.SIGTRAP
    library.ptrace(detach_request, process, None, None)


def test_a_debugged_extension_that_nobody_attaches_to_ends_with_the_broker(broker, good):
    with broker.connect_in_terminal() as author:
        process = debug(author, good, waits=True)["processIdentifier"]
        broker.processes[-1].kill()
        broker.processes.pop().wait()
        eventually(lambda: not is_running(process), within=20)


def test_nobody_is_debugged_where_nobody_can_be_asked(broker):
    identifier = broker.provide("good")
    with broker.connect_in_terminal() as author, pytest.raises(Refused) as refused:
        author.call("providers.debug", {"identifier": identifier, "waits": False})
    assert refused.value.kind == "notVerified"
    assert not extensions(broker)


def test_who_knows_no_pin_debugs_nothing(broker, good):
    before = extensions(broker)
    with broker.connect_in_terminal() as author, pytest.raises(Refused) as refused:
        debug(author, good, pin=WRONG)
    assert refused.value.kind == "notVerified"
    assert extensions(broker) == before


def test_a_bundle_of_the_system_is_debugged_by_nobody(broker):
    identifier = broker.install("shared", where="system")
    broker.enable(identifier)
    set_pin(broker)
    bundle = broker.folder / "system/keyway/providers/shared.appex"
    with broker.connect_in_terminal() as author:
        if bundle.stat().st_uid != 0:
            # To anybody but root, a bundle of their own in the system's folder is no system's bundle.
            assert debug(author, identifier)["processIdentifier"]
            return
        with pytest.raises(Refused, match="all users") as refused:
            debug(author, identifier)
        assert refused.value.kind == "refused"
        assert not extensions(broker)


def test_another_terminal_hears_of_it_also_when_it_comes_later(broker, good):
    with broker.connect_in_terminal() as author:
        debug(author, good)
        assert "being debugged by" in author.notification("notice")["text"]
        with broker.connect_in_terminal() as other:
            # It may ask: what waits is told.
            assert "being debugged by" in other.notification("notice")["text"]
            author.close()
            assert "no longer being debugged" in other.notification("notice")["text"]


@pytest.mark.parametrize("options", [[], ["--wait"]])
def test_the_command_debugs_until_it_ends_and_the_history_says_so(broker, options):
    identifier = broker.provide("everything", "everything", NSExtension=EXTENSION)
    set_pin(broker)
    with Person(broker, "providers", "debug", identifier, "--json", *options) as person:
        person.answers("Keyway PIN", PIN)
        lines = []
        while not lines or lines[-1] != "}\n":
            lines.append(person.terminal.process.stdout.readline().decode())
            assert lines[-1], "the command ended"
        told = json.loads("".join(lines))
        process = told["processIdentifier"]
        assert told["attach"] == f"gdb -p {process}"
        assert told["path"] == str(broker.bundle(identifier) / "extension")
        if options:
            # It waits for a debugger before it becomes the extension.
            assert Path(f"/proc/{process}/exe").readlink().name == "keyway-confine"
        assert is_debugged(broker, identifier)
        person.terminal.signal(signal.SIGINT)
        assert person.terminal.finish()[0] == -signal.SIGINT
    eventually(lambda: not is_debugged(broker, identifier), within=60)
    eventually(lambda: state(process) in "-Z", within=60)
    said = [entry.get("detail") for entry in json.loads(broker.keyway("history", "--json"))["entries"]]
    begin, end = "Debugging is allowed.", "Debugging is no longer allowed."
    assert [detail for detail in said if detail in (begin, end)] == [end, begin]


def is_debugged(session, identifier: str) -> bool:
    return json.loads(session.keyway("providers", "show", identifier, "--json"))["provider"]["debugged"]


def test_nobody_debugs_without_a_terminal(broker, good):
    command = [broker.prefix / "bin/keyway", "providers", "debug", good]
    ended = subprocess.run(
        command, env=broker.environment, capture_output=True, text=True, start_new_session=True, timeout=120
    )
    assert ended.returncode != 0
    assert "from a terminal" in ended.stderr
    assert not is_debugged(broker, good)
