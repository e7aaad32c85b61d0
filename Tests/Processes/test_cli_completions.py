"""The completions, loaded by the shells themselves."""

import re
import subprocess

import pytest
from terminal import Terminal


@pytest.fixture(scope="module")
def program(stage):
    return stage / "bin/keyway"


def script(program, shell, tmp_path):
    path = tmp_path / ("_keyway" if shell == "zsh" else f"keyway.{shell}")
    path.write_text(subprocess.run([program, "completions", shell], check=True, capture_output=True, text=True).stdout)
    return path


CASES = [
    ("keyway st", {"status"}),
    ("keyway passwords ch", {"change-master"}),
    ("keyway providers a", {"approve"}),
    ("keyway providers d", {"disable", "debug"}),
    ("keyway fill --fi", {"--field"}),
    ("keyway code --re", {"--record"}),
    ("keyway fill --field ", {"username", "password"}),
    ("keyway fill example.com --j", {"--json"}),
    ("keyway completions f", {"fish"}),
    ("keyway passwords add Title --g", {"--generate"}),
    ("keyway fill --user ", set()),
    ("keyway help ", {"--help"}),
]


@pytest.mark.parametrize(("line", "expected"), CASES)
def test_bash(program, tmp_path, line, expected):
    words = line.split(" ")
    body = (
        f"source {script(program, 'bash', tmp_path)}\n"
        f"COMP_WORDS=({' '.join(repr(word) for word in words)})\nCOMP_CWORD={len(words) - 1}\n"
        '_keyway\nprintf "%s\\n" "${COMPREPLY[@]}"\ncomplete -p keyway\n'
    )
    finished = subprocess.run(["bash", "--norc", "-uec", body], capture_output=True, text=True, check=True)
    *found, registered = finished.stdout.splitlines()
    assert set(filter(None, found)) == expected
    assert registered == "complete -F _keyway keyway"
    assert finished.stderr == ""


@pytest.mark.parametrize(("line", "expected"), CASES)
def test_fish(program, tmp_path, line, expected):
    home = {"HOME": str(tmp_path), "XDG_CONFIG_HOME": str(tmp_path), "PATH": "/usr/bin:/bin"}
    body = f"source {script(program, 'fish', tmp_path)}; complete -C '{line}'"
    finished = subprocess.run(["fish", "-N", "-c", body], capture_output=True, text=True, check=True, env=home)
    found = {entry.split("\t")[0] for entry in finished.stdout.splitlines()}
    # Options are only offered by fish behind a dash.
    assert found == {word for word in expected if line.split(" ")[-1].startswith("-") or not word.startswith("-")}
    assert finished.stderr == ""


@pytest.mark.parametrize(
    ("line", "completed"),
    [
        ("keyway st", "keyway status "),
        ("keyway passwords ch", "keyway passwords change-master "),
        ("keyway fill --fi", "keyway fill --field "),
        ("keyway fill --field u", "keyway fill --field username "),
        ("keyway completions f", "keyway completions fish "),
        ("keyway fill example.com --js", "keyway fill example.com --json "),
    ],
)
def test_zsh(program, tmp_path, line, completed):
    script(program, "zsh", tmp_path)
    (tmp_path / ".zshrc").write_text("fpath=($ZDOTDIR $fpath)\nautoload -U compinit\ncompinit -u -D\nPS1='READY> '\n")
    environment = {"HOME": str(tmp_path), "ZDOTDIR": str(tmp_path), "PATH": "/usr/bin:/bin"}
    with Terminal(["/usr/bin/zsh", "-i"], environment, tty_output=True, columns=120) as terminal:
        terminal.wait_for("READY>")
        terminal.type(line + "\t")
        terminal.wait_for(re.escape(f"READY> {completed}".rstrip()) + "( |$)")
        terminal.type("#END")
        terminal.wait_for(re.escape(completed) + "#END")
        assert "command not found" not in terminal.text


def test_zsh_offers_the_commands_with_what_they_do(program, tmp_path):
    script(program, "zsh", tmp_path)
    (tmp_path / ".zshrc").write_text("fpath=($ZDOTDIR $fpath)\nautoload -U compinit\ncompinit -u -D\nPS1='READY> '\n")
    environment = {"HOME": str(tmp_path), "ZDOTDIR": str(tmp_path), "PATH": "/usr/bin:/bin"}
    with Terminal(["/usr/bin/zsh", "-i"], environment, tty_output=True, columns=120) as terminal:
        terminal.wait_for("READY>")
        terminal.type("keyway providers \t\t")
        terminal.wait_for("enable +-- Turn on a provider")
