"""Passwords keeps every rule of the kit; Password Store is judged among its own tests."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from kit import Kit

MASTER = "master-word-of-the-test"
FOLDERS = {
    "XDG_DATA_HOME": ".local/share",
    "XDG_STATE_HOME": ".local/state",
    "XDG_CONFIG_HOME": ".config",
    "XDG_CACHE_HOME": ".cache",
}


@pytest.fixture
def folder() -> Iterator[Path]:
    """A folder with a short path: sockets lie in it, whose paths have 107 bytes at most."""
    path = Path(tempfile.mkdtemp(prefix="kit-"))
    yield path
    shutil.rmtree(path, ignore_errors=True)


def bundle(stage: Path, name: str) -> Path:
    return stage / f"share/keyway/providers/{name}.appex"


def test_passwords_keeps_every_rule(keyway, stage, folder):
    home = keyway.folder / "home"
    keyway.environment |= {name: str(home / path) for name, path in FOLDERS.items()}
    keyway.start_broker()
    keyway.keyway("providers", "enable", "org.keyway.passwords", "--yes")
    keyway.keyway("passwords", "init", "--memory", "64", "--passes", "3", secrets=[MASTER] * 2)
    address = ["--address", "https://example.com"]
    typed = ["pa55word", "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ"]
    keyway.keyway("passwords", "add", "Example", "--user", "ada", *address, "--code", secrets=typed)
    for process in list(keyway.processes):
        keyway.stop(process)
    shutil.rmtree(home / ".local/state")
    (folder / "word").write_text(MASTER)
    options = ["--home", str(home), "--type-from", str(folder / "word"), "--requests", "500"]
    judged = Kit(stage, folder).judge(bundle(stage, "Passwords"), *options)
    assert judged.with_status("fail") | judged.with_status("unchecked") == set(), judged.output
    assert {"password-fill", "locked", "store-complete-set", "secret-not-in-files", "code-list"} <= judged.with_status(
        "pass"
    )
    assert judged.status == 0
