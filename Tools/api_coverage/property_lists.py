"""Section H: the keys that are read, from the tables of them: the registry's, and that of entitlements."""

from __future__ import annotations

import re
from pathlib import Path

TABLES = {"ProviderHosting": "PropertyListKey", "AuthenticationServices": "EntitlementKey"}
CASE = re.compile(r'^\s*case\s+`?(\w+)`?\s*=\s*"([^"]+)"', re.MULTILINE)


def keys(root: Path) -> dict[str, str]:
    """The keys of the tables, each with the name of its case."""
    made = {}
    for module, table in TABLES.items():
        for source in sorted((root / "Sources" / module).rglob(f"*{table}*.swift")):
            text = source.read_text()
            if re.search(rf"\benum {table}\b", text):
                made |= {key: case for case, key in CASE.findall(text)}
    return made


def untested(root: Path, table: dict[str, str]) -> set[str]:
    """The keys that no test of whoever reads them speaks of, neither by the key nor by its case."""
    folders = [root / "Tests" / f"{module}Tests" for module in TABLES]
    tests = "\n".join(path.read_text() for folder in folders for path in folder.rglob("*.swift"))
    return {key for key, case in table.items() if not re.search(rf'"{re.escape(key)}"|\.{case}\b', tests)}
