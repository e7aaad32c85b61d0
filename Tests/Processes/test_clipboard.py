"""`keyway-clipboard` and `--copy`: a secret on the clipboard of a real display, and of the terminal without one."""

from __future__ import annotations

import base64
import ctypes
import os
import re
import select
import signal
import socket
import subprocess
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest
from conftest import Keyway, eventually
from sheets import Compositor, Desk, Display
from terminal import Terminal
from wire import sealed

from session.private import PASSWORDS

SECRET = "correct horse ünd bąttery"
MASTER = "master-canary-7f3a"
PAGE = "https://copy.example"
HINT = "x-kde-passwordManagerHint"
NO_DISPLAY = 69
NOT_ALLOWED = 77
NOBODY = 65534


@pytest.fixture(scope="module")
def display():
    with Display() as display:
        yield display


@contextmanager
def clipboard(stage: Path, environment: dict, seconds: str = "3600", secret: str = SECRET):
    """The program with its secret, and the test in the place of `keyway`: the process, and what it says."""
    mine, theirs = socket.socketpair()
    memory = sealed(secret.encode())
    program = stage / "libexec/keyway/keyway-clipboard"
    command = f'exec "$0" "$1" 3<&{theirs.fileno()} 4<&{memory}'
    process = subprocess.Popen(
        ["/bin/bash", "-c", command, str(program), seconds],
        env=environment,
        pass_fds=(theirs.fileno(), memory),
        stderr=subprocess.PIPE,
        text=True,
    )
    theirs.close()
    os.close(memory)
    try:
        yield process, mine
    finally:
        mine.close()
        with suppress(ProcessLookupError):
            process.kill()
        process.wait(20)
        process.stderr.close()


def said(channel: socket.socket, within: float = 60) -> str:
    """What it says first; nothing when it ended without a word."""
    assert select.select([channel], [], [], within)[0], "it says nothing"
    return channel.recv(64).decode()


def on_x(display: Display, *words: str, encoding: str = "utf-8") -> str:
    """What a program gets that pastes on the X server."""
    command = ["xclip", "-out", "-selection", "clipboard", *words]
    options = {"capture_output": True, "encoding": encoding, "timeout": 60}
    return subprocess.run(command, env=display.environment, **options).stdout


def put_on_x(display: Display, text: str) -> None:
    command = ["xclip", "-in", "-selection", "clipboard"]
    # Its child goes on and offers the text, with the descriptors that it got.
    options = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, "timeout": 60}
    subprocess.run(command, input=text, text=True, env=display.environment, check=True, **options)


def test_a_copied_secret_can_be_pasted_and_is_marked_as_one(stage, display):
    with clipboard(stage, display.environment) as (_, channel):
        assert said(channel) == "copied\n"
        assert on_x(display) == SECRET
        assert on_x(display, "-target", "UTF8_STRING") == SECRET
        assert {HINT, "UTF8_STRING", "text/plain"} <= set(on_x(display, "-target", "TARGETS").split())


def test_it_is_cleared_after_its_time_and_the_program_ends(stage, display):
    with clipboard(stage, display.environment, seconds="1") as (process, channel):
        assert said(channel) == "copied\n"
        eventually(lambda: on_x(display) == "")
        assert process.wait(60) == 0
        assert on_x(display) == ""


def test_what_was_copied_since_is_left_alone_and_the_program_ends_at_once(stage, display):
    with clipboard(stage, display.environment) as (process, channel):
        assert said(channel) == "copied\n"
        put_on_x(display, "something else")
        assert process.wait(60) == 0
        assert on_x(display) == "something else"


def test_it_stays_when_who_asked_for_it_is_gone(stage, display):
    with clipboard(stage, display.environment) as (process, channel):
        assert said(channel) == "copied\n"
        channel.close()
        assert on_x(display) == SECRET
        assert process.poll() is None


def test_nothing_is_left_when_it_is_killed(stage, display):
    with clipboard(stage, display.environment) as (process, channel):
        assert said(channel) == "copied\n"
        process.send_signal(signal.SIGKILL)
        process.wait(20)
        assert on_x(display) == ""


