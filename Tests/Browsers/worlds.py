"""Code in the worlds of Chromium that its driver doesn't name: the extension's background, and its script in a page."""

import json
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager

from bidi import ANSWER_LIMIT, Browser
from native_host import CHROMIUM_EXTENSION
from websockets.sync.client import ClientConnection, connect

OURS = f"chrome-extension://{CHROMIUM_EXTENSION}"


class World:
    """Where code runs: a target of Chromium's own protocol, or one of the worlds in it."""

    def __init__(self, socket: ClientConnection) -> None:
        self._socket = socket
        self._world: dict[str, int] = {}

    def enter_content_script(self) -> None:
        """From now on, code runs where the extension's script in the page does."""
        _, events = self._send("Runtime.enable", {})
        worlds = [each["params"]["context"] for each in events if each["method"] == "Runtime.executionContextCreated"]
        (ours,) = [each["id"] for each in worlds if each["origin"] == OURS and each["auxData"]["type"] == "isolated"]
        self._world = {"contextId": ours}

    def evaluate(self, expression: str) -> object:
        """What an expression comes to there, by way of JSON."""
        command = {"expression": expression, "awaitPromise": True, "returnByValue": True, **self._world}
        answer, _ = self._send("Runtime.evaluate", command)
        assert "exceptionDetails" not in answer, answer
        return answer["result"].get("value")

    def _send(self, method: str, params: dict) -> tuple[dict, list[dict]]:
        """The answer to one command, and what happened before it."""
        self._socket.send(json.dumps({"id": 1, "method": method, "params": params}))
        events = []
        while (message := json.loads(self._socket.recv(timeout=ANSWER_LIMIT))).get("id") != 1:
            events.append(message)
        return message["result"], events


@contextmanager
def background(browser: Browser) -> Iterator[World]:
    """The background of the extension."""
    with target(browser, "service_worker", f"{OURS}/src/background/main.js") as world:
        yield world


@contextmanager
def content_script(browser: Browser, url: str) -> Iterator[World]:
    """The extension's script in the page at `url`: whoever took over the renderer of that page speaks from there."""
    with target(browser, "page", url) as world:
        world.enter_content_script()
        yield world


@contextmanager
def target(browser: Browser, kind: str, url: str) -> Iterator[World]:
    with urllib.request.urlopen(f"http://{browser.debugger}/json/list", timeout=ANSWER_LIMIT) as answer:
        (found,) = [each for each in json.load(answer) if each["type"] == kind and each["url"] == url]
    with connect(found["webSocketDebuggerUrl"], max_size=None, proxy=None, legacy=True) as socket:
        yield World(socket)
