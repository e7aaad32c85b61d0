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
    "in": "isAllowed",
    "original": "age >= 18",
    "replacement": "age >= 0",
    "test": "node 17 is not allowed",
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
    old = {**MUTANT, "name": "old", "test": "node 80 is allowed"}
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
    assert endings(tree, "--again") == {"no-guard": "red"}
    assert not (copy / "Browser/tests/old.test.mjs").exists()


def test_guards_one_behind_the_other_are_switched_off_together(tree):
    second = "export const isAllowed = (age) => age >= 18 && age > 17;\n"
    write(tree, "Browser/src/guard.js", second)
    both = {**MUTANT, "name": "both", "also": [{"original": "age > 17", "replacement": "true"}]}
    mutants(tree, MUTANT, both)
    assert endings(tree) == {"no-guard": "survived", "both": "red"}


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        ({"original": "age >= 21"}, "holds the original 0 times"),
        ({"original": "age"}, "holds the original 2 times"),
        ({"original": " "}, "the original is empty"),
        ({"in": "isGone"}, "nothing is called isGone; it stands in isAllowed in Browser/src/guard.js"),
        ({"in": "package.json"}, "holds the original 0 times"),
        ({"also": [{"original": "age", "file": "guard.js"}]}, "also has an original and a replacement"),
        ({"replacement": MUTANT["original"]}, "the replacement is the original"),
        ({"test": "node nobody is allowed"}, "there is no test"),
        ({"test": "node other.test.mjs::17 is not allowed"}, "there is no test"),
        ({"test": "swift GuardTests/isClosed"}, "there is no test"),
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


@pytest.mark.parametrize("name", ["guard.test.mjs", "tests/guard.test.mjs"])
def test_every_test_of_an_attack_file_needs_a_mutant_or_a_reason(tree, name):
    file = f'[[file]]\nname = "{name}"\n'
    attacks(tree, file)
    run(tree, "--write")
    assert run(tree, "--check").stdout.splitlines() == [
        "Browser/tests/guard.test.mjs: no mutant shows that '18 is allowed' can fail"
    ]
    attacks(tree, file + '[file.without]\n"18 is allowed" = "says what is allowed"\n')
    assert run(tree, "--check").returncode == 0
    attacks(tree, file + '[file.without]\n"18 is allowed" = "so"\n"80 is allowed" = "so"\n')
    assert "holds no test '80 is allowed'" in run(tree, "--check").stdout


def test_an_attack_file_of_another_folder_is_another_one(tree):
    attacks(tree, '[[file]]\nname = "others/guard.test.mjs"\n')
    run(tree, "--write")
    assert "0 files of tests are called others/guard.test.mjs" in run(tree, "--check").stdout


