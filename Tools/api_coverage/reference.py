"""The rows of the checklist, each with the declarations that the reference's Swift blocks give it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from api_coverage.declarations import TYPES, Declaration, parse, without_comment

SECTIONS = "ABCDEFGH"
STATED = [re.compile(pattern) for pattern in (r'\braw "([^"]+)"', r'\bvalue [^":]*: "([^"]+)"', r"^(-?\d+)\b")]
MARKER = re.compile(r"// \[([A-Z]\d+)\]")


@dataclass
class Row:
    """One row of the checklist."""

    identifier: str
    kind: str
    symbol: str
    owner: str = ""
    """The path of the type that the symbol is a member of; empty for what stands by itself."""
    texts: list[tuple[str, str]] = field(default_factory=list)
    """The declarations as the reference spells them, each with the comment behind it."""
    declarations: list[Declaration] = field(default_factory=list)

    @property
    def section(self) -> str:
        return self.identifier[0]


@dataclass
class Scope:
    """The types there are, to find the one that a short name means."""

    types: set[str]

    def resolve(self, name: str, owner: str) -> str:
        """The path of the type called `name` inside `owner`."""
        if name == "Self":
            return owner
        if name.startswith("Self."):
            name = f"{owner}.{name.removeprefix('Self.')}"
        around = owner.split(".") if owner else []
        for depth in range(len(around), -1, -1):
            path = ".".join([*around[:depth], name])
            if path in self.types:
                return path
        return name


def read_rows(checklist: Path, reference: Path, prose: Path) -> list[Row]:
    """All rows of sections A to H, in order."""
    rows = [Row(*line.split("\t")[:3]) for line in checklist.read_text().splitlines()[1:]]
    rows = [row for row in rows if row.section in SECTIONS]
    blocks = read_blocks(reference.read_text())
    for row in rows:
        if row.identifier in blocks:
            row.texts.append(blocks[row.identifier])
    said = {row.identifier: row for row in rows}
    for line in table_lines(prose):
        identifier, declaration, *_ = line.split("\t")
        said[identifier].texts.append((declaration, ""))
    place(rows)
    types = {type_path(row) for row in rows if row.kind == "T"}
    scope = Scope(types)
    for row in rows:
        row.declarations = [
            parse(text, lambda name, row=row: scope.resolve(name, inside(row))) for text, _ in row.texts
        ]
    return rows


def table_lines(path: Path) -> list[str]:
    """The lines of a table that are neither empty, nor a comment, nor its head."""
    lines = [line for line in path.read_text().splitlines() if line.strip() and not line.startswith("#")]
    return lines[1:]


def read_blocks(text: str) -> dict[str, tuple[str, str]]:
    """What follows each `// [A3] …` in a Swift block: the declaration and its comments."""
    found: dict[str, tuple[str, str]] = {}
    for block in re.findall(r"^```swift\n(.*?)^```", text, re.MULTILINE | re.DOTALL):
        current, code, comments = None, [], []
        for line in [*block.splitlines(), ""]:
            marker = MARKER.match(line)
            if marker or not line.strip() or line.startswith("//"):
                if current and code:
                    found[current] = (" ".join(code), " ".join(comments))
                    current, code, comments = None, [], []
                current = marker[1] if marker else current
                continue
            if current:
                piece, comment = without_comment(line)
                code.append(piece.strip())
                comments += [comment] if comment else []
    return found


def type_path(row: Row) -> str:
    """The path of a type's row; the checklist adds examples of members in brackets."""
    return row.symbol.split(" ")[0]


def inside(row: Row) -> str:
    """Where the names in a row's declaration are looked up."""
    return type_path(row) if row.kind == "T" else row.owner


def owner_of(row: Row, declaration: Declaration) -> str:
    """The type that a declaration is a member of; what is said of a type beside its own declaration is inside it."""
    return type_path(row) if row.kind == "T" and declaration.keyword not in TYPES else row.owner


def raw_values(row: Row) -> Iterator[tuple[str, str]]:
    """The raw values that the reference states, each with the Swift expression that has it."""
    for declaration, (_, comment) in zip(row.declarations, row.texts, strict=True):
        value = declaration.value
        if value is None and row.kind == "C":
            stated = next((found for pattern in STATED if (found := pattern.search(comment))), None)
            value = stated[1] if stated else None
        if value is None or declaration.keyword not in {"case", "var"}:
            continue
        owner = owner_of(row, declaration)
        yield f"{owner}.{declaration.name}.rawValue" if owner else declaration.name, value.strip('"')


def place(rows: list[Row]) -> None:
    """Finds each row's owner: the path before its name, spelled out, or the type above it."""
    types = {type_path(row) for row in rows if row.kind == "T"} | {"EnvironmentValues"}
    last = ""
    for row in (each for each in rows if each.kind != "K"):
        head = re.split(r"[(\s\[]", row.symbol, maxsplit=1)[0]
        if row.kind == "T":
            row.owner, last = type_path(row).rpartition(".")[0], type_path(row)
            continue
        before = head.removesuffix("...").rpartition(".")[0]
        if before:
            row.owner = before if before in types else next(each for each in types if each.endswith("." + before))
            continue
        alone = bool(row.texts) and row.texts[0][0].startswith("public let ")
        row.owner = "" if alone else last.split(".")[0]
