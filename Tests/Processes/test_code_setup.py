"""Links that set one-time codes up, as a desktop opens them: the question in its window, and what the vault has."""

from __future__ import annotations

import json
import os
import subprocess
import time
from pathlib import Path

import pytest
from sheets import Display, until
from test_passwords_extension import MASTER, start_on_desktop

from session.private import PASSWORDS

SECRET = "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ"
LINK = f"otpauth://totp/Alpha:ada?secret={SECRET}&issuer=Alpha"
# Two accounts, as another authenticator exports them.
MIGRATION = (Path(__file__).resolve().parents[1] / "Vectors/otp/generated_migration.txt").read_text().split()[0]


@pytest.fixture(scope="module")
def display():
    with Display() as display:
        yield display


@pytest.fixture
def desktop(keyway, display):
    """A broker that was started on a desktop, with a vault of two items that is locked."""
    start_on_desktop(keyway, display)
    yield keyway
    until(lambda: not display.windows(), 60)


def open_link(desktop, link: str) -> subprocess.Popen:
    """What the desktop entry of the installed tree does with a link; no terminal is there."""
    entry = (desktop.prefix / "share/applications/org.keyway.Codes.desktop").read_text()
    (line,) = [line for line in entry.splitlines() if line.startswith("Exec=")]
    program, *words = line.removeprefix("Exec=").split()
    assert program.endswith("/bin/keyway")
    command = [str(desktop.prefix / "bin/keyway"), *(link if word == "%u" else word for word in words)]
    return subprocess.Popen(
        command,
        env=desktop.environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )


def says(display, *names: str) -> None:
    for name in names:
        until(lambda name=name: any(name in node["name"] for node in display.accessible()), 60)


def agree(display, *names: str) -> None:
    display.window("Keyway", 60)
    says(display, *names)
    display.can_use("Set Up")
    display.use("Set Up")


def unlock(display) -> None:
    says(display, "Master password")
    display.fill("Master password", MASTER.decode())
    display.use("Unlock")


def choose(display, words: str, beginning: str) -> None:
    """Searches the list, and takes the first row once that begins like that."""
    display.type(words)

    def rows() -> list[str]:
        return [node["name"] for node in display.accessible() if node["role"] == "list item" and node["name"]]

    until(lambda: rows()[:1] and rows()[0].startswith(beginning) and not any("beta" in row for row in rows()), 60)
    display.press("Return")


def ended(process: subprocess.Popen) -> tuple[int, str]:
    out, err = process.communicate(timeout=120)
    assert SECRET not in out + err
    return process.returncode, err


def codes(desktop) -> list[str]:
    """Whose codes the vault has, by title; read in a session that has it open."""
    command = '"$0" passwords unlock >/dev/null 2>&1 && "$0" passwords list --json'
    listed = subprocess.run(
        ["sh", "-c", command, desktop.prefix / "bin/keyway"],
        env=desktop.environment,
        input=MASTER.decode() + "\n",
        capture_output=True,
        text=True,
        timeout=120,
        check=True,
    )
    items = json.loads(listed.stdout)["items"]
    return [item["title"] for item in items for section in item.get("sections") or [] if section["type"] == "totp"]


def test_a_link_is_set_up_with_an_existing_item_after_the_question(desktop, display):
    process = open_link(desktop, LINK)
    agree(display, "Alpha", "ada", "Passwords")
    unlock(display)
    says(display, "New item: Alpha", "For Alpha", "alpha")
    choose(display, "alpha", "alpha")
    status, said = ended(process)
    assert (status, said) == (0, "keyway: Passwords keeps the one-time codes for Alpha, ada.\n")
    assert codes(desktop) == ["alpha"]
    made = subprocess.run(
        ["sh", "-c", '"$0" passwords unlock >/dev/null 2>&1; exec "$0" code alpha.example',
         desktop.prefix / "bin/keyway"],
        env=desktop.environment, input=MASTER.decode() + "\n", capture_output=True, text=True, timeout=120, check=True,
    )  # fmt: skip
    now = int(time.time()) // 30
    theirs = [
        subprocess.run(
            ["oathtool", "--totp", "-b", SECRET, "-N", f"@{step * 30}"], capture_output=True, text=True, check=True
        ).stdout
        for step in (now - 1, now)
    ]
    assert made.stdout in theirs


