"""Programs that may ask a private session's broker, as if its person had approved them.

Whoever has the store key can write the file in which approvals stand (`Docs/settings-format.md`): so this writes it for
a session of its own, before anything runs there. It is what the tests and `make run` begin with; it is of no use
against a session whose key lies in a TPM or in a keyring that the caller cannot open.
"""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import time
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path

PIECE = 1 << 20
# What starts native hosts: browsers, where distributions put them.
BROWSERS = (
    "/usr/lib/chromium/chromium",
    "/usr/lib/chromium-browser/chromium-browser",
    "/usr/lib/firefox-esr/firefox-esr",
    "/usr/lib/firefox/firefox",
    "/opt/google/chrome/chrome",
)


def own_program() -> str:
    """The file that this process runs, as the kernel names it."""
    return str(Path("/proc/self/exe").readlink())


def store_key(prefix: Path, identities: Path, environment: Mapping[str, str]) -> bytes:
    """The key of the session's identity stores; made where there is none."""
    identities.mkdir(mode=0o700, parents=True, exist_ok=True)
    # Exactly so, whatever the mask of this process is.
    for folder in (identities, identities.parent):
        folder.chmod(0o700)
    memory = os.memfd_create("key", os.MFD_ALLOW_SEALING | os.MFD_CLOEXEC)
    try:
        subprocess.run(
            [prefix / "libexec/keyway/keyway-store-key", identities],
            env=dict(environment),
            pass_fds=(3,),
            preexec_fn=lambda: os.dup2(memory, 3),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=60,
            check=True,
        )
        said = os.pread(memory, 1 << 16, 0)
    finally:
        os.close(memory)
    line, _, key = said.partition(b"\n")
    if len(key) != 32:
        raise RuntimeError(f"the session has no store key: {line.decode()}")
    return key


def seal(name: str, counter: int, document: object, key: bytes) -> bytes:
    """A file of settings with its code."""
    salt = (1).to_bytes(8, "little") + bytes(8)
    derived = hashlib.blake2b(digest_size=32, key=key, salt=salt, person=b"settings" + bytes(8)).digest()
    body = json.dumps(document, indent=2, sort_keys=True).encode() + b"\n"
    code = hashlib.blake2b(f"{name}\n{counter}\n".encode() + body, digest_size=32, key=derived).hexdigest()
    return json.dumps({"code": code, "counter": counter, "format": 1}).encode() + b"\n" + body


@cache
def digest(path: str, mark: tuple[int, ...]) -> str:
    """What a program's file holds: BLAKE2b of each mebibyte behind the digest of all before it."""
    result = bytes(32)
    with Path(path).open("rb") as file:
        while piece := file.read(PIECE):
            result = hashlib.blake2b(result + piece, digest_size=32).digest()
    return result.hex()


def grant(role: str, path: str, *, browser: str | None = None) -> dict:
    """An approval of the program at `path`, whatever the profile, started by `browser` if it is a browser's host."""
    # Whoever became another user meanwhile may not reach their own program by its path.
    file = Path("/proc/self/exe" if path == own_program() else path)
    status = file.stat()
    parts = "\n".join([role, "", path, "", browser or ""])
    return {
        "identifier": hashlib.blake2b(parts.encode(), digest_size=32).hexdigest()[:32],
        "name": Path(browser or path).name,
        "role": role,
        "isKnown": False,
        "path": path,
        "digest": digest(str(file), (status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns)),
        "coversAllProfiles": True,
        # The person is asked about each new site of a browser otherwise.
        "coversAllSites": True,
        "decision": "approved",
        "decidedAt": 1_790_000_000_000,
        **({"browser": browser} if browser else {}),
    }


def usual(prefix: Path, programs: Iterable[str | Path] = (), host: Path | None = None) -> list[dict]:
    """The programs of the installed tree, this one, and `programs`."""
    keyway = str((prefix / "bin/keyway").resolve())
    started = str((host or prefix / "libexec/keyway/keyway-browser-host").resolve())
    direct = [own_program(), *(str(Path(program).resolve()) for program in programs)]
    starters = [*direct, *(path for path in BROWSERS if Path(path).exists())]
    return [
        grant("terminal", keyway),
        *(grant(role, path) for path in direct for role in ("terminal", "browser")),
        *(grant("browser", started, browser=starter) for starter in starters),
    ]


def register(state: Path, name: str, counter: int, key: bytes) -> bytes:
    """The register of the files of settings, in which that one is counted."""
    file = state / "register.json"
    try:
        head, _, body = file.read_bytes().partition(b"\n")
        document, before = json.loads(body), json.loads(head)["counter"]
    except (OSError, ValueError, KeyError):
        document, before = {"files": {}, "floor": 0}, 0
    document["files"][name] = counter
    return seal(file.name, before + 1, document, key)


def write(prefix: Path, state: Path, environment: Mapping[str, str], grants: list[dict]) -> None:
    """Puts `grants` in the place of what the session's broker was told about programs."""
    key = store_key(prefix, state / "identities", environment)
    # Higher than that of any file before, also of those that a register counted which is lost.
    counter = time.time_ns() // 1_000_000
    for name, content in (
        ("register.json", register(state, "clients.json", counter, key)),
        ("clients.json", seal("clients.json", counter, {"clients": grants}, key)),
    ):
        fresh = state / f"{name}.new"
        fresh.write_bytes(content)
        fresh.chmod(0o600)
        fresh.rename(state / name)


if __name__ == "__main__":
    import sys

    # grants.py PREFIX STATE PROGRAM…: what a session in the environment of this process begins with.
    tree, folder, *others = map(Path, sys.argv[1:])
    # Measurements ask more than any person.
    write(tree, folder, os.environ, [one | {"isUncounted": True} for one in usual(tree, others)])
