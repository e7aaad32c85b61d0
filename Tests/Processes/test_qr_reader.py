"""`keyway-qr-reader`: one picture in, links out."""

import os
import socket
import struct
import subprocess
import zlib
from pathlib import Path

import pytest

LINK = "otpauth://totp/Example:ada?secret=JBSWY3DPEHPK3PXP&issuer=Example"
VECTORS = Path(__file__).resolve().parents[1] / "Vectors" / "otp"


def squares(text: str) -> list[list[bool]]:
    """The code for a text, dark squares true, as qrencode draws it."""
    drawn = subprocess.run(
        ["qrencode", "-8", "-m", "4", "-t", "ASCII", text], capture_output=True, text=True, check=True
    )
    return [[line[index] == "#" for index in range(0, len(line), 2)] for line in drawn.stdout.splitlines() if line]


def png(rows: list[list[int]], scale: int = 3, colour: int = 0) -> bytes:
    """A picture of grey points, each `scale` points wide; with `colour` 4, dark ones on nothing at all."""

    def chunk(name: bytes, content: bytes) -> bytes:
        return struct.pack(">I", len(content)) + name + content + struct.pack(">I", zlib.crc32(name + content))

    def line(row: list[int]) -> bytes:
        points = [point for point in row for _ in range(scale)]
        return b"\0" + (bytes(points) if colour == 0 else b"".join(bytes([0, 255 - point]) for point in points))

    header = struct.pack(">IIBBBBB", len(rows[0]) * scale, len(rows) * scale, 8, colour, 0, 0, 0)
    data = zlib.compress(b"".join(line(row) for row in rows for _ in range(scale)))
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", data) + chunk(b"IEND", b"")


def grey(code: list[list[bool]]) -> list[list[int]]:
    return [[0 if dark else 255 for dark in row] for row in code]


@pytest.fixture
def read(stage, tmp_path):
    """Runs the program on a picture; its exit status and the lines that it printed."""

    def run(picture: bytes, *arguments: str) -> tuple[int, list[str]]:
        path = tmp_path / "picture"
        path.write_bytes(picture)
        program = stage / "libexec/keyway/keyway-qr-reader"
        ours, theirs = socket.socketpair()
        with path.open("rb") as file, ours, theirs:
            ours.settimeout(60)

            def descriptors() -> None:
                image, channel = os.dup(file.fileno()), os.dup(theirs.fileno())
                os.dup2(channel, 3)
                os.dup2(image, 4)

            child = subprocess.Popen(
                [program, *arguments], preexec_fn=descriptors, close_fds=False, stderr=subprocess.PIPE, env={}
            )
            theirs.close()
            printed = b"".join(iter(lambda: ours.recv(65536), b""))
            child.communicate(timeout=60)
        return child.returncode, printed.decode().splitlines()

    return run


@pytest.mark.parametrize("name", ["qr-link.png", "qr-link.jpg"])
def test_the_link_in_a_picture_is_printed(read, name):
    assert read((VECTORS / name).read_bytes()) == (0, [LINK])


def test_a_code_is_found_in_a_screenshot_and_in_a_dark_theme(read):
    code = grey(squares(LINK))
    side = len(code[0])
    screen = [[200] * 400 for _ in range(300)]
    for row, points in enumerate(code):
        screen[100 + row][150 : 150 + side] = points
    assert read(png(screen)) == (0, [LINK])
    assert read(png([[255 - point for point in row] for row in screen])) == (0, [LINK])
    assert read(png(code, colour=4)) == (0, [LINK])


def test_each_code_of_a_picture_is_printed(read):
    second = "otpauth-migration://offline?data=CgcKBQECAwQF"
    one, other = grey(squares(LINK)), grey(squares(second))
    width = max(len(one[0]), len(other[0]))
    rows = [row + [255] * (width - len(row)) for row in [*one, *other]]
    status, links = read(png(rows))
    assert status == 0
    assert sorted(links) == sorted([LINK, second])


@pytest.mark.parametrize("text", ["https://example.com/", "WIFI:S:net;P:secret;;", "otpauth://totp/a b?secret=AA"])
def test_nothing_else_that_a_code_says_is_printed(read, text):
    assert read(png(grey(squares(text)))) == (1, [])


def test_what_is_no_picture_or_too_large_is_refused(read):
    assert read(b"") == (65, [])
    assert read(b"GIF89a") == (65, [])
    header = struct.pack(">IIBBBBB", 900_000, 900_000, 8, 0, 0, 0, 0)
    chunk = b"IHDR" + header
    bomb = b"\x89PNG\r\n\x1a\n" + struct.pack(">I", 13) + chunk + struct.pack(">I", zlib.crc32(chunk))
    assert read(bomb + b"\0" * 1000) == (65, [])
    assert read(b"\x89PNG" + b"\0" * (33 << 20)) == (65, [])
    assert read(b"", "argument") == (64, [])
