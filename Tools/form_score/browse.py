"""Shows pages to the extension's detection in a real browser, without labels and without anything from outside."""

from __future__ import annotations

import json
import re
import subprocess
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import urlsplit

from bidi import Browser, DriverError
from support import launch

from form_score.labels import Page, ScoreError

HERE = Path(__file__).parent
# A page may style itself, and nothing more: no script of its own, no picture, no frame, nothing of another server.
POLICY = "default-src 'none'; style-src 'unsafe-inline'; form-action 'none'; base-uri 'none'"
# A page that moves on by itself would be gone before it is judged.
REFRESH = re.compile(rb"<meta\b[^>]*http-equiv\s*=\s*[\"']?refresh\b[^>]*>", re.IGNORECASE)
# Takes the marks off the page, and keeps whose they were where only this script sees it.
STRIP = """(() => {
    const fields = new Map();
    const twice = [];
    const visit = (root) => {
        for (const element of root.querySelectorAll('*')) {
            const number = element.getAttribute('data-fx-field');
            if (number !== null) {
                if (fields.has(Number(number))) twice.push(Number(number));
                fields.set(Number(number), element);
                element.removeAttribute('data-fx-field');
            }
            element.removeAttribute('data-fx-submit');
            if (element.shadowRoot) visit(element.shadowRoot);
        }
    };
    visit(document);
    globalThis.markedFields = fields;
    return JSON.stringify({ twice });
})()"""
JUDGE = """(() => {
    const judged = {};
    for (const [number, element] of globalThis.markedFields) judged[number] = globalThis.judgementOf(element);
    return JSON.stringify({ judged, marks: document.documentElement.outerHTML.includes('data-fx-') });
})()"""


def detection() -> str:
    """The extension's detection as one script, bundled as its build does."""
    command = ["esbuild", str(HERE / "judge.js"), "--bundle", "--format=iife", "--target=es2022", "--charset=utf8"]
    try:
        bundled = subprocess.run([*command, "--log-level=warning"], capture_output=True, text=True, check=False)
    except FileNotFoundError as error:
        raise ScoreError("esbuild is not installed (Debian: esbuild)") from error
    if bundled.returncode != 0:
        raise ScoreError(f"the detection could not be bundled: {bundled.stderr}")
    return bundled.stdout


class PageServer(ThreadingHTTPServer):
    """Serves one page at a time on loopback, under whatever path; its file name would tell too much."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), PageHandler)
        self.page: Page | None = None

    def show(self, page: Page) -> str:
        """Serves `page` from now on; gives its address."""
        self.page = page
        path = urlsplit(page.path).path or "/"
        return f"http://127.0.0.1:{self.server_port}{path}"


class PageHandler(BaseHTTPRequestHandler):
    server: PageServer

    def do_GET(self) -> None:
        page = self.server.page
        is_page = page is not None and "html" in self.headers.get("Accept", "")
        body = REFRESH.sub(b"", page.file.read_bytes()) if page is not None and is_page else b""
        self.send_response(200 if is_page else 404)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Content-Length", str(len(body)))
        self.send_header("Content-Security-Policy", POLICY)
        self.send_header("Cache-Control", "no-store")
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *values: object) -> None:
        """Says nothing: what is asked for is known."""


class Reader:
    """A headless browser that judges pages."""

    def __init__(self, browser: Browser, server: PageServer, script: str) -> None:
        self.browser = browser
        self.server = server
        self.script = script
        # Without scripts a page stays as it was saved; what the driver runs is not the page's.
        browser.devtools("Emulation.setScriptExecutionDisabled", {"value": True})

    def judge(self, page: Page) -> dict[int, dict[str, str]]:
        """The role and the kind of form that the detection gives each marked field of a page, by its number."""
        self.browser.open(self.server.show(page))
        if twice := self._evaluate(STRIP)["twice"]:
            raise ScoreError(f"{page.file.name}: more than one field is marked {', '.join(map(str, twice))}")
        self._evaluate(f"(() => {{ {self.script}\n; return '{{}}'; }})()")
        answer = self._evaluate(JUDGE)
        if answer["marks"]:
            raise ScoreError(f"{page.file.name}: its marks were there when it was judged")
        return {int(number): judged for number, judged in answer["judged"].items()}

    def _evaluate(self, expression: str) -> dict:
        """Runs a script in a world of its own, as content scripts have one."""
        result = self.browser.send(
            "script.evaluate",
            expression=expression,
            target={"context": self.browser.context, "sandbox": "keyway"},
            awaitPromise=False,
        )
        if result["type"] == "exception":
            raise ScoreError(f"the detection failed: {result['exceptionDetails']['text']}")
        return json.loads(result["result"]["value"])


@contextmanager
def reading() -> Iterator[Reader]:
    """A reader for as long as the block lasts."""
    script = detection()
    server = PageServer()
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
            try:
                browser = launch("chromium", Path(folder))
            except (DriverError, OSError) as error:
                raise ScoreError(f"Chromium could not be started: {error}") from error
            try:
                yield Reader(browser, server, script)
            except DriverError as error:
                raise ScoreError(f"the browser refused: {error}") from error
            finally:
                browser.close()
    finally:
        server.shutdown()
        server.server_close()
