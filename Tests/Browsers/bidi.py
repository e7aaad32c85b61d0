"""One WebDriver BiDi driver for Chromium (through chromedriver) and Firefox (directly)."""

import base64
import itertools
import json
import os
import re
import shutil
import signal
import subprocess
import time
import urllib.request
from pathlib import Path

from websockets.sync.client import ClientConnection, connect

ANSWER_LIMIT = 60
KEYS = {"Enter": "\ue007", "Escape": "\ue00c", "Tab": "\ue004", "ArrowDown": "\ue015", "ArrowUp": "\ue013"}
PREFERENCES = {
    "app.update.enabled": False,
    "browser.shell.checkDefaultBrowser": False,
    "datareporting.policy.dataSubmissionEnabled": False,
    "extensions.update.enabled": False,
    # The last one is in the list of sites that share their accounts.
    "network.dns.localDomains": "bank.test,login.bank.test,evil.test,envato.com",
    # Nothing of the browser's own may leave the machine: its proxy is a port where nobody listens.
    "network.proxy.type": 1,
    "network.proxy.http": "127.0.0.1",
    "network.proxy.http_port": 9,
    "network.proxy.ssl": "127.0.0.1",
    "network.proxy.ssl_port": 9,
    "network.proxy.no_proxies_on": "localhost,127.0.0.1,.test,envato.com",
    "signon.rememberSignons": False,
}
# Names for tests are this machine; every other name is nobody.
RESOLVED = (
    "MAP *.test 127.0.0.1, MAP *.localhost 127.0.0.1, MAP envato.com 127.0.0.1, MAP * ~NOTFOUND, EXCLUDE localhost, "
    "EXCLUDE 127.0.0.1"
)


class DriverError(Exception):
    """The browser refused a command."""


