"""T30: nobody of the person's looks into a process that holds secrets, from its first instruction to its last.

The attacker is another program of the same user, without Yama. Processes are those that the installed system starts, on
this kernel and on one whose Landlock is as old as that of Debian 12.
"""

from __future__ import annotations

import os
import re
import resource
import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from browser_host import CHROMIUM, HELLO, PAGE, Host
from login import HOME, MASTER, PATIENCE, USER, Login, eventually, read
from native_host import CHROMIUM_EXTENSION
from older_kernel import KERNELS
from seat import Seat

PASSWORD = "password of alpha"
HOST = "keyway-browser-host"
# It meets nobody's secrets.
KIT = "keyway-provider-kit"
pytestmark = pytest.mark.parametrize("login", KERNELS, indirect=True)
# What the kernel calls the programs of ours, as far as it keeps names.
OURS = ("keyway",)
# Programs of others, which nobody closes: those of the test, shells, and what surrounds providers of other kinds.
OTHERS = ("python3", "sh", "bash", "mv", "cat", "sleep", "bwrap", "Xvfb", "dbus-daemon", "onlooker", "gpgconf")


@pytest.fixture
def onlooker(login: Login) -> Path:
    program = login.compile("onlooker.c", "onlooker")
    # It can look into what is open: a test that finds nothing would otherwise say nothing.
    victim = login.start("/bin/sleep", "600")
    ways = login.run(program, "once", str(victim.pid)).stdout.split()[2::3]
    assert ways == ["process_vm_readv", "mem", "environ", "fd", "pidfd_getfd", "ptrace"]
    return program


def looked_into(login: Login, onlooker: Path, name: str) -> str:
    """What of the processes of that name could be looked into."""
    processes = eventually(lambda: login.named(name))
    return "".join(login.run(onlooker, "once", str(pid)).stdout for pid in processes)


def test_T30_vault_and_broker_are_closed_while_the_vault_is_open(vault, onlooker):
    for name in ("keywayd", "keyway-vaultd"):
        assert looked_into(vault, onlooker, name) == ""


@pytest.fixture
def no_locked_memory(login: Login) -> None:
    """A login in which no program may lock memory."""
    starting = login.starting

    def refuse() -> None:
        resource.setrlimit(resource.RLIMIT_MEMLOCK, (0, 0))

    login.starting = lambda start, *words, **options: starting(start, *words, preexec_fn=refuse, **options)


def test_T30_who_holds_secrets_is_closed_where_no_memory_may_be_locked(no_locked_memory, vault, onlooker):
    terminal = vault.open_terminal
    terminal.keyway("passwords lock")
    terminal.keyway("passwords unlock", MASTER)
    assert terminal.keyway("fill https://a.example") == f"{PASSWORD}\n"
    for name in ("keywayd", "keyway-vaultd", "keyway-passwords-extension"):
        assert looked_into(vault, onlooker, name) == ""
        for pid in vault.named(name):
            assert re.search(r"\nMax locked memory +0 +0 ", read(pid, "limits"))
            assert "\nVmLck:\t       0 kB\n" in read(pid, "status")


def test_T30_an_extension_is_closed_while_it_answers(vault, onlooker):
    assert vault.open_terminal.keyway("fill https://a.example") == f"{PASSWORD}\n"
    assert looked_into(vault, onlooker, "keyway-passwords-extension") == ""


def test_T30_nobody_reads_the_programs_that_meet_secrets(login):
    """What cannot be read is closed by the kernel before its first instruction."""
    places = [path for path in (login.prefix / "libexec/keyway").iterdir() if path.name != KIT]
    places += [path for path in (login.prefix / "share/keyway/providers").rglob("*") if os.access(path, os.X_OK)]
    programs = [login.prefix / "bin/keyway", *(path for path in places if path.is_file() and not path.is_symlink())]
    assert {path.name for path in programs} >= {"keywayd", "keyway-vaultd", "keyway-export-writer", "keyway-sheets"}
    readable = [str(path) for path in programs if path.stat().st_mode & 0o777 != 0o711 or path.stat().st_uid != 0]
    assert readable == []


def namespaces(pid: int | str) -> dict[str, str]:
    """The namespaces of a process, of every kind."""
    return {place.name: str(place.readlink()) for place in Path(f"/proc/{pid}/ns").iterdir()}


@pytest.mark.parametrize("name", ["keywayd", "keyway-vaultd", "keyway-passwords-extension", "keyway", HOST])
def test_T30_a_keeper_of_secrets_is_in_no_namespace_of_the_persons(vault, name):
    """Whatever builds one for it could be held before it becomes the keeper, and whoever owns it may look inside."""
    vault.start(vault.prefix / "bin/keyway", "passwords", "unlock", stdin=subprocess.PIPE)
    start_host(vault)
    vault.open_terminal.keyway("fill https://a.example")
    for pid in eventually(lambda: vault.named(name)):
        assert namespaces(pid) == namespaces("self")