def test_a_link_is_set_up_with_a_new_item_that_is_for_no_site(desktop, display):
    process = open_link(desktop, LINK)
    agree(display, "Alpha")
    unlock(display)
    says(display, "New item: Alpha")
    choose(display, "nothing", "New item: Alpha")
    assert ended(process)[0] == 0
    assert codes(desktop) == ["Alpha"]


def test_no_code_is_stored_without_the_persons_yes(desktop, display):
    process = open_link(desktop, LINK)
    display.window("Keyway", 60)
    says(display, "Not Now")
    display.use("Not Now")
    status, said = ended(process)
    assert status == 4 and "chose not to" in said
    process = open_link(desktop, LINK)
    display.window("Keyway", 60)
    process.kill()
    process.communicate(timeout=60)
    until(lambda: not display.windows(), 60)
    assert codes(desktop) == []


def test_whoever_backs_out_of_the_choice_keeps_nothing(desktop, display):
    process = open_link(desktop, LINK)
    agree(display, "Alpha")
    unlock(display)
    says(display, "New item: Alpha")
    display.press("Escape")
    assert ended(process)[0] != 0
    assert codes(desktop) == []


def test_each_account_of_an_export_is_a_question_of_its_own(desktop, display):
    process = open_link(desktop, MIGRATION)
    agree(display)
    unlock(display)
    says(display, "New item: ")
    choose(display, "nothing", "New item: ")
    says(display, "Not Now")
    display.can_use("Set Up")
    display.use("Not Now")
    status, said = ended(process)
    assert status == 4 and "1 of the link's" in said
    assert len(codes(desktop)) == 1


@pytest.mark.parametrize(
    ("link", "said"),
    [
        ("otpauth://totp/Alpha:ada", "Base32"),
        ("otpauth://totp/Alpha:ada?secret=1890", "Base32"),
        (f"otpauth://motp/Alpha:ada?secret={SECRET}", "kind"),
        (f"otpauth://totp/Alpha:ada?secret={SECRET}&digits=11", "number of digits"),
        ("otpauth-migration://offline?data=CgcKBQ", "link"),
        (f"https://example.com/{SECRET}", "link for one-time codes"),
        ("otpauth://totp/" + "x" * 5000 + f"?secret={SECRET}", "too long"),
    ],
)
def test_a_link_that_is_none_is_refused_before_anybody_is_asked(broker, link, said):
    status, error = ended(open_link(broker, link))
    assert status == 1
    assert said in error


def test_a_link_is_wiped_from_the_arguments_before_anything_is_asked(desktop, display):
    process = open_link(desktop, LINK)
    display.window("Keyway", 60)
    for place in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            words = place.read_bytes()
        except OSError:
            continue
        assert SECRET.encode() not in words or str(os.getpid()) == place.parent.name, words
    assert b"otpauth:*****" in Path(f"/proc/{process.pid}/cmdline").read_bytes()
    assert SECRET.encode() not in Path(f"/proc/{process.pid}/environ").read_bytes()
    for log in desktop.folder.rglob("*.log"):
        assert SECRET not in log.read_text(errors="replace")
    display.use("Not Now")
    ended(process)


def test_without_a_display_it_says_what_to_do_instead(broker):
    broker.enable(PASSWORDS)
    status, said = ended(open_link(broker, LINK))
    assert status == 5
    assert "keyway passwords edit ITEM --add-code" in said


def test_a_link_comes_from_standard_input_too(broker):
    finished = subprocess.run(
        [broker.prefix / "bin/keyway", "code", "--add"],
        env=broker.environment, input="https://example.com\n", capture_output=True, text=True, timeout=60,
    )  # fmt: skip
    assert finished.returncode == 1
    assert "This isn't a link for one-time codes." in finished.stderr


def test_the_desktop_entry_is_for_links_of_codes(stage):
    entry = stage / "share/applications/org.keyway.Codes.desktop"
    assert "MimeType=x-scheme-handler/otpauth;x-scheme-handler/otpauth-migration;\n" in entry.read_text()
    assert "@bindir@" not in entry.read_text()
