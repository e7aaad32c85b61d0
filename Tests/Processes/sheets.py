"""`keyway-sheets` on a display of its own: the test plays the broker, and the person at the keyboard."""

from __future__ import annotations

import json
import os
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from wire import Closed, Peer, Refused

ROOT = Path(__file__).resolve().parents[2]
TREE = Path(__file__).with_name("accessible_tree.py")
PROVIDER = {"identifier": "org.example.manager", "name": "Manager"}


class Desk:
    """A session bus and the accessibility bus: what every desktop has, and nothing of the person's own."""

    # Where the bus of the session listens, if not where it likes.
    bus: Path | None = None

    def __init__(self, user: int | None = None) -> None:
        """`user` is whose desktop it is, if not that of whoever runs the tests."""
        self.who = {} if user is None else {"user": user, "group": user, "extra_groups": [], "cwd": "/"}
        self.folder = Path(tempfile.mkdtemp(prefix="keyway-display-"))
        self.processes: list[subprocess.Popen] = []
        (self.folder / "runtime").mkdir(mode=0o700)
        # Another user cannot read the tests.
        self.tree = shutil.copy(TREE, self.folder)
        if user is not None:
            for place in (self.folder, *self.folder.iterdir()):
                os.chown(place, user, user)
        self.environment = {
            "PATH": os.environ["PATH"],
            "HOME": str(self.folder),
            "LANG": "C.UTF-8",
            "XDG_RUNTIME_DIR": str(self.folder / "runtime"),
            "XDG_DATA_DIRS": "/usr/local/share:/usr/share",
        }
        try:
            self.environment |= self.open()
            bus = self.start(
                [
                    *("dbus-daemon", "--session", "--nofork", "--print-address"),
                    *([] if self.bus is None else [f"--address=unix:path={self.bus}"]),
                ],
                env=self.environment,
                stdout=subprocess.PIPE,
            )
            self.environment["DBUS_SESSION_BUS_ADDRESS"] = bus.stdout.readline().decode().strip()
        except BaseException:
            self.__exit__()
            raise

    def open(self) -> dict[str, str]:
        """Starts what is drawn on; the variables that lead there."""
        raise NotImplementedError

    def start(self, command: list[str], **options: object) -> subprocess.Popen:
        options.setdefault("stdout", subprocess.DEVNULL)
        process = subprocess.Popen(command, stderr=subprocess.DEVNULL, start_new_session=True, **self.who, **options)
        self.processes.append(process)
        return process

    def __enter__(self) -> Display:
        return self

    def __exit__(self, *_: object) -> None:
        for process in reversed(self.processes):
            # The bus started the programs of the accessibility bus, which belong to its group.
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGTERM)
        for process in self.processes:
            process.wait(20)
        shutil.rmtree(self.folder, ignore_errors=True)

    def run(self, *command: str) -> str:
        """What a program prints that looks at the display; nothing when it finds nothing there."""
        options = {"env": self.environment, "capture_output": True, "text": True, "timeout": 60}
        return subprocess.run(command, **self.who, **options).stdout

    def accessible(self, within: float = 30) -> list[dict]:
        """What a screen reader sees of the sheets: role, name and states of everything that is shown, in order."""
        return json.loads(self.reader(within=within))

    def reader(self, *words: str, within: float = 30) -> str:
        command = ["/usr/bin/python3", str(self.tree), "org.keyway.Sheets", *words]
        environment = self.environment | {"ACCESSIBLE_UNTIL": str(time.monotonic() + within)}
        options = {"env": environment, "capture_output": True, "text": True, "timeout": 90}
        output = subprocess.run(command, **self.who, **options)
        assert output.returncode == 0, output.stderr
        return output.stdout

    def use(self, name: str) -> None:
        """Does what the button or row called so does, as a screen reader's user would."""
        self.reader("press", name)

    def can_use(self, name: str) -> None:
        """Waits until the button called so takes clicks; its label always looks as if it did."""

        def is_usable() -> bool:
            buttons = [node for node in self.accessible() if node["role"] in ("push button", "button")]
            return any(node["name"] == name and "sensitive" in node["states"] for node in buttons)

        until(is_usable, 60, f"{name} cannot be used")

    def fill(self, name: str, text: str) -> None:
        """Puts a text into the field called so, likewise."""
        self.reader("type", name, text)


