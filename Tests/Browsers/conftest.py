"""What every browser test stands on: the built extension, the site, a browser of each kind, a native host."""

import json
import os
import secrets
import shlex
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TypeVar

import pytest
from bidi import Browser, start_chromium, start_firefox
from native_host import register

HERE = Path(__file__).parent
ROOT = HERE.parent.parent
sys.path.insert(0, str(HERE.parent / "Site"))

from site_server import PAGES, Site, SiteServer  # noqa: E402

USER = "ada@example.org"
LIMIT = 10.0


T = TypeVar("T")


def until(probe: Callable[[], T], limit: float = LIMIT) -> T:
    """What `probe` gives once that is true."""
    deadline = time.monotonic() + limit
    while not (value := probe()):
        assert time.monotonic() < deadline, "it did not come true in time"
        time.sleep(0.02)
    return value


@pytest.fixture(scope="session")
def extension() -> Path:
    subprocess.run([ROOT / "Browser/build"], check=True)
    return ROOT / "Browser/dist"


@pytest.fixture(scope="session")
def password() -> str:
    return secrets.token_urlsafe(12)


@pytest.fixture(scope="session")
def server(password: str) -> Iterator[SiteServer]:
    running = SiteServer(Site({USER: password}, (PAGES, HERE / "pages", Path("/usr/share/nodejs"))))
    threading.Thread(target=running.serve_forever, daemon=True).start()
    yield running
    running.shutdown()
    running.server_close()


@pytest.fixture
def site(server: SiteServer) -> Site:
    server.site.forget()
    return server.site


class FakeHost:
    """The folder that the fake native host reads from and writes to."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        folder.mkdir()
        self.accounts([])
        program = folder / "host"
        command = shlex.join([sys.executable, str(HERE / "fake_host.py"), str(folder)])
        program.write_text(f"#!/bin/sh\necho $$ > {shlex.quote(str(folder / 'pid'))}\nexec {command}\n")
        program.chmod(0o755)
        self.program = program

    def accounts(self, accounts: list[dict]) -> None:
        replacement = self.folder / "accounts.new"
        replacement.write_text(json.dumps(accounts))
        replacement.rename(self.folder / "accounts.json")

    def lock(self) -> None:
        (self.folder / "locked").touch()

    def unlock(self) -> None:
        (self.folder / "locked").unlink(missing_ok=True)

    def requests(self, method: str | None = None) -> list[dict]:
        log = self.folder / "requests.jsonl"
        lines = log.read_text().splitlines() if log.exists() else []
        return [message for message in map(json.loads, lines) if method in (None, message["method"])]

    def kill(self) -> None:
        os.kill(int((self.folder / "pid").read_text()), signal.SIGKILL)

    def forget(self) -> None:
        self.unlock()
        (self.folder / "requests.jsonl").unlink(missing_ok=True)


@pytest.fixture(scope="session")
def hosts(tmp_path_factory: pytest.TempPathFactory) -> dict[str, FakeHost]:
    """One for each browser, because each keeps its connection."""
    folder = tmp_path_factory.mktemp("hosts")
    return {name: FakeHost(folder / name) for name in ("chromium", "firefox")}


def launch(name: str, folder: Path, program: Path, extension: Path) -> Browser:
    """A headless browser with the extension, and `program` as its native host."""
    home, profile = folder / "home", folder / "profile"
    home.mkdir()
    profile.mkdir()
    register(name, program, profile, home)
    environment = os.environ | {"HOME": str(home)}
    if name == "firefox":
        browser = start_firefox(folder, profile, environment, {})
    else:
        browser = start_chromium(folder, profile, environment, [])
    browser.adopt_first_tab()
    browser.install(extension)
    return browser


@pytest.fixture(scope="session", params=["chromium", "firefox"])
def running_browser(
    request: pytest.FixtureRequest,
    tmp_path_factory: pytest.TempPathFactory,
    extension: Path,
    hosts: dict[str, FakeHost],
) -> Iterator[Browser]:
    browser = launch(request.param, tmp_path_factory.mktemp(request.param), hosts[request.param].program, extension)
    yield browser
    browser.close()


@pytest.fixture
def browser(running_browser: Browser) -> Browser:
    running_browser.open("about:blank")
    return running_browser


@pytest.fixture
def host(running_browser: Browser, hosts: dict[str, FakeHost], server: SiteServer, password: str) -> FakeHost:
    """The fake host behind the browser under test, with one account of the sample site."""
    fake = hosts[running_browser.name]
    fake.forget()
    fake.accounts([{"origin": server.url, "user": USER, "password": password}])
    return fake
