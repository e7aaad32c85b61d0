"""The command line as a program: what it ends with, what it prints where, and where secrets are not."""

import fcntl
import json
import os
import stat
import struct
import subprocess
import termios
import time
from pathlib import Path

import pytest
from browser_host import CHROMIUM, FIREFOX, Host
from conftest import Keyway

from session.private import PASSWORDS

MASTER, SECRET = "master-canary-7f3a", "password-canary-91c2"
PAGE = "https://cli.example/login"


def run(
    session: Keyway,
    *arguments: str,
    secrets: list[str] | None = None,
    alone: bool = False,
    opens: bool = False,
) -> tuple[int, str, str]:
    """Runs `keyway`; `alone` in a session of its own, where there is no terminal and nothing is unlocked.

    With `opens`, the vault is unlocked in that session first.
    """
    command = [session.prefix / "bin/keyway", *arguments]
    if opens:
        command = ["sh", "-c", '"$0" passwords unlock > /dev/null 2>&1 && exec "$0" "$@"', *command]
    finished = subprocess.run(
        command,
        env=session.environment,
        input="".join(secret + "\n" for secret in ([MASTER] if opens else []) + (secrets or [])),
        capture_output=True,
        text=True,
        timeout=60,
        start_new_session=alone,
    )
    return finished.returncode, finished.stdout, finished.stderr


def wait_until_read(pipe) -> None:
    """Waits until nothing is left of what was written to the pipe."""
    deadline = time.monotonic() + 60
    while struct.unpack("i", fcntl.ioctl(pipe, termios.FIONREAD, b"0000"))[0]:
        assert time.monotonic() < deadline
        time.sleep(0.005)


@pytest.fixture(scope="module")
def vault(stage):
    with Keyway() as session:
        session.prefix.symlink_to(stage)
        session.start_broker()
        session.keyway("providers", "enable", "--yes", PASSWORDS)
        session.keyway("passwords", "init", "--memory", "64", secrets=[MASTER, MASTER])
        for user in ("ada", "bob"):
            session.keyway("passwords", "add", user, "--user", user, "--address", PAGE, secrets=[f"{SECRET}-{user}"])
        session.keyway("passwords", "add", "One", "--user", "x", "--address", "https://one.example", secrets=[SECRET])
        yield session


@pytest.fixture
def opened(vault):
    vault.keyway("passwords", "unlock", secrets=[MASTER])
    return vault


@pytest.mark.parametrize(
    ("arguments", "secrets", "code"),
    [
        (["--version"], [], 0),
        (["help", "fill"], [], 0),
        (["frobnicate"], [], 2),
        (["fill", "--nothing"], [], 2),
        (["passwords", "edit", "One"], [], 2),
        (["fill", "https://nobody.example"], [], 3),
        (["passwords", "show", "nothing"], [], 3),
        (["passwords", "search", "zzz"], [], 3),
        (["providers", "enable", "nothing"], [], 3),
        (["fill"], [], 5),
        (["passwords", "remove", "One"], [], 5),
        (["passwords", "add", "New"], [], 5),
        (["passwords", "unlock"], ["wrong"], 6),
        (["fill", PAGE], [], 10),
        (["passwords", "init"], [MASTER, MASTER], 12),
        (["fill", "https://one.example"], [], 0),
        (["suggest", PAGE], [], 0),
    ],
)
def test_exit_code_tells_the_kind(opened, arguments, secrets, code):
    # There must be no terminal on which a fill could ask.
    alone = arguments[0] == "fill"
    status, out, err = run(opened, *arguments, secrets=secrets, alone=alone, opens=alone)
    assert status == code, err
    if code:
        assert out == ""
        assert all(line.startswith("keyway: ") for line in err.splitlines())
        assert err
    else:
        assert err == ""


def test_locked_vault_needs_the_person(vault):
    vault.keyway("passwords", "lock")
    assert run(vault, "passwords", "list")[0] == 5
    status, out, err = run(vault, "fill", "https://one.example", alone=True)
    assert (status, out) == (5, "")
    assert "keyway passwords unlock" in err


def test_another_session_is_not_unlocked(opened):
    assert run(opened, "passwords", "list")[0] == 0
    assert run(opened, "passwords", "list", alone=True)[0] == 5
    status, out, err = run(opened, "fill", "https://one.example", alone=True)
    assert (status, out) == (5, "")
    assert "keyway passwords unlock" in err
    # A browser is not a terminal: pages are filled wherever the vault was unlocked.
    with opened.connect("browser") as peer:
        page = {"identifier": "https://one.example", "kind": "URL"}
        (one,) = peer.call("suggest", {"services": [page]})["suggestions"]
        peer.call("fill", {"target": {"suggestion": {"handle": one["handle"]}}, "services": [page], "presents": False})


