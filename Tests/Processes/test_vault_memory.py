"""What stands in the memory of the vault's service (T29), and who may look there (T30)."""

import os
import resource
import signal
import subprocess
import sys
from pathlib import Path
from secrets import token_hex

import pytest
from memory_scan import occurrences
from vault_service import VaultService, dies_of

AS_ROOT = pytest.mark.skipif(os.geteuid() != 0, reason="only root may read another process's memory")
PARTS = ("password", "notes", "fields", "history")


def canary() -> str:
    return token_hex(16)


@pytest.fixture
def service(stage):
    with VaultService(stage) as service:
        yield service.start()


def found(service: VaultService, secrets: dict[str, str]) -> dict[str, int]:
    return occurrences(service.pid, {name: secret.encode() for name, secret in secrets.items()})


@AS_ROOT
def test_the_scanner_finds_what_is_there():
    # The control of every test below: a process that keeps a secret, in a form that does not stand in its argv.
    secret = canary()
    backwards = secret[::-1]
    keeper = subprocess.Popen(
        [sys.executable, "-c", "import sys; kept = sys.argv[1][::-1]; print(flush=True); input()", backwards],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    )
    try:
        keeper.stdout.readline()
        assert occurrences(keeper.pid, {"secret": secret.encode(), "other": canary().encode()}) == {
            "secret": 1,
            "other": 0,
        }
    finally:
        keeper.kill()
        keeper.communicate()


@AS_ROOT
def test_nothing_secret_is_in_memory_after_use_and_after_the_lock(service):
    master = canary()
    secrets = {"password": canary(), "notes": canary(), "field": canary(), "former password": canary()}
    title, user = canary(), canary()
    terminal = service.attach()
    terminal.create(master)
    assert found(service, {"master password": master}) == {"master password": 0}

    terminal.add(
        title,
        secrets["former password"],
        secrets["notes"],
        user=user,
        fields=[{"name": "PIN", "isHidden": True, "value": secrets["field"]}],
    )
    terminal.edit(title, secrets["password"])
    terminal.lock()
    terminal.unlock(master)
    assert found(service, {"master password": master}) == {"master password": 0}

    shown = terminal.show(title, *PARTS)
    assert shown["password"] == secrets["password"]
    assert shown["history"][0]["password"] == secrets["former password"]
    # What the index needs is there while the vault is open; the secrets are not, although they were just shown.
    open_now = found(service, {**secrets, "title": title})
    assert open_now.pop("title") > 0
    assert set(open_now.values()) == {0}, open_now

    terminal.lock()
    service.broker.wait_for_states("ready", "locked", "ready", "locked")
    locked = found(service, {**secrets, "master password": master})
    assert set(locked.values()) == {0}, locked


@AS_ROOT
def test_a_wrong_and_a_former_master_password_leave_nothing(service):
    master, wrong, new = canary(), canary(), canary()
    terminal = service.attach()
    terminal.create(master)
    with pytest.raises(Exception, match="wrong"):
        terminal.change_master(wrong, new)
    terminal.change_master(master, new)
    terminal.lock()
    terminal.unlock(new)
    passwords = found(service, {"old": master, "wrong": wrong, "new": new})
    assert set(passwords.values()) == {0}, passwords


@AS_ROOT
def test_generated_passwords_leave_nothing(service):
    client = service.attach()
    generated = client.call("passwords.generate", {"length": 40, "digits": True, "symbols": True})["password"]
    assert found(service, {"generated": generated}) == {"generated": 0}


# T30: who may look.

