"""What others of the person's get: another terminal, the background of one, who debugs, who starts the broker."""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import socket
import subprocess
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

import pytest
from login import HOME, MASTER, RUNTIME, USER, Login, Terminal, eventually
from own_provider import own_provider
from persons_programs import APART, LISTENS, PYTHON, TALKS
from seat import Seat
from sheets import Display
from test_poser import Speaker
from test_system_bus import EagerBus
from wire import is_readable

from session import system_bus

PAGE = "https://a.example"
# How timeout(1) ends when it ended the program.
TIMED_OUT = 124
# What a terminal is given of a vault that it unlocked.
GIVEN = (
    "passwords show alpha --field password",
    "passwords list",
    "passwords search alpha",
    "passwords edit alpha --user eve",
    "passwords remove alpha --yes",
)
FILL = f"fill {PAGE}"


# T17: what one program opened, another one asks for


@pytest.mark.parametrize("line", GIVEN)
def test_T17_another_terminal_gets_nothing_of_what_one_unlocked(vault, line):
    with vault.terminal() as other:
        status, printed, said = other.run(f"keyway {line}")
    assert status != 0
    assert printed == ""
    assert "password of alpha" not in said
    assert vault.open_terminal.keyway("passwords show alpha --field password") == "password of alpha\n"


# T13: the terminal is the right one, and the person does not see what runs there


@pytest.mark.parametrize("line", [*GIVEN, FILL])
def test_T13_the_background_of_the_terminal_that_unlocked_gets_nothing(vault, line):
    status, printed, said = vault.open_terminal.run(f"{{ keyway {line} & wait $!; }}")
    assert status != 0
    assert printed == ""
    assert "password of alpha" not in said
    assert vault.open_terminal.keyway("passwords show alpha --field password") == "password of alpha\n"


# T13 and T17: everything else that is handed out, or changed

CODE = "code a.example"
NEW_MASTER = "another horse battery staple"
# What is handed out or changed besides, with what it asks for, in an order in which a terminal can do it.
HANDED_OUT_OR_CHANGED = {
    "passwords show alpha --code-qr": (),
    "passwords show alpha --code-qr --output {made}/code.png": (),
    "passwords save-file alpha note.txt {made}/note.txt": (),
    "passwords show alpha --section 1": (),
    "passwords attach alpha {files}/other.txt": (),
    "passwords remove-file alpha other.txt --yes": (),
    "passwords add beta": ("password of beta",),
    "import {files}/second.csv --yes": (),
    "import --undo --yes": (),
    "export {made}/everything.json --yes": (MASTER,),
    "passwords renew-key": (MASTER,),
    "passwords change-master": (MASTER, NEW_MASTER, NEW_MASTER),
}
# What a terminal would do only after a site's report, or after a question on it.
NOT_IN_A_ROW = {
    "passwords restore alpha": (),
    "passwords restore-backup {files}/backup --replace --yes": (MASTER,),
}


@dataclass
class Full:
    """A vault that has a code, a file, an import that can be taken back, and a backup."""

    login: Login
    files: Path
    made: Path

    @property
    def state(self) -> tuple[str, str, list[Path]]:
        terminal = self.login.open_terminal
        listed = terminal.keyway("passwords list --json")
        return listed, terminal.keyway("passwords show alpha --reveal --json"), sorted(self.made.iterdir())

    def outcomes(
        self, terminal: Terminal, form: str = "{}", *, knows: bool = True, **more: tuple[str, ...]
    ) -> dict[str, tuple[int, str, str]]:
        """What comes of each line: its status, what it printed, what it said."""
        return {
            line: terminal.run(
                form.format("keyway " + line.format(files=self.files, made=self.made)), *(secrets if knows else ())
            )
            for line, secrets in (more | HANDED_OUT_OR_CHANGED).items()
        }


