"""T13, T30: nothing is loaded into Keyway's own programs, and none of them leaves its memory in a file."""

from __future__ import annotations

import re
import resource
import subprocess
from pathlib import Path

import pytest
from browser_host import CHROMIUM
from login import Login, read

MARK = "loaded into it"
SOURCE = f"""
#include <unistd.h>
__attribute__((constructor)) static void loaded(void) {{ (void)!write(2, "{MARK}\\n", {len(MARK) + 1}); }}
"""
# What runs of each, and what it says then.
PROGRAMS = {
    "bin/keyway": (["providers", "list"], "org.keyway.passwords"),
    "libexec/keyway/keywayd": (["--version"], "keywayd"),
    "libexec/keyway/keyway-browser-host": (CHROMIUM, ""),
}


@pytest.fixture
def library(login: Login) -> Path:
    library = login.tools / "loaded.so"
    command = ["cc", "-shared", "-fPIC", "-Wall", "-Werror", "-x", "c", "-", "-o", library]
    subprocess.run(command, input=SOURCE, text=True, check=True)
    library.chmod(0o755)
    return library


@pytest.mark.parametrize("name", PROGRAMS)
def test_T13_nothing_is_loaded_into_programs_that_count_as_keyways(login: Login, library: Path, name: str):
    # It is loaded into any other program.
    assert MARK in login.run("/bin/true", LD_PRELOAD=str(library)).stderr
    arguments, says = PROGRAMS[name]
    finished = login.run(login.prefix / name, *arguments, LD_PRELOAD=str(library))
    assert MARK not in finished.stderr
    assert finished.returncode == 0, finished.stderr
    assert says in finished.stdout


def test_T30_no_process_that_holds_secrets_writes_a_core_dump_or_lets_them_be_swapped_out(vault: Login):
    assert vault.open_terminal.keyway("fill https://a.example") == "password of alpha\n"
    # Whoever started them allows it.
    other = vault.start("/bin/sleep", "600")
    assert may_dump(other.pid) == (resource.getrlimit(resource.RLIMIT_CORE)[1] != 0)
    for name in ("keywayd", "keyway-vaultd", "keyway-passwords-extension"):
        assert [may_dump(pid) for pid in vault.named(name)] == [False], name
    (service,) = vault.named("keyway-vaultd")
    (locked,) = re.findall(r"VmLck:\s+(\d+) kB", read(service, "status"))
    assert int(locked) > 0


def may_dump(pid: int) -> bool:
    """Whether it may, or may allow it to itself."""
    return not re.search(r"Max core file size +0 +0 ", read(pid, "limits"))
