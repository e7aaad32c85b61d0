"""A Swift declaration as a value, read from its text: from the reference's blocks and from the symbol graph alike."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field

TYPES = {"class", "struct", "enum", "protocol", "typealias", "actor"}
ACCESS = {"open", "public", "package", "internal", "fileprivate", "private"}
MODIFIERS = {
    "static", "final", "convenience", "required", "override", "weak", "optional", "mutating", "nonisolated", "lazy",
    "indirect", "unowned", "dynamic",
}  # fmt: skip
OPENING, CLOSING = "([{<", ")]}>"

Resolve = Callable[[str], str]


@dataclass(frozen=True)
class Parameter:
    """A parameter as a caller sees it; its name inside the function is nobody's business."""

    label: str
    type: str
    default: str | None = None


@dataclass
class Declaration:
    """One declaration; `text` is what it was read from."""

    keyword: str
    name: str
    text: str
    access: str | None = None
    attributes: set[str] = field(default_factory=set)
    modifiers: set[str] = field(default_factory=set)
    parameters: list[Parameter] = field(default_factory=list)
    effects: set[str] = field(default_factory=set)
    type: str = ""
    settable: bool = False
    failable: bool = False
    inherits: list[str] = field(default_factory=list)
    value: str | None = None

    @property
    def path_name(self) -> str:
        """The name with its labels, as the symbol graph spells the last component of a path."""
        if self.keyword in {"func", "init"} or (self.keyword == "case" and self.parameters):
            return self.name + "(" + "".join(f"{each.label}:" for each in self.parameters) + ")"
        return self.name


class Unreadable(Exception):
    """A text that is no declaration this parser knows."""


def without_comment(line: str) -> tuple[str, str]:
    """A line of Swift without its comment, and the comment."""
    code, mark, comment = line.partition("//")
    return (code.rstrip(), comment.strip()) if mark else (line.rstrip(), "")


def parse(text: str, resolve: Resolve = lambda name: name) -> Declaration:
    """Reads one declaration; `resolve` turns the name of a type into the path that both sides share."""
    rest = " ".join(text.split())
    attributes, modifiers, access, rest = prefix(rest)
    match = re.match(r"(class|struct|enum|protocol|typealias|actor|func|var|let|init|case)\b\s*", rest)
    if match is None:
        raise Unreadable(text)
    keyword, rest = match[1], rest[match.end() :]
    made = Declaration(keyword, "", text.strip(), access, attributes, modifiers)
    if keyword in TYPES:
        read_type(made, rest, resolve)
    elif keyword in {"var", "let"}:
        read_property(made, rest, resolve)
    elif keyword == "case":
        read_case(made, rest, resolve)
    else:
        read_function(made, rest, resolve)
    return made


def prefix(rest: str) -> tuple[set[str], set[str], str | None, str]:
    """Takes the attributes, the modifiers and the access level off the front."""
    attributes: set[str] = set()
    modifiers: set[str] = set()
    access = None
    while True:
        if match := re.match(r"@(\w+)(\([^)]*\))?\s+", rest):
            attributes.add(match[1])
        elif (match := re.match(r"(\w+)(\([^)]*\))?\s+", rest)) and match[1] in ACCESS:
            if match[2] is None:
                access = match[1]
        elif match and match[1] in MODIFIERS:
            modifiers.add(match[1])
        elif match := re.match(r"class\s+(?=(?:override\s+)?(?:func|var|let|subscript)\b)", rest):
            modifiers.add("class")
        else:
            return attributes, modifiers, access, rest
        rest = rest[match.end() :]


def read_type(made: Declaration, rest: str, resolve: Resolve) -> None:
    match = re.match(r"([\w.]+)\s*", rest)
    if match is None:
        raise Unreadable(made.text)
    made.name, rest = match[1], rest[match.end() :]
    if made.keyword == "typealias":
        made.type = normal_type(rest.removeprefix("="), resolve)
    elif rest.startswith(":"):
        inherited = rest[1:].partition(" where ")[0].strip(" {")
        made.inherits = [resolve(re.sub(r"@\w+\s+", "", each).strip()) for each in split(inherited)]


