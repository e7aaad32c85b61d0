"""Looks for secrets in the memory of another process, as root may: what a thief of the memory would do."""

from __future__ import annotations

from pathlib import Path

CHUNK = 1 << 18
NOTHING = bytes(CHUNK)


def occurrences(pid: int, secrets: dict[str, bytes]) -> dict[str, int]:
    """How often each secret stands in the memory of a process: text in two encodings, numbers both ways round."""
    found = dict.fromkeys(secrets, 0)
    forms = {name: shapes(secret) for name, secret in secrets.items()}
    longest = max(len(form) for each in forms.values() for form in each)
    with Path(f"/proc/{pid}/mem").open("rb", buffering=0) as memory:
        for start, end in regions(pid):
            for part in parts(memory, start, end, longest - 1):
                for name, each in forms.items():
                    found[name] += sum(part.count(form) for form in each)
    return found


def shapes(secret: bytes) -> list[bytes]:
    try:
        return [secret, secret.decode().encode("utf-16-le")]
    except UnicodeDecodeError:
        return [secret, secret[::-1]]


def regions(pid: int) -> list[tuple[int, int]]:
    """Every mapping, also those that the process itself may not read."""
    found = []
    for line in Path(f"/proc/{pid}/maps").read_text().splitlines():
        if line.endswith("[vvar]") or line.endswith("[vsyscall]"):
            continue
        start, _, end = line.split()[0].partition("-")
        found.append((int(start, 16), int(end, 16)))
    return found


def parts(memory, start: int, end: int, overlap: int):
    """The region in pieces, each with the end of the one before; what cannot be read is passed over by the page."""
    before = b""
    while start < end:
        try:
            memory.seek(start)
            data = memory.read(min(CHUNK, end - start))
        except OSError:
            data = b""
        if not data:
            before = b""
            start += 4096
            continue
        # Most of what is mapped was never touched.
        if data == NOTHING:
            before = b""
        else:
            yield before + data
            before = data[-overlap:]
        start += len(data)
