"""T38, K17: programs of the person's that listen to a window of Keyway's, paint it, or offer to be its display."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from desktop import LIMIT, pixels, title
from login import HOME, MASTER, RUNTIME, USER, eventually
from person import IN_THE_VAULT, PASSWORDS, Person
from persons_programs import PYTHON
from seat import Seat
from test_poser import SITES, ask_to_fill, pose

QUESTION = "Allow “keyway” to use Keyway?"
# Writes down what a field says on the accessibility bus, as a screen reader hears it.
HEARS = """
import gi
gi.require_version("Atspi", "2.0")
from gi.repository import Atspi, GLib

def hear(event):
    said = event.any_data if event.type.startswith("object:text-changed") else ""
    print(event.type, event.source.get_name(), event.detail1, said, flush=True)

Atspi.init()
listener = Atspi.EventListener.new(hear)
for kind in ("object:text-changed", "object:text-caret-moved"):
    listener.register(kind)
print("listening", flush=True)
GLib.MainLoop().run()
"""
# Is there where a program looks for a compositor that was told of none, and says who came.
COMPOSES = """
import socket, struct, sys

door = socket.socket(socket.AF_UNIX)
door.bind(sys.argv[1])
door.listen()
print("listening", flush=True)
visitor, _ = door.accept()
number, *_ = struct.unpack("3i", visitor.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, 12))
print("came:", open(f"/proc/{number}/comm").read(), flush=True)
"""
# All that is drawn becomes one green area.
STYLE = "* { color: #00ff00; background: #00ff00; border-color: #00ff00; } image { opacity: 0; }"
GREEN = b"\x00\xff\x00"


@pytest.fixture
def person(prefix: Path, tmp_path: Path) -> Iterator[Person]:
    with Person(prefix) as person, Seat(tmp_path) as seat, person.terminal() as shell:
        person.seat, person.shell = seat, shell
        yield person


def ask(person: Person) -> None:
    """Something that Keyway asks about in a window of its own."""
    person.start(person.prefix / "bin/keyway", "providers", "enable", "--yes", PASSWORDS)


def test_T38_what_is_typed_into_a_window_is_not_told_on_the_accessibility_bus(person: Person, tmp_path: Path) -> None:
    person.set_up(SITES[0])
    environment = {**person.environment, "DBUS_SESSION_BUS_ADDRESS": f"unix:path={RUNTIME}/bus"}
    heard = tmp_path / "heard"
    with pose(person, PYTHON) as browser:
        person.shell.keyway("passwords lock")
        with heard.open("w") as file:
            person.start(PYTHON, "-c", HEARS, stdout=file, env=environment)
        eventually(lambda: "listening" in heard.read_text())
        ask_to_fill(browser, SITES[0])
        person.seat.window(title("Passwords", "first.example"), LIMIT)
        person.seat.wait_for("Master password")
        person.seat.type(MASTER)
        person.seat.press("BackSpace")
        # Where the cursor is, a screen reader is told: forward with each letter, and back.
        eventually(lambda: places(heard) == [*range(1, len(MASTER) + 1), len(MASTER) - 1])
        assert not [line for line in heard.read_text().splitlines() if "text-changed" in line and "Master" in line]
        # What was taken away last is missing.
        person.seat.type(MASTER[-1])
        person.seat.press("Return")
        assert browser.answer()["result"] == {"password": IN_THE_VAULT}


def places(heard: Path) -> list[int]:
    words = [line.split() for line in heard.read_text().splitlines()]
    return [int(line[-1]) for line in words if line[0] == "object:text-caret-moved"]


def test_K17_a_style_sheet_in_the_home_folder_paints_no_question(person: Person) -> None:
    folder = HOME / ".config/gtk-4.0"
    folder.mkdir(parents=True)
    (folder / "gtk.css").write_text(STYLE)
    for place in (HOME / ".config", folder, folder / "gtk.css"):
        os.chown(place, USER, USER)
    ask(person)
    person.seat.asked(QUESTION, answer="Allow")
    _, _, data = pixels(person.seat.environment["DISPLAY"])
    shown = [data[at : at + 3] for at in range(0, len(data), 4)]
    assert shown.count(GREEN) == 0
    # It stands there, and says something: of several colours.
    assert len(set(shown)) > 10


def test_K17_no_program_is_the_display_because_its_socket_is_called_so(person: Person) -> None:
    squatter = person.start(PYTHON, "-c", COMPOSES, RUNTIME / "wayland-0", stdout=subprocess.PIPE)
    assert squatter.stdout.readline() == b"listening\n"
    ask(person)
    person.seat.asked(QUESTION, answer="Allow")
    squatter.kill()
    assert squatter.stdout.read() == b""


def test_K17_what_draws_has_no_driver_and_nothing_of_the_home_folder_in_its_memory(person: Person) -> None:
    ask(person)
    person.seat.asked(QUESTION, answer="Allow")
    (process,) = person.named("keyway-sheets")
    lines = Path(f"/proc/{process}/maps").read_text().splitlines()
    mapped = {line.split(maxsplit=5)[5] for line in lines if "/" in line}
    assert any("libgtk-4" in path for path in mapped)
    assert [path for path in mapped if path.startswith(f"{HOME}/") or "mesa" in path or "LLVM" in path] == []
