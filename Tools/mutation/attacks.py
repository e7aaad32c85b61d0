"""The attacks that the project tests itself against, and the page that says how: `Docs/attacks.md`.

`Tests/Mutants/attacks.toml` lists them. `[[attack]]`: `id`, `what`, and in `missing` what of it is not tested yet.
`[[file]]`: a file, by its name in whatever folder (with the folder's where several are called so), of which every test
is an attack test, so that each needs a mutant or a line in `without`.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from mutation.mutant import FOLDER, Mistake, Mutant
from mutation.named_test import written_in
from mutation.tree import Tree

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

    name: str
    without: dict[str, str]


def read_attacks(tree: Tree) -> tuple[list[Attack], list[AttackFile]]:
    try:
        tables = tomllib.loads(tree.texts[str(LIST)])
        attacks = [Attack(**table) for table in tables["attack"]]
        files = [AttackFile(table["name"], table.get("without", {})) for table in tables.get("file", [])]
    except (tomllib.TOMLDecodeError, KeyError, TypeError) as error:
        raise Mistake(f"{LIST}: {error}") from error
    return attacks, files


def complaints(tree: Tree, attacks: list[Attack], files: list[AttackFile], mutants: list[Mutant]) -> Iterator[str]:
    known = {attack.id for attack in attacks}
    for mutant in mutants:
        if unknown := [name for name in mutant.attack if name not in known]:
            yield f"{mutant.source}: {mutant.name}: {LIST} lists no attack {', '.join(unknown)}"
    used = {name for mutant in mutants for name in mutant.attack}
    for attack in attacks:
        if attack.id not in used and not attack.missing:
            yield f"{LIST}: {attack.id} has no mutant, and does not say why"
    for file in files:
        yield from uncovered(tree, file, mutants)


def uncovered(tree: Tree, file: AttackFile, mutants: list[Mutant]) -> Iterator[str]:
    """The tests of an attack file that nothing shows to bite, and reasons for tests that are not there."""
    paths = [path for path in tree.tests if PurePosixPath(path).match(file.name)]
    if len(paths) != 1:
        yield f"{LIST}: {len(paths)} files of tests are called {file.name}, not one"
        return
    tests = written_in(paths[0], tree.texts[paths[0]])
    covered = {mutant.test.function.name for mutant in mutants if mutant.test.file == paths[0]}
    for test in tests:
        pattern = ".*".join(map(re.escape, re.split(r"\$\{[^}]*\}", test)))
        if test not in file.without and not any(re.fullmatch(pattern, name) for name in covered):
            yield f"{paths[0]}: no mutant shows that {test!r} can fail"
    for test in file.without:
        if test not in tests:
            yield f"{LIST}: {paths[0]} holds no test {test!r}"


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
