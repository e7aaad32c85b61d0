"""The desktop of a person, as far as it shows notifications: a bus of its own, and python-dbusmock on it."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

from conftest import eventually

NOTIFICATIONS = "org.freedesktop.Notifications"
# Debian's interpreter: python3-dbusmock belongs to it, whatever runs these tests.
PYTHON = "/usr/bin/python3"


class Desktop:
    """A session bus with notifications on it, or without."""

    def __init__(self, folder: Path, shows: bool) -> None:
        self.address = f"unix:path={folder}/bus"
        self.log = folder / "notifications"
        self.environment = {"PATH": os.environ["PATH"], "DBUS_SESSION_BUS_ADDRESS": self.address}
        self.processes = [self.spawn("dbus-daemon", "--session", "--nofork", f"--address={self.address}")]
        eventually((folder / "bus").exists)
        if shows:
            parameters = json.dumps({"capabilities": "body body-markup actions"})
            mock = ["-m", "dbusmock", "--session", "--logfile", str(self.log), "--template", "notification_daemon"]
            self.processes.append(self.spawn(PYTHON, *mock, "--parameters", parameters))
            eventually(lambda: self.busctl("status", NOTIFICATIONS) == 0)

    def spawn(self, *command: str) -> subprocess.Popen:
        return subprocess.Popen(
            command, env=self.environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True
        )

    def busctl(self, *arguments: str) -> int:
        command = ["busctl", f"--address={self.address}", *arguments]
        return subprocess.run(command, env=self.environment, capture_output=True).returncode

    @property
    def shown(self) -> list[str]:
        lines = self.log.read_text().splitlines() if self.log.exists() else []
        return [line for line in lines if " Notify " in line]

    def press(self, number: int, action: str) -> None:
        """The person presses the button of a notification."""
        words = ["EmitSignal", "sssav", NOTIFICATIONS, "ActionInvoked", "us", "2", "u", str(number), "s", action]
        path = "/org/freedesktop/Notifications"
        assert self.busctl("call", NOTIFICATIONS, path, "org.freedesktop.DBus.Mock", *words) == 0

    def close(self) -> None:
        for process in reversed(self.processes):
            process.kill()
            process.wait()
