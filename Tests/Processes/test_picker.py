"""The first presenter, in a real terminal: what it shows, what keys do, and that it leaves the terminal as it was."""

import os
import re
import signal
import termios

import pytest
from conftest import Keyway
from terminal import DOWN, ENTER, ESCAPE, Terminal

from session.private import PASSWORDS

MASTER = "correct horse"
# What was unlocked in one terminal is not open to another.
UNLOCK = f'echo "{MASTER}" | "$0" passwords unlock > /dev/null 2>&1'
SELECTED = "\u203a (.*)"
PAGE = "https://sign.example/login"
ACCOUNTS = [("Ada", "ada", "pw-of-ada"), ("Bob", "bob", "pw-of-bob"), ("日本", "日本@例", "pw-of-日本")]


@pytest.fixture(scope="module")
def vault(stage):
    """A private environment whose vault has three accounts for one page, open to this session and to pages."""
    with Keyway() as session:
        session.prefix.symlink_to(stage)
        session.start_broker()
        session.keyway("providers", "enable", "--yes", PASSWORDS)
        session.keyway("passwords", "init", "--memory", "64", secrets=[MASTER, MASTER])
        for title, user, password in ACCOUNTS:
            session.keyway("passwords", "add", title, "--user", user, "--address", PAGE, secrets=[password])
        yield session


@pytest.fixture
def opened(vault):
    vault.keyway("passwords", "unlock", secrets=[MASTER])
    return vault


@pytest.fixture
def locked(vault):
    vault.keyway("passwords", "lock")
    return vault


def run(session: Keyway, *arguments: str, environment: dict | None = None, opens: bool = False, **options) -> Terminal:
    """Runs `keyway` in a terminal; with `opens`, the vault is unlocked in that terminal first."""
    command = [session.prefix / "bin/keyway", *arguments]
    if opens:
        command = ["/bin/sh", "-c", f'{UNLOCK} && exec "$0" "$@"', *command]
    return Terminal(
        command,
        {**session.environment, "TERM": "xterm", **(environment or {})},
        **options,
    )


def picker(session: Keyway, **options) -> Terminal:
    terminal = run(session, "fill", PAGE, opens=True, **options)
    terminal.wait_for("3 of 3|1 of 3")
    return terminal


@pytest.mark.parametrize(
    ("keys", "expected"),
    [
        ([ENTER], None),
        (["bo", ENTER], "pw-of-bob\n"),
        (["日", ENTER], "pw-of-日本\n"),
        (["ada", ENTER], "pw-of-ada\n"),
        (["x\x7f", "bob", ENTER], "pw-of-bob\n"),
    ],
)
def test_choice_fills(opened, keys, expected):
    with picker(opened) as terminal:
        for key in keys:
            terminal.type(key)
        status, out, err = terminal.finish()
        assert (status, err) == (0, "")
        assert out == expected if expected else out.strip() in {password for _, _, password in ACCOUNTS}
        assert "pw-of" not in terminal.written
        assert terminal.is_restored()
        assert terminal.text == ""


def test_arrows_move_through_the_rows(opened):
    with picker(opened) as terminal:
        first = re.search(SELECTED, terminal.text)[1]
        terminal.type(DOWN)
        assert re.search(SELECTED, terminal.wait_for("2 of 3"))[1] != first
        terminal.type("\x10")
        terminal.wait_for("1 of 3")


def test_header_names_the_service(opened):
    with picker(opened) as terminal:
        assert terminal.text.splitlines()[0] == f"▌ Keyway for {PAGE}"


@pytest.mark.parametrize("key", [ESCAPE, "\x03", "\x07"])
def test_backing_out_is_an_exit_code_of_its_own(opened, key):
    with picker(opened) as terminal:
        terminal.type(key)
        status, out, err = terminal.finish()
        assert (status, out) == (4, "")
        assert err == "keyway: Cancelled.\n"
        assert terminal.is_restored()
        assert terminal.text == ""


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP, signal.SIGINT, signal.SIGQUIT])
def test_signals_end_it_and_restore_the_terminal(opened, number):
    with picker(opened) as terminal:
        assert termios.tcgetattr(terminal.slave) != terminal.before
        terminal.signal(number)
        status, out, _ = terminal.finish()
        assert status == -number
        assert out == ""
        assert terminal.is_restored()
        assert terminal.text == ""


