"""Which programs may ask (T13, T16, T17, T19): what one that nobody approved gets, and what an approved one may not."""

from __future__ import annotations

import json
import os
import re
import signal
import socket
import subprocess
import time

import pytest
from browser_host import HELLO, Host
from browser_host import PAGE as HOST_PAGE
from conftest import eventually, fill, suggest, url
from strangers import PROLOGUE, Stranger
from terminal import Terminal
from wire import PROTOCOL, Closed, Peer, Refused

from session import grants
from session.private import CommandFailed

ASKS = """
peer = Peer.connect(os.environ["DOOR"]).greet(sys.argv[1])
print(json.dumps(outcome(peer, sys.argv[2], json.loads(sys.argv[3]))))
"""
SUGGEST = json.dumps({"services": [url()]})
LIST = json.dumps({"target": {"list": {}}, "services": [url()], "presents": False})


@pytest.fixture
def offered(broker):
    """A broker with a provider that has an account."""
    broker.provide("good")
    return broker


@pytest.fixture
def stranger_program(offered):
    return Stranger(offered)


def clients(session) -> list[dict]:
    with session.connect() as peer:
        return peer.call("clients.list")["clients"]


def good(session) -> dict:
    """What the command line says of the provider."""
    listed = json.loads(session.keyway("providers", "list", "--json"))["providers"]
    return next(one for one in listed if one["identifier"] == "test.good")


def of(session, program: Stranger) -> list[dict]:
    return [client for client in clients(session) if client["path"] == str(program.path)]


# T13: a second program of the same user


@pytest.mark.parametrize("role", ["terminal", "browser"])
@pytest.mark.parametrize(("method", "parameters"), [("suggest", SUGGEST), ("fill", LIST)])
def test_T13_program_without_approval_learns_nothing(stranger_program, role, method, parameters):
    assert stranger_program.run(ASKS, role, method, parameters) == "notApproved"


@pytest.mark.parametrize(
    ("method", "parameters"),
    [
        ("service.connect", {"provider": "test.good"}),
        ("clients.list", {}),
        ("clients.change", {"identifier": "00000000", "change": {"approve": {}}}),
        ("providers.setEnabled", {"identifier": "test.good", "isEnabled": False}),
        ("providers.order", {"identifiers": ["test.good"]}),
        ("providers.approveApplication", {"identifier": "test.good", "path": "/bin/true", "isApproved": True}),
        ("history.list", {}),
    ],
)
def test_T13_program_without_approval_changes_and_reads_nothing(stranger_program, method, parameters):
    assert stranger_program.run(ASKS, "terminal", method, json.dumps(parameters)) in ("notApproved", "unknownMethod")


def test_T13_program_is_listed_once_however_often_it_asks(stranger_program, offered):
    for _ in range(3):
        stranger_program.run(ASKS, "terminal", "suggest", SUGGEST)
    (client,) = of(offered, stranger_program)
    assert (client["name"], client["role"], client["decision"]) == ("stranger", "terminal", "waiting")
    assert clients(offered)[0] == client


def test_T13_refusal_is_remembered_also_by_the_next_broker(stranger_program, offered):
    stranger_program.run(ASKS, "terminal", "suggest", SUGGEST)
    (client,) = of(offered, stranger_program)
    with offered.connect() as peer:
        peer.call("clients.change", {"identifier": client["identifier"], "change": {"refuse": {}}})
    assert stranger_program.run(ASKS, "terminal", "suggest", SUGGEST) == "notApproved"
    offered.stop(offered.processes[-1])
    offered.start_broker()
    assert of(offered, stranger_program)[0]["decision"] == "refused"
    assert stranger_program.run(ASKS, "terminal", "suggest", SUGGEST) == "notApproved"


def test_T13_native_host_that_a_program_starts_itself_gets_nothing(stranger_program, offered):
    script = """
host = subprocess.Popen(sys.argv[1:], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
import struct
def say(message):
    data = json.dumps(message).encode()
    host.stdin.write(struct.pack("=I", len(data)) + data)
    host.stdin.flush()
    (length,) = struct.unpack("=I", host.stdout.read(4))
    return json.loads(host.stdout.read(length))
say({"jsonrpc": "2.0", "id": 1, "method": "hello", "params": json.loads(os.environ["HELLO"])})
answer = say({"jsonrpc": "2.0", "id": 2, "method": "suggest", "params": json.loads(os.environ["PAGE"])})
host.stdin.close()
print(json.dumps(answer))
"""
    from browser_host import CHROMIUM

    program = str(offered.prefix / "libexec/keyway/keyway-browser-host")
    offered.environment |= {"HELLO": json.dumps(HELLO), "PAGE": json.dumps(HOST_PAGE)}
    answer = stranger_program.run(script, program, *CHROMIUM)
    assert "result" not in answer
    assert "clients approve" in answer["error"]["message"]
    # The same host, started by a browser that was approved.
    with Host(offered.environment) as host:
        host.greet()
        host.request(2, "suggest", HOST_PAGE)
        assert len(host.answer()["result"]["suggestions"]) == 1


