"""The module as the compiler describes it: its symbol graph, read into the same declarations as the reference."""

from __future__ import annotations

import json
import subprocess
from dataclasses import dataclass, field
from pathlib import Path

from api_coverage.declarations import Declaration, Unreadable, parse
from api_coverage.reference import Scope


@dataclass
class Symbol:
    """One public symbol of the module."""

    path: str
    declaration: Declaration
    isolated: bool = False
    """Whether it belongs to the main actor, by itself or by the type that it is a member of."""
    conforms: set[str] = field(default_factory=set)
    """The protocols and the superclass, with all that follow from them."""
    has_default: bool = False
    """For a requirement of a protocol: whether there is an implementation for those who bring none."""


@dataclass
class Module:
    """The public symbols, by their paths; overloads stand side by side."""

    symbols: dict[str, list[Symbol]]

    def named(self, owner: str, name: str) -> list[Symbol]:
        return self.symbols.get(f"{owner}.{name}" if owner else name, [])


def extract(root: Path, module: str, folder: Path, *, access: str = "public") -> dict:
    """The symbol graph of a module that is built; a moment's work, nothing is compiled."""
    folder.mkdir(parents=True, exist_ok=True)
    debug = root / ".build" / "debug"
    command = ["swift", "symbolgraph-extract", "-module-name", module, "-I", str(debug / "Modules")]
    command += module_maps(root)
    command += ["-target", target(), "-minimum-access-level", access, "-skip-synthesized-members"]
    subprocess.run([*command, "-output-dir", str(folder)], check=True)
    return json.loads((folder / f"{module}.symbols.json").read_text())


def module_maps(root: Path) -> list[str]:
    """Where the compiler finds the modules in C: those that are built, and those of the system's libraries."""
    built = sorted((root / ".build" / "debug").glob("*.build/module.modulemap"))
    system = sorted((root / "Sources/C").glob("*/module.modulemap"))
    return [word for path in [*built, *system] for word in ("-Xcc", f"-fmodule-map-file={path}")]


def target() -> str:
    """What the compiler builds for here, as it names it itself."""
    described = subprocess.run(["swiftc", "-print-target-info"], check=True, capture_output=True).stdout
    return json.loads(described)["target"]["triple"]


def read_module(graph: dict) -> Module:
    """Reads every symbol that is a declaration the reference can name."""
    types = {
        ".".join(symbol["pathComponents"])
        for symbol in graph["symbols"]
        if symbol["kind"]["identifier"].rpartition(".")[2] in {"class", "struct", "enum", "protocol", "typealias"}
    }
    scope = Scope(types)
    by_identifier: dict[str, Symbol] = {}
    for entry in graph["symbols"]:
        if symbol := read_symbol(entry, scope, types):
            by_identifier[entry["identifier"]["precise"]] = symbol
    relate(graph, by_identifier)
    made: dict[str, list[Symbol]] = {}
    for symbol in by_identifier.values():
        made.setdefault(symbol.path, []).append(symbol)
    return Module(made)


def read_symbol(entry: dict, scope: Scope, types: set[str]) -> Symbol | None:
    path = ".".join(entry["pathComponents"])
    owner = path if path in types else ".".join(entry["pathComponents"][:-1])
    text = "".join(fragment["spelling"] for fragment in entry["declarationFragments"])
    try:
        made = parse(text, lambda name: scope.resolve(name, owner))
    except Unreadable:  # an operator, a subscript: nothing that the reference names
        return None
    made.access = entry["accessLevel"]
    made.text = f"{made.access} {made.text}"
    return Symbol(path, made, isolated="MainActor" in made.attributes)


def relate(graph: dict, symbols: dict[str, Symbol]) -> None:
    """Adds what the relationships say: conformances, superclasses, implementations given to those without one."""
    above: dict[str, set[str]] = {}
    for each in graph["relationships"]:
        source = symbols.get(each["source"])
        if each["kind"] in {"conformsTo", "inheritsFrom"} and source:
            goal = symbols.get(each["target"])
            name = goal.path if goal else each.get("targetFallback", each["target"]).partition(".")[2]
            above.setdefault(source.path, set()).add(name)
        elif each["kind"] == "defaultImplementationOf" and (requirement := symbols.get(each["target"])):
            requirement.has_default = True
    for symbol in symbols.values():
        symbol.conforms = closure(symbol.path, above)


def closure(path: str, above: dict[str, set[str]]) -> set[str]:
    found: set[str] = set()
    waiting = [path]
    while waiting:
        for name in above.get(waiting.pop(), set()) - found:
            found.add(name)
            waiting.append(name)
    return found
