"""The sample site, encrypted: with a certificate of its own making, or one of an authority that a browser trusts."""

from __future__ import annotations

import base64
import hashlib
import ssl
import subprocess
from pathlib import Path

from site_server import Site, SiteServer

MAKE = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2"]


class Authority:
    """An authority of the tests' own."""

    def __init__(self, folder: Path) -> None:
        self.key, self.certificate = folder / "authority.key", folder / "authority.pem"
        subject = ["-subj", "/CN=Authority", "-addext", "keyUsage=critical,keyCertSign"]
        make(subject, self.key, self.certificate)

    @property
    def signing(self) -> list[str]:
        """The options that make `openssl` sign with it."""
        return ["-CA", str(self.certificate), "-CAkey", str(self.key)]

    @property
    def content(self) -> str:
        """The certificate, as Firefox takes it."""
        return "".join(self.certificate.read_text().splitlines()[1:-1])

    @property
    def fingerprint(self) -> str:
        """Of its key, as Chromium takes it."""
        key = ["openssl", "pkey", "-in", str(self.key), "-pubout", "-outform", "der"]
        made = subprocess.run(key, check=True, capture_output=True).stdout
        return base64.b64encode(hashlib.sha256(made).digest()).decode()


class SecureServer(SiteServer):
    """The sample site under the name `host`."""

    def __init__(self, site: Site, folder: Path, host: str, authority: Authority | None = None) -> None:
        super().__init__(site)
        self.host = host
        key, certificate = folder / "key.pem", folder / "certificate.pem"
        options = ["-subj", f"/CN={host}", "-addext", f"subjectAltName=DNS:{host}"]
        if authority:
            options += ["-addext", "basicConstraints=critical,CA:FALSE", *authority.signing]
        make(options, key, certificate)
        if authority:
            certificate.write_text(certificate.read_text() + authority.certificate.read_text())
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(certificate, key)
        self.socket = context.wrap_socket(self.socket, server_side=True)

    @property
    def url(self) -> str:
        return f"https://{self.host}:{self.server_port}"


def make(options: list[str], key: Path, certificate: Path) -> None:
    subprocess.run([*MAKE, *options, "-keyout", str(key), "-out", str(certificate)], check=True, capture_output=True)
