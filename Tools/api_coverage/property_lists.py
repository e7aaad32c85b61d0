"""Section H: the keys that the registry of providers reads, from its one table of them."""

from __future__ import annotations

import re
from pathlib import Path

TABLE = "PropertyListKey"
CASE = re.compile(r'^\s*case\s+`?(\w+)`?\s*=\s*"([^"]+)"', re.MULTILINE)


def keys(root: Path) -> dict[str, str]:
    """The keys of the table, each with the name of its case."""
    made = {}
    for source in sorted((root / "Sources" / "AutoFillBroker").rglob(f"*{TABLE}*.swift")):
        text = source.read_text()
        if re.search(rf"\benum {TABLE}\b", text):
            made |= {key: case for case, key in CASE.findall(text)}
    return made


def untested(root: Path, table: dict[str, str]) -> set[str]:
    """The keys that no test of the registry speaks of, neither by the key nor by its case."""
    tests = "\n".join(path.read_text() for path in (root / "Tests" / "AutoFillBrokerTests").rglob("*.swift"))
    return {key for key, case in table.items() if not re.search(rf'"{re.escape(key)}"|\.{case}\b', tests)}