class Display(Desk):
    """An X server, with the keyboard and the pointer of a person."""

    def open(self) -> dict[str, str]:
        return {"DISPLAY": self.start_server()}

    def start_server(self) -> str:
        reader, writer = os.pipe()
        self.start(
            ["Xvfb", "-displayfd", str(writer), "-screen", "0", "1200x1000x24", "-dpi", "96", "-noreset"],
            pass_fds=(writer,),
        )
        os.close(writer)
        with os.fdopen(reader) as pipe:
            number = pipe.readline().strip()
        assert number, "Xvfb did not start"
        return f":{number}"

    def seen(self) -> dict[str, str]:
        """The windows that are seen, in the order of the server: number and title."""
        numbers = self.run("xdotool", "search", "--onlyvisible", "--class", "org.keyway.Sheets").split()
        titles = {number: self.run("xdotool", "getwindowname", number).strip() for number in numbers}
        return {number: title for number, title in titles.items() if title}

    def windows(self) -> list[str]:
        """The titles of the windows that are seen."""
        return list(self.seen().values())

    def window(self, title: str, within: float = 30) -> str:
        """The number of the window with that title, once it is seen and has the keys."""
        seen: dict[str, str] = {}

        def is_there() -> bool:
            # Not by `search --name`, which reads what a program leaves empty whose locale is not there.
            seen.clear()
            seen.update(self.seen())
            return title in seen.values()

        until(is_there, within, lambda: f"no window called {title!r}, only {list(seen.values())}")
        number = next(number for number, name in seen.items() if name == title)
        self.run("xdotool", "windowfocus", "--sync", number)
        return number

    def press(self, *keys: str) -> None:
        for key in keys:
            self.run("xdotool", "key", key)

    def type(self, text: str) -> None:
        self.run("xdotool", "type", "--delay", "20", text)

    def click(self, window: str, x: int, y: int) -> None:
        self.run("xdotool", "mousemove", "--window", window, str(x), str(y), "click", "1")

    def size(self, window: str) -> tuple[int, int]:
        shell = self.run("xdotool", "getwindowgeometry", "--shell", window)
        values = dict(line.split("=") for line in shell.split())
        return int(values["WIDTH"]), int(values["HEIGHT"])


class Compositor(Display):
    """A Wayland compositor, whose screen, keyboard and pointer are those of an X server that nobody else uses."""

    def open(self) -> dict[str, str]:
        self.server = self.start_server()
        options = ["--backend=x11-backend.so", "--use-pixman", "--width=1000", "--height=900"]
        self.start(
            ["weston", *options, "--socket=wayland-test", "--idle-time=0", "--no-config"],
            env=self.environment | {"DISPLAY": self.server},
        )
        until((self.folder / "runtime/wayland-test").exists, otherwise="weston did not start")
        return {"WAYLAND_DISPLAY": "wayland-test"}

    def run(self, *command: str) -> str:
        environment = self.environment | {"DISPLAY": self.server}
        return subprocess.run(command, env=environment, capture_output=True, text=True, timeout=60).stdout

    def windows(self) -> list[str]:
        """The titles of the windows that are seen, as a screen reader says them."""
        roles = ("frame", "window", "dialog")
        return [node["name"] for node in self.accessible() if node["role"] in roles]

    def window(self, title: str, within: float = 30) -> str:
        """Waits until there is a window with that title; the number of the compositor's own, which has the keys."""
        until(lambda: title in self.windows(), within, f"no window called {title!r}")
        number = self.run("xdotool", "search", "--onlyvisible", "--class", "weston").split()[0]
        self.run("xdotool", "windowfocus", "--sync", number)
        return number


