"""The native-messaging host and the broker: neither there, killed, restarted, shared."""

import os
import shutil
import signal
import time

import pytest
from browser_host import PAGE, STAGE, Ended, Host, broker_of, kind

from session.private import PrivateSession

NOTHING = {"suggestions": [], "more": 0, "providers": []}


@pytest.fixture
def session():
    with PrivateSession() as session:
        session.prefix.symlink_to(STAGE)
        session.approve_programs()
        yield session
        broker = broker_of(session.environment)
        if broker:
            os.kill(broker, signal.SIGKILL)


def suggest(host: Host, number: int) -> dict:
    host.request(number, "suggest", PAGE)
    answer = host.answer()
    assert answer["id"] == number
    return answer


def kill_broker(session: PrivateSession) -> int:
    broker = broker_of(session.environment)
    os.kill(broker, signal.SIGKILL)
    deadline = time.monotonic() + 60
    while broker_of(session.environment) == broker:
        assert time.monotonic() < deadline
        time.sleep(0.005)
    return broker


def test_broker_is_started_for_the_first_request(session):
    with Host(session.environment) as host:
        host.greet()
        assert broker_of(session.environment) is None
        assert suggest(host, 2)["result"] == NOTHING
        assert broker_of(session.environment)


def test_broker_that_was_killed_is_started_again(session):
    with Host(session.environment) as host:
        host.greet()
        assert "result" in suggest(host, 2)
        first = kill_broker(session)
        assert "result" in suggest(host, 3)
        assert broker_of(session.environment) not in (None, first)


def test_two_browsers_share_one_broker(session):
    with Host(session.environment) as one, Host(session.environment) as other:
        for host in (one, other):
            host.greet()
            host.request(2, "suggest", PAGE)
        assert one.answer()["result"] == other.answer()["result"] == NOTHING
        broker = broker_of(session.environment)
        one.process.kill()
        assert "result" in suggest(other, 3)
        assert broker_of(session.environment) == broker


def test_without_a_broker_it_says_so_and_goes_on(session):
    alone = session.folder / "alone/keyway-browser-host"
    alone.parent.mkdir()
    shutil.copy(STAGE / "libexec/keyway/keyway-browser-host", alone)
    session.approve_programs(host=alone)
    environment = {**session.environment, "PATH": os.defpath}
    with Host(environment, program=alone) as host:
        host.greet()
        answer = suggest(host, 2)
        assert kind(answer) == "brokerUnreachable"
        assert "keywayd" in answer["error"]["message"]
        session.start(STAGE / "libexec/keyway/keywayd", "--foreground", log="keywayd.log")
        deadline = time.monotonic() + 60
        while broker_of(session.environment) is None:
            assert time.monotonic() < deadline
            time.sleep(0.005)
        assert suggest(host, 3)["result"] == NOTHING


def test_broker_outlives_the_host_and_holds_no_pipe_of_it(session):
    with Host(session.environment) as host:
        host.greet()
        suggest(host, 2)
        host.process.kill()
        with pytest.raises(Ended):
            host.answer()
        assert broker_of(session.environment)


def test_folder_that_others_may_enter_is_refused(session):
    folder = session.folder / "runtime/keyway"
    folder.mkdir(mode=0o700)
    folder.chmod(0o755)
    with Host(session.environment) as host:
        host.greet()
        assert kind(suggest(host, 2)) == "refused"


def test_handle_of_nobody_fills_nothing(session):
    with Host(session.environment) as host:
        host.greet()
        host.request(2, "fill", {**PAGE, "handle": "made-up", "fields": ["password"]})
        assert kind(host.answer()) in ("notFound", "refused", "noProvider")
