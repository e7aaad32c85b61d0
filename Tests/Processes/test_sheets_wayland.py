"""`keyway-sheets` under a Wayland compositor: used through the accessibility bus, and by keys."""

from __future__ import annotations

import pytest
from sheets import Compositor, Sheets, a_form, a_list, until
from test_sheets import ISOLATED
from wire import contents

CONSENT = {
    "consent": {"_0": {"program": "Strange", "path": "/opt/strange", "isKnown": False, "permissions": ["seeAccounts"]}}
}


@pytest.fixture(scope="module")
def display():
    with Compositor() as compositor:
        yield compositor


@pytest.fixture
def sheets(stage, display):
    with Sheets(stage / "libexec/keyway/keyway-sheets", display) as sheets:
        yield sheets.greet()
        said = sheets.log.read_text()
        assert "CRITICAL" not in said, said


def test_a_window_opens_with_names_and_roles(sheets, display):
    sheets.show(1, a_list("anna", "berta"))
    display.window(ISOLATED)
    named = {(node["role"], node["name"]) for node in display.accessible()}
    assert {"anna", "berta", "Cancel"} <= {name for _, name in named}


def test_keys_choose(sheets, display):
    sheets.show(1, a_list("anna", "berta", "clara"))
    display.window(ISOLATED)
    display.type("bert")
    until(lambda: not any(node["name"] == "clara" for node in display.accessible()))
    display.press("Return")
    assert sheets.event(1) == {"chose": {"row": "id of berta"}}


def test_what_is_typed_into_a_secure_field_goes_out_sealed(sheets, display):
    sheets.show(1, a_form(("master", None)))
    display.window(ISOLATED)
    display.type("open sesame")
    display.use("Go on")
    sheets.event(1)
    (descriptor,) = sheets.received
    assert contents(descriptor) == b"open sesame"


def test_escape_cancels(sheets, display):
    sheets.show(1, a_list("anna"))
    display.window(ISOLATED)
    display.press("Escape")
    assert sheets.event(1) == {"cancelled": {}}


def test_the_button_that_cancels_does_so(sheets, display):
    sheets.show(1, a_form(("master", None)))
    display.window(ISOLATED)
    display.use("Cancel")
    assert sheets.event(1) == {"cancelled": {}}


@pytest.mark.parametrize(
    ("button", "answer"), [("Allow", "allowed"), ("Don\u2019t Allow", "refused"), ("Cancel", "cancelled")]
)
def test_a_question_is_answered_without_keys_or_pointer(sheets, display, button, answer):
    number = sheets.ask(CONSENT)
    display.window("Keyway")
    display.use(button)
    assert sheets.answer(number)[0] == {answer: {}}