class Browser:
    """A running browser with one tab; every call is one command of the protocol."""

    def __init__(self, name: str, process: subprocess.Popen, socket: ClientConnection) -> None:
        self.name = name
        self._process = process
        self._socket = socket
        self._ids = itertools.count(1)
        self.context = ""
        self.session = ""
        # Where Chromium's own protocol is spoken, besides its driver.
        self.debugger = ""

    def send(self, method: str, **params: object) -> dict:
        """Sends one command and waits for its answer."""
        number = next(self._ids)
        self._socket.send(json.dumps({"id": number, "method": method, "params": params}))
        while True:
            message = json.loads(self._socket.recv(timeout=ANSWER_LIMIT))
            if message.get("id") != number:
                continue
            if message["type"] == "error":
                raise DriverError(f"{method}: {message['error']}: {message['message']}")
            return message["result"]

    def install(self, extension: Path, private: bool = False) -> None:
        """Loads the extension; Firefox is told here whether it may run in private windows too."""
        allowed = {"moz:allowPrivateBrowsing": True} if private and self.name == "firefox" else {}
        self.send("webExtension.install", extensionData={"type": "path", "path": str(extension)}, **allowed)

    def adopt_first_tab(self) -> None:
        self.context = self.send("browsingContext.getTree")["contexts"][0]["context"]

    def open(self, url: str) -> None:
        self.send("browsingContext.navigate", context=self.context, url=url, wait="complete")
        if self.name == "firefox":
            self._focus_page()

    def _focus_page(self) -> None:
        """Firefox leaves the focus in its address bar; a page without it gets keys, but no focus events."""
        self.in_chrome("gBrowser.selectedBrowser.focus()")

    def in_chrome(self, expression: str) -> None:
        """Runs code in Firefox's own window."""
        window = self.send("browsingContext.getTree", **{"moz:scope": "chrome"})["contexts"][0]["context"]
        self.send("script.evaluate", expression=expression, target={"context": window}, awaitPromise=False)

    def chrome_value(self, expression: str) -> object:
        """What code in Firefox's own window comes to, as far as that is a text."""
        window = self.send("browsingContext.getTree", **{"moz:scope": "chrome"})["contexts"][0]["context"]
        answer = self.send("script.evaluate", expression=expression, target={"context": window}, awaitPromise=True)
        if answer["type"] == "exception":
            raise DriverError(answer["exceptionDetails"]["text"])
        return answer["result"].get("value")

    def preference(self, name: str, value: int) -> None:
        self.in_chrome(f"Services.prefs.setIntPref({json.dumps(name)}, {value})")

    def move_window(self, left: int, top: int) -> None:
        """Puts the window somewhere on, or off, the screen."""
        if self.name == "firefox":
            self.in_chrome(f"window.moveTo({left}, {top})")
        else:
            window = self.devtools("Browser.getWindowForTarget", {})["windowId"]
            self.devtools("Browser.setWindowBounds", {"windowId": window, "bounds": {"left": left, "top": top}})

    def set_viewport(self, size: tuple[int, int] | None) -> None:
        """How large the page of the tab is; as large as its window without `size`."""
        viewport = {"width": size[0], "height": size[1]} if size else None
        self.send("browsingContext.setViewport", context=self.context, viewport=viewport)

    def devtools(self, method: str, params: dict) -> dict:
        """A command of Chromium's own protocol, by way of its driver."""
        return post(f"{self.session}/goog/cdp/execute", {"cmd": method, "params": params})

    def frames(self) -> list[dict]:
        """The frames right inside the page: their `context` and `url`."""
        return self.send("browsingContext.getTree", root=self.context)["contexts"][0]["children"]

    def evaluate(self, expression: str, context: str | None = None, *, gesture: bool = False) -> object:
        """What an expression in the page's own world comes to, by way of JSON."""
        result = self.send(
            "script.evaluate",
            expression=f"Promise.resolve({expression}).then((value) => JSON.stringify(value ?? null))",
            target={"context": context or self.context},
            awaitPromise=True,
            userActivation=gesture,
        )
        if result["type"] == "exception":
            raise DriverError(result["exceptionDetails"]["text"])
        return json.loads(result["result"]["value"])

    def tree(self, expression: str, context: str | None = None) -> dict:
        """An element of the page with what is under it, closed shadow roots included."""
        result = self.send(
            "script.evaluate",
            expression=expression,
            target={"context": context or self.context},
            awaitPromise=False,
            serializationOptions={"includeShadowTree": "all", "maxDomDepth": 12},
        )
        return result["result"]

    def click(self, x: float, y: float, context: str | None = None, after_ms: int = 0, button: int = 0) -> None:
        """A real click; the pointer arrives first and rests there for `after_ms`."""
        self._point(*pressing(x, y, after_ms, button), {"type": "pointerUp", "button": button}, context=context)

    def press_pointer(self, x: float, y: float, context: str | None = None, after_ms: int = 0) -> None:
        """The first half of a click: the button stays down until `release_pointer`."""
        self._point(*pressing(x, y, after_ms), context=context)

    def release_pointer(self, context: str | None = None) -> None:
        """The second half, where the pointer is."""
        self._point({"type": "pointerUp", "button": 0}, context=context)

    def _point(self, *actions: dict, context: str | None) -> None:
        source = {"type": "pointer", "id": "mouse", "parameters": {"pointerType": "mouse"}, "actions": actions}
        self.send("input.performActions", context=context or self.context, actions=[source])

    def scroll(self, x: float, y: float, down: int) -> None:
        """Turns the wheel there, by CSS pixels."""
        action = {"type": "scroll", "x": round(x), "y": round(y), "deltaX": 0, "deltaY": down}
        source = {"type": "wheel", "id": "wheel", "actions": [action]}
        self.send("input.performActions", context=self.context, actions=[source])

    def press(self, *keys: str, context: str | None = None, after_ms: int = 0) -> None:
        """Real keys, by name or as text."""
        actions: list[dict] = [{"type": "pause", "duration": after_ms}]
        for key in keys:
            for character in [KEYS[key]] if key in KEYS else key:
                actions += [{"type": "keyDown", "value": character}, {"type": "keyUp", "value": character}]
        source = {"type": "key", "id": "keyboard", "actions": actions}
        self.send("input.performActions", context=context or self.context, actions=[source])

    def screenshot(self, path: Path) -> None:
        path.write_bytes(self.picture())

    def picture(self, part: dict[str, float] | None = None) -> bytes:
        """What the tab shows, or the box `part` of it, as PNG."""
        clip = {"clip": {"type": "box", **part}} if part else {}
        answer = self.send("browsingContext.captureScreenshot", context=self.context, origin="viewport", **clip)
        return base64.b64decode(answer["data"])

    def close(self) -> None:
        self._socket.close()
        stop(self._process)


def pressing(x: float, y: float, after_ms: int, button: int = 0) -> list[dict]:
    """What the pointer does up to the press."""
    return [
        {"type": "pointerMove", "x": round(x), "y": round(y)},
        {"type": "pause", "duration": after_ms},
        {"type": "pointerDown", "button": button},
    ]


