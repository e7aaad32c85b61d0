"""`Tools/deb` in a small repository: what is not committed is in no package."""

import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def tree(tmp_path):
    (tmp_path / "Tools").mkdir()
    shutil.copy(ROOT / "Tools/deb", tmp_path / "Tools/deb")
    for command in (["init", "--quiet"], ["add", "."], ["commit", "--quiet", "--message", "all"]):
        identity = ["-c", "user.name=ada", "-c", "user.email=ada@example.org"]
        subprocess.run(["git", *identity, *command], cwd=tmp_path, check=True)
    return tmp_path


def build(tree: Path) -> subprocess.CompletedProcess:
    return subprocess.run([tree / "Tools/deb"], capture_output=True, text=True, timeout=60)


@pytest.mark.parametrize("file", ["Tools/deb", "new"])
def test_what_is_not_committed_is_named_and_nothing_is_built(tree, file):
    with (tree / file).open("a") as changed:
        changed.write("\n")
    finished = build(tree)
    assert finished.returncode == 1
    assert file in finished.stderr
    assert "Commit it" in finished.stderr
    assert not (tree / ".build").exists()
