"""One-time codes on the installed system: `keyway code` prints what another program makes of the same secret."""

from __future__ import annotations

import subprocess
import time

SECRET = "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ"
PERIOD = 30


def theirs(step: int) -> str:
    command = ["oathtool", "--totp", "-b", SECRET, "-N", f"@{step * PERIOD}"]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def test_the_code_of_a_service_is_that_of_oathtool(vault):
    terminal = vault.open_terminal
    terminal.keyway("passwords edit alpha --code", f"otpauth://totp/alpha:ada?secret={SECRET}")
    before = int(time.time() // PERIOD)
    code = terminal.keyway("code https://a.example")
    assert code in {theirs(step) for step in range(before, int(time.time() // PERIOD) + 1)}
