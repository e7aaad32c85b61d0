"""The attacks that the project tests itself against, and the page that says how: `Docs/attacks.md`.

`Tests/Mutants/attacks.toml` lists them. `[[attack]]`: `id`, `what`, and in `missing` what of it is not tested yet.
`[[file]]`: a file of which every test is an attack test, so that each needs a mutant or a line in `without`.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from mutation.mutant import FOLDER, Mistake, Mutant
from mutation.named_test import written_in

LIST = FOLDER / "attacks.toml"
PAGE = Path("Docs/attacks.md")
HEAD = """# Attacks, tests, mutants

<!-- written by `Tools/mutants --write` from Tests/Mutants; make lint compares -->

Each attack that Keyway is tested against, the tests that try it, and the mutants that show that these tests bite: a
mutant is a small change of the code that switches a guard off, and `make mutants` fails unless the test beside it then
fails. T1 to T38 are attacks and faults known from other managers; K1 and the following are our own. What is not tested
yet is said so.
"""


@dataclass(frozen=True)
class Attack:
    """`missing` is empty where everything that the attack says is tested."""

    id: str
    what: str
    missing: str = ""


@dataclass(frozen=True)
class AttackFile:
    """`without` gives, for a test of the file that has no mutant, the reason."""

    path: str
    without: dict[str, str]


def read_attacks(root: Path) -> tuple[list[Attack], list[AttackFile]]:
    try:
        tables = tomllib.loads((root / LIST).read_text())
        attacks = [Attack(**table) for table in tables["attack"]]
        files = [AttackFile(table["path"], table.get("without", {})) for table in tables.get("file", [])]
    except (OSError, tomllib.TOMLDecodeError, KeyError, TypeError) as error:
        raise Mistake(f"{LIST}: {error}") from error
    return attacks, files


def complaints(root: Path, attacks: list[Attack], files: list[AttackFile], mutants: list[Mutant]) -> Iterator[str]:
    known = {attack.id for attack in attacks}
    for mutant in mutants:
        if unknown := [name for name in mutant.attack if name not in known]:
            yield f"{mutant.source}: {mutant.name}: {LIST} lists no attack {', '.join(unknown)}"
    used = {name for mutant in mutants for name in mutant.attack}
    for attack in attacks:
        if attack.id not in used and not attack.missing:
            yield f"{LIST}: {attack.id} has no mutant, and does not say why"
    for file in files:
        yield from uncovered(root, file, mutants)


def uncovered(root: Path, file: AttackFile, mutants: list[Mutant]) -> Iterator[str]:
    """The tests of an attack file that nothing shows to bite, and reasons for tests that are not there."""
    if not (root / file.path).is_file():
        yield f"{LIST}: there is no file {file.path}"
        return
    tests = written_in(root, file.path)
    covered = {mutant.test.function.name for mutant in mutants if holds(file.path, mutant)}
    for test in tests:
        pattern = ".*".join(map(re.escape, re.split(r"\$\{[^}]*\}", test)))
        if test not in file.without and not any(re.fullmatch(pattern, name) for name in covered):
            yield f"{file.path}: no mutant shows that {test!r} can fail"
    for test in file.without:
        if test not in tests:
            yield f"{LIST}: {file.path} holds no test {test!r}"


def holds(path: str, mutant: Mutant) -> bool:
    place = mutant.test.place
    return path == place or (mutant.test.runner == "swift" and path.startswith(f"Tests/{place}/"))


def page(attacks: list[Attack], mutants: list[Mutant]) -> str:
    """The whole of `Docs/attacks.md`."""
    lines = [HEAD, "| attack | | tests | mutants | not yet |", "| --- | --- | --- | --- | --- |"]
    for attack in attacks:
        own = [mutant for mutant in mutants if attack.id in mutant.attack]
        tests = len({mutant.test.function for mutant in own})
        lines.append(f"| {attack.id} | {attack.what} | {tests or ''} | {len(own) or ''} | {attack.missing} |")
    lines.append(f"\n{len(mutants)} mutants. Each below with its test, and what the code does once it is applied.")
    for attack in attacks:
        if own := [mutant for mutant in mutants if attack.id in mutant.attack]:
            lines += ["", f"## {attack.id}", "", *(line(mutant) for mutant in own)]
    return "\n".join(lines) + "\n"


def line(mutant: Mutant) -> str:
    return f"* `{mutant.name}`: {mutant.why}\n  `{mutant.test}`"
