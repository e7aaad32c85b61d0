"""Keyway as it is installed and lived in: one installation for everybody, one login, and what attacks it."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import control_groups
import interruption
import pytest
from login import MASTER, ROOT, Login, install, mount_machine
from longest_first import pytest_collection_modifyitems
from older_kernel import THIS_KERNEL, OlderKernel

# What the parts are tested with; both have a `desktop`, and that of the browser tests is meant.
sys.path += [str(ROOT / "Tests/Browsers"), str(ROOT / "Tests/Processes")]
interruption.allow()
mount_machine()
__all__ = ["pytest_collection_modifyitems"]


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--prefix", help="the prefix of an installation with the group, to be tested as it is")


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "control_groups: needs a kernel that counts memory and processes in cgroup v2")


@pytest.hookimpl(tryfirst=True)
def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> bool | None:
    """A test that needs another kernel than this runs there."""
    if pyfuncitem.get_closest_marker("control_groups") is None or control_groups.are_here():
        return None
    control_groups.run_there(pyfuncitem.nodeid, pyfuncitem.funcargs["login"].prefix)
    return True


@pytest.fixture(scope="session")
def prefix(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Where Keyway is installed: what was named, or a private root that is made of what was built."""
    if named := request.config.getoption("--prefix"):
        yield Path(named)
        return
    if "KEYWAY_STAGE" in os.environ:
        stage = Path(os.environ["KEYWAY_STAGE"])
    else:
        stage = tmp_path_factory.mktemp("stage") / "tree"
        subprocess.run([ROOT / "Tools/stage", stage, "--linked", "--samples"], check=True, capture_output=True)
    prefix = install(stage)
    yield prefix
    shutil.rmtree(prefix.parents[1])


@pytest.fixture
def login(request: pytest.FixtureRequest, prefix: Path) -> Iterator[Login]:
    """A person who has just logged in for the first time; a test that says so has an older kernel, too (`KERNELS`)."""
    with Login(prefix) as login:
        login.kernel = None
        if getattr(request, "param", THIS_KERNEL) != THIS_KERNEL:
            login.starting = login.kernel = OlderKernel()
        yield login


@pytest.fixture
def vault(login: Login) -> Iterator[Login]:
    """The same with Passwords turned on, a vault of one item, and a terminal to which it is open."""
    with login.terminal() as terminal:
        terminal.keyway("providers enable --yes org.keyway.passwords")
        terminal.keyway("passwords init", MASTER, MASTER)
        terminal.keyway("passwords add alpha --user ada --url https://a.example", "password of alpha")
        login.open_terminal = terminal
        yield login
