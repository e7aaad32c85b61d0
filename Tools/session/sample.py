"""The sample that `make run` signs in with: a fresh vault with one account for the sample site, and some others."""

from __future__ import annotations

import secrets
from dataclasses import dataclass

from session.private import PrivateSession

OTHERS = [("Library", "reader", "https://library.example"), ("Mail", "ada@mail.example", "https://mail.example")]


@dataclass(frozen=True)
class Sample:
    """What the sign-in needs; both secrets are new each run."""

    master: str
    user: str
    password: str


def make_sample() -> Sample:
    return Sample(master=secrets.token_urlsafe(16), user="ada", password=secrets.token_urlsafe(12))


def fill_vault(session: PrivateSession, sample: Sample, site: str) -> None:
    """Makes the vault, which leaves it unlocked for this session, and stores the accounts."""
    session.keyway("passwords", "init", secrets=[sample.master, sample.master])
    add(session, "Sample site", sample.user, site, sample.password)
    for title, user, address in OTHERS:
        add(session, title, user, address, secrets.token_urlsafe(12))


def add(session: PrivateSession, title: str, user: str, address: str, password: str) -> None:
    session.keyway("passwords", "add", title, "--user", user, "--address", address, secrets=[password])
