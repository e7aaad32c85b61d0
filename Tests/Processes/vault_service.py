"""`keyway-vaultd` on its own: the test plays the broker, and whoever the broker hands over."""

from __future__ import annotations

import fcntl
import os
import resource
import shutil
import signal
import socket
import subprocess
import tempfile
import threading
import time
from pathlib import Path

from wire import Closed, Peer, Refused, contents, sealed

MASTER = "correct horse battery staple"
# The least that is ever derived: the tests wait for it often.
FLOOR = {"memory": 64, "passes": 3}
# A user that nobody else is, for what the kernel decides by user. No account is needed for it.
SOMEBODY = 61_234


class VaultService:
    """One vault in a folder of its own, and the service processes that the test starts on it, one at a time."""

    def __init__(self, stage: Path, *, unprivileged: bool = False) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="keyway-vault-"))
        self.user = SOMEBODY if unprivileged and os.geteuid() == 0 else None
        # Where a user who may not enter the build folder finds it.
        self.program = self.folder / "keyway-vaultd"
        shutil.copy(stage / "share/keyway/providers/Passwords.appex/keyway-vaultd", self.program)
        for name in ("home", "data", "state"):
            (self.folder / name).mkdir(mode=0o700)
        self.environment = {
            "PATH": os.environ["PATH"],
            "HOME": str(self.folder / "home"),
            "XDG_DATA_HOME": str(self.folder / "data"),
            "XDG_STATE_HOME": str(self.folder / "state"),
        }
        # Where the bus of the system is, as far as the broker that the test plays has one.
        self.bus: Path | None = None
        self.log_path = self.folder / "log"
        self.log_path.touch()
        self.process: subprocess.Popen | None = None
        self.broker: Broker | None = None
        # What the broker's register holds, for all processes that this test starts.
        self.versions: dict[str, int] = {}
        self.leaders: list[subprocess.Popen] = []
        if self.user is not None:
            for path in (self.folder, *self.folder.rglob("*")):
                os.chown(path, self.user, self.user)

    def __enter__(self) -> VaultService:
        return self

    def __exit__(self, *_: object) -> None:
        if self.process is not None:
            self.kill()
        for leader in self.leaders:
            leader.kill()
            leader.wait()
        shutil.rmtree(self.folder, ignore_errors=True)

    # Files

    @property
    def vault(self) -> Path:
        return self.folder / "data/keyway/private/org.keyway.passwords/Passwords.vault"

    @property
    def state(self) -> Path:
        return self.folder / "state/keyway/private/org.keyway.passwords"

    @property
    def log(self) -> str:
        return self.log_path.read_text()

    def set_idle_seconds(self, seconds: float) -> None:
        self.state.mkdir(mode=0o700, parents=True, exist_ok=True)
        (self.state / "passwords.json").write_text(f'{{"idleSeconds": {seconds}}}')

    # The process

    def start(self, *, limits: dict[int, int] | None = None, store: dict | None = None) -> VaultService:
        """Starts the service with descriptor 3, as the broker does. `limits` are of `setrlimit`."""
        ours, theirs = socket.socketpair()
        number = fcntl.fcntl(theirs, fcntl.F_DUPFD, 10)
        theirs.close()

        def limit() -> None:
            for kind, value in (limits or {}).items():
                resource.setrlimit(kind, (value, value))

        with self.log_path.open("ab") as log:
            self.process = subprocess.Popen(
                ["bash", "-c", f'exec "$0" 3<&{number} {number}<&-', self.program],
                env=self.environment,
                cwd=self.folder,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                pass_fds=(number,),
                preexec_fn=limit,
                # Ignored signals stay ignored: a file size limit is an error to the service then, like a full disk.
                restore_signals=False,
                user=self.user,
                group=self.user,
                extra_groups=None if self.user is None else [],
            )
        os.close(number)
        self.broker = Broker(ours, store, self.bus, self.versions)
        return self

    @property
    def pid(self) -> int:
        return self.process.pid

    def stop(self, within: float = 60) -> int:
        """Ends the broker; the exit status of the service, which ends with it."""
        self.broker.close()
        status = self.process.wait(within)
        self.process = None
        return status

    def kill(self) -> None:
        """Ends the service as a power cut would end it."""
        self.process.kill()
        self.process.wait()
        self.process = None
        self.broker.close()

    # Clients

    def terminal(self) -> dict:
        """A new terminal session: a process that leads it, and what the broker would say of it."""
        leader = subprocess.Popen(["sleep", "infinity"], start_new_session=True)
        self.leaders.append(leader)
        return {"terminal": {"_0": session_of(leader.pid)}}

    def attach(self, client: dict | None = None) -> Client:
        """A conversation with the service, behind which the broker says `client` is."""
        return Client(self.broker.attach(client or self.terminal()))

    def with_vault(self) -> Client:
        """A terminal to which a new vault is open."""
        client = self.attach()
        client.create()
        return client


