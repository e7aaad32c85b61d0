"""The linters: each is one test, which passes when the linter has nothing to say."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from pathlib import Path

SWIFT_FOLDERS = ["Sources", "Providers", "Tests", "Benchmarks", "Fuzz"]


def committed_files(root: Path) -> list[Path]:
    """The files that are, or with the next commit may be, in the repository."""
    listing = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=root,
        check=True,
        capture_output=True,
    )
    names = sorted(set(listing.stdout.decode().split("\0")) - {""})
    return [Path(name) for name in names if (root / name).is_file()]


def interpreter(path: Path) -> str:
    """The program that a script's first line names, without its folder: `bash`, `python3`; empty when it names none."""
    with path.open("rb") as file:
        words = file.readline(200).decode(errors="replace").split()
    if not words or not words[0].startswith("#!"):
        return ""
    program = words[1] if words[0].endswith("/env") and len(words) > 1 else words[0]
    return program.rsplit("/", 1)[-1].removeprefix("#!")


def scripts(root: Path, suffix: str, programs: set[str]) -> list[str]:
    """The scripts of one language: by name, or by their first line."""
    return [
        str(path) for path in committed_files(root) if path.suffix == suffix or interpreter(root / path) in programs
    ]


def commands(root: Path) -> Iterator[tuple[str, list[str]]]:
    """Every linter that has something to look at, with its command line."""
    swift = [folder for folder in SWIFT_FOLDERS if any((root / folder).rglob("*.swift"))]
    yield "swift format", ["swift", "format", "lint", "--strict", "--recursive", "--parallel", "Package.swift", *swift]
    shell = scripts(root, ".sh", {"sh", "bash", "dash"})
    yield "shellcheck", ["shellcheck", *shell]
    python = scripts(root, ".py", {"python", "python3"})
    yield "ruff check", [".venv/bin/ruff", "check", *python]
    yield "ruff format", [".venv/bin/ruff", "format", "--check", *python]
    yield "arrows", ["Tools/lint-arrows"]
    if (root / "Tests" / "Mutants").is_dir():
        yield "mutants", ["Tools/mutants", "--check"]
    if (root / "Browser" / ".oxlintrc.json").exists():
        yield "oxlint", [".venv/bin/oxlint", "--deny-warnings", "--config", "Browser/.oxlintrc.json", "Browser"]
    if (root / "Browser" / "tsconfig.json").exists():
        yield "tsc", ["tsc", "--noEmit", "--strict", "--checkJs", "--project", "Browser/tsconfig.json"]
    manuals = [str(path) for path in committed_files(root) if path.match("Docs/man/*.[1-8]")]
    if manuals:
        yield "mandoc", ["mandoc", "-T", "lint", "-W", "warning", *manuals]
