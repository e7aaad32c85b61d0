"""Prints what a screen reader sees of one program, as JSON; or uses it as a person would who sees nothing.

    accessible_tree.py PROGRAM                  everything that is shown
    accessible_tree.py PROGRAM press NAME       does what the button or row called so does
    accessible_tree.py PROGRAM type NAME TEXT   puts a text into the field called so

Run by the system's Python, which has the bindings.
"""

from __future__ import annotations

import json
import os
import sys
import time

import gi

gi.require_version("Atspi", "2.0")
from gi.repository import Atspi, GLib  # noqa: E402

STATES = {
    "focused": Atspi.StateType.FOCUSED,
    "selected": Atspi.StateType.SELECTED,
    "sensitive": Atspi.StateType.SENSITIVE,
}


# Until when this is tried, by the clock that all processes share.
DEADLINE = float(os.environ.setdefault("ACCESSIBLE_UNTIL", str(time.monotonic() + 30)))


def begin_again() -> None:
    """Who saw a window go does not see the next one come: a new process does."""
    time.sleep(0.1)
    os.execv(sys.executable, [sys.executable, *sys.argv])


def application(name: str, within: float = 1) -> Atspi.Accessible:
    deadline = time.monotonic() + within
    while time.monotonic() < deadline:
        desktop = Atspi.get_desktop(0)
        for index in range(desktop.get_child_count()):
            child = desktop.get_child_at_index(index)
            if child is not None and child.get_name() == name and child.get_child_count() > 0:
                return child
        time.sleep(0.1)
    if time.monotonic() < DEADLINE:
        begin_again()
    sys.exit(f"no program called {name} on the accessibility bus")


def nodes(node: Atspi.Accessible) -> list[dict]:
    states = node.get_state_set()
    if node.get_role() != Atspi.Role.APPLICATION and not states.contains(Atspi.StateType.VISIBLE):
        return []
    found = [
        {
            "role": node.get_role_name(),
            "name": node.get_name(),
            "description": node.get_description(),
            "text": text_of(node),
            "states": sorted(name for name, state in STATES.items() if states.contains(state)),
        }
    ]
    for index in range(node.get_child_count()):
        child = node.get_child_at_index(index)
        if child is not None:
            found += nodes(child)
    return found


def text_of(node: Atspi.Accessible) -> str | None:
    interface = node.get_text_iface()
    return None if interface is None else Atspi.Text.get_text(interface, 0, -1)


def find(node: Atspi.Accessible, name: str, has) -> Atspi.Accessible | None:
    """The first thing that is shown, takes input, is called so and `has` what is wanted of it."""
    states = node.get_state_set()
    if node.get_role() != Atspi.Role.APPLICATION and not states.contains(Atspi.StateType.VISIBLE):
        return None
    if node.get_name() == name and has(node) and states.contains(Atspi.StateType.SENSITIVE):
        return node
    for index in range(node.get_child_count()):
        child = node.get_child_at_index(index)
        found = None if child is None else find(child, name, has)
        if found is not None:
            return found
    return None


def await_node(program: str, name: str, has, within: float = 30) -> Atspi.Accessible:
    deadline = time.monotonic() + within
    while time.monotonic() < deadline:
        found = find(application(program), name, has)
        if found is not None:
            return found
        time.sleep(0.1)
    sys.exit(f"nothing called {name} that could be used")


def has_actions(node: Atspi.Accessible) -> bool:
    return node.get_action_iface() is not None and node.get_n_actions() > 0


def press(program: str, name: str, within: float = 30) -> None:
    """Tries again: what is found may have changed before it is used."""
    deadline = time.monotonic() + within
    while time.monotonic() < deadline:
        node = await_node(program, name, has_actions, within)
        try:
            if node.get_action_iface().do_action(0):
                return
        except GLib.Error:
            pass
        time.sleep(0.1)
    sys.exit(f"{name} does nothing")


def type_into(program: str, name: str, text: str) -> None:
    """The field is the editable text in what is called so."""

    def editable(node: Atspi.Accessible) -> Atspi.Accessible | None:
        if node.get_editable_text_iface() is not None:
            return node
        for index in range(node.get_child_count()):
            child = node.get_child_at_index(index)
            found = None if child is None else editable(child)
            if found is not None:
                return found
        return None

    node = await_node(program, name, lambda node: editable(node) is not None)
    field = editable(node)
    if not Atspi.EditableText.set_text_contents(field.get_editable_text_iface(), text):
        sys.exit(f"{name} takes no text")


def main() -> None:
    if sys.argv[2:3] == ["press"]:
        press(sys.argv[1], sys.argv[3])
    elif sys.argv[2:3] == ["type"]:
        type_into(sys.argv[1], sys.argv[3], sys.argv[4])
    else:
        json.dump(nodes(application(sys.argv[1])), sys.stdout)


if __name__ == "__main__":
    try:
        main()
    except GLib.Error:
        if time.monotonic() > DEADLINE:
            raise
        begin_again()
