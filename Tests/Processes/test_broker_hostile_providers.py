"""What a provider can do to others, to the broker and to the person: nothing."""

from __future__ import annotations

import contextlib
import os
import plistlib
import shutil
import socket
from pathlib import Path

import pytest
from conftest import Keyway, eventually, fill, suggest, url
from running import is_running
from wire import Peer, Refused, contents

CAPABILITIES = "ASCredentialProviderExtensionCapabilities"


def refusal(peer: Peer, handle: str, **parameters: object) -> Refused:
    with pytest.raises(Refused) as refused:
        peer.call("fill", {**fill(handle), **parameters})
    return refused.value


def of(peer: Peer, identifier: str) -> list[dict]:
    """What is suggested of one provider."""
    return [suggestion for suggestion in suggest(peer) if suggestion["provider"]["identifier"] == identifier]


# Identities


def test_a_provider_reads_and_overwrites_its_own_identities_only(broker):
    broker.provide("good")
    thief = broker.install("thief")
    broker.enable(thief)
    with broker.connect() as terminal, broker.connect("browser") as peer:
        broker.visit_service(terminal, thief, "hello")
        eventually(lambda: of(peer, thief))
        # It saw its own.
        assert broker.visit_service(terminal, thief, "steal") == "1"
        assert of(peer, thief) == []
        (left,) = of(peer, "test.good")
        assert contents(peer.answer(peer.request("fill", fill(left["handle"])))[1][0]) == b"s3cret"


@pytest.mark.parametrize("role", ["terminal", "browser"])
def test_a_provider_is_no_client(broker, role):
    broker.provide("good")
    thief = broker.install("thief")
    broker.enable(thief)
    with broker.connect() as terminal:
        assert broker.visit_service(terminal, thief, f"pose {role}") == "no-door no-door"


# What an extension does to its request


def test_half_an_answer_is_none(broker):
    broker.provide("odd", extension="half-answer")
    with broker.connect("browser") as peer:
        refused = refusal(peer, suggest(peer)[0]["handle"])
        assert (refused.kind, refused.provider) == ("providerFailed", "test.odd")


def test_what_an_extension_forked_ends_with_it(broker):
    broker.provide("odd", extension="forks")
    with broker.connect("browser") as peer:
        assert refusal(peer, suggest(peer)[0]["handle"]).kind == "timedOut"
    assert len((broker.marks("test.odd") / "children").read_text().split()) == 20
    eventually(lambda: processes_with(f"odd.appex/extension forks {broker.marks('test.odd')}") == [], within=20)


def processes_with(words: str) -> list[str]:
    """The processes that have these words in their command line."""
    found = []
    for entry in Path("/proc").iterdir():
        with contextlib.suppress(OSError):
            if entry.name.isdigit() and words in (entry / "cmdline").read_text().replace("\0", " "):
                found.append(entry.name)
    return found


def test_an_extension_gets_so_much_memory_and_no_more(broker):
    broker.provide("odd", extension="allocates")
    with broker.connect("browser") as peer:
        number = peer.request("fill", fill(suggest(peer)[0]["handle"]))
        with pytest.raises(Refused):
            peer.answer(number)
    (service,) = broker.running("providerService")
    assert limit(service["processIdentifier"]) == 4 << 30
    # A slow machine may end it at its deadline, before it got there.
    taken = broker.marks("test.odd") / "taken"
    assert not taken.exists() or 100 < int(taken.read_text()) < 1024


def test_the_limit_of_an_extension_is_lower_than_that_of_a_service(broker):
    broker.provide("good")
    with broker.connect("browser") as peer:
        peer.call("fill", fill(suggest(peer)[0]["handle"]))
    # It is kept for the next request.
    (extension,) = broker.running("providerExtension")
    assert limit(extension["processIdentifier"]) == 1 << 30
    (service,) = broker.running("providerService")
    assert limit(service["processIdentifier"]) == 4 << 30


def limit(process: int) -> int:
    """The most bytes of writable memory that a process may have."""
    for line in Path(f"/proc/{process}/limits").read_text().splitlines():
        if line.startswith("Max data size"):
            return int(line.split()[3])
    raise AssertionError


