"""T38, K7: what a day with Keyway leaves behind: on a disk that somebody steals, and where other programs look."""

from __future__ import annotations

import json
import os
import subprocess
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from secrets import token_hex

import pytest
from login import HOME, MASTER, RUNTIME, USER, Login, Terminal, eventually
from person import Person
from seat import Seat
from test_poser import ask_to_fill, pose

KEYRING = "gnome-keyring-daemon"
LOGIN_KEYRING = "/org/freedesktop/secrets/collection/login"


class Sampler(threading.Thread):
    """Reads arguments and environment of every process of the person's, again and again, until it is stopped."""

    def __init__(self) -> None:
        super().__init__(daemon=True)
        # Whatever ran before is none of what the test starts.
        self.others = {process.name for process in Path("/proc").glob("[0-9]*")}
        self.programs: set[str] = set()
        self.seen: set[bytes] = set()
        self.ended = threading.Event()

    def run(self) -> None:
        while not self.ended.is_set():
            for process in Path("/proc").glob("[0-9]*"):
                if process.name not in self.others:
                    self.sample(process)
            time.sleep(0.005)

    def sample(self, process: Path) -> None:
        try:
            if f"\nUid:\t{USER}\t" in (process / "status").read_text():
                arguments, environment = ((process / name).read_bytes() for name in ("cmdline", "environ"))
                self.programs.add(os.fsdecode(arguments.split(b"\0")[0]).rpartition("/")[2])
                self.seen |= {arguments, environment}
        except OSError:
            # It has ended.
            return

    def stop(self) -> None:
        self.ended.set()
        self.join()


@dataclass
class Day:
    """What was done on it, and what was left."""

    keeps_key: str
    site: str = field(default_factory=lambda: f"s{token_hex(8)}.example")
    user: str = field(default_factory=lambda: f"u{token_hex(8)}")
    title: str = field(default_factory=lambda: f"t{token_hex(8)}")
    secrets: dict[str, str] = field(
        default_factory=lambda: (
            {name: token_hex(12) for name in ("password", "newer password", "wrong master password", "PIN")}
            | {"master password": MASTER}
        )
    )
    said: list[str] = field(default_factory=list)
    left: dict[str, bytes] = field(default_factory=dict)
    seen: set[bytes] = field(default_factory=set)
    programs: set[str] = field(default_factory=set)
    store_key: dict[str, str] = field(default_factory=dict)

    @property
    def on_the_disk(self) -> dict[str, bytes]:
        """The files of the home folder, by their paths; the runtime folder is gone with the power."""
        return {path: text for path, text in self.left.items() if path.startswith(str(HOME))}

    @property
    def names(self) -> dict[str, str]:
        return {"site": self.site, "user name": self.user, "title": self.title}


def leaks(traces: dict[str, bytes], sought: dict[str, str]) -> list[str]:
    return [
        f"{name} in {place}"
        for place, text in traces.items()
        for name, word in sought.items()
        if word.encode() in text or word.encode("utf-16-le") in text
    ]


def open_keyring(person: Login) -> None:
    """What a login of a desktop does: the keyring of the session's bus is opened by the login password."""
    address = f"unix:path={RUNTIME / 'bus'}"
    daemon = person.start(
        KEYRING,
        *("--foreground", "--unlock", "--components=secrets"),
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        env={**person.environment, "DBUS_SESSION_BUS_ADDRESS": address},
    )
    daemon.stdin.write(b"login password")
    daemon.stdin.close()
    words = ("get-property", "org.freedesktop.secrets", LOGIN_KEYRING, "org.freedesktop.Secret.Collection", "Locked")
    # It is there before it is open.
    eventually(lambda: person.run("busctl", f"--address={address}", *words).stdout == "b false\n")


