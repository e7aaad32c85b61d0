"""`Tools/test` as a program, in a small repository whose runners are fakes that misbehave."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from suite import stages

ROOT = Path(__file__).resolve().parents[2]
REPORT = '<testsuites><testsuite><testcase classname="a" name="b"/>{}</testsuite></testsuites>'
GOOD = """#!/bin/sh
for argument; do case $argument in *.xml) report=${argument%%.xml}-swift-testing.xml ;; esac; done
[ "$1" = build ] && exit 0
cat > "$report" <<'END'
%s
END
exit %d
"""


@pytest.fixture
def tree(tmp_path):
    """A repository with the real runner and a fake `swift` in front of PATH."""
    shutil.copytree(ROOT / "Tools" / "suite", tmp_path / "Tools" / "suite")
    shutil.copy(ROOT / "Tools" / "test", tmp_path / "Tools" / "test")
    (tmp_path / "Tests" / "VaultTests").mkdir(parents=True)
    (tmp_path / "Tests" / "VaultTests" / "a.swift").touch()
    (tmp_path / "bin").mkdir()
    return tmp_path


def fake_swift(tree: Path, script: str) -> None:
    (tree / "bin" / "swift").write_text(script)
    (tree / "bin" / "swift").chmod(0o755)


def run(tree: Path, *arguments: str, **environment: str) -> tuple[int, str]:
    variables = {key: value for key, value in os.environ.items() if key != "CI"}
    variables["PATH"] = f"{tree / 'bin'}:{variables['PATH']}"
    finished = subprocess.run(
        [tree / "Tools" / "test", *arguments],
        env={**variables, **environment},
        capture_output=True,
        text=True,
        timeout=60,
    )
    return finished.returncode, finished.stdout


def last_line(output: str) -> str:
    return output.rstrip().splitlines()[-1]


def test_clean_run_ends_with_the_counts(tree):
    fake_swift(tree, GOOD % (REPORT.format(""), 0))
    status, output = run(tree, "swift")
    assert (status, last_line(output)) == (0, "2 passed, 0 failed, 0 skipped")


def test_failed_test_is_named_and_fails_the_run(tree):
    failure = '<testcase classname="a" name="c"><failure message="&#10;no,&#10;it is 2"/></testcase>'
    fake_swift(tree, GOOD % (REPORT.format(failure), 1))
    status, output = run(tree, "swift")
    assert (status, last_line(output)) == (1, "2 passed, 1 failed, 0 skipped")
    assert "FAILED: a.c: no, it is 2\n" in output
    # Once more among the last lines: of a long run, often nothing else is kept.
    assert "\nfailed: 1\n    a.c: no, it is 2\n" in output.partition("\nrunner ")[2]


@pytest.mark.parametrize(
    "script",
    [
        pytest.param("#!/bin/sh\nexit 0\n", id="no report"),
        pytest.param(GOOD % ("<testsuites/>", 0), id="no test"),
        pytest.param(GOOD % (REPORT.format(""), 1), id="bad end with a clean report"),
        pytest.param("#!/bin/sh\n[ $1 = build ] || kill -SEGV $$\n", id="crash"),
        pytest.param("#!/bin/sh\n[ $1 = test ]\n", id="does not build"),
    ],
)
def test_hidden_failure_fails_the_run(tree, script):
    fake_swift(tree, script)
    status, output = run(tree, "swift")
    assert status == 1
    assert ", 0 failed," not in last_line(output)


def test_every_target_runs_by_itself(tree):
    fake_swift(tree, GOOD % (REPORT.format(""), 0))
    (tree / "Tests" / "OtherTests").mkdir()
    (tree / "Tests" / "OtherTests" / "a.swift").touch()
    for name in ("Examples/ExampleTests.swift", "Providers/Faulty.swift"):
        (tree / "Tests" / name).parent.mkdir()
        (tree / "Tests" / name).touch()
    status, output = run(tree, "swift")
    assert (status, last_line(output)) == (0, "4 passed, 0 failed, 0 skipped")
    assert "ok     OtherTests: 1 passed" in output
    assert "ok     Examples: 1 passed" in output


def test_report_of_an_earlier_run_is_not_read(tree):
    fake_swift(tree, GOOD % (REPORT.format(""), 0))
    run(tree, "swift")
    fake_swift(tree, "#!/bin/sh\nexit 0\n")
    assert run(tree, "swift")[0] == 1


SKIPPED = GOOD % (REPORT.format('<testcase classname="a" name="c"><skipped>no display</skipped></testcase>'), 0)


def test_listed_skip_is_printed_with_its_reason(tree):
    fake_swift(tree, SKIPPED)
    (tree / "Tests" / "skips.txt").write_text("a.c  # where there is no display\n")
    status, output = run(tree, "swift")
    assert (status, last_line(output)) == (0, "2 passed, 0 failed, 1 skipped")
    assert "skipped: a.c: no display" in output


def test_skip_that_is_not_listed_fails_the_run(tree):
    fake_swift(tree, SKIPPED)
    status, output = run(tree, "swift")
    assert (status, last_line(output)) == (1, "2 passed, 1 failed, 0 skipped")


def test_skip_in_ci_fails_the_run_although_listed(tree):
    fake_swift(tree, SKIPPED)
    (tree / "Tests" / "skips.txt").write_text("a.c  # where there is no display\n")
    status, output = run(tree, "swift", CI="true")
    assert (status, last_line(output)) == (1, "2 passed, 1 failed, 0 skipped")


def test_stage_without_tests_is_no_success(tree):
    status, output = run(tree, "node")
    assert (status, last_line(output)) == (1, "0 passed, 0 failed, 0 skipped")


def browser_test(tree: Path, source: str) -> None:
    (tree / "Browser" / "tests").mkdir(parents=True)
    (tree / "Browser" / "tests" / "a.test.mjs").write_text(f'import test from "node:test";\n{source}\n')


def test_browser_tests_are_found_and_counted(tree):
    browser_test(tree, 'test("a", () => {}); test("b", () => { throw new Error("no"); });')
    status, output = run(tree, "node")
    assert (status, last_line(output)) == (1, "1 passed, 1 failed, 0 skipped")


def test_filter_picks_by_name(tree):
    browser_test(tree, 'test("a", () => {}); test("b", () => { throw new Error("no"); });')
    status, output = run(tree, "node", "^a$")
    assert (status, last_line(output).split(", ")[1]) == (0, "0 failed")


def pytest_folder(tree: Path, folder: str, source: str) -> None:
    (tree / "Tests" / folder).mkdir()
    (tree / "Tests" / folder / "test_a.py").write_text(source)
    if not (tree / ".venv").exists():
        (tree / ".venv").symlink_to(ROOT / ".venv")
    shutil.copy(ROOT / "pyproject.toml", tree / "pyproject.toml")


def test_python_tests_are_counted(tree):
    pytest_folder(tree, "Tools", "def test_a(): pass\ndef test_b(): assert False\n")
    status, output = run(tree, "python")
    assert (status, last_line(output)) == (1, "1 passed, 1 failed, 0 skipped")


def test_python_test_that_dies_with_its_runner_is_a_failure(tree):
    pytest_folder(tree, "Tools", "import os\ndef test_a(): pass\ndef test_b(): os._exit(0)\n")
    assert run(tree, "python")[0] == 1


def test_process_tests_get_a_staged_tree(tree):
    fake_swift(tree, "#!/bin/sh\n")
    (tree / "Tools" / "stage").write_text('#!/bin/sh\nmkdir -p "$1"\n')
    (tree / "Tools" / "stage").chmod(0o755)
    pytest_folder(
        tree,
        "Processes",
        "import os, pathlib\ndef test_a(): assert pathlib.Path(os.environ['KEYWAY_STAGE']).is_dir()\n",
    )
    status, output = run(tree, "python")
    assert (status, last_line(output)) == (0, "2 passed, 0 failed, 0 skipped")


def script(path: Path, text: str) -> None:
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(0o755)


def test_the_assembled_system_is_made_of_the_programs_that_ship(tree):
    fake_swift(tree, "#!/bin/sh\n")
    script(tree / "Tools" / "release", "touch released")
    script(tree / "Tools" / "stage", 'mkdir -p "$1"; case "$*" in *release*) mv released "$1/";; esac')
    pytest_folder(
        tree,
        "Assembled",
        "import os, pathlib\ndef test_a(): assert (pathlib.Path(os.environ['KEYWAY_STAGE']) / 'released').exists()\n",
    )
    status, output = run(tree, "python")
    assert (status, last_line(output)) == (0, "3 passed, 0 failed, 0 skipped")


def test_programs_that_ship_are_not_built_for_a_filter_that_picks_none_of_their_tests(tree):
    fake_swift(tree, "#!/bin/sh\n")
    script(tree / "Tools" / "release", "exit 1")
    script(tree / "Tools" / "stage", 'mkdir -p "$1"')
    pytest_folder(tree, "Assembled", "def test_a(): pass\n")
    (tree / "Tests" / "Tools").mkdir()
    (tree / "Tests" / "Tools" / "test_b.py").write_text("def test_other(): pass\n")
    status, output = run(tree, "python", "test_other")
    assert (status, last_line(output)) == (0, "2 passed, 0 failed, 0 skipped")


def test_tree_that_cannot_be_staged_fails_the_run(tree):
    fake_swift(tree, "#!/bin/sh\n")
    pytest_folder(tree, "Processes", "def test_a(): pass\n")
    assert run(tree, "python")[0] == 1


def test_fuzz_target_that_finds_something_fails_the_run_and_hides_no_other(tree):
    for name in ("FrameFuzz", "VaultFuzz"):
        (tree / "Fuzz" / name).mkdir(parents=True)
        (tree / "Fuzz" / name / "modules").touch()
    (tree / "Fuzz" / "run").write_text('#!/bin/sh\n[ "$1" != FrameFuzz ]\n')
    (tree / "Fuzz" / "run").chmod(0o755)
    status, output = run(tree, "fuzz")
    assert (status, last_line(output)) == (1, "2 passed, 1 failed, 0 skipped")
    assert "FAILED: FrameFuzz" in output


def test_python_tests_of_a_file_stay_with_one_worker_and_files_run_side_by_side(tree):
    wait = """
