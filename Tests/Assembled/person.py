"""A person before their desktop, who has Keyway there: what they type, click and confirm."""

from __future__ import annotations

from desktop import LIMIT
from login import MASTER, Login, Terminal, eventually
from seat import Seat

PASSWORDS, STORE = "org.keyway.passwords", "org.keyway.password-store"
USER, STORED = "ada@example.org", "grace@example.org"
# Of gpg.
KEY = "ada@keys.example"
IN_THE_VAULT, IN_THE_STORE = "from the vault", "from the store"


class Person(Login):
    """A person before their desktop, with a vault, a password store and a terminal to which both are open."""

    seat: Seat
    shell: Terminal

    def set_up(self, *sites: str) -> None:
        """A vault with an account for each site; browsers are told of the host."""
        self.enable(PASSWORDS, "Allow “keyway” to use Keyway?", "Turn on “Passwords”?")
        self.shell.keyway("passwords init", MASTER, MASTER)
        for site in sites:
            self.shell.keyway(f"passwords add {site} --user {USER} --url {site}", IN_THE_VAULT)
        # Other checks of it fail on a machine that is played.
        self.shell.run("keyway doctor --fix")

    def set_up_store(self, site: str) -> None:
        """A store of pass with an account for that site, and a key of gpg that has no passphrase."""
        self.make_store(site.removeprefix("http://"))
        self.enable(STORE, "Turn on “Password Store”?")
        # Its service looks through the store first.
        eventually(lambda: STORED in self.shell.keyway(f"suggest {site}"))

    def enable(self, provider: str, *questions: str) -> None:
        """Turns a provider on, as its person: what is asked in windows is answered with yes."""
        enabling = self.start(self.prefix / "bin/keyway", "providers", "enable", "--yes", provider)
        for question in questions:
            self.seat.agree(question)
        assert enabling.wait(LIMIT) == 0

    def make_store(self, site: str) -> None:
        self.make_key()
        status, _, said = self.shell.run(f"pass insert --multiline {site}/{STORED}", IN_THE_STORE)
        assert status == 0, said

    def make_key(self) -> None:
        """An empty store, and its key."""
        for command in (
            f"gpg --batch --quiet --passphrase '' --quick-generate-key {KEY} future-default default never",
            "gpg --batch --quiet --check-trustdb",
            f"pass init {KEY}",
        ):
            status, _, said = self.shell.run(command)
            assert status == 0, said