PROBE = """
import ctypes, os, sys
pid = int(sys.argv[1])
libc = ctypes.CDLL(None, use_errno=True)
libc.ptrace.argtypes = [ctypes.c_long, ctypes.c_long, ctypes.c_void_p, ctypes.c_void_p]
def tries(name, attempt):
    try:
        attempt()
        print(name)
    except OSError:
        pass
def attach(request):
    if libc.ptrace(request, pid, None, None) != 0:
        raise OSError(ctypes.get_errno(), "ptrace")
tries("mem", lambda: open(f"/proc/{pid}/mem", "rb").close())
tries("environ", lambda: open(f"/proc/{pid}/environ", "rb").close())
tries("descriptors", lambda: os.listdir(f"/proc/{pid}/fd"))
tries("ptrace", lambda: attach(0x4206))
"""


def what_the_same_user_gets(pid: int, user: int | None) -> set[str]:
    """What another process of the user may do to a process: read its memory, trace it."""
    probe = subprocess.run(
        ["/usr/bin/env", "python3", "-c", PROBE, str(pid)],
        user=user,
        group=user,
        extra_groups=None if user is None else [],
        cwd="/",
        env={"PATH": "/usr/bin:/bin"},
        capture_output=True,
        text=True,
        check=True,
    )
    return set(probe.stdout.split())


@pytest.fixture
def unprivileged(stage):
    with VaultService(stage, unprivileged=True) as service:
        yield service


def memory_and_tracing_are_refused(service: VaultService) -> None:
    bystander = subprocess.Popen(
        ["sleep", "infinity"], user=service.user, group=service.user, extra_groups=[] if service.user else None
    )
    try:
        # The control: an ordinary process of that user. Where Yama forbids tracing, its memory is closed as well.
        assert "environ" in what_the_same_user_gets(bystander.pid, service.user)
    finally:
        bystander.kill()
        bystander.wait()
    assert what_the_same_user_gets(service.pid, service.user) == set()


def test_the_same_user_may_neither_read_its_memory_nor_trace_it(unprivileged):
    terminal = unprivileged.start().with_vault()
    terminal.add("Example", "hunter2")
    memory_and_tracing_are_refused(unprivileged)
    assert terminal.show("Example", "password")["password"] == "hunter2"


def test_it_works_and_is_closed_where_no_memory_may_be_locked(unprivileged):
    terminal = unprivileged.start(limits={resource.RLIMIT_MEMLOCK: 0}).with_vault()
    terminal.add("Example", "hunter2", "notes")
    memory_and_tracing_are_refused(unprivileged)
    terminal.lock()
    terminal.unlock()
    assert terminal.show("Example", "password")["password"] == "hunter2"
    assert unprivileged.stop() == 0


@pytest.mark.parametrize("number", [signal.SIGABRT, signal.SIGSEGV])
def test_a_crash_writes_no_core_dump(unprivileged, number):
    hard = resource.getrlimit(resource.RLIMIT_CORE)[1]
    # The control: the same crash of an ordinary program, in the same folder, under the same limit.
    ordinary = subprocess.Popen(
        ["sleep", "infinity"],
        cwd=unprivileged.folder,
        user=unprivileged.user,
        group=unprivileged.user,
        extra_groups=[] if unprivileged.user else None,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CORE, (hard, hard)),
    )
    control = dies_of(ordinary, number)
    unprivileged.start(limits={resource.RLIMIT_CORE: hard}).with_vault()
    assert dies_of(unprivileged.process, number) == (number, False)
    unprivileged.process = None
    unprivileged.broker.close()
    # The language's runtime would describe registers and memory here.
    assert "crash" not in unprivileged.log.lower()
    assert control[0] == number
    assert hard == 0 or not can_dump() or control[1]
    assert not [path for path in unprivileged.folder.glob("core*") if owner_program(path) == "keyway-vaultd"]


def can_dump() -> bool:
    """Whether the kernel writes dumps into the folder of the process, and not to a program of the system."""
    return not Path("/proc/sys/kernel/core_pattern").read_text().startswith(("|", "/"))


def owner_program(core: Path) -> str:
    return "keyway-vaultd" if b"keyway-vaultd" in core.read_bytes()[: 1 << 16] else "other"
