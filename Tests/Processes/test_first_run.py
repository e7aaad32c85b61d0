"""The first run: a browser asks, and everything is decided in the windows of `keyway-sheets`."""

from __future__ import annotations

import json
import os
import shutil
import signal
from contextlib import suppress
from pathlib import Path

import pytest
from conftest import brokers, eventually
from sheets import Display, until
from wire import Refused

from session.private import PASSWORDS

GOOD, WEAK = "gigantic-otter-waffle-nebula-42", "password1"
PIN = "264813"
TITLE = "Keyway"


@pytest.fixture(scope="module")
def display():
    with Display() as display:
        yield display


def start(session, display) -> None:
    for name in ("DISPLAY", "DBUS_SESSION_BUS_ADDRESS"):
        session.environment[name] = display.environment[name]
    session.start_broker()


@pytest.fixture
def desktop(keyway, display):
    """A broker on a desktop, with no provider on."""
    start(keyway, display)
    return keyway


@pytest.fixture
def browser(desktop):
    with desktop.connect("browser") as browser:
        yield browser


def is_offered(browser) -> bool:
    return browser.call("setup.state")["isOffered"]


def is_on(session) -> bool:
    # Not by a program of its own: a broker that runs apart knows none from outside.
    with session.connect() as peer:
        return any(one["isEnabled"] for one in peer.call("providers.list")["providers"])


def vaults(session) -> list[str]:
    return [str(path) for path in session.folder.rglob("Passwords.vault*")]


def begin(browser, display, button: str = "Set Up") -> int:
    """Begins the first run, and answers its first window."""
    number = browser.request("setup.run", {})
    says(display, "Set up Keyway?", "org.keyway.passwords")
    display.can_use(button)
    display.use(button)
    return number


def says(display, *texts: str) -> None:
    def are_there() -> bool:
        names = [node["name"] for node in display.accessible()]
        return all(any(text in name for name in names) for text in texts)

    until(are_there, 60, f"the window does not say {texts}")


def choose(display, password: str, again: str | None = None) -> None:
    says(display, "Choose a master password")
    display.window(TITLE)
    display.type(password)
    display.press("Return")
    display.type(password if again is None else again)
    display.press("Return")


def end(browser, display, number: int) -> str:
    """Sets no PIN, and closes the window that says what there is."""
    says(display, "Set a PIN?")
    display.press("Escape")
    says(display, "Keyway is set up")
    display.use("Done")
    result, _ = browser.answer(number, 60)
    until(lambda: not display.windows())
    return result["outcome"]


def test_it_turns_passwords_on_and_makes_the_vault(desktop, browser, display):
    assert is_offered(browser)
    number = begin(browser, display)
    choose(display, GOOD)
    assert end(browser, display, number) == "done"
    assert not is_offered(browser)
    assert is_on(desktop) and len(vaults(desktop)) == 1
    desktop.keyway("passwords", "unlock", secrets=[GOOD])


def test_not_now_is_for_this_session(desktop, browser, display):
    number = begin(browser, display, "Not Now")
    assert browser.answer(number, 60)[0]["outcome"] == "notNow"
    assert not is_offered(browser) and not is_on(desktop)
    with beside_another_broker(desktop) as browser:
        assert not is_offered(browser)
    # The runtime folder goes when the person logs out.
    (desktop.socket.parent / "setup-postponed").unlink()
    with beside_another_broker(desktop) as browser:
        assert is_offered(browser)


def beside_another_broker(desktop):
    """A browser, after the broker was ended and started again."""
    for broker in brokers(desktop.folder):
        os.kill(broker, signal.SIGTERM)
    eventually(lambda: not brokers(desktop.folder))
    desktop.start_broker()
    return desktop.connect("browser")


def test_never_lasts_until_keyway_setup(desktop, browser, display):
    number = begin(browser, display, "Never")
    assert browser.answer(number, 60)[0]["outcome"] == "never"
    for broker in brokers(desktop.folder):
        os.kill(broker, signal.SIGTERM)
    eventually(lambda: not brokers(desktop.folder))
    desktop.start_broker()
    with desktop.connect("browser") as browser, desktop.connect() as terminal:
        assert not is_offered(browser)
        terminal.call("setup.finish")
        assert is_offered(browser)


