"""An authentication agent for polkit: answers as it is told, and writes down what it was asked.

polkit_agent.py PROCESS dismiss|deny|wait LOG: for the process with that number, on the system bus of the environment.
"""

import sys
from pathlib import Path

import dbus
import dbus.mainloop.glib
import dbus.service
from gi.repository import GLib

PATH = "/org/keyway/Agent"
INTERFACE = "org.freedesktop.PolicyKit1.AuthenticationAgent"


class Cancelled(dbus.DBusException):
    _dbus_error_name = "org.freedesktop.PolicyKit1.Error.Cancelled"


class Agent(dbus.service.Object):
    def __init__(self, bus, behaviour, log):
        super().__init__(bus, PATH)
        self.behaviour, self.log = behaviour, log

    def note(self, line):
        with self.log.open("a", encoding="utf-8") as log:
            log.write(line + "\n")

    @dbus.service.method(INTERFACE, in_signature="sssa{ss}sa(sa{sv})", async_callbacks=("answer", "fail"))
    def BeginAuthentication(self, action, message, icon, details, cookie, identities, answer, fail):
        self.note(f"asked {action}: {message}")
        if self.behaviour == "dismiss":
            fail(Cancelled("dismissed"))
        elif self.behaviour == "deny":
            answer()

    @dbus.service.method(INTERFACE, in_signature="s")
    def CancelAuthentication(self, cookie):
        self.note("cancelled")


def main():
    process, behaviour, log = int(sys.argv[1]), sys.argv[2], Path(sys.argv[3])
    dbus.mainloop.glib.DBusGMainLoop(set_as_default=True)
    bus = dbus.SystemBus()
    agent = Agent(bus, behaviour, log)
    start = int(Path(f"/proc/{process}/stat").read_text(encoding="utf-8").rsplit(")", 1)[1].split()[19])
    authority = dbus.Interface(
        bus.get_object("org.freedesktop.PolicyKit1", "/org/freedesktop/PolicyKit1/Authority"),
        "org.freedesktop.PolicyKit1.Authority",
    )
    details = {"pid": dbus.UInt32(process), "start-time": dbus.UInt64(start)}
    subject = ("unix-process", dbus.Dictionary(details, signature="sv"))
    authority.RegisterAuthenticationAgent(subject, "C", PATH)
    agent.note("registered")
    GLib.MainLoop().run()


main()