def test_broker_that_does_not_run_is_told_and_not_started(keyway):
    status, out, err = run(keyway, "status")
    assert (status, out) == (8, "")
    assert "isn't running" in err
    assert not keyway.socket.exists()
    status, out, _ = run(keyway, "status", "--json")
    assert (status, json.loads(out)) == (8, {"broker": None})


def test_first_command_starts_the_broker(keyway):
    assert run(keyway, "providers", "list")[0] == 0
    assert run(keyway, "status")[0] == 0


def test_folder_that_is_open_to_others_is_refused_and_repaired(keyway):
    folder = keyway.folder / "runtime/keyway"
    folder.mkdir(mode=0o755)
    folder.chmod(0o755)
    status, _, err = run(keyway, "providers", "list")
    assert status == 7
    assert "chmod 700" in err
    run(keyway, "doctor", "--fix")
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert run(keyway, "providers", "list")[0] == 0


def test_no_provider_enabled_says_how(broker):
    status, _, err = run(broker, "fill", PAGE, alone=True)
    assert status == 3
    assert "keyway providers enable" in err


@pytest.mark.parametrize(
    "arguments",
    [
        ["status"],
        ["doctor"],
        ["providers", "list"],
        ["suggest", PAGE],
        ["fill", "https://one.example"],
        ["passwords", "list"],
        ["passwords", "search", "one"],
        ["passwords", "show", "One"],
        ["passwords", "show", "One", "--reveal", "--history"],
        ["passwords", "show", "One", "--field", "password"],
        ["passwords", "generate"],
        ["passwords", "edit", "One", "--tag", "x"],
    ],
)
def test_json_is_one_object_with_text_that_is_the_same(opened, arguments):
    _, out, _ = run(opened, *arguments, "--json")
    assert isinstance(json.loads(out), dict)


def test_show_keeps_secrets_to_itself_until_asked(opened):
    assert SECRET not in "".join(run(opened, "passwords", "show", "One")[1:])
    assert SECRET not in "".join(run(opened, "passwords", "show", "One", "--json")[1:])
    assert SECRET in run(opened, "passwords", "show", "One", "--reveal")[1]
    assert json.loads(run(opened, "passwords", "show", "One", "--reveal", "--json")[1])["password"] == SECRET


def test_title_that_several_items_have_is_ambiguous(opened):
    for user in ("first", "second"):
        assert run(opened, "passwords", "add", "Twice", "--user", user, secrets=[user])[0] == 0
    status, out, err = run(opened, "passwords", "show", "Twice", "--field", "password")
    assert (status, out) == (10, "")
    assert "--account" in err
    assert run(opened, "passwords", "show", "Twice", "--account", "second", "--field", "password")[1] == "second\n"


def test_history_is_kept_and_fields_are_merged(opened):
    run(opened, "passwords", "add", "Rich", "--custom", "PIN", "--notes", secrets=["old", "1234", "a note"])
    assert run(opened, "passwords", "edit", "Rich", "--password", "--custom", "Code", secrets=["new", "99"])[0] == 0
    shown = json.loads(run(opened, "passwords", "show", "Rich", "--reveal", "--history", "--json")[1])
    assert shown["password"] == "new" and shown["notes"] == "a note"
    assert [former["password"] for former in shown["history"]] == ["old"]
    assert {field["name"]: field["value"] for field in shown["fields"]} == {"PIN": "1234", "Code": "99"}
    assert run(opened, "passwords", "remove", "Rich", "--yes")[0] == 0
    assert run(opened, "passwords", "show", "Rich")[0] == 3


def test_generated_password_is_stored_unseen(opened):
    status, out, err = run(opened, "passwords", "add", "Random", "--generate=40")
    assert (status, out) == (0, "")
    password = run(opened, "passwords", "show", "Random", "--field", "password")[1]
    assert len(password) == 41 and password.strip() not in err


