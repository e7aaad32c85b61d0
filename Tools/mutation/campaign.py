"""Applies mutants one after the other, in groups that share a build, and says which of them a test noticed."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from mutation.mutant import Mutant
from mutation.named_test import NamedTest
from mutation.runners import NodeRunner, PytestRunner, Runner, SwiftRunner, Verdict
from mutation.scratch import Scratch
from mutation.tree import Tree


@dataclass(frozen=True)
class Result:
    """`ending` is `red` when the test failed as it must; else what happened, and `detail` how.

    `earlier` when it was not tried now, since an earlier run saw it on the same state."""

    mutant: Mutant
    ending: str
    detail: str
    seconds: float
    earlier: bool = False

    @property
    def is_noticed(self) -> bool:
        return self.ending == "red"

    def as_json(self) -> dict:
        return {
            "mutant": self.mutant.name,
            "attack": list(self.mutant.attack),
            "test": str(self.mutant.test),
            "ending": self.ending,
            "detail": self.detail,
            "seconds": round(self.seconds, 1),
            "earlier": self.earlier,
        }


def groups(mutants: list[Mutant]) -> dict[tuple[str, str], list[Mutant]]:
    """The mutants by what is built for their tests; the quickest groups first."""
    order = ["node", "swift", "extension", "processes"]
    found: dict[tuple[str, str], list[Mutant]] = {}
    for mutant in mutants:
        found.setdefault(group_of(mutant), []).append(mutant)
    return dict(sorted(found.items(), key=lambda item: (order.index(item[0][0]), item[0][1])))


def group_of(mutant: Mutant) -> tuple[str, str]:
    if mutant.test.runner != "pytest":
        return mutant.test.runner, mutant.test.place
    # Browser tests with the fake host need no program of ours, so nothing is compiled for them.
    kind = "extension" if "extension" in mutant.builds else "processes"
    return kind, kind


def runner(scratch: Scratch, group: tuple[str, str]) -> Runner:
    kind, place = group
    made = {"node": NodeRunner, "swift": SwiftRunner, "extension": PytestRunner, "processes": PytestRunner}
    return made[kind](scratch, place)


def run(scratch: Scratch, tree: Tree, mutants: list[Mutant], say: Callable[[str], None]) -> Iterator[Result]:
    """Every mutant's result, as soon as it is there. The copy is what the working tree is before and after each."""
    for group, members in groups(mutants).items():
        yield from run_group(scratch, tree, runner(scratch, group), members, say)


def run_group(
    scratch: Scratch, tree: Tree, tests: Runner, members: list[Mutant], say: Callable[[str], None]
) -> Iterator[Result]:
    say(f"{tests.place}: {len(members)} mutants; first without any")
    started = time.monotonic()
    clean = unmutated(tests, members)
    ending = "green" if all(verdict.ending == "green" for verdict in clean.values()) else "not green"
    say(f"{tests.place}: unmutated {ending} ({time.monotonic() - started:.0f} s)")
    for mutant in members:
        before = clean[mutant.test]
        if before.ending != "green":
            yield Result(mutant, "error", f"fails without the mutation: {before.detail}", 0)
            continue
        started = time.monotonic()
        verdict = verdict_on(scratch, tree, tests, mutant)
        result = result_of(mutant, verdict, time.monotonic() - started)
        say(f"{mutant.name}: {result.ending} {result.detail} ({result.seconds:.0f} s)")
        yield result


def unmutated(tests: Runner, members: list[Mutant]) -> dict[NamedTest, Verdict]:
    """How each test does by itself: all of them at once, and one by one only where that fails."""
    named = list(dict.fromkeys(mutant.test for mutant in members))
    clean = tests.build(tests.place, ("extension",) if tests.place == "extension" else ())
    if clean.ending == "green":
        clean = tests.test(tests.place, named)
        if clean.ending != "green":
            return {test: tests.test(tests.place, [test]) for test in named}
    return dict.fromkeys(named, clean)


def verdict_on(scratch: Scratch, tree: Tree, tests: Runner, mutant: Mutant) -> Verdict:
    changed = mutant.applied(tree)
    try:
        for path, text in changed.items():
            (scratch.root / path).write_bytes(text.encode())
        built = tests.build(mutant.name, mutant.builds)
        return tests.test(mutant.name, [mutant.test]) if built.ending == "green" else built
    finally:
        for path in changed:
            (scratch.root / path).write_bytes(tree.texts[path].encode())


def result_of(mutant: Mutant, verdict: Verdict, seconds: float) -> Result:
    if verdict.ending == mutant.ends:
        return Result(mutant, "red", verdict.detail, seconds)
    if verdict.ending == "green":
        return Result(mutant, "survived", "the test passes with the guard switched off", seconds)
    return Result(mutant, "error", f"{verdict.ending}: {verdict.detail}", seconds)
