"""The packages after, and before, those of another release, on the machine of a person who works meanwhile."""

from __future__ import annotations

import json
import os
import shlex
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from browser_host import HELLO, Host, kind
from conftest import NAMES, OLDER, apt, living_person, package, packages
from login import ROOT, Login, eventually
from older_home import MASTER, check_export, check_items, check_signing_in, lay_down
from page import Page
from person import IN_THE_VAULT, PASSWORDS, USER, Person
from seat import Seat
from serving import serving
from site_server import Site, SiteServer
from support import until
from test_fills import choose, fill, fill_again, is_asked, open_browser, profile_folder
from test_sign_in import USERNAME

# Packages are made, removed and installed before the first of these.
pytestmark = pytest.mark.timeout(600)
PROGRAM = Path("/usr/libexec/keyway/keywayd")
# It waits for half a minute in which nobody asks.
PATIENCE = 120


@pytest.fixture(scope="module")
def server() -> Iterator[SiteServer]:
    yield from serving(SiteServer(Site({USER: IN_THE_VAULT}, (ROOT / "Tests/Site/pages",))))


@pytest.fixture
def site(server: SiteServer) -> Site:
    server.site.forget()
    return server.site


@pytest.fixture
def older_machine(prefix: Path, older: Path) -> None:
    """The machine as it was when the older release was new."""
    apt("purge", *NAMES)
    apt("install", *packages(older))


@pytest.fixture
def person(
    older_machine: None, prefix: Path, server: SiteServer, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Person]:
    """Somebody who has made a vault with the older release."""
    with living_person(prefix, tmp_path_factory.mktemp("machine"), server.url) as person:
        yield person


def installed() -> dict[str, str]:
    """The version and state of each package."""
    told = subprocess.run(
        ["dpkg-query", "--show", "--showformat", "${Package} ${Version} ${Status}\\n", *NAMES],
        capture_output=True,
        text=True,
        check=True,
    )
    return dict(line.split(" ", 1) for line in told.stdout.splitlines())


def files() -> dict[str, tuple[int, int]]:
    """Which files the packages have installed, each by what tells it from another one of the same name."""
    told = subprocess.run(["dpkg-query", "--listfiles", *NAMES], capture_output=True, text=True, check=True)
    paths = [Path(line) for line in told.stdout.splitlines() if line.startswith("/")]
    return {str(path): (path.lstat().st_ino, path.lstat().st_ctime_ns) for path in paths if not path.is_dir()}


@pytest.mark.parametrize("name", ["chromium", "firefox"])
def test_an_upgrade_loses_no_session_and_the_broker_makes_way(
    name: str, person: Person, server: SiteServer, site: Site
) -> None:
    browser = open_browser(name, person, profile_folder(name, person))
    try:
        page = Page(browser, server.url)
        fill(page, person)
        assert until(site.signed_in) == [USER]
        before = person.broker
        apt("install", *packages())
        assert OLDER not in installed()["keyway"]
        # What was open stays open, at the broker that was there before.
        site.forget()
        fill_again(page)
        assert until(site.signed_in) == [USER]
        assert person.broker == before
        # Once nothing is open any more, it makes way.
        person.shell.keyway("passwords lock")
        eventually(lambda: before not in person.named("keywayd"), PATIENCE)
        # The browser still runs the older extension and the older host: they come to the newer broker.
        site.forget()
        sign_in_at_the_newer_broker(page, person, site, before)
    finally:
        browser.close()


def sign_in_at_the_newer_broker(page: Page, person: Person, site: Site, before: int) -> None:
    """Where another one ran before."""
    page.open("/")
    page.click(USERNAME)
    choose(page, person)
    assert until(site.signed_in) == [USER]
    assert person.broker != before
    assert Path(f"/proc/{person.broker}/exe").samefile(PROGRAM)


@pytest.fixture
def older_home(older_machine: None, prefix: Path, tmp_path: Path) -> Iterator[Person]:
    """Somebody whose home the programs of an older commit have written, and who has not used any since."""
    with Person(prefix) as person, Seat(tmp_path) as seat, person.terminal() as shell:
        person.seat, person.shell = seat, shell
        lay_down(person.home / ".local/state", person.home / ".local/share", person.user)
        for folder in (".local", ".local/state", ".local/share"):
            os.chown(person.home / folder, person.user, person.user)
        yield person


