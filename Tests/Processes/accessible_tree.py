"""Prints what a screen reader sees of one program, as JSON. Run by the system's Python, which has the bindings."""

from __future__ import annotations

import json
import sys
import time

import gi

gi.require_version("Atspi", "2.0")
from gi.repository import Atspi  # noqa: E402

STATES = {
    "focused": Atspi.StateType.FOCUSED,
    "selected": Atspi.StateType.SELECTED,
    "sensitive": Atspi.StateType.SENSITIVE,
}


def application(name: str, within: float = 30) -> Atspi.Accessible:
    deadline = time.monotonic() + within
    while time.monotonic() < deadline:
        desktop = Atspi.get_desktop(0)
        for index in range(desktop.get_child_count()):
            child = desktop.get_child_at_index(index)
            if child is not None and child.get_name() == name and child.get_child_count() > 0:
                return child
        time.sleep(0.1)
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


if __name__ == "__main__":
    json.dump(nodes(application(sys.argv[1])), sys.stdout)
