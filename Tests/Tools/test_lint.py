"""Which files the linters look at."""

import subprocess

import pytest

from suite import lint


@pytest.fixture
def tree(tmp_path):
    subprocess.run(["git", "init", "-q", tmp_path], check=True)
    for name, text in {
        "Tools/go": "#!/usr/bin/env bash\n",
        "Tools/plain": "#!/bin/sh\n",
        "Tools/module.py": "",
        "Tools/program": "#!/usr/bin/env python3\n",
        "Tools/list.txt": "bash\n",
        "build/made": "#!/bin/sh\n",
        ".gitignore": "/build/\n",
        "Sources/A/a.swift": "",
    }.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    return tmp_path


def test_scripts_are_found_by_their_first_line_and_not_where_git_ignores_them(tree):
    found = dict(lint.commands(tree))
    assert found["shellcheck"] == ["shellcheck", "Tools/go", "Tools/plain"]
    assert found["ruff check"][2:] == ["Tools/module.py", "Tools/program"]


def test_only_folders_that_hold_swift_are_given_to_its_linter(tree):
    assert dict(lint.commands(tree))["swift format"][-2:] == ["Package.swift", "Sources"]


def test_linters_of_parts_that_are_not_there_do_not_run(tree):
    assert {"oxlint", "tsc", "mandoc", "mutants"}.isdisjoint(dict(lint.commands(tree)))
    for name in ("Browser/.oxlintrc.json", "Browser/tsconfig.json", "Docs/man/keyway.1", "Tests/Mutants/a.toml"):
        (tree / name).parent.mkdir(parents=True, exist_ok=True)
        (tree / name).touch()
    assert {"oxlint", "tsc", "mandoc", "mutants"} <= set(dict(lint.commands(tree)))