def test_without_a_display_it_says_so_by_its_status(stage, tmp_path):
    with clipboard(stage, {"HOME": str(tmp_path), "XDG_RUNTIME_DIR": str(tmp_path)}) as (process, channel):
        assert said(channel) == ""
        assert process.wait(60) == NO_DISPLAY


@pytest.mark.parametrize("seconds", ["", "0", "-1", "3601", "x"])
def test_a_wrong_time_is_refused(stage, display, seconds):
    with clipboard(stage, display.environment, seconds=seconds) as (process, _):
        assert process.wait(60) == 64
        assert SECRET not in process.stderr.read()


def test_a_secret_that_another_program_could_still_change_is_refused(stage, display, tmp_path):
    plain = tmp_path / "plain"
    plain.write_text(SECRET)
    with plain.open("rb") as file:
        program = stage / "libexec/keyway/keyway-clipboard"
        command = f'exec "$0" 45 3</dev/null 4<&{file.fileno()}'
        options = {"env": display.environment, "pass_fds": (file.fileno(),), "capture_output": True, "timeout": 60}
        run = subprocess.run(["/bin/bash", "-c", command, str(program)], text=True, **options)
    assert run.returncode == 70
    assert SECRET not in run.stderr


# What old and careful programs ask an X server for.


def test_the_mark_says_that_it_is_a_secret(stage, display):
    with clipboard(stage, display.environment) as (_, channel):
        assert said(channel) == "copied\n"
        assert on_x(display, "-target", HINT) == "secret"


def test_programs_that_know_one_byte_for_each_character_get_that(stage, display):
    with clipboard(stage, display.environment, secret="Gr\u00fc\u00dfe") as (_, channel):
        assert said(channel) == "copied\n"
        assert "STRING" in on_x(display, "-target", "TARGETS").split()
        assert on_x(display, "-target", "STRING", encoding="latin-1") == "Gr\u00fc\u00dfe"


def test_what_has_other_characters_is_not_offered_so(stage, display):
    with clipboard(stage, display.environment) as (_, channel):
        assert said(channel) == "copied\n"
        assert "STRING" not in on_x(display, "-target", "TARGETS").split()
        assert on_x(display, "-target", "STRING") == ""


def test_what_nobody_has_heard_of_is_not_answered(stage, display):
    with clipboard(stage, display.environment) as (process, channel):
        assert said(channel) == "copied\n"
        assert on_x(display, "-target", "image/png") == ""
        assert on_x(display) == SECRET
        assert process.poll() is None


def test_a_long_secret_comes_whole(stage, display):
    secret = "0123456789abcdef" * 65536
    with clipboard(stage, display.environment, secret=secret) as (_, channel):
        assert said(channel) == "copied\n"
        assert on_x(display) == secret


@pytest.fixture(scope="module")
def x_client(display, tmp_path_factory):
    """What a client is told that asks the X server for several things at once, or in old ways."""
    program = tmp_path_factory.mktemp("x-client") / "x_client"
    source = Path(__file__).with_name("x_client.c")
    subprocess.run(["cc", "-o", program, source, "-lxcb"], check=True)

    def ask(*words: str) -> list[str]:
        options = {"env": display.environment, "capture_output": True, "text": True, "timeout": 60, "check": True}
        return subprocess.run([program, *words], **options).stdout.splitlines()

    return ask


def test_a_client_may_ask_for_several_forms_at_once(stage, display, x_client):
    with clipboard(stage, display.environment) as (_, channel):
        assert said(channel) == "copied\n"
        asked = ["UTF8_STRING", "STRING", HINT, "MULTIPLE", "TIMESTAMP", "TARGETS"]
        answers = [SECRET, "-", "secret", "-", "1 numbers of 32 bits", "7 numbers of 32 bits"]
        assert x_client("multiple", *asked) == answers


def test_half_a_question_is_not_answered(stage, display, x_client):
    with clipboard(stage, display.environment) as (process, channel):
        assert said(channel) == "copied\n"
        assert x_client("odd", "UTF8_STRING") == ["not answered"]
        assert process.poll() is None


def test_a_client_that_names_no_property_is_answered(stage, display, x_client):
    with clipboard(stage, display.environment) as (_, channel):
        assert said(channel) == "copied\n"
        assert x_client("old", "UTF8_STRING") == [SECRET]


