"""A provider that tries to get out of its sandbox (T18): whatever it does, it reaches its own and what was approved."""

from __future__ import annotations

import ctypes
import json
import os
import shutil
import socket
import subprocess
import sys
import threading
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from conftest import FAULTY, PYTHON_SANDBOX, ROOT, Keyway, eventually, fill, suggest
from running import children
from wire import Refused, contents

from session.private import end

# What the kernel says of what is not there, may not be looked at, or cannot be written to.
OUT_OF_REACH = {"ENOENT", "EACCES", "EROFS", "EPERM"}
# ... of a call that may not be made.
FORBIDDEN = {"EPERM", "ENOSYS"}


@pytest.fixture
def hostile(broker) -> Hostile:
    return Hostile(broker)


class Hostile:
    """A provider that is turned on, and tries what it is told to."""

    def __init__(self, session: Keyway, name: str = "hostile", **sandbox: object) -> None:
        self.session = session
        identifier = session.marks(f"test.{name}")
        declared = {**PYTHON_SANDBOX, "WritePaths": [str(identifier)]}
        for key, value in sandbox.items():
            declared[key] = [*declared.get(key, []), *value] if isinstance(value, list) else value
        self.identifier = session.install(name, KeywayGroup=f"group.test.{name}", KeywaySandbox=declared)
        session.enable(self.identifier)

    @property
    def marks(self) -> Path:
        return self.session.marks(self.identifier)

    @property
    def process(self) -> int:
        with self.session.connect() as peer:
            (service,) = [
                process["processIdentifier"]
                for process in peer.call("status")["running"]
                if process["provider"]["identifier"] == self.identifier and process["role"] == "providerService"
            ]
        return service

    def tries(self, *words: object) -> str:
        with self.session.connect() as peer:
            return self.session.visit_service(peer, self.identifier, " ".join(["try", *map(str, words)]))


def lives(session: Keyway) -> bool:
    """Whether the broker that was started answers."""
    with session.connect() as peer:
        return peer.call("status")["processIdentifier"] == session.processes[0].pid


# Files


def test_a_provider_reads_no_other_file_of_the_person(hostile):
    home = hostile.session.folder / "home"
    (home / ".ssh").mkdir()
    (home / ".ssh/id_ed25519").write_text("a secret key")
    (hostile.session.folder / "elsewhere").write_text("a secret")
    for path in (home / ".ssh/id_ed25519", hostile.session.folder / "elsewhere", ROOT / "README.md", "/etc/shadow"):
        assert hostile.tries("read", path) in OUT_OF_REACH
    # The home folder is there, and is another one.
    assert hostile.tries("list", home) == "nothing"
    assert hostile.tries("write", home / "note") == "done"
    assert not (home / "note").exists()


def test_a_provider_sees_neither_identities_nor_settings_nor_the_door(hostile):
    session = hostile.session
    state = session.folder / "state/keyway"
    assert (state / "identities").is_dir() and (state / "providers.json").exists() and session.socket.exists()
    for path in (state / "identities", state / "providers.json", session.socket.parent, session.socket):
        assert hostile.tries("list" if path.is_dir() else "read", path) in OUT_OF_REACH
    assert hostile.tries("connect", session.socket) in OUT_OF_REACH


def test_a_provider_sees_no_folder_of_another_one(hostile):
    session = hostile.session
    other = Hostile(session, "other")
    with session.connect() as peer:
        folder = Path(session.visit_service(peer, other.identifier, "group.test.other"))
        own = Path(session.visit_service(peer, hostile.identifier, "group.test.hostile"))
    assert other.tries("make", folder, "secret") == "done"
    assert (folder / "secret").exists()
    assert hostile.tries("make", own, "secret") == "done"
    for path in (folder / "secret", other.marks / "anything", session.bundle(other.identifier) / "extension"):
        path.touch()
        assert hostile.tries("read", path) in OUT_OF_REACH
    assert hostile.tries("list", folder.parent) == own.name


