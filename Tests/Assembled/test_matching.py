"""T7, T8: which site is which, as the installed broker sees it, whoever asks."""

from __future__ import annotations

import pytest
from login import Login

# For each account, where it belongs to; and pages that get it, or nothing.
ACCOUNTS = {"ada": "https://ada.github.io", "root": "http://router.example"}
PAGES = {
    "https://ada.github.io/login": "ada",
    "https://login.ada.github.io": "ada",
    # Everybody has a name under that one.
    "https://eve.github.io": "",
    "https://github.io": "",
    "https://ada.github.io.evil.example": "",
    "https://ada-github.io": "",
    # Whoever sits between reads what is not encrypted.
    "http://ada.github.io": "",
    # Unless that is what the account is for.
    "http://router.example": "root",
    "http://login.router.example": "",
}


@pytest.fixture(scope="module")
def accounts(prefix):
    with Login(prefix) as login, login.terminal() as terminal:
        terminal.keyway("providers enable --yes org.keyway.passwords")
        terminal.keyway("passwords init", "correct horse", "correct horse")
        for user, site in ACCOUNTS.items():
            terminal.keyway(f"passwords add {user} --user {user} --url {site}", f"password of {user}")
        yield terminal


@pytest.mark.parametrize("page", PAGES)
def test_T7_T8_an_account_is_offered_to_its_own_site_and_to_no_other(accounts, page: str):
    _, printed, said = accounts.run(f"keyway suggest {page}")
    offered = [user for user in ACCOUNTS if user in printed.split()]
    assert offered == ([PAGES[page]] if PAGES[page] else []), said
