"""Raw values, asked of the module itself: a small program that prints them, compiled against what is built."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

from .graph import module_maps

SOURCE = "raw-values.swift"


def ask(root: Path, folder: Path, modules: list[str], expressions: list[str]) -> dict[str, str]:
    """What each expression is; compiled anew only after the module or the questions changed."""
    if not expressions:
        return {}
    debug = root / ".build" / "debug"
    objects = [path for name in modules for path in objects_of(debug / f"{name}.build")]
    source, program = folder / SOURCE, folder / "raw-values"
    lines = [f'print(#"{each}"#, {each}, separator: "\\t")' for each in expressions]
    text = "\n".join(["import AuthenticationServices", *lines, ""])
    newest = max(path.stat().st_mtime for path in objects)
    if not (program.exists() and source.read_text() == text and program.stat().st_mtime > newest):
        source.write_text(text)
        compile_program(root, source, program, objects)
    printed = subprocess.run([str(program)], check=True, capture_output=True, text=True).stdout
    return dict(line.split("\t", 1) for line in printed.splitlines())


def objects_of(folder: Path) -> list[Path]:
    """The objects of a target as it is now; those of sources that are gone stay in the folder, too."""
    listing = folder / "output-file-map.json"
    if not listing.exists():
        return sorted(folder.rglob("*.o"))
    return [Path(entry["object"]) for entry in json.loads(listing.read_text()).values() if "object" in entry]


def compile_program(root: Path, source: Path, program: Path, objects: list[Path]) -> None:
    modules = root / ".build" / "debug" / "Modules"
    command = ["swiftc", "-Onone", "-swift-version", "6", "-I", str(modules), "-o", str(program)]
    command += module_maps(root)
    made = subprocess.run([*command, str(source), *map(str, objects)], capture_output=True, text=True)
    if made.returncode:
        sys.exit(f"{source.name} does not build against the module:\n{made.stdout}{made.stderr}")
