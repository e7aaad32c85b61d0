"""`keyway-sheets` as the person meets it: keys and clicks on a real display, and what the broker hears of them."""

from __future__ import annotations

import subprocess

import pytest
from sheets import Display, Sheets, a_form, a_list, a_message, until
from wire import contents

TITLE = "Manager for example.com"
NO_DISPLAY = 69


def plain(text: str) -> str:
    """The title without the marks that keep a name's direction apart from that of the sentence."""
    return text.replace("\u2068", "").replace("\u2069", "")


ISOLATED = "\u2068Manager\u2069 for \u2068example.com\u2069"


@pytest.fixture(scope="module")
def display():
    with Display() as display:
        yield display


@pytest.fixture
def program(stage):
    return stage / "libexec/keyway/keyway-sheets"


@pytest.fixture
def sheets(program, display):
    with Sheets(program, display) as sheets:
        yield sheets.greet()
        assert "CRITICAL" not in sheets.log.read_text(), sheets.log.read_text()


def test_it_says_what_it_is(sheets):
    assert sheets.hello["role"] == "sheets"


def test_a_row_is_found_by_typing_and_chosen_with_enter(sheets, display):
    sheets.show(1, a_list("anna", "berta", "clara"))
    display.window(ISOLATED)
    display.type("bert")
    display.press("Return")
    assert sheets.event(1) == {"chose": {"row": "id of berta"}}


def test_arrows_move_the_selection_while_the_search_field_has_the_keys(sheets, display):
    sheets.show(1, a_list("anna", "berta", "clara"))
    display.window(ISOLATED)
    display.press("Down", "Down", "Up", "Return")
    assert sheets.event(1) == {"chose": {"row": "id of berta"}}


def test_a_choice_that_came_too_early_can_be_made_again(sheets, display):
    choices = [
        {"provider": {"identifier": "org.example.manager", "name": "Manager"}, "account": "anna", "isNew": False}
    ]
    question = {"program": "bank", "purpose": "signIn", "service": "example.com", "choices": choices}
    number = sheets.ask({"account": {"_0": question}})
    display.window("\u2068Keyway\u2069 for \u2068example.com\u2069")
    display.press("Return")

    # The first one may have been meant for something else.
    def is_taken() -> bool:
        display.press("Return")
        return not display.windows()

    until(is_taken, 60, "nothing can be chosen any more")
    assert sheets.peer.answer(number)[0] == {"answer": {"chosen": {"_0": 0}}}


def test_a_list_without_search_takes_the_keys_itself(sheets, display):
    sheets.show(1, a_list("anna", "berta", search="none"))
    display.window(ISOLATED)
    display.press("Down", "Return")
    assert sheets.event(1) == {"chose": {"row": "id of berta"}}


def test_enter_before_the_provider_found_anything_counts_for_what_it_finds(sheets, display):
    sheets.show(1, a_list("anna", "berta", search="provider"))
    display.window(ISOLATED)
    display.press("z")
    assert sheets.event(1) == {"searched": {"_0": "z"}}
    display.press("Return")
    sheets.show(1, a_list("zoe", search="provider"))
    assert sheets.event(1) == {"chose": {"row": "id of zoe"}}


def test_a_newer_list_keeps_what_was_typed_and_where_the_keys_go(sheets, display):
    sheets.show(1, a_list("anna", "berta"))
    display.window(ISOLATED)
    display.type("an")
    sheets.show(1, a_list("anna", "anton", title="Newer"))
    until(lambda: any(node["name"] == "Newer" for node in display.accessible()))
    display.type("t")
    display.press("Return")
    assert sheets.event(1) == {"chose": {"row": "id of anton"}}


def test_a_secret_goes_out_as_sealed_memory_and_once(sheets, display):
    sheets.show(1, a_form(("master", None)))
    display.window(ISOLATED)
    display.type("open sesame")
    display.press("Return")
    event = sheets.event(1)
    (descriptor,) = sheets.received
    assert event == {"submitted": {"_0": {"master": {"secret": {"_0": {"descriptor": 0}}}}}}
    assert contents(descriptor) == b"open sesame"
    sheets.show(1, a_form(("master", None), error="Wrong."))
    until(lambda: any(node["name"] == "Wrong." for node in display.accessible()))
    display.type("second")
    display.press("Return")
    sheets.event(1)
    (descriptor,) = sheets.received
    assert contents(descriptor) == b"second"


