"""T25: what somebody changes, drops, swaps or puts back in the file of a vault is noticed by whoever opens it."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager

import pytest
from login import HOME, MASTER, USER, Login
from test_vault import end_broker

PASSWORD = "password of alpha"


@pytest.fixture
def two(vault: Login) -> Login:
    """The vault has two items."""
    vault.open_terminal.keyway("passwords add beta --user ada --url https://b.example", "password of beta")
    return vault


@contextmanager
def opened() -> Iterator[sqlite3.Connection]:
    """The file, while no process of Keyway's has it."""
    (file,) = HOME.rglob("*.vault")
    with closing(sqlite3.connect(file)) as database, database:
        yield database
    for place in file.parent.iterdir():
        os.chown(place, USER, USER)


def close(login: Login) -> None:
    login.open_terminal.keyway("passwords lock")
    end_broker(login)


def nothing(_: sqlite3.Connection) -> None:
    """The control of the others."""


def flip(database: sqlite3.Connection) -> None:
    item, sealed = database.execute("SELECT item, sealed FROM summary LIMIT 1").fetchone()
    flipped = bytearray(sealed)
    # In the code behind what is sealed: nothing that is read would be another.
    flipped[-1] ^= 0x10
    database.execute("UPDATE summary SET sealed = ? WHERE item = ?", (bytes(flipped), item))


def drop(database: sqlite3.Connection) -> None:
    (item,) = database.execute("SELECT item FROM summary LIMIT 1").fetchone()
    for table in ("summary", "body"):
        database.execute(f"DELETE FROM {table} WHERE item = ?", (item,))


def swap(database: sqlite3.Connection) -> None:
    """Each item is called what the other is called."""
    (first, of_first), (second, of_second) = database.execute("SELECT item, sealed FROM summary").fetchall()
    for item, sealed in ((first, of_second), (second, of_first)):
        database.execute("UPDATE summary SET sealed = ? WHERE item = ?", (sealed, item))


@pytest.mark.parametrize("change", [nothing, flip, drop, swap])
def test_T25_a_vault_in_which_something_was_flipped_dropped_or_swapped_is_not_opened(
    two: Login, change: Callable[[sqlite3.Connection], None]
):
    close(two)
    with opened() as database:
        change(database)
    status, _, said = two.open_terminal.run("keyway passwords unlock", MASTER)
    if change is nothing:
        assert two.open_terminal.keyway("fill https://a.example") == f"{PASSWORD}\n"
    else:
        assert status != 0 and "damaged" in said, said


def test_T25_an_older_state_of_one_item_that_is_put_back_is_noticed(two: Login):
    """The item as it was, in a file that is the newest one otherwise."""
    close(two)
    with opened() as database:
        older = {table: database.execute(f"SELECT * FROM {table}").fetchall() for table in ("summary", "body")}
    terminal = two.open_terminal
    terminal.keyway("passwords unlock", MASTER)
    terminal.keyway("passwords edit alpha --password", "newer password")
    close(two)
    with opened() as database:
        for table, rows in older.items():
            database.executemany(f"INSERT OR REPLACE INTO {table} VALUES (?, ?, ?)", rows)
    status, _, said = terminal.run("keyway passwords unlock", MASTER)
    assert status != 0 and "damaged" in said, said


def test_T25_secrets_that_were_exchanged_between_two_items_are_not_shown(two: Login):
    close(two)
    with opened() as database:
        (first, of_first), (second, of_second) = database.execute("SELECT item, sealed FROM body").fetchall()
        for item, sealed in ((first, of_second), (second, of_first)):
            database.execute("UPDATE body SET sealed = ? WHERE item = ?", (sealed, item))
    terminal = two.open_terminal
    terminal.keyway("passwords unlock", MASTER)
    for title in ("alpha", "beta"):
        status, printed, said = terminal.run(f"keyway passwords show {title} --field password")
        assert (status != 0, printed) == (True, "") and "damaged" in said, said