def test_who_asks_for_what_was_there_before_gets_nothing(stage, display, x_client):
    with clipboard(stage, display.environment) as (_, channel):
        assert said(channel) == "copied\n"
        assert x_client("past", "UTF8_STRING") == ["-"]


def test_it_leaves_no_core(stage, display):
    with clipboard(stage, display.environment) as (process, channel):
        assert said(channel) == "copied\n"
        assert re.search(r"Max core file size +0 +0 ", Path(f"/proc/{process.pid}/limits").read_text())


# Under compositors that let a program without a window copy.


class Sway(Desk):
    """A Wayland compositor without a screen, which knows wlr-data-control. It refuses to run as root."""

    def __init__(self) -> None:
        super().__init__(NOBODY if os.geteuid() == 0 else None)

    def open(self) -> dict[str, str]:
        config = self.folder / "sway"
        config.write_text("xwayland disable\n")
        options = {"WLR_BACKENDS": "headless", "WLR_LIBINPUT_NO_DEVICES": "1", "WLR_RENDERER": "pixman"}
        config.chmod(0o644)
        self.start(["sway", "--config", str(config)], env=self.environment | options)
        runtime = self.folder / "runtime"
        eventually(lambda: list(runtime.glob("wayland-?")), within=20)
        return {"WAYLAND_DISPLAY": next(runtime.glob("wayland-?")).name}


@pytest.fixture(scope="module")
def sway():
    with Sway() as sway:
        yield sway


def on_wayland(sway: Sway, *words: str) -> str:
    command = ["wl-paste", "--no-newline", *words]
    return subprocess.run(command, env=sway.environment, capture_output=True, text=True, timeout=60).stdout


def put_on_wayland(sway: Sway, text: str) -> None:
    options = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, "timeout": 60}
    subprocess.run(["wl-copy"], input=text, text=True, env=sway.environment, check=True, **options)


def test_wayland_pastes_a_marked_secret(stage, sway):
    with clipboard(stage, sway.environment) as (_, channel):
        assert said(channel) == "copied\n"
        assert on_wayland(sway) == SECRET
        assert {HINT, "UTF8_STRING", "text/plain", "text/plain;charset=utf-8"} == set(
            on_wayland(sway, "--list-types").split()
        )
        assert on_wayland(sway, "--type", HINT) == "secret"


def test_wayland_is_cleared_after_its_time(stage, sway):
    with clipboard(stage, sway.environment, seconds="1") as (process, channel):
        assert said(channel) == "copied\n"
        eventually(lambda: on_wayland(sway) == "")
        # For a while there is an empty text, for those that keep a copy of the last one.
        assert HINT not in on_wayland(sway, "--list-types")
        assert "text/plain" in on_wayland(sway, "--list-types")
        assert process.wait(60) == 0
        assert on_wayland(sway, "--list-types") == ""


def test_wayland_leaves_alone_what_was_copied_since(stage, sway):
    with clipboard(stage, sway.environment) as (process, channel):
        assert said(channel) == "copied\n"
        put_on_wayland(sway, "something else")
        assert process.wait(60) == 0
        assert on_wayland(sway) == "something else"


def test_wayland_keeps_nothing_when_it_is_killed(stage, sway):
    with clipboard(stage, sway.environment) as (process, channel):
        assert said(channel) == "copied\n"
        process.send_signal(signal.SIGKILL)
        process.wait(20)
        assert on_wayland(sway) == ""


def test_a_program_that_never_reads_keeps_nobody_waiting(stage, sway):
    secret = "0123456789abcdef" * 65536
    with clipboard(stage, sway.environment, secret=secret) as (_, channel):
        assert said(channel) == "copied\n"
        with subprocess.Popen(["wl-paste"], env=sway.environment, stdout=subprocess.PIPE) as slow:
            # It has begun, and goes on no more once the pipe is full.
            assert slow.stdout.read(1) == b"0"
            assert on_wayland(sway) == secret
            slow.kill()


def test_the_old_text_goes_when_the_compositor_does(stage):
    with Sway() as sway, clipboard(stage, sway.environment) as (process, channel):
        assert said(channel) == "copied\n"
        sway.__exit__()
        assert process.wait(60) == 70
        sway.processes.clear()


