"""Removed, installed again, purged: what stays is the person's."""

from __future__ import annotations

import os
import re
import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from conftest import NAMES, apt, living_person, package, packages
from login import MASTER, NAME, eventually
from person import IN_THE_VAULT
from person import USER as ACCOUNT
from test_installed import SETGID


def overrides() -> list[str]:
    return [line for line in Path("/var/lib/dpkg/statoverride").read_text().splitlines() if "keyway" in line]


def folders(home: Path) -> set[str]:
    """Where something of Keyway's lies in a home."""
    named = [path.relative_to(home) for path in home.rglob("*keyway*") if path.is_dir()]
    return {f"~/{path}" for path in named if not set(path.parents) & set(named)}


def test_a_vault_outlives_removal_and_purge(prefix: Path, tmp_path: Path) -> None:
    site = "https://a.example"
    with living_person(prefix, tmp_path, site) as person, written("# Nothing is decided.\n") as policy:
        for command in ("remove", "purge"):
            told = apt(command, *NAMES).stdout
            assert policy.read_text() == "# Nothing is decided.\n"
            assert "stay in their home folders" in told
            # It names each folder that is there, and none that is not.
            assert set(re.findall(r"~/[^\s,)]+", told)) == folders(person.home) != set()
            assert not Path("/usr/bin/keyway").exists()
            assert bool(overrides()) == (command == "remove")
            apt("install", *packages())
            assert [oct(Path(program).stat().st_mode & 0o7777) for program in SETGID] == [oct(0o2711)] * 3
        # As after the next login: of what ran, nothing runs any more.
        for process in person.named("keywayd"):
            os.kill(process, signal.SIGTERM)
        eventually(lambda: not person.named("keywayd"))
        person.shell.keyway("passwords unlock", MASTER)
        assert person.shell.keyway(f"fill {site} --user {ACCOUNT}") == f"{IN_THE_VAULT}\n"


@contextmanager
def written(text: str) -> Iterator[Path]:
    """What an administrator has written."""
    policy = Path("/etc/keyway/policy.toml")
    policy.write_text(text)
    yield policy
    policy.unlink()


def test_a_group_with_members_is_refused(prefix: Path) -> None:
    def run(*command: str | Path) -> subprocess.CompletedProcess:
        return subprocess.run(command, capture_output=True, text=True, timeout=120)

    assert run("gpasswd", "--add", NAME, "_keyway").returncode == 0
    try:
        finished = run("dpkg", "--install", package("keyway"))
        assert finished.returncode != 0
        assert f"the group _keyway must have no members; it has {NAME}" in finished.stderr
    finally:
        run("gpasswd", "--delete", NAME, "_keyway")
    assert run("dpkg", "--configure", "keyway").returncode == 0


@pytest.fixture
def installed_again(prefix: Path) -> Iterator[None]:
    """For the tests that come afterwards, the machine as its packages leave it."""
    yield
    if Path("/usr/bin/keyway").exists():
        apt("purge", *NAMES)
    apt("install", *packages())


def test_what_an_administrator_decided_about_a_program_stays(installed_again: None) -> None:
    program = Path("/usr/libexec/keyway/keyway-browser-host")
    command = ["dpkg-statoverride", "--force-all", "--update", "--add", "root", "root", "0700", program]
    subprocess.run(command, check=True, capture_output=True)
    apt("install", "--reinstall", package("keyway"))
    assert oct(program.stat().st_mode & 0o7777) == oct(0o700)


def test_purging_leaves_nothing_but_the_group(installed_again: None) -> None:
    apt("purge", *NAMES)
    left = [
        path
        for folder in ("/etc", "/usr", "/var/lib")
        for path in Path(folder).rglob("*keyway*")
        if "/dpkg/" not in str(path) and "/apt/" not in str(path)
    ]
    assert left == []
    assert overrides() == []
