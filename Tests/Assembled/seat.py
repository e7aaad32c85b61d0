"""What the person sits before: a display of theirs of which login1 knows, and the browsers that they open there."""

from __future__ import annotations

import os
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from bidi import Browser, start_chromium, start_firefox
from desktop import LIMIT, Desktop, title, until
from login import HOME, RUNTIME, USER, Login
from test_vault_login import LOGIN1, SESSION, Bus


class MachineBus(Bus):
    """The system's bus with login1 on it, to which every user may speak."""

    CONFIGURATION = """<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-BUS Bus Configuration 1.0//EN"
        "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
        <busconfig><type>system</type><listen>unix:path=/</listen><auth>EXTERNAL</auth><policy context="default">
        <allow user="*"/><allow own="*"/><allow send_destination="*" eavesdrop="true"/><allow eavesdrop="true"/>
        </policy></busconfig>"""

    def __init__(self, folder: Path) -> None:
        self.configuration = folder / "bus.conf"
        self.configuration.write_text(self.CONFIGURATION)
        super().__init__(folder)

    def spawn(self, *command: str, output: Path | None = None) -> subprocess.Popen:
        configured = [f"--config-file={self.configuration}" if word == "--session" else word for word in command]
        return super().spawn(*configured, output=output)

    def add_desktop(self, display: str) -> None:
        """The session of a desktop that the person sits before."""
        self.add_session("desktop", USER)
        for name, kind, value in (("Type", "s", "x11"), ("Display", "s", display), ("Active", "b", "true")):
            self.set(name, kind, value)

    def set(self, name: str, kind: str, value: str) -> None:
        """Changes what login1 says of that session."""
        words = ["ssv", f"{LOGIN1}.Session", name, kind, value]
        self.call(f"{SESSION}/desktop", "org.freedesktop.DBus.Properties", "Set", *words)


class Seat(Desktop):
    """The person's display, with the bus of their session where a login has it, and login1 that knows of both."""

    bus = RUNTIME / "bus"

    def __init__(self, folder: Path) -> None:
        super().__init__(USER)
        try:
            self.machine = MachineBus(folder)
            self.machine.add_desktop(self.environment["DISPLAY"])
        except BaseException:
            self.__exit__()
            raise

    def __exit__(self, *_: object) -> None:
        if hasattr(self, "machine"):
            self.machine.close()
        super().__exit__()

    @contextmanager
    def left(self) -> Iterator[None]:
        """The person has gone to another session of the machine: what is asked here now, no window says."""
        self.machine.set("Active", "b", "false")
        try:
            yield
        finally:
            self.machine.set("Active", "b", "true")

    def agree(self, question: str, site: str | None = None) -> None:
        """Says yes to a question of the system's own, as soon as that counts."""
        self.asked(question, site, answer="Allow")
        self.use("Allow")

    def disallow(self, question: str, site: str | None = None) -> None:
        """Says no to one, by its button."""
        self.asked(question, site, answer="Don\u2019t Allow")
        self.use("Don\u2019t Allow")

    def decline(self, question: str, site: str | None = None) -> None:
        self.asked(question, site)
        self.press("Escape")
        until(lambda: question not in self.says(), LIMIT, f"still asked: {question}")

    def asked(self, question: str, site: str | None = None, answer: str | None = None) -> None:
        """Waits for a question of the system's own, about a site or about none, and until that answer counts."""
        self.window(title("Keyway", site) if site else "Keyway", LIMIT)
        until(lambda: question in self.says(answer), LIMIT, lambda: f"not asked: {question}; only {self.says()}")

    def says(self, answer: str | None = None) -> str:
        """What the windows say, without the marks that give each name a direction of its own; nothing as long as the
        button called `answer` takes no clicks."""
        if not self.windows():
            return ""
        try:
            nodes = self.accessible(within=2)
        except AssertionError:
            # The window went meanwhile.
            return ""
        buttons = [node for node in nodes if node["role"] in ("push button", "button") and node["name"] == answer]
        if answer and not any("sensitive" in node["states"] for node in buttons):
            return ""
        return "\n".join(node["name"].replace("\u2068", "").replace("\u2069", "") for node in nodes)


def open_browser(name: str, login: Login) -> Browser:
    """A headless browser of the person's, which finds Keyway where it was registered for it; with the extension that
    was installed."""
    folder = Path(tempfile.mkdtemp(prefix=f"{name}-", dir=login.tools))
    os.chown(folder, USER, USER)
    who = {"user": USER, "group": USER, "extra_groups": [], "cwd": "/"}
    if name == "firefox":
        profile = folder / "profile"
        profile.mkdir()
        os.chown(profile, USER, USER)
        browser = start_firefox(folder, profile, login.environment, {}, **who)
    else:
        browser = start_chromium(folder, HOME / ".config/chromium", login.environment, [], **who)
    browser.adopt_first_tab()
    browser.install(login.prefix / "share/keyway/browser")
    return browser