def test_a_provider_writes_nowhere_but_where_it_declared(hostile):
    session = hostile.session
    assert hostile.tries("make", hostile.marks, "allowed") == "done"
    assert (hostile.marks / "allowed").exists()
    bundle = session.bundle(hostile.identifier)
    for path in (bundle / "extension", bundle / "more", "/usr/bin/more", "/etc/passwd", "/more", ROOT / "Tests/more"):
        assert hostile.tries("write", path) in OUT_OF_REACH
    for path in ("/tmp/keyway-escape", "/dev/shm/keyway-escape"):
        assert hostile.tries("write", path) == "done"
        assert not Path(path).exists()


def test_what_a_provider_plants_leads_nowhere_at_the_next_start(broker):
    """A folder that it may write to holds another one that it declares: there it puts a link to the home folder."""
    secret = broker.folder / "home/secret"
    secret.write_text("a secret")
    outer = broker.folder / "outer"
    hostile = Hostile(broker, WritePaths=[str(outer), str(outer / "inner")])
    assert hostile.tries("link", outer / "inner", secret.parent) == "done"
    broker.stop(broker.processes[-1])
    broker.start_broker()
    assert hostile.tries("read", outer / "inner/secret") in OUT_OF_REACH


def test_a_link_of_the_person_leads_where_they_want_but_not_to_everything(broker):
    (broker.folder / "synced").mkdir()
    (broker.folder / "synced/note").write_text("a note")
    (broker.folder / "link").symlink_to(broker.folder / "synced")
    hostile = Hostile(broker, ReadPaths=[str(broker.folder / "link")])
    assert hostile.tries("read", broker.folder / "link/note") == "a note"
    (broker.folder / "link").unlink()
    (broker.folder / "link").symlink_to(broker.folder / "home")
    broker.stop(broker.processes[-1])
    broker.start_broker()
    with broker.connect() as peer, pytest.raises(Refused, match="holds the home folder"):
        broker.visit_service(peer, hostile.identifier, "hello")


# Programs


def test_a_provider_runs_no_program_that_it_did_not_declare(hostile):
    assert hostile.tries("run", "/usr/bin/env") == "ENOENT"
    # Nor one that must be there to be read: this library is a program, too.
    (library,) = Path("/usr/lib").glob("*-linux-gnu/libc.so.6")
    assert hostile.tries("look", library) == "done"
    assert hostile.tries("run", library) == "EACCES"
    assert hostile.tries("run", "/bin/sh") == "done"
    # Nor one that it made.
    assert hostile.tries("write-and-run", hostile.marks) == "EACCES"
    assert hostile.tries("write-and-run", "/tmp") == "EACCES"


def test_a_declared_program_runs(broker):
    assert Hostile(broker, Programs=["env"]).tries("run", "/usr/bin/env") != "ENOENT"


# Whatever can be read can be run: by the loader, or as a copy.
WAYS_TO_RUN = ("look", "run", "load", "copy-and-run")
MISSING = {"ENOENT", "No such file or directory"}
CLOSED = {"EACCES", "Permission denied"}


def test_a_provider_finds_no_program_that_it_did_not_declare(hostile):
    for program in ("/usr/bin/true", "/bin/true", "/usr/bin/git", "/usr/lib/git-core/git"):
        assert Path(program).exists()
        assert {hostile.tries(way, program) for way in WAYS_TO_RUN} <= MISSING


def test_a_declared_program_is_found_by_all_of_its_names_and_no_other_one_is(broker):
    """What is done there can be done, so that finding nothing above says something."""
    hostile = Hostile(broker, Programs=["true", "pinentry", "/usr/lib/git-core"])
    for program in ("/usr/bin/true", "/bin/true"):
        assert [hostile.tries(way, program) for way in WAYS_TO_RUN] == ["done"] * len(WAYS_TO_RUN)
    for program in ("/usr/bin/pinentry", Path("/usr/bin/pinentry").resolve(), "/usr/lib/git-core/git"):
        assert hostile.tries("look", program) == "done"
    for program in ("/usr/bin/false", "/usr/bin/git"):
        assert {hostile.tries(way, program) for way in WAYS_TO_RUN} <= MISSING


