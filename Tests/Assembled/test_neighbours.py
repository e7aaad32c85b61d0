"""T21: no page has Keyway ask this machine, or its neighbours, whatever addresses those have."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from browser_host import kind
from login import BIND, mount
from own_network import IPV4, IPV6, Addresses, OwnNetwork
from person import Person
from persons_programs import PYTHON
from seat import Seat
from test_poser import page, pose

from session import system_bus

SITE = "https://first.example"
NAMES = ("own.example", "neighbour.example", "elsewhere.example")


@pytest.fixture(params=[IPV4, IPV6], ids=["IPv4", "IPv6"])
def addresses(request: pytest.FixtureRequest) -> Addresses:
    return request.param


@pytest.fixture
def names(addresses: Addresses) -> Iterator[None]:
    """What these names are is known on this machine."""
    known = zip(NAMES, (addresses.own, addresses.neighbour, addresses.elsewhere), strict=True)
    with tempfile.NamedTemporaryFile("w", dir="/home", prefix="hosts-") as hosts:
        hosts.write("127.0.0.1 localhost\n" + "".join(f"{address} {name}\n" for name, address in known))
        hosts.flush()
        Path(hosts.name).chmod(0o644)
        mount(hosts.name.encode(), Path("/etc/hosts"), None, BIND, None)
        yield
        system_bus.call("umount", system_bus.libc.umount(b"/etc/hosts"))


@pytest.fixture
def network(addresses: Addresses) -> Iterator[OwnNetwork]:
    network = OwnNetwork(addresses)
    yield network
    network.close()


@pytest.fixture
def person(prefix: Path, names: None, network: OwnNetwork, tmp_path: Path) -> Iterator[Person]:
    """Somebody whose broker is in that network."""
    with Person(prefix) as person, Seat(tmp_path) as seat, person.terminal() as shell:
        person.seat, person.shell, person.starting = seat, shell, network
        person.set_up(SITE)
        yield person


def test_T21_what_a_page_names_is_looked_up_on_the_internet_alone(
    person: Person, network: OwnNetwork, addresses: Addresses
):
    """A page wants to make a passkey of another site: whether that names the page, Keyway looks up there."""
    asked = {
        "challenge": "c2VjcmV0IGNoYWxsZW5nZQ",
        "userVerification": "preferred",
        "user": {"id": "AQ", "name": "eve", "displayName": "Eve"},
        "algorithms": [-7],
        "excluded": [],
        "extensions": {},
    }
    visited = {}
    with pose(person, PYTHON, SITE) as host:
        for number, name in enumerate(NAMES, 5):
            request = {**asked, "relyingParty": name}
            host.request(
                number, "passkeys.create", {**page("https://evil.example"), "isConditional": False, "request": request}
            )
            assert kind(answer := host.answer()) in ("refused", "notAllowed"), answer
            visited[name] = network.visited()
    assert visited["own.example"] == visited["neighbour.example"] == []
    # What lies elsewhere is asked: else this would say nothing.
    assert set(visited["elsewhere.example"]) == {addresses.elsewhere}