# Where only windows may copy.


@pytest.fixture(scope="module")
def weston():
    with Compositor() as compositor:
        yield compositor


def test_where_only_windows_may_copy_it_says_so_by_its_status(stage, weston):
    with clipboard(stage, weston.environment) as (process, channel):
        assert said(channel) == ""
        assert process.wait(60) == NOT_ALLOWED


def test_there_the_x_server_is_asked(stage, weston, display):
    environment = weston.environment | {"DISPLAY": display.environment["DISPLAY"]}
    with clipboard(stage, environment) as (_, channel):
        assert said(channel) == "copied\n"
        assert on_x(display) == SECRET


# The commands, on a vault.


@pytest.fixture(scope="module")
def vault(stage):
    with Keyway() as session:
        session.prefix.symlink_to(stage)
        session.start_broker()
        session.keyway("providers", "enable", "--yes", PASSWORDS)
        session.keyway("passwords", "init", "--memory", "64", secrets=[MASTER, MASTER])
        session.keyway("passwords", "add", "Copy", "--user", "ada", "--address", PAGE, secrets=[SECRET])
        yield session


@contextmanager
def copied(vault: Keyway, variables: dict[str, str], *command: str):
    """Runs `keyway`, and ends the program that it leaves behind."""
    environment = vault.environment | variables
    words = [str(vault.prefix / "bin/keyway"), *command]
    # What a child leaves behind becomes a child of the test's.
    adopt(True)
    try:
        yield subprocess.run(words, env=environment, capture_output=True, text=True, timeout=120)
    finally:
        adopt(False)
        for process in left_behind():
            os.kill(process, signal.SIGKILL)
            os.waitpid(process, 0)


def adopt(wanted: bool) -> None:
    set_child_subreaper = 36
    assert ctypes.CDLL(None).prctl(set_child_subreaper, int(wanted), 0, 0, 0) == 0


def left_behind() -> list[int]:
    # The kernel keeps 15 characters of a name.
    command = ["pgrep", "--parent", str(os.getpid()), "--exact", "keyway-clipboar"]
    return [int(number) for number in subprocess.run(command, capture_output=True, text=True).stdout.split()]


def test_fill_copies_and_prints_nothing_of_the_secret(vault, display):
    with copied(vault, {"DISPLAY": display.environment["DISPLAY"]}, "fill", PAGE, "--copy") as run:
        assert run.returncode == 0, run.stderr
        assert run.stdout == ""
        assert "45 seconds" in run.stderr
        assert SECRET not in run.stderr
        assert on_x(display) == SECRET
        # It has a session of its own, and nothing of whoever ran the command.
        (process,) = left_behind()
        assert os.getsid(process) == process
        assert SECRET.encode() not in Path(f"/proc/{process}/cmdline").read_bytes()


def test_fill_says_as_json_what_was_copied(vault, display):
    with copied(vault, {"DISPLAY": display.environment["DISPLAY"]}, "fill", PAGE, "--copy", "--json") as run:
        assert run.returncode == 0, run.stderr
        assert '"copied": "password"' in run.stdout
        assert '"clearsAfter": 45' in run.stdout
        assert SECRET not in run.stdout
        assert on_x(display) == SECRET


def test_without_a_display_the_terminal_is_asked_to_copy(vault):
    with Terminal([vault.prefix / "bin/keyway", "fill", PAGE, "--copy"], vault.environment) as terminal:
        terminal.wait_for("Master password")
        terminal.type(MASTER + "\r")
        status, out, messages = terminal.finish()
        assert (status, out) == (0, ""), messages
        found = re.search(rb"\x1b]52;c;([A-Za-z0-9+/=]+)\x07", terminal.raw)
        assert found, terminal.raw
        assert base64.b64decode(found[1]).decode() == SECRET
        assert "can't clear it" in messages
        assert SECRET not in messages


def test_with_neither_a_display_nor_a_terminal_nothing_is_copied(vault):
    with copied(vault, {}, "fill", PAGE, "--copy") as run:
        assert run.returncode == 5
        assert "neither a display nor a terminal" in run.stderr
        assert SECRET not in run.stdout + run.stderr
