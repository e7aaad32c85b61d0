"""The broker and the processes of bundles: fills, interfaces, services, and providers that break the rules."""

import os
import signal
import time
from pathlib import Path

import pytest
from conftest import eventually, fill, suggest, url
from running import is_running
from wire import Peer, Refused, contents, sealed

QUIET_LIMIT = 3


def fill_kind(peer: Peer, handle: str, **options) -> Refused:
    with pytest.raises(Refused) as refused:
        peer.call("fill", fill(handle, **options))
    return refused.value


# A good provider


def test_suggestion_is_filled_with_a_sealed_secret(broker):
    identifier = broker.provide("good")
    with broker.connect("browser") as peer:
        (suggestion,) = suggest(peer)
        assert suggestion["user"] == "ada"
        assert suggestion["provider"] == {"identifier": identifier, "name": "good"}
        assert suggestion["match"] == "origin"
        result, (descriptor,) = peer.answer(peer.request("fill", fill(suggestion["handle"])))
        assert result["credential"]["password"] == {"user": "ada", "password": {"descriptor": 0}}
        assert contents(descriptor) == b"s3cret"


def test_suggest_starts_no_process(broker):
    identifier = broker.provide("good")
    (service,) = broker.running()
    os.kill(service["processIdentifier"], signal.SIGKILL)
    eventually(lambda: broker.running() == [])
    with broker.connect("browser") as peer:
        assert suggest(peer)[0]["provider"]["identifier"] == identifier
    assert broker.running() == []


def test_extension_is_used_again(broker):
    broker.provide("good")
    with broker.connect("browser") as peer:
        (suggestion,) = suggest(peer)
        peer.call("fill", fill(suggestion["handle"]))
        first = broker.running("providerExtension")
        peer.call("fill", fill(suggestion["handle"]))
        assert broker.running("providerExtension") == first


def test_handle_is_good_for_its_services_and_connection_only(broker):
    broker.provide("good")
    with broker.connect("browser") as one, broker.connect("browser") as other:
        handle = suggest(one)[0]["handle"]
        assert fill_kind(one, handle, page="https://b.example/").kind == "refused"
        assert fill_kind(other, handle).kind == "notFound"


def test_processes_get_a_clean_environment_and_a_session(broker):
    broker.environment["KEYWAY_TEST_SECRET"] = "x"
    broker.provide("good")
    (service,) = broker.running("providerService")
    number = service["processIdentifier"]
    with open(f"/proc/{number}/environ", "rb") as file:  # noqa: PTH123
        names = {entry.split(b"=")[0].decode() for entry in file.read().split(b"\0") if entry}
    others = {name for name in names if not name.startswith("XDG_")}
    assert others <= {"HOME", "PATH", "LANG", "PWD", "LC_CTYPE", "TMPDIR"}
    # Its session is led by what confines it, which the broker started.
    leader = os.getsid(number)
    assert leader != os.getsid(broker.processes[-1].pid)
    assert Path(f"/proc/{leader}/stat").read_text().rpartition(")")[2].split()[1] == str(broker.processes[-1].pid)


def test_two_clients_are_filled_at_the_same_time(broker):
    broker.provide("good")
    with broker.connect("browser") as one, broker.connect("browser") as other:
        handles = [suggest(one)[0]["handle"], suggest(other)[0]["handle"]]
        first, second = one.request("fill", fill(handles[0])), other.request("fill", fill(handles[1]))
        assert contents(other.answer(second)[1][0]) == b"s3cret"
        assert contents(one.answer(first)[1][0]) == b"s3cret"


def test_killed_extension_is_started_again(broker):
    broker.provide("good")
    with broker.connect("browser") as peer:
        (suggestion,) = suggest(peer)
        peer.call("fill", fill(suggestion["handle"]))
        (extension,) = broker.running("providerExtension")
        os.kill(extension["processIdentifier"], signal.SIGKILL)
        eventually(lambda: broker.running("providerExtension") == [])
        peer.call("fill", fill(suggestion["handle"]))


