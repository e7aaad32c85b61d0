"""A page with a login form as a person uses it: fields, menu, keys and clicks."""

import time
from collections.abc import Iterator

from bidi import Browser
from conftest import LIMIT, until

# The extension lets a choice count half a second after the menu came.
SETTLED_MS = 650
BOX = "(({left, top, width, height}) => ({left, top, width, height}))(%s.getBoundingClientRect())"


class Page:
    """One frame of the page in a browser."""

    def __init__(self, browser: Browser, context: str | None = None) -> None:
        self.browser = browser
        self.context = context

    def value(self, field: str) -> str:
        return str(self.browser.evaluate(f"({field}).value", self.context))

    def click(self, field: str) -> None:
        box = self.box(field)
        self.browser.click(box["left"] + box["width"] / 2, box["top"] + box["height"] / 2, self.context)

    def box(self, field: str) -> dict[str, float]:
        return self.browser.evaluate(BOX % f"({field})", self.context)

    def entries(self) -> list[str]:
        """What the entries of the menu say, read by the driver, which sees closed shadow roots."""
        tree = self.browser.tree("document.documentElement", self.context)
        hosts = [node for node in nodes(tree) if node["value"].get("mode") == "closed"]
        return [
            text
            for host in hosts
            for entry in nodes(host)
            if "entry" in attributes(entry).get("class", "").split()
            for text in [next(attributes(node)["data-t"] for node in nodes(entry) if "data-t" in attributes(node))]
        ]

    def notes(self) -> list[str]:
        tree = self.browser.tree("document.documentElement", self.context)
        notes = [node for node in nodes(tree) if attributes(node).get("class") == "note"]
        return [attributes(node)["data-t"] for note in notes for node in nodes(note) if "data-t" in attributes(node)]

    def wait_for_menu(self) -> list[str]:
        return until(self.entries)

    def click_first_entry(self, field: str, after_ms: int = SETTLED_MS) -> None:
        box = self.box(field)
        self.browser.click(box["left"] + 40, box["top"] + box["height"] + 26, self.context, after_ms)

    def stays_without_menu(self, duration: float = 0.7) -> bool:
        """Watches for as long as an answer takes many times over."""
        deadline = time.monotonic() + min(duration, LIMIT)
        while time.monotonic() < deadline:
            if self.entries():
                return False
        return True

    def press(self, *keys: str, after_ms: int = 0) -> None:
        self.browser.press(*keys, context=self.context, after_ms=after_ms)


def attributes(node: dict) -> dict[str, str]:
    return node.get("value", {}).get("attributes") or {}


def nodes(tree: dict) -> Iterator[dict]:
    """A serialized node and all nodes under it, shadow trees included."""
    if tree.get("type") != "node":
        return
    yield tree
    value = tree.get("value", {})
    if value.get("shadowRoot"):
        yield from nodes(value["shadowRoot"])
    for child in value.get("children", []):
        yield from nodes(child)