@pytest.fixture
def full(vault: Login) -> Full:
    files, made = vault.tools / "files", vault.tools / "made"
    for folder in (files, made):
        folder.mkdir()
        os.chown(folder, USER, USER)
    for name in ("note.txt", "other.txt"):
        (files / name).write_text(f"what is in {name}")
    for name in ("first", "second"):
        (files / f"{name}.csv").write_text(f"name,url,username,password\n{name},https://{name}.example,bob,pw {name}\n")
    terminal = vault.open_terminal
    terminal.keyway("passwords edit alpha --code", "otpauth://totp/alpha:ada?secret=JBSWY3DPEHPK3PXP")
    terminal.keyway(f"passwords attach alpha {files}/note.txt")
    terminal.keyway(f"import {files}/first.csv --yes")
    terminal.keyway(f"passwords backup {files}/backup")
    return Full(vault, files, made)


def test_T17_another_terminal_is_handed_out_nothing_and_changes_nothing_in_what_one_unlocked(full: Full):
    before = full.state
    with full.login.terminal() as other:
        outcomes = full.outcomes(other, knows=False, **NOT_IN_A_ROW)
        # The person may unlock it there, too, and nobody has yet.
        other.begin(f"keyway {CODE}")
        asked = other.read_until("aster password", "ended=")
        other.type("")
    assert {line: outcome for line, outcome in outcomes.items() if outcome[0] == 0 or outcome[1]} == {}
    assert "aster password" in asked and not re.search(r"[0-9]{6}", asked)
    assert full.state == before


def test_T13_the_background_is_handed_out_nothing_and_changes_nothing_whatever_it_knows(full: Full):
    before, terminal = full.state, full.login.open_terminal
    outcomes = full.outcomes(terminal, "{{ {} & wait $!; }}", **NOT_IN_A_ROW, **{CODE: ()})
    given = {line: outcome for line, outcome in outcomes.items() if outcome[0] == 0 or outcome[1]}
    assert given == {}
    # What its terminal unlocked is locked to it.
    reasons = ("background", "The vault is locked")
    assert {line: said for line, (*_, said) in outcomes.items() if not any(one in said for one in reasons)} == {}
    assert full.state == before
    # In the foreground, each of them is done.
    done = full.outcomes(terminal, **{CODE: ()})
    assert {line: outcome for line, outcome in done.items() if outcome[0] != 0} == {}


# K10: who asks for a debugger


def test_K10_a_provider_that_was_installed_for_everybody_is_debugged_by_nobody(vault):
    status, _, said = vault.open_terminal.run("keyway providers debug org.keyway.passwords")
    assert status != 0
    assert "installed for all users" in said
    assert not vault.named("keyway-passwords-extension")


def test_K10_a_provider_of_the_persons_is_debugged_only_where_they_can_be_asked_outside_of_that_terminal(login):
    identifier = own_provider(login)
    with login.terminal() as terminal:
        terminal.keyway(f"providers enable --yes {identifier}")
        status, _, said = terminal.run(f"keyway providers debug {identifier}", "yes")
        assert status != 0
        assert "no display and no way to verify you" in said
        assert not json.loads(terminal.keyway(f"providers show {identifier} --json"))["provider"]["debugged"]


def test_what_a_namespace_costs_is_said_before_a_provider_is_turned_on(login):
    identifier = own_provider(login)
    with login.terminal() as terminal:
        terminal.begin(f"keyway providers enable {identifier}")
        shown = terminal.read_until("could read its memory", "ended=")
        assert not shown.endswith("ended=")
        terminal.type("n")
        terminal.read_until("ended=")
        assert not json.loads(terminal.keyway(f"providers show {identifier} --json"))["provider"]["enabled"]


# K17: who starts the broker


