"""What the packages leave on a machine, and what an unprivileged person finds there."""

from __future__ import annotations

import grp
import json
import os
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from conftest import turn_passwords_on
from login import HOME, Login, eventually

SETGID = ["/usr/bin/keyway", "/usr/libexec/keyway/keywayd", "/usr/libexec/keyway/keyway-browser-host"]
UNIT = "/usr/lib/systemd/user/keywayd"


def test_the_three_programs_have_the_group_that_nobody_has(prefix: Path) -> None:
    group = grp.getgrnam("_keyway")
    assert group.gr_mem == []
    assert Path("/usr/share/keyway/group").read_text() == "_keyway\n"
    for program in SETGID:
        status = Path(program).stat()
        assert (oct(status.st_mode & 0o7777), status.st_uid, status.st_gid) == (oct(0o2711), 0, group.gr_gid), program


def test_no_program_that_meets_secrets_can_be_read(login: Login) -> None:
    programs = [
        path
        for folder in ("/usr/libexec/keyway", "/usr/share/keyway/providers")
        for path in Path(folder).rglob("*")
        if path.is_file() and path.stat().st_mode & 0o100
    ]
    assert len(programs) == 19
    for program in [Path("/usr/bin/keyway"), *programs]:
        assert login.run("cat", program).returncode != 0, program


def test_the_socket_is_on_for_everybody(prefix: Path) -> None:
    assert Path("/etc/systemd/user/sockets.target.wants/keywayd.socket").resolve() == Path(f"{UNIT}.socket")
    verified = subprocess.run(
        ["systemd-analyze", "verify", "--user", "--man=no", f"{UNIT}.socket", f"{UNIT}.service"],
        env={**os.environ, "XDG_RUNTIME_DIR": "/run"},
        capture_output=True,
        text=True,
    )
    assert (verified.returncode, verified.stderr) == (0, "")


@pytest.mark.parametrize(
    "folder", ["/etc/chromium", "/etc/opt/chrome", "/etc/opt/edge", "/etc/opt/vivaldi", "/usr/lib/mozilla"]
)
def test_every_browser_finds_the_host(prefix: Path, folder: str) -> None:
    manifest = json.loads(Path(folder, "native-messaging-hosts/org.keyway.autofill.json").read_text())
    assert manifest["path"] == "/usr/libexec/keyway/keyway-browser-host"
    assert os.access(manifest["path"], os.X_OK)


def test_pam_and_polkit_know_keyway(prefix: Path) -> None:
    assert "@include common-auth" in Path("/etc/pam.d/keyway").read_text()
    assert Path("/usr/share/polkit-1/actions/org.keyway.verify-person.policy").exists()


def unit_setting(kind: str, name: str) -> str:
    lines = Path(f"{UNIT}.{kind}").read_text().splitlines()
    [line] = [line for line in lines if line.startswith(f"{name}=")]
    return line.removeprefix(f"{name}=")


def test_the_units_program_serves_the_units_socket(login: Login) -> None:
    """What a user's systemd does with the two units: it listens, and starts the broker with what it listens on."""
    door = unit_setting("socket", "ListenStream").replace("%t", login.environment["XDG_RUNTIME_DIR"])
    assert Path(door) == login.door
    door = login.door
    login.run("mkdir", "-m", "700", door.parent)
    login.start("systemd-socket-activate", "--listen", door, unit_setting("service", "ExecStart"))
    eventually(door.exists)
    login.run("chmod", "600", door)
    with login.terminal() as terminal:
        terminal.keyway("status")
    broker = eventually(lambda: login.named("keywayd"))[0]
    assert Path(f"/proc/{broker}/exe").readlink() == Path("/usr/libexec/keyway/keywayd")
    assert json.loads(login.keyway("status", "--json"))


def test_the_login_password_verifies_its_person(login: Login) -> None:
    """By PAM, as the package told it: who is at a terminal, and at no desktop, is asked there."""
    with login.terminal() as terminal:
        turn_passwords_on(terminal)
        assert "org.keyway.passwords" in terminal.keyway("providers list --json")