def test_processes_end_with_the_broker(broker):
    broker.provide("good")
    with broker.connect("browser") as peer:
        peer.call("fill", fill(suggest(peer)[0]["handle"]))
    running = [process["processIdentifier"] for process in broker.running()]
    assert len(running) == 2
    process = broker.processes.pop()
    process.kill()
    process.wait()
    eventually(lambda: not any(is_running(number) for number in running))


def test_identities_survive_a_restart_of_the_broker(broker):
    broker.provide("good")
    broker.stop(broker.processes[-1])
    broker.start_broker()
    with broker.connect("browser") as peer:
        assert len(suggest(peer)) == 1


# Enabling


def test_disabled_provider_is_stopped_and_forgotten(broker):
    identifier = broker.provide("good")
    store = broker.folder / f"state/keyway/identities/{identifier}.sqlite"
    assert store.exists()
    with broker.connect() as peer:
        provider = peer.call("providers.setEnabled", {"identifier": identifier, "isEnabled": False})["provider"]
        assert not provider["isEnabled"]
        assert suggest(peer) == []
        eventually(lambda: broker.running() == [])
        with pytest.raises(Refused) as refused:
            peer.call("service.connect", {"provider": identifier})
        assert refused.value.kind == "noProvider"
    assert not store.exists()


def test_uninstalled_provider_is_gone_at_once(broker):
    identifier = broker.provide("good")
    bundle = broker.bundle(identifier)
    bundle.rename(bundle.parent.parent / "away")
    with broker.connect() as peer:
        assert suggest(peer) == []
        assert not any(
            provider["reference"]["identifier"] == identifier for provider in peer.call("providers.list")["providers"]
        )
    assert not (broker.folder / f"state/keyway/identities/{identifier}.sqlite").exists()


def test_provider_that_went_while_no_broker_ran_is_forgotten_at_the_start(broker):
    identifier = broker.provide("good")
    broker.stop(broker.processes[-1])
    bundle = broker.bundle(identifier)
    bundle.rename(bundle.parent.parent / "away")
    broker.start_broker()
    eventually(lambda: not (broker.folder / f"state/keyway/identities/{identifier}.sqlite").exists())


def test_unknown_provider_is_refused_with_what_there_is(broker):
    broker.install("one")
    with broker.connect() as peer, pytest.raises(Refused) as refused:
        peer.call("providers.setEnabled", {"identifier": "test.two", "isEnabled": True})
    assert refused.value.kind == "notFound"
    assert "test.one" in str(refused.value)


def test_bad_bundles_are_listed_with_their_problem_and_never_enabled(broker):
    broker.install("text")
    (broker.bundle("test.text") / "Info.plist").write_text("no list")
    broker.install("gone", CFBundleExecutable="missing")
    broker.install("slash", CFBundleExecutable="../extension")
    broker.install("other", NSExtension={"NSExtensionPointIdentifier": "com.apple.share-services"})
    broker.install("huge")
    with (broker.bundle("test.huge") / "Info.plist").open("ab") as file:
        file.truncate(2 << 20)
    with broker.connect() as peer:
        listed = [p for p in peer.call("providers.list")["providers"] if p["scope"] == "user"]
        problems = {provider["reference"]["name"].removesuffix(".appex"): provider["problem"] for provider in listed}
        assert problems["text"] == "Info.plist isn't a property list."
        assert "not in the bundle" in problems["gone"]
        assert "plain name" in problems["slash"]
        assert "NSExtensionPointIdentifier" in problems["other"]
        assert "larger" in problems["huge"]
        with pytest.raises(Refused) as refused:
            peer.call("providers.setEnabled", {"identifier": "test.gone", "isEnabled": True})
        assert refused.value.kind == "refused"


def test_bundle_of_the_user_cannot_take_an_identifier_of_the_system(broker):
    broker.install("real", where="system", CFBundleIdentifier="test.real")
    broker.install("a-thief", CFBundleIdentifier="test.real")
    with broker.connect() as peer:
        listed = peer.call("providers.list")["providers"]
        by_scope = {p["scope"]: p for p in listed if p["reference"]["identifier"] == "test.real"}
        assert "belongs to" in by_scope["user"]["problem"]
        assert by_scope["system"].get("problem") is None
        provider = peer.call("providers.setEnabled", {"identifier": "test.real", "isEnabled": True})["provider"]
    assert provider["scope"] == "system"


