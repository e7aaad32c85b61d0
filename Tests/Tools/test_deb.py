"""`Tools/deb` in a small repository: what is not committed is in no package, and two builds are compared."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def tree(tmp_path):
    (tmp_path / "Tools").mkdir()
    shutil.copy(ROOT / "Tools/deb", tmp_path / "Tools/deb")
    for command in (["init", "--quiet"], ["add", "."], ["commit", "--quiet", "--message", "all"]):
        identity = ["-c", "user.name=ada", "-c", "user.email=ada@example.org"]
        subprocess.run(["git", *identity, *command], cwd=tmp_path, check=True)
    return tmp_path


def build(tree: Path, *options: str, **variables: str) -> subprocess.CompletedProcess:
    return subprocess.run(
        [tree / "Tools/deb", *options],
        env={**os.environ, **variables},
        capture_output=True,
        text=True,
        timeout=60,
    )


@pytest.mark.parametrize("file", ["Tools/deb", "new"])
def test_what_is_not_committed_is_named_and_nothing_is_built(tree, file):
    with (tree / file).open("a") as changed:
        changed.write("\n")
    finished = build(tree)
    assert finished.returncode == 1
    assert file in finished.stderr
    assert "Commit it" in finished.stderr
    assert not (tree / ".build").exists()


# Each build is a folder's name in `builds`, and makes what lies in the folder `made` of that number.
BUILDS = """#!/bin/sh
set -eu
[ "$(basename "$PWD")" = keyway-1.0 ] && [ -e Tools/deb ]
touch "$BUILDS/$(($(ls "$BUILDS" | wc -l) + 1))"
cp "$MADE/$(ls "$BUILDS" | wc -l)"/* ..
"""
OTHERS = {"dpkg-parsechangelog": "#!/bin/sh\necho 1.0\n", "diffoscope": '#!/bin/sh\necho "compared $*"\nexit 1\n'}


@pytest.fixture
def twice(tree, tmp_path_factory):
    """Builds twice, where the two builds make files of these names and texts."""
    place = tmp_path_factory.mktemp("played")
    for folder in ("bin", "builds"):
        (place / folder).mkdir()
    for name, text in {"dpkg-buildpackage": BUILDS, **OTHERS}.items():
        (place / "bin" / name).write_text(text)
        (place / "bin" / name).chmod(0o755)

    def run(*made: dict[str, str]) -> subprocess.CompletedProcess:
        for number, files in enumerate(made, 1):
            (place / f"made/{number}").mkdir(parents=True)
            for name, text in files.items():
                (place / f"made/{number}" / name).write_text(text)
        variables = {"BUILDS": str(place / "builds"), "MADE": str(place / "made")}
        path = f"{place / 'bin'}:{os.environ['PATH']}"
        finished = build(tree, "--twice", "--without-lintian", PATH=path, **variables)
        assert len(list((place / "builds").iterdir())) == 2, finished.stderr
        return finished

    return run


def test_two_builds_that_are_equal_are_said_to_be(tree, twice):
    finished = twice({"a.deb": "one", "b.deb": "two"}, {"a.deb": "one", "b.deb": "two"})
    assert finished.returncode == 0, finished.stderr
    assert "two builds are equal byte by byte" in finished.stdout
    assert {path.name for path in (tree / ".build/deb").iterdir()} == {"a.deb", "b.deb"}


@pytest.mark.parametrize(
    ("second", "said"),
    [
        ({"a.deb": "one", "b.deb": "tvo"}, "compared {first}/b.deb {deb}/b.deb"),
        ({"a.deb": "one"}, "< b.deb"),
        ({"a.deb": "one", "b.deb": "two", "c.deb": ""}, "> c.deb"),
    ],
)
def test_two_builds_that_differ_are_told_apart_and_both_kept(tree, twice, second, said):
    finished = twice({"a.deb": "one", "b.deb": "two"}, second)
    assert finished.returncode == 1
    place = tree / ".build/deb"
    assert said.format(deb=place, first=place / "first") in finished.stdout
    assert f"the first one is in {place / 'first'}" in finished.stderr
    assert "compared" not in finished.stdout.replace(said.format(deb=place, first=place / "first"), "")
    assert {path.name: path.read_text() for path in (place / "first").iterdir()} == {"a.deb": "one", "b.deb": "two"}
    assert {path.name: path.read_text() for path in place.glob("*.deb")} == second


def test_the_packages_of_a_comparison_before_are_gone(tree, twice):
    (tree / ".build/deb/first").mkdir(parents=True)
    (tree / ".build/deb/first/old.deb").write_text("old")
    (tree / ".git/info/exclude").write_text("/.build/\n")
    finished = twice({"a.deb": "one"}, {"a.deb": "one"})
    assert finished.returncode == 0, finished.stderr
