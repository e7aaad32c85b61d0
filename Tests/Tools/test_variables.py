"""Every variable that a program of ours reads stands in `Docs/threats.md`, with why it may."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

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
# What a program that is installed for everybody takes as it is, and where the code says so.
TAKEN = ROOT / "Sources/KeywaySystem/Installation/SystemEnvironment.swift"
# Read by programs that are nobody's but an author's, or that have a list of harmless values.
ELSEWHERE = {"KEYWAY", "TMPDIR", "GDK_BACKEND", "GDK_SCALE", "ADW_DEBUG_COLOR_SCHEME"}
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


def rows() -> list[tuple[list[str], str]]:
    """The variables of each row of the tables, and its last column."""
    section = TABLE.read_text().split(HEADING)[1].split("\n## ")[0]
    rows = [line.strip("|").split("|") for line in section.splitlines() if line.startswith("| `")]
    return [(re.findall(r"`([A-Za-z0-9_]+…?)`", row[0]), row[-1].strip()) for row in rows]


def documented() -> set[str]:
    """The first column of the tables."""
    return {name.removesuffix("…") for names, _ in rows() for name in names}


def taken() -> set[str]:
    """The variables that a program which is installed for everybody takes from whoever starts it."""
    lists = re.findall(r"let (?:harmless|programFolders): Set<String> = \[(.*?)\]", code(TAKEN), re.DOTALL)
    assert len(lists) == 2
    return {name for each in lists for name in NAME.findall(each)}


def test_every_variable_that_is_read_is_documented():
    listed = documented()
    assert {name: file for name, file in read().items() if name not in listed} == {}


@pytest.mark.parametrize("names, effect", rows(), ids=lambda value: value[0] if isinstance(value, list) else "")
def test_what_is_taken_system_wide_is_what_the_table_says_is_read(names: list[str], effect: str):
    """Of a row that says otherwise of some, the words of its last column are what they are."""
    plain = {name for name in names if not name.startswith("LC_") and not name.endswith("…")} - ELSEWHERE
    if effect.split(":")[0] == "read":
        assert plain <= taken()
    elif re.match(r"(?:replaced|not read|not passed on|set)\b", effect):
        assert plain & taken() == set()


def test_whatever_is_taken_system_wide_stands_in_the_table_as_read():
    told = {name for names, effect in rows() if re.search(r"(?<!not )\bread\b", effect) for name in names}
    assert taken() - told == set()


def test_no_variable_is_read_elsewhere_than_at_the_doors():
    assert {str(path.relative_to(ROOT)) for path in sources() if DOOR.search(code(path))} <= DOORS


def test_the_bus_of_the_system_is_not_among_them():
    assert not [
        path for path in sources() if "DBUS_SYSTEM_BUS_ADDRESS" in code(path) or "sd_bus_open_system" in code(path)
    ]
