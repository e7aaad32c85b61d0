"""Documents of CXF 1.0: what one manager hands to another in these tests."""

from __future__ import annotations

SECRET = "canary of a password"
SEED = "GEZDGNBVGY3TQOJQ"
CODE = {"type": "totp", "secret": SEED, "period": 30, "digits": 6, "algorithm": "sha1", "username": "ada"}
# A P-256 key made for this test.
KEY = (
    "MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQg5W3c5Zv2YM598WpsAvo7CC0YtmRzgtpAHMttQhDEV1ihRANCAASxzw"
    "o_SjNstwu6DgrJZf3K1b5GsvvWXKx-pN5gEuoCppdz3WhJUDdHJsxCUWFfLu85RTMITXLDFqbEm5uRsqIJ"
)
PASSKEY = {
    "type": "passkey",
    "credentialId": "AQIDBAUGBwg",
    "rpId": "example.com",
    "username": "ada",
    "userDisplayName": "Ada",
    "userHandle": "CQoL",
    "key": KEY,
}


def field(value: str, kind: str = "string", label: str | None = None) -> dict:
    return {"fieldType": kind, "value": value, **({"label": label} if label else {})}


def item(identifier: str, title: str, *credentials: dict, urls: tuple[str, ...] = ()) -> dict:
    scope = {"scope": {"urls": list(urls), "androidApps": []}} if urls else {}
    return {"id": identifier, "title": title, "credentials": list(credentials), **scope}


def login(user: str, password: str) -> dict:
    return {"type": "basic-auth", "username": field(user), "password": field(password, "concealed-string")}


def document(*items: dict) -> dict:
    account = {"id": "AA", "username": "", "email": "", "collections": [], "items": list(items)}
    return {
        "version": {"major": 1, "minor": 0},
        "exporterRpId": "example.org",
        "exporterDisplayName": "Example",
        "timestamp": 1_790_000_000,
        "accounts": [account],
    }


EVERYTHING = document(
    item("AAAA", "Example", login("ada", SECRET), CODE, PASSKEY, urls=("https://example.com",)),
    item(
        "AAAB",
        "Visa",
        {
            "type": "credit-card",
            "number": field("4111", "concealed-string"),
            "expiryDate": field("2029-04", "year-month"),
        },
    ),
    item("AAAC", "Only a passkey", {**PASSKEY, "credentialId": "AQIDBAUGBwk", "rpId": "other.example"}),
    item("AAAD", "Note", {"type": "note", "content": field("two\nlines")}),
)
