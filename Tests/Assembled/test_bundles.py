"""K3, K4: what stands on the disk is not what was turned on, or takes what belongs to another one."""

from __future__ import annotations

import json
import os
import plistlib
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from login import HOME, MASTER, USER, Login, Terminal, eventually, own_copy_of
from own_provider import CAPABILITIES, bundle_of, own_provider
from person import IN_THE_STORE, STORED, Person

GROUP = "group.org.example.shared"
PASSWORDS = "org.keyway.passwords"
PAGE = "https://a.example"
GROUPS = HOME / ".local/share/keyway/groups"


def listed(terminal: Terminal) -> dict[str, dict]:
    providers = json.loads(terminal.keyway("providers list --json"))["providers"]
    return {provider["identifier"]: provider for provider in providers}


@pytest.fixture
def storing(prefix: Path) -> Iterator[Person]:
    """Somebody with a store of pass, in which is an account of the site."""
    with Person(prefix) as person, person.terminal() as shell:
        person.shell = shell
        person.make_store("a.example")
        yield person


@pytest.mark.parametrize("part", ["keyway-password-store-extension", "keyway-password-store-service", "Info.plist"])
def test_K4_a_provider_that_another_program_replaced_is_off_until_it_is_turned_on_again(storing: Person, part: str):
    identifier, terminal = own_provider(storing), storing.shell
    terminal.keyway(f"providers enable --yes {identifier}")
    # Its service looks through the store first.
    eventually(lambda: STORED in terminal.run(f"keyway suggest {PAGE}")[1])
    assert terminal.keyway(f"fill {PAGE}") == f"{IN_THE_STORE}\n"
    assert storing.named("keyway-password-store-service")
    replace(bundle_of(identifier) / part)
    status, printed, _ = terminal.run(f"keyway fill {PAGE}")
    assert (status != 0, printed) == (True, "")
    shown = listed(terminal)[identifier]
    assert (shown["enabled"], shown["changed"]) == (False, True)
    # What was started of it ends.
    eventually(lambda: not storing.named("keyway-password-store-service"))
    terminal.keyway(f"providers enable --yes {identifier}")
    eventually(lambda: terminal.run(f"keyway fill {PAGE}")[1] == f"{IN_THE_STORE}\n")


def replace(program: Path) -> None:
    """Puts another file into the place of one, as any program of the person can."""
    new = program.with_name("new")
    shutil.copy(program, new)
    with new.open("ab") as file:
        file.write(b"\n")
    os.chown(new, USER, USER)
    new.replace(program)


def declare(bundle: Path, change: Callable[[dict], object]) -> None:
    """Root puts another list of properties there, as a package of another version does."""
    information = plistlib.loads((bundle / "Info.plist").read_bytes())
    change(information)
    new = bundle / "Info.plist.new"
    new.write_bytes(plistlib.dumps(information))
    new.replace(bundle / "Info.plist")


def capabilities(information: dict) -> dict:
    return information["NSExtension"]["NSExtensionAttributes"][CAPABILITIES]


@pytest.fixture
def installed(prefix: Path) -> Iterator[Path]:
    """Where Keyway's own bundles are, in which root makes changes that no other person of the machine sees."""
    folder = prefix / "share/keyway/providers"
    with own_copy_of(folder):
        yield folder


@pytest.fixture
def of_others(installed: Path) -> Path:
    """A bundle that root installed where Keyway's own are, and that is somebody else's."""
    bundle = installed / "Other.appex"
    shutil.copytree(bundle.with_name("PasswordStore.appex"), bundle)
    declare(bundle, lambda information: information.update(CFBundleIdentifier="org.example.other"))
    declare(bundle, lambda information: capabilities(information).clear())
    declare(bundle, lambda information: capabilities(information).update(ProvidesPasswords=True))
    return bundle


def test_K4_what_a_package_of_others_declares_more_is_off_until_it_is_turned_on_again(of_others: Path, login: Login):
    identifier = "org.example.other"
    with login.terminal() as terminal:
        terminal.keyway(f"providers enable --yes {identifier}")
        assert listed(terminal)[identifier]["enabled"]
        declare(of_others, lambda information: information.update(CFBundleShortVersionString="2.0"))
        assert listed(terminal)[identifier]["enabled"]
        declare(of_others, lambda information: capabilities(information).update(ProvidesPasskeys=True))
        shown = listed(terminal)[identifier]
        assert (shown["enabled"], shown["changed"]) == (False, True)
        status, _, said = terminal.run("keyway fill https://a.example")
        assert status != 0 and f"keyway providers enable {identifier}" in said, said
        terminal.keyway(f"providers enable --yes {identifier}")
        assert listed(terminal)[identifier]["enabled"]


