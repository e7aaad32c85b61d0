"""Profiles in which the real browsers stored passwords."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import time
import urllib.request
from pathlib import Path

from websockets.sync.client import connect

FIREFOX_LOGINS = """
const [logins, primary, never, done] = arguments;
(async () => {
  for (const [origin, action, realm, user, password] of logins) {
    const login = Cc["@mozilla.org/login-manager/loginInfo;1"].createInstance(Ci.nsILoginInfo);
    login.init(origin, action, realm, user, password, "", "");
    await Services.logins.addLoginAsync(login);
  }
  for (const site of never) Services.logins.setLoginSavingEnabled(site, false);
  if (primary) {
    const name = "@mozilla.org/security/internalkeytoken;1";
    const token = Cc[name]
      ? Cc[name].getService(Ci.nsIPKCS11Token)
      : Cc["@mozilla.org/security/pk11tokendb;1"].getService(Ci.nsIPK11TokenDB).getInternalKeyToken();
    if (token.changePassword) await token.changePassword("", primary);
    else token.initPassword(primary);
  }
  await new Promise((resolve) => setTimeout(resolve, 1500));
})().then(done, (error) => done(String(error)));
"""


def waited_for(file: Path, lines: int = 1) -> list[str]:
    """The lines of a file, once it has as many as that."""
    for _ in range(3000):
        if file.exists() and len(file.read_text().split()) >= lines:
            return file.read_text().split()
        time.sleep(0.1)
    raise AssertionError(f"{file} did not appear")


class Marionette:
    """Speaks to Firefox as its own tests do."""

    def __init__(self, port: int) -> None:
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=300)
        self.number = 0
        self.receive()

    def receive(self) -> list:
        length = b""
        while not length.endswith(b":"):
            length += self.socket.recv(1)
        message = b""
        while len(message) < int(length[:-1]):
            message += self.socket.recv(65536)
        return json.loads(message)

    def call(self, name: str, **parameters: object) -> object:
        self.number += 1
        message = json.dumps([0, self.number, name, parameters]).encode()
        self.socket.sendall(f"{len(message)}:".encode() + message)
        answer = self.receive()
        assert answer[2] is None, answer[2]
        return answer[3]


def firefox(folder: Path, logins: list[tuple], *, primary: str | None = None, never: tuple[str, ...] = ()) -> None:
    """Has Firefox make a profile, and store logins in it: origin, action or none, realm or none, user, password."""
    folder.mkdir(parents=True)
    (folder / "user.js").write_text('user_pref("marionette.port", 0);\n')
    home = folder.parent / f"{folder.name}-home"
    home.mkdir()
    browser = subprocess.Popen(
        [
            "firefox-esr",
            "--headless",
            "--marionette",
            "--remote-allow-system-access",
            "--no-remote",
            "--profile",
            folder,
        ],
        env={"PATH": os.environ["PATH"], "HOME": str(home), "MOZ_HEADLESS": "1"},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        marionette = Marionette(int(waited_for(folder / "MarionetteActivePort")[0]))
        marionette.call("WebDriver:NewSession")
        marionette.call("Marionette:SetContext", value="chrome")
        said = marionette.call(
            "WebDriver:ExecuteAsyncScript", script=FIREFOX_LOGINS, args=[logins, primary, list(never)]
        )
        assert said["value"] is None, said
        marionette.call("Marionette:Quit", flags=["eForceQuit"])
        browser.wait(60)
    finally:
        browser.kill()
        browser.wait()


def chromium(folder: Path, passwords: list[tuple], *, store: str = "basic", environment: dict | None = None) -> None:
    """Has Chromium make a profile, and store passwords in it as a person would: address, user, password, note."""
    browser = subprocess.Popen(
        [
            "chromium",
            "--headless=new",
            "--no-sandbox",
            "--disable-gpu",
            "--no-first-run",
            f"--user-data-dir={folder}",
            f"--password-store={store}",
            "--remote-debugging-port=0",
            "--remote-allow-origins=*",
        ],
        env={"PATH": os.environ["PATH"], "HOME": str(folder.parent), **(environment or {})},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        port = waited_for(folder / "DevToolsActivePort", 2)[0]
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/json") as answer:
            page = next(target for target in json.load(answer) if target["type"] == "page")
        with connect(page["webSocketDebuggerUrl"], max_size=None) as door:
            called = iter(range(1, 1000))

            def call(method: str, **parameters: object) -> dict:
                number = next(called)
                door.send(json.dumps({"id": number, "method": method, "params": parameters}))
                while (answer := json.loads(door.recv(timeout=60))).get("id") != number:
                    pass
                return answer["result"]

            def run(text: str) -> object:
                result = call("Runtime.evaluate", expression=text, awaitPromise=True, returnByValue=True)
                assert "exceptionDetails" not in result, result
                return result["result"].get("value")

            call("Page.navigate", url="chrome://password-manager/passwords")
            for _ in range(300):
                if run("typeof chrome.passwordsPrivate") == "object":
                    break
                time.sleep(0.1)
            for url, user, password, note in passwords:
                wanted = {"url": url, "username": user, "password": password, "note": note, "useAccountStore": False}
                run(f"chrome.passwordsPrivate.addPassword({json.dumps(wanted)})")
            for _ in range(300):
                if len(run("chrome.passwordsPrivate.getSavedPasswordList()")) >= len(passwords):
                    break
                time.sleep(0.1)
        browser.terminate()
        browser.wait(60)
    finally:
        browser.kill()
        browser.wait()
