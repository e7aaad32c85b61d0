#!/usr/bin/env python3
"""A small site to sign in to. It keeps its own record of who is signed in, so that a test can ask the site itself.

As a program it reads accounts from standard input, one JSON object `{"user": …, "password": …}` a line, listens on
loopback, prints its address and serves until it is stopped.
"""

import argparse
import html
import json
import secrets
import sys
import threading
from http.cookies import SimpleCookie
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

PAGES = Path(__file__).parent / "pages"
BODY_LIMIT = 65536


class Site:
    """Accounts, sessions and what was tried."""

    def __init__(self, accounts: dict[str, str], folders: tuple[Path, ...] = (PAGES,)) -> None:
        self._accounts = accounts
        self._lock = threading.Lock()
        self._sessions: dict[str, str] = {}
        self._steps: dict[str, str] = {}
        self.attempts: list[str] = []
        self.folders = folders

    def sign_in(self, user: str, password: str) -> str | None:
        """A new session's token, if the password is right."""
        with self._lock:
            self.attempts.append(user)
            right = self._accounts.get(user)
            if right is None or not secrets.compare_digest(right.encode(), password.encode()):
                return None
            token = secrets.token_urlsafe()
            self._sessions[token] = user
            return token

    def begin(self, user: str) -> str:
        """Remembers the user name of the first of two pages."""
        token = secrets.token_urlsafe()
        with self._lock:
            self._steps[token] = user
        return token

    def begun(self, token: str) -> str:
        with self._lock:
            return self._steps.get(token, "")

    def user_of(self, token: str) -> str | None:
        with self._lock:
            return self._sessions.get(token)

    def signed_in(self) -> list[str]:
        """Everybody who is signed in, in the order in which they came."""
        with self._lock:
            return list(self._sessions.values())

    def forget(self) -> None:
        with self._lock:
            self._sessions.clear()
            self.attempts.clear()


class Handler(BaseHTTPRequestHandler):
    """Pages from files; `{{user}}` in one becomes the user name of this visitor."""

    server: "SiteServer"

    def do_GET(self) -> None:
        path = urlsplit(self.path).path
        if path == "/record":
            self._send(200, "application/json", json.dumps({"signed_in": self.server.site.signed_in()}))
        elif path == "/welcome":
            user = self.server.site.user_of(self._cookie("session"))
            self._page("welcome" if user else "denied", user or "")
        elif path == "/sandboxed":
            # The page to sign in, which its own server takes the origin from.
            self._page("index", "", **{"Content-Security-Policy": "sandbox allow-scripts allow-forms"})
        else:
            self._page(path.strip("/") or "index", self.server.site.begun(self._cookie("step")))

    def do_POST(self) -> None:
        length = int(self.headers.get("Content-Length") or 0)
        if length > BODY_LIMIT:
            self._send(413, "text/plain", "too long")
            return
        form = {name: values[0] for name, values in parse_qs(self.rfile.read(length).decode()).items()}
        if urlsplit(self.path).path == "/first":
            self._redirect("/second", "step", self.server.site.begin(form.get("username", "")))
            return
        user = form.get("username") or self.server.site.begun(self._cookie("step"))
        token = self.server.site.sign_in(user, form.get("password", ""))
        if token is None:
            self._page("denied", "", 403)
        else:
            self._redirect("/welcome", "session", token)

    def _page(self, name: str, user: str, status: int = 200, **headers: str) -> None:
        for folder in self.server.site.folders:
            for suffix, kind in ((".html", "text/html"), ("", "text/javascript")):
                file = folder / f"{name}{suffix}"
                if file.is_file() and file.resolve().is_relative_to(folder.resolve()):
                    text = file.read_text().replace("{{user}}", html.escape(user))
                    self._send(status, kind, text.replace("{{port}}", str(self.server.server_port)), **headers)
                    return
        self._send(404, "text/plain", "no such page")

    def _cookie(self, name: str) -> str:
        cookie = SimpleCookie(self.headers.get("Cookie", "")).get(name)
        return cookie.value if cookie else ""

    def _redirect(self, path: str, cookie: str, value: str) -> None:
        self.send_response(303)
        self.send_header("Location", path)
        self.send_header("Set-Cookie", f"{cookie}={value}; HttpOnly; SameSite=Lax; Path=/")
        self.send_header("Content-Length", "0")
        self.end_headers()

    def _send(self, status: int, kind: str, text: str, **headers: str) -> None:
        data = text.encode()
        self.send_response(status)
        self.send_header("Content-Type", f"{kind}; charset=utf-8")
        self.send_header("Content-Length", str(len(data)))
        self.send_header("Cache-Control", "no-store")
        for name, value in headers.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *_: object) -> None:
        """The record says what happened; request lines would only repeat it."""


class SiteServer(ThreadingHTTPServer):
    """The site on a port of loopback (0: any)."""

    daemon_threads = True

    def __init__(self, site: Site, port: int = 0) -> None:
        super().__init__(("127.0.0.1", port), Handler)
        self.site = site

    def handle_error(self, *_: object) -> None:
        """A browser that left before its page had come is no trouble of ours."""

    @property
    def url(self) -> str:
        return f"http://localhost:{self.server_port}"


def main() -> None:
    parser = argparse.ArgumentParser(description="Serves a small sign-in site on loopback until it is stopped.")
    parser.add_argument("--port", type=int, default=0, help="0 takes any free port")
    arguments = parser.parse_args()
    accounts = {}
    for line in sys.stdin:
        account = json.loads(line)
        accounts[account["user"]] = account["password"]
    server = SiteServer(Site(accounts), arguments.port)
    print(server.url, flush=True)
    try:
        server.serve_forever()
    except KeyboardInterrupt:
        server.server_close()


if __name__ == "__main__":
    main()