@contextmanager
def older(bundle: Path) -> Iterator[None]:
    """The bundle as it was when it could not exchange accounts."""

    def take_away(information: dict) -> None:
        for key in ("KeywayActivityProgram", "NSUserActivityTypes"):
            del information[key]
        for key in ("SupportsCredentialExchange", "SupportedCredentialExchangeVersions"):
            del capabilities(information)[key]

    kept = bundle / "Info.plist.kept"
    shutil.copy2(bundle / "Info.plist", kept)
    declare(bundle, take_away)
    yield
    kept.replace(bundle / "Info.plist")


def test_K4_keyways_own_provider_stays_on_after_an_upgrade_and_that_is_in_the_history(installed: Path, login: Login):
    with login.terminal() as terminal:
        with older(installed / "Passwords.appex"):
            terminal.keyway(f"providers enable --yes {PASSWORDS}")
            terminal.keyway("passwords init", MASTER, MASTER)
            terminal.keyway("passwords add alpha --user ada --url https://a.example", "password of alpha")
        shown = listed(terminal)[PASSWORDS]
        assert (shown["enabled"], shown["changed"]) == (True, False)
        # Its processes began anew.
        terminal.keyway("passwords unlock", MASTER)
        assert terminal.keyway("fill https://a.example") == "password of alpha\n"
        entries = json.loads(terminal.keyway("history --json"))["entries"]
        (entry,) = [one for one in entries if one["provider"] == PASSWORDS and one["event"] == "change"]
        assert entry["detail"].endswith(": KeywayActivityProgram, SupportsCredentialExchange")


def test_K3_a_bundle_of_the_persons_does_not_take_the_place_of_one_of_the_system(vault: Login):
    """It has the same identifier, and lies where the person's bundles are."""
    terminal = vault.open_terminal
    assert own_provider(vault, "passwords", CFBundleIdentifier=PASSWORDS) == PASSWORDS
    for _ in range(2):
        both = [one for one in json.loads(terminal.keyway("providers list --json"))["providers"] if is_passwords(one)]
        (on,) = [provider for provider in both if provider["enabled"]]
        assert (len(both), on["changed"], on["path"].startswith(str(vault.prefix))) == (2, False, True), both
        assert terminal.keyway("fill https://a.example") == "password of alpha\n"
        terminal.keyway(f"providers enable --yes {PASSWORDS}")


def is_passwords(provider: dict) -> bool:
    return provider["identifier"] == PASSWORDS


def test_K3_a_group_stays_with_the_bundle_that_was_first_turned_on_with_it(login: Login):
    first, second = own_provider(login, "first", KeywayGroup=GROUP), own_provider(login, "second", KeywayGroup=GROUP)
    with login.terminal() as terminal:
        terminal.keyway(f"providers enable --yes {first}")
        for end_the_first in (lambda: None, lambda: terminal.keyway(f"providers disable {first}"), gone(first)):
            end_the_first()
            status, _, said = terminal.run(f"keyway providers enable --yes {second}")
            assert status != 0 and GROUP in said, said
            assert not listed(terminal)[second]["enabled"]


def gone(identifier: str):
    return lambda: shutil.rmtree(bundle_of(identifier))


def test_K3_a_group_of_the_system_goes_to_no_bundle_of_the_persons_that_takes_its_name(login: Login, of_others: Path):
    declare(of_others, lambda information: information.update(KeywayGroup=GROUP))
    with login.terminal() as terminal:
        terminal.keyway("providers enable --yes org.example.other")
        # Its package is removed, and its identifier is free.
        shutil.rmtree(of_others)
        identifier = own_provider(login, "other", KeywayGroup=GROUP)
        status, _, said = terminal.run(f"keyway providers enable --yes {identifier}")
        assert (identifier, status != 0, GROUP in said) == ("org.example.other", True, True), said
        assert not listed(terminal)[identifier]["enabled"]


def test_K3_who_writes_down_that_a_group_is_theirs_is_not_believed(login: Login):
    first, second = own_provider(login, "first", KeywayGroup=GROUP), own_provider(login, "second", KeywayGroup=GROUP)
    with login.terminal() as terminal:
        terminal.keyway(f"providers enable --yes {first}")
        owner = eventually((GROUPS / ".owners" / GROUP).exists) and GROUPS / ".owners" / GROUP
        owner.write_bytes(owner.read_bytes().replace(b"first", b"second"))
        status, _, said = terminal.run(f"keyway providers enable --yes {second}")
        assert status != 0, said
        assert not listed(terminal)[second]["enabled"]
