"""`keyway-related-origins` against a server on loopback: what it fetches, and what it does not go near."""

from __future__ import annotations

import datetime
import ipaddress
import json
import os
import socket
import ssl
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID
from serving import serving

ORIGINS = ["https://shop.test", "https://shop.example"]
Answer = Callable[[BaseHTTPRequestHandler], None]
# Where the server is reached too, and where nobody is to be sent: the address of no machine in particular leads to this
# one.
ADDRESSES = [ipaddress.ip_address("0.0.0.0")]


def certificate(folder: Path, *names: str) -> tuple[Path, Path]:
    """A certificate for `names`, and its key; it is its own authority."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "test")])
    now = datetime.datetime.now(datetime.UTC)
    made = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - datetime.timedelta(days=1))
        .not_valid_after(now + datetime.timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([*map(x509.DNSName, names), *map(x509.IPAddress, ADDRESSES)]), False)
        .sign(key, hashes.SHA256())
    )
    (folder / "certificate.pem").write_bytes(made.public_bytes(serialization.Encoding.PEM))
    pem = key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    (folder / "key.pem").write_bytes(pem)
    return folder / "certificate.pem", folder / "key.pem"


class Server(ThreadingHTTPServer):
    """A site that answers as a test says, and remembers what it was asked."""

    daemon_threads = True

    def __init__(self, folder: Path, is_encrypted: bool = True) -> None:
        self.asked: list[tuple[str, str, dict[str, str]]] = []
        self.answer: Answer = document()
        outer = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                outer.asked.append((self.headers["Host"], self.path, dict(self.headers)))
                outer.answer(self)

            def log_message(self, *_: object) -> None:
                """Nothing is said."""

        super().__init__(("127.0.0.1", 0), Handler)
        if is_encrypted:
            self.certificate, key = certificate(folder, "bank.test", "login.bank.test")
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(self.certificate, key)
            self.socket = context.wrap_socket(self.socket, server_side=True)

    def handle_error(self, *_: object) -> None:
        """Who breaks off is meant to."""


def document(body: bytes | None = None, kind: str = "application/json", status: int = 200) -> Answer:
    def answer(handler: BaseHTTPRequestHandler) -> None:
        data = json.dumps({"origins": ORIGINS}).encode() if body is None else body
        handler.send_response(status)
        handler.send_header("Content-Type", kind)
        handler.send_header("Content-Length", str(len(data)))
        handler.end_headers()
        handler.wfile.write(data)

    return answer


def redirect(place: str) -> Answer:
    def answer(handler: BaseHTTPRequestHandler) -> None:
        if not handler.path.startswith("/.well-known/"):
            document()(handler)
            return
        handler.send_response(302)
        handler.send_header("Location", place)
        handler.send_header("Content-Length", "0")
        handler.end_headers()

    return answer


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    yield from serving(Server(tmp_path))


@pytest.fixture
def plain(tmp_path: Path) -> Iterator[Server]:
    """The same without encryption."""
    yield from serving(Server(tmp_path, is_encrypted=False))


def leading_to(server: Server) -> dict[str, str]:
    """What tells the program that every site is this server."""
    return {"KEYWAY_RELATED_ORIGINS": f"{server.server_port}:{server.certificate}"}


def fetch(tree: Path, server: Server | None, *arguments: str) -> tuple[int, list[str]]:
    """The exit status, and the origins or apps that are printed for the broker."""
    mine, theirs = socket.socketpair()
    # Where it goes, no environment says: nobody listens at that proxy.
    environment = {"PATH": os.environ["PATH"], "https_proxy": "http://127.0.0.1:9", "ALL_PROXY": "http://127.0.0.1:9"}
    if server is not None:
        environment |= leading_to(server)
    with mine, theirs:
        process = subprocess.Popen(
            ["/bin/bash", "-c", f'exec "$0" "$@" 3<&{theirs.fileno()}', tree / PROGRAM, *arguments],
            env=environment,
            pass_fds=(theirs.fileno(),),
            stderr=subprocess.DEVNULL,
        )
        theirs.close()
        said = b""
        while part := mine.recv(65536):
            said += part
        return process.wait(30), said.decode().splitlines()


PROGRAM = "libexec/keyway/keyway-related-origins"


def test_fetches_what_a_site_says_of_its_others(stage: Path, server: Server) -> None:
    assert fetch(stage, server, "bank.test") == (0, ORIGINS)
    host, path, headers = server.asked[0]
    assert (host, path) == ("bank.test", "/.well-known/webauthn")
    assert not {"Cookie", "Referer", "Authorization", "Origin"} & set(headers)


def test_fetches_what_a_site_says_of_its_apps(stage: Path, server: Server) -> None:
    server.answer = document(b'{"webcredentials": {"apps": ["flatpak:org.example.App", "program:/usr/bin/a b"]}}')
    assert fetch(stage, server, "--apps", "bank.test") == (0, ["flatpak:org.example.App", "program:/usr/bin/a b"])
    assert [path for _, path, _ in server.asked] == ["/.well-known/keyway-apps"]
    # Neither document stands for the other.
    assert fetch(stage, server, "bank.test") == (1, [])
    server.answer = document()
    assert fetch(stage, server, "--apps", "bank.test") == (1, [])


@pytest.mark.parametrize("arguments", [[], ["--apps"], ["a.test", "b.test"], ["--apps", "a.test", "b.test"]])
def test_wrong_arguments_fetch_nothing(stage: Path, server: Server, arguments: list[str]) -> None:
    assert fetch(stage, server, *arguments)[0] in (1, 64)
    assert server.asked == []


@pytest.mark.parametrize(
    "answer",
    [
        document(b"nothing"),
        document(b'{"origins": 1}'),
        document(kind="text/html"),
        document(status=404),
        document(b'{"origins": [' + b'"https://a.test",' * 4000 + b'"https://b.test"]}'),
    ],
    ids=["no JSON", "no origins", "another type", "not found", "too long"],
)
def test_what_is_no_document_names_nobody(stage: Path, server: Server, answer: Answer) -> None:
    server.answer = answer
    assert fetch(stage, server, "bank.test") == (1, [])
    assert len(server.asked) == 1


def test_a_redirection_is_followed_by_https_alone(stage: Path, server: Server, plain: Server) -> None:
    server.answer = redirect("https://login.bank.test/elsewhere")
    assert fetch(stage, server, "bank.test") == (0, ORIGINS)
    assert [(host, path) for host, path, _ in server.asked][1] == ("login.bank.test", "/elsewhere")
    for place in (f"http://127.0.0.1:{plain.server_port}/x", "file:///etc/passwd", "ftp://bank.test/x"):
        server.answer = redirect(place)
        assert fetch(stage, server, "bank.test") == (1, [])
    assert plain.asked == []
    # Round and round.
    server.answer = redirect("https://bank.test/.well-known/webauthn")
    before = len(server.asked)
    assert fetch(stage, server, "bank.test") == (1, [])
    assert len(server.asked) - before <= 5


def test_no_redirection_lets_another_page_name_apps(stage: Path, server: Server) -> None:
    """A site that sends people on to wherever they say would let anybody name apps for it."""
    server.answer = redirect("https://bank.test/elsewhere")
    assert fetch(stage, server, "bank.test") == (0, ORIGINS)
    server.asked.clear()
    assert fetch(stage, server, "--apps", "bank.test") == (1, [])
    assert [path for _, path, _ in server.asked] == ["/.well-known/keyway-apps"]


def test_a_redirection_does_not_lead_to_this_machine(stage: Path, server: Server) -> None:
    server.answer = redirect(f"https://0.0.0.0:{server.server_port}/elsewhere")
    assert fetch(stage, server, "bank.test") == (1, [])
    assert [path for _, path, _ in server.asked] == ["/.well-known/webauthn"]


def test_what_is_too_long_is_not_read_where_its_length_is_not_said(stage: Path, server: Server) -> None:
    def answer(handler: BaseHTTPRequestHandler) -> None:
        handler.send_response(200)
        handler.send_header("Content-Type", "application/json")
        handler.end_headers()
        handler.wfile.write(b'{"origins": ["https://a.test"]}' + b" " * 40_000)

    server.answer = answer
    assert fetch(stage, server, "bank.test") == (1, [])
    assert len(server.asked) == 1


def test_a_certificate_must_be_the_sites(stage: Path, server: Server) -> None:
    assert fetch(stage, server, "evil.test") == (1, [])
    assert server.asked == []


@pytest.mark.parametrize("domain", ["localhost", "127.0.0.1", "10.0.0.1", "[::1]", "bank.test:1", "bank.test/x", ""])
def test_this_machine_and_its_neighbours_are_not_asked(stage: Path, server: Server, domain: str) -> None:
    assert fetch(stage, server, domain)[0] == 1
    assert server.asked == []


def test_without_the_tests_own_way_names_for_tests_lead_nowhere(stage: Path, server: Server) -> None:
    assert fetch(stage, None, "bank.test") == (1, [])
    assert server.asked == []


def test_who_dawdles_is_not_waited_for(stage: Path, server: Server) -> None:
    ended = threading.Event()
    server.answer = lambda _: (ended.wait(60), None)[1]
    began = time.monotonic()
    assert fetch(stage, server, "bank.test") == (1, [])
    assert time.monotonic() - began < 20
    ended.set()
