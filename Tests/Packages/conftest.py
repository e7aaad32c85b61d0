"""A clean Debian with the packages on it, and one person: Tools/packages starts this inside of it."""

from __future__ import annotations

import os
import re
import shutil
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

from login import HOME, MASTER, NAME, RUNTIME, USER, Login, Terminal  # noqa: E402
from person import IN_THE_VAULT, PASSWORDS, Person  # noqa: E402
from person import USER as ACCOUNT  # noqa: E402
from seat import Seat  # noqa: E402
from serving import serving  # noqa: E402
from site_server import Site, SiteServer  # noqa: E402

from session import system_bus  # noqa: E402

# Nobody enters the machine but Tools/packages: here, packages are installed and removed for real.
if "KEYWAY_DEBS" not in os.environ:
    pytest.exit("Tests/Packages runs on a machine of its own: Tools/packages", 2)
LOGIN_PASSWORD = "opens the desktop"
NAMES = ("keyway", "webext-keyway", "keyway-password-store")
OLDER = "0.0.9"
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


def package(name: str, folder: Path | None = None) -> Path:
    [file] = (folder or Path(os.environ["KEYWAY_DEBS"])).glob(f"{name}_*.deb")
    return file


def packages(folder: Path | None = None) -> list[Path]:
    """What a person installs: of this commit, or from a folder."""
    return [package(name, folder) for name in NAMES]


def add_user(name: str, number: int) -> None:
    subprocess.run(["useradd", "--uid", str(number), "--no-create-home", "--user-group", name], check=True)
    subprocess.run(["chpasswd"], input=f"{name}:{LOGIN_PASSWORD}\n", text=True, check=True)


@pytest.fixture(scope="session")
def machine() -> None:
    """The machine of somebody who typed one command."""
    add_user(NAME, USER)
    apt("install", *packages())


@pytest.fixture(scope="session")
def older(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with packages of an older release: of a lower version, and with an extension that speaks the protocol as
    it was then."""
    folder = tmp_path_factory.mktemp("older")
    for name in NAMES:
        tree = folder / name
        subprocess.run(["dpkg-deb", "--raw-extract", package(name), tree], check=True)
        control = tree / "DEBIAN/control"
        version = re.search(r"^Version: (.*)$", control.read_text(), re.MULTILINE)[1]
        control.write_text(control.read_text().replace(version, OLDER))
        if name == "webext-keyway":
            make_older(tree / "usr/share/keyway/browser", version)
        subprocess.run(["dpkg-deb", "-Zgzip", "-z1", "--build", tree, folder], check=True, capture_output=True)
        shutil.rmtree(tree)
    return folder


def make_older(extension: Path, version: str) -> None:
    """Makes an extension one that speaks version 1.0 of the protocol."""
    manifest = extension / "manifest.json"
    manifest.write_text(manifest.read_text().replace(f'"{version}"', f'"{OLDER}"', 1))
    changed = 0
    for script in extension.rglob("*.js"):
        text, count = re.subn(r"(major:\s*1,\s*minor:\s*)1\b", r"\g<1>0", script.read_text())
        script.write_text(text)
        changed += count
    assert changed, "the extension says nowhere which version of the protocol it speaks"


@pytest.fixture(scope="session")
def prefix(machine: None) -> Path:
    return Path("/usr")


@pytest.fixture
def login(prefix: Path) -> Iterator[Login]:
    """A person who has just logged in for the first time."""
    with Login(prefix) as login:
        yield login


def turn_passwords_on(terminal: Terminal) -> None:
    """Turns Passwords on in a terminal, by the login password: nobody sits before a desktop."""
    terminal.begin("keyway providers enable --yes org.keyway.passwords")
    # Once for `keyway` itself, and once for what it wants to turn on.
    for _ in range(2):
        assert "ended=" not in terminal.read_until("Login password: ", "ended=1")
        terminal.type(LOGIN_PASSWORD)
    assert LOGIN_PASSWORD not in terminal.read_until("ended=0", "ended=1")


@contextmanager
def newcomer(prefix: Path, folder: Path) -> Iterator[Person]:
    """Somebody before a desktop who has just logged in, and knows nothing of Keyway."""
    with Person(prefix) as person, Seat(folder) as seat, person.terminal() as shell:
        person.seat, person.shell = seat, shell
        yield person


@contextmanager
def living_person(prefix: Path, folder: Path, site: str) -> Iterator[Person]:
    """Somebody before a desktop who turned Passwords on, and typed one account into it."""
    with newcomer(prefix, folder) as person:
        person.enable(PASSWORDS, "Allow “keyway” to use Keyway?", "Turn on “Passwords”?")
        person.shell.keyway("passwords init", MASTER, MASTER)
        person.shell.keyway(f"passwords add site --user {ACCOUNT} --url {site}", IN_THE_VAULT)
        yield person


@pytest.fixture
def server() -> Iterator[SiteServer]:
    """A site where that person has an account."""
    yield from serving(SiteServer(Site({ACCOUNT: IN_THE_VAULT}, (ROOT / "Tests/Site/pages",))))


@pytest.fixture
def person(prefix: Path, tmp_path: Path) -> Iterator[Person]:
    """Somebody who begins at a desktop; what a test lives with else says its file."""
    with newcomer(prefix, tmp_path) as person:
        yield person
