"""From nothing to a provider that fills: made, built, installed, turned on, asked, judged."""

from __future__ import annotations

import os
import subprocess
import time
from pathlib import Path

import pytest
from conftest import eventually, suggest, url
from wire import contents


def make(keyway, folder: Path, *words: str) -> str:
    """Runs make as somebody would who has Keyway in their PATH, and the compiler."""
    environment = {**keyway.environment, "PATH": f"{keyway.environment['PATH']}:{os.environ['PATH']}"}
    done = subprocess.run(
        ["make", "-C", folder, "CONFIGURATION=debug", *words], capture_output=True, text=True, env=environment
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


# Compiling takes a while on a busy machine.
@pytest.mark.timeout(600)
def test_a_new_provider_builds_fills_and_keeps_the_rules(broker, tmp_path):
    start = time.monotonic()
    broker.keyway("provider", "new", "Notebook", "--directory", str(tmp_path))
    package = tmp_path / "Notebook"
    make(broker, package, "install")
    broker.keyway("providers", "enable", "example.notebook", "--yes")
    with broker.connect() as peer:
        target = {"list": {"provider": "example.notebook"}}
        number = peer.request(
            "fill", {"target": target, "services": [url("https://example.com/login")], "presents": True}
        )
        shown = peer.notification("presentation.show")
        rows = shown["interface"]["list"]["_0"]["sections"][0]["rows"]
        peer.notify("presentation.event", {"request": number, "event": {"chose": {"row": rows[0]["id"]}}})
        result, (descriptor,) = peer.answer(number)
        assert result["credential"]["password"]["user"] == "ada"
        assert contents(descriptor) == b"sample-password-of-ada"
        eventually(lambda: suggest(peer, "https://example.com/login"), within=20)
    assert broker.keyway("fill", "https://example.com/login") == "sample-password-of-ada\n"
    # The rules were tried with 10,000 requests elsewhere.
    said = make(broker, package, "test", "ARGUMENTS=--requests 500")
    assert " 0 broken, " in said and "could not be checked" not in said
    # The five minutes that it may take from nothing.
    assert time.monotonic() - start < 300
