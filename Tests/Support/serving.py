"""A server of the tests', as long as a fixture lasts."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from socketserver import BaseServer
from typing import TypeVar

AnyServer = TypeVar("AnyServer", bound=BaseServer)


def serving(server: AnyServer) -> Iterator[AnyServer]:
    """Runs `server` in a thread of its own, for a fixture to `yield from`."""
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield server
    finally:
        server.shutdown()
        server.server_close()
