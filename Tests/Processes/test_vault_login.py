"""The vault locks with the session and before the machine sleeps; login1 is played by python-dbusmock."""

import os
import subprocess
from pathlib import Path

import pytest
from vault_service import VaultService, eventually, refusal

from session import system_bus

LOGIN1 = "org.freedesktop.login1"
MANAGER = "/org/freedesktop/login1"
SESSION = "/org/freedesktop/login1/session"
MOCK = "org.freedesktop.DBus.Mock"
# Debian's interpreter: python3-dbusmock belongs to it, whatever runs these tests.
PYTHON = "/usr/bin/python3"


class Bus:
    """The system's bus with login1 on it, for the tests alone, and everything that passes over it in a file."""

    def __init__(self, folder) -> None:
        assert system_bus.may_play(), "only root can play the system's bus"
        self.address = system_bus.ADDRESS
        self.environment = {"PATH": os.environ["PATH"], "DBUS_SYSTEM_BUS_ADDRESS": self.address}
        self.traffic = folder / "traffic"
        self.processes = [self.spawn("dbus-daemon", "--session", "--nofork", f"--address={self.address}")]
        eventually(system_bus.SOCKET.exists)
        self.processes.append(self.spawn("dbus-monitor", "--address", self.address, output=self.traffic))
        self.processes.append(self.spawn(PYTHON, "-m", "dbusmock", "--system", "--template", "logind"))
        eventually(lambda: self.busctl("status", LOGIN1) == 0)

    def spawn(self, *command: str, output=None) -> subprocess.Popen:
        with Path(output or os.devnull).open("ab") as sink:
            return subprocess.Popen(command, env=self.environment, stdout=sink, stderr=subprocess.DEVNULL)

    def busctl(self, *arguments: str) -> int:
        command = ["busctl", f"--address={self.address}", *arguments]
        return subprocess.run(command, env=self.environment, capture_output=True).returncode

    def call(self, path: str, interface: str, member: str, *arguments: str) -> None:
        assert self.busctl("call", LOGIN1, path, interface, member, *arguments) == 0

    def add_session(self, name: str, user: int) -> None:
        self.call(MANAGER, MOCK, "AddSession", "ssusb", name, "seat0", str(user), "ada", "true")

    def emit(self, member: str, value: str) -> None:
        self.call(MANAGER, MOCK, "EmitSignal", "sssav", f"{LOGIN1}.Manager", member, "b", "1", "b", value)

    @property
    def delays(self) -> int:
        command = [
            "busctl",
            f"--address={self.address}",
            "call",
            LOGIN1,
            MANAGER,
            f"{LOGIN1}.Manager",
            "ListInhibitors",
        ]
        listed = subprocess.run(command, env=self.environment, capture_output=True, text=True)
        return listed.stdout.count('"Keyway"')

    def close(self) -> None:
        for process in reversed(self.processes):
            process.kill()
            process.wait()
        system_bus.SOCKET.unlink(missing_ok=True)


@pytest.fixture
def bus(tmp_path):
    bus = Bus(tmp_path)
    yield bus
    bus.close()


@pytest.fixture
def service(stage, bus):
    with VaultService(stage) as service:
        service.bus = system_bus.SOCKET
        service.start()
        eventually(lambda: bus.delays == 1)
        yield service


def locks(service: VaultService, terminal) -> None:
    service.broker.wait_for_states("ready", "locked")
    assert refusal(terminal.titles) == "locked"


def test_locks_when_the_session_is_locked(service, bus):
    bus.add_session("c1", os.getuid())
    terminal = service.with_vault()
    bus.call(f"{SESSION}/c1", f"{LOGIN1}.Session", "Lock")
    locks(service, terminal)
    assert "locked: the session was locked" in service.log


def test_locks_when_the_screen_saver_says_so(service, bus):
    bus.add_session("c1", os.getuid())
    terminal = service.with_vault()
    bus.call(f"{SESSION}/c1", f"{LOGIN1}.Session", "SetLockedHint", "b", "true")
    locks(service, terminal)


def test_another_persons_session_locks_nothing(service, bus):
    bus.add_session("c1", os.getuid())
    bus.add_session("c2", os.getuid() + 1)
    terminal = service.with_vault()
    bus.call(f"{SESSION}/c2", f"{LOGIN1}.Session", "Lock")
    bus.call(f"{SESSION}/c2", f"{LOGIN1}.Session", "SetLockedHint", "b", "true")
    bus.call(f"{SESSION}/c1", f"{LOGIN1}.Session", "SetLockedHint", "b", "false")
    assert terminal.titles() == []
    # Ours comes after theirs on the same connection: when it has worked, theirs has been heard.
    bus.call(f"{SESSION}/c1", f"{LOGIN1}.Session", "Lock")
    locks(service, terminal)
    assert service.log.count("locked: ") == 1


def test_locks_before_the_machine_sleeps_and_holds_it_until_then(service, bus):
    terminal = service.with_vault()
    bus.emit("PrepareForSleep", "true")
    locks(service, terminal)
    eventually(lambda: bus.delays == 0)
    bus.emit("PrepareForSleep", "false")
    eventually(lambda: bus.delays == 1)


def test_goes_on_when_the_bus_ends(service, bus):
    terminal = service.with_vault()
    bus.close()
    eventually(lambda: "The system bus is gone" in service.log)
    assert terminal.titles() == []
    terminal.lock()


def test_goes_on_without_a_bus(stage):
    with VaultService(stage) as service:
        terminal = service.start().with_vault()
        assert terminal.titles() == []
        eventually(lambda: "login1 cannot be heard" in service.log)
        terminal.lock()
        service.broker.wait_for_states("ready", "locked")
