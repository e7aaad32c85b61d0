"""The sign-in of `make run`: each way to fail is a failure, and says at which step."""

from pathlib import Path

import pytest

from session import sign_in as module
from session.sign_in import sign_in, suggestions
from session.steps import StepFailed


def element(attributes: dict, *children: dict, shadow: dict | None = None) -> dict:
    value = {"attributes": attributes, "children": list(children)}
    return {"type": "node", "value": {**value, "shadowRoot": shadow} if shadow else value}


class FakePage:
    """A page that behaves, up to the step that `broken` names."""

    def __init__(self, broken: str = "") -> None:
        self.broken = broken
        self.record: list[str] = []
        self.chosen = False
        self.asked = 0

    def open(self, url: str) -> None:
        if self.broken == "open":
            raise ConnectionError("refused")

    def evaluate(self, expression: str) -> object:
        if "getBoundingClientRect" in expression:
            return [10, 10]
        if "readyState" in expression:
            self.asked += 1
            if self.asked < 3:
                raise ConnectionError("the page is being replaced")
            return "complete"
        return 8 if self.chosen else 0

    def tree(self, expression: str) -> dict:
        user = "someone else" if self.broken == "suggest" else "ada"
        entry = element({"role": "option"}, element({"data-t": user}), element({"data-t": "Passwords"}))
        return element({}, element({}, shadow=element({}, element({"data-t": "no entry"}), entry)))

    def click(self, x: float, y: float) -> None:
        if self.chosen and self.broken != "submit":
            self.record = ["ada"]

    def press(self, *keys: str, after_ms: int = 0) -> None:
        self.chosen = self.broken != "fill"

    def screenshot(self, path: Path) -> None:
        path.write_bytes(b"picture")


def test_sign_in_ends_with_both_pictures(tmp_path):
    page = FakePage()
    sign_in(page, "http://localhost:1", "ada", lambda: page.record, tmp_path)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["signed-in.png", "suggestions.png"]


@pytest.mark.parametrize(
    ("broken", "named"),
    [("open", "open http"), ("suggest", "suggestions open"), ("fill", "fields are filled"), ("submit", "lets us in")],
)
def test_failed_step_is_named(tmp_path, monkeypatch, broken, named):
    monkeypatch.setattr(module, "PATIENCE", 0.05)
    page = FakePage(broken)
    with pytest.raises(StepFailed, match=named):
        sign_in(page, "http://localhost:1", "ada", lambda: page.record, tmp_path)


def test_somebody_else_signed_in_is_no_success(tmp_path, monkeypatch):
    monkeypatch.setattr(module, "PATIENCE", 0.05)
    with pytest.raises(StepFailed, match="lets us in"):
        sign_in(FakePage(), "http://localhost:1", "ada", lambda: ["mallory"], tmp_path)


def test_suggestions_are_the_texts_of_entries_in_shadow_roots():
    assert suggestions(FakePage()) == ["ada", "Passwords"]
