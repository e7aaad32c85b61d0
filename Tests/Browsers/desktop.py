"""A desktop for the browser tests: where the windows of `keyway-sheets` are, and the person who answers in them."""

import ctypes
import struct
import sys
import time
import zlib
from pathlib import Path

# The display of the process tests; at the end of the path, because both folders have a `conftest`.
sys.path.append(str(Path(__file__).parents[1] / "Processes"))

from sheets import Display, until

__all__ = ["Desktop"]
LIMIT = 60
# How long a question stands there before a choice counts, in seconds, and a little more.
CONSIDERATION = 1.0
# How long the window may take to go on after a choice, in seconds, before it is made again.
ANSWERED = 5.0
ALL_PLANES = 0xFFFFFFFF
Z_PIXMAP = 2


def title(who: str, site: str) -> str:
    """The title of a window: each name keeps a direction of its own."""
    return f"\u2068{who}\u2069 for \u2068{site}\u2069"


class Desktop(Display):
    """The display, and what a person does there. `accounts` are the titles of all that the vault has."""

    accounts: tuple[str, ...] = ()

    def unlock(self, site: str, master: str) -> None:
        """Types the master password, once it is asked for."""
        self.window(title("Passwords", site), LIMIT)
        self.wait_for("Master password")
        self.type(master)
        self.press("Return")

    def wait_for_list(self, site: str) -> None:
        self.window(title("Passwords", site), LIMIT)
        self.wait_for("All passwords")

    def pick(self, site: str, name: str) -> None:
        """Finds an account in the list by typing, and takes it."""
        self.wait_for_list(site)
        self.type(name)
        # Each letter is a search of its own: Return is for what the whole word finds.
        until(lambda: self.rows() == [name], LIMIT, "the list does not come down to one row")
        self.press("Return")

    def question(self, site: str, *names: str) -> None:
        """Waits for the system's own question, and that it says these names."""
        self.window(title("Keyway", site), LIMIT)
        self.wait_for(site, *names)

    def allow(self, site: str) -> None:
        """Says yes to the system's own question, which takes a moment before it can be said."""
        self.window(title("Keyway", site), LIMIT)
        until(lambda: "sensitive" in self.states("Allow"), LIMIT, "it cannot be allowed")
        until(lambda: self.goes_to("Allow"), LIMIT, "the keys do not come to the button")
        self.press("Return")

    def refuse(self, who: str, site: str) -> None:
        self.window(title(who, site), LIMIT)
        self.press("Escape")

    def rows(self) -> list[str]:
        """Which of the accounts are listed, each once."""
        names = [node["name"] for node in self.accessible()]
        return [title for title in self.accounts if any(name.startswith(title) for name in names)]

    def goes_to(self, name: str) -> bool:
        """Whether the keys are there; if not, one step further: where they begin, the window says when it is drawn."""
        if "focused" in self.states(name):
            return True
        self.press("Tab")
        return "focused" in self.states(name)

    def choose(self, site: str, name: str) -> None:
        """Goes to a row of the system's own list with the keys, and takes it."""
        self.question(site, name)
        self.take_row(name)

    def take_row(self, name: str) -> None:
        until(lambda: self.is_at(name), LIMIT, f"the keys do not come to the row {name}")

        def is_taken() -> bool:
            # What is taken at once was meant for something else, and does not count: from when the window is drawn.
            time.sleep(CONSIDERATION)
            if self.stands_at(name):
                self.press("Return")
            end = time.monotonic() + ANSWERED
            while self.stands_at(name) and time.monotonic() < end:
                time.sleep(0.05)
            return not self.stands_at(name)

        until(is_taken, LIMIT, f"the row {name} is not taken")

    def confirm(self, site: str, master: str) -> None:
        """Shows who is there, once the system asks."""
        self.question(site, "Confirm it\u2019s you")
        self.wait_for("Master password")
        self.type(master)
        self.press("Return")

    def is_at(self, name: str) -> bool:
        """Whether the keys are at the row that begins like that; if not, one step further."""
        if is_chosen(name, self.accessible()):
            return True
        self.press("Down")
        return False

    def stands_at(self, name: str) -> bool:
        """Whether the keys are at such a row still; waits for no window."""
        if not self.windows():
            return False
        try:
            return is_chosen(name, self.accessible(within=2))
        except AssertionError:
            # The window went meanwhile, or the machine is slow.
            return bool(self.windows())

    def states(self, name: str) -> list[str]:
        return [state for node in self.accessible() if node["name"] == name for state in node["states"]]

    def wait_for(self, *texts: str) -> None:
        """Waits until a screen reader would read these out."""

        names: list[str] = []

        def are_there() -> bool:
            names[:] = [node["name"] for node in self.accessible()]
            return all(any(text in name for name in names) for text in texts)

        until(are_there, LIMIT, lambda: f"the window does not say {texts}, only {[name for name in names if name]}")

    def wait_until_empty(self) -> None:
        until(lambda: not self.windows(), LIMIT, "a window stays")

    def picture(self, path: Path) -> None:
        """What the display shows, as PNG."""
        path.write_bytes(png(*pixels(self.environment["DISPLAY"])))


def is_chosen(name: str, nodes: list[dict]) -> bool:
    rows = [node for node in nodes if node["name"].startswith(name)]
    return any({"focused", "selected"} & set(node["states"]) for node in rows)


class Image(ctypes.Structure):
    """The beginning of Xlib's XImage."""

    _fields_ = [
        ("width", ctypes.c_int),
        ("height", ctypes.c_int),
        ("xoffset", ctypes.c_int),
        ("format", ctypes.c_int),
        ("data", ctypes.POINTER(ctypes.c_char)),
        ("byte_order", ctypes.c_int),
        ("bitmap_unit", ctypes.c_int),
        ("bitmap_bit_order", ctypes.c_int),
        ("bitmap_pad", ctypes.c_int),
        ("depth", ctypes.c_int),
        ("bytes_per_line", ctypes.c_int),
    ]


def pixels(display: str) -> tuple[int, int, bytes]:
    """Width, height and the pixels of a display of 24 bits: blue, green, red and nothing."""
    library = ctypes.CDLL("libX11.so.6")
    for name in ("XOpenDisplay", "XDefaultRootWindow", "XGetImage"):
        getattr(library, name).restype = ctypes.c_void_p
    connection = ctypes.c_void_p(library.XOpenDisplay(display.encode()))
    root = ctypes.c_void_p(library.XDefaultRootWindow(connection))
    width, height = library.XDisplayWidth(connection, 0), library.XDisplayHeight(connection, 0)
    planes = ctypes.c_ulong(ALL_PLANES)
    image = Image.from_address(library.XGetImage(connection, root, 0, 0, width, height, planes, Z_PIXMAP))
    data = ctypes.string_at(image.data, image.bytes_per_line * height)
    library.XCloseDisplay(connection)
    return width, height, data


def png(width: int, height: int, data: bytes) -> bytes:
    rows = []
    for y in range(height):
        line = data[y * width * 4 : (y + 1) * width * 4]
        row = bytearray(width * 3)
        row[0::3], row[1::3], row[2::3] = line[2::4], line[1::4], line[0::4]
        rows.append(b"\0" + bytes(row))

    def chunk(kind: bytes, body: bytes) -> bytes:
        return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))

    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    body = zlib.compress(b"".join(rows))
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", body) + chunk(b"IEND", b"")
