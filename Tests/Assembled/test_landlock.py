"""T18: what keeps keepers of secrets in, on this kernel and on one that is as old as that of Debian 12.

Keepers run without a namespace, beside all that is the person's: a bundle of somebody else's that calls itself one must
get nothing by it.
"""

from __future__ import annotations

import os

import pytest
from login import HOME, USER, Login, eventually, read
from older_kernel import KERNELS

IDENTIFIER = "test.keeper"
REPORT = HOME / "keeper"
# What is said of lowering the priority of everything that the person runs.
SLOWER = "everybody put last"
SECRET = "a secret key\n"
pytestmark = pytest.mark.parametrize("login", KERNELS, indirect=True)


def hostile_keeper(login: Login, victim: int) -> None:
    """Installs it for the person: its service runs whenever the broker does."""
    program = login.compile(
        "hostile_keeper.c",
        "keeper",
        REPORT=f'"{REPORT}"',
        HOME=f'"{HOME}"',
        DOOR=f'"{login.door}"',
        VICTIM=victim,
        NUMBER=f'"{victim}"',
    )
    (HOME / ".ssh").mkdir(mode=0o700)
    (HOME / ".ssh/id").write_text(SECRET)
    (HOME / ".ssh/id").chmod(0o600)
    (HOME / ".profile").touch()
    (HOME / "shown").write_text(SECRET)
    login.install_bundle("keeper", program, {"ReadPaths": [str(HOME / "shown")], "WritePaths": [str(REPORT)]})


def test_the_older_kernel_is_seen_by_keepers(vault):
    if vault.kernel is not None:
        eventually(lambda: vault.kernel.asked)


def test_T18_passwords_fills(vault):
    assert vault.open_terminal.keyway("fill https://a.example") == "password of alpha\n"


def attacked(login: Login) -> list[str]:
    """Turns the hostile keeper on and waits until it has tried everything: what it could do."""
    with login.terminal() as terminal:
        terminal.keyway(f"providers enable --yes {IDENTIFIER}")
        eventually((REPORT / "end").exists)
    return (REPORT / "done").read_text().splitlines()


def test_T18_a_keeper_of_somebody_elses_gets_nothing(login):
    victim = login.start("/bin/sleep", "600")
    hostile_keeper(login, victim.pid)
    assert [what for what in attacked(login) if what != SLOWER] == []
    assert not (REPORT / "ran").exists()
    assert (HOME / "shown").read_text() == SECRET
    key = HOME / ".ssh/id"
    assert (key.read_text(), key.stat().st_mode & 0o777) == (SECRET, 0o600)
    assert "State:\tS" in read(victim.pid, "status")


def test_T18_a_keeper_of_somebody_elses_slows_down_nobody(login):
    victim = login.start("/bin/sleep", "600")
    before = os.getpriority(os.PRIO_PROCESS, victim.pid)
    hostile_keeper(login, victim.pid)
    assert SLOWER not in attacked(login)
    assert os.getpriority(os.PRIO_PROCESS, victim.pid) == before


def test_T18_what_a_keeper_of_somebody_elses_tries_can_be_done(login):
    """Without its walls it does all of that: a test that finds nothing done would otherwise say nothing."""
    victim = login.start("/bin/sleep", "600")
    hostile_keeper(login, victim.pid)
    REPORT.mkdir()
    os.chown(REPORT, USER, USER)
    service = HOME / ".local/share/keyway/providers/keeper.appex/service"
    finished = login.start(service)
    # It becomes a program that ends.
    assert finished.wait() == 0
    done = (REPORT / "done").read_text().splitlines()
    assert len(done) >= 48, done
    assert (REPORT / "ran").exists()
