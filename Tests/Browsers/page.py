"""A page with a login form as a person uses it: fields, menu, keys and clicks."""

import time
from collections.abc import Callable, Iterator

from bidi import Browser, DriverError
from support import LIMIT, until

# The extension lets a choice count half a second after the menu came.
SETTLED_MS = 650
BOX = "(({left, top, width, height}) => ({left, top, width, height}))(%s.getBoundingClientRect())"
# Where the page of a frame begins in the page of the tab.
CORNER = """(() => {
    const corner = {left: 0, top: 0};
    for (let at = window; at !== at.parent; at = at.parent) {
        const box = at.frameElement.getBoundingClientRect();
        corner.left += box.left + at.frameElement.clientLeft;
        corner.top += box.top + at.frameElement.clientTop;
    }
    return corner;
})()"""


class Page:
    """A page of the site at `url`, or one frame of it."""

    def __init__(self, browser: Browser, url: str = "", context: str | None = None) -> None:
        self.browser = browser
        self.url = url
        self.context = context

    def open(self, path: str) -> None:
        self.browser.open(self.url + path)

    def wait_for_path(self, path: str) -> None:
        """Waits for a navigation that the page started; while it goes on, the page answers nothing."""

        def has_come() -> bool:
            try:
                return self.browser.evaluate("location.pathname") == path and self.is_loaded()
            except DriverError:
                return False

        until(has_come)

    def is_loaded(self) -> bool:
        loaded = "document.readyState === 'complete' && document.body !== null && location.href !== 'about:blank'"
        return bool(self.browser.evaluate(loaded, self.context))

    def frame(self) -> "Page":
        """The first frame in this page, loaded."""
        frame = Page(self.browser, self.url, until(self.browser.frames)[0]["context"])
        until(frame.is_loaded)
        return frame

    def value(self, field: str) -> str:
        return str(self.browser.evaluate(f"({field}).value", self.context))

    def click(self, field: str) -> None:
        box = self.box(field)
        self.browser.click(box["left"] + box["width"] / 2, box["top"] + box["height"] / 2, self.context)

    def box(self, field: str) -> dict[str, float]:
        return self.browser.evaluate(BOX % f"({field})", self.context)

    def entries(self) -> list[str]:
        """What the accounts of the menu are called, read by the driver, which sees closed shadow roots."""
        return [texts(entry)[0] for entry in self._menu_parts("entry")]

    def details(self) -> list[str]:
        """What stands under their names."""
        return [" ".join(texts(entry)[1:]) for entry in self._menu_parts("entry")]

    def lists(self) -> list[str]:
        """What the menu ends with: the whole lists of the providers."""
        return [texts(entry)[0] for entry in self._menu_parts("entry all")]

    def selections(self) -> list[str]:
        return [attributes(entry)["aria-selected"] for entry in self._menu_parts("entry", "entry all")]

    def times(self) -> list[str]:
        """How long the codes of the menu are good for."""
        return [texts(life)[0] for life in self._menu_parts("life", "life short")]

    def spoken(self) -> str:
        """What a screen reader was told last."""
        return "".join(text for part in self._menu_parts("spoken") for text in texts(part))

    def notes(self) -> list[str]:
        return [text for note in self._menu_parts("note") for text in texts(note)]

    def _menu_parts(self, *names: str, within: str | None = None) -> list[dict]:
        tree = self.browser.tree("document.querySelector(':root')", within)
        return [node for node in nodes(tree) if attributes(node).get("class") in names]

    def prefer(self, scheme: str | None) -> None:
        """Light or dark, as the person's settings would say."""
        if self.browser.name == "chromium":
            features = [{"name": "prefers-color-scheme", "value": scheme or ""}]
            self.browser.devtools("Emulation.setEmulatedMedia", {"features": features})
        else:
            self.browser.preference(
                "layout.css.prefers-color-scheme.content-override", {"dark": 0, "light": 1}.get(scheme or "", 2)
            )

    def wait_for_menu(self) -> list[str]:
        return until(self.entries)

    def click_first_entry(self, field: str, after_ms: int = SETTLED_MS) -> None:
        self.click_entry_at(self.first_entry(field), after_ms)

    def first_entry(self, field: str) -> dict[str, float]:
        """A point on the first entry under a field, in the page of the tab: the menu is drawn there."""
        box, corner = self.box(field), self.corner()
        return {"left": corner["left"] + box["left"] + 40, "top": corner["top"] + box["top"] + box["height"] + 26}

    def click_entry_at(self, point: dict[str, float], after_ms: int = SETTLED_MS) -> None:
        self.browser.click(point["left"], point["top"], after_ms=after_ms)

    def click_entry_around(self, point: dict[str, float], between: Callable[[], object]) -> None:
        """A click on an entry, with something in between: after the press, and before the release."""
        self.browser.press_pointer(point["left"], point["top"], after_ms=SETTLED_MS)
        try:
            between()
        finally:
            self.browser.release_pointer()

    def corner(self) -> dict[str, float]:
        """Where this frame begins in the page of the tab, as long as nothing around it is scaled."""
        return self.browser.evaluate(CORNER, self.context)

    def choose_list(self, number: int = 0) -> None:
        """Opens one of the whole lists with the keys."""
        steps = len(self.entries()) + number + 1
        self.press(*["ArrowDown"] * steps, "Enter", after_ms=SETTLED_MS)

    def stays_without_menu(self, duration: float = 1) -> bool:
        """Watches the page of the tab, and the frame that this is, for as long as an answer takes many times over."""
        deadline = time.monotonic() + min(duration, LIMIT)
        while time.monotonic() < deadline:
            if any(self._menu_parts("entry", "entry all", "note", within=place) for place in {None, self.context}):
                return False
            time.sleep(0.02)
        return True

    def press(self, *keys: str, after_ms: int = 0) -> None:
        self.browser.press(*keys, context=self.context, after_ms=after_ms)


def attributes(node: dict) -> dict[str, str]:
    return node.get("value", {}).get("attributes") or {}


def texts(node: dict) -> list[str]:
    """What a part of the menu shows: its texts are attributes, so that the page cannot search for them."""
    return [attributes(below)["data-t"] for below in nodes(node) if "data-t" in attributes(below)]


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
