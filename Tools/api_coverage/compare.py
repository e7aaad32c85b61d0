"""What makes two declarations of one symbol different, in words."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from api_coverage.declarations import Declaration
from api_coverage.graph import Module, Symbol
from api_coverage.reference import Row, owner_of

OF_TYPE = {"static", "class"}
COMPOSED = {"Codable": {"Decodable", "Encodable"}}


def differences(wanted: Declaration, found: Symbol, *, isolated: bool, in_protocol: bool) -> set[str]:
    """The aspects in which the module's symbol is not what the reference declares; empty when they agree."""
    return set(aspects(wanted, found, isolated=isolated, in_protocol=in_protocol))


def aspects(wanted: Declaration, symbol: Symbol, *, isolated: bool, in_protocol: bool) -> Iterator[str]:
    found = symbol.declaration
    if wanted.keyword != found.keyword:
        yield "kind"
        return
    if wanted.keyword != "case" and not in_protocol and (wanted.access or "public") != found.access:
        yield "access"
    for word in ("final", "convenience", "weak"):
        if (word in wanted.modifiers) != (word in found.modifiers):
            yield word
    if wanted.modifiers & OF_TYPE != found.modifiers & OF_TYPE:
        yield "static or class"
    if "optional" in wanted.modifiers and not symbol.has_default:
        yield "optional"
    if isolated != symbol.isolated and wanted.keyword != "case":
        yield "isolation"
    if ("discardableResult" in wanted.attributes) and "discardableResult" not in found.attributes:
        yield "discardable result"
    yield from signature(wanted, found)
    for name in wanted.inherits:
        if not inherits(name, wanted, symbol):
            yield f"conforms to {name}"


def signature(wanted: Declaration, found: Declaration) -> Iterator[str]:
    if [each.label for each in wanted.parameters] != [each.label for each in found.parameters]:
        yield "labels"
    elif [each.type for each in wanted.parameters] != [each.type for each in found.parameters]:
        yield "parameter types"
    elif [each.default for each in wanted.parameters] != [each.default for each in found.parameters]:
        yield "defaults"
    if wanted.effects != found.effects:
        yield "effects"
    if wanted.failable != found.failable:
        yield "failable"
    if wanted.type != found.type:
        yield "type"
    if wanted.settable != found.settable:
        yield "settable"


def inherits(name: str, wanted: Declaration, symbol: Symbol) -> bool:
    """Whether the symbol conforms to, or inherits from, `name`; for an enumeration it may be its raw value's type."""
    if wanted.keyword == "enum" and name in {"Int", "UInt", "String"}:
        return "RawRepresentable" in symbol.conforms
    return COMPOSED.get(name, {name}) <= symbol.conforms


@dataclass
class Judgement:
    """How the module stands to one row."""

    missing: list[str] = field(default_factory=list)
    """The declarations that the module has nothing for."""
    differing: set[str] = field(default_factory=set)
    """In what the module's declarations are not the reference's."""
    instead: list[str] = field(default_factory=list)
    """What the module declares where it differs."""

    @property
    def is_there(self) -> bool:
        return not self.missing and not self.differing


def judge(row: Row, module: Module, types: dict[str, Row]) -> Judgement:
    made = Judgement()
    for wanted in row.declarations:
        owner = owner_of(row, wanted)
        of = types[owner].declarations[0] if owner in types else None
        isolated = "MainActor" in wanted.attributes or (of is not None and "MainActor" in of.attributes)
        in_protocol = of is not None and of.keyword == "protocol"
        candidates = module.named(owner, wanted.path_name)
        if not candidates:
            made.missing.append(wanted.text)
            continue
        judged = [(differences(wanted, each, isolated=isolated, in_protocol=in_protocol), each) for each in candidates]
        different, nearest = min(judged, key=lambda pair: len(pair[0]))
        if different:
            made.differing |= different
            made.instead.append(nearest.declaration.text)
    return made
