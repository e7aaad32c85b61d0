"""Everything that passkeys stand on, behind a real browser: the installed programs on a desktop, and a vault."""

import json
import secrets
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from bidi import Browser
from desktop import LIMIT, Desktop, title, until
from page import Page
from relying_party import NAME, Both
from support import USER, launch
from test_passkeys import begin, finish
from test_whole import Stack

from session.private import PASSWORDS
from session.sample import Sample, fill_vault

MASTER = secrets.token_urlsafe(9)
NOTIFICATIONS = "org.freedesktop.Notifications"
# Debian's interpreter: python3-dbusmock belongs to it, whatever runs these tests.
PYTHON = "/usr/bin/python3"


class Notifications:
    """The desktop's place for notifications, played by python-dbusmock, and the person who presses a button there."""

    def __init__(self, desktop: Desktop) -> None:
        self.desktop = desktop
        self.log = desktop.folder / "notifications"
        parameters = json.dumps({"capabilities": "body actions"})
        mock = ["-m", "dbusmock", "--session", "--logfile", str(self.log), "--template", "notification_daemon"]
        desktop.start([PYTHON, *mock, "--parameters", parameters], env=desktop.environment)
        until(lambda: self.busctl("status", NOTIFICATIONS), LIMIT, "nobody shows notifications")

    def busctl(self, *arguments: str) -> bool:
        command = ["busctl", f"--address={self.desktop.environment['DBUS_SESSION_BUS_ADDRESS']}", *arguments]
        return subprocess.run(command, capture_output=True).returncode == 0

    def shown(self) -> list[str]:
        lines = self.log.read_text().splitlines() if self.log.exists() else []
        return [line for line in lines if " Notify " in line]

    def undo(self, number: int) -> None:
        """Presses the button of the notification."""
        words = ["EmitSignal", "sssav", NOTIFICATIONS, "ActionInvoked", "us", "2", "u", str(number), "s", "undo"]
        assert self.busctl("call", NOTIFICATIONS, "/org/freedesktop/Notifications", "org.freedesktop.DBus.Mock", *words)


class PasskeyStack(Stack):
    """The programs on a desktop, of which only the broker knows."""

    def __init__(self, stage: Path, desktop: Desktop, password: str) -> None:
        super().__init__(stage, Sample(master=MASTER, user=USER, password=password))
        self.desktop = desktop

    def begin(self, site: str) -> None:
        self.enable_beforehand(PASSWORDS)
        self.start_on_desktop()
        fill_vault(self, self.sample, site)

    def start_on_desktop(self) -> None:
        plain = dict(self.environment)
        self.environment |= {name: self.desktop.environment[name] for name in ("DISPLAY", "DBUS_SESSION_BUS_ADDRESS")}
        try:
            self.start_broker()
        finally:
            self.environment = plain

    def launch(self, name: str, folder: Path, private: bool = False) -> Browser:
        host = (self.prefix / "libexec/keyway/keyway-browser-host").resolve()
        extension = (self.prefix / "share/keyway/browser").resolve()
        return launch(name, folder, host, extension, self.environment, private)

    def forget(self) -> None:
        """Starts the programs anew, with a vault that is locked, and nobody who knows what is in it."""
        self.end_broker()
        for file in (self.state / "identities").glob(f"{PASSWORDS}.*"):
            file.unlink()
        self.start_on_desktop()

    def history(self) -> list[dict]:
        """What the person is told of what happened, the newest first."""
        return json.loads(self.keyway("history", "--json"))["entries"]

    # What the person does in the windows.

    def take(self, name: str, site: str = "localhost") -> None:
        """Chooses, and shows who chooses: the vault's password is a way to be verified."""
        self.desktop.choose(site, name)
        self.desktop.confirm(site, MASTER)

    def keep(self, site: str = "localhost") -> None:
        """What the vault asks before it keeps one."""
        self.desktop.window(title("Passwords", site), LIMIT)
        self.desktop.wait_for("Save passkey")
        self.desktop.use("Save passkey")

    def register(self, page: Page, judge: Both, verification: str = "preferred", more: dict | None = None) -> dict:
        """A passkey that both servers believe, with the person verified unless that is not wanted."""
        begin(page, "create", judge.creation(verification) | (more or {}))
        if verification == "discouraged":
            self.desktop.choose("localhost", "Passwords")
        else:
            self.take("Passwords")
        self.keep()
        answer = finish(page)
        assert "error" not in answer, answer
        assert judge.created(answer) is (verification != "discouraged")
        return answer

    def sign_in(self, page: Page, judge: Both, verification: str = "preferred", more: dict | None = None) -> dict:
        """Likewise, with a passkey that there is."""
        begin(page, "get", judge.request(verification) | (more or {}))
        if verification == "discouraged":
            self.desktop.choose("localhost", NAME)
        else:
            self.take(NAME)
        answer = finish(page)
        assert "error" not in answer, answer
        assert judge.signed_in(answer) is (verification != "discouraged")
        return answer


@contextmanager
def passkey_stack(stage: Path, desktop: Desktop, password: str, site: str) -> Iterator[PasskeyStack]:
    with PasskeyStack(stage, desktop, password) as stack:
        stack.begin(site)
        yield stack