def test_a_flood_of_interfaces_ends_the_extension_and_nobody_else_notices(broker):
    broker.provide("odd", extension="floods")
    broker.provide("good")
    with broker.connect() as terminal, broker.connect("browser") as other:
        handle = of(terminal, "test.odd")[0]["handle"]
        number = terminal.request("fill", fill(handle, presents=True))
        (suggestion,) = of(other, "test.good")
        other.call("fill", fill(suggestion["handle"]))
        with pytest.raises(Refused) as refused:
            terminal.answer(number)
        assert (refused.value.kind, refused.value.provider) == ("providerFailed", "test.odd")
        # It floods in answer to the request without an interface already; a slow machine sees the latter first.
        assert "too many screens" in broker.log or "screens that were not requested; ended" in broker.log
        assert terminal.call("status")["version"]


@pytest.mark.parametrize(("behaviour", "count"), [("twice", 1), ("other-request", 1), ("floods-strays", 5000)])
def test_answers_to_nothing_are_dropped_and_counted(broker, behaviour, count):
    broker.provide("odd", extension=behaviour)
    with broker.connect("browser") as peer:
        for again in (1, 2):
            _, (descriptor,) = peer.answer(peer.request("fill", fill(suggest(peer)[0]["handle"])))
            assert contents(descriptor) == b"s3cret"
            eventually(lambda again=again: peer.call("status")["droppedAnswers"] == count * again)


def test_a_late_answer_is_dropped_and_counted(broker):
    broker.provide("odd", extension="late")
    with broker.connect("browser") as peer:
        number = peer.request("fill", fill(suggest(peer)[0]["handle"]))
        eventually((broker.marks("test.odd") / "began").exists)
        peer.notify("cancel", {"id": number})
        with pytest.raises(Refused) as refused:
            peer.answer(number)
        assert refused.value.kind == "cancelled"
        eventually((broker.marks("test.odd") / "answered").exists)
        eventually(lambda: peer.call("status")["droppedAnswers"] >= 1)
        assert len(suggest(peer)) == 1


# Kinds


def test_a_provider_is_asked_for_what_it_declares_and_nothing_else(broker):
    broker.provide("good")
    asked = [
        ("fill", {"target": {"oneTimeCodes": {}}, "services": [url()], "presents": True}),
        ("fill", {"target": {"text": {"provider": "test.good"}}, "services": [], "presents": True}),
        ("providers.configure", {"identifier": "test.good"}),
        (
            "credentials.generatePasswords",
            {"request": {"service": url()}, "presents": True},
        ),
    ]
    with broker.connect() as peer:
        for method, parameters in asked:
            with pytest.raises(Refused) as refused:
                peer.call(method, parameters)
            assert refused.value.kind == "noProvider"
    assert broker.running("providerExtension") == []


def test_three_failures_in_a_row_take_suggestions_away_also_over_a_restart(broker):
    broker.provide("odd", extension="failed")
    with broker.connect("browser") as peer:
        for _ in range(2):
            assert refusal(peer, suggest(peer)[0]["handle"]).kind == "providerFailed"
    broker.stop(broker.processes[-1])
    broker.start_broker()
    with broker.connect("browser") as peer:
        assert refusal(peer, suggest(peer)[0]["handle"]).kind == "providerFailed"
        assert suggest(peer) == []
    with broker.connect() as terminal:
        assert "removed its suggestions" in terminal.notification("notice")["text"]
        assert "removed its suggestions" in terminal.call("providers.list")["providers"][0]["notice"]


# Bundles


def provider(peer: Peer, identifier: str) -> dict:
    (found,) = [one for one in peer.call("providers.list")["providers"] if one["reference"]["identifier"] == identifier]
    return found


