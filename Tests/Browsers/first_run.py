"""The first run as a person goes through it: the row under a field, and the windows that follow."""

from __future__ import annotations

from desktop import LIMIT, Desktop
from page import Page
from support import until
from test_sign_in import USERNAME

ROW = "Set up Keyway"


def choose_row(page: Page) -> None:
    """Chooses the one row of the menu, with the keys."""
    page.click(USERNAME)
    assert until(page.entries) == [ROW]
    page.press("ArrowDown", "Enter", after_ms=1000)


def press(desktop: Desktop, button: str) -> None:
    """Presses a button of the window, which may take a moment before it can be pressed."""
    desktop.wait_for(button)
    until(lambda: "sensitive" in desktop.states(button), LIMIT)
    until(lambda: desktop.goes_to(button), LIMIT)
    desktop.press("Return")


def go_through(desktop: Desktop, master: str) -> None:
    """Says yes, chooses that master password and no PIN, and closes the last window."""
    press(desktop, "Set Up")
    desktop.wait_for("Choose a master password")
    desktop.window("Keyway", LIMIT)
    desktop.type(master)
    desktop.press("Return")
    desktop.type(master)
    desktop.press("Return")
    desktop.wait_for("Set a PIN?")
    desktop.press("Escape")
    desktop.wait_for("Keyway is set up")
    press(desktop, "Done")
    desktop.wait_until_empty()