# Providers that break the rules


def test_provider_that_hangs_is_cut_off_within_its_deadline(broker):
    broker.provide("sleepy", "hang")
    with broker.connect("browser") as peer:
        started = time.monotonic()
        refused = fill_kind(peer, suggest(peer)[0]["handle"])
        assert QUIET_LIMIT - 0.1 <= time.monotonic() - started < QUIET_LIMIT + 2
        assert (refused.kind, refused.provider) == ("timedOut", "test.sleepy")
        assert "sleepy" in str(refused)
    eventually(lambda: broker.running("providerExtension") == [])


@pytest.mark.parametrize(
    "behaviour",
    [
        "die",
        "failed",
        "unsealed",
        "no-descriptor",
        "garbage",
        "huge-frame",
    ],
)
def test_provider_that_breaks_a_rule_fails_its_request_and_is_named(broker, behaviour):
    # The service of the bundle keeps to the rules.
    broker.provide("odd", extension=behaviour)
    with broker.connect("browser") as peer, broker.connect() as other:
        handle = suggest(peer)[0]["handle"]
        refused = fill_kind(peer, handle)
        assert (refused.kind, refused.provider) == ("providerFailed", "test.odd")
        assert str(refused).startswith("odd ")
        assert other.call("status")["version"]
        assert len(suggest(peer)) == 1


def test_provider_that_never_greets_is_asked_nothing_and_cut_off(broker):
    broker.provide("mute", extension="no-greeting")
    with broker.connect("browser") as peer:
        assert fill_kind(peer, suggest(peer)[0]["handle"]).kind == "timedOut"


def test_provider_that_died_answers_the_next_request(broker):
    broker.provide("frail", "die-once")
    with broker.connect("browser") as peer:
        handle = suggest(peer)[0]["handle"]
        assert fill_kind(peer, handle).kind == "providerFailed"
        assert peer.call("fill", fill(handle))["credential"]["password"]["user"] == "ada"


def test_provider_that_keeps_dying_is_started_less_and_less_often(broker):
    broker.provide("frail", "die")
    with broker.connect("browser") as peer:
        handle = suggest(peer)[0]["handle"]
        started = time.monotonic()
        for _ in range(4):
            assert fill_kind(peer, handle).kind == "providerFailed"
        assert time.monotonic() - started > 0.7


@pytest.mark.parametrize("behaviour", ["twice", "other-request"])
def test_second_answer_is_dropped(broker, behaviour):
    broker.provide("eager", behaviour)
    with broker.connect("browser") as peer:
        handle = suggest(peer)[0]["handle"]
        for _ in range(3):
            number = peer.request("fill", fill(handle))
            assert contents(peer.answer(number)[1][0]) == b"s3cret"
        peer.call("status")
        assert peer.answers == {} and peer.notifications == []


def test_account_that_the_provider_lacks_is_taken_away(broker):
    broker.provide("empty", "missing")
    with broker.connect("browser") as peer:
        refused = fill_kind(peer, suggest(peer)[0]["handle"])
        assert refused.kind == "notFound"
        assert suggest(peer) == []


def test_person_who_cancels_is_no_failure(broker):
    broker.provide("polite", "cancel")
    with broker.connect("browser") as peer:
        assert fill_kind(peer, suggest(peer)[0]["handle"]).kind == "cancelled"


def test_cancelled_fill_is_answered_at_once(broker):
    broker.provide("sleepy", "hang")
    with broker.connect("browser") as peer:
        number = peer.request("fill", fill(suggest(peer)[0]["handle"]))
        eventually(lambda: broker.running("providerExtension"))
        peer.notify("cancel", {"id": number})
        with pytest.raises(Refused) as refused:
            peer.answer(number, within=60)
        assert refused.value.kind == "cancelled"


# Interfaces


