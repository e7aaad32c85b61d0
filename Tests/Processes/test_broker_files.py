"""Which files the broker looks at for one request: none, as long as the kernel tells of no change."""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from conftest import Keyway, eventually, suggest

REQUESTS = 20
# A call that names a file, as strace writes it: its name and the first name in quotes.
NAMED_FILE = re.compile(r"(\w+)\([^\"]*\"([^\"]*)\"")


def traced(session: Keyway, log: Path) -> Callable[[], None]:
    """Makes the broker start under strace, which keeps every call that takes the name of a file."""
    strace = shutil.which("strace")
    assert strace, "strace is not installed: Tools/bootstrap test"
    broker = str(session.prefix / "libexec/keyway/keywayd")
    # The tracer is a grandchild (-D): the process that was started is the broker all the same.
    options = ["-D", "-f", "-qq", "-e", "trace=%file", "-e", "signal=none", "-o", str(log)]

    def prepare() -> None:
        os.execve(strace, ["strace", *options, broker, "--foreground"], session.environment)

    return prepare


def looked_at(log: Path, after: int) -> list[tuple[str, str]]:
    """The calls that were traced, and the files that they name; but for what the kernel itself tells of processes."""
    lines = log.read_text().splitlines()[after:]
    calls = [found.groups() for line in lines if (found := NAMED_FILE.search(line))]
    return [(call, file) for call, file in calls if file and not file.startswith("/proc/")]


def children_of(process: int) -> str:
    return "".join(path.read_text() for path in Path(f"/proc/{process}/task").glob("*/children"))


@pytest.mark.parametrize("role", ["terminal", "browser"])
def test_a_request_looks_at_no_file_whatever_else_is_installed(keyway, tmp_path, role):
    log = tmp_path / "calls"
    # Nobody may trace a provider, so it is set up by a broker that is not traced.
    broker = keyway.start_broker()
    keyway.provide("one")
    keyway.install("twin", CFBundleIdentifier="test.one")
    keyway.install("faulty", CFBundleExecutable="missing")
    providers = keyway.bundle("test.faulty").parent
    (providers / "damaged.appex").mkdir()
    keyway.stop(broker)
    keyway.start_broker(traced(keyway, log))
    with keyway.connect(role) as peer:
        for _ in range(3):
            assert suggest(peer)
        # What the broker started by itself, such as the trial of the confinement, is traced as well.
        broker = peer.call("status")["processIdentifier"]
        eventually(lambda: not children_of(broker))
        before = len(log.read_text().splitlines())
        for _ in range(REQUESTS):
            assert suggest(peer)
        # A line is written before the call returns that it is about.
        assert looked_at(log, before) == []
        (providers / "later.appex").mkdir()
        assert suggest(peer)
        assert any("later.appex" in file for _, file in looked_at(log, before))


def test_a_file_system_over_the_folder_of_the_bundles_hides_them_at_once(keyway):
    """No folder changes by that, so nothing but the table of mounts tells of it."""
    providers = keyway.folder / "data/keyway/providers"
    now, done = keyway.folder / "now", keyway.folder / "done"
    wait = f"until test -e {now}; do sleep 0.01; done; mount -t tmpfs none {providers} && touch {done}"
    with keyway.broker_apart(f"({{ {wait}; }} &)"):
        keyway.provide("one")
        with keyway.connect() as peer:
            assert suggest(peer)
            now.touch()
            eventually(done.exists)
            assert suggest(peer) == []
