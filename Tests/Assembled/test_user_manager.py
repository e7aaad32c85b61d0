"""The installed units under a real user manager of systemd: what starts the broker, holds it and limits it.

This takes a kernel that counts memory and processes in cgroup v2; where this one does not, the tests run on one that
does (`control_groups.py`).
"""

from __future__ import annotations

import json
import re
import resource
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from control_groups import HandedOver, are_here, handed_over
from login import HOME, MASTER, RUNTIME, USER, Login, eventually, read
from test_control_groups import IDENTIFIER, REPORT, hungry

pytestmark = pytest.mark.control_groups
SYSTEMD = Path("/usr/lib/systemd/systemd")
UNITS = ("keywayd.socket", "keywayd.service")


def unit(login: Login, name: str) -> str:
    text = (login.prefix / "lib/systemd/user" / name).read_text()
    # A private root is laid out for another place.
    return re.sub(r"^ExecStart=.*$", f"ExecStart={login.prefix}/libexec/keyway/keywayd", text, flags=re.M)


class Manager:
    """`systemd --user` of the person, in a control group of its own, with the installed units and none but the basic
    ones of the system."""

    def __init__(self, login: Login, group: HandedOver) -> None:
        self.login, self.group = login, group
        self.said = HOME / "systemd.log"
        folder = HOME / ".config/systemd/user"
        folder.mkdir(parents=True)
        for name in UNITS:
            (folder / name).write_text(unit(login, name))
        # It takes the machine for one that systemd has booted.
        Path("/run/systemd/system").mkdir(parents=True, exist_ok=True)
        with self.said.open("w") as said:
            words = ("--user", "--unit=basic.target", "--log-target=console", "--log-level=info")
            systemd = login.start(SYSTEMD, *words, stderr=said, stdout=said, preexec_fn=group.join)
        eventually(lambda: (RUNTIME / "systemd/private").exists() or systemd.poll() is not None)
        assert systemd.poll() is None, self.said.read_text()
        self.systemctl("start", "keywayd.socket")

    def systemctl(self, *words: str) -> str:
        finished = self.login.run("systemctl", "--user", *words)
        assert finished.returncode == 0, finished.stderr + self.said.read_text()
        return finished.stdout

    def shows(self, unit: str) -> dict[str, str]:
        return dict(line.split("=", 1) for line in self.systemctl("show", unit).splitlines() if "=" in line)


@pytest.fixture
def manager(login: Login) -> Iterator[Manager | None]:
    """Nothing where the test runs elsewhere."""
    if not are_here():
        yield None
        return
    with handed_over(USER) as group:
        yield Manager(login, group)


def test_the_units_start_hold_and_limit_the_broker(manager: Manager) -> None:
    login = manager.login
    # The socket is there, closed to others, and nothing runs yet.
    assert (login.door.stat().st_mode & 0o777, login.door.parent.stat().st_mode & 0o777) == (0o600, 0o700)
    assert login.named("keywayd") == []
    status = login.keyway("status", "--json")
    shown = manager.shows("keywayd.service")
    broker = login.broker
    assert (shown["ActiveState"], shown["MainPID"]) == ("active", str(broker))
    assert str(broker) in status
    # What the unit says holds for the process.
    limits = read(broker, "limits")
    assert re.search(r"Max core file size +0 +0 ", limits)
    # As much as the unit says, or as the person may have at all: a user manager raises no limit of its own.
    most = resource.getrlimit(resource.RLIMIT_MEMLOCK)[1]
    least = 64 << 20 if most == resource.RLIM_INFINITY else min(64 << 20, most)
    assert re.search(rf"Max locked memory +{least} ", limits), limits
    assert "Umask:\t0077" in read(broker, "status")
    # The group came with the program, which no directive may take away; nor may one make a user namespace.
    assert "NoNewPrivs:\t0" in read(broker, "status")
    checks = json.loads(login.run(login.prefix / "bin/keyway", "doctor", "--json").stdout)["checks"]
    assert [check["status"] for check in checks if check["name"] == "walls"] == ["ok"]
    assert Path(f"/proc/{broker}/ns/user").readlink() == Path("/proc/self/ns/user").readlink()
    assert shown["ControlGroup"] in read(broker, "cgroup")
    assert json.loads(status)["sharedLimits"]["hold"], status
    with login.terminal() as terminal:
        # What fills is in the unit, too.
        terminal.keyway("providers enable --yes --unconfined org.keyway.passwords")
        terminal.keyway("passwords init", MASTER, MASTER)
        terminal.keyway("passwords add alpha --user ada --url https://a.example", "password of alpha")
        # That kernel is slow: an extension may not come up in its time at once.
        eventually(lambda: terminal.run("keyway fill https://a.example")[1] == "password of alpha\n", 120)
        (vault,) = login.named("keyway-vaultd")
        assert shown["ControlGroup"] in read(vault, "cgroup")
    # Whatever it started ends with it, and who asks next starts it again.
    manager.systemctl("stop", "keywayd.service")
    eventually(lambda: not login.named("keywayd") and not login.named("keyway-vaultd"))
    assert login.keyway("status", "--json")
    assert manager.shows("keywayd.service")["MainPID"] == str(login.broker) != str(broker)


