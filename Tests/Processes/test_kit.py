"""The kit that judges providers: an honest one keeps every rule, and each rule has a provider that breaks it."""

from __future__ import annotations

import os
import plistlib
import signal
import stat
import subprocess
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from conftest import eventually
from kit import POINT, Judged, Kit, bundle, write_information
from running import children

# Rules that concern the bundle's files: broken by what lies in the folder, not by what the program does.
BUNDLE_FAULTS = {"bundle-accepted", "bundle-name", "bundle-named", "bundle-capabilities"}


@pytest.fixture
def kit(stage, tmp_path) -> Kit:
    return Kit(stage, tmp_path)


def break_bundle(path: Path, rule: str) -> Path:
    """Makes the bundle break a rule about its files."""
    if rule == "bundle-accepted":
        (path / "extension").chmod(0o644)
    elif rule == "bundle-name":
        return path.rename(path.with_name("Kit.provider"))
    elif rule == "bundle-named":
        write_information(path, CFBundleName=None)
    elif rule == "bundle-capabilities":
        information = plistlib.loads((path / "Info.plist").read_bytes())
        attributes = information["NSExtension"]["NSExtensionAttributes"]
        attributes["ASCredentialProviderExtensionCapabilities"]["ProvidesPassword"] = True
        (path / "Info.plist").write_bytes(plistlib.dumps(information))
    return path


def faulty(folder: Path, rule: str) -> Path:
    """A bundle that breaks `rule`."""
    if rule in BUNDLE_FAULTS:
        return break_bundle(bundle(folder), rule)
    # What is not declared can only be asked of who does not declare everything.
    declares = ["ProvidesPasswords"] if rule == "undeclared-request" else None
    return bundle(folder, rule, declares=declares)


def test_an_honest_provider_keeps_every_rule(kit, tmp_path):
    # The measure of endurance is not what is tested here; the next test but one makes all ten thousand requests.
    judged = kit.judge(bundle(tmp_path), "--requests", "200")
    assert judged.with_status("fail") == set(), judged.output
    assert judged.with_status("unchecked") == set(), judged.output
    assert judged.with_status("notApplicable") == {"undeclared-request", "locked"}
    assert judged.status == 0


def test_an_honest_provider_of_little_keeps_what_concerns_it(kit, tmp_path):
    judged = kit.judge(bundle(tmp_path, declares=["ProvidesPasswords"]), "--requests", "200")
    assert judged.with_status("fail") | judged.with_status("unchecked") == set(), judged.output
    assert judged.status_of("undeclared-request") == "pass"
    assert judged.status_of("passkey-assertion") == "notApplicable"
    assert judged.status == 0


def test_ten_thousand_requests_are_what_it_takes_by_default(kit, tmp_path):
    judged = kit.judge(bundle(tmp_path, "memory"), "--rule", "memory", "--requests", "50")
    assert "after 50 requests" in judged.verdicts["memory"]["detail"]
    judged = kit.judge(bundle(tmp_path, name="Honest.appex"), "--rule", "memory", "--rule", "descriptors")
    assert judged.with_status("pass") == {"memory", "descriptors"}, judged.output


def test_every_rule_has_a_provider_that_breaks_it(kit, tmp_path):
    """One test for all, so that a rule that is new is one without a fault until somebody planted one."""

    def judge(rule: str) -> Judged:
        folder = tmp_path / rule
        folder.mkdir()
        # A leak shows itself after a few dozen requests, if each one leaks.
        return kit.judge(faulty(folder, rule), "--rule", rule, "--requests", "50")

    rules = kit.rules()
    assert len(rules) > 70
    # Most of them wait for something that does not come.
    with ThreadPoolExecutor(4) as pool:
        judged = dict(zip(rules, pool.map(judge, rules), strict=True))
    assert {rule for rule in rules if judged[rule].status_of(rule) != "fail"} == set()
    assert {rule for rule in rules if judged[rule].status != 9} == set()


def test_only_who_is_locked_keeps_the_rule_about_it(kit, tmp_path):
    judged = kit.judge(bundle(tmp_path, "password-with-interface"), "--rule", "locked")
    assert judged.status_of("locked") == "pass"
    judged = kit.judge(bundle(tmp_path, name="Open.appex"), "--rule", "locked")
    assert judged.status_of("locked") == "notApplicable"
    assert "not locked" in judged.verdicts["locked"]["detail"]


def test_a_bundle_that_declares_nothing_provides_passwords(kit, tmp_path):
    path = bundle(tmp_path, declares=["ProvidesPasswords"])
    write_information(path, NSExtension={"NSExtensionPointIdentifier": POINT})
    judged = kit.judge(path, "--rule", "bundle-capabilities", "--rule", "bundle-accepted", "--rule", "password-fill")
    assert judged.with_status("pass") == {"bundle-capabilities", "bundle-accepted", "password-fill"}, judged.output


