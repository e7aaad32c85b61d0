"""T20: a provider says of its passkeys that the person was verified. It is believed in a request in which they were."""

from __future__ import annotations

import base64
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from browser_host import Host, kind
from desktop import LIMIT, title, until
from login import MASTER
from own_provider import own_script
from person import Person
from seat import Seat
from test_poser import page, pose
from wire import is_readable

HOST = "claims.example"
SITE = f"https://{HOST}"
CHALLENGE = "c2VjcmV0IGNoYWxsZW5nZQ"
# How long a question stands there before a choice counts, in seconds.
CONSIDERATION = 0.7
# Where the flags stand in the authenticator data, and the one of the person who was verified.
FLAGS, VERIFIED = 32, 0x04


@pytest.fixture(scope="module")
def person(prefix: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Person]:
    """Somebody with an account of the site, and a provider that claims; their vault's master password verifies them."""
    with Person(prefix) as person, Seat(tmp_path_factory.mktemp("machine")) as seat, person.terminal() as shell:
        person.seat, person.shell = seat, shell
        person.set_up(SITE)
        provider = own_script("Claims", "claiming_provider.py", ("ProvidesPasskeys",), HOST)
        person.enable(provider, "Turn on \u201cClaims\u201d?")
        yield person


@pytest.fixture(scope="module")
def site(person: Person) -> Iterator[Host]:
    """The site, in the browser of somebody who let that browser ask."""
    with pose(person, "/usr/bin/python3", SITE) as host:
        yield host


def create(site: Host, person: Person, verification: str) -> dict:
    """Has the site ask for a new passkey, which the person has that provider save; what the site gets."""
    request = {
        "challenge": CHALLENGE,
        "relyingParty": HOST,
        "userVerification": verification,
        "user": {"id": "AQ", "name": "ada", "displayName": "Ada"},
        "algorithms": [-7],
        "excluded": [],
        "extensions": {},
    }
    site.request(5, "passkeys.create", {**page(SITE), "isConditional": False, "request": request})
    person.seat.choose(HOST, "Claims")
    if verification == "required":
        person.seat.confirm(HOST, MASTER)
    return site.answer()


def ask(site: Host, verification: str) -> None:
    """Has the site ask for a signature."""
    request = {
        "challenge": CHALLENGE,
        "relyingParty": HOST,
        "userVerification": verification,
        "allowed": [],
        "extensions": {},
    }
    site.request(6, "passkeys.get", {**page(SITE), "request": request})


def sign(site: Host, person: Person, verification: str) -> dict:
    ask(site, verification)
    person.seat.choose(HOST, "ada")
    if verification == "required":
        person.seat.confirm(HOST, MASTER)
    return site.answer()


def refused(answer: dict) -> str:
    assert "error" in answer and kind(answer) == "providerFailed", answer
    return answer["error"]["message"]


def test_T20_a_new_passkey_that_claims_a_verification_which_did_not_happen_is_refused(person: Person, site: Host):
    assert "claims to have verified you" in refused(create(site, person, "discouraged"))
    # The same from the same provider, where it is true.
    assert "result" in create(site, person, "required")
    # A verification is for one request.
    assert "claims to have verified you" in refused(create(site, person, "discouraged"))


def test_T20_a_signature_that_claims_a_verification_which_did_not_happen_is_refused(person: Person, site: Host):
    # It tells of its passkey when it is started, which is for a request.
    create(site, person, "discouraged")
    assert "claims to have verified you" in refused(sign(site, person, "discouraged"))
    data = sign(site, person, "required")["result"]["authenticatorData"]
    assert base64.urlsafe_b64decode(data + "==")[FLAGS] & VERIFIED
    assert "claims to have verified you" in refused(sign(site, person, "discouraged"))


def test_T20_a_key_that_was_meant_for_something_else_chooses_no_passkey(person: Person, site: Host):
    """Somebody types, and goes on while the question comes."""
    create(site, person, "discouraged")
    began = time.monotonic()
    ask(site, "discouraged")
    person.seat.window(title("Keyway", HOST), LIMIT)
    until(lambda: is_readable(site.process.stdout, 0) or person.seat.press("Return"), LIMIT, "no key is taken at all")
    assert time.monotonic() - began >= CONSIDERATION
    site.answer()
    assert person.seat.windows() == []
