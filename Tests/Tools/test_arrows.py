"""`Tools/lint-arrows`: the arrows and the words, each rule biting on what it is for."""

from pathlib import Path

import pytest

from suite import arrows, words
from suite.arrows import Room


def rooms(**more: list[str]) -> list[Room]:
    named = {"Crypto": ["CSodium"], "Vault": ["Crypto"], **more}
    swift = [Room(name, Path("Sources") / name, "regular", uses) for name, uses in named.items()]
    return [Room("CSodium", Path("Sources/CSodium"), "c", []), *swift]


def check(source: str, path: str = "Sources/Vault/a.swift", **more: list[str]) -> list[str]:
    return list(arrows.complaints(rooms(**more), {Path(path): source}))


@pytest.mark.parametrize(
    "line",
    ["import Crypto", "public import Crypto", "package import struct Crypto.Key", "@testable import Crypto"],
)
def test_declared_import_passes(line):
    assert check(line + "\n") == []


@pytest.mark.parametrize(
    "line",
    ["import CSodium", "internal import CSodium", "@preconcurrency import CSodium", "@_spi(Testing) import CSodium"],
)
def test_import_that_package_swift_does_not_give_is_refused(line):
    assert len(check(line + "\n")) == 1


def test_c_module_has_one_door():
    found = list(
        arrows.complaints(
            rooms(Vault=["Crypto", "CSodium"]),
            {Path("Sources/Vault/a.swift"): "import CSodium\n", Path("Sources/Crypto/a.swift"): "import CSodium\n"},
        )
    )
    assert len(found) == 1
    assert "one door" in found[0]


def test_foundation_is_refused():
    assert "Foundation" in check("import Foundation\n")[0]
    assert check("import FoundationEssentials\n") == []


@pytest.mark.parametrize(("name", "kind"), [("AuthenticationServices", "regular"), ("VaultTests", "test")])
def test_foundation_is_allowed_where_the_api_needs_it_and_where_nothing_ships(name, kind):
    room = Room(name, Path("Sources") / name, kind, [])
    assert list(arrows.complaints([room], {Path(f"Sources/{name}/a.swift"): "import Foundation\n"})) == []


def test_table_in_the_map_must_be_that_of_the_package():
    path = Path("ARCHITECTURE.md")
    assert list(arrows.complaints(rooms(), {path: f"# Map\n\n{arrows.table(rooms())}\n"})) == []
    assert len(list(arrows.complaints(rooms(Vault=[]), {path: f"# Map\n\n{arrows.table(rooms())}\n"}))) == 1


def test_table_is_written_between_its_marks():
    page = f"# Map\n\n{arrows.table(rooms())}\n\nMore.\n"
    changed = arrows.with_table(page, rooms(Vault=[]))
    assert changed == f"# Map\n\n{arrows.table(rooms(Vault=[]))}\n\nMore.\n"


def test_comment_is_no_import():
    assert check("/// import CSodium would be wrong here\n") == []


ROOT_PATH = "/" + "root/x"
WORK_PATH = "/" + "work/x"


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("README.md", "deb https://deb." + "debian.org/debian bookworm main"),
        ("Tools/x", "pip install --index-url https://pypi." + "org/simple x"),
        ("README.md", f"see {ROOT_PATH}"),
        ("Tests/a.py", f"open('{WORK_PATH}')"),
        ("Sources/Vault/a.swift", "let x = try! y()"),
        ("Sources/Vault/a.swift", 'fatalError("no")'),
        ("Tests/VaultTests/a.swift", "withKnown" + "Issue { }"),
        ("Sources/Vault/a.swift", "// TO" + "DO: later"),
    ],
)
def test_word_without_place_is_refused(path, text):
    assert len(list(words.complaints({Path(path): text}))) == 1


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("Tests/VaultTests/a.swift", "let x = try! y()"),
        ("README.md", "homework/x, /proc/\\(id)/root/x, $PREFIX/root/x, ~/work/x"),
        ("Docs/a.md", "Debian's packages and PyPI"),
    ],
)
def test_word_in_its_place_passes(path, text):
    assert list(words.complaints({Path(path): text})) == []