import os, pathlib, time
def test_{0}():
    pathlib.Path("{0}").write_text(str(os.getpid()))
    while not pathlib.Path("{1}").exists(): time.sleep(0.01)
def test_{0}_goes_on(): assert pathlib.Path("{0}").read_text() == str(os.getpid())
"""
    pytest_folder(tree, "Tools", wait.format("a", "b"))
    (tree / "Tests" / "Tools" / "test_b.py").write_text(wait.format("b", "a"))
    status, output = run(tree, "python")
    assert (status, last_line(output)) == (0, "4 passed, 0 failed, 0 skipped")


def test_a_whole_run_does_all_that_needs_nobody_while_the_assembled_system_waits(tree, monkeypatch):
    monkeypatch.chdir(tree)
    pytest_folder(
        tree,
        "Assembled",
        "import pathlib, time\ndef test_a():\n    while not pathlib.Path('compiled').exists(): time.sleep(0.01)\n",
    )
    (tree / "Tests/Tools").mkdir()
    (tree / "Tests/Tools/test_b.py").write_text("def test_b(): pass\n")
    script(tree / "bin/node", "printf 'TAP version 13\\nok 1 - c\\n# tests 1\\n# pass 1\\n# fail 0\\n'")
    (tree / "Browser").mkdir()
    (tree / "Browser/a.test.mjs").touch()
    for tool in ("stage", "release"):
        script(tree / "Tools" / tool, "")
    fake_swift(tree, "#!/bin/sh\n")
    monkeypatch.setenv("PATH", f"{tree / 'bin'}:{os.environ['PATH']}")
    (tree / "Fuzz" / "FrameFuzz").mkdir(parents=True)
    (tree / "Fuzz" / "FrameFuzz" / "modules").touch()
    (tree / "Fuzz" / "run").write_text('#!/bin/sh\necho "$1" >>calls\ntouch compiled\n')
    (tree / "Fuzz" / "run").chmod(0o755)
    this = stages.Run(tree, is_whole=True)
    assert list(stages.node_stage(this)) == []
    outcomes = [*stages.python_stage(this), *stages.fuzz_stage(this)]
    assert [one.failures for one in outcomes] == [[]] * 7
    names = {"node --test", "pytest Tools", "fuzz build", "pytest Assembled"}
    assert names <= {one.name for one in outcomes if one.passed == 1}
    assert (tree / "calls").read_text() == "--build\nFrameFuzz\n"


NO_DEBIAN = """#!/bin/sh
echo 'I: something before' >&2
echo 'packages: only root can play a machine' >&2
exit 77
"""


@pytest.fixture
def packaging(tree):
    """A tree whose programs and packages are made without a word, and that has a test of the packages."""
    for name in ("release", "deb"):
        script(tree / "Tools" / name, "")
    (tree / "Tests/Packages").mkdir(parents=True)
    (tree / "Tests/Packages/test_a.py").touch()


@pytest.mark.parametrize("ci", [False, True])
def test_where_no_clean_debian_can_be_made_that_is_a_skip_and_in_ci_a_failure(tree, packaging, ci):
    (tree / "Tools/packages").write_text(NO_DEBIAN)
    (tree / "Tools/packages").chmod(0o755)
    (tree / "Tests/skips.txt").write_text("clean Debian  # needs root\n")
    status, output = run(tree, "packages", **({"CI": "true"} if ci else {}))
    assert last_line(output) == f"0 passed, {int(ci)} failed, {int(not ci)} skipped"
    assert "clean Debian: " in output
    assert "only root can play a machine" in output
    # Alone, it has shown nothing.
    assert status == 1


def test_a_clean_debian_that_fails_is_no_skip(tree, packaging):
    (tree / "Tools/packages").write_text(NO_DEBIAN.replace("77", "1"))
    (tree / "Tools/packages").chmod(0o755)
    status, output = run(tree, "packages")
    assert (status, last_line(output)) == (1, "0 passed, 1 failed, 0 skipped")


# The tests of a clean Debian went well.
LIVED_WITH = f"""echo "$@" >lived-with; echo '{REPORT.format("")}' >"$KEYWAY_REPORT\""""
JUDGE = "[ \"$*\" = --judge ] && echo 'E: keyway: a-tag-of-lintians' && exit {}\nexit 0"


