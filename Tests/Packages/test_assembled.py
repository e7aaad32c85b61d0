"""What other programs of the person try, against the packages: the part of Tests/Assembled that hangs on how Keyway was
installed. The rest of it is the same wherever the programs lie."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from login import ROOT

SERVICE = Path("/etc/pam.d/keyway")

# Many tests each, after the packages were installed.
pytestmark = pytest.mark.timeout(600)


@pytest.fixture(autouse=True)
def no_login_password(prefix: Path) -> Iterator[None]:
    """As in a private root, nobody is asked for the login password: PAM knows nothing of Keyway."""
    aside = SERVICE.with_name("keyway.aside")
    SERVICE.rename(aside)
    yield
    aside.rename(SERVICE)


@pytest.mark.parametrize(
    "name", ["whole", "door", "memory", "landlock", "programs", "preloading", "bundles", "settings", "policy"]
)
def test_the_packages_hold_what_a_private_root_holds(prefix: Path, name: str) -> None:
    file = f"Tests/Assembled/test_{name}.py"
    words = ("-m", "pytest", "-q", "-x", "-o", "cache_dir=/tmp/assembled", file, "--prefix", str(prefix))
    command = [sys.executable, *words]
    finished = subprocess.run(command, cwd=ROOT, env=os.environ, capture_output=True, text=True, timeout=580)
    assert finished.returncode == 0, finished.stdout[-8000:] + finished.stderr[-2000:]
