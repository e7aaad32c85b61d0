"""`make run`: the main job as one command, headless and with a display."""

import contextlib
import os
import signal
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
LIMIT = 280
# It starts a whole system, and a browser in it.
pytestmark = pytest.mark.timeout(600)


def environment(folder: Path, **more: str) -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if name not in ("DISPLAY", "WAYLAND_DISPLAY")}
    return {**kept, "TMPDIR": str(folder), "PYTHONUNBUFFERED": "1", **more}


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[Path]:
    """Where private folders are made; afterwards none is left."""
    # A socket's path may be no longer than 107 bytes, so the folder of the test itself is too deep.
    place = Path(f"/tmp/run-{os.getpid()}-{time.monotonic_ns() % 1_000_000}")
    place.mkdir(mode=0o700)
    yield place
    left = [path.name for path in place.iterdir() if path.name.startswith("keyway-")]
    subprocess.run(["rm", "-rf", place], check=True)
    assert left == []


def test_without_a_display_it_signs_in_by_itself(folder: Path) -> None:
    finished = subprocess.run(
        [ROOT / "Tools/run"], env=environment(folder), capture_output=True, text=True, timeout=LIMIT
    )
    assert finished.returncode == 0, finished.stdout + finished.stderr
    lines = finished.stdout.splitlines()
    assert lines[-1] == "signed in"
    pictures = [Path(line.split(": ", 1)[1].strip()) for line in lines if line.endswith(".png")]
    assert len(pictures) == 2
    for picture in pictures:
        assert picture.read_bytes().startswith(b"\x89PNG")
        assert picture.stat().st_size > 2000
    assert pictures[0].read_bytes() != pictures[1].read_bytes()


@pytest.fixture
def display() -> Iterator[str]:
    """An X server of the test's own; it says which number it took."""
    reading, writing = os.pipe()
    server = subprocess.Popen(
        ["Xvfb", "-displayfd", str(writing), "-screen", "0", "1000x700x24"],
        pass_fds=[writing],
        stderr=subprocess.DEVNULL,
    )
    os.close(writing)
    with os.fdopen(reading) as answer:
        yield ":" + answer.readline().strip()
    server.terminate()
    server.wait(10)


def test_with_a_display_it_opens_a_browser_and_waits_for_the_person(folder: Path, display: str) -> None:
    log = folder / "log"
    with log.open("w") as output:
        process = subprocess.Popen(
            [ROOT / "Tools/run"], env=environment(folder, DISPLAY=display), stdout=output, stderr=output
        )
    try:
        deadline = time.monotonic() + LIMIT
        while "press Ctrl+C" not in log.read_text():
            assert process.poll() is None, log.read_text()
            assert time.monotonic() < deadline, log.read_text()
            time.sleep(0.05)
        deadline = time.monotonic() + LIMIT
        while not windows(display):
            assert process.poll() is None, log.read_text()
            assert time.monotonic() < deadline, "no window came up"
            time.sleep(0.05)
        process.send_signal(signal.SIGINT)
        assert process.wait(30) == 130
    finally:
        # Asked to end, it takes its folder away.
        process.send_signal(signal.SIGINT)
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(60)
        process.kill()
        process.wait()


def windows(display: str) -> list[str]:
    """The titles of the windows that say that the sign-in page is open."""
    tree = subprocess.run(
        ["xwininfo", "-root", "-tree"],
        env={**os.environ, "DISPLAY": display},
        capture_output=True,
        text=True,
        timeout=20,
    )
    return [line for line in tree.stdout.splitlines() if "Sign in to the sample site" in line]
