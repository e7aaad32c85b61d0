"""The fuzz targets say which modules they need, and in which order."""

from __future__ import annotations

import re
import sys
from importlib.machinery import SourceFileLoader
from importlib.util import module_from_spec, spec_from_loader
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


def test_a_module_whose_folder_moved_is_compiled_anew(tmp_path, monkeypatch):
    loader = SourceFileLoader("fuzz_run", str(ROOT / "Fuzz/run"))
    run = module_from_spec(spec_from_loader(loader.name, loader))
    monkeypatch.setitem(sys.modules, loader.name, run)
    loader.exec_module(run)
    monkeypatch.setattr(run, "ROOT", tmp_path)
    output, made = tmp_path / "module.o", []

    def make() -> None:
        made.append(output)
        output.touch()

    (tmp_path / "here").mkdir()
    (tmp_path / "here/a.c").touch()
    for _ in range(2):
        run.once(output, [tmp_path / "here/a.c"], [], make)
    (tmp_path / "here").rename(tmp_path / "there")
    run.once(output, [tmp_path / "there/a.c"], [], make)
    assert len(made) == 2
