"""A person's password store in a private session, kept by the real gpg, git and pass."""

from __future__ import annotations

import subprocess
from pathlib import Path

from session.private import PrivateSession

STORE = "org.keyway.password-store"


class Store:
    """The store of a private session's person, and the programs that judge what we do with it."""

    def __init__(self, session: PrivateSession) -> None:
        self.session = session
        self.folder = session.folder / "home/.password-store"
        self.keyring = Path(session.environment["GNUPGHOME"])
        self.keyring.mkdir(mode=0o700)
        # Else the agent takes seconds to find out how slow it can be.
        (self.keyring / "gpg-agent.conf").write_text("s2k-count 65536\n")
        self.environment = {
            **session.environment,
            "GIT_AUTHOR_NAME": "Ada",
            "GIT_AUTHOR_EMAIL": "ada@home.example",
            "GIT_COMMITTER_NAME": "Ada",
            "GIT_COMMITTER_EMAIL": "ada@home.example",
        }
        self.launch_agent()

    def close(self) -> None:
        self.run("gpgconf", "--kill", "all", ok=False)

    def set(self, **settings: object) -> None:
        """Settings that `pass` takes from its environment, for the provider and for `pass`."""
        file = self.session.folder / "config/keyway-password-store/settings"
        file.parent.mkdir(exist_ok=True)
        with file.open("a") as lines:
            lines.writelines(f"{name}={value}\n" for name, value in settings.items())
        self.environment |= {name: str(value) for name, value in settings.items()}

    # The judges

    def run(self, *command: str | Path, given: bytes = b"", ok: bool = True) -> bytes:
        finished = subprocess.run(command, env=self.environment, input=given, capture_output=True, timeout=60)
        assert not ok or finished.returncode == 0, finished.stderr.decode()
        return finished.stdout

    def make_key(self, name: str, passphrase: str = "") -> str:
        """A new key, which gpg knows by its name."""
        address = f"{name}@keys.example"
        options = ["--batch", "--quiet", "--pinentry-mode", "loopback", "--passphrase", passphrase]
        self.run("gpg", *options, "--quick-generate-key", address, "future-default", "default", "never")
        # What any use of gpg does next; a provider may not write there.
        self.run("gpg", "--batch", "--quiet", "--check-trustdb")
        return address

    def init(self, *keys: str, folder: str = "", git: bool = False) -> None:
        self.run("pass", "init", *(["--path", folder] if folder else []), *keys)
        if git:
            self.run("git", "config", "--file", self.session.folder / "home/.gitconfig", "user.name", "Ada")
            mail = ("user.email", "ada@home.example")
            self.run("git", "config", "--file", self.session.folder / "home/.gitconfig", *mail)
            self.run("pass", "git", "init", "--quiet")

    def insert(self, name: str, text: str | bytes) -> None:
        given = text if isinstance(text, bytes) else text.encode()
        self.run("pass", "insert", "--multiline", "--force", name, given=given)

    def show(self, name: str) -> bytes:
        return self.run("pass", "show", name)

    def history(self) -> list[str]:
        """The messages of the commits, newest first."""
        return self.run("git", "-C", self.folder, "log", "--format=%s").decode().splitlines()

    def recipients(self, name: str) -> int:
        """To how many keys an entry is encrypted."""
        packets = self.run("gpg", "--batch", "--list-packets", "--list-only", self.folder / f"{name}.gpg")
        return packets.count(b":pubkey enc packet:")

    def forget(self) -> None:
        """Has the agent forget what it remembers."""
        self.run("gpgconf", "--reload", "gpg-agent")

    def launch_agent(self) -> None:
        """Starts the agent, as the first use of gpg would; a provider only talks with it."""
        self.run("gpgconf", "--launch", "gpg-agent")
