"""`keyway providers` and what else a person may ask of any provider, against the broker and a provider's programs."""

import json

import pytest
from conftest import EXTENSION_POINT, PAGE, Keyway
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


@pytest.mark.parametrize("command", [["insert"], ["fill", "--text"]])
def test_text_is_chosen_in_a_terminal(broker, everything, command):
    with terminal(broker, *command) as job:
        status, out, _ = job.finish()
        assert (status, out) == (0, "any text\n")
    with pytest.raises(CommandFailed, match="terminal"):
        broker.keyway(*command)


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
        job.wait_for("Turn on asking")
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