@dataclass
class Elsewhere:
    """What a program of the person's makes up, so that the broker finds it in place of what is the person's."""

    folder: Path
    bus: EagerBus
    display: Display
    compositor: socket.socket

    # What a broker runs, as far as it looks for it.
    PROGRAMS = ("keyway-sheets", "keyway-vaultd", "keyway-store-key", "keyway-confine", "bwrap", "systemctl", "sh")

    @property
    def variables(self) -> dict[str, str]:
        places = ("HOME", "XDG_RUNTIME_DIR", "XDG_STATE_HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_DATA_DIRS")
        return {
            **dict.fromkeys(places, str(self.folder)),
            "DBUS_SYSTEM_BUS_ADDRESS": self.bus.address,
            "DBUS_SESSION_BUS_ADDRESS": self.bus.address,
            "PATH": f"{self.folder}:/usr/bin:/bin",
            "DISPLAY": self.display.environment["DISPLAY"],
            "WAYLAND_DISPLAY": str(self.folder / "wayland"),
        }

    def start_broker(self, login: Login) -> subprocess.Popen:
        keywayd = login.prefix / "libexec/keyway/keywayd"
        broker = login.start(keywayd, "--foreground", env={**login.environment, **self.variables})
        eventually(login.door.exists)
        return broker


@pytest.fixture
def elsewhere(login: Login) -> Iterator[Elsewhere]:
    folder = login.tools / "elsewhere"
    folder.mkdir()
    for name in Elsewhere.PROGRAMS:
        program = folder / name
        program.write_text(f"#!/bin/sh\n: > {folder}/ran\n")
        program.chmod(0o755)
    with (
        closing(EagerBus(login.tools / "eager")) as bus,
        Display(USER) as display,
        socket.socket(socket.AF_UNIX) as compositor,
    ):
        compositor.bind(str(folder / "wayland"))
        compositor.listen()
        for place in (folder, *folder.iterdir()):
            os.chown(place, USER, USER)
        yield Elsewhere(folder, bus, display, compositor)


def test_K17_the_environment_of_whoever_starts_the_broker_decides_nothing(login: Login, elsewhere: Elsewhere):
    service = login.install_bundle("made-up", Path("/bin/true"), {})
    real = service.parents[2]
    shutil.move(real, elsewhere.folder)
    before = sorted(elsewhere.folder.rglob("*"))
    broker = elsewhere.start_broker(login)
    assert str(broker.pid) in login.keyway("status", "--json")
    methods = json.loads(login.keyway("verification", "--json"))["methods"]
    finger = next(method for method in methods if method["method"] == "fingerprint")
    assert not finger["available"]
    # Not even a fingerprint reader was looked for there.
    assert "nobody listens" in finger["detail"]
    assert "test.made-up" not in login.keyway("providers", "list", "--json")
    # Nobody can be asked, and nobody is asked there.
    stranger = Speaker(login, "browser")
    stranger.ask("suggest", {"services": [{"identifier": PAGE, "kind": "URL"}]})
    assert stranger.hear() == "notApproved"
    assert elsewhere.display.windows() == [] and not is_readable(elsewhere.compositor, 0)
    assert sorted(elsewhere.folder.rglob("*")) == before
    assert (HOME / ".local/state/keyway").is_dir()
    assert RUNTIME in login.door.parents
    assert Path(f"/proc/{broker.pid}").stat().st_uid == USER
    # Where the person has it, it is a provider.
    shutil.move(elsewhere.folder / real.name, real)
    assert "test.made-up" in login.keyway("providers", "list", "--json")


def test_K17_windows_open_where_login1_says_and_not_where_whoever_starts_the_broker_says(
    login: Login, elsewhere: Elsewhere, tmp_path: Path
):
    with Seat(tmp_path) as seat:
        elsewhere.start_broker(login)
        stranger = Speaker(login, "browser")
        stranger.ask("suggest", {"services": [{"identifier": PAGE, "kind": "URL"}]})
        seat.asked("Allow “python3")
        assert elsewhere.display.windows() == [] and not is_readable(elsewhere.compositor, 0)
        seat.decline("Allow “python3")
        assert stranger.hear() == "cancelled"
    assert not (elsewhere.folder / "ran").exists()


