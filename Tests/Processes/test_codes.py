"""One-time codes as a person has them: `keyway code`, codes in the vault of Passwords, and pictures of them."""

import json
import re
import subprocess
import time
from pathlib import Path

import pytest
from conftest import Keyway, fill, url
from test_cli import run
from wire import contents

from session.private import PASSWORDS

MASTER = "master-canary-7f3a"
# The secret of RFC 4226, appendix D, and its codes.
SECRET = "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ"
COUNTERS = ["755224", "287082", "359152", "969429", "338314", "254676"]
VECTORS = Path(__file__).resolve().parents[1] / "Vectors" / "otp"


@pytest.fixture(scope="module")
def vault(stage):
    with Keyway() as session:
        session.prefix.symlink_to(stage)
        session.start_broker()
        session.keyway("providers", "enable", "--yes", PASSWORDS)
        session.keyway("passwords", "init", "--memory", "64", secrets=[MASTER, MASTER])
        yield session


def add(session: Keyway, title: str, code: str, *more: str) -> str:
    """An item with a code; the address of its site."""
    page = f"https://{title.lower()}.example"
    session.keyway(
        "passwords", "add", title, "--user", "ada", "--address", page, "--code", *more, secrets=["password", code]
    )
    return page


def oathtool(*arguments: str) -> str:
    return subprocess.run(["oathtool", *arguments], capture_output=True, text=True, check=True).stdout.strip()


def test_a_code_by_time_is_that_of_oathtool(vault):
    page = add(vault, "Time", f"otpauth://totp/Time:ada?secret={SECRET}&algorithm=SHA256&digits=8&period=60")
    while True:
        before = time.time() // 60
        answer = json.loads(vault.keyway("code", page, "--json"))
        theirs = oathtool("--totp=sha256", "-d", "8", "-s", "60", "-b", SECRET)
        if time.time() // 60 == before:
            break
    assert answer["code"] == theirs
    assert 0 <= answer["secondsLeft"] - (60 - time.time() % 60) + 5 <= 10
    assert answer["provider"] == PASSWORDS
    assert re.fullmatch(r"[0-9]{8}\n", vault.keyway("code", page))
    assert re.fullmatch(r"[0-9]{8}\n", vault.keyway("fill", page, "--code"))


def test_terminals_that_ask_at_once_get_a_counter_each(vault):
    page = add(vault, "Count", f"otpauth://hotp/Count:ada?secret={SECRET}&counter=0")
    command = [vault.prefix / "bin/keyway", "code", page]
    asking = [subprocess.Popen(command, env=vault.environment, stdout=subprocess.PIPE, text=True) for _ in range(4)]
    codes = [process.communicate(timeout=60)[0].strip() for process in asking]
    assert sorted(codes) == sorted(COUNTERS[:4])
    assert json.loads(vault.keyway("code", page, "--json")) == {
        "code": COUNTERS[4],
        "secondsLeft": None,
        "provider": PASSWORDS,
    }


def test_a_code_is_for_its_own_site_only(vault):
    add(vault, "Mine", SECRET)
    status, out, _ = run(vault, "code", "https://mine.example.evil.example")
    assert (status, out) == (3, "")
    status, out, _ = run(vault, "code", "https://notmine.example")
    assert (status, out) == (3, "")


def test_a_code_goes_with_its_item(vault):
    page = add(vault, "Gone", SECRET)
    vault.keyway("code", page)
    vault.keyway("passwords", "edit", "Gone", "--code", secrets=[f"otpauth://hotp/x?secret={SECRET}&counter=3"])
    assert vault.keyway("code", page).strip() == COUNTERS[3]
    vault.keyway("passwords", "remove", "Gone", "--yes")
    assert run(vault, "code", page)[0] == 3


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ("1890", "Base32"),
        ("otpauth://totp/x?secret=" + SECRET + "&digits=11", "number of digits"),
        ("otpauth://motp/x?secret=" + SECRET, "kind"),
        ("https://example.com/" + SECRET, "link"),
    ],
)
def test_what_is_no_code_is_refused_without_repeating_it(vault, given, said):
    status, out, err = run(vault, "passwords", "add", "Wrong", "--code", secrets=["password", given])
    assert status != 0
    assert said in err
    assert SECRET not in out + err
    assert run(vault, "passwords", "show", "Wrong")[0] == 3


def test_a_picture_of_a_code_is_read_and_drawn_again(vault, tmp_path):
    page = "https://picture.example"
    for name in ("qr-link.png", "qr-link.jpg"):
        vault.keyway(
            "passwords", "add", name, "--address", page, "--user", name, "--code-image", str(VECTORS / name),
            secrets=["password"],
        )  # fmt: skip
        code = vault.keyway("code", page, "--user", name).strip()
        assert code in {
            oathtool("--totp", "-b", "JBSWY3DPEHPK3PXP", "-N", f"now {step} seconds") for step in ("+0", "-30")
        }
    drawn = vault.keyway("passwords", "show", "qr-link.png", "--code-qr")
    link = json.loads(vault.keyway("passwords", "show", "qr-link.png", "--code-qr", "--json"))["link"]
    assert link == "otpauth://totp/Example:ada?secret=JBSWY3DPEHPK3PXP&issuer=Example"
    assert zbarimg(drawn, tmp_path) == link


