"""The stages of the test run, in the order in which they run: the quick ones that fail often come first."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TypeVar

from suite import lint
from suite.outcome import Outcome
from suite.processes import Finished, run
from suite.reports import failed_tests, read_junit, read_tap

# How many run side by side on each processor. Process tests mostly wait for each other's programs; each worker of the
# assembled system has an installation and a person of its own.
PYTEST_FOLDERS = {"Tests/Tools": 1, "Tests/Processes": 2.5, "Tests/Assembled": 1, "Tests/Browsers": 2}
# Of a whole run, these run beside the assembled system.
BESIDE = ["Tests/Tools"]
STAGED = ".build/stage"
# Where programs, windows and browsers wait for each other, and what fails for want of a processor is tried again alone
# (decision 41), as are the packages' tests. More failures than these are no matter of the load.
TRIED_AGAIN = ["Tests/Processes", "Tests/Browsers", "Tests/Assembled"]
MOST_TRIED_AGAIN = 5
# What is installed is what ships: the assembled system is that of the Debian packages where these are made, and is made
# of release builds elsewhere.
ASSEMBLED = "Tests/Assembled"
SHIPPED = ".build/stage-shipped"
SAMPLES = ["sample-manager", "sample-manager-extension", "sample-app"]


Result = TypeVar("Result")


@dataclass
class Run:
    """What all stages share: where the tree is, what to pick, how long a command may take."""

    root: Path
    filter: str | None = None
    limit: float = 2400
    # Whether all stages run: then one may begin what a later one needs.
    is_whole: bool = False
    # Whether the Debian packages are among them: then the assembled system is theirs.
    with_packages: bool = False
    # Whether what failed beside others is tried again alone.
    tries_again: bool = True

    @property
    def results(self) -> Path:
        return self.root / ".build" / "results"

    def command(self, name: str, *arguments: str, environment: dict[str, str] | None = None) -> Finished:
        log = self.results / f"{name.replace(' ', '-').replace('/', '-')}.log"
        return run(list(arguments), log, self.limit, environment)

    def report(self, name: str) -> Path:
        """The path for a runner's report, with no old report standing there."""
        path = self.results / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.unlink(missing_ok=True)
        return path

    def check(self, name: str, *arguments: str) -> Outcome:
        """A command that is one test: passed when it ends with 0."""
        finished = self.command(name, *arguments)
        outcome = Outcome(name, seconds=finished.seconds)
        if finished.status == 0:
            outcome.passed = 1
            return outcome
        return outcome.fail(f"{name}: status {finished.status}\n{tail(finished.output)}")


def processors() -> int:
    return len(os.sched_getaffinity(0))


def side_by_side(work: Iterable[Callable[[], Result]], at_once: int | None = None) -> Iterator[Result]:
    """What each piece of work came to, as soon as it has ended; as many run at a time as there are processors."""
    with ThreadPoolExecutor(at_once or processors()) as pool:
        for done in as_completed([pool.submit(piece) for piece in work]):
            yield done.result()


def lint_stage(this: Run) -> Iterator[Outcome]:
    picked = [each for each in lint.commands(this.root) if this.filter is None or this.filter in each[0]]
    yield from side_by_side([partial(this.check, name, *command) for name, command in picked])


def swift_stage(this: Run) -> Iterator[Outcome]:
    built = this.check("swift build", "swift", "build", "--build-tests")
    yield built
    if built.failed:
        return
    if this.filter:
        yield swift_tests(this, "swift test", this.filter)
        return
    # One process per target: a crash, or a deliberate load on every thread, concerns nobody else.
    yield from side_by_side(
        [partial(swift_tests, this, name, rf"^{name}\.") for name in swift_targets(this.root / "Tests")]
    )


def swift_targets(tests: Path) -> list[str]:
    """The folders of Swift tests: those called so, and those with a file called so (`SourceCompatibility`)."""
    sources = {path.relative_to(tests) for path in tests.rglob("*.swift")}
    named = {path.parts[0] for path in sources if path.parts[0].endswith("Tests") or path.stem.endswith("Tests")}
    return sorted(named)