def live(person: Person, day: Day) -> None:
    """All that a person does with the vault, mistakes included: in a terminal, in windows and for a browser."""
    site, secrets = f"https://{day.site}", day.secrets

    def keyway(line: str, *given: str, fails: bool = False) -> str:
        status, printed, said = person.shell.run(f"keyway {line}", *given)
        assert (status != 0) == fails, said
        day.said.append(said)
        return printed

    person.set_up()
    keyway(f"passwords add {day.title} --user {day.user} --url {site}", secrets["password"])
    assert keyway(f"fill {site}") == f"{secrets['password']}\n"
    keyway(f"passwords edit {day.title} --password", secrets["newer password"])
    keyway("passwords lock")
    keyway("passwords unlock", secrets["wrong master password"], fails=True)
    keyway("passwords unlock", MASTER)
    assert day.user in keyway("passwords list") + keyway(f"passwords show {day.title}")
    with pose(person, "/usr/bin/python3", site) as host:
        ask_to_fill(host, site)
        person.seat.agree(f"” fill {day.site}?", day.site)
        assert host.answer()["result"] == {"password": secrets["newer password"]}
    day.said.append(set_pin(person.shell, secrets["PIN"]))
    keyway("passwords lock")
    keyway("status")
    # It finds fault with a machine that is played.
    day.said += person.shell.run("keyway doctor")[1:]


def set_pin(terminal: Terminal, pin: str) -> str:
    """Sets the PIN, after the master password showed who that is; what the terminal showed of it."""
    terminal.begin("keyway verification pin set")
    shown = ""
    for question, answer in (("New PIN: ", pin), ("New PIN, again: ", pin), ("Master password: ", MASTER)):
        shown += terminal.read_until(question, "ended=")
        terminal.type(answer)
    return shown + terminal.read_until("ended=0", "ended=1")


def files_of_the_person(person: Person) -> Iterator[Path]:
    for place in (HOME, RUNTIME, Path("/tmp"), Path("/var/tmp"), Path("/dev/shm")):
        # What others remove meanwhile is passed over.
        for path in (Path(folder, name) for folder, _, names in os.walk(place) for name in names):
            try:
                # What a shell of the test wrote for the test is no trace.
                if path.is_file() and path.stat().st_uid == USER and person.shell.folder not in path.parents:
                    yield path
            except FileNotFoundError:
                continue


@pytest.fixture(scope="module", params=["file", "keyring"])
def day(request: pytest.FixtureRequest, prefix: Path, tmp_path_factory: pytest.TempPathFactory) -> Day:
    day = Day(request.param)
    with Person(prefix) as person, Seat(tmp_path_factory.mktemp("machine")) as seat, person.terminal() as shell:
        person.seat, person.shell = seat, shell
        if request.param == "keyring":
            open_keyring(person)
        sampler = Sampler()
        sampler.start()
        try:
            live(person, day)
        finally:
            sampler.stop()
        day.seen, day.programs = sampler.seen, sampler.programs
        checks = json.loads(shell.run("keyway doctor --json")[1])["checks"]
        (day.store_key,) = [check for check in checks if check["name"] == "store-key"]
        # Also as it lies there while the broker runs: with journals and files that belong to memory.
        day.left = {str(path): path.read_bytes() for path in files_of_the_person(person)}
    return day


def test_T38_no_secret_is_in_an_argument_an_environment_a_log_or_a_file(day: Day) -> None:
    ours = {"keyway", "keywayd", "keyway-vaultd", "keyway-passwords-extension", "keyway-browser-host", "keyway-sheets"}
    assert day.programs >= ours
    traces = day.left | {"said": "\n".join(day.said).encode()}
    traces |= {f"argument or environment {number}": text for number, text in enumerate(day.seen)}
    log = str(RUNTIME / "keyway/keywayd.log")
    # What is no secret is found by the same search, in each kind of place.
    assert leaks({log: traces[log]}, {"provider": "org.keyway.passwords"})
    assert any("argument" in leak for leak in leaks(traces, day.names))
    assert leaks(traces, day.secrets) == []


def test_K7_a_stolen_disk_tells_no_site_no_user_and_no_secret(day: Day) -> None:
    assert {Path(path).suffix for path in day.on_the_disk} >= {".vault", ".sqlite", ".sqlite-wal", ".json"}
    # Who searches finds what stands there readable.
    assert leaks(day.on_the_disk, {"provider": "org.keyway.passwords"})
    assert leaks(day.on_the_disk, day.names | day.secrets) == []


def test_K7_the_key_of_the_stores_is_on_the_disk_only_where_doctor_says_so(day: Day) -> None:
    keys = [path for path in day.on_the_disk if Path(path).name == "store-key.bin"]
    if day.keeps_key == "file":
        assert len(keys) == 1
        assert day.store_key["status"] == "warning"
        assert "a stolen disk reveals which sites you have accounts for" in day.store_key["detail"]
    else:
        assert keys == []
        assert day.store_key["status"] == "ok", day.store_key
