"""What programmers of providers install. The machine has no compiler, so dpkg is told to do without one; a Swift is
played that says which it is, and notes what it is asked to do."""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from conftest import package
from login import Login

NAME = "keyway-dev"
PLACE = Path("/usr/lib/keyway")
SWIFT = """#!/bin/sh
case $1 in
--version) echo "{version}
Target: x86_64-unknown-linux-gnu" ;;
*) echo "$*" >>{notes} ;;
esac
"""


def dpkg(*words: str | Path) -> str:
    finished = subprocess.run(["dpkg", *words], capture_output=True, text=True, timeout=120)
    assert finished.returncode == 0, finished.stdout + finished.stderr
    return finished.stdout


@pytest.fixture
def development(prefix: Path) -> Iterator[None]:
    dpkg("--install", "--force-depends", package(NAME))
    try:
        yield
    finally:
        # Before apt is asked for anything else.
        dpkg("--purge", NAME)


@pytest.fixture
def project(development: None, login: Login) -> Path:
    """A provider that was just begun."""
    finished = login.run("keyway", "provider", "new", "Notebook", "--directory", login.home)
    assert finished.returncode == 0, finished.stderr
    return login.home / "Notebook"


def compiler() -> str:
    return (PLACE / "compiler").read_text().rstrip("\n")


def test_every_module_is_of_the_compiler_that_the_package_names(development: None) -> None:
    assert re.fullmatch(r"Swift version \d+\.\d+(\.\d+)? \(\S+\)", compiler())
    modules = list((PLACE / "swift").glob("*.swiftmodule"))
    assert "AuthenticationServices" in [module.stem for module in modules]
    for module in modules:
        assert compiler().encode() in module.read_bytes(), module


def test_a_new_provider_is_made_for_the_installed_modules(project: Path) -> None:
    assert f"KEYWAY ?= {PLACE.parents[1]}\n" in (project / "Makefile").read_text()
    assert "__" not in "".join(path.name for path in project.rglob("*"))


def build(login: Login, project: Path, version: str) -> tuple[int, str, str]:
    """Builds with a Swift of that version: how it ended, what it said, and what Swift was asked to do."""
    notes, swift = login.tools / "notes", login.tools / "swift"
    notes.touch()
    os.chown(notes, login.user, login.user)
    swift.write_text(SWIFT.format(version=version, notes=notes))
    swift.chmod(0o755)
    path = f"{login.tools}:/usr/local/bin:/usr/bin:/bin"
    finished = login.run("make", "-C", project, "build", PATH=path)
    return finished.returncode, finished.stderr, notes.read_text()


def test_another_compiler_than_that_of_the_modules_is_refused(login: Login, project: Path) -> None:
    status, said, asked = build(login, project, "Swift version 6.0.9 (swift-6.0.9-RELEASE)")
    assert status != 0
    assert f"compiled by another Swift than is in PATH: {compiler()}." in said
    assert asked == ""


def test_the_compiler_of_the_modules_is_asked_to_build(login: Login, project: Path) -> None:
    assert build(login, project, compiler()) == (0, "", "build -c release\n")


def test_the_kit_knows_its_rules(development: None, login: Login) -> None:
    rules = login.keyway("provider", "test", "--list-rules").splitlines()
    assert len(rules) > 70


def test_nothing_of_it_stays_once_it_is_purged(development: None) -> None:
    brought = [Path(line) for line in dpkg("--listfiles", NAME).splitlines() if line != "/."]
    files = [path for path in brought if not path.is_dir()]
    assert files and PLACE.exists()
    dpkg("--purge", NAME)
    assert [path for path in files if path.exists()] == []
    assert not PLACE.exists()
