#!/usr/bin/env python3
"""A native host without a broker behind it, for tests where the page has to be driven fast.

`fake_host.py FOLDER …`: `FOLDER/accounts.json` lists origin, user, password, and the site `sharedWith`.
Each request is appended to `FOLDER/requests.jsonl`; while `FOLDER/locked` exists, a fill says that it waits, while
`FOLDER/failing` does, it fails.
`FOLDER/lists.json` names what the provider has lists of; from each comes the account or code of `FOLDER/picked.json`.
`FOLDER/texts.json` names the providers that have texts, and what is picked from each; it waits as a fill does.
While `FOLDER/unready` exists, Keyway is not set up, and can be.
While `FOLDER/unmade` exists, nobody answers who asks for a new password.
While `FOLDER/refusing` exists, suggestions end in the error it holds; while `FOLDER/silent` does, nobody answers them.
Passkeys are those of `fake_passkeys.py`.
"""

import json
import struct
import sys
import threading
import time
from pathlib import Path
from urllib.parse import urlsplit

from fake_passkeys import Passkeys, Refusal

PROVIDER = {"identifier": "org.example.provider", "name": "Example"}
WRITING = threading.Lock()


def write(message: dict) -> None:
    data = json.dumps({"jsonrpc": "2.0", **message}).encode()
    with WRITING:
        sys.stdout.buffer.write(struct.pack("=I", len(data)) + data)
        sys.stdout.buffer.flush()


def origin_of(url: str) -> str:
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc}"


def read(path: Path, default: object) -> object:
    return json.loads(path.read_text()) if path.exists() else default


def suggest(folder: Path, accounts: list[dict], number: int, params: dict) -> None:
    url = params["url"]
    while (folder / "silent").exists():
        time.sleep(0.01)
    if error := read(folder / "refusing", None):
        write({"id": number, "error": error})
    elif (folder / "unready").exists():
        write({"id": number, "result": {"suggestions": [], "more": 0, "providers": [], "setUp": True}})
    else:
        provider = PROVIDER | {"lists": read(folder / "lists.json", []), "isSilent": (folder / "unopened").exists()}
        suggestions = offers(accounts, url) if "codes" not in params else codes(accounts, url)
        if "passkeys" in params:
            for handle, user in Passkeys(folder).offers(url, params["passkeys"]):
                suggestions.append(offer(handle, user, url, "passkey"))
        write({"id": number, "result": {"suggestions": suggestions, "more": 0, "providers": [provider]}})


def offers(accounts: list[dict], url: str) -> list[dict]:
    return [
        offer(str(index), account["user"], url, "password")
        for index, account in enumerate(accounts)
        if account["origin"] == origin_of(url)
    ] + [
        offer(str(index), account["user"], account["origin"], "password") | {"match": "shared"}
        for index, account in enumerate(accounts)
        if account.get("sharedWith") == origin_of(url)
    ]


def codes(accounts: list[dict], url: str) -> list[dict]:
    return [
        offer(f"code {index}", account["user"], url, "oneTimeCode") | period(account)
        for index, account in enumerate(accounts)
        if account["origin"] == origin_of(url) and "oneTimeCode" in account
    ]


def period(account: dict) -> dict:
    return {"period": account["period"]} if "period" in account else {}


def offer(handle: str, user: str, url: str, kind: str) -> dict:
    service = urlsplit(url).hostname
    return {"handle": handle, "user": user, "service": service, "provider": PROVIDER, "match": "origin", "kind": kind}


def passkeys(folder: Path, number: int, method: str, params: dict, cancelled: threading.Event) -> None:
    try:
        write({"id": number, "result": Passkeys(folder).answer(method, params, cancelled)})
    except Refusal as refusal:
        write({"id": number, "error": {"code": -32000, "message": "no", "data": {"kind": str(refusal)}}})