def zbarimg(drawn: str, folder: Path) -> str:
    """What another program reads from the characters in a terminal."""
    rows: list[list[int]] = []
    for line in re.sub("\x1b\\[[0-9;]*m", "", drawn).splitlines():
        rows.append([255 if character in "█▀" else 0 for character in line])
        rows.append([255 if character in "█▄" else 0 for character in line])
    scale = 4
    points = b"".join(bytes(point for point in row for _ in range(scale)) * scale for row in rows)
    picture = folder / "drawn.pgm"
    picture.write_bytes(b"P5 %d %d 255\n" % (len(rows[0]) * scale, len(rows) * scale) + points)
    read = subprocess.run(["zbarimg", "--quiet", "--raw", picture], capture_output=True, text=True, check=True)
    return read.stdout.strip()


def test_every_code_of_an_item_is_one_of_its_own(vault):
    page = add(vault, "Several", f"otpauth://hotp/Work:ada?secret={SECRET}&issuer=Work&counter=0")
    assert vault.keyway("code", page, "--user", "ada").strip() == COUNTERS[0]
    other = f"otpauth://hotp/Home:ada?secret={SECRET}&issuer=Home&counter=3"
    vault.keyway("passwords", "edit", "Several", "--add-code", secrets=[other])
    found = json.loads(vault.keyway("suggest", page, "--json"))["suggestions"]
    assert [each["user"] for each in found] == ["ada"]
    assert vault.keyway("code", page, "--user", "ada (Home)").strip() == COUNTERS[3]
    assert vault.keyway("code", page, "--user", "ada (Work)").strip() == COUNTERS[1]
    status, out, err = run(vault, "code", page)
    assert (status, out) == (10, "")
    assert "ada (Work)" in err and "ada (Home)" in err
    assert run(vault, "code", page, "--user", "ada")[0] == 10
    # A code by itself is called like its account again.
    sections = json.loads(vault.keyway("passwords", "show", "Several", "--json"))["sections"]
    (work,) = [each["number"] for each in sections if each["title"] == "Work"]
    vault.keyway("passwords", "edit", "Several", "--remove-section", str(work))
    assert vault.keyway("code", page, "--user", "ada").strip() == COUNTERS[4]


def test_of_several_codes_one_has_to_be_named(vault, tmp_path):
    page = add(vault, "Named", f"otpauth://totp/Work:ada?secret={SECRET}&issuer=Work")
    vault.keyway(
        "passwords", "edit", "Named", "--add-code", secrets=["otpauth://totp/Home:ada?secret=JBSWY3DPEHPK3PXP"]
    )
    status, _, err = run(vault, "passwords", "edit", "Named", "--code", secrets=[SECRET])
    assert status == 10 and "several one-time codes" in err
    status, out, err = run(vault, "passwords", "show", "Named", "--code-qr")
    assert (status, out) == (10, "") and "section" in err
    sections = json.loads(vault.keyway("passwords", "show", "Named", "--json"))["sections"]
    for title, secret in (("Work", SECRET), ("Home", "JBSWY3DPEHPK3PXP")):
        (number,) = [each["number"] for each in sections if each["title"] == title]
        shown = json.loads(vault.keyway("passwords", "show", "Named", "--code-qr", "--section", str(number), "--json"))
        assert f"secret={secret}&" in shown["link"]
        picture = tmp_path / f"{title}.png"
        vault.keyway("code", page, "--user", f"ada ({title})", "--qr", "--output", str(picture))
        assert read_by_zbar(picture) == shown["link"]


def test_a_picture_of_a_code_is_for_its_owner_and_replaces_nothing_unasked(vault, tmp_path):
    page = add(vault, "Owned", f"otpauth://totp/Owned:ada?secret={SECRET}&issuer=Owned")
    file = tmp_path / "code.png"
    said = run(vault, "passwords", "show", "Owned", "--code-qr", "--output", str(file))
    assert (said[0], said[1]) == (0, "") and "Anyone who photographs" in said[2]
    assert file.stat().st_mode & 0o7777 == 0o600
    link = f"otpauth://totp/Owned:ada?secret={SECRET}&issuer=Owned"
    assert read_by_zbar(file) == link
    before = file.read_bytes()
    for command in (["passwords", "show", "Owned", "--code-qr"], ["code", page, "--qr"]):
        status, _, err = run(vault, *command, "--output", str(file))
        assert status == 12 and "already" in err and "--force" in err
    assert file.read_bytes() == before
    file.write_text("another")
    file.chmod(0o644)
    vault.keyway("code", page, "--qr", "--output", str(file), "--force")
    assert file.stat().st_mode & 0o7777 == 0o600
    assert read_by_zbar(file) == link
    assert [each.name for each in tmp_path.iterdir()] == ["code.png"]


