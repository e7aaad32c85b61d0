"""fprintd as python-dbusmock plays it: one reader, whose results a test writes down beforehand.

Parameters: `device` (there is a reader), `fingers` (that are enrolled), `results` (for each start of a verification,
the results that are told in turn; one with `!` ends it), `claim_error` (the name of an error).
"""

import dbus

BUS_NAME = "net.reactivated.Fprint"
MAIN_OBJ = "/net/reactivated/Fprint/Manager"
MAIN_IFACE = "net.reactivated.Fprint.Manager"
SYSTEM_BUS = True

DEVICE = "/net/reactivated/Fprint/Device/0"
DEVICE_IFACE = "net.reactivated.Fprint.Device"
ENDS = {"verify-match", "verify-no-match", "verify-disconnected", "verify-unknown-error"}


def error(name):
    return f"raise dbus.exceptions.DBusException('no', name='net.reactivated.Fprint.Error.{name}')"


def load(mock, parameters):
    """Called by python-dbusmock when the object is there."""
    has_device = parameters.get("device", True)
    found = f"ret = dbus.ObjectPath('{DEVICE}')"
    mock.AddMethod(MAIN_IFACE, "GetDefaultDevice", "", "o", found if has_device else error("NoSuchDevice"))
    if not has_device:
        return
    fingers = list(parameters.get("fingers", ["right-index-finger"]))
    listed = f"ret = {[str(finger) for finger in fingers]!r}"
    claim_error = parameters.get("claim_error")
    mock.AddObject(
        DEVICE,
        DEVICE_IFACE,
        {},
        [
            ("ListEnrolledFingers", "s", "as", listed if fingers else error("NoEnrolledPrints")),
            ("Claim", "s", "", error(claim_error) if claim_error else ""),
            ("Release", "", "", ""),
            ("VerifyStop", "", "", ""),
            ("VerifyStart", "s", "", "self.start()"),
        ],
    )
    import dbusmock

    device = dbusmock.get_object(DEVICE)
    rounds = [[str(result) for result in results] for results in parameters.get("results", [])]

    def start():
        for result in rounds.pop(0) if rounds else []:
            name = result.removesuffix("!")
            is_done = name != result or name in ENDS
            device.EmitSignal(DEVICE_IFACE, "VerifyStatus", "sb", [name, dbus.Boolean(is_done)])

    device.start = start
