"""Whose word counts as the system's: that of who listens at the system's path, if it is the system; nobody else's.

login1 and fprintd are played by python-dbusmock, as an attacker would play them and as the system does.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest
from test_vault_login import LOGIN1, PYTHON, Bus
from vault_service import VaultService, eventually

from session import system_bus

ROOT = Path(__file__).resolve().parents[2]
# A user of the system who has nothing to do with it.
ANYBODY = "games"
FPRINTD = "net.reactivated.Fprint"
FINGER = ["-m", "dbusmock", "--system", "--template", ROOT / "Tests/Buses/fprintd.py"]
# A bus for everybody, whoever runs it.
CONFIGURATION = """
<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
 "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
<busconfig>
  <type>system</type><listen>{address}</listen><auth>EXTERNAL</auth>
  <policy context="default">
    <allow user="*"/><allow own="*"/><allow send_destination="*"/><allow receive_sender="*"/>
    <allow send_type="signal"/><allow receive_type="signal"/>
  </policy>
</busconfig>
"""


class EagerBus:
    """A bus on which every finger matches, with a login1 that may be asked."""

    def __init__(self, socket: Path, user: str | None = None) -> None:
        self.address = f"unix:path={socket}"
        file = socket.with_name("bus.conf")
        file.write_text(CONFIGURATION.format(address=self.address))
        daemon = ("dbus-daemon", f"--config-file={file}", "--nofork", "--nopidfile")
        self.processes = [self.spawn(*daemon, user=user, extra_groups=None if user is None else [])]
        eventually(socket.exists)
        self.processes.append(self.spawn(PYTHON, *FINGER))
        self.processes.append(self.spawn(PYTHON, "-m", "dbusmock", "--system", "--template", "logind"))
        eventually(lambda: self.has(FPRINTD) and self.has(LOGIN1))

    def spawn(self, *command: str | Path, **who: object) -> subprocess.Popen:
        environment = {"PATH": os.environ["PATH"], "DBUS_SYSTEM_BUS_ADDRESS": self.address}
        return subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, **who)

    def has(self, name: str) -> bool:
        return (
            subprocess.run(["busctl", f"--address={self.address}", "status", name], capture_output=True).returncode == 0
        )

    def close(self) -> None:
        for process in reversed(self.processes):
            process.kill()
            process.wait()


@pytest.fixture
def make_bus():
    """Plays a bus at that socket, as that user."""
    buses = []

    def make(socket: Path, user: str | None = None) -> EagerBus:
        if socket == system_bus.SOCKET:
            assert system_bus.may_play(), "only root can play the system's bus"
        if user is not None:
            shutil.chown(socket.parent, user)
        buses.append(EagerBus(socket, user))
        return buses[-1]

    yield make
    for bus in buses:
        bus.close()
    if system_bus.may_play():
        os.chown(system_bus.PLACE, 0, 0)
        for file in system_bus.PLACE.iterdir():
            file.unlink()


def finger(session) -> dict:
    """How the broker finds the fingerprint reader."""
    listed = json.loads(session.keyway("verification", "--json"))["methods"]
    return next(method for method in listed if method["method"] == "fingerprint")


def test_the_systems_bus_is_believed(keyway, make_bus):
    make_bus(system_bus.SOCKET)
    keyway.start_broker()
    assert finger(keyway)["available"]
    assert "login1 cannot be heard" not in keyway.log


def test_a_bus_that_the_environment_names_is_not_asked(keyway, make_bus, tmp_path):
    bus = make_bus(tmp_path / "bus")
    keyway.environment["DBUS_SYSTEM_BUS_ADDRESS"] = bus.address
    keyway.start_broker()
    assert not finger(keyway)["available"]
    eventually(lambda: "login1 cannot be heard" in keyway.log)


def test_at_the_systems_path_another_user_is_not_believed(keyway, make_bus):
    make_bus(system_bus.SOCKET, ANYBODY)
    keyway.start_broker()
    state = finger(keyway)
    assert not state["available"]
    assert "is not the system" in state["detail"]
    eventually(lambda: "login1 cannot be heard" in keyway.log)


def test_the_vault_does_not_listen_to_a_bus_of_its_environment(stage, tmp_path, make_bus):
    with VaultService(stage) as service:
        service.environment["DBUS_SYSTEM_BUS_ADDRESS"] = make_bus(tmp_path / "bus").address
        service.start().with_vault()
        eventually(lambda: "login1 cannot be heard" in service.log)


def test_in_a_user_namespace_of_ones_own_root_is_nobody_to_believe(keyway, tmp_path):
    """Whoever makes the namespace says who is root in it, and what lies at the system's path."""
    bus = Bus(tmp_path)
    try:
        with keyway.broker_apart("true"), keyway.connect() as peer:
            states = peer.call("verification.state")["methods"]
            (state,) = [state for state in states if state["method"] == "fingerprint"]
            assert "user namespace of your own" in state["detail"]
    finally:
        bus.close()
