"""T18: what a provider takes is limited for all its processes together, where a control group is handed to the broker.

This takes a kernel that counts memory and processes in cgroup v2; where this one does not, the tests run on one that
does (`control_groups.py`).
"""

from __future__ import annotations

import json
import os
import plistlib
import shutil
from collections.abc import Iterator

import pytest
from control_groups import HandedOver, are_here, handed_over
from login import HOME, USER, Login, eventually

IDENTIFIER = "test.hungry"
REPORT = HOME / "report"
EXTENSION_POINT = "com.apple.authentication-services-credential-provider-ui"


pytestmark = pytest.mark.control_groups


class Session:
    """A login whose broker is started as systemd does it."""

    def __init__(self, login: Login, group: HandedOver) -> None:
        self.login = login
        self.group = group
        self.said = HOME / "broker.log"
        with self.said.open("w") as said:
            login.start(login.prefix / "libexec/keyway/keywayd", "--foreground", stderr=said, preexec_fn=group.join)
        eventually(login.door.exists)

    def says(self, words: str) -> bool:
        return words in self.said.read_text()


@pytest.fixture
def session(login: Login) -> Iterator[Session | None]:
    """Nothing where the test runs elsewhere."""
    if not are_here():
        yield None
        return
    with handed_over(USER) as group:
        yield Session(login, group)


def hungry(login: Login, mode: str) -> None:
    """Installs it and turns it on: its service runs whenever the broker does."""
    program = login.compile("hungry.c", "hungry", REPORT=f'"{REPORT}"', MODE=f"'{mode}'")
    bundle = HOME / ".local/share/keyway/providers/hungry.appex"
    bundle.mkdir(parents=True)
    REPORT.mkdir()
    for name in ("extension", "hungry"):
        shutil.copy(program, bundle / name)
    information = {
        "CFBundleIdentifier": IDENTIFIER,
        "CFBundleName": "hungry",
        "CFBundleShortVersionString": "1.0",
        "CFBundleExecutable": "extension",
        "NSExtension": {"NSExtensionPointIdentifier": EXTENSION_POINT},
        "KeywayService": "hungry",
        "KeywayServiceRunsAlways": True,
        "KeywaySandbox": {"Programs": ["true"], "WritePaths": [str(REPORT)]},
    }
    (bundle / "Info.plist").write_bytes(plistlib.dumps(information))
    for place in HOME.rglob("*"):
        os.chown(place, USER, USER, follow_symlinks=False)
    with login.terminal() as terminal:
        terminal.keyway(f"providers enable --yes --unconfined {IDENTIFIER}")


def test_T18_a_broker_that_was_handed_a_group_says_so(session):
    assert json.loads(session.login.keyway("status", "--json"))["sharedLimits"]["hold"]
    assert session.group.groups() == ["broker"]
    procs = (session.group.folder / "broker/cgroup.procs").read_text().split()
    assert str(session.login.broker) in procs


def test_T18_a_broker_that_was_handed_none_says_so(login):
    said = json.loads(login.run(login.prefix / "bin/keyway", "doctor", "--json").stdout)
    (check,) = [one for one in said["checks"] if one["name"] == "limits"]
    assert check["status"] == "warning"


def test_T18_memory_that_processes_share_is_limited_for_all_of_them(session):
    hungry(session.login, "m")
    eventually(lambda: session.says("used more than 4096 MiB of memory in all its processes together"), 300)
    # None is left of what had sessions of their own; it was started again.
    eventually(lambda: len(session.login.named("hungry")) <= 1)
    assert (REPORT / "began").exists()


def test_T18_processes_without_end_are_limited_and_end_with_their_provider(session):
    hungry(session.login, "p")
    made = REPORT / "made"
    eventually(lambda: made.exists() and made.read_text().endswith("\n"), 300)
    assert 400 < int(made.read_text()) < 520
    assert len(session.login.named("hungry")) > 400
    session.login.keyway("providers", "disable", IDENTIFIER)
    eventually(lambda: session.login.named("hungry") == [])
    eventually(lambda: session.says("needed more than 520 processes and threads at a time"))
    eventually(lambda: session.group.groups() == ["broker"])
