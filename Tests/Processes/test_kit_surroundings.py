"""What a provider does to the machine is seen, by whatever call it does it."""

from __future__ import annotations

import shutil
import socket
import sys
import tempfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from conftest import ROOT
from kit import Judged, Kit, bundle

sys.path.insert(0, str(ROOT / "Tests/Providers"))

import mischief


@pytest.fixture
def folder() -> Iterator[Path]:
    """A folder with a short path: sockets lie in it, whose paths have 107 bytes at most."""
    path = Path(tempfile.mkdtemp(prefix="kit-"))
    yield path
    shutil.rmtree(path, ignore_errors=True)


def judge(stage: Path, folder: Path, way: str, rule: str) -> Judged:
    place = folder / way
    foreign = place / "foreign"
    foreign.mkdir(parents=True)
    (foreign / "file").write_text("of somebody else")
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(str(foreign / "socket"))
        server.listen()
        server.setblocking(False)
        judged = Kit(stage, place).judge(bundle(place, way), "--rule", rule)
        with pytest.raises(BlockingIOError):
            server.accept()
    return judged


def judge_all(stage: Path, folder: Path, ways: list, rule: str) -> dict[str, tuple[str, str]]:
    def one(way: str) -> tuple[str, str]:
        verdict = judge(stage, folder, way, rule).verdicts[rule]
        return verdict["status"], verdict.get("detail", "")

    names = [way.__name__ for way in ways]
    with ThreadPoolExecutor(2) as pool:
        return dict(zip(names, pool.map(one, names), strict=True))


def test_files_of_others_are_watched_by_whatever_call_they_change(stage, folder):
    judged = judge_all(stage, folder, mischief.FILES, "files")
    wrong = {
        way: verdict
        for way, verdict in judged.items()
        if verdict[0] != "fail" or f"{folder}/{way}/foreign" not in verdict[1]
    }
    assert wrong == {}


def test_sockets_of_others_and_of_other_families_are_watched(stage, folder):
    judged = judge_all(stage, folder, mischief.SOCKETS, "network")
    assert {way: verdict for way, verdict in judged.items() if verdict[0] != "fail"} == {}
    assert judged["spoken_to"][1] == f"it wanted to speak to {folder}/spoken_to/foreign/socket"
    assert judged["netlink"][1] == "it asked for a socket: netlink"


def test_a_program_that_is_started_by_its_descriptor_is_seen(stage, folder):
    judged = judge(stage, folder, "started_by_descriptor", "secret-not-in-arguments")
    assert judged.status_of("secret-not-in-arguments") == "fail", judged.output


@pytest.mark.skipif(not mischief.IS_X86, reason="only there are two sets of numbers")
def test_calls_of_another_architecture_end_the_program(stage, folder):
    judged = judge(stage, folder, "other_numbers", "password-fill")
    assert judged.status_of("password-fill") == "fail", judged.output
