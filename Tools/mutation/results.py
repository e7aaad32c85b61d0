"""What earlier runs saw, in `.build/mutants/results.jsonl`: a run that was stopped goes on from it.

Each line is one mutant that was tried: on which state of the repository (a commit, or a commit and what was changed
since), with which definition, and a digest of the places and the test that it leans on. A line is written as soon as
its mutant is through; of several for a mutant the last one counts.
"""

from __future__ import annotations

import json
import os
from pathlib import Path

from mutation.campaign import Result
from mutation.mutant import Mutant
from mutation.named_test import Tests
from mutation.tree import Tree


class Results:
    """`state` names what is tried now."""

    def __init__(self, folder: Path, state: str, tree: Tree, tests: Tests) -> None:
        self.path = folder / "results.jsonl"
        self.state = state
        self.tree = tree
        self.tests = tests
        self.on_this_state: dict[tuple[str, str], dict] = {}
        self.with_fingerprint: dict[tuple[str, str], dict] = {}
        for line in self.path.read_text().splitlines() if self.path.is_file() else []:
            self.take(line)

    def take(self, line: str) -> None:
        """One line; the last one is cut short where the machine stopped while it was written."""
        try:
            entry = json.loads(line)
            if entry["state"] == self.state:
                self.on_this_state[entry["mutant"], entry["definition"]] = entry
            self.with_fingerprint[entry["mutant"], entry["fingerprint"]] = entry
        except (ValueError, KeyError, TypeError):
            return

    def add(self, result: Result) -> None:
        entry = {
            **result.as_json(),
            "state": self.state,
            "definition": result.mutant.definition,
            "fingerprint": self.fingerprint(result.mutant),
        }
        self.path.parent.mkdir(parents=True, exist_ok=True)
        with self.path.open("a+b") as file:
            # A line that was cut short must not take this one with it.
            if file.tell() and not self.path.read_bytes().endswith(b"\n"):
                file.write(b"\n")
            file.write(json.dumps(entry).encode() + b"\n")
            file.flush()
            os.fsync(file.fileno())

    def noticed(self, mutant: Mutant) -> Result | None:
        """That the mutant was noticed on this very state. One that was not is tried again."""
        entry = self.on_this_state.get((mutant.name, mutant.definition))
        if not entry or entry["ending"] != "red":
            return None
        return Result(mutant, "red", entry["detail"], entry["seconds"], earlier=True)

    def is_changed(self, mutant: Mutant) -> bool:
        """Whether its definition, a place or its test is another one than when it was last noticed, if ever it was."""
        entry = self.with_fingerprint.get((mutant.name, self.fingerprint(mutant)))
        return not entry or entry["ending"] != "red"

    def fingerprint(self, mutant: Mutant) -> str:
        return mutant.fingerprint(self.tree, self.tests)