def test_interface_goes_to_the_terminal_and_the_secret_comes_back(broker):
    broker.provide("shy", "form")
    with broker.connect() as peer:
        number = peer.request("fill", fill(suggest(peer)[0]["handle"], presents=True))
        shown = peer.notification("presentation.show")
        assert shown["request"] == number
        assert shown["provider"]["name"] == "shy"
        assert shown["service"] == "a.example"
        assert shown["interface"]["form"]["_0"]["title"] == "Unlock"
        submit(peer, number)
        assert contents(peer.answer(number)[1][0]) == b"s3cret"


def submit(peer: Peer, number: int) -> None:
    word = sealed(b"open sesame")
    value = {"secret": {"_0": {"descriptor": 0}}}
    message = {
        "jsonrpc": "2.0",
        "method": "presentation.event",
        "params": {"request": number, "event": {"submitted": {"_0": {"word": value}}}},
        "descriptors": 1,
    }
    peer.send(message, (word,))
    os.close(word)


def test_quiet_fill_does_not_wait_for_an_open_interface(broker):
    broker.provide("shy", "form")
    with broker.connect() as terminal, broker.connect("browser") as browser:
        number = terminal.request("fill", fill(suggest(terminal)[0]["handle"], presents=True))
        terminal.notification("presentation.show")
        waiting = browser.request("fill", fill(suggest(browser)[0]["handle"]))
        assert browser.notification("fill.waiting")["request"] == waiting
        submit(terminal, number)
        assert terminal.answer(number)[0]["credential"]["password"]["user"] == "ada"


def test_second_interface_waits_for_the_first(broker):
    broker.provide("shy", "form")
    with broker.connect() as one, broker.connect() as other:
        first = one.request("fill", fill(suggest(one)[0]["handle"], presents=True))
        one.notification("presentation.show")
        second = other.request("fill", fill(suggest(other)[0]["handle"], presents=True))
        other.call("status")
        assert not [message for message in other.notifications if message["method"] == "presentation.show"]
        submit(one, first)
        one.answer(first)
        other.notification("presentation.show")
        submit(other, second)
        assert other.answer(second)[0]["credential"]["password"]["user"] == "ada"


def test_person_backs_out_of_the_interface(broker):
    broker.provide("shy", "form")
    with broker.connect() as peer:
        number = peer.request("fill", fill(suggest(peer)[0]["handle"], presents=True))
        peer.notification("presentation.show")
        peer.notify("presentation.event", {"request": number, "event": {"cancelled": {}}})
        with pytest.raises(Refused) as refused:
            peer.answer(number)
        assert refused.value.kind == "cancelled"


@pytest.mark.parametrize("behaviour", ["huge-list", "odd-interface"])
def test_interface_that_breaks_the_bounds_ends_the_request(broker, behaviour):
    broker.provide("wild", behaviour)
    with broker.connect() as peer:
        refused = list_kind(peer)
        assert (refused.kind, refused.provider) == ("providerFailed", "test.wild")


def list_kind(peer: Peer) -> Refused:
    with pytest.raises(Refused) as refused:
        peer.call("fill", {"target": {"list": {}}, "services": [url()], "presents": True})
    return refused.value


def test_list_needs_an_interface(broker):
    broker.provide("good")
    with broker.connect() as peer, pytest.raises(Refused) as refused:
        peer.call("fill", {"target": {"list": {}}, "services": [url()], "presents": False})
    assert refused.value.kind == "interactionRequired"


def test_browser_draws_nothing(broker):
    broker.provide("good")
    with broker.connect("browser") as peer:
        assert fill_kind(peer, suggest(peer)[0]["handle"], presents=True).kind == "notAllowed"


# Services


def test_locked_vault_makes_a_browser_wait_until_it_is_open(broker):
    identifier = broker.provide("vault", "vault", KeywayInteractionCommand="keyway vault unlock")
    with broker.connect("browser") as peer, broker.connect() as terminal:
        number = peer.request("fill", fill(suggest(peer)[0]["handle"]))
        waiting = peer.notification("fill.waiting")
        assert waiting["request"] == number
        assert waiting["command"] == "keyway vault unlock"
        assert broker.visit_service(terminal, identifier, "open") == "terminal"
        assert contents(peer.answer(number)[1][0]) == b"s3cret"


