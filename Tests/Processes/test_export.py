"""The vault as a document that other managers read: `keyway export`."""

import json
import stat

import pytest
from conftest import Keyway
from test_cli import MASTER, run

from session.private import PASSWORDS


@pytest.fixture(scope="module")
def vault(stage):
    with Keyway() as session:
        session.prefix.symlink_to(stage)
        session.start_broker()
        session.keyway("providers", "enable", "--yes", PASSWORDS)
        session.keyway("passwords", "init", "--memory", "64", secrets=[MASTER, MASTER])
        session.keyway("passwords", "add", "One", "--user", "ada", secrets=["hunter2"])
        yield session


def test_everything_is_exported_after_the_master_password_was_given_again(vault, tmp_path):
    path = tmp_path / "all.json"
    status, out, err = run(vault, "export", str(path), "--yes", secrets=[MASTER])
    assert (status, out) == (0, ""), err
    assert "1 item" in err and "hunter2" not in err
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert [entry.name for entry in tmp_path.iterdir()] == ["all.json"]
    (account,) = json.loads(path.read_text())["accounts"]
    (item,) = account["items"]
    assert item["title"] == "One"
    assert item["credentials"][0]["password"] == {"fieldType": "concealed-string", "value": "hunter2"}
    assert any("as an export" in json.dumps(entry) for entry in history(vault))


def history(session: Keyway) -> list[dict]:
    return json.loads(run(session, "history", "--json")[1])["entries"]


@pytest.mark.parametrize("secrets", [["wrong"], [""], []])
def test_nothing_starts_a_silent_export(vault, tmp_path, secrets):
    path = tmp_path / "all.json"
    status, out, err = run(vault, "export", str(path), "--yes", secrets=secrets)
    assert status != 0 and out == "" and "hunter2" not in err
    assert not path.exists()