def test_what_cannot_be_checked_is_no_success(kit, tmp_path):
    """A provider that asks for a word, and nobody who knows it."""
    judged = kit.judge(bundle(tmp_path, "interface-cancel"), "--rule", "two-at-a-time", "--rule", "greets")
    assert judged.status_of("greets") == "pass"
    path = bundle(tmp_path, name="Reports.appex", declares=["SupportsCredentialUpdate"])
    judged = kit.judge(path, "--rule", "memory")
    assert judged.status_of("memory") == "unchecked"
    assert judged.status == 1


def test_a_bundle_that_is_not_taken_is_not_started(kit, tmp_path):
    path = bundle(tmp_path)
    (path / "extension").write_text(f"#!/bin/sh\ntouch {tmp_path}/started\n")
    (path / "Info.plist").write_text("no property list")
    judged = kit.judge(path)
    assert judged.status_of("bundle-accepted") == "fail"
    assert judged.status_of("greets") == "unchecked"
    assert judged.status == 9
    assert not (tmp_path / "started").exists()


def test_a_program_that_cannot_be_executed_is_told_and_nothing_hangs(kit, tmp_path):
    path = bundle(tmp_path)
    (path / "extension").write_bytes(b"\x7fELF no program")
    judged = kit.judge(path, "--rule", "greets", "--rule", "password-fill")
    assert judged.status_of("greets") == "fail"
    assert judged.status == 9


def test_the_report_for_people_says_what_to_do(kit, tmp_path):
    said = kit.run("provider", "test", str(bundle(tmp_path, "missing-record")), "--rule", "missing-record")
    assert said.returncode == 9
    lines = [line.strip() for line in said.stdout.splitlines()]
    assert lines[0].startswith("FAIL  missing-record: ")
    assert [line.split(":")[0] for line in lines[1:4]] == ["seen", "why", "do"]
    assert lines[-1] == "0 kept, 1 broken."


def test_nothing_is_left_in_the_folder_of_temporary_files(kit, tmp_path):
    kit.judge(bundle(tmp_path), "--rule", "password-fill", "--rule", "files")
    assert [path.name for path in tmp_path.iterdir()] == ["Kit.appex"]


def test_an_interrupted_test_leaves_nothing_behind(kit, tmp_path):
    path = bundle(tmp_path, "quiet-in-time")
    environment = {**os.environ, "TMPDIR": str(tmp_path)}
    with subprocess.Popen(
        [kit.keyway, "provider", "test", path], env=environment, stdout=subprocess.DEVNULL
    ) as process:
        try:
            eventually(lambda: list(tmp_path.glob("keyway-kit-*/home/.cache")) and children(process.pid), within=60)
            process.send_signal(signal.SIGTERM)
            assert process.wait(timeout=60) == -signal.SIGTERM
        finally:
            process.kill()
    assert [path.name for path in tmp_path.iterdir()] == ["Kit.appex"]


def test_command_lines_that_mean_nothing_are_refused(kit, tmp_path):
    assert kit.run("provider", "test").returncode == 2
    assert kit.run("provider", "test", "/no/such/Bundle.appex").returncode == 3
    assert kit.run("provider", "test", str(bundle(tmp_path)), "--rule", "no-such-rule").returncode == 2
    assert kit.run("provider", "new", "lower-case").returncode == 2
    assert kit.run("provider", "new", "AuthenticationServices").returncode == 2


def test_a_package_is_no_bundle_and_where_the_bundle_will_be_is_said(kit, tmp_path):
    assert kit.run("provider", "new", "Demo").returncode == 0
    tested = kit.run("provider", "test", "Demo")
    assert tested.returncode == 2
    assert "make -C Demo bundle" in tested.stderr and "Demo/build/Demo.appex" in tested.stderr
    assert tested.stdout == ""


# The template


def test_an_existing_folder_is_never_touched(kit, tmp_path):
    (tmp_path / "Notebook").mkdir()
    (tmp_path / "Notebook/mine.txt").write_text("mine")
    made = kit.run("provider", "new", "Notebook")
    assert made.returncode == 12
    assert [path.name for path in (tmp_path / "Notebook").iterdir()] == ["mine.txt"]


def test_a_new_package_is_complete_and_names_itself(kit, tmp_path):
    made = kit.run("provider", "new", "Notebook", "--directory", "deep/er")
    assert made.returncode == 0, made.stderr
    package = tmp_path / "deep/er/Notebook"
    files = {str(path.relative_to(package)): path.read_text() for path in package.rglob("*") if path.is_file()}
    assert {"Package.swift", "Makefile", "README.md", "Info.plist", ".gitignore"} < files.keys()
    assert "Sources/Notebook/NotebookProvider.swift" in files
    assert not [name for name, text in files.items() if "__" in name + text]
    assert os.access(package, os.W_OK) and stat.S_IMODE((package / "Makefile").stat().st_mode) & 0o200
