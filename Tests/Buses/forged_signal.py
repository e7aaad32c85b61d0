"""A program that sends a signal to every connection of a bus, in the name of a service that it isn't.

Arguments: the bus's address, the object, the interface, the signal, and what it says: words, `true` or `false`; and
`NAME=true` or `NAME=false` for what else a signal says of a property that has changed.
"""

import sys

import dbus
import dbus.lowlevel

address, path, interface, member, *said = sys.argv[1:]
bus = dbus.bus.BusConnection(address)
daemon = bus.get_object("org.freedesktop.DBus", "/org/freedesktop/DBus")
for name in daemon.ListNames(dbus_interface="org.freedesktop.DBus"):
    if not name.startswith(":") or name == bus.get_unique_name():
        continue
    message = dbus.lowlevel.SignalMessage(path, interface, member)
    message.set_destination(name)
    for word in said:
        changed, is_property, value = word.rpartition("=")
        if is_property:
            message.append({changed: dbus.Boolean(value == "true")}, dbus.Array(signature="s"), signature="a{sv}as")
        else:
            message.append(dbus.Boolean(word == "true") if word in ("true", "false") else dbus.String(word))
    bus.send_message(message)
bus.flush()
# The bus answers after it has passed them on.
daemon.GetId(dbus_interface="org.freedesktop.DBus")