def test_suspended_it_gives_the_terminal_back_and_goes_on(opened):
    with picker(opened) as terminal:
        terminal.type("\x1a")
        terminal.wait_until_stopped()
        while terminal.pump(0.2):
            pass
        assert terminal.is_restored()
        assert terminal.text == ""
        os.write(terminal.slave, b"$ fg\r\n")
        terminal.resume()
        terminal.wait_for("1 of 3")
        assert terminal.text.startswith("$ fg\n")
        terminal.type("bob" + ENTER)
        status, out, _ = terminal.finish()
        assert (status, out) == (0, "pw-of-bob\n")
        assert terminal.is_restored()


def test_resize_redraws_in_the_new_size(opened):
    with picker(opened) as terminal:
        terminal.resize(30, 8)
        terminal.wait_for("…")
        assert all(len(line) <= 30 for line in terminal.text.splitlines())
        terminal.resize(120, 40)
        terminal.wait_for(re.escape(PAGE))
        terminal.type("bob" + ENTER)
        assert terminal.finish()[:2] == (0, "pw-of-bob\n")
        assert terminal.is_restored()


def test_what_stood_on_the_screen_before_stays(opened):
    with Terminal(
        ["/bin/sh", "-c", f"seq 1 23; exec keyway fill {PAGE}"],
        {**opened.environment, "TERM": "xterm"},
        tty_output=True,
    ) as terminal:
        terminal.wait_for("1 of 3")
        terminal.type(ESCAPE)
        terminal.finish()
        assert terminal.text.splitlines()[-2:] == ["23", "keyway: Cancelled."]


def test_no_colour_is_sent_where_none_is_wanted(locked):
    with run(locked, "fill", PAGE, "--user", "ada", environment={"NO_COLOR": "1"}) as terminal:
        terminal.wait_for("Master password")
        terminal.type("wrong" + ENTER)
        terminal.wait_for("(?i)wrong|not right|incorrect")
        assert not re.search(r"\x1b\[[0-9;]*3\d", terminal.written)


def test_locked_vault_is_opened_in_the_terminal_that_asked(locked):
    with run(locked, "fill", PAGE, "--user", "ada") as terminal:
        terminal.wait_for("Master password")
        assert terminal.text.startswith("▌ Passwords for ")
        terminal.type("wrong" + ENTER)
        terminal.wait_for("(?i)wrong|not right|incorrect")
        terminal.type(MASTER + ENTER)
        status, out, err = terminal.finish()
        assert (status, out, err) == (0, "pw-of-ada\n", "")
        for typed in ("wrong", MASTER):
            assert typed not in terminal.written.replace("wrong.", "")
        assert terminal.is_restored()


def test_pasted_password_submits_nothing_by_itself(locked):
    with run(locked, "fill", PAGE, "--user", "ada") as terminal:
        terminal.wait_for("Master password")
        terminal.type(f"\x1b[200~{MASTER}\n\x1b[201~")
        terminal.wait_for("•{13}")
        assert terminal.process.poll() is None
        terminal.type(ENTER)
        assert terminal.finish()[:2] == (0, "pw-of-ada\n")


def test_cancelling_the_question_cancels_the_request(locked):
    for key in (ESCAPE, "\x03"):
        with run(locked, "fill", PAGE, "--user", "ada") as terminal:
            terminal.wait_for("Master password")
            terminal.type(key)
            status, out, err = terminal.finish()
            assert (status, out) == (4, "")
            assert err.startswith("keyway: ")
            assert terminal.is_restored()


def test_whole_list_of_the_provider(opened):
    with run(opened, "fill", opens=True) as terminal:
        terminal.wait_for("Bob")
        terminal.type("bob" + ENTER)
        assert terminal.finish()[:2] == (0, "pw-of-bob\n")


def test_dumb_terminal_is_asked_line_by_line(opened):
    with run(opened, "fill", PAGE, environment={"TERM": "dumb"}, opens=True) as terminal:
        terminal.wait_for(r"3\) .*\n.*Number")
        terminal.type("bob\n")
        terminal.wait_for(r"1\) bob(.|\n)*Number.*:$")
        terminal.type("1\n")
        status, out, _ = terminal.finish()
        assert (status, out) == (0, "pw-of-bob\n")
        assert "\x1b" not in terminal.written
        assert terminal.is_restored()