# Greets as the program that it is, so that the broker has looked at it, and becomes the one that it is told.
BECOMES = (
    PROLOGUE
    + """
door = Peer.connect(sys.argv[1]).greet("terminal").socket
os.set_inheritable(door.fileno(), True)
os.execve(sys.argv[2], [*sys.argv[2:], str(door.fileno())], dict(os.environ))
"""
)
# The same, once it has asked: what the broker found out about it then is not for the other program.
ASKS_AND_BECOMES = BECOMES.replace(
    "os.set_inheritable(",
    'assert outcome(Peer(door), "suggest", page("https://a.example/login")) != "notApproved"\nos.set_inheritable(',
)
# Asks over a connection that has greeted.
ASKS_LATER = (
    PROLOGUE
    + """
peer = Peer(socket.socket(fileno=int(sys.argv[1])))
print(json.dumps(outcome(peer, "suggest", page("https://a.example/login"))))
"""
)


@pytest.mark.parametrize("becomes", ["a stranger", "approved"])
def test_program_that_connects_and_then_executes_another_one_gets_nothing(stranger_program, offered, becomes):
    programs = [grants.own_program(), str(stranger_program.path)]
    first, then = programs if becomes == "a stranger" else reversed(programs)
    finished = subprocess.run(
        [first, "-c", BECOMES, offered.socket, then, "-c", ASKS_LATER],
        env=stranger_program.environment(),
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert finished.returncode == 0, finished.stderr
    assert json.loads(finished.stdout) == "notApproved"


def test_program_that_was_answered_and_then_executes_another_one_gets_nothing(stranger_program, offered):
    finished = subprocess.run(
        [grants.own_program(), "-c", ASKS_AND_BECOMES, offered.socket, str(stranger_program.path), "-c", ASKS_LATER],
        env=stranger_program.environment(),
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert finished.returncode == 0, finished.stderr
    assert json.loads(finished.stdout) == "notApproved"


def test_who_becomes_an_approved_program_before_the_broker_looks_is_taken_for_it(stranger_program, offered):
    """What Docs/threats.md calls open: without the group the program is known when the broker accepts, not before."""
    broker = offered.processes[-1].pid
    script = """
import signal
broker, approved = int(sys.argv[1]), sys.argv[2]
os.kill(broker, signal.SIGSTOP)
# A signal is on its way for a while, and the broker would accept meanwhile.
while any(open(f"/proc/{broker}/task/{task}/stat").read().rsplit(")", 1)[1].split()[0] != "T"
          for task in os.listdir(f"/proc/{broker}/task")):
    pass
door = socket.socket(socket.AF_UNIX)
door.connect(os.environ["DOOR"])
there, told = os.pipe()
os.set_inheritable(told, True)
if os.fork() == 0:
    # The other program runs, and is not only about to.
    os.read(there, 1)
    os.kill(broker, signal.SIGCONT)
    answer = outcome(Peer(door).greet("terminal"), "suggest", page("https://a.example/login"))
    print(json.dumps(answer), flush=True)
    os._exit(0)
os.execve(approved, [approved, "-c", f"import os; os.write({told}, b'.'); os.wait()"], dict(os.environ))
"""
    try:
        answer = stranger_program.run(script, str(broker), grants.own_program())
    finally:
        os.kill(broker, signal.SIGCONT)
    assert isinstance(answer, dict), answer
    assert len(answer["suggestions"]) == 1


def test_program_that_hands_its_connection_on_and_ends_is_nobody(offered):
    script = f"""
import os, socket, sys
door = socket.socket(socket.AF_UNIX)
door.connect({str(offered.socket)!r})
socket.send_fds(socket.socket(fileno=int(sys.argv[1])), [b"."], [door.fileno()])
"""
    ours, theirs = socket.socketpair()
    subprocess.run(
        [grants.own_program(), "-c", script, str(theirs.fileno())],
        env=os.environ,
        pass_fds=[theirs.fileno()],
        check=True,
        timeout=60,
    )
    _, (descriptor,), _, _ = socket.recv_fds(ours, 1, 1)
    with Peer(socket.socket(fileno=descriptor)).greet("terminal") as peer, pytest.raises(Refused) as refused:
        suggest(peer)
    assert refused.value.kind == "notApproved"
    ours.close()
    theirs.close()


def test_program_that_answers_through_a_pseudo_terminal_gets_no_approval(stranger_program, offered):
    """`keyway` may ask; whoever types at it still cannot approve a program, where the person cannot be asked."""
    stranger_program.run(ASKS, "terminal", "suggest", SUGGEST)
    (client,) = of(offered, stranger_program)
    command = [offered.prefix / "bin/keyway", "clients", "approve", client["identifier"]]
    with Terminal(command, offered.environment) as terminal:
        status, _, said = terminal.finish()
    assert status == 7, said
    assert of(offered, stranger_program)[0]["decision"] == "waiting"
    assert stranger_program.run(ASKS, "terminal", "suggest", SUGGEST) == "notApproved"


# What approval is bound to


def test_changed_program_is_another_one(stranger_program, offered):
    offered.approve_programs(stranger_program.path)
    assert stranger_program.run(ASKS, "terminal", "suggest", SUGGEST)["more"] == 0
    if os.geteuid() != 0:
        with stranger_program.path.open("ab") as file:
            file.write(b"changed")
        assert stranger_program.run(ASKS, "terminal", "suggest", SUGGEST) == "notApproved"
    else:
        # What only root can write is known by its path: give the file away.
        os.chown(stranger_program.path, 65534, -1)
        with stranger_program.path.open("ab") as file:
            file.write(b"changed")
        assert stranger_program.run(ASKS, "terminal", "suggest", SUGGEST) == "notApproved"


def test_approval_of_a_terminal_is_none_for_a_browser(stranger_program, offered):
    only = [grants.grant("terminal", str(stranger_program.path))]
    grants.write(offered.prefix, offered.state, offered.environment, [*grants.usual(offered.prefix), *only])
    assert isinstance(stranger_program.run(ASKS, "terminal", "suggest", SUGGEST), dict)
    assert stranger_program.run(ASKS, "browser", "suggest", SUGGEST) == "notApproved"


def test_profile_that_was_not_approved_is_asked_about(offered):
    started = offered.prefix / "libexec/keyway/keyway-browser-host"
    profile = {"identifier": HELLO["profile"], "browser": "Chromium"}
    mine = grants.grant("browser", str(started.resolve()), browser=grants.own_program()) | {"profile": profile}
    del mine["coversAllProfiles"]
    others = [g for g in grants.usual(offered.prefix) if g.get("browser") != grants.own_program()]
    grants.write(offered.prefix, offered.state, offered.environment, [*others, mine])
    answers = []
    for identifier in (HELLO["profile"], "fedcba98-b7a7-4e0e-9a53-2f1b4cd8a1f0"):
        with Host(offered.environment, program=started) as host:
            host.request(1, "hello", {**HELLO, "profile": identifier})
            assert "result" in host.answer()
            host.request(2, "suggest", HOST_PAGE)
            answers.append("result" in host.answer())
    assert answers == [True, False]


PROFILES = """
import secrets
outcomes = []
for _ in range(int(sys.argv[1])):
    peer = Peer.connect(os.environ["DOOR"])
    profile = {"identifier": secrets.token_hex(16), "browser": "Chromium"}
    peer.call("hello", {"protocol": json.loads(sys.argv[2]), "role": "browser", "name": "test", "profile": profile})
    outcomes.append(outcome(peer, "suggest", json.loads(sys.argv[3])))
print(json.dumps(outcomes))
"""


def test_T13_program_that_makes_up_profiles_is_one_program(stranger_program, offered):
    said = stranger_program.run(PROFILES, "5", json.dumps(PROTOCOL), SUGGEST)
    assert said == ["notApproved"] * 5
    (client,) = of(offered, stranger_program)
    assert (client["role"], client["decision"], client.get("profile")) == ("browser", "waiting", None)
    offered.keyway("clients", "refuse", client["identifier"])
    assert stranger_program.run(PROFILES, "5", json.dumps(PROTOCOL), SUGGEST) == ["notApproved"] * 5
    assert [one["decision"] for one in of(offered, stranger_program)] == ["refused"]


def test_T13_program_without_approval_learns_no_number_of_accounts(stranger_program, offered):
    assert good(offered)["identities"] == 1
    told = stranger_program.run(ASKS, "terminal", "providers.list", "{}")["providers"]
    (theirs,) = [one for one in told if one["reference"]["identifier"] == "test.good"]
    assert (theirs["isEnabled"], theirs["identities"]) == (True, 0)


@pytest.mark.parametrize("profile", [{}, {"profile": {"identifier": "0123456789abcdef", "browser": "Chromium"}}])
def test_refused_program_loses_its_open_connections(offered, profile):
    with Peer.connect(offered.socket) as browser, offered.connect() as terminal:
        browser.call("hello", {"protocol": PROTOCOL, "role": "browser", "name": "test", **profile})
        assert suggest(browser)
        assert suggest(terminal)
        # The hosts that this program starts are programs of their own.
        (mine,) = [c for c in clients(offered) if c["path"] == grants.own_program() and c["role"] == "browser"]
        terminal.call("clients.change", {"identifier": mine["identifier"], "change": {"refuse": {}}})
        with pytest.raises(Closed):
            while True:
                browser.receive()
        assert suggest(terminal)
    with offered.connect("browser") as browser, pytest.raises(Refused) as refused:
        suggest(browser)
    assert refused.value.kind == "notApproved"


def test_T17_handle_of_one_connection_is_nothing_on_another(offered):
    with offered.connect("browser") as one, offered.connect("browser") as other:
        (suggestion,) = suggest(one)
        with pytest.raises(Refused) as refused:
            other.call("fill", fill(suggestion["handle"]))
        assert refused.value.kind == "notFound"
        assert one.answer(one.request("fill", fill(suggestion["handle"])))


# T19: origins that are not the asking program's


def test_T19_application_names_no_origin(offered):
    with offered.connect("application") as application:
        for method, params in (("suggest", {"services": [url()]}), ("fill", json.loads(LIST))):
            with pytest.raises(Refused) as refused:
                application.call(method, params)
            assert refused.value.kind == "notAllowed"


def test_T19_program_that_says_it_is_a_browser_names_no_origin(stranger_program):
    assert stranger_program.run(ASKS, "browser", "suggest", SUGGEST) == "notApproved"


# T16: too much


def test_T16_a_thousand_sites_in_a_row_are_stopped_after_a_few_dozen(offered):
    answered = 0
    began = time.monotonic()
    with offered.connect() as listener:
        assert listener.call("status")
        for start in range(0, 1000, 250):
            # Over several connections: it is the program that is counted.
            with offered.connect("browser") as browser:
                for number in range(start, start + 250):
                    try:
                        suggest(browser, f"https://site{number}.example/")
                        answered += 1
                    except Refused as refused:
                        assert refused.kind == "rateLimited"
        listener.call("status")
        told = [n for n in listener.notifications if "many sites" in n["params"]["text"]]
    # 30, and one more every two seconds, however long it took.
    assert 30 <= answered <= 31 + (time.monotonic() - began) / 2
    assert len(told) == 1
    assert "keyway clients refuse" in told[0]["params"]["text"]


def test_T16_one_site_may_be_asked_for_often(offered):
    with offered.connect("browser") as browser:
        for _ in range(200):
            assert len(suggest(browser)) == 1


# Settings that somebody else wrote


def test_approval_that_is_written_by_hand_is_not_believed(stranger_program, offered):
    file = offered.state / "clients.json"
    head, _, body = file.read_bytes().partition(b"\n")
    document = json.loads(body)
    document["clients"].append(grants.grant("terminal", str(stranger_program.path)))
    file.write_bytes(head + b"\n" + json.dumps(document).encode())
    assert stranger_program.run(ASKS, "terminal", "suggest", SUGGEST) == "notApproved"
    with offered.connect() as peer:
        (sentence,) = peer.call("status")["disbelieved"]
    assert "clients.json" in sentence
    settings = checks(offered)["settings"]
    assert settings["status"] == "failed"
    assert "clients.json" in settings["detail"]


def checks(session) -> dict[str, dict]:
    """What the doctor finds, by name."""
    doctor = subprocess.run(
        [session.prefix / "bin/keyway", "doctor", "--json"],
        env=session.environment,
        capture_output=True,
        text=True,
        timeout=60,
    )
    return {check["name"]: check for check in json.loads(doctor.stdout)["checks"]}


def disbelieved(session) -> list[str]:
    with session.connect() as peer:
        return peer.call("status").get("disbelieved", [])


def test_settings_that_are_taken_away_are_missed_also_by_the_next_broker(offered):
    """Without them the first program to ask would be let."""
    approvals = offered.state / "clients.json"
    (offered.state / "providers.json").unlink()
    approvals.unlink()
    for _ in range(2):
        with offered.connect() as peer, pytest.raises(Refused) as refused:
            suggest(peer)
        assert refused.value.kind == "interactionRequired"
        # It says how the person begins anew, and so does the doctor.
        remedy = f"remove {approvals}"
        assert remedy in str(refused.value) and "desktop" not in str(refused.value)
        assert remedy in checks(offered)["settings"]["remedy"]
        assert ["is missing" in sentence for sentence in disbelieved(offered)] == [True, True]
        offered.stop(offered.processes[-1])
        super_start(offered)


def test_what_is_said_of_disbelieved_providers_is_what_turns_them_on_again(offered):
    (offered.state / "providers.json").write_text("changed")
    with offered.connect() as peer, pytest.raises(Refused) as refused:
        suggest(peer)
    assert refused.value.kind == "damaged"
    (command,) = re.findall(r"keyway (providers enable) NAME", str(refused.value))
    assert "providers.json" in offered.keyway("status")
    assert not good(offered)["enabled"]
    found = checks(offered)
    assert (found["settings"]["status"], found["broker"]["status"]) == ("failed", "ok")
    assert command in found["settings"]["detail"]
    # Where nobody can be asked, and one of the lost ones may be whose master password verifies the person, that is not
    # done by a program alone: the person begins anew.
    with pytest.raises(CommandFailed, match=r"remove .*clients\.json"):
        offered.keyway(*command.split(), "--yes", "test.good")
    offered.stop(offered.processes[-1])
    for name in ("clients", "providers", "verification", "register"):
        (offered.state / f"{name}.json").unlink(missing_ok=True)
    offered.start_broker()
    offered.keyway(*command.split(), "--yes", "test.good")
    assert disbelieved(offered) == []
    assert good(offered)["enabled"]


def test_older_approvals_are_not_believed_by_the_next_broker(stranger_program, offered):
    stranger_program.run(ASKS, "terminal", "suggest", SUGGEST)
    approvals = offered.state / "clients.json"
    offered.approve_programs(stranger_program.path)
    assert isinstance(stranger_program.run(ASKS, "terminal", "suggest", SUGGEST), dict)
    older = approvals.read_bytes()
    (client,) = [one for one in of(offered, stranger_program) if one["role"] == "terminal"]
    with offered.connect() as peer:
        peer.call("clients.change", {"identifier": client["identifier"], "change": {"refuse": {}}})
    offered.stop(offered.processes[-1])
    approvals.write_bytes(older)
    super_start(offered)
    assert stranger_program.run(ASKS, "terminal", "suggest", SUGGEST) == "notApproved"
    assert "clients.json" in disbelieved(offered)[0]


# The first program


def test_first_program_on_a_machine_without_a_display_may_begin(stranger):
    stranger.environment.pop("DISPLAY", None)
    stranger.environment.pop("WAYLAND_DISPLAY", None)
    super_start(stranger)
    listed = json.loads(stranger.keyway("clients", "list", "--json"))["clients"]
    assert [(c["role"], c["decision"], c["isKnown"]) for c in listed] == [("terminal", "approved", False)]
    # From now on there is somebody to be asked first.
    second = Stranger(stranger)
    assert second.run(ASKS, "terminal", "suggest", SUGGEST) == "notApproved"


def test_a_browser_is_never_the_first_program(stranger):
    super_start(stranger)
    with stranger.connect("browser") as browser, pytest.raises(Refused) as refused:
        suggest(browser)
    assert refused.value.kind == "notApproved"


def super_start(session) -> None:
    """Starts the broker where nobody is approved."""
    session.start(session.keywayd, "--foreground", log="keywayd.log")

    def listens() -> bool:
        try:
            session.connect().close()
        except OSError:
            return False
        return True

    eventually(listens)


def test_commands_name_programs_by_number_or_name(stranger_program, offered):
    stranger_program.run(ASKS, "terminal", "suggest", SUGGEST)
    offered.keyway("clients", "rename", "stranger", "Mine")
    (client,) = of(offered, stranger_program)
    assert client["name"] == "Mine"
    assert offered.keyway("clients") == offered.keyway("clients", "list")
    offered.keyway("clients", "refuse", client["identifier"][:8])
    assert of(offered, stranger_program)[0]["decision"] == "refused"
    offered.keyway("clients", "forget", "Mine")
    assert of(offered, stranger_program) == []
    finished = subprocess.run(
        [offered.prefix / "bin/keyway", "clients", "forget", "Nobody"],
        env=offered.environment,
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert finished.returncode == 3
