"""`Tools/mutants` as a program, in a small repository with guards of its own."""

import json
import os
import shutil
import signal
import subprocess
import time
from pathlib import Path

import interruption
import pytest
from running import ends

interruption.allow()

ROOT = Path(__file__).resolve().parents[2]
GUARD = "export const isAllowed = (age) => age >= 18;\n"
NODE_TEST = """import assert from 'node:assert/strict';
import test from 'node:test';
import { isAllowed } from '../src/guard.js';
for (const age of [3, 17]) {
    test(`${age} is not allowed`, () => assert.equal(isAllowed(age), false));
}
test('18 is allowed', () => assert.ok(isAllowed(18)));
"""
MUTANT = {
    "name": "no-guard",
    "attack": ["T1"],
    "file": "Browser/src/guard.js",
    "original": "age >= 18",
    "replacement": "age >= 0",
    "test": "node Browser/tests/guard.test.mjs::17 is not allowed",
    "why": "everybody is allowed",
}


@pytest.fixture
def tree(tmp_path):
    """A repository with the real command, a guard in JavaScript and its test."""
    for folder in ("suite", "mutation"):
        shutil.copytree(ROOT / "Tools" / folder, tmp_path / "Tools" / folder)
    shutil.copy(ROOT / "Tools" / "mutants", tmp_path / "Tools" / "mutants")
    shutil.copy(ROOT / "pyproject.toml", tmp_path / "pyproject.toml")
    shutil.copy(ROOT / ".gitignore", tmp_path / ".gitignore")
    (tmp_path / ".venv").symlink_to(ROOT / ".venv")
    write(tmp_path, "Browser/package.json", '{"type": "module"}\n')
    write(tmp_path, "Browser/src/guard.js", GUARD)
    write(tmp_path, "Browser/tests/guard.test.mjs", NODE_TEST)
    write(tmp_path, "Docs/empty", "")
    attacks(tmp_path)
    mutants(tmp_path, MUTANT)
    subprocess.run(["git", "init", "-q", tmp_path], check=True)
    return tmp_path


def write(tree: Path, name: str, text: str) -> None:
    (tree / name).parent.mkdir(parents=True, exist_ok=True)
    (tree / name).write_text(text)


def attacks(tree: Path, more: str = "") -> None:
    write(tree, "Tests/Mutants/attacks.toml", f'[[attack]]\nid = "T1"\nwhat = "somebody young"\n{more}')


def mutants(tree: Path, *tables: dict) -> None:
    text = "\n".join("[[mutant]]\n" + lines(table) for table in tables)
    write(tree, "Tests/Mutants/guards.toml", text)


def lines(table: dict) -> str:
    also = "".join(f"[[mutant.also]]\n{lines(edit)}" for edit in table.get("also", []))
    return "".join(f"{key} = {json.dumps(value)}\n" for key, value in table.items() if key != "also") + also


def run(tree: Path, *arguments: str, **environment: str) -> subprocess.CompletedProcess:
    variables = {key: value for key, value in os.environ.items() if not key.startswith(("KEYWAY_", "PYTEST_"))}
    variables["PATH"] = f"{tree / 'bin'}:{variables['PATH']}"
    command = [tree / "Tools" / "mutants", *arguments]
    return subprocess.run(command, env={**variables, **environment}, capture_output=True, text=True, timeout=120)


def endings(tree: Path, *arguments: str) -> dict[str, str]:
    return {result["mutant"]: result["ending"] for result in json.loads(run(tree, "--json", *arguments).stdout)}


def test_mutant_that_its_test_notices_is_a_success(tree):
    finished = run(tree)
    assert finished.returncode == 0, finished.stderr
    assert finished.stdout.rstrip().splitlines()[-1].startswith("1 of 1 noticed")


def test_mutant_that_nobody_notices_fails_the_run(tree):
    mutants(tree, MUTANT, {**MUTANT, "name": "no-difference", "replacement": "age > 17"})
    assert run(tree).returncode == 1
    assert endings(tree) == {"no-guard": "red", "no-difference": "survived"}