def swift_tests(this: Run, name: str, picked: str) -> Outcome:
    report = this.report(f"{name.replace(' ', '-')}.xml")
    # Swift Testing writes beside the name it is given; the file of that very name is XCTest's.
    ours = this.report(f"{report.stem}-swift-testing.xml")
    finished = this.command(
        name,
        *["swift", "test", "--ignore-lock", "--skip-build", "--parallel"],
        *["--xunit-output", str(report), "--filter", picked],
    )
    return with_log(read_junit(Outcome(name, seconds=finished.seconds), ours).judge(finished.status), finished)


def node_stage(this: Run) -> Iterator[Outcome]:
    """Node's tests; of a whole run, they run beside the assembled system."""
    if not has_assembled(this):
        yield from node_tests(this)


def node_tests(this: Run) -> Iterator[Outcome]:
    files = sorted(str(path.relative_to(this.root)) for path in (this.root / "Browser").rglob("*.test.*js"))
    files = [name for name in files if "node_modules" not in name]
    if not files:
        return
    picked = [f"--test-name-pattern={this.filter}"] if this.filter else []
    finished = this.command(
        "node --test",
        "node",
        "--test",
        "--test-reporter=tap",
        *picked,
        *files,
        environment={"NODE_PATH": "/usr/share/nodejs"},
    )
    outcome = read_tap(Outcome("node --test", seconds=finished.seconds), finished.output).judge(finished.status)
    if this.filter:  # Node calls a test that was not picked skipped
        outcome.skips = [skip for skip in outcome.skips if not skip[1].startswith("test name does not match")]
    yield with_log(outcome, finished)


def python_stage(this: Run) -> Iterator[Outcome]:
    folders = [folder for folder in PYTEST_FOLDERS if has_tests(this, folder)]
    if any(folder != "Tests/Tools" for folder in folders):
        staged = staged_tree(this)
        yield staged
        if staged.failed:
            return
    beside = beside_the_assembled(this) if has_assembled(this) else []
    for folder in folders:
        if folder in BESIDE and beside:
            continue
        work = [partial(pytest_folder, this, folder)]
        if folder == ASSEMBLED:
            if this.with_packages or not is_picked(this, folder):
                continue
            shipped = shipped_tree(this)
            yield shipped
            # Without what is shipped, nothing can be attacked; all else is tried.
            work = beside if shipped.failed else [*work, *beside]
        again = []
        for outcome in side_by_side(work, at_once=2):
            if outcome is None:
                continue
            if outcome.name == runner_of(folder) and folder in TRIED_AGAIN:
                again.append(outcome)
            else:
                yield outcome
        # Beside nothing: what ran at the same time has ended.
        yield from [tried_again(this, outcome, partial(pytest_alone, this)) for outcome in again]


def has_assembled(this: Run) -> bool:
    """Whether the assembled system is attacked in a run of everything."""
    return this.is_whole and has_tests(this, ASSEMBLED)


def has_tests(this: Run, folder: str) -> bool:
    return any((this.root / folder).rglob("test_*.py"))


def beside_the_assembled(this: Run) -> list[Callable[[], Outcome | None]]:
    """What runs, one after the other, while the persons of the assembled system mostly wait."""
    pieces: list[Callable[[], Outcome | None]] = [lambda: next(node_tests(this), None)]
    pieces += [partial(pytest_folder, this, folder) for folder in BESIDE if has_tests(this, folder)]
    return pieces + ([partial(fuzz_build, this)] if fuzz_targets(this) else [])


def runner_of(folder: str) -> str:
    return f"pytest {folder.removeprefix('Tests/')}"


def stage_for(this: Run, tests: str) -> dict[str, str]:
    return {"KEYWAY_STAGE": str(this.root / (SHIPPED if tests.startswith(ASSEMBLED) else STAGED))}


