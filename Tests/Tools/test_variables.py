"""Every variable that a program of ours reads stands in `Docs/threats.md`, with why it may."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
TABLE = ROOT / "Docs/threats.md"
HEADING = "## What is taken from the environment"
# What gets at the variables of a process, in Swift and in C.
READS = re.compile(
    r"\b(?:getenv|secure_getenv|environ|ProcessEnvironment|ProcessInfo)\b|[Ee]nvironment\b|\bvariables\b"
)
# The places where they come in. Everything else is handed what it may know.
DOORS = {
    "Sources/KeywaySystem/Installation/KeywayPaths.swift",
    "Sources/KeywaySystem/Processes/InheritedEnvironment.swift",
    "Sources/KeywaySystem/Processes/ProcessHardening.swift",
    "Sources/SheetInterface/Serving/SheetEnvironment.swift",
    "Providers/PasswordStore/Sources/PasswordStore/Store/StoreSettings.swift",
    "Providers/Template/Sources/__NAME__/SampleStore.swift",
}
DOOR = re.compile(r"\b(?:getenv|secure_getenv)\(|\benviron\b|ProcessInfo\.processInfo\.environment")
NAME = re.compile(r'"([A-Z][A-Z0-9]*(?:_[A-Z0-9]+)*_?)"')
# Words in such files that name something else.
OTHERS = {"C", "DECRYPTION_INFO", "DECRYPTION_OKAY", "END_ENCRYPTION", "FILE", "ICE", "POSIX"}


def sources() -> list[Path]:
    folders = (ROOT / "Sources", ROOT / "Providers")
    return [path for folder in folders for path in folder.rglob("*") if path.suffix in {".swift", ".c", ".h"}]


def code(path: Path) -> str:
    """What is compiled: without comments."""
    return re.sub(r"(?m)^\s*//.*$", "", path.read_text())


def read() -> dict[str, str]:
    """The variables that are named where the environment is spoken of, and one file that does."""
    found = {}
    for path in sources():
        text = code(path)
        if READS.search(text):
            found |= {name: str(path.relative_to(ROOT)) for name in NAME.findall(text) if name not in OTHERS}
    return found


def documented() -> set[str]:
    """The first column of the table."""
    section = TABLE.read_text().split(HEADING)[1].split("\n## ")[0]
    cells = [line.split("|")[1] for line in section.splitlines() if line.startswith("| `")]
    return {name.removesuffix("…") for cell in cells for name in re.findall(r"`([A-Za-z0-9_]+…?)`", cell)}


def test_every_variable_that_is_read_is_documented():
    listed = documented()
    assert {name: file for name, file in read().items() if name not in listed} == {}


def test_no_variable_is_read_elsewhere_than_at_the_doors():
    assert {str(path.relative_to(ROOT)) for path in sources() if DOOR.search(code(path))} <= DOORS


def test_the_bus_of_the_system_is_not_among_them():
    assert not [
        path for path in sources() if "DBUS_SYSTEM_BUS_ADDRESS" in code(path) or "sd_bus_open_system" in code(path)
    ]
