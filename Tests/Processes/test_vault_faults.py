"""Faults at the writes of the vault: what was confirmed is there afterwards, whatever happened."""

import os
import random
import resource
import shutil
import subprocess
import threading

import pytest
from vault_service import Refused, VaultService
from wire import Closed


@pytest.fixture
def service(stage):
    with VaultService(stage) as service:
        yield service


def verified(service: VaultService) -> dict[str, str]:
    """Every item with its password, from a new process."""
    terminal = service.start().attach()
    terminal.unlock()
    return {title: terminal.show(title, "password")["password"] for title in terminal.titles()}


@pytest.mark.parametrize("seed", range(5))
def test_what_was_confirmed_survives_a_kill(service, seed):
    terminal = service.start().with_vault()
    terminal.add("Edited", "0")
    confirmed = {"Edited": "0"}
    attempted: dict[str, set[str]] = {"Edited": {"0"}}
    chance = random.Random(seed)
    # Somewhere within the writes that follow the first: the time is drawn, not waited for by a state.
    killer = threading.Timer(chance.uniform(0.01, 0.5), service.process.kill)
    try:
        for number in range(100_000):
            title, password = f"Item {number}", f"password {number}"
            attempted.setdefault(title, set()).add(password)
            terminal.add(title, password)
            confirmed[title] = password
            attempted["Edited"].add(str(number + 1))
            terminal.edit("Edited", str(number + 1))
            confirmed["Edited"] = str(number + 1)
            if number == 0:
                killer.start()
    except (Closed, OSError):
        pass
    killer.join()
    service.kill()
    stored = verified(service)
    assert len(confirmed) > 1, "it was killed before anything was confirmed"
    assert confirmed.keys() <= stored.keys()
    for title, password in stored.items():
        # The one change that was not confirmed may have been made or not; nothing else may differ.
        assert password in attempted[title]
    newest = int(confirmed["Edited"])
    assert int(stored["Edited"]) in (newest, newest + 1)
    assert len(stored) - len(confirmed) in (0, 1)


def fill(terminal) -> tuple[dict[str, str], str]:
    """Adds items until one is refused; what was confirmed, and what was said then."""
    confirmed: dict[str, str] = {}
    for number in range(10_000):
        title, password = f"Item {number}", f"password {number}"
        try:
            terminal.add(title, password, "n" * 20_000)
        except Refused as error:
            assert error.kind == "system"
            return confirmed, str(error)
        confirmed[title] = password
    raise AssertionError("the disk is not full")


def works_on_what_is_left(service: VaultService, terminal, confirmed: dict[str, str]) -> None:
    """Everything that was confirmed is there, in this process and in the next."""
    assert len(confirmed) > 3
    assert set(terminal.titles()) == set(confirmed)
    for title, password in confirmed.items():
        assert terminal.show(title, "password")["password"] == password
    assert service.stop() == 0
    assert verified(service) == confirmed


def test_a_full_disk_is_said_and_costs_nothing(service):
    if os.geteuid() != 0:
        # The nearest that an ordinary user can make: no file may grow any more.
        terminal = service.start(limits={resource.RLIMIT_FSIZE: 600_000}).with_vault()
        confirmed, said = fill(terminal)
        works_on_what_is_left(service, terminal, confirmed)
        return
    disk = service.vault.parent
    disk.mkdir(mode=0o700, parents=True)
    subprocess.run(["mount", "-t", "tmpfs", "-o", "size=900k,mode=700", "none", disk], check=True)
    try:
        terminal = service.start().with_vault()
        confirmed, said = fill(terminal)
        assert "Free some disk space" in said
        works_on_what_is_left(service, terminal, confirmed)
        # With room again it goes on.
        subprocess.run(["mount", "-o", "remount,size=4m", disk], check=True)
        service.attach().unlock()
        service.stop()
        terminal = service.start().attach()
        terminal.unlock()
        terminal.add("After", "wards")
        assert terminal.show("After", "password")["password"] == "wards"
        service.stop()
    finally:
        if service.process is not None:
            service.kill()
        subprocess.run(["umount", disk], check=True)


def test_no_file_grows_any_more_is_said_and_costs_nothing(service):
    terminal = service.start(limits={resource.RLIMIT_FSIZE: 600_000}).with_vault()
    confirmed, _ = fill(terminal)
    works_on_what_is_left(service, terminal, confirmed)


def test_a_vault_that_cannot_be_made_leaves_nothing_behind(service):
    terminal = service.start(limits={resource.RLIMIT_FSIZE: 8_000}).attach()
    with pytest.raises(Refused) as error:
        terminal.create()
    assert error.value.kind == "system"
    assert terminal.access() == "missing"
    assert list(service.vault.parent.iterdir()) == []


def test_a_folder_that_cannot_be_written_is_said(service):
    terminal = service.start().with_vault()
    terminal.add("Example", "hunter2")
    service.stop()
    shutil.rmtree(service.folder / "state")
    (service.folder / "state").write_text("a file where a folder should be")
    service.start()
    assert service.process.wait(10) == 69
    service.process = None
    assert "cannot start" in service.log