def test_a_picture_follows_no_link_to_another_file(vault, tmp_path):
    page = add(vault, "Symbolic", SECRET)
    other = tmp_path / "other"
    other.write_text("kept")
    (tmp_path / "code.png").symlink_to(other)
    for force in ([], ["--force"]):
        status, _, _ = run(vault, "code", page, "--qr", "--output", str(tmp_path / "code.png"), *force)
        assert status != 0
    assert other.read_text() == "kept"
    assert run(vault, "code", page, "--output", str(tmp_path / "x.png"))[0] == 2
    status, _, err = run(vault, "code", page, "--qr", "--output", str(tmp_path / "nowhere/x.png"))
    assert status == 1 and "Couldn't write" in err


def read_by_zbar(picture: Path) -> str:
    read = subprocess.run(["zbarimg", "--quiet", "--raw", picture], capture_output=True, text=True, check=True)
    return read.stdout.strip()


def test_what_is_no_picture_of_a_code_is_said(vault, tmp_path):
    (tmp_path / "text").write_text("no picture")
    status, _, err = run(vault, "passwords", "add", "P", "--code-image", str(tmp_path / "text"))
    assert status == 1 and "isn't a PNG or JPEG picture" in err
    status, _, err = run(vault, "passwords", "add", "P", "--code-image", str(tmp_path / "missing"))
    assert status == 1 and "Couldn't open" in err
    subprocess.run(["qrencode", "-o", tmp_path / "other.png", "https://example.com"], check=True)
    status, _, err = run(vault, "passwords", "add", "P", "--code-image", str(tmp_path / "other.png"))
    assert status == 3 and "no QR code for one-time codes" in err
    status, _, err = run(vault, "passwords", "add", "P", "--code-image", str(tmp_path))
    assert status == 1


def test_the_picture_is_read_by_a_process_that_reaches_nothing(vault, tmp_path):
    """What stands in the place of the reader says what it could do; `keyway` started it as it starts the real one."""
    folder = tmp_path / "installed"
    (folder / "bin").mkdir(parents=True)
    (folder / "libexec/keyway").mkdir(parents=True)
    (folder / "bin/keyway").write_bytes((vault.prefix / "bin/keyway").read_bytes())
    (folder / "libexec/keyway/keyway-confine").write_bytes(
        (vault.prefix / "libexec/keyway/keyway-confine").read_bytes()
    )
    source = tmp_path / "reader.c"
    source.write_text(READER)
    subprocess.run(["cc", "-o", folder / "libexec/keyway/keyway-qr-reader", source], check=True)
    for program in folder.rglob("*/keyway*"):
        if program.is_file():
            program.chmod(0o755)
    (tmp_path / "picture").write_text("0123456789")
    command = [folder / "bin/keyway", "passwords", "add", "P", "--code-image", tmp_path / "picture"]
    finished = subprocess.run(command, env=vault.environment, capture_output=True, text=True, timeout=60)
    # The descriptor of the picture is there; what it says of the rest is an exit status that `keyway` tells.
    assert "exit 70" in finished.stderr, finished.stderr


# 70: it read the picture, and got neither a socket, a process nor a file of the person's; 64 and above otherwise.
READER = """
#include <fcntl.h>
#include <sys/socket.h>
#include <unistd.h>
int main(void) {
    char bytes[10];
    if (read(4, bytes, 10) != 10 || bytes[9] != '9') return 80;
    if (socket(AF_UNIX, SOCK_STREAM, 0) >= 0 || socket(AF_INET, SOCK_STREAM, 0) >= 0) return 81;
    if (fork() >= 0) return 82;
    if (open("/etc/hostname", O_RDONLY) >= 0 || open("/root", O_RDONLY) >= 0) return 83;
    if (open("/tmp/keyway-qr-reader-was-here", O_WRONLY | O_CREAT, 0600) >= 0) return 84;
    return 70;
}
"""


def test_neither_secret_nor_code_is_in_arguments_or_logs(vault):
    page = add(vault, "Quiet", f"otpauth://totp/Quiet:ada?secret={SECRET}")
    code = vault.keyway("code", page).strip()
    for log in Path(vault.folder).rglob("*.log"):
        text = log.read_text(errors="replace")
        assert SECRET not in text and code not in text
    history = vault.keyway("history", "--json")
    assert SECRET not in history and code not in history


def test_a_page_gets_the_code_of_the_next_period_where_this_one_ends(vault):
    """With a period of five seconds every code is about to end; the terminal gets it all the same, a page the next."""
    page = add(vault, "Short", f"otpauth://totp/Short:ada?secret={SECRET}&period=5")
    assert json.loads(vault.keyway("code", page, "--json"))["secondsLeft"] <= 5
    with vault.connect("browser") as peer:
        wanted = {"services": [url(page)], "kinds": ["oneTimeCode"]}
        (suggestion,) = peer.call("suggest", wanted)["suggestions"]
        asked = time.time()
        answer, (descriptor,) = peer.answer(peer.request("fill", fill(suggestion["handle"], page)))
        code = contents(descriptor).decode()
    end = answer["credential"]["oneTimeCode"]["validUntil"]
    assert end == (asked // 5 + 2) * 5
    assert time.time() >= end - 5
    assert code == oathtool("--totp", "-s", "5", "-b", SECRET, "-N", f"@{end - 5:.0f}")
