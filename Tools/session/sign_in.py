"""The sign-in that `make run` shows: a person's keys and clicks in a headless browser, seen by the site itself."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import Protocol

from session.steps import step

PATIENCE = 15
# A choice counts only when the menu has stood still for half a second; a person takes longer than that to read it.
READING_MS = 700


class Page(Protocol):
    """What the sign-in needs of the driver in Tests/Browsers."""

    def open(self, url: str) -> None: ...
    def evaluate(self, expression: str) -> object: ...
    def tree(self, expression: str) -> dict: ...
    def click(self, x: float, y: float) -> None: ...
    def press(self, *keys: str, after_ms: int = 0) -> None: ...
    def screenshot(self, path: Path) -> None: ...


def sign_in(page: Page, site: str, user: str, signed_in: Callable[[], list[str]], pictures: Path) -> None:
    """Signs in at `site` with the account of `user`, and believes only what the site says at the end."""
    pictures.mkdir(parents=True, exist_ok=True)
    with step(f"open {site}"):
        page.open(site)
    with step("click into the field: the suggestions open"):
        click(page, "input[autocomplete~=username]")
        until(lambda: user in suggestions(page), "no suggestion came up")
    page.screenshot(pictures / "suggestions.png")
    with step("choose the account with the keyboard: both fields are filled"):
        page.press("ArrowDown", "Enter", after_ms=READING_MS)
        until(lambda: length(page, "input[type=password]") > 0, "the password field stayed empty")
    with step("submit: the site lets us in"):
        click(page, "form button")
        until(lambda: signed_in() == [user], "the site's record does not say so")
        until(lambda: page.evaluate("document.readyState") == "complete", "the page did not load")
    page.screenshot(pictures / "signed-in.png")


def suggestions(page: Page) -> list[str]:
    """The texts of the menu's entries, which only the driver can read: they stand in a closed shadow root."""
    return [text for node in options(page.tree("document.documentElement")) for text in texts(node)]


def options(node: dict) -> list[dict]:
    """The nodes below this one that are entries of a list box."""
    value = node.get("value") or {}
    if value.get("attributes", {}).get("role") == "option":
        return [node]
    return [found for child in below(value) for found in options(child)]


def texts(node: dict) -> list[str]:
    """What the entry shows: its texts are attributes, so that the page cannot search for them."""
    value = node.get("value") or {}
    own = value.get("attributes", {}).get("data-t")
    return ([own] if own else []) + [text for child in below(value) for text in texts(child)]


def below(value: dict) -> list[dict]:
    root = value.get("shadowRoot")
    return [*value.get("children", []), *([root] if root else [])]


def click(page: Page, selector: str) -> None:
    box = page.evaluate(
        f"(({{x, y, width, height}}) => [x + width / 2, y + height / 2])"
        f"(document.querySelector({selector!r}).getBoundingClientRect())"
    )
    page.click(*box)


def length(page: Page, selector: str) -> int:
    """How long the value is; the value itself stays in the page."""
    return page.evaluate(f"document.querySelector({selector!r}).value.length")


def until(holds: Callable[[], bool], otherwise: str) -> None:
    """Asks until it holds. A page that is being replaced cannot be asked; only one that stays so is a failure."""
    deadline = time.monotonic() + PATIENCE
    trouble = ""
    while True:
        try:
            if holds():
                return
            trouble = ""
        except Exception as error:
            trouble = f" ({error})"
        if time.monotonic() > deadline:
            raise TimeoutError(f"{otherwise} within {PATIENCE} s{trouble}")
        time.sleep(0.02)