EXTENSION = {"providerExtension": {}}


def session_of(leader: int) -> dict:
    fields = Path(f"/proc/{leader}/stat").read_text().rpartition(")")[2].split()
    return {"identifier": leader, "leaderStart": int(fields[19]), "terminal": int(fields[4])}


class Broker:
    """Answers the service as the broker does, on a thread of its own."""

    def __init__(
        self, end: socket.socket, store: dict | None, bus: Path | None = None, versions: dict[str, int] | None = None
    ) -> None:
        self.bus = bus
        self.peer = Peer(end)
        self.lock = threading.Lock()
        self.arrived = threading.Condition(self.lock)
        self.hello: dict | None = None
        self.states: list[str] = []
        self.answers: dict[int, dict] = {}
        self.store = {"isEnabled": True, "identities": {}, **(store or {})}
        self.versions: dict[str, int] = versions if versions is not None else {}
        self.draft: list[dict] = []
        # Whether it says what the administrator wants; one that hangs does not.
        self.says_limits = True
        self.thread = threading.Thread(target=self.serve, daemon=True)
        self.thread.start()

    def serve(self) -> None:
        try:
            while True:
                message, _ = self.peer.receive(within=3600)
                with self.lock:
                    self.handle(message)
                    self.arrived.notify_all()
        except (Closed, OSError, AssertionError, ValueError):
            pass

    def handle(self, message: dict) -> None:
        method, params = message.get("method"), message.get("params", {})
        if method is None:
            self.answers[message["id"]] = message
        elif method == "hello":
            self.hello = params
            self.result(message, {"protocol": {"major": 1, "minor": 0}, "name": "test broker"})
        elif method == "service.stateChanged":
            self.states.append(params["state"])
        elif method == "versions.read":
            self.result(message, {"version": self.versions.get(params["file"]), "isLost": False})
        elif method == "versions.note":
            self.versions[params["file"]] = max(params["version"], self.versions.get(params["file"], 0))
            self.result(message, {})
        elif method == "identities.state":
            held = bool(self.store["identities"])
            self.result(message, {"isEnabled": self.store["isEnabled"], "supportsIncrementalUpdates": held})
        elif method == "identities.write":
            self.result(message, self.write(params))
        elif method == "systemBus.connect":
            self.connect_bus(message)
        elif method == "service.limits" and self.says_limits:
            self.result(message, {})

    def result(self, request: dict, result: dict) -> None:
        self.peer.send({"jsonrpc": "2.0", "id": request["id"], "result": result})

    def connect_bus(self, request: dict) -> None:
        answer = {"jsonrpc": "2.0", "id": request["id"]}
        if self.bus is None:
            error = {"code": -32000, "message": "This machine has no system bus.", "data": {"kind": "notFound"}}
            self.peer.send({**answer, "error": error})
            return
        with socket.socket(socket.AF_UNIX) as bus:
            bus.connect(str(self.bus))
            result = {"connection": {"descriptor": 0}}
            self.peer.send({**answer, "result": result, "descriptors": 1}, (bus.fileno(),))

    def write(self, params: dict) -> dict:
        self.draft += params["identities"]
        if not params["isLast"]:
            return {"write": 1}
        held = self.store["identities"]
        if params["operation"] == "replace":
            held.clear()
        for identity in self.draft:
            key = (identity["user"], identity["service"]["identifier"])
            if params["operation"] == "remove":
                held.pop(key, None)
            else:
                held[key] = identity
        self.draft = []
        return {}

    def attach(self, client: dict) -> Peer:
        ours, theirs = socket.socketpair()
        with self.lock, theirs:
            params = {"client": client, "connection": {"descriptor": 0}}
            number = self.peer.request("service.attach", params, (theirs.fileno(),))
            answered = self.arrived.wait_for(lambda: number in self.answers, 60)
            assert answered, "the service does not take the client"
            answer = self.answers.pop(number)
            assert "error" not in answer, answer
        return Peer(ours)

    def wait(self, condition, within: float = 60) -> None:
        """Waits until `condition(self)` is true."""
        with self.lock:
            assert self.arrived.wait_for(lambda: condition(self), within), "did not happen in time"

    def wait_for_states(self, *states: str) -> None:
        self.wait(lambda broker: broker.states == list(states))

    def close(self) -> None:
        try:
            self.peer.socket.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass
        self.thread.join()
        self.peer.close()


