"""Which app it is: what desktop entries and Flatpak say of a program, for a broker in surroundings of its own."""

from __future__ import annotations

import os
import shlex
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from conftest import Keyway, brokers
from sample_app import UNLOCK, App, keep_account, naming, site
from terminal import ENTER
from test_apps import CHALLENGE, PASSWORD, UNNAMED, fails
from test_passwords_extension import Vault

from session.private import PASSWORDS

IDENTIFIER = "org.example.Bank"
FILES = f"/var/lib/flatpak/app/{IDENTIFIER}/x86_64/stable/1/files"


@pytest.fixture
def bank(keyway, tmp_path):
    """The app's site."""
    assert os.geteuid() == 0, "only root can install an app that a site can name"
    with site(keyway, tmp_path) as bank:
        yield bank


@pytest.fixture
def session(keyway, bank) -> Keyway:
    """A vault with an account; its broker has ended."""
    keyway.start_broker()
    keyway.enable(PASSWORDS)
    with keyway.connect() as terminal:
        Vault(terminal).create()
    keep_account(keyway, PASSWORD)
    keyway.stop(keyway.processes[-1])
    return keyway


@pytest.fixture
def app(session) -> App:
    return App(session)


@contextmanager
def surroundings(app: App, *preparation: list[str]) -> Iterator[None]:
    """A broker behind mounts of its own, which these commands make; the app and the terminal run there too."""
    with app.session.broker_apart(" && ".join(shlex.join(command) for command in preparation)):
        (broker,) = brokers(app.session.folder)
        app.door = (shutil.which("nsenter"), f"--target={broker}", "--user", "--mount", "--preserve-credentials", "--")
        yield


def desktop_entry(app: App, text: str) -> list[list[str]]:
    """Installs a desktop entry as the administrator of those surroundings."""
    entry = app.session.folder / f"{IDENTIFIER}.desktop"
    entry.write_text(f"[Desktop Entry]\nType=Application\nName=Bank of Examples\n{text}\n")
    folder = "/usr/local/share/applications"
    return [
        ["mount", "-t", "tmpfs", "-o", "mode=755", "none", "/usr/local/share"],
        ["mkdir", folder],
        ["install", "-m", "644", str(entry), folder],
    ]


def test_a_desktop_entry_of_the_system_names_its_program(app, bank):
    bank.answer = naming(f"desktop:{IDENTIFIER}")
    with surroundings(app, *desktop_entry(app, f'Exec="{app.path}" %u')):
        message = app.answered("sign-in", CHALLENGE, steps=(("Choose an account for Bank of Examples", ENTER), UNLOCK))
    assert message["password"] == PASSWORD


def test_a_desktop_entry_names_no_other_program(app, bank):
    bank.answer = naming(f"desktop:{IDENTIFIER}")
    with surroundings(app, *desktop_entry(app, "Exec=/bin/true")), app.start("sign-in", CHALLENGE) as run:
        run.answer((UNNAMED, ENTER))
        assert f"sample-app ({app.path}) wants" in " ".join(run.screens[0].split())
        with fails("canceled"):
            run.end()


# Flatpak


def flatpak(app: App, files: str = FILES) -> list[list[str]]:
    """Installs the app as Flatpak does, and lets it run in a root of its own that says so."""
    info = app.session.folder / "flatpak-info"
    info.write_text(f"[Application]\nname={IDENTIFIER}\n\n[Instance]\napp-path={files}\n")
    roots: list[str] = []
    for entry in sorted(Path("/").iterdir()):
        if entry.is_symlink():
            roots += ["--symlink", str(entry.readlink()), str(entry)]
        elif entry.is_dir():
            roots += ["--dev-bind", str(entry), str(entry)]
    app.command = (
        "bwrap",
        *roots,
        "--bind",
        files,
        "/app",
        "--ro-bind",
        str(info),
        "/.flatpak-info",
        "/app/sample-app",
    )
    return [
        ["mount", "-t", "tmpfs", "-o", "mode=755", "none", "/var/lib"],
        ["mkdir", "-p", "-m", "755", files],
        ["cp", "-R", f"{app.path.parent}/.", files],
    ]


def test_an_app_that_flatpak_installed_is_the_one_that_it_says(app, bank):
    bank.answer = naming(f"flatpak:{IDENTIFIER}")
    with surroundings(app, *flatpak(app)):
        message = app.answered("sign-in", CHALLENGE, steps=((f"Choose an account for {IDENTIFIER}", ENTER), UNLOCK))
    assert message["password"] == PASSWORD


@pytest.mark.parametrize(
    "files", ["/var/lib/flatpak/app/org.example.Other/x86_64/stable/1/files", "/var/lib/mine/files"]
)
def test_what_a_program_says_of_its_own_root_names_nobody(app, bank, files):
    bank.answer = naming(f"flatpak:{IDENTIFIER}", f"program:{files}/sample-app", "program:/app/sample-app")
    with surroundings(app, *flatpak(app, files)), app.start("sign-in", CHALLENGE) as run:
        run.answer((UNNAMED, ENTER))
        with fails("canceled"):
            run.end()