def test_master_password_changes(opened):
    assert run(opened, "passwords", "change-master", "--memory", "64", secrets=["no", "a", "a"])[0] == 6
    assert run(opened, "passwords", "change-master", "--memory", "64", secrets=[MASTER, "next", "next"])[0] == 0
    assert run(opened, "passwords", "unlock", secrets=[MASTER])[0] == 6
    assert run(opened, "passwords", "change-master", "--memory", "64", secrets=["next", MASTER, MASTER])[0] == 0
    assert run(opened, "passwords", "unlock", secrets=[MASTER])[0] == 0
    # The key alone, under the same password.
    before = run(opened, "passwords", "list")[1]
    assert run(opened, "passwords", "renew-key", secrets=["no"])[0] == 6
    assert run(opened, "passwords", "renew-key", secrets=[MASTER])[0] == 0
    assert run(opened, "passwords", "unlock", secrets=[MASTER])[0] == 0
    assert run(opened, "passwords", "list")[1] == before


def test_output_that_is_closed_ends_it_quietly(opened):
    reader, writer = os.pipe()
    os.close(reader)
    finished = subprocess.run(
        [opened.prefix / "bin/keyway", "passwords", "list"],
        env=opened.environment,
        stdin=subprocess.DEVNULL,
        stdout=writer,
        stderr=subprocess.PIPE,
        timeout=60,
    )
    os.close(writer)
    assert finished.returncode != 0