class Client:
    """A client of the service: its methods as Python."""

    def __init__(self, peer: Peer) -> None:
        self.peer = peer

    def close(self) -> None:
        self.peer.close()

    def request(self, method: str, params: dict, secrets: tuple[str | bytes, ...] = ()) -> int:
        """Sends a request whose secrets stand in `params` as `{"descriptor": n}`."""
        bare = [secret.encode() if isinstance(secret, str) else secret for secret in secrets]
        descriptors = tuple(sealed(secret) for secret in bare)
        try:
            return self.peer.request(method, params, descriptors)
        finally:
            for descriptor in descriptors:
                os.close(descriptor)

    def call(self, method: str, params: dict | None = None, secrets: tuple = (), within: float = 60) -> dict:
        """The result of a request; attached secrets are put into it as text."""
        result, descriptors = self.peer.answer(self.request(method, params or {}, secrets), within)
        return with_secrets(result, [contents(descriptor).decode() for descriptor in descriptors])

    def create(self, password: str = MASTER) -> dict:
        params = {"masterPassword": {"descriptor": 0}, "derivation": FLOOR}
        return self.call("vault.create", params, (password,))

    def unlock(self, password: str = MASTER, accepts_older_copy: bool = False) -> dict:
        params = {"masterPassword": {"descriptor": 0}, "acceptsOlderCopy": accepts_older_copy}
        return self.call("vault.unlock", params, (password,))

    def change_master(self, old: str, new: str) -> None:
        self.call("vault.changeMasterPassword", {"old": {"descriptor": 0}, "new": {"descriptor": 1}}, (old, new))

    def renew_key(self, password: str) -> None:
        self.call("vault.renewKey", {"masterPassword": {"descriptor": 0}}, (password,))

    def lock(self) -> None:
        self.call("vault.lock")

    def access(self) -> str:
        return self.call("vault.status")["access"]

    def add(self, title: str, password: str | None = None, notes: str | None = None, **rest: object) -> dict:
        return self.change("items.add", "item", {"title": title, **rest}, password, notes)

    def edit(self, title: str, password: str | None = None, notes: str | None = None, **rest: object) -> dict:
        return self.change("items.edit", "change", rest, password, notes, item={"text": title})

    def change(self, method: str, key: str, change: dict, password, notes, **rest: object) -> dict:
        secrets: list[str] = []

        def attach(secret: str) -> dict:
            secrets.append(secret)
            return {"descriptor": len(secrets) - 1}

        if password is not None:
            change["password"] = attach(password)
        if notes is not None:
            change["notes"] = attach(notes)
        for field in change.get("fields", []):
            field["value"] = attach(field["value"])
        return self.call(method, {key: change, **rest}, tuple(secrets))["item"]

    def show(self, title: str, *parts: str) -> dict:
        return self.call("items.show", {"item": {"text": title}, "parts": list(parts)})

    def titles(self) -> list[str]:
        return [item["title"] for item in self.call("items.search", {"text": "", "limit": 1000, "offset": 0})["items"]]


def with_secrets(value, secrets: list[str]):
    """`value` with every `{"descriptor": n}` replaced by the n-th secret."""
    if isinstance(value, dict):
        if value.keys() == {"descriptor"}:
            return secrets[value["descriptor"]]
        return {key: with_secrets(part, secrets) for key, part in value.items()}
    if isinstance(value, list):
        return [with_secrets(part, secrets) for part in value]
    return value


def refusal(body) -> str | None:
    """The kind of error that `body()` is answered with, or None."""
    try:
        body()
    except Refused as error:
        return error.kind
    return None


def eventually(condition, within: float = 60) -> None:
    deadline = time.monotonic() + within
    while not condition():
        assert time.monotonic() < deadline, "did not happen in time"
        time.sleep(0.01)


def dies_of(process: subprocess.Popen, number: int) -> tuple[int, bool]:
    """Sends a signal; which one ended the process, and whether the kernel wrote a core dump."""
    os.kill(process.pid, number)
    _, status = os.waitpid(process.pid, 0)
    process.returncode = -number
    return os.WTERMSIG(status), os.WCOREDUMP(status)


__all__ = ["EXTENSION", "MASTER", "Client", "Refused", "VaultService", "dies_of", "eventually", "refusal", "signal"]
