"""A network of its own for whatever is started by one thread: this machine in it, its neighbours, and somebody else."""

from __future__ import annotations

import select
import socket
import subprocess
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

from session.system_bus import call, libc

NEW_NETWORK = 0x40000000
HTTPS = 443


@dataclass(frozen=True)
class Addresses:
    """Addresses of the internet, as a machine at a university has them: its own, a neighbour's in the network of that
    length, and one of another network."""

    family: socket.AddressFamily
    any: str
    own: str
    length: int
    neighbour: str
    elsewhere: str


IPV4 = Addresses(socket.AF_INET, "0.0.0.0", "8.8.8.1", 24, "8.8.8.9", "11.0.0.9")
IPV6 = Addresses(socket.AF_INET6, "::", "2a00:1450::1", 64, "2a00:1450::9", "2a01:4f8::9")


class OwnNetwork:
    """Call it with a function and its arguments: processes that the function starts, and theirs, are in that network.

    Whoever connects to any address of it by HTTPS is noted, and told nothing.
    """

    def __init__(self, addresses: Addresses) -> None:
        self.thread = ThreadPoolExecutor(1)
        self(lambda: call("unshare", libc.unshare(NEW_NETWORK)))
        for words in (
            ("link", "set", "lo", "up"),
            ("address", "add", f"{addresses.own}/{addresses.length}", "dev", "lo"),
            # What it leads to is answered here, and is no address of this machine's.
            ("route", "add", "local", addresses.neighbour, "dev", "lo"),
            ("route", "add", "local", addresses.elsewhere, "dev", "lo"),
        ):
            protocol = "-6" if addresses.family == socket.AF_INET6 else "-4"
            self(subprocess.run, ["/usr/sbin/ip", protocol, *words], check=True, capture_output=True)
        self.server = self(socket.create_server, (addresses.any, HTTPS), family=addresses.family)

    def __call__(self, function, *arguments: object, **options: object):
        return self.thread.submit(function, *arguments, **options).result()

    def visited(self) -> list[str]:
        """Which addresses somebody has connected to since this was asked."""
        found = []
        while select.select([self.server], [], [], 0)[0]:
            visitor, _ = self.server.accept()
            with visitor:
                found.append(visitor.getsockname()[0])
        return found

    def close(self) -> None:
        self.server.close()
        self.thread.shutdown()