def test_a_bundle_that_was_replaced_is_off_until_it_is_turned_on_again(broker):
    identifier = broker.provide("good")
    with broker.connect() as terminal, broker.connect("browser") as peer:
        handle = suggest(peer)[0]["handle"]
        peer.call("fill", fill(handle))
        before = {process["processIdentifier"] for process in broker.running()}
        program = broker.bundle(identifier) / "extension"
        program.write_text(program.read_text() + "# changed\n")
        refused = refusal(peer, handle)
        assert refused.kind == "noProvider"
        assert f"keyway providers enable {identifier}" in str(refused)
        eventually(lambda: not any(is_running(process) for process in before), within=20)
        shown = provider(terminal, identifier)
        assert (shown["isEnabled"], shown["hasChanged"]) == (False, True)
        assert suggest(peer) == []
        broker.enable(identifier)
        shown = provider(terminal, identifier)
        assert (shown["isEnabled"], shown["hasChanged"]) == (True, False)
        broker.visit_service(terminal, identifier, "hello")
        eventually(lambda: suggest(peer))
        peer.call("fill", fill(suggest(peer)[0]["handle"]))


def test_a_provider_that_is_uninstalled_while_it_runs_writes_nothing_more(broker):
    identifier = broker.provide("good")
    store = broker.folder / f"state/keyway/identities/{identifier}.sqlite"
    bundle = broker.bundle(identifier)
    with broker.connect() as terminal:
        service = open_service(terminal, identifier)
        shutil.move(bundle, broker.folder / "gone")
        # Nobody else asks the broker for anything.
        assert service("save") in ("disabled", "")
        eventually(lambda: not store.exists(), within=20)
        eventually(lambda: broker.running() == [], within=20)


def open_service(peer: Peer, identifier: str):
    """A conversation with a service that is open already; what is said there is answered."""
    _, (descriptor,) = peer.answer(peer.request("service.connect", {"provider": identifier}))
    client = socket.socket(fileno=descriptor)

    def say(word: str) -> str:
        with client, client.makefile("rw") as lines:
            lines.write(f"{word}\n")
            lines.flush()
            return lines.readline().strip()

    return say


def test_a_provider_that_is_uninstalled_during_a_request_ends(broker):
    identifier = broker.provide("shy", "form")
    with broker.connect() as terminal, broker.connect("browser") as peer:
        number = terminal.request("fill", fill(suggest(terminal)[0]["handle"], presents=True))
        terminal.notification("presentation.show")
        shutil.move(broker.bundle(identifier), broker.folder / "gone")
        assert suggest(peer) == []
        with pytest.raises(Refused) as refused:
            terminal.answer(number)
        assert refused.value.provider == identifier
        eventually(lambda: broker.running() == [], within=20)


def test_a_bundle_of_the_user_never_takes_the_identifier_of_the_system(keyway: Keyway):
    keyway.install("one", where="system")
    keyway.start_broker()
    keyway.provide("one", where="data")
    with keyway.connect() as peer:
        theirs, ours = sorted(
            [one for one in peer.call("providers.list")["providers"] if one["reference"]["identifier"] == "test.one"],
            key=lambda one: one["path"],
        )
        # What anybody but root made is no system's, wherever it lies; it comes first all the same.
        scope = "system" if os.geteuid() == 0 else "user"
        assert (ours["scope"], ours["isEnabled"], ours.get("problem")) == (scope, True, None)
        assert theirs["scope"] == "user"
        assert not theirs["isEnabled"]
        assert "belongs to" in theirs["problem"]
        assert theirs["path"].startswith(str(keyway.folder / "data"))
    (service,) = keyway.running("providerService")
    command = Path(f"/proc/{service['processIdentifier']}/cmdline").read_bytes()
    assert str(keyway.folder / "system").encode() in command


def test_a_system_bundle_may_be_upgraded_but_not_ask_for_more(broker):
    identifier = broker.provide("one", where="system")
    bundle = broker.folder / "system/keyway/providers/one.appex"
    is_roots = bundle.stat().st_uid == 0
    with broker.connect() as peer:
        program = bundle / "extension"
        program.write_text(program.read_text() + "# a new release\n")
        # To anybody but root, a bundle of their own in the system's folder is no system's bundle.
        assert provider(peer, identifier)["isEnabled"] == is_roots
        broker.enable(identifier)
        information = plistlib.loads((bundle / "Info.plist").read_bytes())
        information["NSExtension"]["NSExtensionAttributes"] = {
            CAPABILITIES: {"ProvidesPasswords": True, "ProvidesPasskeys": True}
        }
        (bundle / "Info.plist").write_bytes(plistlib.dumps(information))
        assert provider(peer, identifier)["hasChanged"]
        assert suggest(peer) == []
