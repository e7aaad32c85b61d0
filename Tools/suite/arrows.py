"""The direction of dependencies: which target may import what (the table in ARCHITECTURE.md is made from it)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

# NSError is part of the surface of the API's modules; nobody else who ships pays for Foundation's start and size.
# Tests do not ship.
FOUNDATION_ROOMS = [
    "AuthenticationServices",
    "BrokerTestSupport",
    "CryptoKit",
    "ImportedErrors",
    "LocalAuthentication",
    "PasswordStore",
    "PasswordsApp",
    "PasswordsExtension",
    "keyway-password-store",
    "keyway-passwords",
    "keyway-passwords-extension",
]
IMPORT = re.compile(
    r"^\s*(?:@\w+(?:\([^)]*\))?\s+)*(?:(?:public|package|internal|private|fileprivate)\s+)?"
    r"import\s+(?:(?:struct|class|enum|protocol|func|var|let|typealias)\s+)?(\w+)"
)
TABLE_BEGIN = "<!-- arrows: written by `Tools/lint-arrows --write` -->"
TABLE_END = "<!-- /arrows -->"


@dataclass
class Room:
    """A target of Package.swift: its folder, and what it says it depends on."""

    name: str
    folder: Path
    kind: str
    uses: list[str]

    @property
    def module(self) -> str:
        return self.name.replace("-", "_")


def rooms_of(package: dict, root: Path) -> list[Room]:
    """Reads `swift package dump-package`; a target in C is of kind `c`, whether ours or the system's."""
    rooms = []
    for target in package["targets"]:
        folder = Path(target.get("path") or f"{'Tests' if target['type'] == 'test' else 'Sources'}/{target['name']}")
        in_c = target["type"] == "system" or not any((root / folder).rglob("*.swift"))
        uses = [next(iter(dependency.values()))[0] for dependency in target["dependencies"]]
        rooms.append(Room(target["name"], folder, "c" if in_c else target["type"], uses))
    return rooms


def complaints(rooms: list[Room], files: dict[Path, str]) -> Iterator[str]:
    """Every import that goes against the arrows, and a table in ARCHITECTURE.md that tells another story."""
    modules = {room.module: room for room in rooms}
    importers: dict[str, set[str]] = {room.module: set() for room in rooms if room.kind == "c"}
    for room in rooms:
        for path, number, module in imports(room, files):
            if module == "Foundation" and room.kind != "test" and room.name not in FOUNDATION_ROOMS:
                yield f"{path}:{number}: {room.name} imports Foundation; only {' and '.join(FOUNDATION_ROOMS)} may"
            if module in modules and modules[module].name not in room.uses and module != room.module:
                yield f"{path}:{number}: {room.name} imports {module}, which Package.swift does not give it"
            if module in importers and room.kind != "test":
                importers[module].add(room.name)
    for module, names in importers.items():
        if len(names) > 1:
            yield f"Package.swift:1: {module} is imported by {', '.join(sorted(names))}; a C module has one door"
    architecture = files.get(Path("ARCHITECTURE.md"))
    if architecture is not None and table(rooms) not in architecture:
        yield "ARCHITECTURE.md:1: the table of the rooms is not that of Package.swift; run `Tools/lint-arrows --write`"


def imports(room: Room, files: dict[Path, str]) -> Iterator[tuple[Path, int, str]]:
    for path, text in files.items():
        if path.suffix == ".swift" and path.is_relative_to(room.folder):
            for number, line in enumerate(text.splitlines(), 1):
                if match := IMPORT.match(line):
                    yield path, number, match[1]


def table(rooms: list[Room]) -> str:
    """The rooms and their arrows as Markdown, between the marks that ARCHITECTURE.md holds."""
    lines = [TABLE_BEGIN, "| room | may import |", "| --- | --- |"]
    for room in rooms:
        if room.kind not in ("c", "test"):
            lines.append(f"| `{room.name}` | {', '.join(f'`{name}`' for name in room.uses) or '(nothing of ours)'} |")
    return "\n".join([*lines, TABLE_END])


def with_table(page: str, rooms: list[Room]) -> str:
    """The page with the table that is true now in place of the old one."""
    before, _, rest = page.partition("<!-- arrows:")
    _, _, after = rest.partition(TABLE_END)
    return before + table(rooms) + after