class Sheets:
    """The program, born with a connection to the test."""

    def __init__(self, program: Path, display: Display, **variables: str) -> None:
        mine, theirs = socket.socketpair()
        mine.setblocking(True)
        environment = display.environment | variables
        environment = {name: value for name, value in environment.items() if value}
        self.log = display.folder / "sheets.log"
        with self.log.open("wb") as log:
            # The shell moves the connection to the number that the program expects; it is replaced by the program.
            self.process = subprocess.Popen(
                ["/bin/bash", "-c", f'exec "$0" 3<&{theirs.fileno()} {theirs.fileno()}<&-', str(program)],
                env=environment,
                pass_fds=(theirs.fileno(),),
                stderr=log,
            )
        theirs.close()
        self.peer = Peer(mine)

    def greet(self) -> Sheets:
        try:
            message, _ = self.peer.receive(60)
        except Closed:
            raise AssertionError(f"it ended: {self.log.read_text()}") from None
        assert message["method"] == "hello"
        self.hello = message["params"]
        answer = {"protocol": {"major": 1, "minor": 0}, "name": "test"}
        self.peer.send({"jsonrpc": "2.0", "id": message["id"], "result": answer})
        return self

    def __enter__(self) -> Sheets:
        return self

    def __exit__(self, *_: object) -> None:
        self.peer.close()
        try:
            self.process.wait(20)
        finally:
            self.process.kill()

    def show(self, request: int, interface: dict, service: str | None = "example.com", **more: object) -> None:
        parameters = {"request": request, "provider": PROVIDER, "interface": interface, **more}
        if service is not None:
            parameters["service"] = service
        self.peer.notify("presentation.show", parameters)

    def end(self, request: int) -> None:
        self.peer.notify("presentation.end", {"request": request})

    def event(self, request: int, within: float = 30) -> dict:
        """What the person did next; what was sent beside it is in `received`."""
        deadline = time.monotonic() + within
        while True:
            message, descriptors = self.peer.receive(deadline - time.monotonic())
            if message.get("method") == "presentation.event":
                assert message["params"]["request"] == request
                self.received = descriptors
                return message["params"]["event"]
            self.peer.notifications.append(message)

    def ask(self, question: dict) -> int:
        return self.peer.request("person.ask", {"question": question})

    def is_there(self) -> bool:
        """Whether it is at work: it has drawn what was sent before."""
        return self.peer.answer(self.peer.request("presentation.check", {}), 30)[0] == {}

    def answer(self, number: int) -> tuple[dict, list[int]]:
        result, descriptors = self.peer.answer(number, 30)
        return result["answer"], descriptors


def until(
    condition: Callable[[], bool], within: float = 30, otherwise: str | Callable[[], str] = "it never became so"
) -> None:
    deadline = time.monotonic() + within
    while not condition():
        assert time.monotonic() < deadline, otherwise() if callable(otherwise) else otherwise
        time.sleep(0.05)


@contextmanager
def refused(kind: str) -> Iterator[None]:
    try:
        yield
    except Refused as error:
        assert error.kind == kind
    else:
        raise AssertionError("it was not refused")


# Interfaces as a provider describes them.


def a_list(*titles: str, search: str = "rows", title: str = "Accounts", sections: list | None = None) -> dict:
    rows = [{"id": f"id of {name}", "title": name} for name in titles]
    return {"list": {"_0": {"title": title, "sections": sections or [{"rows": rows}], "search": search}}}


def a_form(*fields: tuple[str, str | None], error: str | None = None, title: str = "Unlock") -> dict:
    """Fields by id; with None in place of their text they are secure."""
    described = [
        {
            "id": name,
            "label": f"Label of {name}",
            "kind": {"secure": {}} if text is None else {"text": {"initial": text}},
        }
        for name, text in fields
    ]
    form = {"title": title, "fields": described, "submitTitle": "Go on"}
    return {"form": {"_0": form | ({"error": error} if error else {})}}


def a_message(*actions: str, title: str = "Attention", text: str = "Something happened.") -> dict:
    described = [{"id": f"id of {name}", "title": name} for name in actions]
    return {"message": {"_0": {"title": title, "text": text, "style": "warning", "actions": described}}}