def stop(process: subprocess.Popen) -> None:
    """Ends a process and what it started; it leads a process group of its own."""
    try:
        os.killpg(process.pid, signal.SIGTERM)
        process.wait(10)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
    except ProcessLookupError:
        process.wait()


def start(
    command: list[str], log: Path, ready: str, environment: dict[str, str], **who: object
) -> tuple[subprocess.Popen, str]:
    """Starts a program and waits until its output says that it is ready; gives what `ready` captured.

    `who` are options of Popen that say whose program it is, if not that of whoever runs the tests.
    """
    with log.open("wb") as output:
        process = subprocess.Popen(
            command, stdout=output, stderr=subprocess.STDOUT, env=environment, start_new_session=True, **who
        )
    deadline = time.monotonic() + ANSWER_LIMIT
    while time.monotonic() < deadline and process.poll() is None:
        if found := re.search(ready, log.read_text(errors="replace")):
            return process, found[1]
        time.sleep(0.02)
    stop(process)
    raise DriverError(f"{command[0]} did not start: {log.read_text(errors='replace')[-2000:]}")


def chromium_arguments(profile: Path) -> list[str]:
    """What every Chromium of ours is started with, also the one that a person sees."""
    arguments = [
        "--no-first-run",
        "--disable-background-networking",
        "--disable-component-update",
        f"--host-resolver-rules={RESOLVED}",
        f"--user-data-dir={profile}",
    ]
    # Chromium's sandbox does not start as root; as anybody else it stays on.
    return ["--no-sandbox", *arguments] if os.geteuid() == 0 else arguments


def post(address: str, body: dict) -> dict:
    """One command of classic WebDriver."""
    request = urllib.request.Request(address, json.dumps(body).encode(), {"Content-Type": "application/json"})
    with urllib.request.urlopen(request, timeout=ANSWER_LIMIT) as answer:
        return json.load(answer)["value"]


def start_chromium(
    folder: Path,
    profile: Path,
    environment: dict[str, str],
    arguments: list[str],
    warns: bool = False,
    **who: object,
) -> Browser:
    """With `warns`, it warns of a broken certificate, as it does for a person, instead of taking it for a good one."""
    driver = shutil.which("chromedriver")
    if driver is None:
        raise DriverError("chromedriver is not installed (Debian: chromium-driver)")
    process, port = start(
        [driver, "--port=0"], folder / "driver.log", r"started successfully on port (\d+)", environment, **who
    )
    options = {
        "binary": shutil.which("chromium"),
        "args": ["--headless=new", "--window-size=1000,700", *chromium_arguments(profile), *arguments],
    }
    wanted = {"browserName": "chrome", "webSocketUrl": True, "acceptInsecureCerts": not warns}
    wanted |= {"goog:chromeOptions": options}
    try:
        answer = post(f"http://127.0.0.1:{port}/session", {"capabilities": {"alwaysMatch": wanted}})
        address = answer["capabilities"]["webSocketUrl"]
        browser = Browser("chromium", process, connect(address, max_size=None, proxy=None, legacy=True))
        browser.session = f"http://127.0.0.1:{port}/session/{answer['sessionId']}"
        browser.debugger = answer["capabilities"]["goog:chromeOptions"]["debuggerAddress"]
        return browser
    except BaseException:
        stop(process)
        raise


def start_firefox(
    folder: Path, profile: Path, environment: dict[str, str], preferences: dict[str, object], **who: object
) -> Browser:
    lines = [
        f"user_pref({json.dumps(name)}, {json.dumps(value)});" for name, value in (PREFERENCES | preferences).items()
    ]
    profile.mkdir(exist_ok=True)
    (profile / "user.js").write_text("\n".join(lines))
    command = ["firefox-esr", "--headless", "--no-remote", "--width=1000", "--height=700"]
    command += ["--profile", str(profile), "--remote-debugging-port", "0", "--remote-allow-system-access"]
    process, address = start(
        command, folder / "firefox.log", r"WebDriver BiDi listening on (ws://\S+)", environment, **who
    )
    try:
        browser = Browser("firefox", process, connect(f"{address}/session", max_size=None, proxy=None, legacy=True))
        browser.send("session.new", capabilities={"alwaysMatch": {"acceptInsecureCerts": True}})
        return browser
    except BaseException:
        stop(process)
        raise