def test_T30_the_command_line_is_closed_while_it_waits_for_a_secret(vault, onlooker):
    waiting = vault.start(vault.prefix / "bin/keyway", "passwords", "unlock", stdin=subprocess.PIPE)
    eventually(lambda: waiting.pid in vault.named("keyway"))
    assert looked_into(vault, onlooker, "keyway") == ""


def start_host(login: Login) -> subprocess.Popen:
    identifier = f"chrome-extension://{CHROMIUM_EXTENSION}/"
    return login.start(
        login.prefix / "libexec/keyway" / HOST, identifier, stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )


def test_T30_the_browser_host_is_closed(vault, onlooker):
    host = start_host(vault)
    eventually(lambda: host.pid in vault.named(HOST))
    assert looked_into(vault, onlooker, HOST) == ""


def test_T30_the_check_of_the_person_is_closed_when_it_is_stopped_at_its_work(login, onlooker):
    stopper = login.start(onlooker, "stop", "keyway-person-check"[:15], stdout=subprocess.PIPE, text=True)
    assert stopper.stdout.readline() == "looking\n"
    # The check takes a moment, in which it may not be found: then it is asked for once more, now with the former PIN.
    working = set_pin(login, 2)
    while ended(stopper, working) is not stopper and working.returncode == 0:
        working = set_pin(login, 3)
    assert stopper.wait(PATIENCE) == 0
    helper = int(stopper.stdout.readline())
    assert "State:\tT" in read(helper, "status")
    assert login.run(onlooker, "once", str(helper)).stdout == ""
    assert namespaces(helper) == namespaces("self")
    os.kill(helper, signal.SIGCONT)
    assert working.wait(PATIENCE) == 0


def ended(*processes: subprocess.Popen) -> subprocess.Popen:
    """The first of them that has ended, as soon as one has."""
    return eventually(lambda: next((each for each in processes if each.poll() is not None), None))


def set_pin(login: Login, lines: int, **options: int) -> subprocess.Popen[str]:
    command = (login.prefix / "bin/keyway", "verification", "pin", "set")
    working = login.start(*command, stdin=subprocess.PIPE, text=True, **options)
    working.stdin.write("271828\n" * lines)
    working.stdin.close()
    return working


def test_T30_nothing_is_open_for_a_moment_while_programs_start_and_end(vault, onlooker):
    watching = vault.start(
        onlooker, "watch", *OTHERS, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    )
    assert watching.stdout.readline() == "watching\n"
    terminal = vault.open_terminal
    for _ in range(3):
        assert terminal.keyway("fill https://a.example") == f"{PASSWORD}\n"
        subprocess.run(["kill", str(vault.broker)], check=True)
        eventually(lambda: not vault.named("keywayd") and not vault.named("keyway-vaultd"))
        # The broker, the key of its stores, the vault and an extension: each is started anew.
        terminal.keyway("passwords unlock", MASTER)
        # What writes and reads the files of others has all of the vault for a moment.
        terminal.keyway(f"export {HOME}/all.json --yes --force", MASTER)
        terminal.keyway(f"import {HOME}/all.json --yes")
    watching.stdin.close()
    seen = watching.stdout.read().splitlines()
    assert [line for line in seen if line.split()[1].startswith(OURS)] == []


def test_T30_a_broker_that_is_held_before_its_first_instruction_serves_nobody(login, onlooker):
    keywayd = login.prefix / "libexec/keyway/keywayd"
    held = login.start(onlooker, "trace", keywayd, "--foreground", stderr=subprocess.PIPE, text=True)
    eventually(lambda: held.poll() is not None or login.door.exists())
    assert not login.door.exists()
    assert held.wait() == 1
    assert "under a debugger" in held.stderr.read()


def test_T30_a_command_line_that_is_held_before_its_first_instruction_is_none_of_keyways(vault, onlooker):
    held = vault.run(onlooker, "trace", vault.prefix / "bin/keyway", "suggest", "https://a.example")
    assert held.returncode == 7, held.stderr
    assert "find out which program" in held.stderr
    assert "alpha" not in held.stdout


def test_T30_what_holds_the_vault_does_not_get_the_first_secret(vault, onlooker):
    """Who could attach all the same, as root here, is seen by the broker, which ends what is held."""
    terminal = vault.open_terminal
    before = vault.named("keyway-vaultd")
    terminal.keyway("passwords lock")
    subprocess.run(["kill", "-9", *map(str, before)], check=True)
    eventually(lambda: not vault.named("keyway-vaultd"))
    with held(vault, onlooker):
        status, _, said = terminal.run("keyway passwords unlock", MASTER)
    assert status != 0
    assert "Passwords is watched by process" in vault.log
    assert "unlocked" not in vault.log.rpartition("is watched")[2]
    assert "Passwords" in said


def test_T30_what_holds_an_extension_does_not_get_what_it_answers(vault, onlooker):
    with held(vault, onlooker):
        status, printed, _ = vault.open_terminal.run("keyway fill https://a.example")
    assert (status != 0, printed) == (True, "")
    assert "Passwords is watched by process" in vault.log
    assert vault.open_terminal.keyway("fill https://a.example") == f"{PASSWORD}\n"