@pytest.fixture
def place_of_the_system_bus() -> Iterator[Path]:
    """The folder of the system's bus on a machine where every program may write there."""
    before = system_bus.PLACE.stat().st_mode
    system_bus.PLACE.chmod(0o777)
    yield system_bus.SOCKET
    system_bus.SOCKET.unlink(missing_ok=True)
    system_bus.PLACE.chmod(before & 0o777)


def test_K17_a_program_of_the_persons_at_the_path_of_the_system_bus_is_told_nothing(login, place_of_the_system_bus):
    command = (PYTHON, "-c", LISTENS, place_of_the_system_bus, "takes connections")
    listener = login.start(*command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert listener.stdout.readline() == b"listening\n"
    methods = json.loads(login.keyway("verification", "--json"))["methods"]
    (finger,) = [method for method in methods if method["method"] == "fingerprint"]
    assert not finger["available"] and "is not the system" in finger["detail"], finger
    eventually(lambda: "login1 cannot be heard" in login.log)
    listener.kill()
    assert set(listener.stdout.read().splitlines()) <= {b"gone"}


PROVIDER = "org.keyway.passwords"


@dataclass
class Apart:
    """A user namespace that a program of the person's makes, which says who is root there, and who the system's bus."""

    login: Login
    script: Path
    folder: Path
    number: int
    place: Path = system_bus.PLACE

    def line(self, *command: str | Path) -> list[str]:
        """What runs a program there."""
        return list(map(str, (PYTHON, self.script, self.number, self.folder, self.place, *command)))

    def run(self, *command: str | Path) -> subprocess.CompletedProcess:
        return self.login.run("/usr/bin/timeout", "60", *self.line(*command))


@pytest.fixture(params=[0, USER], ids=["as root", "as oneself"])
def apart(login: Login, request: pytest.FixtureRequest) -> Iterator[Apart]:
    script, folder = login.tools / "apart.py", login.tools / "bus"
    script.write_text(APART)
    folder.mkdir()
    os.chown(folder, USER, USER)
    command = (PYTHON, "-c", LISTENS, folder / system_bus.SOCKET.name, "takes connections")
    listener = login.start(*command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert listener.stdout.readline() == b"listening\n"
    apart = Apart(login, script, folder, request.param)
    # Whoever looks for the system's bus there finds that one.
    talked = apart.run(PYTHON, "-c", TALKS, system_bus.SOCKET)
    assert talked.returncode == 0, talked.stderr
    assert [listener.stdout.readline() for _ in range(2)] == [b"b'hello'\n", b"gone\n"]
    yield apart
    listener.kill()
    assert set(listener.stdout.read().splitlines()) <= {b"gone"}


def test_K17_in_a_user_namespace_of_the_persons_no_broker_runs_whatever_is_the_system_there(login, apart):
    alone = apart.run(login.prefix / "libexec/keyway/keywayd", "--foreground")
    assert alone.returncode == 1, alone.stderr
    assert "doesn't run in your own user namespace" in alone.stderr
    started = apart.run(login.prefix / "bin/keyway", "providers", "enable", "--yes", PROVIDER)
    assert started.returncode not in (0, TIMED_OUT), started.stderr
    assert "doesn't run in your own user namespace" in started.stderr
    assert not login.door.exists() and not login.named("keywayd")
    # Elsewhere, one runs, and nothing was turned on.
    shown = json.loads(login.keyway("providers", "show", PROVIDER, "--json"))
    assert not shown["provider"]["enabled"]


def test_K17_in_a_user_namespace_of_the_persons_keyway_is_given_nothing_of_an_open_vault(vault, apart):
    status, printed, said = vault.open_terminal.run(shlex.join(apart.line(vault.prefix / "bin/keyway", *FILL.split())))
    assert (status != 0, printed) == (True, "")
    assert "Keyway can't find out which program asks" in said
    assert vault.open_terminal.keyway(FILL) == "password of alpha\n"
