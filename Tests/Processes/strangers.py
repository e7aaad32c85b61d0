"""Programs of the same user that nobody has approved."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).parent
# What the program does that a stranger runs: it speaks the protocol, and prints what came of each step.
PROLOGUE = f"""
import json, os, socket, subprocess, sys
sys.path[:0] = [{str(HERE)!r}]
from wire import Closed, Peer, Refused

def outcome(peer, method, params):
    try:
        return peer.call(method, params)
    except Refused as refused:
        return refused.kind
    except Closed:
        return "closed"

def page(text):
    return {{"services": [{{"identifier": text, "kind": "URL"}}]}}
"""


class Stranger:
    """A program of its own: the interpreter of these tests under another name, as another file."""

    def __init__(self, session, name: str = "stranger") -> None:
        self.session = session
        self.path = session.folder / name
        shutil.copy(os.path.realpath(sys.executable), self.path)
        with self.path.open("ab") as file:
            # Another program, not a copy.
            file.write(name.encode())

    def environment(self) -> dict[str, str]:
        return {**self.session.environment, "PYTHONHOME": sys.base_prefix, "DOOR": str(self.session.socket)}

    def run(self, script: str, *arguments: str) -> object:
        """What the script's last line of output says, as JSON."""
        finished = subprocess.run(
            [self.path, "-c", PROLOGUE + script, *arguments],
            env=self.environment(),
            capture_output=True,
            text=True,
            timeout=120,
        )
        assert finished.returncode == 0, finished.stderr
        return json.loads(finished.stdout.splitlines()[-1])