def test_T30_what_holds_the_check_of_the_person_does_not_get_what_is_typed(login, onlooker):
    # It starts the broker.
    assert set_pin(login, 2).wait(PATIENCE) == 0
    with held(login, onlooker):
        working = set_pin(login, 3, stderr=subprocess.PIPE)
        assert working.wait(PATIENCE) != 0
    assert "keyway-person-check is watched by process" in working.stderr.read()


def test_T30_what_holds_a_window_sees_nothing_in_it(login, onlooker, desktop, tmp_path):
    log = tmp_path / "log"
    with log.open("w") as file:
        login.start(login.prefix / "libexec/keyway/keywayd", "--foreground", stderr=file)
    eventually(login.door.exists)
    with held(login, onlooker):
        login.start(login.prefix / "bin/keyway", "providers", "enable", "--yes", "org.keyway.passwords")
        eventually(lambda: "keyway-sheets is watched by process" in log.read_text())
        assert desktop.windows() == []


# What is kept of a process from before it became another program, and what of that is good for something afterwards
# where nobody is protected: the memory was that of the program before.
KEPT = ["mem", "folder", "fd", "pidfd_getfd"]
STILL_GOOD = ["folder", "fd", "pidfd_getfd"]
TRIED = "tried"


@pytest.fixture
def report(login: Login, onlooker: Path) -> Path:
    """Where it is written down what was good for something, once that works."""
    file = login.tools / "report"
    file.touch()
    os.chown(file, USER, USER)
    other = login.start(onlooker, "early", file, "/bin/cat", stdin=subprocess.PIPE)
    eventually(lambda: TRIED in good(file, "cat") or other.poll() is not None)
    other.stdin.close()
    assert other.wait(PATIENCE) == 0
    assert good(file, onlooker.name) == KEPT
    assert good(file, "cat") == [*STILL_GOOD, TRIED]
    return file


def good(report: Path, program: str) -> list[str]:
    """What was good for something while the process ran that program; at the end, that all of it was tried."""
    lines = [line.split() for line in report.read_text().splitlines()]
    return [way for _, name, way in lines if name == program[:15]]


def test_T30_what_was_opened_before_a_process_became_the_command_line_is_good_for_nothing(vault, onlooker, report):
    line = f"{onlooker} early {report} {vault.prefix}/bin/keyway fill https://a.example"
    status, printed, said = vault.open_terminal.run(line)
    assert (status, printed) == (0, f"{PASSWORD}\n"), said
    assert good(report, onlooker.name) == KEPT
    assert good(report, "keyway") == [TRIED]


def test_T30_what_was_opened_before_a_process_became_a_browser_host_is_good_for_nothing(vault, onlooker, report):
    program = vault.prefix / "libexec/keyway" / HOST
    with Host(vault.environment, ["early", report, program, *CHROMIUM], onlooker, USER) as host:
        host.request(1, "hello", HELLO)
        assert "result" in host.answer()
        host.request(2, "suggest", PAGE)
        answer = host.answer()
        assert host.close_input() == 0
    assert good(report, onlooker.name) == KEPT
    assert good(report, HOST) == [TRIED]
    # It stayed what it is: it speaks for what started it, for which the person is asked.
    assert answer["error"]["message"].startswith(f"{onlooker.name} is not approved")


@contextmanager
def held(login: Login, onlooker: Path) -> Iterator[None]:
    """Whatever the broker starts meanwhile is held from its first instruction on, which only root may."""
    holder = subprocess.Popen(
        [onlooker, "follow", str(login.broker)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    try:
        assert holder.stdout.readline() == "following\n"
        yield
    finally:
        holder.kill()
        holder.wait()


@pytest.fixture
def desktop(login: Login, tmp_path: Path) -> Iterator[Seat]:
    """A desktop that the person sits before, of which login1 knows."""
    with Seat(tmp_path) as seat:
        yield seat


def test_T30_the_windows_are_closed(login, onlooker, desktop):
    enabling = login.start(login.prefix / "bin/keyway", "providers", "enable", "--yes", "org.keyway.passwords")
    assert looked_into(login, onlooker, "keyway-sheets") == ""
    assert [namespaces(pid) for pid in login.named("keyway-sheets")] == [namespaces("self")]
    assert enabling.poll() is None


@pytest.mark.parametrize("held", [True, False])
def test_T30_a_browser_host_that_is_held_before_its_first_instruction_is_none_of_keyways(vault, onlooker, held):
    """A browser is open to every program of the person's, and so is what it starts, until that is closed."""
    program = [vault.prefix / "libexec/keyway" / HOST, *CHROMIUM]
    first, *others = [onlooker, "trace", *program] if held else program
    with Host(vault.environment, others, first, USER) as host:
        host.request(1, "hello", HELLO)
        host.answer()
        host.request(2, "suggest", PAGE)
        said = host.answer()["error"]
    assert said["data"]["kind"] == "notApproved"
    # Closed, it speaks for a browser, for which the person is asked.
    assert said["message"].startswith("Keyway can't find out which program" if held else "Chromium is not approved")