def test_nothing_is_written_where_programs_lie(broker):
    """Not even what would be gone with the process."""
    hostile = Hostile(broker, WritePaths=[])
    for folder in ("/usr/bin", "/usr/sbin", "/usr/lib/git-core"):
        assert hostile.tries("make", folder, "more") == "EROFS"


# Network and sockets


@contextmanager
def listener(family: int, address: object) -> Iterator[socket.socket]:
    with socket.socket(family) as door:
        door.bind(address)
        door.listen()
        yield door


def test_a_provider_reaches_no_network(hostile):
    with listener(socket.AF_INET, ("127.0.0.1", 0)) as door:
        assert hostile.tries("connect-inet", door.getsockname()[1]) == "EAFNOSUPPORT"
    for family in ("AF_INET", "AF_INET6", "AF_NETLINK", "AF_PACKET", "AF_VSOCK", "AF_ALG"):
        assert hostile.tries("socket", family) in {"EAFNOSUPPORT", "EPERM"}


def test_a_provider_that_declares_the_network_reaches_it_and_no_packets(broker):
    hostile = Hostile(broker, Network=True)
    with listener(socket.AF_INET, ("127.0.0.1", 0)) as door:
        assert hostile.tries("connect-inet", door.getsockname()[1]) == "done"
    for family in ("AF_PACKET", "AF_VSOCK", "AF_ALG"):
        assert hostile.tries("socket", family) in {"EAFNOSUPPORT", "EPERM"}


def landlock_version() -> int:
    """What the kernel can forbid, as landlock_create_ruleset(2) says: the same number on every architecture."""
    return ctypes.CDLL(None).syscall(444, None, 0, 1)


def test_with_the_network_a_provider_still_reaches_no_abstract_socket_where_the_kernel_can_forbid_it(broker):
    abstract = f"@keyway-{os.getpid()}"
    with listener(socket.AF_UNIX, "\0" + abstract[1:]):
        found = Hostile(broker, Network=True).tries("connect", abstract)
    # Before that it does, and whoever turns it on is told.
    assert found == ("EPERM" if landlock_version() >= 6 else "done")


def test_whoever_asks_what_a_provider_reaches_is_told_what_the_network_is(broker):
    identifier = broker.install("net", KeywaySandbox={**PYTHON_SANDBOX, "Network": True})
    shown = broker.keyway("providers", "show", identifier)
    for word in ("localhost", "abstract sockets"):
        assert word in " ".join(shown.split())


def test_a_provider_reaches_no_socket_of_others(broker):
    other, mine = broker.folder / "runtime/other", broker.folder / "runtime/mine"
    abstract = f"@keyway-{os.getpid()}"
    with (
        listener(socket.AF_UNIX, str(other)),
        listener(socket.AF_UNIX, str(mine)),
        listener(socket.AF_UNIX, "\0" + abstract[1:]),
    ):
        hostile = Hostile(broker, Sockets=[str(mine)])
        assert hostile.tries("connect", other) in OUT_OF_REACH
        assert hostile.tries("connect", abstract) in {"ECONNREFUSED", "EPERM"}
        assert hostile.tries("connect", mine) == "done"


# Processes


def test_a_provider_signals_no_other_process(hostile):
    for process in (hostile.session.processes[0].pid, os.getpid()):
        assert hostile.tries("kill", process) in {"ESRCH", "EPERM"}
    assert lives(hostile.session)


def test_a_provider_sees_no_process_of_others(hostile):
    assert set(hostile.tries("processes").split()) <= {"bwrap", Path(sys.executable).resolve().name, ""}
    assert hostile.tries("read", f"/proc/{hostile.process}/environ") in OUT_OF_REACH
    assert hostile.tries("read", "/proc/1/environ") in OUT_OF_REACH | {"empty"} or "PATH" not in hostile.tries(
        "read", "/proc/1/environ"
    )


