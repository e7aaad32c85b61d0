"""A clean Debian with the packages on it, and one person: Tools/packages starts this inside of it."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import interruption
import pytest

ROOT = Path(__file__).resolve().parents[2]
# What the parts are tested with; both have a `desktop`, and that of the browser tests is meant.
sys.path += [str(ROOT / "Tests/Assembled"), str(ROOT / "Tests/Browsers"), str(ROOT / "Tests/Processes")]

from login import HOME, MASTER, NAME, RUNTIME, USER, Login  # noqa: E402
from person import IN_THE_VAULT, PASSWORDS, Person  # noqa: E402
from person import USER as ACCOUNT  # noqa: E402
from seat import Seat  # noqa: E402

from session import system_bus  # noqa: E402

# Nobody enters the machine but Tools/packages: here, packages are installed and removed for real.
if "KEYWAY_DEBS" not in os.environ:
    pytest.exit("Tests/Packages runs on a machine of its own: Tools/packages", 2)
LOGIN_PASSWORD = "opens the desktop"
interruption.allow()
system_bus.hide()
for place in (HOME.parent, RUNTIME.parent):
    place.mkdir(parents=True, exist_ok=True)


def apt(*arguments: str | Path) -> subprocess.CompletedProcess:
    command = ["apt-get", "--yes", "--quiet", "--no-install-recommends", *map(str, arguments)]
    finished = subprocess.run(
        command, env={**os.environ, "DEBIAN_FRONTEND": "noninteractive"}, capture_output=True, text=True, timeout=180
    )
    assert finished.returncode == 0, finished.stdout + finished.stderr
    return finished


def package(name: str) -> Path:
    [file] = Path(os.environ["KEYWAY_DEBS"]).glob(f"{name}_*.deb")
    return file


@pytest.fixture(scope="session")
def machine() -> None:
    """The machine of somebody who typed one command."""
    subprocess.run(["useradd", "--uid", str(USER), "--no-create-home", "--user-group", NAME], check=True)
    subprocess.run(["chpasswd"], input=f"{NAME}:{LOGIN_PASSWORD}\n", text=True, check=True)
    apt("install", package("keyway"), package("webext-keyway"), package("keyway-password-store"))


@pytest.fixture(scope="session")
def prefix(machine: None) -> Path:
    return Path("/usr")


@pytest.fixture
def login(prefix: Path) -> Iterator[Login]:
    """A person who has just logged in for the first time."""
    with Login(prefix) as login:
        yield login


@contextmanager
def living_person(prefix: Path, folder: Path, site: str) -> Iterator[Person]:
    """Somebody before a desktop who turned Passwords on, and typed one account into it."""
    with Person(prefix) as person, Seat(folder) as seat, person.terminal() as shell:
        person.seat, person.shell = seat, shell
        person.enable(PASSWORDS, "Allow “keyway” to use Keyway?", "Turn on “Passwords”?")
        shell.keyway("passwords init", MASTER, MASTER)
        shell.keyway(f"passwords add site --user {ACCOUNT} --url {site}", IN_THE_VAULT)
        yield person