def test_mutant_that_is_no_program_is_no_success(tree):
    mutants(tree, {**MUTANT, "replacement": "age >=> 0"})
    assert run(tree).returncode == 1
    assert endings(tree) == {"no-guard": "error"}


def test_test_that_fails_by_itself_shows_nothing(tree):
    write(tree, "Browser/src/guard.js", GUARD.replace("18", "16"))
    mutants(tree, {**MUTANT, "original": "age >= 16"})
    finished = run(tree)
    assert finished.returncode == 1
    assert "fails without the mutation" in finished.stdout


def test_test_that_fails_by_itself_says_nothing_of_the_others(tree):
    write(tree, "Browser/tests/guard.test.mjs", NODE_TEST + "test('80 is allowed', () => assert.ok(false));\n")
    old = {**MUTANT, "name": "old", "test": "node Browser/tests/guard.test.mjs::80 is allowed"}
    mutants(tree, MUTANT, old)
    assert endings(tree) == {"no-guard": "red", "old": "error"}


def test_working_tree_stays_as_it_is(tree):
    before = {path: path.read_bytes() for path in tree.rglob("*") if path.is_file() and ".build" not in path.parts}
    run(tree)
    after = {path: path.read_bytes() for path in tree.rglob("*") if path.is_file() and ".build" not in path.parts}
    assert {path: after[path] for path in before} == before


def test_what_an_earlier_run_left_does_not_count(tree):
    run(tree)
    copy = tree / ".build/mutants/tree"
    write(copy, "Browser/src/guard.js", GUARD.replace("18", "0"))
    write(copy, "Browser/tests/old.test.mjs", "")
    assert endings(tree) == {"no-guard": "red"}
    assert not (copy / "Browser/tests/old.test.mjs").exists()


def test_guards_one_behind_the_other_are_switched_off_together(tree):
    second = "export const isAllowed = (age) => age >= 18 && age > 17;\n"
    write(tree, "Browser/src/guard.js", second)
    both = {**MUTANT, "name": "both", "also": [{**edit_of(MUTANT), "original": "age > 17", "replacement": "true"}]}
    mutants(tree, MUTANT, both)
    assert endings(tree) == {"no-guard": "survived", "both": "red"}


def edit_of(mutant: dict) -> dict:
    return {key: mutant[key] for key in ("file", "original", "replacement")}


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        ({"original": "age >= 21"}, "holds the original 0 times"),
        ({"original": "age"}, "holds the original 2 times"),
        ({"file": "Browser/src/gone.js"}, "No such file"),
        ({"replacement": MUTANT["original"]}, "the replacement is the original"),
        ({"test": "node Browser/tests/guard.test.mjs::nobody is allowed"}, "there is no test"),
        ({"test": "swift GuardTests.GuardTests/isClosed"}, "there is no test"),
        ({"test": "make test"}, "names no test"),
        ({"ends": "somehow"}, "ends is one of"),
        ({"whose": "ours"}, "missing or unknown: whose"),
        ({"attack": ["T99"]}, "lists no attack T99"),
    ],
)
@pytest.mark.parametrize("arguments", [["--check"], []], ids=["check", "run"])
def test_mutant_that_does_not_fit_is_said(tree, change, complaint, arguments):
    if arguments == [] and "attack" in change:
        arguments = ["--check"]
    mutants(tree, {**MUTANT, **change})
    finished = run(tree, *arguments)
    assert finished.returncode == 2
    assert complaint in finished.stdout + finished.stderr


def test_two_mutants_of_one_name_are_refused(tree):
    mutants(tree, MUTANT, MUTANT)
    assert run(tree, "--check").returncode == 2


