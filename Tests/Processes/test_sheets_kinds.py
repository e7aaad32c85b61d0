"""Every kind of sheet in every look: languages, light and dark, both scales; by keys, and as a screen reader's user."""

from __future__ import annotations

import ast
import re
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from asking_broker import PROVIDER, other_site, verification
from sheets import Display, Sheets, a_form, a_list, a_message, until
from wire import contents

CATALOGUES = Path(__file__).resolve().parents[2] / "Sources/SheetInterface/Resources"
# Each language in both appearances and at both scales; in English, the other tests.
LOOKS = [("de", "light", "2"), ("de", "dark", "1"), ("ar", "light", "1"), ("ar", "dark", "2")]
PATH = "/opt/strange/bin/strange"
REACHED = "~/.strange"


def catalogue(language: str) -> dict[str, str]:
    """The texts of a language by the English ones, as its translators wrote them."""
    if language == "en":
        return {}
    entries = re.findall(r'^msgid (".+")\nmsgstr (".+")$', (CATALOGUES / f"{language}.po").read_text(), re.M)
    return {ast.literal_eval(english): ast.literal_eval(text) for english, text in entries}


class Look:
    """The program in one look, with what a test does there."""

    def __init__(self, sheets: Sheets, display: Display, language: str) -> None:
        self.sheets = sheets
        self.display = display
        self.texts = catalogue(language)
        self.number = 0

    def text(self, english: str, **values: str) -> str:
        """What it says in its language; each name keeps its own direction."""
        text = english if not self.texts else self.texts[english]
        return re.sub(r"\{([a-z]+)\}", lambda match: f"\u2068{values[match[1]]}\u2069", text)

    def said(self) -> list[str]:
        nodes = self.display.accessible()
        return [node["name"] for node in nodes] + [node["description"] for node in nodes]

    def says(self, *texts: str) -> None:
        """Waits until all of it can be read in the window."""
        missing: list[str] = []

        def is_said() -> bool:
            said = "\n".join(self.said())
            missing[:] = [text for text in texts if text not in said]
            return not missing

        until(is_said, 60, lambda: f"{missing} is not said")

    def show(self, interface: dict, **more: object) -> int:
        """Shows what a provider describes; the number of its request."""
        self.number += 1
        self.sheets.show(self.number, interface, **more)
        title = self.text("{provider} for {site}", provider="Manager", site="example.com")
        self.display.window(self.text("Set up {provider}", provider="Manager") if "purpose" in more else title)
        return self.number

    def ask(self, question: dict, site: str | None = None) -> int:
        """Puts a question of the system's own; its number."""
        number = self.sheets.ask(question)
        title = self.text("{provider} for {site}", provider="Keyway", site=site) if site else "Keyway"
        self.display.window(title)
        return number

    def event(self, request: int) -> dict:
        """What the person did; the request has ended then."""
        event = self.sheets.event(request)
        self.sheets.end(request)
        self.is_gone()
        return event

    def answered(self, number: int) -> str | bytes:
        """What the person answered: the kind of answer, or what was typed."""
        answer, descriptors = self.sheets.answer(number)
        self.is_gone()
        ((kind, _),) = answer.items()
        return contents(descriptors[0]) if kind == "secret" else kind

    def allow(self) -> None:
        """Says yes: again where the question was looked at anew meanwhile, and is to be considered anew."""

        def is_said() -> bool:
            self.display.use(self.text("Allow"))
            end = time.monotonic() + 5
            while self.display.windows() and time.monotonic() < end:
                time.sleep(0.05)
            return not self.display.windows()

        until(is_said, 60, "it cannot be allowed")

    def is_gone(self) -> None:
        until(lambda: not self.display.windows())


@pytest.fixture(scope="module")
def display():
    with Display() as display:
        yield display


@pytest.fixture(scope="module", params=LOOKS, ids="-".join)
def look(request, stage, display):
    language, appearance, scale = request.param
    # No locale of C's has to be installed: the catalogues are chosen by name.
    environment = {"LANG": f"{language}.UTF-8", "ADW_DEBUG_COLOR_SCHEME": f"prefer-{appearance}", "GDK_SCALE": scale}
    with Sheets(stage / "libexec/keyway/keyway-sheets", display, **environment) as sheets:
        yield Look(sheets.greet(), display, language)
        said = sheets.log.read_text()
        assert "CRITICAL" not in said, said


def a_list_is_chosen_from(look: Look) -> None:
    request = look.show(a_list("anna", "berta"))
    look.says(
        "anna", look.text("Search"), look.text("Shown by Keyway for {identifier}", identifier="org.example.manager")
    )
    look.display.type("bert")
    look.display.press("Return")
    assert look.event(request) == {"chose": {"row": "id of berta"}}


def an_empty_list_says_so(look: Look) -> None:
    request = look.show(a_list(sections=[{"rows": []}]))
    look.says(look.text("No Accounts"))
    look.display.use(look.text("Cancel"))
    assert look.event(request) == {"cancelled": {}}


def a_form_is_filled_in(look: Look) -> None:
    request = look.show(a_form(("user", ""), ("master", None), error="Wrong."))
    look.says("Label of user", "Wrong.")
    look.display.type("ada")
    look.display.press("Return")
    look.display.type("secret")
    look.display.press("Return")
    assert look.event(request)["submitted"]["_0"]["user"] == {"text": {"_0": "ada"}}
    assert contents(look.sheets.received[0]) == b"secret"


