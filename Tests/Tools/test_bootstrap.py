"""`Tools/bootstrap`: asks before it installs, and installs nothing that is there."""

import os
import pty
import re
import shutil
import subprocess
import time
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
SCOPES = {"build", "run", "test", "bench", "package"}


@pytest.fixture
def place(tmp_path):
    """Lists of its own, and programs in front of PATH that only write down how they were called."""
    (tmp_path / "packages.txt").write_text(
        "# comment\nbash  build  # there\nno-such-a  run  # why\nno-such-b  bench  # why\n"
    )
    (tmp_path / "requirements.txt").write_text("# comment\nsome-thing==1.0  # why\n")
    programs = tmp_path / "bin"
    programs.mkdir()
    for name in ("apt-get", "sudo", "env"):
        (programs / name).write_text(f'#!/bin/sh\necho "{name} $*" >> {tmp_path}/calls\n')
        (programs / name).chmod(0o755)
    return tmp_path


def environment(place: Path, **more: str) -> dict[str, str]:
    kept = {key: value for key, value in os.environ.items() if key not in ("CI", "YES")}
    return {
        **kept,
        "PATH": f"{place / 'bin'}:{kept['PATH']}",
        "KEYWAY_PACKAGES": str(place / "packages.txt"),
        "KEYWAY_REQUIREMENTS": str(place / "requirements.txt"),
        "KEYWAY_VENV": str(place / "venv"),
        **more,
    }


def bootstrap(place: Path, *arguments: str, **more: str) -> subprocess.CompletedProcess:
    return subprocess.run(
        ["bash", str(ROOT / "Tools" / "bootstrap"), *arguments],
        env=environment(place, **more),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=60,
    )


def calls(place: Path) -> str:
    path = place / "calls"
    return path.read_text() if path.exists() else ""


def test_list_names_what_is_missing_and_installs_nothing(place):
    finished = bootstrap(place, "run", "--list")
    assert finished.returncode == 0
    assert "no-such-a" in finished.stderr
    assert "some-thing==1.0" in finished.stderr
    assert "bash" not in finished.stderr
    assert "no-such-b" not in finished.stderr
    assert calls(place) == ""


def test_each_scope_takes_the_smaller_ones_along(place):
    assert "no-such-a" not in bootstrap(place, "build", "--list").stderr
    assert "some-thing" not in bootstrap(place, "build", "--list").stderr
    everything = bootstrap(place, "bench", "--list").stderr
    assert "no-such-a" in everything
    assert "no-such-b" in everything


def test_without_terminal_and_consent_it_refuses_and_says_how(place):
    finished = bootstrap(place, "run")
    assert finished.returncode == 1
    assert "YES=1 Tools/bootstrap run" in finished.stderr
    assert calls(place) == ""


@pytest.mark.parametrize("consent", [{"YES": "1"}, {"CI": "true"}])
def test_consent_given_beforehand_installs_what_is_missing_and_no_more(place, consent):
    (place / "venv").mkdir()
    (place / "venv" / "requirements.txt").write_text((place / "requirements.txt").read_text())
    assert bootstrap(place, "run", **consent).returncode == 0
    assert "install -y -qq --no-install-recommends no-such-a\n" in calls(place)


def test_nothing_missing_is_silent_and_quick(place):
    started = time.monotonic()
    finished = bootstrap(place, "build")
    assert (finished.returncode, finished.stderr, calls(place)) == (0, "", "")
    assert time.monotonic() - started < 3  # 0.1 s where nothing else runs


def fake_swift(place: Path, script: str) -> None:
    (place / "bin" / "swift").write_text(f"#!/bin/sh\n{script}\n")
    (place / "bin" / "swift").chmod(0o755)


def test_without_swift_it_says_where_to_get_it(place):
    for name in ("bash", "sed", "dirname", "cat", "sh"):
        (place / "bin" / name).symlink_to(shutil.which(name))
    finished = bootstrap(place, "build", PATH=str(place / "bin"))
    assert finished.returncode == 1
    assert "Swift 6.2 or newer was not found" in finished.stderr
    assert "official Swift site" in finished.stderr


def test_swift_that_does_not_run_is_told_with_its_words(place):
    fake_swift(place, "echo 'cannot open shared object file' >&2; exit 127")
    finished = bootstrap(place, "build")
    assert finished.returncode == 1
    assert "does not run: cannot open shared object file" in finished.stderr


@pytest.mark.parametrize(("version", "status"), [("6.1.2", 1), ("5.10", 1), ("6.2", 0), ("7.0", 0)])
def test_swift_must_be_new_enough(place, version, status):
    fake_swift(place, f"echo 'Swift version {version} (swift-{version}-RELEASE)'")
    assert bootstrap(place, "build").returncode == status


@pytest.mark.parametrize(("answer", "status"), [("n\n", 1), ("\n", 1), ("y\n", 0)])
def test_on_a_terminal_it_shows_the_list_and_asks(place, answer, status):
    (place / "venv").mkdir()
    (place / "venv" / "requirements.txt").write_text((place / "requirements.txt").read_text())
    control, terminal = pty.openpty()
    process = subprocess.Popen(
        ["bash", str(ROOT / "Tools" / "bootstrap"), "run"],
        env=environment(place),
        stdin=terminal,
        stdout=terminal,
        stderr=terminal,
        start_new_session=True,
    )
    os.close(terminal)
    shown = read_until(control, "[y/N]")
    assert "no-such-a" in shown
    assert calls(place) == ""
    os.write(control, answer.encode())
    assert process.wait(timeout=60) == status
    os.close(control)
    assert ("no-such-a" in calls(place)) == (status == 0)


def read_until(control: int, text: str) -> str:
    shown = ""
    while text not in shown:
        shown += os.read(control, 4096).decode()
    return shown


def test_unknown_argument_is_refused(place):
    assert bootstrap(place, "everything").returncode == 1


def test_every_package_has_a_scope_and_a_reason():
    for line in (ROOT / "Tools" / "packages.txt").read_text().splitlines():
        if line and not line.startswith("#"):
            name, scope, reason = re.fullmatch(r"(\S+)\s+(\S+)\s+# (.+)", line).groups()
            assert scope in SCOPES, name
            assert reason


def test_no_package_is_wanted_twice():
    lines = (ROOT / "Tools" / "packages.txt").read_text().splitlines()
    names = [line.split()[0] for line in lines if line and not line.startswith("#")]
    assert sorted(names) == sorted(set(names))


def test_every_requirement_is_pinned_and_has_a_reason():
    for line in (ROOT / "Tools" / "requirements.txt").read_text().splitlines():
        if line and not line.startswith("#"):
            assert re.fullmatch(r"[\w.-]+==[\w.]+\s+# .+", line), line