@pytest.mark.parametrize("status", [0, 2])
def test_what_lintian_finds_in_the_packages_that_are_tried_is_a_failure_of_its_own(tree, packaging, status):
    script(tree / "Tools/packages", LIVED_WITH)
    script(tree / "Tools/deb", JUDGE.format(status))
    ended, output = run(tree, "packages")
    assert (ended, last_line(output)) == (
        int(status != 0),
        f"{1 + (not status)} passed, {int(status != 0)} failed, 0 skipped",
    )
    assert ("lintian: status 2" in output and "a-tag-of-lintians" in output) == bool(status)
    assert (tree / "lived-with").read_text() == "--packages .build/deb Tests/Packages\n"


@pytest.mark.parametrize("name", ["release", "deb"])
def test_nothing_is_tried_where_no_packages_can_be_made(tree, packaging, name):
    script(tree / "Tools/packages", LIVED_WITH)
    script(tree / "Tools" / name, "exit 1")
    status, output = run(tree, "packages")
    assert (status, last_line(output)) == (1, "0 passed, 1 failed, 0 skipped")
    assert not (tree / "lived-with").exists()


def test_the_assembled_system_is_that_of_the_packages_where_these_are_made(tree, packaging, monkeypatch):
    monkeypatch.chdir(tree)
    for name in ("Assembled", "Tools"):
        pytest_folder(tree, name, "def test_a(): pass\n")
    fake_swift(tree, "#!/bin/sh\n")
    monkeypatch.setenv("PATH", f"{tree / 'bin'}:{os.environ['PATH']}")
    script(tree / "Tools/stage", 'mkdir -p "$1"')
    script(tree / "Tools/release", 'echo "$@" >built')
    # The two machines wait for each other.
    meet = "for each; do case $each in Tests/*) touch met${each#Tests/} ;; esac; done\n"
    meet += "while [ ! -e metAssembled ] || [ ! -e metPackages ]; do sleep 0.01; done\n"
    script(tree / "Tools/packages", meet + LIVED_WITH)
    this = stages.Run(tree, is_whole=True, with_packages=True)
    assert "pytest Assembled" not in {one.name for one in stages.python_stage(this)}
    outcomes = list(stages.packages_stage(this))
    assert [one.failures for one in outcomes] == [[]] * 4
    assert {one.name for one in outcomes} == {"pytest Tools", "pytest Assembled", "pytest Packages", "lintian"}
    assert (tree / "built").read_text() == "sample-manager sample-manager-extension sample-app\n"


def test_where_no_packages_can_be_made_all_else_of_a_whole_run_is_tried(tree, packaging, monkeypatch):
    monkeypatch.chdir(tree)
    for name in ("Assembled", "Tools"):
        pytest_folder(tree, name, "def test_a(): pass\n")
    script(tree / "Tools/packages", LIVED_WITH)
    script(tree / "Tools/deb", "exit 1")
    outcomes = list(stages.packages_stage(stages.Run(tree, is_whole=True, with_packages=True)))
    assert {one.name: one.passed for one in outcomes} == {"Debian packages": 0, "pytest Tools": 1}
    assert not (tree / "lived-with").exists()