def test_page_is_checked_against_what_it_is_written_from(tree):
    assert "Docs/attacks.md is not what" in run(tree, "--check").stdout
    run(tree, "--write")
    assert run(tree, "--check").returncode == 0
    assert "`no-guard`: everybody is allowed" in (tree / "Docs/attacks.md").read_text()
    mutants(tree, {**MUTANT, "why": "nobody is refused"})
    assert run(tree, "--check").returncode == 2


def test_attack_without_a_mutant_must_say_why(tree):
    attacks(tree, '[[attack]]\nid = "T2"\nwhat = "somebody old"\n')
    run(tree, "--write")
    assert "T2 has no mutant" in run(tree, "--check").stdout
    attacks(tree, '[[attack]]\nid = "T2"\nwhat = "somebody old"\nmissing = "nobody is old"\n')
    run(tree, "--write")
    assert run(tree, "--check").returncode == 0


def test_every_test_of_an_attack_file_needs_a_mutant_or_a_reason(tree):
    file = '[[file]]\npath = "Browser/tests/guard.test.mjs"\n'
    attacks(tree, file)
    run(tree, "--write")
    assert run(tree, "--check").stdout.splitlines() == [
        "Browser/tests/guard.test.mjs: no mutant shows that '18 is allowed' can fail"
    ]
    attacks(tree, file + '[file.without]\n"18 is allowed" = "says what is allowed"\n')
    assert run(tree, "--check").returncode == 0
    attacks(tree, file + '[file.without]\n"18 is allowed" = "so"\n"80 is allowed" = "so"\n')
    assert "holds no test '80 is allowed'" in run(tree, "--check").stdout


PYTHON = {
    **MUTANT,
    "file": "Tools/guard.py",
    "test": "pytest Tests/Processes/test_guard.py::test_young[17]",
    "builds": ["extension"],
}
PYTEST_TEST = """import guard, pytest
@pytest.fixture
def age(request):
    assert guard.limit() < 20, "the fixture"
    return request.param
@pytest.mark.parametrize("age", [3, 17], indirect=True)
def test_young(age): assert not guard.is_allowed(age)
"""


@pytest.fixture
def python(tree):
    write(tree, "Tools/guard.py", "def is_allowed(age): return age >= 18\ndef limit(): return 18\n")
    write(tree, "Tests/Processes/test_guard.py", PYTEST_TEST)
    return tree


def test_one_case_of_a_test_in_python(python):
    mutants(python, PYTHON)
    assert endings(python) == {"no-guard": "red"}


def test_failure_around_the_test_is_none_of_the_test(python):
    mutants(python, {**PYTHON, "original": "return 18", "replacement": "return 21"})
    assert endings(python) == {"no-guard": "error"}


STAGED = {"test": "pytest Tests/Processes/test_guard.py::test_open", "attack": ["T1"], "why": "it is open"}
STAGED_TEST = """import os, pathlib
def test_open():
    program = pathlib.Path(os.environ["KEYWAY_STAGE"], "guard").read_text()
    assert "mutated" not in program, program
"""
STAGING_SWIFT = """#!/bin/sh
mkdir -p .build
case "$*" in
build) cp Sources/door.swift .build/door; cp Sources/window.swift .build/window ;;
*) cp "Sources/$3.swift" ".build/$3" ;;
esac
"""


def test_program_of_the_mutant_before_is_built_again(tree):
    for name in ("door", "window"):
        write(tree, f"Sources/{name}.swift", f"{name} shut\n")
    write(tree, "Tests/Processes/test_guard.py", STAGED_TEST)
    write(tree, "Tools/stage", '#!/bin/sh\nmkdir -p "$1"; cat .build/door .build/window > "$1/guard"\n')
    write(tree, "bin/swift", STAGING_SWIFT)
    for program in ("Tools/stage", "bin/swift"):
        (tree / program).chmod(0o755)

    def mutant(name: str, replacement: str) -> dict:
        edit = {"file": f"Sources/{name}.swift", "original": f"{name} shut", "replacement": replacement}
        return {**STAGED, **edit, "name": name, "builds": [name]}

    mutants(tree, mutant("door", "mutated"), mutant("window", "window closed"))
    assert endings(tree) == {"door": "red", "window": "survived"}


