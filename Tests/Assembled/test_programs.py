"""T18: of the system's programs, a provider in a namespace finds those that it declared, and no others.

What can be read can be run, whatever may be executed: by the loader, or as a copy in memory.
"""

from __future__ import annotations

from pathlib import Path

from login import HOME, LOADER, Login, eventually

REPORT = HOME / "report"
PROGRAMS = ("/usr/bin/true", "/bin/true", "/usr/bin/git", "/usr/lib/git-core/git")
WAYS = ("read", "ran", "loaded", "copied and ran")
DECLARED = "ran /bin/sh"


def lodger(login: Login) -> Path:
    """Installs the provider: its service."""
    REPORT.mkdir()
    program = login.compile("undeclared.c", "undeclared", REPORT=f'"{REPORT}"', LOADER=f'"{LOADER}"')
    return login.install_bundle("lodger", program, {"WritePaths": [str(REPORT)], "Programs": ["sh"]})


def found() -> list[str]:
    eventually((REPORT / "done").exists)
    return (REPORT / "done").read_text().splitlines()


def test_T18_a_provider_finds_no_program_that_it_did_not_declare(login):
    lodger(login)
    with login.terminal() as terminal:
        terminal.keyway("providers enable --yes test.lodger")
        assert found() == [DECLARED]


def test_T18_without_its_walls_it_finds_all_of_them(login):
    login.start(lodger(login))
    assert found() == [f"{way} {program}" for program in PROGRAMS for way in WAYS] + [DECLARED]