@pytest.mark.parametrize("between", ["nothing", "progress", "the same form"])
def test_whatever_came_in_between_the_keys_go_to_the_field_again(sheets, display, between):
    sheets.show(1, a_form(("master", None)))
    display.window(ISOLATED)
    display.type("first")
    display.press("Return")
    sheets.event(1)
    if between == "progress":
        sheets.show(1, {"progress": {"_0": {"title": "Opening"}}})
        until(lambda: any(node["name"] == "Opening" for node in display.accessible()))
    if between == "the same form":
        sheets.show(1, a_form(("master", None)))
    sheets.show(1, a_form(("master", None), error="Wrong. " * 20))
    until(lambda: any(node["name"].startswith("Wrong.") for node in display.accessible()))
    display.type("open sesame")
    display.press("Return")
    sheets.event(1)
    (descriptor,) = sheets.received
    assert contents(descriptor) == b"open sesame"


def test_enter_goes_from_field_to_field_and_hands_over_in_the_last(sheets, display):
    sheets.show(1, a_form(("user", ""), ("master", None)))
    display.window(ISOLATED)
    display.type("ada")
    display.press("Return")
    display.type("secret")
    display.press("Return")
    assert sheets.event(1)["submitted"]["_0"]["user"] == {"text": {"_0": "ada"}}
    (descriptor,) = sheets.received
    assert contents(descriptor) == b"secret"


def test_buttons_of_a_message_are_reached_with_the_keyboard(sheets, display):
    sheets.show(1, a_message("First", "Second"))
    display.window(ISOLATED)
    display.press("Tab", "Return")
    assert sheets.event(1) == {"activated": {"action": "id of Second"}}


@pytest.mark.parametrize("interface", [a_list("anna"), a_form(("master", None)), a_message("First")])
def test_escape_cancels_and_takes_the_window_away(sheets, display, interface):
    sheets.show(1, interface)
    display.window(ISOLATED)
    display.press("Escape")
    assert sheets.event(1) == {"cancelled": {}}
    until(lambda: not display.windows())


def test_the_close_button_cancels(sheets, display):
    sheets.show(1, a_form(("master", None)))
    window = display.window(ISOLATED)
    width, _ = display.size(window)
    display.click(window, width - 30, 30)
    assert sheets.event(1) == {"cancelled": {}}
    until(lambda: not display.windows())


def test_a_request_that_goes_on_after_it_was_cancelled_is_ended(sheets, display):
    sheets.show(1, a_list("anna"))
    display.window(ISOLATED)
    display.press("Escape")
    assert sheets.event(1) == {"cancelled": {}}
    sheets.show(1, a_list("come back"))
    assert sheets.peer.notification("presentation.abandoned") == {"request": 1}
    assert not display.windows()


def test_one_window_at_a_time_in_the_order_of_asking(sheets, display):
    sheets.show(1, a_list("anna"))
    sheets.show(2, a_list("berta"), service="other.example")
    display.window(ISOLATED)
    assert len(display.windows()) == 1
    sheets.end(1)
    display.window("\u2068Manager\u2069 for \u2068other.example\u2069")
    display.press("Return")
    assert sheets.event(2) == {"chose": {"row": "id of berta"}}


def test_more_than_can_wait_are_ended(sheets, display):
    for number in range(1, 18):
        sheets.show(number, a_list("anna"))
    assert sheets.peer.notification("presentation.abandoned") == {"request": 17}


def test_markup_and_control_characters_are_text(sheets, display):
    sheets.show(1, a_list("<b>anna</b>\u202e\u001b[2J&amp;"))
    display.window(ISOLATED)
    assert any(node["name"] == "<b>anna</b>[2J&amp;" for node in display.accessible())