def pytest_folder(this: Run, folder: str) -> Outcome | None:
    """The tests of one folder; None where a filter picks none of them."""
    name = runner_of(folder)
    report = this.report(report_of(name))
    picked = ["-k", this.filter] if this.filter else []
    finished = this.command(
        name,
        *[".venv/bin/python", "-m", "pytest", "-q", f"--junit-xml={report}", folder, *picked, *workers_for(folder)],
        environment=stage_for(this, folder),
    )
    if this.filter and finished.status == 5:
        return None
    return with_log(read_junit(Outcome(name, seconds=finished.seconds), report).judge(finished.status), finished)


def pytest_alone(this: Run, name: str, test: str, report: Path) -> Finished:
    """Runs one test of pytest's."""
    command = [".venv/bin/python", "-m", "pytest", "-q", f"--junit-xml={report}", test]
    return this.command(name, *command, environment=stage_for(this, test))


def tried_again(this: Run, outcome: Outcome, alone: Callable[[str, str, Path], Finished]) -> Outcome:
    """Runs what has failed once more, one after the other and beside nothing; what passes then is called unsteady.

    Only in a run of all stages, and where each failure is one of a test: a runner that crashed has failed.
    """
    if not outcome.failures or not this.is_whole or not this.tries_again or outcome.failed > MOST_TRIED_AGAIN:
        return outcome
    tests = failed_tests(this.root, this.results / report_of(outcome.name))
    if len(tests) != outcome.failed:
        return outcome
    failures, outcome.failures = outcome.failures, []
    for test, failure in zip(tests, failures, strict=True):
        name = re.sub(r"[^A-Za-z0-9 _.-]", "-", f"again {test.rpartition('/')[2]}")
        report = this.report("again.xml")
        again = alone(name, test, report)
        outcome.seconds += again.seconds
        said = read_junit(Outcome(name), report).judge(again.status)
        # One that is skipped alone has not passed.
        if said.passed == 1 and not said.failures and not said.skips:
            outcome.unsteady.append((test, failure))
            outcome.passed += 1
        else:
            outcome.fail(f"{failure}\n{tail(again.output)}")
    return outcome


def workers_for(folder: str) -> list[str]:
    """The options by which pytest runs a folder's tests side by side; those of one file stay with one worker.

    Files begin in the order in which they were collected (`Tests/Support/longest_first.py`).
    """
    each = PYTEST_FOLDERS[folder]
    if not each:
        return []
    workers = str(max(2, round(each * processors())))
    return ["-n", workers, "--dist", "loadscope", "--no-loadscope-reorder"]


def staged_tree(this: Run) -> Outcome:
    """The tree that process and browser tests run in; built first, for a run of this stage alone."""
    built = this.check("programs", "swift", "build")
    return built if built.failed else this.check("stage", "Tools/stage", STAGED, "--linked", "--samples")


def shipped_tree(this: Run) -> Outcome:
    """The tree that is installed and attacked."""
    built = this.check("shipped programs", "Tools/release", *SAMPLES)
    if built.failed:
        return built
    return this.check("shipped", "Tools/stage", SHIPPED, "--configuration", "release", "--linked", "--samples")


def is_picked(this: Run, folder: str) -> bool:
    """Whether the filter picks a test of the folder."""
    if this.filter is None:
        return True
    arguments = [".venv/bin/python", "-m", "pytest", "-q", "--collect-only", folder, "-k", this.filter]
    return this.command(f"collect {folder.removeprefix('Tests/')}", *arguments).status != 5


def fuzz_stage(this: Run) -> Iterator[Outcome]:
    """Each target is one test, so that one that finds something does not hide the others.

    The modules that several of them share are compiled first, once; in a whole run that was done before.
    """
    picked = fuzz_targets(this)
    if not picked:
        return
    if not this.is_whole:
        built = fuzz_build(this)
        yield built
        if built.failed:
            return
    yield from side_by_side([partial(this.check, name, "Fuzz/run", name) for name in picked])


def fuzz_targets(this: Run) -> list[str]:
    names = sorted(modules.parent.name for modules in (this.root / "Fuzz").glob("*/modules"))
    return [name for name in names if this.filter is None or this.filter in name]


def fuzz_build(this: Run) -> Outcome:
    """Compiles the fuzz targets, after whatever else wants the processor."""
    return this.check("fuzz build", "nice", "Fuzz/run", "--build", this.filter or "")