def test_a_fork_bomb_ends_with_the_provider_and_the_broker_answers(hostile):
    # How many may be made is tried below, as an ordinary user: of root's the kernel counts none.
    made = int(hostile.tries("bomb", 100))
    assert 0 < made <= 100
    assert lives(hostile.session)
    service = hostile.process
    bombs = children(service)
    assert len(bombs) >= made
    os.kill(service, 9)
    eventually(lambda: not any(Path(f"/proc/{process}").exists() for process in [service, *bombs]))
    assert lives(hostile.session)


def test_a_provider_inherits_no_descriptor_but_its_channel(hostile):
    found = dict(one.split("=", 1) for one in hostile.tries("descriptors").split())
    # The interpreter holds its script.
    found = {number: what for number, what in found.items() if not what.endswith(".py")}
    assert set(found) == {"0", "1", "2", "3"}
    assert found["0"] == "/dev/null"
    assert found["3"].startswith("socket:")


def test_a_provider_gets_no_variable_that_it_does_not_need(keyway):
    keyway.environment |= {"SECRET_TOKEN": "s3cret", "DBUS_SESSION_BUS_ADDRESS": "unix:path=/nowhere"}
    keyway.start_broker()
    names = set(Hostile(keyway).tries("environment").split())
    assert "HOME" in names
    assert not names & {"SECRET_TOKEN", "DBUS_SESSION_BUS_ADDRESS", "GNUPGHOME", "DISPLAY", "SSH_AUTH_SOCK"}


# Calls


@pytest.mark.parametrize(
    "call",
    ["ptrace 0 0", "mount", "umount2", "pivot_root", "chroot", "swapon", "reboot", "init_module", "add_key",
     "keyctl 0 0", "unshare 268435456", "unshare 131072", "clone 268435473", "clone3", "setns 3 0",
     "perf_event_open", "process_vm_readv 1", "process_vm_writev 1", "kexec_load", "bpf", "userfaultfd 1",
     "io_uring_setup 1", "open_tree", "fsopen", "pidfd_getfd", "shmget 0 4096 896"],
)  # fmt: skip
def test_a_provider_makes_no_call_that_leads_out(hostile, call):
    assert hostile.tries("call", *call.split()) in FORBIDDEN


def test_a_provider_types_into_no_terminal(hostile):
    assert hostile.tries("type-ahead") == "EPERM"


# What it may take


def test_a_provider_makes_no_file_of_any_size(hostile):
    """Neither on the disk nor in memory, which no other limit counts."""
    bound = 4 << 30
    for path in (hostile.marks / "grown", "/tmp/grown", "memory"):
        assert hostile.tries("grow", path, 1 << 20) == "done"
        assert hostile.tries("grow", path, bound + 1) == "EFBIG"


# What runs outside later


def git(folder: Path, *words: str) -> str:
    command = ["git", "-C", folder, *words]
    alone = {"PATH": os.environ["PATH"], "HOME": "/nonexistent", "GIT_CONFIG_NOSYSTEM": "1"}
    return subprocess.run(command, check=True, capture_output=True, text=True, env=alone).stdout


def test_a_provider_changes_nothing_in_a_repository_whose_work_tree_it_changes(broker):
    store = broker.folder / "store"
    store.mkdir()
    git(store, "init", "--quiet")
    before = sorted(path for path in (store / ".git").rglob("*"))
    hostile = Hostile(broker, WritePaths=[str(store)])
    assert hostile.tries("make", store, "entry") == "done"
    for name in ("index.lock", "commondir", "config.worktree"):
        assert hostile.tries("make", store / ".git", name) == "EROFS"
    for name in ("hooks/post-commit", "config", "info/attributes", "objects/info/alternates"):
        assert hostile.tries("write", store / ".git" / name) == "EROFS"
    # Nor does it put another one in its place.
    assert hostile.tries("move", store / ".git", store / "moved") in {"EBUSY", "EXDEV", "EROFS"}
    assert hostile.tries("link", store / ".git", "/tmp") == "EEXIST"
    assert sorted(path for path in (store / ".git").rglob("*")) == before


