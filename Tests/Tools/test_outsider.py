"""The provider Password Store is written as somebody else would: against what is public."""

from pathlib import Path

from suite.arrows import IMPORT

ROOT = Path(__file__).resolve().parents[2]
SOURCES = ROOT / "Providers/PasswordStore/Sources"
ALLOWED = {"AuthenticationServices", "Foundation", "Synchronization", "CGcrypt", "PasswordStore", "PassEntries"}


def test_it_imports_nothing_of_ours_but_the_api():
    imported = {
        match[1]
        for path in SOURCES.rglob("*.swift")
        for line in path.read_text().splitlines()
        if (match := IMPORT.match(line))
    }
    assert imported <= ALLOWED
    assert "AuthenticationServices" in imported, "the sources are not where this test looks"


def test_it_is_compiled_as_another_package_would_be():
    package = (ROOT / "Package.swift").read_text()
    outsider = package[package.index("func outsider") :].partition("\n}\n")[0]
    assert outsider.count("packageAccess: false") == outsider.count("dependencies: uses") == 2
