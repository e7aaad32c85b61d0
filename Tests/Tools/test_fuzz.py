"""The fuzz targets say which modules they need, and in which order."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
IMPORT = re.compile(r"^(?:@\w+ )?(?:public |package |internal |private )?import (?:struct |enum )?(\w+)", re.MULTILINE)


def is_ours(module: str) -> bool:
    """Whether its source is compiled; what only names a library of the system is found by itself."""
    folder = folder_of(module)
    return folder.is_dir() and not (folder / "module.modulemap").exists()


def folder_of(module: str) -> Path:
    in_c = ROOT / "Sources/C" / module
    return in_c if in_c.is_dir() else ROOT / "Sources" / module


@pytest.mark.parametrize("target", sorted((ROOT / "Fuzz").glob("*/modules")), ids=lambda path: path.parent.name)
def test_every_module_stands_after_those_that_it_imports(target):
    names = target.read_text().split()
    for position, name in enumerate(names):
        sources = folder_of(name).rglob("*.swift")
        imported = {module for source in sources for module in IMPORT.findall(source.read_text()) if is_ours(module)}
        assert imported - {name} <= set(names[:position]), name