def test_dumb_terminal_does_not_echo_secrets(locked):
    with run(locked, "fill", PAGE, "--user", "ada", environment={"TERM": "dumb"}) as terminal:
        terminal.wait_for("Master password: ?$")
        terminal.type(MASTER + "\n")
        assert terminal.finish()[:2] == (0, "pw-of-ada\n")
        assert MASTER not in terminal.written
        assert terminal.is_restored()


def test_broker_that_dies_gives_the_terminal_back(stage):
    with Keyway() as session:
        session.prefix.symlink_to(stage)
        broker = session.start_broker()
        session.keyway("providers", "enable", "--yes", PASSWORDS)
        session.keyway("passwords", "init", "--memory", "64", secrets=[MASTER, MASTER])
        session.keyway("passwords", "add", "Ada", "--user", "ada", "--address", PAGE, secrets=["pw"])
        session.keyway("passwords", "lock")
        with run(session, "fill", PAGE) as terminal:
            terminal.wait_for("Master password")
            broker.kill()
            status, out, err = terminal.finish()
            assert (status, out) == (8, "")
            assert "keyway: " in err
            assert terminal.is_restored()


def test_prompt_of_the_command_line_shows_nothing(locked):
    with run(locked, "passwords", "unlock") as terminal:
        terminal.wait_for("Master password:")
        terminal.type("wrong" + ENTER)
        terminal.wait_for("Master password:\\s*\n+Master password:")
        terminal.type("corrext\x7f\x7fct horse" + ENTER)
        status, _, err = terminal.finish()
        assert status == 0, err
        assert "horse" not in terminal.written and "wrong" not in terminal.written
        assert terminal.is_restored()


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_signal_at_a_prompt_restores_the_terminal(locked, number):
    with run(locked, "passwords", "unlock") as terminal:
        terminal.wait_for("Master password:")
        terminal.signal(number)
        assert terminal.finish()[0] == -number
        assert terminal.is_restored()


def test_secret_that_is_typed_twice_must_be_the_same(opened):
    with run(opened, "passwords", "add", "New") as terminal:
        terminal.wait_for("Master password:")
        terminal.type(MASTER + ENTER)
        terminal.wait_for("Password:")
        terminal.type("one" + ENTER)
        terminal.wait_for("Password, again:")
        terminal.type("two" + ENTER)
        terminal.wait_for("again:\\s*\n+Password:")
        terminal.type("\x03")
        status, _, err = terminal.finish()
        assert status == 4
        assert "don't match" in err


def test_new_item_is_asked_for_on_a_form(opened):
    with run(opened, "passwords", "add") as terminal:
        terminal.wait_for("Master password:")
        terminal.type(MASTER + ENTER)
        terminal.wait_for("Title:")
        for text in ("Form", "https://form.example", "carol"):
            terminal.type(text + "\t")
        terminal.wait_for("carol")
        terminal.type("pw-of-carol" + ENTER)
        status, _, err = terminal.finish()
        assert (status, err) == (0, "keyway: Added “Form”.\n")
        assert terminal.is_restored()
    with run(opened, "fill", "https://form.example", opens=True) as terminal:
        assert terminal.finish()[:2] == (0, "pw-of-carol\n")
        assert terminal.raw == b""


@pytest.mark.parametrize(("key", "code"), [("n", 4), (ENTER, 4), ("\x03", 4), ("y", 0)])
def test_removal_asks(opened, key, code):
    opened.keyway("passwords", "add", "Gone", "--user", key.strip() or "x", secrets=["pw"]) if key == "n" else None
    with run(opened, "passwords", "remove", "Gone") as terminal:
        terminal.wait_for("Master password:")
        terminal.type(MASTER + ENTER)
        terminal.wait_for(re.escape("[y/N]"))
        terminal.type(key)
        assert terminal.finish()[0] == code
        assert terminal.is_restored()


def test_a_text_is_inserted_into_a_pipe(opened):
    opened.keyway("passwords", "edit", "Ada", "--custom", "PIN", secrets=["1234"])
    with run(opened, "insert", opens=True) as terminal:
        terminal.wait_for("Notes and fields of")
        terminal.type("Ada")
        terminal.type(ENTER)
        terminal.wait_for("PIN")
        terminal.type(ENTER)
        status, out, err = terminal.finish()
        assert (status, out, err) == (0, "1234\n", "")