def test_doctor_finds_what_the_packages_brought(login: Login) -> None:
    login.run("mkdir", "-p", ".config/chromium", ".mozilla/firefox")
    finished = login.run("keyway", "doctor", "--json")
    checks = {check["name"]: check for check in json.loads(finished.stdout)["checks"]}
    for name in (
        *("program:broker", "program:browser-host", "broker"),
        *("host:chromium", "host:firefox", "extension:chromium", "extension:firefox"),
    ):
        assert checks[name]["status"] == "ok", checks[name]


# Where the two put what root installed for everybody, and what their programs write for an override.
SANDBOXED = ("/snap/firefox", "/snap/chromium", "/var/lib/flatpak/app/com.brave.Browser")
OVERRIDES = Path("/var/lib/flatpak/overrides/com.brave.Browser")


@pytest.fixture
def sandboxed(prefix: Path) -> Iterator[None]:
    """Browsers from Snap and Flatpak, which nobody has started yet."""
    there = [Path(place) for place in ("/snap", "/var/lib/flatpak") if Path(place).exists()]
    assert not there, "the machine has some of its own"
    for place in SANDBOXED:
        Path(place).mkdir(parents=True)
    yield
    for place in ("/snap", "/var/lib/flatpak"):
        shutil.rmtree(place)


def test_doctor_says_what_browsers_from_snap_and_flatpak_need(sandboxed: None, login: Login) -> None:
    def told(*options: str) -> dict[str, tuple[str, str | None]]:
        checks = json.loads(login.run("keyway", "doctor", "--json", *options).stdout)["checks"]
        return {check["name"]: (check["status"], check["remedy"]) for check in checks}

    override = "flatpak override --user --talk-name=org.freedesktop.Flatpak com.brave.Browser"
    for options, status in (((), "failed"), (("--fix",), "fixed"), ((), "ok")):
        checks = told(*options)
        assert checks["host:brave-flatpak"][0] == checks["wrapper:brave-flatpak"][0] == status
        assert checks["sandbox:brave-flatpak"] == ("warning", override)
        # The manifest of the package is good for both of Firefox.
        assert checks["host:firefox-snap"][0] == "ok"
        portal = "flatpak permission-set webextensions org.keyway.autofill snap.firefox yes"
        assert checks["sandbox:firefox-snap"] == ("warning", portal)
        assert checks["browser:chromium-snap"][0] == "failed"
    OVERRIDES.parent.mkdir()
    OVERRIDES.write_text("[Session Bus Policy]\norg.freedesktop.Flatpak=talk\n")
    assert told()["sandbox:brave-flatpak"][0] == "ok"


@pytest.mark.parametrize(
    "file",
    [
        "bash-completion/completions/keyway",
        "zsh/vendor-completions/_keyway",
        "fish/vendor_completions.d/keyway.fish",
        "man/man1/keyway.1.gz",
        "man/man5/keyway.5.gz",
        "applications/org.keyway.Codes.desktop",
        "icons/hicolor/scalable/apps/org.keyway.Keyway.svg",
        "icons/hicolor/symbolic/apps/org.keyway.Keyway-symbolic.svg",
        "metainfo/org.keyway.Keyway.metainfo.xml",
        "doc/keyway/examples/policy.toml",
    ],
)
def test_what_others_look_for_is_where_they_look(prefix: Path, file: str) -> None:
    assert Path("/usr/share", file).read_bytes()


def test_another_person_of_the_machine_learns_nothing(login: Login) -> None:
    # It asks for more than it is told here, and starts the broker.
    login.run("keyway", "clients", "list")
    assert login.named("keywayd")
    other = {"user": 64_340, "group": 64_340, "extra_groups": [], "cwd": "/", "capture_output": True, "text": True}
    for command in (["ls", login.door.parent], ["ls", HOME], ["cat", "/usr/libexec/keyway/keywayd"]):
        assert subprocess.run(command, **other).returncode != 0, command


def test_keyway_says_which_package_the_kit_is_in(login: Login) -> None:
    finished = login.run("keyway", "provider", "new", "Example")
    assert finished.returncode != 0
    assert "keyway-dev" in finished.stderr
