"""The labels of a folder of pages, and what a run of the detection is worth against them."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from pathlib import Path

# What a manager has something to do with; `email` and `none` are offered nothing.
OFFERED = {"username", "current-password", "new-password", "password", "one-time-code"}
ROLES = OFFERED | {"email", "none"}


class ScoreError(Exception):
    """The score could not be taken; the text says why."""


@dataclass(frozen=True)
class Label:
    """A labelled field: its number in the page, and what should be found."""

    number: int
    role: str


@dataclass(frozen=True)
class Page:
    """A page of a folder with its labels; `path` is where its site has it, if known."""

    file: Path
    path: str
    labels: tuple[Label, ...]


@dataclass
class Score:
    """Right roles among the fields that have one, and offers on fields that have none."""

    right: int = 0
    total: int = 0
    false_offers: int = 0
    others: int = 0
    mistakes: list[str] = field(default_factory=list)

    def add(self, other: Score) -> None:
        self.right += other.right
        self.total += other.total
        self.false_offers += other.false_offers
        self.others += other.others
        self.mistakes += other.mistakes

    def as_json(self) -> dict:
        return {
            "fields": {"right": self.right, "total": self.total},
            "falseOffers": self.false_offers,
            "otherFields": self.others,
            "mistakes": self.mistakes,
        }


def read_pages(folder: Path) -> list[Page]:
    """The pages of a folder that holds `labels.json` and `pages/`."""
    try:
        pages = json.loads((folder / "labels.json").read_text(encoding="utf-8"))["pages"]
        return [read_page(folder / "pages" / name, page) for name, page in sorted(pages.items())]
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise ScoreError(f"{folder} has no readable labels.json and pages: {error}") from error


def read_page(file: Path, page: dict) -> Page:
    labels = tuple(Label(each["field"], each["role"]) for each in page["fields"])
    if unknown := {label.role for label in labels} - ROLES:
        raise ScoreError(f"{file.name} has labels that are no roles: {', '.join(sorted(unknown))}")
    if len({label.number for label in labels}) != len(labels):
        raise ScoreError(f"{file.name} labels a field twice")
    if not file.is_file():
        raise ScoreError(f"{file.name} has labels and is not there")
    return Page(file, page.get("url") or "", labels)


def score(page: Page, given: dict[int, str]) -> Score:
    """What the roles that were given to the fields of a page are worth. Every labelled field needs one."""
    if missing := [str(label.number) for label in page.labels if label.number not in given]:
        raise ScoreError(f"{page.file.name}: these labelled fields were not judged: {', '.join(missing)}")
    result = Score()
    for label in page.labels:
        wanted = label.role if label.role in OFFERED else "none"
        got = given[label.number]
        is_right = got == wanted or (wanted == "password" and got.endswith("-password"))
        if wanted == "none":
            result.others += 1
            result.false_offers += not is_right
        else:
            result.total += 1
            result.right += is_right
        if not is_right:
            result.mistakes.append(f"{page.file.name} {label.number}: {label.role}, not {got}")
    return result
