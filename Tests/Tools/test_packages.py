"""How the machine is made on which the packages are tried."""

from __future__ import annotations

import os
import shutil
import subprocess
import time
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
# Makes a Debian with next to nothing in it, as soon as it may go on.
MAKES = """echo made >>made
while [ ! -e go ]; do sleep 0.01; done
mkdir -p empty/usr/local/bin
for each; do case $each in *.tar.new) tar -C empty -cf "$each" . ;; esac; done"""


def script(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(0o755)


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    (tmp_path / "Tools").mkdir()
    shutil.copy2(ROOT / "Tools/packages", tmp_path / "Tools/packages")
    (tmp_path / "Tests/Packages").mkdir(parents=True)
    (tmp_path / "Tests/Packages/machine.txt").write_text("# What it has.\nadduser\n")
    (tmp_path / "debs").mkdir()
    (tmp_path / "debs/keyway_0.1.0_amd64.deb").touch()
    script(tmp_path / "bin/dpkg-deb", "echo 'libc6 (>= 2.36), libsodium23'")
    script(tmp_path / "bin/mmdebstrap", MAKES)
    # Enters no machine.
    script(tmp_path / "bin/unshare", 'echo "$@" >>entered')
    return tmp_path


def start(tree: Path) -> subprocess.Popen:
    environment = {**os.environ, "PATH": f"{tree / 'bin'}:{os.environ['PATH']}"}
    # Only root plays a machine.
    root = [] if os.geteuid() == 0 else [shutil.which("unshare"), "--user", "--map-root-user"]
    command = [*root, tree / "Tools/packages", "--packages", tree / "debs"]
    return subprocess.Popen(command, cwd=tree, env=environment)


def eventually(condition) -> None:
    deadline = time.monotonic() + 60
    while not condition():
        assert time.monotonic() < deadline, "did not happen in time"
        time.sleep(0.01)


def is_waiting(process: subprocess.Popen) -> bool:
    """Whether the process waits for its turn."""
    children = Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()
    return any(Path(f"/proc/{child}/comm").read_text() == "flock\n" for child in children)


def test_two_runs_at_a_time_make_one_debian_and_enter_a_machine_each(tree):
    first = start(tree)
    eventually((tree / "made").exists)
    second = start(tree)
    eventually(lambda: is_waiting(second))
    (tree / "go").touch()
    assert [first.wait(60), second.wait(60)] == [0, 0]
    assert (tree / "made").read_text() == "made\n"
    entered = (tree / "entered").read_text().splitlines()
    assert len({line.split("--inside ")[1] for line in entered}) == 2
    # Each took its own away.
    left = sorted(path.name.partition("-")[0] for path in (tree / ".build/packages").iterdir())
    assert left == ["machine", "turn"]
