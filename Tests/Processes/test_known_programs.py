"""Keyway's own programs, by the group that they run with, and every other one, by its file: as a user who is not root.

The tests need root: for another user, and for a group of their own.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
# A user who is nobody else, and a group that nobody has.
USER, GROUP = 64_321, 64_322
INTERPRETER = "/usr/bin/python3"


@pytest.fixture(scope="module")
def installed(stage) -> Iterator[Path]:
    """A copy of the installed tree that everybody may read, with the test's own script beside it."""
    assert os.geteuid() == 0, "only root can run programs as another user"
    folder = Path(tempfile.mkdtemp(prefix="keyway-installed-", dir="/var/tmp"))
    folder.chmod(0o755)
    prefix = folder / "prefix"
    for program in ("bin/keyway", *(f"libexec/keyway/{file.name}" for file in (stage / "libexec/keyway").iterdir())):
        (prefix / program).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(stage / program, prefix / program)
        (prefix / program).chmod(0o755)
    shutil.copy(HERE / "known_programs.py", folder)
    try:
        yield prefix
    finally:
        shutil.rmtree(folder)


@pytest.fixture
def known(installed) -> Iterator[Path]:
    """The same, installed for everybody with a group, as `Tools/install --group` does it."""
    for folder in ("share/keyway/providers", "bin", "libexec/keyway"):
        (installed / folder).mkdir(parents=True, exist_ok=True)
    subprocess.run([ROOT / "Tools/protect", installed, str(GROUP)], check=True, capture_output=True)
    yield installed
    for program in (installed / "bin/keyway", *(installed / "libexec/keyway").iterdir()):
        os.chown(program, 0, 0)
        program.chmod(0o755)
    shutil.rmtree(installed / "share")


def run(prefix: Path, step: str, *, groups: tuple[int, ...] = ()) -> tuple[object, str]:
    """What came of a step, done as another user in a new home, and what the broker said."""
    home = Path(tempfile.mkdtemp(prefix="keyway-home-", dir="/var/tmp"))
    os.chown(home, USER, USER)
    try:
        with account(home):
            return run_in(prefix, home, step, groups)
    finally:
        shutil.rmtree(home, ignore_errors=True)


@contextmanager
def account(home: Path) -> Iterator[None]:
    """Gives that user an entry in passwd, in the mount namespace of the tests: there the home folder is found."""
    passwd = Path(f"{home}.passwd")
    passwd.write_text(f"{Path('/etc/passwd').read_text()}keyway-test:x:{USER}:{USER}::{home}:/bin/sh\n")
    passwd.chmod(0o644)
    subprocess.run(["mount", "--bind", passwd, "/etc/passwd"], check=True)
    try:
        yield
    finally:
        subprocess.run(["umount", "/etc/passwd"], check=True)
        passwd.unlink()


def run_in(prefix: Path, home: Path, step: str, groups: tuple[int, ...]) -> tuple[object, str]:
    finished = subprocess.run(
        [INTERPRETER, prefix.parent / "known_programs.py", prefix, home, step],
        user=USER,
        group=USER,
        extra_groups=list(groups),
        cwd="/",
        env={"PATH": "/usr/bin:/bin", "LANG": "C.UTF-8"},
        capture_output=True,
        text=True,
        timeout=180,
    )
    log = (home / "keywayd.log").read_text() if (home / "keywayd.log").exists() else ""
    assert finished.returncode == 0, finished.stderr + log
    return json.loads(finished.stdout), log


def test_program_that_hides_is_named_by_its_file_to_a_broker_that_is_not_root(installed):
    (client,), _ = run(installed, "list")
    assert client["path"] == str(installed / "bin/keyway")
    assert not client["isKnown"]
    assert client["decision"] == "approved"


def test_program_with_the_group_is_known(known):
    (client,), _ = run(known, "list")
    assert client["isKnown"]
    assert client["path"] is None


def test_whatever_the_environment_says_there_is_one_broker_in_the_home_of_passwd(known):
    (brokers, is_there), _ = run(known, "elsewhere")
    assert len(set(brokers)) == 1
    assert is_there


def test_a_broker_of_the_system_does_not_run_in_a_user_namespace_of_its_user(known):
    """There its user says which bus is the system's, and who is root."""
    results, _ = run(known, "namespace")
    for status, said in results:
        assert status == 1
        assert "your own user namespace" in said


def test_T13_another_program_of_the_same_user_is_not_known(known):
    (answer, listed), _ = run(known, "another")
    assert answer["error"]["data"]["kind"] == "notApproved"
    assert [(client["isKnown"], client["decision"]) for client in listed] == [(False, "waiting"), (True, "approved")]


def test_group_proves_nothing_about_a_user_who_has_it_anyway(known):
    (status, _, said), log = run(known, "refused", groups=(GROUP,))
    # Nor can the kernel tell its file: a program with a group hides from the user.
    assert status == 7
    assert "member of the group" in said
    assert "member of the group" in log


def test_group_that_the_user_names_is_none(known):
    file = known / "share/keyway/group"
    os.chown(file, USER, USER)
    (status, _, said), _ = run(known, "refused")
    assert status == 7
    assert "find out which program" in said


def test_library_is_not_preloaded_into_a_known_program(known):
    source = known.parent / "preloaded.c"
    library = known.parent / "preloaded.so"
    source.write_text(
        "#include <unistd.h>\n"
        '__attribute__((constructor)) static void loaded(void) { (void)!write(2, "preloaded", 9); }\n'
    )
    subprocess.run(["clang", "-shared", "-fPIC", "-o", library, source], check=True, capture_output=True)
    library.chmod(0o755)
    (control, (status, _, said)), _ = run(known, f"preload:{library}")
    assert control == "preloaded"
    assert status == 0
    assert "preloaded" not in said
