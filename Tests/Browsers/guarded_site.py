"""A site that asks to sign in by HTTP itself: Basic (RFC 7617) and Digest (RFC 7616)."""

import base64
import hashlib
import secrets
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.request import parse_http_list, parse_keqv_list

USER = "ada@example.org"
HASHES = {"MD5": hashlib.md5, "SHA-256": hashlib.sha256}


class Handler(BaseHTTPRequestHandler):
    """`/SCHEME/…` wants a sign-in by that scheme, `/open` wants none; each request with credentials is noted."""

    server: "GuardedSite"

    def do_GET(self) -> None:
        scheme = self.path.split("/")[1]
        sent = self.headers.get("Authorization") or self.headers.get("Proxy-Authorization")
        if sent:
            self.server.sent.append(sent)
        self.server.asked.append(self.path)
        if scheme == "parts":
            self._send(200, "<title>parts</title><img src=/basic/part><iframe src=/basic/part></iframe>")
        elif scheme == "open":
            self._send(200, "<title>open</title>")
        elif self.server.is_right(scheme, sent or ""):
            self._send(200, f"<title>in</title><p>{scheme}")
        else:
            self._send(401, "<title>out</title>", {"WWW-Authenticate": self.server.challenge(scheme)})

    def _send(self, status: int, text: str, headers: dict[str, str] | None = None) -> None:
        data = f"<!doctype html>{text}".encode()
        self.send_response(status)
        for name, value in {"Content-Type": "text/html", "Cache-Control": "no-store", **(headers or {})}.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *_: object) -> None:
        """What was asked is noted by the site."""


class GuardedSite(ThreadingHTTPServer):
    """The site on any port of loopback."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.password = secrets.token_urlsafe(12)
        self.realm = "Staff"
        self.sent: list[str] = []
        self.asked: list[str] = []
        self._nonce = secrets.token_hex(16)
        threading.Thread(target=self.serve_forever, daemon=True).start()

    @property
    def url(self) -> str:
        return f"http://localhost:{self.server_port}"

    def handle_error(self, *_: object) -> None:
        """A browser that left is no trouble of ours."""

    def challenge(self, scheme: str) -> str:
        if scheme == "basic":
            return f'Basic realm="{self.realm}"'
        if scheme == "digest":
            return f'Digest realm="{self.realm}", nonce="{self._nonce}", qop="auth", algorithm=SHA-256'
        if scheme == "digest-md5":
            return f'Digest realm="{self.realm}", nonce="{self._nonce}", qop="auth", algorithm=MD5'
        return f'{scheme} realm="{self.realm}"'

    def is_right(self, scheme: str, sent: str) -> bool:
        kind, _, rest = sent.partition(" ")
        if scheme == "basic":
            return kind == "Basic" and base64.b64decode(rest).decode() == f"{USER}:{self.password}"
        if not scheme.startswith("digest") or kind != "Digest":
            return False
        return self._is_digest(parse_keqv_list(parse_http_list(rest)))

    def _is_digest(self, said: dict[str, str]) -> bool:
        """RFC 7616, section 3.4."""

        def digest(text: str) -> str:
            return HASHES[said.get("algorithm", "MD5")](text.encode()).hexdigest()

        who = digest(f"{USER}:{self.realm}:{self.password}")
        what = digest(f"GET:{said['uri']}")
        told = digest(f"{who}:{self._nonce}:{said['nc']}:{said['cnonce']}:{said['qop']}:{what}")
        return said["username"] == USER and said["response"] == told
