"""What the browser tests and their fixtures share."""

from __future__ import annotations

import json
import os
import shlex
import signal
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from bidi import Browser, start_chromium, start_firefox
from native_host import CHROMIUM_EXTENSION, register

if TYPE_CHECKING:
    # What scores forms needs no server.
    from secure_server import Authority

HERE = Path(__file__).parent
ROOT = HERE.parent.parent
USER = "ada@example.org"
LIMIT = 60.0
T = TypeVar("T")


def until(probe: Callable[[], T], limit: float = LIMIT) -> T:
    """What `probe` gives once that is true."""
    deadline = time.monotonic() + limit
    while not (value := probe()):
        assert time.monotonic() < deadline, "it did not come true in time"
        time.sleep(0.02)
    return value


def is_host(number: int) -> bool:
    """Whether the process is (still) a fake host."""
    try:
        return b"fake_host.py" in Path(f"/proc/{number}/cmdline").read_bytes()
    except OSError:
        return False


class FakeHost:
    """The folder that the fake native host reads from and writes to."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        folder.mkdir()
        self.accounts([])
        program = folder / "host"
        command = shlex.join([sys.executable, str(HERE / "fake_host.py"), str(folder)])
        program.write_text(f"#!/bin/sh\necho $$ >> {shlex.quote(str(folder / 'pids'))}\nexec {command}\n")
        program.chmod(0o755)
        self.program = program

    def accounts(self, accounts: list[dict]) -> None:
        replacement = self.folder / "accounts.new"
        replacement.write_text(json.dumps(accounts))
        replacement.rename(self.folder / "accounts.json")

    def lock(self) -> None:
        (self.folder / "locked").touch()

    def be_unready(self) -> None:
        """From now on nothing is suggested but to set Keyway up."""
        (self.folder / "unready").touch()

    def unlock(self) -> None:
        for name in ("locked", "ended"):
            (self.folder / name).unlink(missing_ok=True)

    def lists(self, *kinds: str, picked: dict) -> None:
        """From now on the provider has whole lists of these kinds, and `picked` comes from each."""
        (self.folder / "picked.json").write_text(json.dumps(picked))
        (self.folder / "lists.json").write_text(json.dumps(kinds))

    def texts(self, **texts: str) -> None:
        """From now on each of these providers has texts, and what is picked from it is this."""
        providers = [{"identifier": name, "name": name.capitalize()} for name in texts]
        (self.folder / "texts.json").write_text(json.dumps({"providers": providers, "text": texts}))

    def refuse(self, kind: str, message: str) -> None:
        """From now on suggestions end like that."""
        error = {"code": -32000, "message": message, "data": {"kind": kind}}
        (self.folder / "refusing").write_text(json.dumps(error))

    def fall_silent(self) -> None:
        (self.folder / "silent").touch()

    def answer_again(self) -> None:
        for name in ("refusing", "silent"):
            (self.folder / name).unlink(missing_ok=True)

    def fail(self) -> None:
        (self.folder / "failing").touch()

    def requests(self, method: str | None = None) -> list[dict]:
        log = self.folder / "requests.jsonl"
        lines = log.read_text().splitlines() if log.exists() else []
        return [message for message in map(json.loads, lines) if method in (None, message["method"])]

    def kill(self) -> None:
        """Ends whatever runs of it: private windows have one of their own, which was started later and is gone."""
        running = [number for line in (self.folder / "pids").read_text().split() if is_host(number := int(line))]
        assert running, "no host runs"
        for number in running:
            os.kill(number, signal.SIGKILL)

    def set_mark(self, name: str, text: str = "") -> None:
        """From now on the fake behaves as the file `name` says (`fake_host.py`, `fake_passkeys.py`)."""
        (self.folder / name).write_text(text)

    def clear_mark(self, name: str) -> None:
        (self.folder / name).unlink(missing_ok=True)

    def forget(self) -> None:
        self.unlock()
        self.answer_again()
        marks = ("choice", "passkeys.json", "unopened", "picks-passkey", "no-passkeys", "unmade")
        for name in ("failing", "requests.jsonl", "proposals.json", "lists.json", "picked.json", "texts.json", *marks):
            (self.folder / name).unlink(missing_ok=True)


def launch(
    name: str,
    folder: Path,
    program: Path | None = None,
    extension: Path | None = None,
    environment: dict[str, str] | None = None,
    private: bool = False,
    authority: Authority | None = None,
) -> Browser:
    """A headless browser with the extension, or without, and `program` as its native host; with `private`, all of its
    windows are private, and the person has let the extension into them. One that has an `authority` trusts it, and a
    broken certificate is none to it: Chromium warns, and in Firefox the person clicked the warning away already."""
    home, profile = folder / "home", folder / "profile"
    home.mkdir()
    profile.mkdir()
    if program:
        register(name, program, profile, home)
    environment = (environment or dict(os.environ)) | {"HOME": str(home)}
    if name == "firefox":
        browser = start_firefox(folder, profile, environment, {"browser.privatebrowsing.autostart": private})
    else:
        if private:
            allow_in_private_windows(profile)
        arguments = ["--incognito"] if private else []
        if authority:
            arguments.append(f"--ignore-certificate-errors-spki-list={authority.fingerprint}")
        browser = start_chromium(folder, profile, environment, arguments, warns=authority is not None)
    browser.adopt_first_tab()
    if authority and name == "firefox":
        database = "Cc['@mozilla.org/security/x509certdb;1'].getService(Ci.nsIX509CertDB)"
        browser.in_chrome(f"{database}.addCertFromBase64('{authority.content}', 'CT,,')")
    if extension:
        browser.install(extension, private)
    return browser


def allow_in_private_windows(profile: Path) -> None:
    """What Chromium keeps when the person lets an extension into private windows."""
    (profile / "Default").mkdir()
    settings = {CHROMIUM_EXTENSION: {"incognito": True}}
    (profile / "Default/Preferences").write_text(json.dumps({"extensions": {"settings": settings}}))