SWIFT = {**MUTANT, "file": "Sources/guard.swift", "test": "swift GuardTests.GuardTests/isClosed"}
FAKE_SWIFT = """#!/bin/sh
[ "$KEYWAY_TESTS" = GuardTests ] || exit 9
case $1 in
build) ! grep -q broken Sources/guard.swift; exit ;;
esac
grep -q crashing Sources/guard.swift && kill -ILL $$
for argument; do case $argument in *.xml) report=${argument%.xml}-swift-testing.xml ;; esac; done
case $* in *'^GuardTests\\.(GuardTests/isClosed)\\('*) ;; *) exit 8 ;; esac
if grep -q garbled Sources/guard.swift; then
    echo '✘ Test "b" recorded an issue at a.swift:1:2: Expectation failed: a == b'
    echo "<testsuites>&#0;" > "$report"
    exit 1
fi
grep -q 'age >= 18' Sources/guard.swift || failure='<failure message="open"/>'
echo "<testsuites><testsuite><testcase classname='a' name='b'>$failure</testcase></testsuite></testsuites>" > "$report"
[ -z "$failure" ]
"""


@pytest.fixture
def swift(tree):
    write(tree, "Sources/guard.swift", "let isAllowed = age >= 18\n")
    suite = "@Suite(.timeLimit(.minutes(1))) struct GuardTests {\n    @Test(arguments: [1])\n    func isClosed() {\n"
    write(tree, "Tests/GuardTests/GuardTests.swift", suite)
    write(tree, "bin/swift", FAKE_SWIFT)
    (tree / "bin/swift").chmod(0o755)
    return tree


@pytest.mark.parametrize(
    ("change", "ending"),
    [
        ({}, "red"),
        ({"replacement": "broken"}, "error"),
        ({"replacement": "garbled"}, "red"),
        ({"replacement": "crashing"}, "error"),
        ({"replacement": "crashing", "ends": "crash"}, "red"),
        ({"ends": "crash"}, "error"),
        ({"replacement": "age >= 18 || false"}, "survived"),
    ],
)
def test_swift_must_build_and_fail_as_it_says(swift, change, ending):
    mutants(swift, {**SWIFT, **change})
    assert endings(swift) == {"no-guard": ending}


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_run_that_is_ended_leaves_nothing_running(tree, number):
    write(tree, "Sources/guard.swift", "let isAllowed = age >= 18\n")
    write(tree, "Tests/GuardTests/GuardTests.swift", "struct GuardTests {\n    @Test func isClosed() {}\n}\n")
    write(tree, "bin/swift", '#!/bin/sh\necho $$ > "$HELD"\nexec sleep 600\n')
    (tree / "bin/swift").chmod(0o755)
    mutants(tree, SWIFT)
    held = tree / "held"
    environment = {**os.environ, "PATH": f"{tree / 'bin'}:{os.environ['PATH']}", "HELD": str(held)}
    running = subprocess.Popen([tree / "Tools" / "mutants"], env=environment, stderr=subprocess.DEVNULL)
    deadline = time.monotonic() + 60
    while not (held.is_file() and held.read_text().strip()):
        assert time.monotonic() < deadline and running.poll() is None
        time.sleep(0.01)
    assert run(tree).returncode == 2, "a second run while the first goes on"
    running.send_signal(number)
    assert running.wait(timeout=60) == 130
    assert ends(int(held.read_text()))


def test_only_what_is_wanted_is_listed(tree):
    mutants(tree, MUTANT, {**MUTANT, "name": "other", "attack": ["T2"]})
    assert run(tree, "--list", "--only", "T2").stdout.split()[0] == "other"
    assert run(tree, "--only", "nobody").returncode == 2
