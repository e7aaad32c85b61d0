"""Keyway itself is upgraded: that its own providers can do more is no question to the person; that those of others can,
is one, and whoever wonders where their accounts are is told.

The installation is root's where these tests run as root; anybody else's is never the system's.
"""

from __future__ import annotations

import json
import plistlib
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from conftest import PAGE, Keyway, suggest
from linked_tree import copy_linked

from session.private import PASSWORDS

MASTER = "master-of-the-upgrade"
# What an older commit did not declare (Tests/Vectors/homes).
NEWER = ("KeywayActivityProgram", "NSUserActivityTypes")
CAPABILITIES = "ASCredentialProviderExtensionCapabilities"


@pytest.fixture
def installed(stage: Path) -> Iterator[Keyway]:
    """A broker in an installed tree of its own, whose lists may be changed."""
    with Keyway() as session:
        copy_linked(stage, session.prefix)
        session.approve_programs()
        session.start_broker()
        yield session


def declare(bundle: Path, information: dict) -> None:
    """Puts another list into the bundle's, as a package manager does."""
    new = bundle / "Info.plist.new"
    new.write_bytes(plistlib.dumps(information))
    new.chmod(0o644)
    new.replace(bundle / "Info.plist")


def listed(session: Keyway, identifier: str) -> dict:
    providers = json.loads(session.keyway("providers", "list", "--json"))["providers"]
    (found,) = [one for one in providers if one["identifier"] == identifier]
    return found


def upgrades(session: Keyway) -> list[dict]:
    """What the history says of them."""
    entries = json.loads(session.keyway("history", "--json"))["entries"]
    return [entry for entry in entries if "upgrade of Keyway" in (entry["detail"] or "")]


def test_keyways_own_provider_stays_on_and_the_history_says_what_it_can_do_more(installed: Keyway):
    bundle = installed.prefix / "share/keyway/providers/Passwords.appex"
    newer = plistlib.loads((bundle / "Info.plist").read_bytes())
    older = {key: value for key, value in newer.items() if key not in NEWER}
    attributes = older["NSExtension"]["NSExtensionAttributes"]
    kept = {key: value for key, value in attributes[CAPABILITIES].items() if "CredentialExchange" not in key}
    older["NSExtension"] = {**older["NSExtension"], "NSExtensionAttributes": {**attributes, CAPABILITIES: kept}}
    declare(bundle, older)
    installed.keyway("providers", "enable", "--yes", PASSWORDS)
    installed.keyway("passwords", "init", "--memory", "64", secrets=[MASTER, MASTER])
    installed.keyway("passwords", "add", "Site", "--user", "ada", "--address", PAGE, secrets=["s3cret"])

    declare(bundle, newer)
    if bundle.stat().st_uid != 0:
        assert listed(installed, PASSWORDS)["changed"]
        return
    for _ in range(2):
        now = listed(installed, PASSWORDS)
        assert (now["enabled"], now["changed"]) == (True, False)
        with installed.connect() as peer:
            assert [one["user"] for one in suggest(peer)] == ["ada"]
        # Its programs began anew: the vault is locked, and opens.
        installed.keyway("passwords", "unlock", secrets=[MASTER])
        shown = json.loads(installed.keyway("passwords", "show", "Site", "--json", "--reveal"))
        assert shown["password"] == "s3cret"
        (entry,) = upgrades(installed)
        assert (entry["event"], entry["client"], entry["provider"]) == ("change", "Keyway", PASSWORDS)
        assert entry["detail"].endswith(": KeywayActivityProgram, SupportsCredentialExchange")
        # The next broker finds it recorded.
        installed.stop(installed.processes[-1])
        installed.start_broker()


def test_a_provider_of_others_in_the_same_folder_is_off_and_every_way_to_look_for_it_says_so(installed: Keyway):
    identifier = installed.provide("one", where="prefix/share")
    bundle = installed.prefix / "share/keyway/providers/one.appex"
    information = plistlib.loads((bundle / "Info.plist").read_bytes())
    more = ("ProvidesPasswords", "SupportsSavePasswordCredentials", "SupportsGeneratePasswordCredentials")
    information["NSExtension"]["NSExtensionAttributes"] = {CAPABILITIES: dict.fromkeys(more, True)}
    declare(bundle, information)
    now = listed(installed, identifier)
    assert (now["enabled"], now["changed"]) == (False, True)
    assert upgrades(installed) == []
    command = f"keyway providers enable {identifier}"
    for words in (["suggest", PAGE], ["fill", PAGE], ["generate", PAGE]):
        said = run(installed, *words)
        assert said.returncode != 0
        assert "one has changed since you turned it on" in said.stderr, said.stderr
        assert command in said.stderr
    assert f"one ({identifier}), 1.0, changed" in installed.keyway("status")
    checks = {check["name"]: check for check in json.loads(run(installed, "doctor", "--json").stdout)["checks"]}
    for name in (f"provider:{identifier}", "providers"):
        assert (checks[name]["status"], checks[name]["remedy"]) == ("warning", command)
    installed.keyway("providers", "enable", "--yes", identifier)
    assert listed(installed, identifier)["enabled"]


def run(session: Keyway, *words: str) -> subprocess.CompletedProcess:
    command = [session.prefix / "bin/keyway", *words]
    return subprocess.run(
        command, env=session.environment, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=60
    )