# A home folder that is a link


def test_where_the_home_folder_is_a_link_its_other_path_gives_no_more(keyway):
    """What a provider plants is not found by the path without the link, and what is Keyway's is that by both."""
    home = keyway.folder / "home"
    (keyway.folder / "disk").mkdir()
    home.rename(keyway.folder / "disk/home")
    home.symlink_to(keyway.folder / "disk/home")
    true = home.resolve()
    secret = keyway.folder / "secrets"
    secret.mkdir()
    (secret / "note").write_text("a secret")
    keyway.start_broker()
    hostile = Hostile(keyway, WritePaths=["~/outer"], ReadPaths=[str(true / "outer/inner")])
    assert hostile.tries("link", home / "outer/inner", secret) == "done"
    keyway.stop(keyway.processes[-1])
    keyway.start_broker()
    for path in (home / "outer/inner/note", true / "outer/inner/note"):
        assert hostile.tries("read", path) in OUT_OF_REACH
    greedy = keyway.install("greedy", KeywaySandbox={"ReadPaths": [str(true)]})
    with keyway.connect() as peer, pytest.raises(Refused, match="holds the home folder"):
        peer.call("providers.setEnabled", {"identifier": greedy, "isEnabled": True})


# A bundle that declares too much


@pytest.mark.parametrize(
    ("key", "path", "why"),
    [("ReadPaths", "~", "must name something"), ("ReadPaths", "/", "everything"),
     ("WritePaths", "/usr/lib/x", "system"),
     ("ReadPaths", "$XDG_STATE_HOME/keyway/identities", "belongs to Keyway"),
     ("WritePaths", "$XDG_DATA_HOME/keyway/groups/group.test.other", "another bundle"),
     ("WritePaths", "$XDG_DATA_HOME/keyway/private/org.keyway.passwords", "another bundle"),
     ("Sockets", "$XDG_RUNTIME_DIR/keyway/autofill.sock", "belongs to Keyway"),
     ("Sockets", "$XDG_RUNTIME_DIR/bus", "outside of the sandbox"), ("ReadPaths", "/proc/1/environ", "kernel"),
     ("WritePaths", "$XDG_CONFIG_HOME/autostart", "run or followed by programs outside"),
     ("WritePaths", "~/.bashrc", "run or followed"), ("WritePaths", "~/store/.git/hooks", "run or followed"),
     ("WritePaths", "$XDG_CONFIG_HOME/systemd/user", "run or followed"),
     ("Sockets", "$XDG_RUNTIME_DIR/podman/podman.sock", "outside of the sandbox"),
     ("Sockets", "/var/run/docker.sock", "outside of the sandbox"),
     ("ReadPaths", "~/a/../../b", "without empty parts"), ("Programs", "$HOME", "must name something")],
)  # fmt: skip
def test_a_bundle_that_declares_too_much_has_a_problem_that_names_the_key(broker, key, path, why):
    identifier = broker.install("greedy", KeywaySandbox={key: [path]})
    with broker.connect() as peer:
        (shown,) = [
            one for one in peer.call("providers.list")["providers"] if one["reference"]["identifier"] == identifier
        ]
        assert f"KeywaySandbox.{key}" in shown["problem"]
        assert why in shown["problem"]
        with pytest.raises(Refused, match="KeywaySandbox"):
            peer.call("providers.setEnabled", {"identifier": identifier, "isEnabled": True})


def test_what_a_provider_declares_is_shown_and_more_of_it_must_be_agreed_to(broker):
    identifier = broker.install("one", KeywaySandbox={**PYTHON_SANDBOX, "ReadPaths": ["~/notes"]})
    broker.enable(identifier)
    shown = broker.keyway("providers", "show", identifier)
    assert "read ~/notes" in shown and "run sh" in shown
    broker.install("one", KeywaySandbox={**PYTHON_SANDBOX, "ReadPaths": ["~/notes", "~/more"]})
    with broker.connect() as peer:
        listed = peer.call("providers.list")["providers"]
        (found,) = [one for one in listed if one["reference"]["identifier"] == identifier]
        assert found["hasChanged"]
        assert not found["isEnabled"]
        assert found["sandbox"]["readPaths"] == ["~/notes", "~/more"]