def a_provider_is_set_up(look: Look) -> None:
    request = look.show(a_form(("folder", "~/old")), service=None, purpose="configuration")
    look.says(look.text("setup"))
    look.display.fill("Label of folder", "~/new")
    look.display.use("Go on")
    assert look.event(request) == {"submitted": {"_0": {"folder": {"text": {"_0": "~/new"}}}}}


def a_message_is_answered(look: Look) -> None:
    request = look.show(a_message("First", "Second"))
    look.says("Something happened.")
    look.display.use("Second")
    assert look.event(request) == {"activated": {"action": "id of Second"}}


def progress_is_backed_out_of(look: Look) -> None:
    request = look.show({"progress": {"_0": {"title": "Opening", "fraction": 0.4}}})
    look.says("Opening")
    look.display.press("Escape")
    assert look.event(request) == {"cancelled": {}}


def typed(method: str, label: str, wrong: str, **values: str) -> Callable[[Look], None]:
    def drive(look: Look) -> None:
        purpose = "{provider} is about to use your account {account} on {site}."
        number = look.ask(verification(method), site="a.example")
        look.says(look.text(label), look.text(purpose, account="ada", provider="Passwords", site="a.example"))
        look.display.type("4711-secret")
        assert "4711-secret" not in "".join(node["text"] or "" for node in look.display.accessible())
        look.display.press("Return")
        assert look.answered(number) == b"4711-secret"
        error = re.sub(r"\{([a-z]+)\}", lambda match: values[match[1]], wrong)
        number = look.ask(verification(method, error=error), site="a.example")
        look.says(look.text(wrong, **values))
        look.display.press("Escape")
        assert look.answered(number) == "cancelled"

    return drive


def a_finger_is_asked_for(look: Look) -> None:
    error = "Couldn\u2019t read the fingerprint. Try again."
    number = look.ask(verification("fingerprint", error=error), site="a.example")
    look.says(look.text("Place your finger on the sensor"), look.text(error))
    look.display.press("Escape")
    assert look.answered(number) == "cancelled"


def the_systems_own_window_is_waited_for(look: Look) -> None:
    number = look.ask(verification("system"), site="a.example")
    look.says(look.text("Answer in the window that your system shows"))
    # It was answered there.
    look.sheets.peer.notify("cancel", {"id": number})
    look.is_gone()


def decided(question: dict, site: str | None, *texts: tuple[str, dict]) -> Callable[[Look], None]:
    """Read, refused by the key that is nearest, and allowed by the button."""

    def drive(look: Look) -> None:
        number = look.ask(question, site)
        said = [look.text(text, **values) if values is not None else text for text, values in texts]
        look.says(look.text("Asked by Keyway"), *said)
        look.display.press("Return")
        assert look.answered(number) == "refused"
        number = look.ask(question, site)
        look.allow()
        assert look.answered(number) == "allowed"

    return drive


def consent(is_known: bool, **more: str) -> dict:
    program = {"program": "Strange", "path": PATH, "isKnown": is_known, "permissions": ["seeAccounts"], **more}
    return {"consent": {"_0": program}}


def enabling(*reaches: str, unconfined: bool, readable: bool = False) -> dict:
    what = {"provider": PROVIDER, "path": PATH, "reaches": list(reaches), "isUnconfined": unconfined}
    what["isReadable"] = readable
    return {"enabling": {"_0": what}}


SITES = {"other": "a.example", "site": "b.example"}
KINDS = {
    "list": a_list_is_chosen_from,
    "empty": an_empty_list_says_so,
    "form": a_form_is_filled_in,
    "configuration": a_provider_is_set_up,
    "message": a_message_is_answered,
    "progress": progress_is_backed_out_of,
    "pin": typed("pin", "Keyway PIN", "Wrong PIN. Try again."),
    "login": typed("loginPassword", "Login password", "Wrong login password. Try again."),
    "master": typed(
        "masterPassword", "Master password", "Wrong master password for {provider}. Try again.", provider="Passwords"
    ),
    "fingerprint": a_finger_is_asked_for,
    "system": the_systems_own_window_is_waited_for,
    "consent": decided(
        consent(True, profile="Work"),
        None,
        ("Allow “{program}” to use Keyway?", {"program": "Strange"}),
        ("Connected through Keyway\u2019s own helper", {}),
        ("See your accounts on the sites it asks about", {}),
        ("Work", None),
    ),
    "consent-unknown": decided(consent(False), None, ("Unverified program", {}), (PATH, None)),
    "other-site": decided(
        other_site(),
        "b.example",
        ("Use an account from another site?", {}),
        ("This account was saved for {other}. {site} will receive its password or code.", SITES),
    ),
    "enabling": decided(
        enabling(f"read {REACHED}", "use the network", unconfined=False, readable=True),
        None,
        ("Turn on “{provider}”?", {"provider": "Passwords"}),
        ("Your other programs could read its memory", {}),
        (REACHED, None),
        ("org.keyway.passwords", None),
    ),
    "enabling-unconfined": decided(
        enabling(unconfined=True),
        None,
        ("This computer can\u2019t sandbox it", {}),
        ("It will give your accounts to the programs that you allowed.", {}),
    ),
}


@pytest.mark.parametrize("kind", KINDS)
def test_a_sheet_is_read_and_answered(look, kind):
    KINDS[kind](look)