def test_a_weak_master_password_needs_a_second_yes(desktop, browser, display):
    number = begin(browser, display)
    choose(display, WEAK)
    says(display, "could guess this password", "Very weak", "Use It Anyway")
    assert not vaults(desktop)
    display.use("Use It Anyway")
    assert end(browser, display, number) == "done"
    desktop.keyway("passwords", "unlock", secrets=[WEAK])


def test_a_wrong_repetition_is_said_and_makes_nothing(desktop, browser, display):
    number = begin(browser, display)
    choose(display, GOOD, again="another")
    says(display, "match")
    assert not vaults(desktop)
    display.press("Escape")
    with pytest.raises(Refused):
        browser.answer(number, 60)
    assert not is_on(desktop)
    assert is_offered(browser)


def test_to_close_the_first_window_is_not_now(desktop, browser, display):
    number = browser.request("setup.run", {})
    says(display, "Set up Keyway?")
    display.press("Escape")
    assert browser.answer(number, 60)[0]["outcome"] == "notNow"
    assert not is_offered(browser) and not is_on(desktop)


# How far somebody gets before they turn back.
def types_one(display) -> None:
    display.window(TITLE)
    display.type(GOOD)


def repeats_it_wrongly(display) -> None:
    choose(display, GOOD, again="another")
    says(display, "match")


def chooses_a_weak_one(display) -> None:
    choose(display, WEAK)
    says(display, "Use It Anyway")


def has_words_proposed(display) -> None:
    display.use("Propose Four Words")
    says(display, "Write these words down")
    display.window(TITLE)


@pytest.mark.parametrize("getting", [types_one, repeats_it_wrongly, chooses_a_weak_one, has_words_proposed])
def test_who_turns_back_before_there_is_a_vault_leaves_nothing_and_begins_anew(desktop, browser, display, getting):
    number = begin(browser, display)
    says(display, "Choose a master password")
    getting(display)
    display.press("Escape")
    assert taken_back(desktop, browser, number) == "cancelled"
    number = begin(browser, display)
    choose(display, GOOD)
    assert end(browser, display, number) == "done"
    desktop.keyway("passwords", "unlock", secrets=[GOOD])


def taken_back(session, browser, number: int) -> str:
    """Why the first run ended, of which nothing is left."""
    with pytest.raises(Refused) as refused:
        browser.answer(number, 60)
    assert not is_on(session) and not vaults(session)
    assert is_offered(browser)
    return refused.value.kind


# Windows in which there is no vault yet, and those in which it is made; something was typed where that is asked for.
BEFORE = ["wish", "master password"]
AFTER = ["PIN", "done", "done, with a PIN"]


def go_to(browser, display, step: str) -> int:
    """Begins the first run, and goes as far as that."""
    if step == "wish":
        number = browser.request("setup.run", {})
        says(display, "Set up Keyway?")
        return number
    number = begin(browser, display)
    if step == "master password":
        says(display, "Choose a master password")
        types_one(display)
        return number
    choose(display, GOOD)
    says(display, "Set a PIN?")
    display.window(TITLE)
    for keys in {"PIN": [PIN], "done": [], "done, with a PIN": [PIN, PIN]}[step]:
        display.type(keys)
        display.press("Return")
    if step == "done":
        display.press("Escape")
    if step != "PIN":
        says(display, "Keyway is set up")
    return number


def check_what_there_is(session, step: str) -> None:
    """All of it, nothing by halves, and no PIN that was not typed twice."""
    assert is_on(session)
    session.keyway("passwords", "lock")
    session.keyway("passwords", "unlock", secrets=[GOOD])
    assert [Path(vault).name for vault in vaults(session)] == ["Passwords.vault"]
    assert has_pin(session) == bool(list(session.state.glob("pin.record*"))) == (step == "done, with a PIN")


