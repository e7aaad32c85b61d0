"""What every browser test stands on: the built extension, the site, a browser of each kind, a native host."""

import os
import secrets
import subprocess
from collections.abc import Iterator
from pathlib import Path

import interruption
import pytest
from bidi import Browser
from longest_first import pytest_collection_modifyitems
from page import Page
from serving import serving
from site_server import PAGES, Site, SiteServer
from support import HERE, ROOT, USER, FakeHost, launch

from session import system_bus

__all__ = ["pytest_collection_modifyitems"]
interruption.allow()
# No agent, sensor or session of this machine is asked who is there.
system_bus.hide()


@pytest.fixture(scope="session")
def extension() -> Path:
    """The extension of the installed tree, or one that is built now."""
    if "KEYWAY_STAGE" in os.environ:
        return Path(os.environ["KEYWAY_STAGE"]) / "share/keyway/browser"
    subprocess.run([ROOT / "Browser/build"], check=True)
    return ROOT / "Browser/dist"


@pytest.fixture(scope="session")
def stage(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The installed tree: the one that the test run made, or a new one."""
    if "KEYWAY_STAGE" in os.environ:
        return Path(os.environ["KEYWAY_STAGE"])
    tree = tmp_path_factory.mktemp("stage") / "tree"
    subprocess.run([ROOT / "Tools/stage", tree, "--linked"], check=True, capture_output=True)
    return tree


@pytest.fixture(scope="session")
def password() -> str:
    return secrets.token_urlsafe(12)


@pytest.fixture(scope="session")
def server(password: str) -> Iterator[SiteServer]:
    # React, Vue and AngularJS as Debian has them.
    libraries = (Path("/usr/share/nodejs"), Path("/usr/share/javascript"))
    yield from serving(SiteServer(Site({USER: password}, (PAGES, HERE / "pages", *libraries))))


@pytest.fixture
def site(server: SiteServer) -> Site:
    server.site.forget()
    return server.site


@pytest.fixture(scope="session", params=["chromium", "firefox"])
def browser_name(request: pytest.FixtureRequest) -> str:
    """Which browser; every test runs in both."""
    return request.param


@pytest.fixture(scope="session")
def fake_host(browser_name: str, tmp_path_factory: pytest.TempPathFactory) -> FakeHost:
    return FakeHost(tmp_path_factory.mktemp(f"{browser_name}-host") / "host")


@pytest.fixture(scope="session")
def running_browser(
    browser_name: str, fake_host: FakeHost, extension: Path, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Browser]:
    browser = launch(browser_name, tmp_path_factory.mktemp(browser_name), fake_host.program, extension)
    yield browser
    browser.close()


@pytest.fixture
def host(fake_host: FakeHost, server: SiteServer, password: str) -> FakeHost:
    """The fake host behind the browser under test, with one account of the sample site."""
    fake_host.forget()
    fake_host.accounts([{"origin": server.url, "user": USER, "password": password}])
    return fake_host


@pytest.fixture
def page(running_browser: Browser, server: SiteServer, host: FakeHost) -> Page:
    """The browser at a page with nothing on it, with the fake host behind it.

    It is one of the site: a browser starts a process for each site anew, also after a page of none.
    """
    running_browser.open(f"{server.url}/empty")
    return Page(running_browser, server.url)


@pytest.fixture(scope="session")
def pictures() -> Path:
    """Where the pictures stay, for a person to look at."""
    folder = Path(os.environ.get("KEYWAY_PICTURES", ROOT / ".build/pictures"))
    folder.mkdir(parents=True, exist_ok=True)
    return folder