# How strong it is


def strength(session: Keyway) -> dict:
    with session.connect() as peer:
        return peer.call("status")["confinement"]


def test_the_strength_is_the_full_one(broker):
    assert strength(broker) == {"strength": "full"}
    # Other things may be amiss, so its status says nothing.
    command = [broker.prefix / "bin/keyway", "doctor", "--json"]
    said = subprocess.run(command, env=broker.environment, capture_output=True, text=True, timeout=120, check=False)
    (check,) = [one for one in json.loads(said.stdout)["checks"] if one["name"] == "sandbox"]
    assert check["status"] == "ok"


NOBODY = 65534


class Somebody(Keyway):
    """A session of an ordinary user, with a copy of the installed tree that they can read."""

    def __init__(self, stage: Path) -> None:
        super().__init__()
        shutil.copytree(stage, self.prefix, symlinks=True)
        for path in (*FAULTY.parent.glob("*.py"), FAULTY.parents[1] / "Processes/wire.py"):
            copy = self.folder / "Tests" / path.parent.name / path.name
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(path, copy)
        self.approve_programs()
        if os.geteuid() == 0:
            for path in (self.folder, *self.folder.rglob("*")):
                os.chown(path, NOBODY, NOBODY, follow_symlinks=False)

    def install(self, name: str, behaviour: str = "good", **keys: object) -> str:
        """As above, with what this user can read: the system's interpreter, and the copies."""
        declared = {"ReadPaths": [str(self.folder / "Tests")], "Programs": ["sh", "python3"]}
        declared["WritePaths"] = [str(self.marks(f"test.{name}"))]
        identifier = super().install(name, behaviour, **{**keys, "KeywaySandbox": declared})
        script, marks = self.folder / "Tests/Providers" / FAULTY.name, self.marks(identifier)
        for part in ("extension", "service"):
            program = self.bundle(identifier) / part
            program.write_text(f'#!/bin/sh\nexec /usr/bin/python3 {script} "$0" {behaviour} {marks}\n')
        return identifier


def run_as(user: int, body: Callable[[], None]) -> None:
    """Runs `body` in a process of that user, which cannot become anybody else again; here, where this is not root."""
    if os.geteuid() != 0:
        return body()
    told, tell = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(told)
        try:
            os.setgroups([])
            os.setresgid(user, user, user)
            os.setresuid(user, user, user)
            # Else the broker could not look which program asks it.
            set_dumpable = 4
            ctypes.CDLL(None).prctl(set_dumpable, 1, 0, 0, 0)
            body()
        except BaseException:
            os.write(tell, traceback.format_exc().encode())
        finally:
            os._exit(0)
    os.close(tell)
    with os.fdopen(told) as report:
        said = report.read()
    os.waitpid(child, 0)
    assert said == ""
    return None


def test_an_unprivileged_user_has_the_full_strength(stage):
    """And everything works there: a provider is started, fills, and gets no further."""

    def scenario() -> None:
        try:
            session.start_broker()
            assert strength(session) == {"strength": "full"}
            hostile = Hostile(session, "good")
            assert hostile.tries("call", "unshare", 0x10000000) in FORBIDDEN
            assert hostile.tries("read", session.folder / "keywayd.log") in OUT_OF_REACH
            assert hostile.tries("connect-inet", 22) == "EAFNOSUPPORT"
            # Here the kernel counts its processes.
            assert 16 < int(hostile.tries("bomb", 2000)) < 512
            assert lives(session)
            with session.connect() as peer:
                handle = suggest(peer)[0]["handle"]
                assert contents(peer.answer(peer.request("fill", fill(handle)))[1][0]) == b"s3cret"
        finally:
            for process in session.processes:
                end(process)

    with Somebody(stage) as session:
        run_as(NOBODY, scenario)


