"""`keyway providers` and what else a person may ask of any provider, against the broker and a provider's programs."""

import fcntl
import json
import os
import pty
import signal
import subprocess
import termios
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from conftest import EXTENSION_POINT, PAGE, Keyway, eventually
from running import state
from terminal import Terminal

from session.private import CommandFailed

CAPABILITIES = (
    "ProvidesPasswords",
    "ProvidesOneTimeCodes",
    "ProvidesTextToInsert",
    "ShowsConfigurationUI",
    "SupportsSavePasswordCredentials",
    "SupportsGeneratePasswordCredentials",
)
EXTENSION = {
    "NSExtensionPointIdentifier": EXTENSION_POINT,
    "NSExtensionAttributes": {
        "ASCredentialProviderExtensionCapabilities": dict.fromkeys(CAPABILITIES, True),
    },
}


@pytest.fixture
def everything(broker) -> str:
    """A provider that answers whatever it is asked."""
    return broker.provide("everything", "everything", NSExtension=EXTENSION)


def show(session: Keyway, identifier: str) -> dict:
    return json.loads(session.keyway("providers", "show", identifier, "--json"))["provider"]


def terminal(session: Keyway, *arguments: str, **options) -> Terminal:
    return Terminal([session.prefix / "bin/keyway", *arguments], session.environment, **options)


def test_list_tells_what_a_provider_declares(broker, everything):
    capabilities = show(broker, everything)["capabilities"]
    assert capabilities == ["passwords", "codes", "text", "save", "generate", "set-up"]
    assert "passwords, codes, text, save, generate, set-up" in broker.keyway("providers", "list")


def test_order_is_the_persons(broker):
    one, two = broker.provide("one"), broker.provide("two")

    def listed() -> list[str]:
        providers = json.loads(broker.keyway("providers", "list", "--json"))["providers"]
        return [provider["identifier"] for provider in providers if provider["enabled"]]

    for order in ([two, one], [one, two]):
        broker.keyway("providers", "order", *order)
        assert listed() == order


def test_code_of_an_account_is_printed(broker, everything):
    with broker.connect() as peer:
        broker.visit_service(peer, everything, "code")
    assert broker.keyway("fill", PAGE, "--code") == "123456\n"
    assert broker.keyway("fill", PAGE) == "s3cret\n"


def test_text_is_chosen_in_a_terminal(broker, everything):
    with terminal(broker, "fill", "--text") as job:
        status, out, _ = job.finish()
        assert (status, out) == (0, "any text\n")
    with pytest.raises(CommandFailed, match="terminal"):
        broker.keyway("fill", "--text")


def test_password_is_offered_to_the_provider(broker, everything):
    broker.keyway("save", PAGE, "--user", "ada", secrets=["hunter2"])
    assert (broker.marks(everything) / "saved").read_text() == f"{PAGE} ada"


def test_password_is_proposed_by_the_provider(broker, everything):
    assert broker.keyway("generate", PAGE) == "strong\n"
    assert broker.keyway("generate", PAGE, "--kind", "runes") == "runes\n"
    with pytest.raises(CommandFailed, match="STRONG, RUNES"):
        broker.keyway("generate", PAGE, "--kind", "words")


@pytest.mark.parametrize("command", [["save", PAGE, "--user", "ada"], ["generate", PAGE], ["fill", PAGE, "--code"]])
def test_nobody_is_asked_for_what_they_do_not_declare(broker, command):
    broker.provide("plain")
    with pytest.raises(CommandFailed):
        broker.keyway(*command, secrets=["hunter2"])
    assert broker.running("providerExtension") == []


def test_enabling_shows_what_is_asked_for_and_asks(broker):
    identifier = broker.install("asking", "everything", NSExtension=EXTENSION, KeywayGroup="group.test.asking")
    with pytest.raises(CommandFailed, match="--yes"):
        broker.keyway("providers", "enable", identifier)
    assert not show(broker, identifier)["enabled"]
    with terminal(broker, "providers", "enable", identifier, tty_output=True) as job:
        job.wait_for("Turn asking on")
        for text in ("passwords, codes, text", "group.test.asking", "asking.appex", "installed by you"):
            assert text in job.text
        job.type("y\r")
        assert job.finish()[0] == 0
    assert show(broker, identifier)["enabled"]


def test_provider_is_set_up_in_a_terminal(broker, everything):
    with terminal(broker, "providers", "configure", everything) as job:
        assert job.finish()[0] == 0
    with pytest.raises(CommandFailed, match="terminal"):
        broker.keyway("providers", "configure", everything)


@pytest.mark.parametrize("options", [[], ["--wait"]])
def test_provider_is_debugged_until_the_command_ends(broker, everything, options):
    command = [broker.prefix / "bin/keyway", "providers", "debug", everything, "--json", *options]
    with debugged(command, broker.environment) as debugging:
        lines = []
        while not lines or lines[-1] != "}\n":
            lines.append(debugging.stdout.readline())
            assert lines[-1], "the command ended"
        told = json.loads("".join(lines))
        process = told["processIdentifier"]
        assert told["attach"] == f"gdb -p {process}"
        assert told["path"] == str(broker.bundle(everything) / "extension")
        if options:
            # It waits for a debugger before it becomes the extension.
            assert Path(f"/proc/{process}/exe").readlink().name == "keyway-confine"
        assert show(broker, everything)["debugged"]
        debugging.send_signal(signal.SIGINT)
        assert debugging.wait(timeout=60) == -signal.SIGINT
    eventually(lambda: not show(broker, everything)["debugged"], within=60)
    eventually(lambda: state(process) in "-Z", within=60)


@contextmanager
def debugged(command: list, environment: dict[str, str]) -> Iterator[subprocess.Popen]:
    """The command in a terminal of its own: without one it is refused."""
    master, slave = pty.openpty()
    try:
        with subprocess.Popen(
            command,
            env=environment,
            stdout=subprocess.PIPE,
            text=True,
            start_new_session=True,
            preexec_fn=lambda: fcntl.ioctl(slave, termios.TIOCSCTTY, 0),
        ) as process:
            yield process
    finally:
        os.close(slave)
        os.close(master)


def test_nobody_debugs_without_a_terminal(broker, everything):
    command = [broker.prefix / "bin/keyway", "providers", "debug", everything]
    ended = subprocess.run(
        command, env=broker.environment, capture_output=True, text=True, start_new_session=True, timeout=120
    )
    assert ended.returncode != 0
    assert "from a terminal" in ended.stderr
    assert not show(broker, everything)["debugged"]