@pytest.mark.parametrize("step", BEFORE)
def test_windows_that_are_gone_at_once_leave_nothing(desktop, browser, display, step):
    number = go_to(browser, display, step)
    display.run("xdotool", "windowkill", display.window(TITLE))
    assert taken_back(desktop, browser, number) == "connectionClosed"


@pytest.mark.parametrize("step", AFTER)
def test_windows_that_are_gone_once_there_is_a_vault_leave_it_whole(desktop, browser, display, step):
    number = go_to(browser, display, step)
    display.run("xdotool", "windowkill", display.window(TITLE))
    assert browser.answer(number, 60)[0] == {"outcome": "done"}
    assert not is_offered(browser)
    check_what_there_is(desktop, step)


# The vault is there, and a PIN only nice to have.
@pytest.mark.parametrize("typed", [[], [PIN], [PIN, "264814"]], ids=["nothing", "one", "two"])
def test_who_turns_back_from_the_pin_is_done_without_one(desktop, browser, display, typed):
    number = begin(browser, display)
    choose(display, GOOD)
    says(display, "Set a PIN?")
    display.window(TITLE)
    for keys in typed:
        display.type(keys)
        display.press("Return")
    if len(typed) == 2:
        says(display, "match")
    display.press("Escape")
    says(display, "Keyway is set up")
    # To close that one is as good as its button.
    display.press("Escape")
    assert browser.answer(number, 60)[0] == {"outcome": "done"}
    assert is_on(desktop) and len(vaults(desktop)) == 1
    assert not has_pin(desktop)


def has_pin(session) -> bool:
    methods = json.loads(session.keyway("verification", "--json"))["methods"]
    return any(one["available"] for one in methods if one["method"] == "pin")


@pytest.fixture
def apart(keyway, display):
    """What a broker on a desktop needs that is started apart, where it sees disks of its own."""
    for name in ("DISPLAY", "DBUS_SESSION_BUS_ADDRESS"):
        keyway.environment[name] = display.environment[name]
    (keyway.folder / "data").mkdir(exist_ok=True)
    return keyway


def seen(session, folder) -> Path:
    """A folder as that broker sees it."""
    (broker,) = brokers(session.folder)
    return Path(f"/proc/{broker}/root{folder}")


def test_a_full_disk_is_said_in_the_window_and_who_gives_up_there_leaves_nothing(apart, display):
    data = apart.folder / "data"
    with apart.broker_apart(f"mount -t tmpfs -o size=2m,mode=700 none {data}"), apart.connect("browser") as browser:
        fill(seen(apart, data) / "ballast")
        number = begin(browser, display)
        choose(display, GOOD)
        says(display, "Choose a master password", "full")
        display.press("Escape")
        assert taken_back(apart, browser, number) == "cancelled"
        assert not list(seen(apart, data).rglob("*.vault*"))


def test_a_home_that_cannot_be_written_to_is_said_and_nothing_is_turned_on(apart, display):
    data = apart.folder / "data"
    with apart.broker_apart(f"mount -t tmpfs -o ro,mode=700 none {data}"), apart.connect("browser") as browser:
        number = begin(browser, display)
        with pytest.raises(Refused) as refused:
            browser.answer(number, 60)
        assert f"Couldn't create {data}/keyway: Read-only file system." in str(refused.value)
        assert "Keyway needs a home folder that you can write to." in str(refused.value)
        assert not is_on(apart) and is_offered(browser)


def fill(ballast: Path) -> None:
    with ballast.open("wb", buffering=0) as file, suppress(OSError):
        while file.write(bytes(4096)):
            pass


def test_once_there_is_room_on_the_disk_it_goes_on_in_the_same_window(apart, display):
    data = apart.folder / "data"
    with apart.broker_apart(f"mount -t tmpfs -o size=2m,mode=700 none {data}"), apart.connect("browser") as browser:
        ballast = seen(apart, data) / "ballast"
        fill(ballast)
        number = begin(browser, display)
        choose(display, GOOD)
        says(display, "Choose a master password", "full")
        ballast.unlink()
        choose(display, GOOD)
        assert end(browser, display, number) == "done"
        assert is_on(apart) and list(seen(apart, data).rglob("*.vault"))