@contextmanager
def weaker(session: Keyway, hindrance: str) -> Iterator[Keyway]:
    """A broker whose machine lacks something: its namespaces are its own, so nobody else notices."""
    with session.broker_apart(hindrance):
        yield session


NO_BUBBLEWRAP = "mount --bind /dev/null /usr/bin/bwrap"
NO_NAMESPACES = "echo 0 >/proc/sys/user/max_user_namespaces"


@pytest.mark.parametrize(
    ("hindrance", "reason"),
    [(NO_BUBBLEWRAP, "bubblewrap is not installed"), (NO_NAMESPACES, "user.max_user_namespaces is 0")],
)
def test_why_a_machine_confines_less_is_said(keyway, hindrance, reason):
    with weaker(keyway, hindrance):
        state = strength(keyway)
        assert state["strength"] == "partial"
        assert reason in state["detail"]


def test_where_less_is_possible_a_provider_runs_only_if_the_person_agreed(keyway):
    with weaker(keyway, NO_BUBBLEWRAP):
        identifier = keyway.install("good")
        keyway.enable(identifier)
        with keyway.connect() as peer:
            with pytest.raises(Refused, match=r"--unconfined test\.good") as refused:
                keyway.visit_service(peer, identifier, "hello")
            assert "bubblewrap is not installed" in str(refused.value)
            agreed = {"identifier": identifier, "isEnabled": True, "mayRunUnconfined": True}
            assert peer.call("providers.setEnabled", agreed)["provider"]["mayRunUnconfined"]
            keyway.visit_service(peer, identifier, "hello")
            eventually(lambda: suggest(peer))


def test_without_namespaces_a_provider_still_reads_no_file_and_is_no_client(keyway):
    (keyway.folder / "home/secret").write_text("a secret")
    with weaker(keyway, NO_BUBBLEWRAP), keyway.connect() as peer:
        identifier = keyway.install("thief")
        agreed = {"identifier": identifier, "isEnabled": True, "mayRunUnconfined": True}
        peer.call("providers.setEnabled", agreed)

        def tries(words: str) -> str:
            return keyway.visit_service(peer, identifier, words)

        assert tries(f"try read {keyway.folder}/home/secret") == "EACCES"
        assert tries(f"try read {keyway.folder}/state/keyway/providers.json") == "EACCES"
        assert {tries(f"try {way} /usr/bin/true") for way in WAYS_TO_RUN} <= CLOSED
        assert tries("try call unshare 268435456") in FORBIDDEN
        assert tries("try socket AF_INET") == "EAFNOSUPPORT"
        assert tries("pose terminal") == "notAllowed notAllowed"
        assert tries("pose browser") == "notAllowed notAllowed"
        assert "a process of a provider connected" in keyway.log


def test_without_namespaces_what_a_provider_forked_still_ends_with_it(keyway):
    with weaker(keyway, NO_BUBBLEWRAP), keyway.connect() as peer:
        identifier = keyway.install("forker")
        agreed = {"identifier": identifier, "isEnabled": True, "mayRunUnconfined": True}
        peer.call("providers.setEnabled", agreed)
        assert keyway.visit_service(peer, identifier, "try bomb 20") == "20"
        (service,) = [process["processIdentifier"] for process in peer.call("status")["running"]]
        bombs = children(service)
        assert len(bombs) >= 20
        os.kill(service, 9)
        eventually(lambda: not any(Path(f"/proc/{process}").exists() for process in [service, *bombs]))


def test_many_start_at_once_and_each_is_confined(broker):
    """Whoever starts them must last as long as they do."""
    providers = [Hostile(broker, f"p{number}") for number in range(6)]
    outcomes: dict[str, str] = {}

    def visit(provider: Hostile) -> None:
        outcomes[provider.identifier] = provider.tries("socket", "AF_INET")

    threads = [threading.Thread(target=visit, args=(provider,)) for provider in providers]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=120)
    assert set(outcomes.values()) == {"EAFNOSUPPORT"}
    assert len(outcomes) == len(providers)