def packages_stage(this: Run) -> Iterator[Outcome]:
    """The Debian packages, made of this commit, installed on a clean Debian, lived with and attacked there, and judged
    meanwhile."""
    if this.filter:
        raise SystemExit("Tools/test packages takes no filter. Use: Tools/packages -k FILTER")
    # Much of a release build is one compiler at a time: what needs nobody runs beside it.
    beside = beside_the_assembled(this) if has_assembled(this) else []
    outcomes = [one for one in side_by_side([partial(made_packages, this), *beside], at_once=2) if one is not None]
    yield from outcomes
    if any(one.name in PACKAGING and one.failures for one in outcomes):
        return
    folders = [folder for folder in (ASSEMBLED, PACKAGES_TESTS) if has_tests(this, folder)]
    runners = [runner_of(folder) for folder in folders]
    judgement = partial(this.check, "lintian", "Tools/deb", "--judge")
    # On two machines, each with persons of its own, one mostly waits for the other's programs.
    work = [*(partial(packages_tests, this, folder) for folder in folders), judgement]
    outcomes = list(side_by_side(work, at_once=len(work)))
    # Where nothing could be installed, it is nothing to have passed that lintian finds no fault.
    is_installed = any((this.results / report_of(name)).exists() for name in runners)
    for outcome in outcomes:
        if outcome.name in runners:
            yield tried_again(this, outcome, partial(package_test, this))
        elif is_installed or outcome.failures:
            yield outcome


def made_packages(this: Run) -> Outcome | None:
    """The packages, of the programs that `make release` builds, and beside these the sample manager and app of the
    tests: no test, but for one that fails."""
    commands = [("Tools/release", *SAMPLES), ("Tools/deb", "--built", ".build/release", "--without-lintian")]
    for name, command in zip(PACKAGING, commands, strict=True):
        made = this.check(name, *command)
        if made.failed:
            return made
    return None


def package_test(this: Run, name: str, test: str, report: Path) -> Finished:
    """Runs a folder of tests, or one of them, on a clean Debian with the packages, a machine of its own."""
    workers = workers_for(test) if test == ASSEMBLED else []
    command = ["Tools/packages", "--packages", ".build/deb", test, *workers]
    return this.command(name, *command, environment={"KEYWAY_REPORT": str(report)})


def packages_tests(this: Run, folder: str) -> Outcome:
    """The tests of one folder on a machine with the packages."""
    name = runner_of(folder)
    report = this.report(report_of(name))
    finished = package_test(this, name, folder, report)
    outcome = Outcome(name, seconds=finished.seconds)
    if finished.status == NO_MACHINE:
        outcome.skips.append(("clean Debian", finished.output.strip().rpartition("\n")[2]))
        return outcome
    return with_log(read_junit(outcome, report).judge(finished.status), finished)


# Makes packages and a whole Debian: runs where it is asked for (--packages).
PACKAGES = "packages"
PACKAGES_TESTS = "Tests/Packages"
# The steps by which the packages are made.
PACKAGING = ("shipped programs", "Debian packages")
# How Tools/packages ends where no clean Debian can be made.
NO_MACHINE = 77

STAGES: dict[str, Callable[[Run], Iterator[Outcome]]] = {
    "lint": lint_stage,
    "swift": swift_stage,
    "node": node_stage,
    "python": python_stage,
    PACKAGES: packages_stage,
    "fuzz": fuzz_stage,
}


def report_of(name: str) -> str:
    return f"{name.replace(' ', '-')}.xml"


def with_log(outcome: Outcome, finished: Finished) -> Outcome:
    """Adds the end of the log to a failure, so that who reads only the output can see why."""
    if outcome.failures:
        outcome.failures[-1] += "\n" + tail(finished.output)
    return outcome


def tail(output: str, lines: int = 40) -> str:
    """The lines that say `error:`, wherever they stand, and the end of the log."""
    all_lines = output.strip().splitlines()
    errors = [line for line in all_lines[:-lines] if "error:" in line][:20]
    return "\n".join("    " + line for line in [*errors, *all_lines[-lines:]])
