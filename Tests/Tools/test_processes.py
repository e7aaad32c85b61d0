"""Commands of the run: bounded in time, heard out, and nothing of theirs stays behind."""

import time

from running import ends

from suite.processes import run


def test_status_and_output_are_kept(tmp_path):
    finished = run(["sh", "-c", "echo out; echo err >&2; exit 3"], tmp_path / "log", 10)
    assert finished.status == 3
    assert finished.output == "out\nerr\n"


def test_command_that_is_not_there_has_failed(tmp_path):
    assert run(["/nonexistent/command"], tmp_path / "log", 10).status == 127


def test_command_that_hangs_is_ended(tmp_path):
    started = time.monotonic()
    assert run(["sleep", "60"], tmp_path / "log", 0.2).status == 124
    assert time.monotonic() - started < 10


def test_what_a_command_left_running_is_ended(tmp_path):
    process = int(run(["sh", "-c", "sleep 60 >/dev/null & echo $!"], tmp_path / "log", 10).output)
    assert ends(process)


def test_standard_input_is_empty(tmp_path):
    assert run(["cat"], tmp_path / "log", 10).status == 0
