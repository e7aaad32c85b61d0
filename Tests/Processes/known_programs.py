"""Run by test_known_programs.py as a user who is not root: a session of its own below an installed tree.

known_programs.py PREFIX FOLDER STEP: starts the broker, does the step, and prints what came of it as JSON.
"""

import json
import os
import socket
import struct
import subprocess
import sys
import time
from pathlib import Path

PREFIX, FOLDER, STEP = sys.argv[1:4]
ENVIRONMENT = {
    "PATH": f"{PREFIX}/bin:/usr/bin:/bin",
    "LANG": "C.UTF-8",
    "HOME": FOLDER,
    "XDG_RUNTIME_DIR": f"{FOLDER}/runtime",
    "XDG_STATE_HOME": f"{FOLDER}/state",
    "XDG_DATA_HOME": f"{FOLDER}/data",
    "XDG_CONFIG_HOME": f"{FOLDER}/config",
}
# Where it is installed for everybody, the variables do not say where anything lies.
GROUP_FILE = Path(PREFIX, "share/keyway/group")
IS_SYSTEM_WIDE = GROUP_FILE.exists() and GROUP_FILE.stat().st_uid == 0
DOOR = f"{FOLDER}/.local/state/keyway/run/autofill.sock" if IS_SYSTEM_WIDE else f"{FOLDER}/runtime/keyway/autofill.sock"


def keyway(*arguments: str, **more: str) -> tuple[int, str, str]:
    finished = subprocess.run(
        [f"{PREFIX}/bin/keyway", *arguments],
        env={**ENVIRONMENT, **more},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=60,
    )
    return finished.returncode, finished.stdout, finished.stderr


def clients() -> list[dict]:
    status, output, message = keyway("clients", "list", "--json")
    assert status == 0, message
    return json.loads(output)["clients"]


def ask_as_this_program() -> dict:
    """What the broker answers to the interpreter that runs this."""
    with socket.socket(socket.AF_UNIX) as door:
        door.connect(DOOR)
        answers = []
        for number, method, parameters in (
            (1, "hello", {"protocol": {"major": 1, "minor": 0}, "role": "terminal", "name": "another"}),
            (2, "suggest", {"services": [{"identifier": "https://a.example", "kind": "URL"}]}),
        ):
            data = json.dumps({"jsonrpc": "2.0", "id": number, "method": method, "params": parameters}).encode()
            door.sendall(struct.pack("=I", len(data)) + data)
            (length,) = struct.unpack("=I", door.recv(4, socket.MSG_WAITALL))
            answers.append(json.loads(door.recv(length, socket.MSG_WAITALL)))
        return answers[1]


def main() -> object:
    if STEP == "list":
        return clients()
    if STEP == "refused":
        return keyway("clients", "list")
    if STEP == "another":
        # The first program, which may begin, is `keyway`.
        clients()
        return [ask_as_this_program(), clients()]
    if STEP.startswith("preload:"):
        # A broker that has greeted is one that can be ended.
        keyway("status")
        marked = {"LD_PRELOAD": STEP.removeprefix("preload:")}
        control = subprocess.run(["/bin/true"], env={**ENVIRONMENT, **marked}, capture_output=True, text=True)
        return [control.stderr, keyway("--version", **marked)]
    if STEP == "elsewhere":
        # Another place for everything, twice, and a broker that is started with it as well.
        places = ("HOME", "XDG_RUNTIME_DIR", "XDG_STATE_HOME", "XDG_DATA_HOME", "XDG_DATA_DIRS", "XDG_CONFIG_HOME")
        answers = [keyway("status", "--json", **dict.fromkeys(places, f"/tmp/{other}")) for other in "ab"]
        return [[json.loads(output)["broker"]["processIdentifier"] for _, output, _ in answers], Path(DOOR).exists()]
    if STEP == "namespace":
        broker = [f"{PREFIX}/libexec/keyway/keywayd", "--foreground"]
        results = []
        for mapping in ("--map-root-user", "--map-current-user"):
            command = ["unshare", "--user", mapping, *broker]
            finished = subprocess.run(command, env=ENVIRONMENT, capture_output=True, text=True, timeout=60)
            results.append([finished.returncode, finished.stderr])
        return results
    raise SystemExit(f"unknown step: {STEP}")


if __name__ == "__main__":
    os.umask(0o077)
    for name in ("runtime", "state", "data", "config"):
        Path(FOLDER, name).mkdir()
    with Path(FOLDER, "keywayd.log").open("ab") as log:
        broker = subprocess.Popen(
            [f"{PREFIX}/libexec/keyway/keywayd", "--foreground"],
            env=ENVIRONMENT,
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
        )
    try:
        deadline = time.monotonic() + 60
        while not Path(DOOR).exists():
            assert broker.poll() is None and time.monotonic() < deadline, "the broker does not listen"
            time.sleep(0.01)
        print(json.dumps(main()))
    finally:
        broker.terminate()
        broker.wait(timeout=60)
