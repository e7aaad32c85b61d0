"""Other programs of the same person: they are nobody's, and speak the protocol all the same."""

from __future__ import annotations

from login import ROOT

PYTHON = "/usr/bin/python3"
# The person cannot read the tests.
WIRE = (ROOT / "Tests/Processes/wire.py").read_text()
# Sends the connections of a bus a signal in the name of a service that it isn't.
FORGES_SIGNALS = (ROOT / "Tests/Buses/forged_signal.py").read_text()

# Asks for one thing after another, and prints what came of each.
ASKS = (
    WIRE
    + """
import sys

page = {"services": [{"identifier": "https://a.example/", "kind": "URL"}]}
for method, params in [
    ("suggest", page),
    ("fill", {"target": {"list": {}}, "presents": False, **page}),
    ("service.connect", {"provider": "org.keyway.passwords"}),
    ("clients.list", {}),
    ("history.list", {}),
    ("providers.setEnabled", {"identifier": "org.keyway.passwords", "isEnabled": False}),
]:
    with Peer.connect(sys.argv[1]).greet(sys.argv[2]) as peer:
        try:
            print(method, peer.call(method, params))
        except Refused as refused:
            print(method, refused.kind)
"""
)

# Greets, sends what its input says, prints what is wrong with that, and stays.
SENDS = (
    WIRE
    + """
import sys

peer = Peer.connect(sys.argv[1]).greet("terminal")
peer.send_bytes(sys.stdin.buffer.read())
print("sent", flush=True)
message, _ = peer.receive(600)
print(message["error"]["data"]["kind"], flush=True)
is_readable(peer.socket, 600)
"""
)

# Asks for accounts so often without waiting for an answer, and prints what each answer is, as it comes.
FLOODS = (
    WIRE
    + """
import sys

peer = Peer.connect(sys.argv[1]).greet("terminal")
for _ in range(int(sys.argv[2])):
    peer.request("suggest", {"services": [{"identifier": sys.argv[3], "kind": "URL"}]})
for _ in range(int(sys.argv[2])):
    message, _ = peer.receive(600)
    print(message["error"]["data"]["kind"] if "error" in message else "given", flush=True)
"""
)

# Listens at a path before anybody else does, and writes down what it is told: at once, or of those who came when its
# input ends.
LISTENS = """
import os, select, socket, sys, threading

os.makedirs(os.path.dirname(sys.argv[1]), 0o700, exist_ok=True)
door = socket.socket(socket.AF_UNIX)
door.bind(sys.argv[1])
os.chmod(sys.argv[1], 0o600)
door.listen()
print("listening", flush=True)
takes = sys.argv[2] == "takes connections"
while takes:
    visitor, _ = door.accept()
    def hear(visitor=visitor):
        while heard := visitor.recv(1 << 16):
            print(heard, flush=True)
        print("gone", flush=True)
    threading.Thread(target=hear, daemon=True).start()
sys.stdin.read()
while select.select([door], [], [], 0)[0]:
    visitor, _ = door.accept()
    visitor.setblocking(False)
    try:
        print(visitor.recv(1 << 16) or "gone", flush=True)
    except BlockingIOError:
        print("silent", flush=True)
"""

# Becomes another program in a user namespace and a mount namespace of its own, where it has that number and a folder of
# the person's lies in the place of another one.
APART = """
import ctypes, os, sys

number, folder, place, *command = sys.argv[1:]
user, group = os.getuid(), os.getgid()
libc = ctypes.CDLL(None, use_errno=True)

def call(result):
    if result != 0:
        raise OSError(ctypes.get_errno(), "no namespace")

# CLONE_NEWUSER and CLONE_NEWNS, then MS_BIND.
call(libc.unshare(0x10000000 | 0x20000))
for table, line in (("setgroups", "deny"), ("uid_map", f"{number} {user} 1"), ("gid_map", f"{number} {group} 1")):
    with open(f"/proc/self/{table}", "w") as file:
        file.write(line)
call(libc.mount(os.fsencode(folder), os.fsencode(place), None, 0x1000, None))
os.execv(command[0], command)
"""

# Says something to whoever listens at a path.
TALKS = """
import socket, sys

with socket.socket(socket.AF_UNIX) as door:
    door.connect(sys.argv[1])
    door.sendall(b"hello")
"""

# A service manager, as far as the broker's socket is concerned: becomes the broker when somebody comes.
SERVICE_MANAGER = """
import os, select, socket, sys

os.makedirs(os.path.dirname(sys.argv[1]), 0o700, exist_ok=True)
door = socket.socket(socket.AF_UNIX)
door.bind(sys.argv[1])
os.chmod(sys.argv[1], 0o600)
door.listen()
print("listening", flush=True)
select.select([door], [], [])
os.dup2(door.fileno(), 3)
os.set_inheritable(3, True)
os.execve(sys.argv[2], [sys.argv[2]], {**os.environ, "LISTEN_PID": str(os.getpid()), "LISTEN_FDS": "1"})
"""
