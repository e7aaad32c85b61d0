"""Which session a window is opened in: login1 is played by python-dbusmock, the person sits at a desktop or not."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from conftest import eventually, fill, suggest, url
from sheets import Display, until
from test_passwords_extension import MASTER, Vault
from test_sheets_broker import PAGE, TITLE, ask, sheets_of
from test_vault_login import LOGIN1, SESSION, Bus
from wire import Refused, contents

from session.private import PASSWORDS

PROPERTIES = "org.freedesktop.DBus.Properties"


class Login(Bus):
    """login1 with the sessions of the person who runs the tests, whose desktop is on that display."""

    def __init__(self, folder: Path, display: str) -> None:
        super().__init__(folder)
        self.display = display

    def add(self, name: str, **properties: object) -> None:
        self.add_session(name, os.getuid())
        self.change(name, **properties)

    def change(self, name: str, **properties: object) -> None:
        for key, value in properties.items():
            if isinstance(value, bool):
                words = ["b", str(value).lower()]
            else:
                words = ["(so)", str(value), "/"] if key == "Seat" else ["s", str(value)]
            # Nobody is told of a change: the broker asks when it wants to know.
            self.call(f"{SESSION}/{name}", PROPERTIES, "Set", "ssv", f"{LOGIN1}.Session", key, *words)

    def add_desktop(self, name: str = "desktop") -> None:
        self.add(name, Type="x11", Active=True, Display=self.display)

    def add_remote(self, name: str = "ssh") -> None:
        self.add(name, Type="tty", Remote=True, Seat="")

    def lock(self, name: str = "desktop") -> None:
        self.call(f"{SESSION}/{name}", f"{LOGIN1}.Session", "SetLockedHint", "b", "true")

    def unlock(self, name: str = "desktop") -> None:
        self.call(f"{SESSION}/{name}", f"{LOGIN1}.Session", "SetLockedHint", "b", "false")


@pytest.fixture(scope="module")
def display():
    with Display() as display:
        yield display


@pytest.fixture
def login(tmp_path, display):
    bus = Login(tmp_path, display.environment["DISPLAY"])
    yield bus
    bus.close()


@pytest.fixture
def session(keyway, display, login):
    """A broker that sees that login1, with a vault of one item that is locked."""
    # Turned on before there is a desktop, where somebody would have to click.
    broker = keyway.start_broker()
    keyway.enable(PASSWORDS)
    keyway.stop(broker)
    # The display is login1's to name.
    keyway.environment["DBUS_SESSION_BUS_ADDRESS"] = display.environment["DBUS_SESSION_BUS_ADDRESS"]
    keyway.environment["DISPLAY"] = ":65432"
    keyway.start_broker()
    with keyway.connect() as terminal:
        vault = Vault(terminal)
        vault.create()
        vault.add("alpha", b"password of alpha")
        eventually(lambda: suggest(terminal, PAGE))
        vault.lock()
    return keyway


def unlock(display: Display) -> None:
    display.window(TITLE)
    display.type(MASTER.decode())
    display.press("Return")


def has_suggestions(browser) -> bool:
    try:
        return bool(suggest(browser, PAGE))
    except Refused:
        return False


def is_not_shown(browser) -> None:
    """A request for the whole list, which always needs the person, ends at once: there is nobody to see it."""
    services = {"target": {"list": {"provider": PASSWORDS}}, "services": [url(PAGE)], "presents": False}
    with pytest.raises(Refused) as refusal:
        browser.answer(browser.request("fill", services), 60)
    assert refusal.value.kind == "interactionRequired"


def test_on_the_session_that_the_person_sits_before_a_window_opens(session, display, login):
    login.add_remote()
    login.add_desktop()
    with session.connect("browser") as browser:
        number = ask(browser)
        unlock(display)
        _, descriptors = browser.answer(number, 60)
        assert contents(descriptors[0]) == b"password of alpha"


@pytest.mark.parametrize(
    "properties",
    [
        {"Type": "tty"},
        {"Type": "x11", "Active": False},
        {"Type": "x11", "Remote": True},
        {"Type": "wayland", "Seat": ""},
        {"Type": "wayland", "LockedHint": True},
    ],
    ids=lambda properties: "-".join(properties),
)
def test_where_nobody_sits_no_window_opens(session, display, login, properties):
    login.add("desktop", **{"Active": True, **properties})
    with session.connect("browser") as browser:
        is_not_shown(browser)
    assert not display.windows()
    assert "keyway-sheets" not in session.log


def test_a_window_that_is_open_when_the_session_is_locked_is_cancelled(session, display, login):
    login.add_desktop()
    with session.connect("browser") as browser:
        number = ask(browser)
        display.window(TITLE)
        display.type("half of the pass")
        process = sheets_of(session)
        login.lock()
        with pytest.raises(Refused) as refusal:
            browser.answer(number, 60)
        assert refusal.value.kind == "cancelled"
        until(lambda: not display.windows())
        # What was typed is gone with the program.
        until(lambda: not Path(f"/proc/{process}").exists())
        is_not_shown(browser)
        login.unlock()
        # The identity stores were locked too.
        eventually(lambda: has_suggestions(browser))
        again = ask(browser)
        unlock(display)
        _, descriptors = browser.answer(again, 60)
        assert contents(descriptors[0]) == b"password of alpha"


def test_a_window_that_is_open_when_the_machine_sleeps_is_cancelled(session, display, login):
    login.add_desktop()
    with session.connect("browser") as browser:
        number = ask(browser)
        display.window(TITLE)
        login.emit("PrepareForSleep", "true")
        with pytest.raises(Refused) as refusal:
            browser.answer(number, 60)
        assert refusal.value.kind == "cancelled"
        until(lambda: not display.windows())


def test_desktop_and_terminal_ask_at_once_and_each_is_asked_in_its_place(session, display, login):
    login.add_remote()
    login.add_desktop()
    with session.connect("browser") as browser, session.connect_in_terminal() as remote:
        (suggestion,) = suggest(remote, PAGE)
        there = remote.request("fill", fill(suggestion["handle"], PAGE, presents=True))
        assert remote.notification("presentation.show")["request"] == there
        # One interface of a provider at a time, and that one came first.
        here = ask(browser)
        assert not display.windows()
        remote.notify("presentation.event", {"request": there, "event": {"cancelled": {}}})
        with pytest.raises(Refused) as refusal:
            remote.answer(there, 60)
        assert refusal.value.kind == "cancelled"
        display.window(TITLE)
        again = remote.request("fill", fill(suggestion["handle"], PAGE, presents=True))
        unlock(display)
        _, descriptors = browser.answer(here, 60)
        assert contents(descriptors[0]) == b"password of alpha"
        until(lambda: not display.windows())
        # Unlocked for the desktop is not unlocked for whoever sits elsewhere.
        assert remote.notification("presentation.show")["request"] == again
        assert not display.windows()
