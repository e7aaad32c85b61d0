"""Which accounts of the vault of Passwords a page is offered: of sites that share theirs, of forms or of HTTP's own
sign-in alone, and none on pages that look alike. The real broker, its identity store and the provider."""

import json
from collections.abc import Iterator

import pytest
from browser_host import ROOT
from conftest import Keyway, fill, url
from test_cli import run
from wire import Refused, contents

from session.private import PASSWORDS

MASTER = "master-canary-92d1"
TABLE = [
    line.split("\t")
    for line in (ROOT / "Tests/Vectors/look-alikes.tsv").read_text().splitlines()
    if not line.startswith("#")
]
# A few of them, from the whole table: who asks for more sites in a row is stopped.
SAMPLE = [row for row in TABLE if row[1] != "-"][::7][:8] + [row for row in TABLE if row[1] == "-"][::14][:16]
ACCOUNTS = {
    "bank": "https://bank.example",
    "uk": "https://bank.co.uk",
    "pages": "https://ada.github.io",
    "blog": "https://alice.blogspot.com",
    "books": "https://bücher.example",
    "four": "https://192.0.2.1",
    "six": "https://[2001:db8::1]",
    "router": "https://router.example:8443",
    "printer": "http://printer.example",
    "local": "http://localhost:3000",
    "shop": "https://login.shop.example",
}


@pytest.fixture(scope="module")
def vault(stage):
    yield from unlocked(stage)


@pytest.fixture
def untouched_vault(stage):
    """One whose broker was not asked for any site yet."""
    yield from unlocked(stage)


def unlocked(stage) -> Iterator[Keyway]:
    with Keyway() as session:
        session.prefix.symlink_to(stage)
        session.start_broker()
        session.keyway("providers", "enable", "--yes", PASSWORDS)
        session.keyway("passwords", "init", "--memory", "64", secrets=[MASTER, MASTER])
        for user, address in ACCOUNTS.items():
            add(session, user, address)
        yield session


def add(session: Keyway, user: str, address: str, *more: str) -> None:
    session.keyway("passwords", "add", user, "--user", user, "--address", address, *more, secrets=[f"secret-of-{user}"])


def offered(peer, page: str, **more: object) -> list[tuple[str, str]]:
    answer = peer.call("suggest", {"services": [url(page) | more.pop("service", {})], **more})
    return [(each["user"], each["match"]) for each in answer["suggestions"]]


def test_pages_that_look_alike_are_offered_nothing(untouched_vault):
    for page, expected, reason in SAMPLE:
        _, answer, error = run(untouched_vault, "suggest", page, "--json")
        assert expected != "-" or "No account" in error, (page, reason, error)
        found = [f"{each['user']}:{each['match']}" for each in json.loads(answer or "{}").get("suggestions", [])]
        assert found == ([] if expected == "-" else [expected]), (page, reason)


def test_the_account_of_a_group_is_suggested_and_never_filled_unasked(vault):
    add(vault, "vera", "https://videohive.net")
    page = "https://envato.com/sign-in"
    with vault.connect("browser") as peer:
        assert offered(peer, page) == []
        (suggestion,) = peer.call("suggest", {"services": [url(page)], "includesShared": True})["suggestions"]
        assert (suggestion["user"], suggestion["match"], suggestion["service"]) == (
            "vera",
            "shared",
            "https://videohive.net",
        )
        # There is no display here to ask on.
        with pytest.raises(Refused) as refusal:
            peer.call("fill", fill(suggestion["handle"], page))
        assert refusal.value.kind == "interactionRequired"
        assert "videohive.net" in str(refusal.value)
        assert "envato.com" in str(refusal.value)
        # Where the account belongs it is filled.
        (own,) = peer.call("suggest", {"services": [url("https://videohive.net/")]})["suggestions"]
        _, (descriptor,) = peer.answer(peer.request("fill", fill(own["handle"], "https://videohive.net/")))
        assert contents(descriptor) == b"secret-of-vera"


def test_an_account_for_forms_or_for_http_is_offered_there_alone(vault):
    page, staff = "https://intra.example/", {"realm": "Staff"}
    add(vault, "form", page, "--use", "forms")
    add(vault, "basic", page, "--use", "basic")
    add(vault, "both", page)
    with vault.connect("browser") as peer:
        assert sorted(user for user, _ in offered(peer, page)) == ["both", "form"]
        assert sorted(user for user, _ in offered(peer, page, service=staff)) == ["basic", "both"]
        vault.keyway("passwords", "edit", "basic", "--use", "everywhere")
        vault.keyway("passwords", "edit", "form", "--use", "basic")
        assert sorted(user for user, _ in offered(peer, page)) == ["basic", "both"]
        assert sorted(user for user, _ in offered(peer, page, service=staff)) == ["basic", "both", "form"]
    assert "only for HTTP" in vault.keyway("passwords", "show", "form")


def test_the_page_where_a_password_is_changed_is_shown(vault):
    add(vault, "sports", "https://247sports.com/login")
    shown = vault.keyway("passwords", "show", "sports")
    assert "Change at:  https://247sports.com/my/settings/password/\n" in shown
    page = json.loads(vault.keyway("passwords", "show", "bank", "--json"))["changePage"]
    assert page == {"url": "https://bank.example/.well-known/change-password", "known": False}
    assert "Change at" not in vault.keyway("passwords", "show", "printer")
