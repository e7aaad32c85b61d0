"""The system's own questions in a real terminal: what is typed reaches the broker sealed, and nobody else."""

import subprocess

import pytest
from asking_broker import AskingBroker, other_site, verification
from terminal import ENTER, ESCAPE, Terminal
from wire import Refused

LEFT = "\x1b[D"
PIN = "canary-839204"


@pytest.fixture
def asking(keyway):
    with AskingBroker(keyway.folder / "runtime") as broker:
        yield broker


def fill(session, **options) -> Terminal:
    environment = {**session.environment, "TERM": options.pop("term", "xterm")}
    return Terminal([session.prefix / "bin/keyway", "fill", "--text"], environment, **options)


@pytest.mark.parametrize(
    ("method", "label"),
    [
        ("pin", "Keyway PIN"),
        ("loginPassword", "Login password"),
        ("masterPassword", "Master password of Passwords"),
    ],
)
@pytest.mark.parametrize("term", ["xterm", "dumb"])
def test_what_is_typed_goes_to_the_broker_and_is_not_seen(keyway, asking, method, label, term):
    with fill(keyway, term=term) as terminal:
        asking.take_request()
        question = asking.ask(verification(method, error="That was wrong."))
        screen = terminal.wait_for(label)
        assert "ada at a.example, saved in Passwords." in screen and "That was wrong." in screen
        terminal.type(PIN + ENTER)
        assert asking.answer(question) == PIN.encode()
        asking.give(b"given")
        status, out, err = terminal.finish()
        assert (status, out, err) == (0, "given\n", "")
        assert PIN not in terminal.written
        assert terminal.is_restored()


def test_what_was_typed_before_the_question_answers_nothing(keyway, asking):
    with fill(keyway) as terminal:
        asking.take_request()
        terminal.type("typed-ahead" + ENTER)
        # The kernel hands it over in its own time; once it is echoed, it waits to be read.
        terminal.wait_for("typed-ahead")
        question = asking.ask(verification("pin"))
        terminal.wait_for("Keyway PIN")
        terminal.type(PIN + ENTER)
        assert asking.answer(question) == PIN.encode()


@pytest.mark.parametrize(("keys", "answer"), [(ENTER, "refused"), (ESCAPE, "refused"), (LEFT + ENTER, "allowed")])
def test_another_sites_account_is_given_on_purpose_only(keyway, asking, keys, answer):
    with fill(keyway) as terminal:
        asking.take_request()
        question = asking.ask(other_site())
        screen = terminal.wait_for("Give it to b.example")
        assert "ada is saved for a.example" in screen
        terminal.type(keys)
        assert asking.answer(question) == answer


@pytest.mark.parametrize(("method", "said"), [("fingerprint", "Place your finger"), ("system", "your system shows")])
def test_a_question_without_typing_goes_when_it_is_taken_back(keyway, asking, method, said):
    with fill(keyway) as terminal:
        asking.take_request()
        question = asking.ask(verification(method))
        terminal.wait_for(said)
        asking.peer.notify("cancel", {"id": question})
        with pytest.raises(Refused) as refusal:
            asking.answer(question)
        assert refusal.value.kind == "cancelled"
        asking.give(b"given")
        assert terminal.finish()[:2] == (0, "given\n")
        assert terminal.is_restored()
        assert said not in terminal.text


def test_control_c_ends_the_request(keyway, asking):
    with fill(keyway) as terminal:
        asking.take_request()
        asking.ask(verification("fingerprint"))
        terminal.wait_for("Place your finger")
        terminal.type("\x03")
        assert asking.peer.notification("cancel")["id"] == asking.request
        status, out, _ = terminal.finish()
        assert status == 4 and out == ""
        assert terminal.is_restored()


def test_without_a_terminal_the_broker_learns_it_at_once(keyway, asking):
    with subprocess.Popen(
        [keyway.prefix / "bin/keyway", "providers", "list"],
        env=keyway.environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
    ) as command:
        asking.take_request()
        for question in (verification("pin"), verification("fingerprint"), other_site()):
            with pytest.raises(Refused, match="no terminal") as refusal:
                asking.answer(asking.ask(question))
            assert refusal.value.kind == "interactionRequired"
        asking.reply(asking.request, {"providers": []})
        command.communicate(timeout=60)
        assert command.returncode == 0