def test_a_consent_is_refused_by_enter_and_allowed_by_going_there(sheets, display):
    consent = {
        "consent": {
            "_0": {"program": "Strange", "path": "/opt/strange", "isKnown": False, "permissions": ["seeAccounts"]}
        }
    }
    number = sheets.ask(consent)
    display.window("Keyway")
    names = [node["name"] for node in display.accessible()]
    assert any("Strange" in name for name in names)
    display.press("Return")
    assert sheets.answer(number)[0] == {"refused": {}}
    until(lambda: not display.windows())
    number = sheets.ask(consent)
    display.window("Keyway")
    display.can_use("Allow")
    display.press("Tab", "Return")
    assert sheets.answer(number)[0] == {"allowed": {}}


def test_whoever_closes_a_consent_has_not_decided(sheets, display):
    consent = {"consent": {"_0": {"program": "Strange", "path": "/opt/strange", "isKnown": False, "permissions": []}}}
    number = sheets.ask(consent)
    display.window("Keyway")
    display.press("Escape")
    assert sheets.answer(number)[0] == {"cancelled": {}}
    until(lambda: not display.windows())


def test_what_a_provider_shows_goes_before_a_consent_that_waits(sheets, display):
    sheets.show(1, a_list("anna"))
    display.window(ISOLATED)
    consent = {"consent": {"_0": {"program": "Strange", "path": "/opt/strange", "isKnown": False, "permissions": []}}}
    number = sheets.ask(consent)
    assert sheets.is_there()
    sheets.show(2, a_list("berta"), service="other.example")
    sheets.end(1)
    display.window("\u2068Manager\u2069 for \u2068other.example\u2069")
    sheets.end(2)
    display.window("Keyway")
    display.press("Escape")
    assert sheets.answer(number)[0] == {"cancelled": {}}


def test_a_verification_hands_over_what_was_typed(sheets, display):
    verification = {
        "provider": {"identifier": "org.example.manager", "name": "Manager"},
        "service": "example.com",
        "account": "ada",
        "method": "pin",
    }
    number = sheets.ask({"verification": {"_0": verification}})
    display.window("\u2068Keyway\u2069 for \u2068example.com\u2069")
    display.type("4711")
    display.press("Return")
    answer, descriptors = sheets.answer(number)
    assert answer == {"secret": {"_0": {"descriptor": 0}}}
    assert contents(descriptors[0]) == b"4711"


def test_a_question_that_is_withdrawn_goes_away(sheets, display):
    consent = {"consent": {"_0": {"program": "Strange", "path": "/opt/strange", "isKnown": False, "permissions": []}}}
    number = sheets.ask(consent)
    display.window("Keyway")
    sheets.peer.notify("cancel", {"id": number})
    until(lambda: not display.windows())


def test_screen_readers_are_told_names_and_roles(sheets, display):
    sheets.show(1, a_form(("user", "ada"), ("master", None), error="Wrong."))
    display.window(ISOLATED)
    nodes = display.accessible()
    named = {(node["role"], plain(node["name"])) for node in nodes}
    assert ("frame", TITLE) in named or ("window", TITLE) in named or ("dialog", TITLE) in named
    assert {name for role, name in named if role in ("push button", "button")} >= {"Cancel", "Go on"}
    assert any(plain(node["name"]) == "Shown by Keyway for org.example.manager" for node in nodes)
    assert ("alert", "Wrong.") in named or any(node["name"] == "Wrong." for node in nodes)
    display.type("secret")
    assert not any("secret" in (node["text"] or "") for node in display.accessible())


def test_it_ends_with_its_connection(program, display):
    with Sheets(program, display) as sheets:
        sheets.greet()
        sheets.peer.socket.close()
        assert sheets.process.wait(20) == 0


def test_without_a_display_it_says_so_and_ends(program, display):
    with Sheets(program, display, DISPLAY="") as sheets:
        assert sheets.process.wait(20) == NO_DISPLAY
    assert "no display" in sheets.log.read_text()


def test_nobody_but_the_broker_starts_it(program, display):
    with Sheets(program, display) as sheets:
        sheets.greet()
    done = subprocess.run([program], env=display.environment, stdin=subprocess.DEVNULL, capture_output=True, timeout=60)
    assert done.returncode == 1
    assert b"not started by keywayd" in done.stderr