def in_shell(person: Person) -> Callable[..., str]:
    return lambda *words: person.shell.keyway(shlex.join(words))


def allow_keyway(person: Person) -> None:
    """That commit's programs were in no group: to the broker, this `keyway` is another one. Nothing else is asked."""
    listing = person.start(person.prefix / "bin/keyway", "clients", "list")
    person.seat.agree("Allow “keyway” to use Keyway?")
    assert listing.wait(PATIENCE) == 0


def test_a_home_of_an_older_commit_is_whole_after_the_upgrade(
    older_home: Person, server: SiteServer, site: Site
) -> None:
    """That commit's Passwords declared less. Nobody is asked about that: it came with the broker, from root."""
    person = older_home
    keyway = in_shell(person)
    apt("install", *packages())
    allow_keyway(person)
    providers = json.loads(keyway("providers", "list", "--json"))["providers"]
    assert {one["identifier"]: (one["enabled"], one["changed"]) for one in providers}[PASSWORDS] == (True, False)
    person.shell.keyway("passwords unlock", MASTER)
    check_items(keyway)
    check_signing_in(keyway)
    document = person.home / "all.json"
    person.shell.keyway(f"export {document} --yes", MASTER)
    check_export(json.loads(document.read_text()))
    entries = json.loads(keyway("history", "--json"))["entries"]
    (upgrade,) = [one for one in entries if one["provider"] == PASSWORDS and one["event"] == "change"]
    assert "stays on after an upgrade of Keyway" in upgrade["detail"]
    assert "SupportsCredentialExchange" in upgrade["detail"]
    browser = open_browser("chromium", person, profile_folder("chromium", person))
    try:
        fill(Page(browser, server.url), person)
        assert until(site.signed_in) == [USER]
    finally:
        browser.close()


@pytest.mark.parametrize("name", ["chromium", "firefox"])
def test_a_browser_that_runs_during_the_upgrade_fills_from_a_vault_of_an_older_commit(
    name: str, older_home: Person, server: SiteServer, site: Site
) -> None:
    person = older_home
    browser = open_browser(name, person, profile_folder(name, person))
    try:
        page = Page(browser, server.url)
        # The extension becomes active while the browser already shows its first page.
        until(lambda: is_asked(page, person), 120)
        person.seat.agree("use Keyway?")
        assert page.wait_for_menu() == [USER]
        before = person.broker
        apt("install", *packages())
        assert OLDER not in installed()["keyway"]
        # Nothing is open: the broker makes way while the browser runs, which has loaded the older extension.
        eventually(lambda: before not in person.named("keywayd"), PATIENCE)
        sign_in_at_the_newer_broker(page, person, site, before)
        # It is that commit's vault, with all that it held.
        allow_keyway(person)
        person.shell.keyway("passwords unlock", MASTER)
        check_items(in_shell(person))
    finally:
        browser.close()


def test_a_downgrade_is_refused_before_anything_is_touched(prefix: Path, older: Path) -> None:
    before = installed(), files()
    for order in (packages(older), reversed(packages(older)), [package("webext-keyway", older)]):
        finished = subprocess.run(["dpkg", "--install", *order], capture_output=True, text=True, timeout=120)
        assert finished.returncode != 0
        assert f"and {OLDER} is older: it may not be able to read the vaults" in finished.stderr
        assert "Nothing was changed." in finished.stderr
        assert (installed(), files()) == before


def test_a_newer_extension_is_told_what_to_do(login: Login) -> None:
    """An extension of a later release, whose protocol this one does not speak, and the other way round."""
    for major in (0, 2):
        with Host(login.environment, program=PROGRAM.parent / "keyway-browser-host", user=login.user) as host:
            host.request(1, "hello", {**HELLO, "protocol": {"major": major, "minor": 0}})
            answer = host.answer()
        assert kind(answer) == "versionMismatch"
        assert "update the older" in answer["error"]["message"]


def test_doctor_says_that_an_older_broker_still_runs(older_machine: None, login: Login) -> None:
    # It asks for more than it is told here, and starts the broker.
    login.run("keyway", "clients", "list")
    before = login.broker
    apt("install", *packages())
    checks = json.loads(login.run("keyway", "doctor", "--json").stdout)["checks"]
    [broker] = [check for check in checks if check["name"] == "broker"]
    assert login.broker == before
    assert broker["status"] == "warning"
    assert "an older program of Keyway is still running" in broker["detail"]