def test_settings_that_cannot_be_written_turn_nothing_on(apart, display):
    saved = apart.folder / "saved"
    shutil.copytree(apart.state, saved)
    mount = f"mount -t tmpfs -o size=2m,mode=700 none {apart.state} && cp -a {saved}/. {apart.state}"
    with apart.broker_apart(mount), apart.connect("browser") as browser:
        assert is_offered(browser)
        fill(seen(apart, apart.state) / "ballast")
        number = begin(browser, display)
        with pytest.raises(Refused) as refused:
            browser.answer(number, 60)
        assert refused.value.kind == "system"
        until(lambda: not display.windows())
        assert not is_on(apart) and not vaults(apart)


def test_the_words_that_are_proposed_are_taken(desktop, browser, display):
    number = begin(browser, display)
    says(display, "Choose a master password")
    display.use("Propose Four Words")
    says(display, "Write these words down")
    names = [node["name"] for node in display.accessible()]
    words = names[names.index("Write these words down, and enter them in both fields:") + 1]
    assert len(words.split(" ")) == 4
    choose(display, words)
    assert end(browser, display, number) == "done"
    desktop.keyway("passwords", "unlock", secrets=[words])


@pytest.mark.parametrize("step", BEFORE + AFTER)
def test_a_browser_that_goes_away_leaves_nothing_by_halves(desktop, display, step):
    with desktop.connect("browser") as browser:
        go_to(browser, display, step)
    until(lambda: not display.windows(), 60)
    if step in BEFORE:
        eventually(lambda: not is_on(desktop))
        assert not vaults(desktop)
    with desktop.connect("browser") as browser:
        assert is_offered(browser) == (step in BEFORE)
    if step in AFTER:
        check_what_there_is(desktop, step)


@pytest.mark.parametrize("step", BEFORE + AFTER)
def test_what_a_killed_broker_left_goes_on_where_it_was(desktop, display, step):
    with desktop.connect("browser") as browser:
        go_to(browser, display, step)
        for broker in brokers(desktop.folder):
            os.kill(broker, signal.SIGKILL)
        eventually(lambda: not brokers(desktop.folder))
    until(lambda: not display.windows(), 60)
    desktop.start_broker()
    with desktop.connect("browser") as browser:
        # Once the vault is there, nothing is missing that would be offered again.
        assert is_offered(browser) == (step in BEFORE)
        if step in BEFORE:
            assert is_on(desktop) == (step == "master password")
            assert not vaults(desktop)
            number = begin(browser, display)
            choose(display, GOOD)
            assert end(browser, display, number) == "done"
            assert not is_offered(browser)
    check_what_there_is(desktop, step)


def test_a_page_learns_nothing_but_how_it_ended(desktop, browser, display):
    number = begin(browser, display)
    choose(display, GOOD)
    says(display, "Set a PIN?")
    display.press("Escape")
    says(display, "Keyway is set up")
    display.use("Done")
    result, descriptors = browser.answer(number, 60)
    assert (result, list(descriptors)) == ({"outcome": "done"}, [])


def test_passwords_is_the_one_that_is_set_up(desktop, browser, display):
    number = begin(browser, display)
    choose(display, GOOD)
    end(browser, display, number)
    listed = json.loads(desktop.keyway("providers", "list", "--json"))["providers"]
    assert [one["identifier"] for one in listed if one["enabled"]] == [PASSWORDS]


def test_a_pin_is_set_without_a_further_check(desktop, browser, display):
    number = begin(browser, display)
    choose(display, GOOD)
    says(display, "Set a PIN?")
    display.window(TITLE)
    for keys in (PIN, PIN):
        display.type(keys)
        display.press("Return")
    says(display, "Keyway is set up", "Your PIN verifies you.")
    display.use("Done")
    assert browser.answer(number, 60)[0] == {"outcome": "done"}
    assert has_pin(desktop)