def read_property(made: Declaration, rest: str, resolve: Resolve) -> None:
    match = re.match(r"(`?\w+`?)\s*:\s*", rest)
    if match is None:
        raise Unreadable(made.text)
    made.name, rest = match[1].strip("`"), rest[match.end() :]
    type_text, accessors = rest, ""
    if (brace := top_level(rest, "{")) is not None:
        type_text, accessors = rest[:brace], rest[brace:]
    if (equals := top_level(type_text, "=")) is not None:
        type_text, made.value = type_text[:equals], type_text[equals + 1 :].strip()
    made.settable = made.keyword == "var" and (not accessors or bool(re.search(r"\bset\b", accessors)))
    made.keyword, made.type = "var", normal_type(type_text, resolve)


def read_case(made: Declaration, rest: str, resolve: Resolve) -> None:
    match = re.match(r"`?(\w+)`?\s*", rest)
    if match is None:
        raise Unreadable(made.text)
    made.name, rest = match[1], rest[match.end() :]
    if rest.startswith("("):
        end = closing(rest, 0)
        made.parameters = [parameter(each, resolve, of_case=True) for each in split(rest[1:end])]
        rest = rest[end + 1 :].strip()
    if rest.startswith("="):
        made.value = rest[1:].strip()


def read_function(made: Declaration, rest: str, resolve: Resolve) -> None:
    if made.keyword == "init":
        made.name = "init"
        made.failable, rest = rest.startswith(("?", "!")), rest.lstrip("?! ")
    else:
        match = re.match(r"(`?\w+`?|[^\w\s(]+)\s*", rest)
        if match is None:
            raise Unreadable(made.text)
        made.name, rest = match[1].strip("`"), rest[match.end() :]
    if rest.startswith("<"):
        rest = rest[closing(rest, 0) + 1 :].lstrip()
    if not rest.startswith("("):
        raise Unreadable(made.text)
    end = closing(rest, 0)
    made.parameters = [parameter(each, resolve) for each in split(rest[1:end])]
    rest = rest[end + 1 :].strip()
    effects, arrow, result = rest.partition("->")
    made.effects = {word for word in ("async", "throws") if re.search(rf"\b{word}\b", effects)}
    made.type = normal_type(result.partition(" where ")[0].strip(" {"), resolve) if arrow else ""
    if made.type in {"Void", "()"}:
        made.type = ""


def parameter(text: str, resolve: Resolve, *, of_case: bool = False) -> Parameter:
    colon = top_level(text, ":")
    if colon is None:  # an associated value without a name
        return Parameter("_", normal_type(text, resolve))
    names, type_text = text[:colon].split(), text[colon + 1 :]
    default = None
    if (equals := top_level(type_text, "=")) is not None:
        type_text, default = type_text[:equals], "".join(type_text[equals + 1 :].split())
    return Parameter(names[0].strip("`"), normal_type(type_text, resolve), default)


def normal_type(text: str, resolve: Resolve) -> str:
    """A type so that two spellings of one type are one text.

    A handler that need not be `@Sendable` takes every handler, and `any P` is what `P` says: neither is a difference.
    """
    text = re.sub(r"@(escaping|Sendable|MainActor|preconcurrency)\b", "", text)
    text = re.sub(r"\b(any|sending|inout|__owned)\s+", "", text)
    text = re.sub(r"[A-Za-z_][\w]*(?:\.[A-Za-z_]\w*)*", lambda match: resolve(match[0]), text)
    text = "".join(text.split()).replace("Swift.", "").replace("->()", "->Void")
    return re.sub(r"\(([\w.]+)\)(?=[?!])", r"\1", text)


def split(text: str) -> list[str]:
    """The parts between the commas that stand in no bracket."""
    parts, start = [], 0
    while (comma := top_level(text[start:], ",")) is not None:
        parts.append(text[start : start + comma].strip())
        start += comma + 1
    parts.append(text[start:].strip())
    return [part for part in parts if part]


def top_level(text: str, wanted: str) -> int | None:
    """Where `wanted` first stands outside every bracket."""
    depth = 0
    for index, character in enumerate(text):
        if depth == 0 and character == wanted:
            return index
        if character in OPENING:
            depth += 1
        elif character in CLOSING and not (character == ">" and text[index - 1] == "-"):
            depth -= 1
    return None


def closing(text: str, start: int) -> int:
    """Where the bracket that opens at `start` closes."""
    depth = 0
    for index in range(start, len(text)):
        if text[index] in OPENING:
            depth += 1
        elif text[index] in CLOSING and not (text[index] == ">" and text[index - 1] == "-"):
            depth -= 1
            if depth == 0:
                return index
    raise Unreadable(text)
