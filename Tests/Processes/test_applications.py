"""The app which contains an extension: the sample manager, an app and an extension without a service."""

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import Keyway, eventually, fill, suggest
from wire import Peer, Refused, contents

from session.private import CommandFailed

MANAGER = "org.example.sample-manager"
GROUP = "group.org.example.sample-manager"
PAGE = "https://a.example/login"
IDENTITY = {
    "kind": "password",
    "service": {"identifier": "a.example", "kind": "domain"},
    "user": "eve",
    "rank": 0,
}


class Manager:
    """The installed sample manager and its app."""

    def __init__(self, session: Keyway) -> None:
        self.session = session
        self.bundle = session.folder / "data/keyway/providers/SampleManager.appex"
        shutil.copytree(session.prefix / "share/keyway/samples/SampleManager.appex", self.bundle)
        self.app = self.bundle / "sample-manager"

    def run(self, *words: str, secret: str = "s3cret", program: Path | None = None) -> str:
        """What the app prints."""
        return self.start(*words, program=program).communicate(f"{secret}\n", timeout=120)[0].strip()

    def start(self, *words: str, program: Path | None = None) -> subprocess.Popen:
        return subprocess.Popen(
            [program or self.app, *words],
            env=self.session.environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def enable(self) -> None:
        self.session.keyway("providers", "enable", "--yes", MANAGER)

    def approve(self) -> None:
        self.session.keyway("providers", "approve", MANAGER)

    @property
    def shown(self) -> dict:
        return json.loads(self.session.keyway("providers", "show", MANAGER, "--json"))["provider"]

    @property
    def application(self) -> dict:
        (application,) = self.shown["applications"]
        return application


@pytest.fixture
def manager(broker) -> Manager:
    return Manager(broker)


def test_app_is_turned_away_until_the_person_approves_it(manager):
    assert manager.run("state") == "disabled"
    manager.enable()
    assert manager.run("state") == "disabled"
    assert manager.run("announce", "a.example", "ada") == "storeDisabled"
    assert manager.run("add", "a.example", "ada") == "noGroup"
    assert manager.application == {"path": str(manager.app), "approved": False, "requested": True}

    manager.approve()
    assert manager.run("state") == "enabled"
    assert manager.run("add", "a.example", "ada") == "added"
    with manager.session.connect("browser") as peer:
        (suggestion,) = suggest(peer)
        assert suggestion["user"] == "ada"
        _, (descriptor,) = peer.answer(peer.request("fill", fill(suggestion["handle"])), within=60)
        assert contents(descriptor) == b"s3cret"


def test_app_shares_one_folder_with_its_extension(manager):
    manager.enable()
    manager.approve()
    assert manager.run("add", "a.example", "ada") == "added"
    folder = manager.session.folder / f"data/keyway/groups/{GROUP}"
    assert folder.stat().st_mode & 0o777 == 0o700
    assert [file.name for file in folder.iterdir()] == ["accounts.json"]
    manager.session.keyway("providers", "disable", MANAGER)
    assert (folder / "accounts.json").exists()
    manager.enable()
    assert manager.run("state") == "disabled", "what is turned off must be approved anew"


def test_copy_of_the_app_is_another_program(manager):
    manager.enable()
    manager.approve()
    copy = Path(shutil.copy(manager.app, manager.session.folder / "sample-manager"))
    assert manager.run("state", program=copy) == "disabled"
    assert manager.run("announce", "a.example", "eve", program=copy) == "storeDisabled"
    assert manager.run("group", program=copy) == "noGroup"
    assert manager.run("turn-on", program=copy) == "off"


def test_link_to_the_app_is_the_app(manager):
    manager.enable()
    manager.approve()
    link = manager.session.folder / "link"
    link.symlink_to(manager.app)
    assert manager.run("state", program=link) == "enabled"


def test_other_programs_are_told_nothing(manager):
    manager.enable()
    manager.approve()
    assert manager.run("add", "a.example", "ada") == "added"
    with manager.session.connect("application") as peer:
        assert peer.call("identities.state") == {"isEnabled": False, "supportsIncrementalUpdates": False}
        for method, parameters in (
            ("identities.write", {"operation": "replace", "identities": [IDENTITY], "isLast": True}),
            ("identities.read", {"kinds": []}),
            ("bundle.groupContainer", {"group": GROUP}),
            ("application.requestEnabling", {}),
        ):
            with pytest.raises(Refused) as refused:
                peer.call(method, parameters)
            assert refused.value.kind == "disabled", method
    with manager.session.connect("browser") as peer:
        assert [suggestion["user"] for suggestion in suggest(peer)] == ["ada"]


def test_bundle_of_somebody_else_gets_neither_store_nor_folder(manager):
    manager.enable()
    manager.approve()
    other = manager.session.provide("other")
    with manager.session.connect() as peer:
        assert manager.session.visit_service(peer, other, GROUP) == "refused"
    assert [folder.name for folder in (manager.session.folder / "data/keyway/groups").glob("group.*")] == []


def test_bundle_that_names_the_same_group_is_not_turned_on(manager):
    manager.enable()
    thief = manager.session.install("thief", KeywayGroup=GROUP)
    with pytest.raises(CommandFailed, match=GROUP):
        manager.session.keyway("providers", "enable", "--yes", thief)
    manager.session.keyway("providers", "disable", MANAGER)
    shutil.rmtree(manager.bundle)
    with pytest.raises(CommandFailed, match=GROUP):
        manager.session.keyway("providers", "enable", "--yes", thief)


def test_bundle_that_names_the_same_program_is_not_turned_on(manager):
    manager.enable()
    thief = manager.session.install("thief", KeywayApplications=[str(manager.app)])
    with pytest.raises(CommandFailed, match="can belong to only one provider"):
        manager.session.keyway("providers", "enable", "--yes", thief)


def test_bundle_whose_app_is_an_interpreter_is_never_started(broker):
    identifier = broker.install("thief", KeywayApplications=[sys.executable])
    with pytest.raises(CommandFailed, match="other people's programs"):
        broker.keyway("providers", "enable", "--yes", identifier)


def replace(program: Path, change: bytes = b"\0") -> None:
    """Puts another program into the place of one, as a package manager does."""
    new = program.with_name("new")
    shutil.copy(program, new)
    with new.open("ab") as file:
        file.write(change)
    new.replace(program)


def test_app_that_was_replaced_asks_again(manager):
    manager.enable()
    manager.approve()
    assert manager.run("state") == "enabled"
    original = manager.session.folder / "original"
    shutil.copy(manager.app, original)
    replace(manager.app)
    assert manager.run("state") == "disabled"
    assert manager.application == {"path": str(manager.app), "approved": False, "requested": True}
    manager.approve()
    assert manager.run("announce", "a.example", "ada") == "announced"
    original.replace(manager.app)
    assert manager.run("state") == "disabled"


def test_approval_is_shown_for_the_file_as_it_is_now(broker):
    bundle = broker.folder / "data/keyway/providers/other.appex"
    identifier = broker.install("other", KeywayApplications=["app"], service=False)
    shutil.copy("/bin/sleep", bundle / "app")
    broker.keyway("providers", "enable", "--yes", identifier)
    broker.keyway("providers", "approve", identifier)

    def applications() -> list[dict]:
        return json.loads(broker.keyway("providers", "show", identifier, "--json"))["provider"]["applications"]

    assert applications() == [{"path": str(bundle / "app"), "approved": True, "requested": False}]
    replace(bundle / "app")
    assert applications() == [{"path": str(bundle / "app"), "approved": False, "requested": False}]


def test_person_turns_the_provider_on_when_its_app_asks(manager):
    with manager.start("turn-on") as asking:
        eventually(lambda: manager.shown["requested"], within=60)
        assert asking.poll() is None
        manager.enable()
        assert asking.communicate(timeout=120)[0].strip() == "on"
    assert not manager.shown["requested"]
    assert manager.run("turn-on") == "on"


def test_person_who_declines_is_asked_no_longer(manager):
    with manager.start("turn-on") as asking:
        eventually(lambda: manager.shown["requested"], within=60)
        manager.session.keyway("providers", "disable", MANAGER)
        assert asking.communicate(timeout=120)[0].strip() == "off"
    assert not manager.shown["requested"]


def test_terminal_is_told_what_an_app_asks(manager):
    manager.enable()
    manager.run("state")
    with manager.session.connect() as peer:
        notice = peer.notification("notice")
    assert notice["provider"]["identifier"] == MANAGER
    assert f"keyway providers approve {MANAGER} {manager.app}" in notice["text"]


def test_settings_say_what_to_type(manager):
    assert "keyway providers" in manager.run("settings")


def test_app_starts_the_broker_where_nobody_has(keyway):
    manager = Manager(keyway)
    assert manager.run("state") == "disabled"
    with Peer.connect(keyway.socket).greet("terminal") as peer:
        assert peer.call("status")["processIdentifier"] > 0
