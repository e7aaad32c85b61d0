"""K3: which programs count as the app of a provider."""

from __future__ import annotations

import json
import os
import shutil

import pytest
from login import HOME, USER, Login
from own_provider import own_provider
from persons_programs import PYTHON

APP, SCRIPT = HOME / "app", HOME / "script"


@pytest.fixture
def programs(login: Login) -> None:
    """A program of the person's, and a script."""
    shutil.copy("/usr/bin/true", APP)
    SCRIPT.write_text("#!/bin/sh\n")
    for place in (APP, SCRIPT):
        place.chmod(0o755)
        os.chown(place, USER, USER)


def applications(login: Login, identifier: str) -> list[dict]:
    provider = json.loads(login.keyway("providers", "show", identifier, "--json"))["provider"]
    return [{"path": each["path"], "approved": each["approved"]} for each in provider["applications"]]


def test_K3_a_program_is_the_app_of_one_provider_alone(login: Login, programs: None):
    first, second = (own_provider(login, name, KeywayApplications=[str(APP)]) for name in ("first", "second"))
    with login.terminal() as terminal:
        terminal.keyway(f"providers enable --yes {first}")
        terminal.keyway(f"providers approve {first}")
        status, _, said = terminal.run(f"keyway providers enable --yes {second}")
        assert status != 0 and "can belong to only one provider" in said, said
        assert applications(login, first) == [{"path": str(APP), "approved": True}]


def test_K3_what_runs_other_programs_is_the_app_of_none(login: Login, programs: None):
    thief = own_provider(login, "thief", KeywayApplications=[PYTHON])
    with login.terminal() as terminal:
        status, _, said = terminal.run(f"keyway providers enable --yes {thief}")
        assert status != 0 and "other people" in said, said


def test_K3_a_script_is_the_app_of_none(login: Login, programs: None):
    thief = own_provider(login, "thief", KeywayApplications=[str(SCRIPT)])
    with login.terminal() as terminal:
        terminal.keyway(f"providers enable --yes {thief}")
        status, _, said = terminal.run(f"keyway providers approve {thief}")
        assert status != 0, said
        assert applications(login, thief) == [{"path": str(SCRIPT), "approved": False}]
