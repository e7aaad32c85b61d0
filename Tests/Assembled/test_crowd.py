"""T13: however many programs of the person's connect to the broker, Keyway's own are served."""

from __future__ import annotations

import json
import shutil
import subprocess

import pytest
from login import Login
from persons_programs import PYTHON

# As many as one program may have that nobody approved, of more programs than there is room for.
EACH, PROGRAMS = 64, 33
# Connects that often when it is told to; when it is told again, prints how many of the connections are left.
CONNECTS = f"""
import select, socket, sys

sys.stdin.readline()
doors = [socket.socket(socket.AF_UNIX) for _ in range({EACH})]
for door in doors:
    door.connect(sys.argv[1])
print("connected", flush=True)
sys.stdin.readline()
watch = select.poll()
for door in doors:
    watch.register(door, select.POLLRDHUP)
print(len(doors) - len(watch.poll(0)), flush=True)
sys.stdin.readline()
"""


@pytest.fixture
def crowd(vault: Login) -> list[subprocess.Popen]:
    """Programs that are all of one make: to the broker, each is another file."""
    first = vault.tools / "program"
    shutil.copy(PYTHON, first)
    places = [first, *(vault.tools / f"program-{number}" for number in range(1, PROGRAMS))]
    for place in places[1:]:
        place.hardlink_to(first)
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
    return [vault.start(place, "-I", "-S", "-c", CONNECTS, vault.door, **pipes) for place in places]


def tell(crowd: list[subprocess.Popen]) -> list[str]:
    for program in crowd:
        print(file=program.stdin, flush=True)
    return [program.stdout.readline().rstrip("\n") for program in crowd]


def test_T13_T16_however_many_programs_connect_keyways_own_are_served(vault: Login, crowd: list[subprocess.Popen]):
    assert set(tell(crowd)) == {"connected"}
    # All of them came before this one.
    status = json.loads(vault.keyway("status", "--json"))
    assert vault.open_terminal.keyway("fill https://a.example") == "password of alpha\n"
    left = sum(map(int, tell(crowd)))
    # There was no room for the others: else this would say nothing.
    assert 0 < left < PROGRAMS * EACH
    assert status["broker"]["connections"] > left // 2
    assert "was refused: there are too many" in vault.log


def test_T13_one_program_that_nobody_approved_gets_few_connections(vault: Login):
    program = vault.tools / "program"
    shutil.copy(PYTHON, program)
    script = CONNECTS.replace(f"range({EACH})", f"range({EACH + 10})")
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
    crowd = [vault.start(program, "-I", "-S", "-c", script, vault.door, **pipes)]
    assert tell(crowd) == ["connected"]
    # Its connections came before this one.
    vault.keyway("status")
    assert tell(crowd) == [str(EACH)]