def fill(folder: Path, accounts: list[dict], number: int, params: dict, cancelled: threading.Event) -> None:
    is_list = "provider" in params
    account = read(folder / "picked.json", {}) if is_list else accounts[int(params["handle"].split()[-1])]
    if not is_list and account["origin"] != origin_of(params["url"]):
        write({"id": number, "error": {"code": -32000, "message": "refused", "data": {"kind": "refused"}}})
        return
    if (folder / "locked").exists():
        need = {"request": number, "provider": "Example", "message": "Example is locked.", "command": "example unlock"}
        write({"method": "fill.waiting", "params": need})
    while (folder / "locked").exists() and not cancelled.is_set():
        time.sleep(0.01)
    if (folder / "failing").exists():
        write({"id": number, "error": {"code": -32000, "message": "no", "data": {"kind": "providerFailed"}}})
        return
    if is_list and "passkey" in params and (folder / "picks-passkey").exists():
        asked = {key: params[key] for key in ("url", "private")} | {"request": params["passkey"]}
        write({"id": number, "result": {"passkey": Passkeys(folder).answer("passkeys.get", asked, cancelled)}})
        return
    if cancelled.is_set():
        write({"id": number, "error": {"code": -32000, "message": "cancelled", "data": {"kind": "cancelled"}}})
        return
    names = {"username": "user", "password": "password", "oneTimeCode": "code"}
    values = {"code": account.get("oneTimeCode"), **account}
    left = {"secondsLeft": 20} if params["fields"] == ["oneTimeCode"] and "period" in account else {}
    write({"id": number, "result": {names[field]: values[names[field]] for field in params["fields"]} | left})


def generate(folder: Path, number: int) -> None:
    while (folder / "unmade").exists():
        time.sleep(0.01)
    write({"id": number, "result": {"passwords": read(folder / "proposals.json", ["Strong-4711-one"])}})


def insert(folder: Path, number: int, params: dict, cancelled: threading.Event) -> None:
    while (folder / "locked").exists() and not cancelled.is_set():
        time.sleep(0.01)
    if cancelled.is_set():
        write({"id": number, "error": {"code": -32000, "message": "cancelled", "data": {"kind": "cancelled"}}})
    else:
        write({"id": number, "result": {"text": read(folder / "texts.json", {})["text"][params["provider"]]}})


def main(folder: Path) -> None:
    cancels: dict[int, threading.Event] = {}
    while header := sys.stdin.buffer.read(4):
        message = json.loads(sys.stdin.buffer.read(struct.unpack("=I", header)[0]))
        with (folder / "requests.jsonl").open("a") as log:
            log.write(json.dumps(message) + "\n")
        accounts = json.loads((folder / "accounts.json").read_text())
        number, params = message.get("id"), message["params"]
        match message["method"]:
            case "hello":
                write({"id": number, "result": {"protocol": {"major": 1, "minor": 1}, "version": "0"}})
            case "state":
                states = {True: "locked", False: "ready"}
                state = {"identifier": PROVIDER["identifier"], "state": states[(folder / "locked").exists()]}
                ended = (folder / "locked").exists() and (folder / "ended").exists()
                write({"id": number, "result": {"providers": [] if ended else [state]}})
            case "lock":
                # As the broker does it: the service is ended, and then is none that runs.
                (folder / "ended").touch()
                (folder / "locked").touch()
                write({"id": number, "result": {}})
            case "suggest":
                asked = (folder, accounts, number, params)
                threading.Thread(target=suggest, args=asked, daemon=True).start()
            case "passkeys.available" | "passkeys.get" | "passkeys.create" | "passkeys.report" as method:
                cancels[number] = threading.Event()
                asked = (folder, number, method, params, cancels[number])
                threading.Thread(target=passkeys, args=asked, daemon=True).start()
            case "passwords.available":
                write({"id": number, "result": {"saves": True, "generates": True}})
            case "passwords.generate":
                threading.Thread(target=generate, args=(folder, number), daemon=True).start()
            case "passwords.keep" | "passwords.submit":
                write({"id": number, "result": {}})
            case "passwords.changePage":
                write({"id": number, "result": {"url": f"{origin_of(params['url'])}/change", "isKnown": True}})
            case "passwords.settle":
                write({"id": number, "result": {"outcome": "saved"}})
            case "fill" | "list":
                cancels[number] = threading.Event()
                work = (folder, accounts, number, params, cancels[number])
                threading.Thread(target=fill, args=work, daemon=True).start()
            case "texts":
                texts = read(folder / "texts.json", {"providers": []})
                write({"id": number, "result": {"providers": texts["providers"]}})
            case "insert":
                cancels[number] = threading.Event()
                insertion = (folder, number, params, cancels[number])
                threading.Thread(target=insert, args=insertion, daemon=True).start()
            case "cancel":
                if params["id"] in cancels:
                    cancels[params["id"]].set()


if __name__ == "__main__":
    main(Path(sys.argv[1]))
