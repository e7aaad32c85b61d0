"""What the vault hands out: each command that does, and what is read where it did."""

from __future__ import annotations

import json
from typing import NamedTuple

from cxf_documents import document, field, item
from login import Login

PASSWORD, ADDRESS = "password of alpha", "a.example"
NOTE, CARD = "what is in the note", "4012888888881881"
LINK = "otpauth://totp/alpha:ada?secret=JBSWY3DPEHPK3PXP"
# A code, and some of what a picture of its secret is drawn with.
CODE, PICTURE = r"(?<![0-9])[0-9]{6}(?![0-9])", "[\u2580\u2584\u2588]{8}"


class Given(NamedTuple):
    """What was handed out, as a regular expression, and what the history has of it."""

    seen: str
    event: str = "show"
    account: str | None = "ada"


FILL = f"fill https://{ADDRESS}"
SHOW = "passwords show alpha --field password"
# A line of a shell behind `keyway`: what is no fill passes what a fill does, too.
GIVEN = {
    FILL: Given(PASSWORD, "fill"),
    SHOW: Given(PASSWORD),
    "passwords list": Given(ADDRESS, "list", None),
    "passwords search alpha": Given(ADDRESS, "list", None),
    "passwords show alpha --reveal --history": Given(PASSWORD),
    "passwords show card --section 1 --reveal": Given(CARD, account=""),
    "passwords show alpha --code-qr": Given(PICTURE),
    # Nothing is left there, whatever came of it.
    "passwords save-file alpha note.txt ~/saved; cat ~/saved; rm -f ~/saved": Given(NOTE),
    f"code https://{ADDRESS}": Given(CODE, "fill"),
    f"code https://{ADDRESS} --qr": Given(PICTURE),
}


def stock(vault: Login) -> None:
    """Puts into the vault what those ask for: a code, a file and a card."""
    note, card = vault.tools / "note.txt", vault.tools / "card.json"
    note.write_text(NOTE)
    number = field(CARD, "concealed-string")
    card.write_text(json.dumps(document(item("AAAA", "card", {"type": "credit-card", "number": number}))))
    terminal = vault.open_terminal
    terminal.keyway("passwords edit alpha --code", LINK)
    terminal.keyway(f"passwords attach alpha {note}")
    terminal.keyway(f"import {card} --yes")