def test_a_restart_loses_no_setting_locks_the_vault_and_serves_who_asks_meanwhile(manager: Manager) -> None:
    login = manager.login

    def settings() -> list[object]:
        listed = [json.loads(login.keyway(name, "list", "--json"))[name] for name in ("providers", "clients")]
        entries = json.loads(login.keyway("history", "--json"))["entries"]
        return [
            [(one["identifier"], one["enabled"], one["changed"]) for one in listed[0]],
            [(one["identifier"], one["decision"], one["decidedAt"]) for one in listed[1]],
            entries,
            json.loads(login.keyway("verification", "--json")),
        ]

    with login.terminal() as terminal, login.terminal() as asking:
        terminal.keyway("providers enable --yes --unconfined org.keyway.passwords")
        terminal.keyway("passwords init", MASTER, MASTER)
        terminal.keyway("passwords add alpha --user ada --url https://a.example", "password of alpha")
        before, broker = settings(), login.broker
        assert all(before)
        # Somebody asks all the time.
        asked = HOME / "asked"
        asking.begin(f"while ! [ -e {HOME}/enough ]; do keyway status --json >/dev/null; echo $? >>{asked}; done")
        count = eventually(lambda: asked.exists() and len(asked.read_text().split()))
        manager.systemctl("restart", "keywayd.service")
        eventually(lambda: len(asked.read_text().split()) > count + 3, 300)
        (HOME / "enough").touch()
        asking.read_until("ended=0")
        assert set(asked.read_text().split()) == {"0"}
        assert manager.shows("keywayd.service")["MainPID"] == str(login.broker) != str(broker)
        assert settings() == before
        # What was open is closed, and says so.
        status, told, said = terminal.run("keyway passwords show alpha --field password")
        assert (status != 0, told) == (True, "")
        assert "The vault is locked." in said and "keyway passwords unlock" in said
        terminal.keyway("passwords unlock", MASTER)
        assert terminal.keyway("passwords show alpha --field password") == "password of alpha\n"


def test_a_provider_that_takes_too_much_is_ended_by_the_units_own_limits(manager: Manager) -> None:
    login = manager.login
    hungry(login, "p")
    made = REPORT / "made"
    eventually(lambda: made.exists() and made.read_text().endswith("\n"), 300)
    assert 400 < int(made.read_text()) < 520
    login.keyway("providers", "disable", IDENTIFIER)
    eventually(lambda: login.named("hungry") == [])


def test_systemd_finds_nothing_wrong_with_the_units(login: Login) -> None:
    folder = HOME / "units"
    folder.mkdir()
    for name in UNITS:
        (folder / name).write_text(unit(login, name))
    verified = subprocess.run(
        ["systemd-analyze", "verify", "--user", "--man=no", *(folder / name for name in UNITS)],
        env={**login.environment, "XDG_RUNTIME_DIR": str(RUNTIME)},
        capture_output=True,
        text=True,
    )
    assert (verified.returncode, verified.stderr) == (0, "")