def test_secrets_stand_in_no_argument_variable_file_or_log(opened):
    process = subprocess.Popen(
        [opened.prefix / "bin/keyway", "passwords", "add", "Canary", "--user", "u"],
        env=opened.environment,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    process.stdin.write(f"{SECRET}-slow".encode())
    process.stdin.flush()
    wait_until_read(process.stdin)
    running = [process.pid, *(entry["processIdentifier"] for entry in opened.running())]
    for number in running:
        for name in ("cmdline", "environ"):
            try:
                assert b"canary" not in Path(f"/proc/{number}/{name}").read_bytes()
            except PermissionError:
                assert name == "environ"  # nobody but root may look
    process.stdin.write(b"\n")
    out, err = process.communicate(timeout=60)
    assert process.returncode == 0
    assert b"canary" not in out + err
    for file in opened.folder.rglob("*"):
        if file.is_file() and not file.is_symlink() and not file.is_relative_to(opened.prefix):
            assert b"canary" not in file.read_bytes(), file


def test_process_that_waits_for_a_secret_cannot_be_looked_into(opened):
    process = subprocess.Popen(
        [opened.prefix / "bin/keyway", "passwords", "unlock"],
        env=opened.environment,
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        deadline = time.monotonic() + 60
        while Path(f"/proc/{process.pid}/mem").stat().st_uid != 0:
            assert time.monotonic() < deadline
            time.sleep(0.01)
        limits = Path(f"/proc/{process.pid}/limits").read_text()
        assert "Max core file size        0 " in limits
    finally:
        process.kill()
        process.wait()


def test_doctor_registers_the_host_with_the_browsers_that_are_there(keyway):
    home = keyway.folder / "home"
    for profile in (".config/chromium", ".config/vivaldi", ".mozilla/firefox", ".var/app/com.brave.Browser"):
        (home / profile).mkdir(parents=True)
    checks = {check["name"]: check for check in json.loads(run(keyway, "doctor", "--json")[1])["checks"]}
    assert checks["host:vivaldi"]["status"] == "failed"
    fixed = {check["name"]: check for check in json.loads(run(keyway, "doctor", "--fix", "--json")[1])["checks"]}
    for name in ("chromium", "vivaldi", "firefox", "brave-flatpak"):
        assert fixed[f"host:{name}"]["status"] == "fixed"
    assert fixed["sandbox:brave-flatpak"]["remedy"].startswith("flatpak override --user ")
    manifest = json.loads((home / ".config/vivaldi/NativeMessagingHosts/org.keyway.autofill.json").read_text())
    assert manifest["type"] == "stdio"
    assert os.access(manifest["path"], os.X_OK)
    again = {check["name"]: check for check in json.loads(run(keyway, "doctor", "--json")[1])["checks"]}
    assert again["host:vivaldi"]["status"] == "ok"
    assert again["vault"]["status"] == "warning" if "vault" in again else again["providers"]["status"] == "warning"


def doctor(session: Keyway, *options: str) -> dict[str, dict]:
    """The checks by their names."""
    return {check["name"]: check for check in json.loads(run(session, "doctor", "--json", *options)[1])["checks"]}


FLATPAKS = {
    "chromium": ("org.chromium.Chromium", "config/chromium/NativeMessagingHosts"),
    "chrome": ("com.google.Chrome", "config/google-chrome/NativeMessagingHosts"),
    "brave": ("com.brave.Browser", "config/BraveSoftware/Brave-Browser/NativeMessagingHosts"),
    "edge": ("com.microsoft.Edge", "config/microsoft-edge/NativeMessagingHosts"),
    "vivaldi": ("com.vivaldi.Vivaldi", "config/vivaldi/NativeMessagingHosts"),
    "firefox": ("org.mozilla.firefox", ".mozilla/native-messaging-hosts"),
    "librewolf": ("io.gitlab.librewolf-community", ".librewolf/native-messaging-hosts"),
}


@pytest.mark.parametrize("name", FLATPAKS)
def test_a_browser_from_flatpak_reaches_the_host_after_the_doctor_and_the_command_that_it_names(keyway, name):
    identifier, hosts = FLATPAKS[name]
    home = keyway.folder / "home"
    app = home / ".var/app" / identifier
    app.mkdir(parents=True)
    before = doctor(keyway)
    for check in ("wrapper", "host"):
        found = before[f"{check}:{name}-flatpak"]
        assert (found["status"], found["remedy"]) == ("failed", "keyway doctor --fix")
    fixed = doctor(keyway, "--fix")
    assert [fixed[f"{check}:{name}-flatpak"]["status"] for check in ("wrapper", "host")] == ["fixed", "fixed"]
    sandbox = fixed[f"sandbox:{name}-flatpak"]
    assert sandbox["status"] == "warning"
    assert sandbox["remedy"] == f"flatpak override --user --talk-name=org.freedesktop.Flatpak {identifier}"
    assert "its sandbox no longer protects you" in sandbox["detail"]
    # What that command writes.
    overrides = home / ".local/share/flatpak/overrides" / identifier
    overrides.parent.mkdir(parents=True)
    overrides.write_text("[Session Bus Policy]\norg.freedesktop.Flatpak=talk\n")
    after = doctor(keyway)
    assert {after[f"{check}:{name}-flatpak"]["status"] for check in ("wrapper", "host", "sandbox")} == {"ok"}
    # The browser starts what the manifest names; in its sandbox, nothing but flatpak-spawn leads out.
    manifest = json.loads((app / hosts / "org.keyway.autofill.json").read_text())
    tools = keyway.folder / "tools"
    tools.mkdir()
    spawn = tools / "flatpak-spawn"
    spawn.write_text('#!/bin/sh\n[ "$1" = --host ] && shift && exec "$@"\n')
    spawn.chmod(0o755)
    environment = {**keyway.environment, "PATH": f"{tools}:{keyway.environment['PATH']}"}
    arguments = CHROMIUM if "allowed_origins" in manifest else FIREFOX
    with Host(environment, arguments, program=Path(manifest["path"])) as host:
        host.greet()


def test_firefox_from_snap_is_registered_and_its_portal_is_named(keyway):
    home = keyway.folder / "home"
    (home / "snap/firefox").mkdir(parents=True)
    assert doctor(keyway)["host:firefox-snap"]["status"] == "failed"
    run(keyway, "doctor", "--fix")
    checks = doctor(keyway)
    assert checks["host:firefox-snap"]["status"] == "ok"
    # The portal looks where Firefox from the system does, and starts what it finds there outside of the snap.
    manifest = json.loads((home / ".mozilla/native-messaging-hosts/org.keyway.autofill.json").read_text())
    assert Path(manifest["path"]).samefile(keyway.prefix / "libexec/keyway/keyway-browser-host")
    sandbox = checks["sandbox:firefox-snap"]
    assert sandbox["status"] == "warning"
    assert sandbox["remedy"] == "flatpak permission-set webextensions org.keyway.autofill snap.firefox yes"
    assert "a desktop portal that only Ubuntu 22.04 and later has" in sandbox["detail"]
    extension = checks["extension:firefox-snap"]
    assert (extension["status"], "about:debugging" in extension["remedy"]) == ("warning", True)


def test_chromium_from_snap_is_told_of_and_left_alone(keyway):
    profile = keyway.folder / "home/snap/chromium"
    profile.mkdir(parents=True)
    checks = doctor(keyway, "--fix")
    assert [name for name in checks if name.endswith("chromium-snap")] == ["browser:chromium-snap"]
    check = checks["browser:chromium-snap"]
    assert check["status"] == "failed"
    assert check["detail"] == "Chromium (Snap) can't connect to Keyway, whatever its settings"
    assert "from Flatpak, or use Firefox" in check["remedy"]
    assert list(profile.iterdir()) == []