PYTHON = {
    **MUTANT,
    "in": "is_allowed",
    "test": "pytest test_young[17]",
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
    mutants(python, {**PYTHON, "in": "limit", "original": "return 18", "replacement": "return 21"})
    assert endings(python) == {"no-guard": "error"}


STAGED = {"test": "pytest test_open", "attack": ["T1"], "why": "it is open"}
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
        edit = {"in": f"{name}.swift", "original": f"{name} shut", "replacement": replacement}
        return {**STAGED, **edit, "name": name, "builds": [name]}

    mutants(tree, mutant("door", "mutated"), mutant("window", "window closed"))
    assert endings(tree) == {"door": "red", "window": "survived"}


SWIFT = {**MUTANT, "in": "isAllowed", "test": "swift GuardTests/isClosed"}
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
    (tree / "Browser/src/guard.js").unlink()
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
    (tree / "Browser/src/guard.js").unlink()
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


# Finding places and tests, wherever they are moved.

DOOR = """// age >= 18
extension Door.Lock {
    var text: String { "age >= 18" }

    /// Who may come in.
    func opens(
        for age: Int
    ) -> Bool
    where Age == Int {
        let isOld =
            age >= 18

        return isOld
    }

    func opens(atNight age: Int) -> Bool { age >= 18 && isDay }
}

struct Window {
    func opens(for age: Int) -> Bool { age >= 18 }
}
"""


def door(place: str, original: str = "age >= 18", **more: str) -> dict:
    return {**SWIFT, "in": place, "original": original, **more}


@pytest.mark.parametrize(
    ("mutant", "complaint"),
    [
        (door("Window.opens"), ""),
        (door("Window"), ""),
        (door("Lock.text"), ""),
        (door("Door.Lock.text"), ""),
        (door("Lock.isOld"), "nothing is called Lock.isOld"),
        (door("Lock.opens"), "holds the original 2 times"),
        (door("Door.Lock.opens", "age >= 18 && isDay"), ""),
        (door("Lock.opens", "let isOld = age >= 18"), ""),
        (door("Lock.opens", "return isOld }"), ""),
        (door("Window.opens", "isDay"), "holds the original 0 times"),
        (door("opens", "isDay"), ""),
        (door("lock.swift", "// age >= 18"), ""),
        (door("lock.swift"), "holds the original 5 times"),
    ],
)
def test_place_is_found_by_its_names_in_whatever_file(swift, mutant, complaint):
    write(swift, "Sources/Doors/lock.swift", DOOR)
    mutants(swift, mutant)
    run(swift, "--write")
    finished = run(swift, "--check")
    assert complaint in finished.stdout
    assert (finished.returncode == 0) == (complaint == ""), finished.stdout


JAVASCRIPT = """const limits = { young: 3 };
export async function isAllowed(age) {
    if (age >= 18) {
        return true;
    }
    return false;
}

export class Door {
    #age = 18;

    #opens(age) {
        return age >= this.#age;
    }
    get isOpen() {
        return isAllowed(this.#age);
    }
}
const opens = (age) => {
    return age >= 18;
};
"""


@pytest.mark.parametrize(
    ("place", "original"),
    [
        ("isAllowed", "age >= 18"),
        ("Door.#opens", "this.#age"),
        ("Door.isOpen", "this.#age"),
        ("Door.#age", "18"),
        ("opens", "age >= 18"),
        ("limits", "3"),
    ],
)
def test_place_in_javascript(tree, place, original):
    write(tree, "Browser/src/guard.js", JAVASCRIPT)
    mutants(tree, {**MUTANT, "in": place, "original": original})
    run(tree, "--write")
    assert run(tree, "--check").stdout == ""


def test_text_that_was_moved_is_found_without_a_word(tree):
    (tree / "Browser/src/guard.js").unlink()
    moved = "class Shop {\n    isAllowed(age) {\n        return age\n            >= 18;\n    }\n}\n"
    write(tree, "Browser/src/shop/door.js", moved + "export const isAllowed = (age) => new Shop().isAllowed(age);\n")
    tests = (tree / "Browser/tests/guard.test.mjs").read_text()
    (tree / "Browser/tests/guard.test.mjs").unlink()
    write(tree, "Browser/tests/door.test.mjs", tests.replace("guard.js", "shop/door.js"))
    assert endings(tree) == {"no-guard": "red"}


def test_test_that_several_files_hold_names_its_file(tree):
    write(tree, "Browser/tests/other.test.mjs", "import test from 'node:test';\ntest('18 is allowed', () => {});\n")
    write(tree, "Browser/tests/third.test.mjs", "import test from 'node:test';\ntest('18 is allowed', () => {});\n")
    named = {**MUTANT, "name": "named", "test": "node third.test.mjs::18 is allowed"}
    mutants(tree, {**MUTANT, "name": "unnamed", "test": "node 18 is allowed"}, named)
    found = run(tree, "--check").stdout
    assert "unnamed: several files hold the test node 18 is allowed" in found
    assert "guards.toml: named" not in found


def test_title_that_is_written_out_goes_before_one_with_gaps(tree):
    gaps = "import test from 'node:test';\nfor (const a of []) test(`${a} is ${a}`, () => {});\n"
    write(tree, "Browser/tests/other.test.mjs", gaps)
    assert endings(tree) == {"no-guard": "red"}


# Going on where a run stopped, and trying again what was touched.


def tried(finished: subprocess.CompletedProcess) -> set[str]:
    """The mutants that a run applied, of those that it reports."""
    return {result["mutant"] for result in json.loads(finished.stdout) if not result["earlier"]}


def commit(tree: Path) -> str:
    git = ["git", "-c", "user.name=ada", "-c", "user.email=ada@example.org"]
    subprocess.run([*git, "add", "-A"], cwd=tree, check=True)
    subprocess.run([*git, "commit", "-qm", "as it is"], cwd=tree, check=True)
    return subprocess.run(
        ["git", "rev-parse", "HEAD"], cwd=tree, check=True, capture_output=True, text=True
    ).stdout.strip()


LIMIT = {"name": "no-limit", "in": "limit", "original": "18", "replacement": "0", "test": "node the limit is high"}
LIMIT_TEST = """import assert from 'node:assert/strict';
import test from 'node:test';
import { limit } from '../src/guard.js';
test('the limit is high', () => assert.equal(limit(), 18));
"""


def listed(tree: Path, *arguments: str) -> set[str]:
    return {line.split()[0] for line in run(tree, "--list", *arguments).stdout.splitlines()}


@pytest.fixture
def two(tree):
    """Two guards in one file, each with a mutant and a test in a file of its own."""
    write(tree, "Browser/src/guard.js", "export const limit = () => 18;\n" + GUARD)
    write(tree, "Browser/tests/limit.test.mjs", LIMIT_TEST)
    mutants(tree, MUTANT, {**MUTANT, **LIMIT})
    return tree


def test_what_was_noticed_on_this_commit_is_not_tried_again(two):
    commit(two)
    assert tried(run(two, "--json", "--only", "no-guard")) == {"no-guard"}
    whole = run(two, "--json")
    assert tried(whole) == {"no-limit"}
    assert {result["mutant"] for result in json.loads(whole.stdout)} == {"no-guard", "no-limit"}
    assert tried(run(two, "--json")) == set()
    assert run(two).stdout.rstrip().splitlines()[-1] == "2 of 2 noticed, 2 of them before, in 0 s"
    assert tried(run(two, "--json", "--again")) == {"no-guard", "no-limit"}
    write(two, "README.md", "another state\n")
    assert tried(run(two, "--json")) == {"no-guard", "no-limit"}
    commit(two)
    assert tried(run(two, "--json")) == {"no-guard", "no-limit"}


def test_what_was_not_noticed_is_tried_again(tree):
    mutants(tree, MUTANT, {**MUTANT, "name": "no-difference", "replacement": "age > 17"})
    commit(tree)
    run(tree)
    again = run(tree, "--json")
    assert again.returncode == 1
    assert tried(again) == {"no-difference"}


def test_line_that_was_cut_short_takes_nothing_with_it(two):
    commit(two)
    run(two, "--only", "no-guard")
    kept = two / ".build/mutants/results.jsonl"
    kept.write_text(kept.read_text() + '{"mutant": "no-li')
    assert tried(run(two, "--json")) == {"no-limit"}
    assert tried(run(two, "--json")) == set()


TOUCHED = {
    "its place": ("Browser/src/guard.js", GUARD, GUARD.replace("(age)", "(age, _more)"), {"no-guard"}),
    "the other place": ("Browser/src/guard.js", "() => 18", "(_more) => 18", {"no-limit"}),
    "its test": ("Browser/tests/guard.test.mjs", "[3, 17]", "[4, 17]", {"no-guard"}),
    "its definition": ("Tests/Mutants/guards.toml", "age >= 0", "age >= 1", {"no-guard"}),
    "what is said of it": ("Tests/Mutants/guards.toml", "everybody is allowed", "all are allowed", set()),
    "what is beside it": ("Browser/src/guard.js", "export const limit", "// The limit.\nexport const limit", set()),
}


@pytest.mark.parametrize("touched", TOUCHED)
def test_mutants_that_a_commit_touched_are_told_from_the_others(two, touched):
    path, before, after, expected = TOUCHED[touched]
    first = commit(two)
    assert listed(two, "--changed") == {"no-guard", "no-limit"}
    run(two)
    assert listed(two, "--changed") == set()
    text = (two / path).read_text()
    assert before in text
    write(two, path, text.replace(before, after))
    assert listed(two, "--changed", first) == expected, "before it is committed"
    commit(two)
    assert tried(run(two, "--json", "--changed", first)) == expected
    assert listed(two, "--changed") == set()


def test_moved_files_are_not_changed_ones(two):
    first = commit(two)
    run(two)
    (two / "Browser/src/guard.js").rename(two / "Browser/src/door.js")
    write(two, "Browser/src/guard.js", "export * from './door.js';\n")
    commit(two)
    for arguments in (["--changed"], ["--changed", first]):
        finished = run(two, *arguments)
        assert finished.returncode == 0
        assert "0 of 2 mutants have changed" in finished.stderr


def test_commit_that_git_does_not_know_is_said(two):
    commit(two)
    finished = run(two, "--changed", "nowhere")
    assert finished.returncode == 2
    assert "nowhere" in finished.stderr
