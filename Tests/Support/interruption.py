"""Whether what the tests start can be interrupted."""

import signal


def allow() -> None:
    """Who runs the tests behind an `&` has SIGINT ignored, and so would every program that they start."""
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)