def test_waiting_fill_can_be_cancelled(broker):
    broker.provide("vault", "vault")
    with broker.connect("browser") as peer:
        number = peer.request("fill", fill(suggest(peer)[0]["handle"]))
        assert peer.notification("fill.waiting")["command"] == "keyway fill a.example"
        peer.notify("cancel", {"id": number})
        with pytest.raises(Refused) as refused:
            peer.answer(number, within=60)
        assert refused.value.kind == "cancelled"


def test_provider_without_a_service_cannot_be_waited_for(broker):
    broker.enable(broker.install("shy", "interaction", service=False))
    with broker.connect("browser") as peer, broker.connect() as terminal:
        # Its extension tells what there is as soon as it runs.
        list_kind(terminal)
        refused = fill_kind(peer, suggest(peer)[0]["handle"])
        assert refused.kind == "interactionRequired"
        assert "keyway fill a.example" in str(refused)


def test_lock_ends_the_extension(broker):
    identifier = broker.provide("vault", "vault")
    with broker.connect("browser") as peer, broker.connect() as terminal:
        broker.visit_service(terminal, identifier, "open")
        peer.call("fill", fill(suggest(peer)[0]["handle"]))
        assert len(broker.running("providerExtension")) == 1
        broker.visit_service(terminal, identifier, "lock")
        eventually(lambda: broker.running("providerExtension") == [])


def test_lock_during_an_open_request_ends_it(broker):
    identifier = broker.provide("vault", "hang")
    with broker.connect("browser") as peer, broker.connect() as terminal:
        broker.visit_service(terminal, identifier, "open")
        number = peer.request("fill", fill(suggest(peer)[0]["handle"]))
        eventually(lambda: broker.running("providerExtension"))
        broker.visit_service(terminal, identifier, "lock")
        # The person is needed again: the request waits for that instead of failing.
        assert peer.notification("fill.waiting", within=60)["request"] == number


def test_service_that_dies_is_started_again(broker):
    identifier = broker.provide("good")
    (service,) = broker.running("providerService")
    with broker.connect() as peer:
        os.kill(service["processIdentifier"], signal.SIGKILL)
        eventually(lambda: broker.running("providerService") == [])
        assert broker.visit_service(peer, identifier, "hello") == "terminal"
        assert broker.running("providerService") != [service]


def test_bundle_without_a_service_says_so(broker):
    identifier = broker.install("small", service=False)
    broker.enable(identifier)
    with broker.connect() as peer, pytest.raises(Refused) as refused:
        peer.call("service.connect", {"provider": identifier})
    assert refused.value.kind == "notFound"


def test_client_that_goes_away_takes_its_request_with_it(broker):
    broker.provide("shy", "form")
    with broker.connect() as peer:
        peer.request("fill", fill(suggest(peer)[0]["handle"], presents=True))
        peer.notification("presentation.show")
    with broker.connect() as peer:
        number = peer.request("fill", fill(suggest(peer)[0]["handle"], presents=True))
        peer.notification("presentation.show")
        submit(peer, number)
        assert peer.answer(number)[0]["credential"]["password"]["user"] == "ada"


# The store's file


def test_damaged_store_is_emptied_and_the_provider_sends_everything_again(broker):
    identifier = broker.provide("good")
    broker.stop(broker.processes[-1])
    store = broker.folder / f"state/keyway/identities/{identifier}.sqlite"
    store.write_bytes(b"SQLite format 3\0" + b"\xff" * 8000)
    broker.start_broker()
    with broker.connect() as peer:
        assert suggest(peer) == []
        assert "emptied" in broker.log
        broker.visit_service(peer, identifier, "hello")
        eventually(lambda: suggest(peer))


def test_log_names_no_account(broker):
    broker.provide("good")
    with broker.connect("browser") as peer:
        peer.call("fill", fill(suggest(peer)[0]["handle"]))
    assert "ada" not in broker.log
    assert "a.example" not in broker.log
    assert "s3cret" not in broker.log
