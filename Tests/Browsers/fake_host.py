#!/usr/bin/env python3
"""A native host without a broker behind it, for tests where the page has to be driven fast.

`fake_host.py FOLDER …`: `FOLDER/accounts.json` lists origin, user, password; each request is appended to
`FOLDER/requests.jsonl`; while `FOLDER/locked` exists, a fill says that it waits, while `FOLDER/failing` does, it fails.
"""

import json
import struct
import sys
import threading
import time
from pathlib import Path
from urllib.parse import urlsplit

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


def suggest(accounts: list[dict], url: str) -> dict:
    found = [
        {
            "handle": str(index),
            "user": account["user"],
            "service": urlsplit(url).hostname,
            "provider": PROVIDER,
            "match": "origin",
            "kind": "password",
        }
        for index, account in enumerate(accounts)
        if account["origin"] == origin_of(url)
    ]
    return {"suggestions": found, "more": 0, "providers": [PROVIDER]}


def fill(folder: Path, accounts: list[dict], number: int, params: dict, cancelled: threading.Event) -> None:
    account = accounts[int(params["handle"])]
    if account["origin"] != origin_of(params["url"]):
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
    if cancelled.is_set():
        write({"id": number, "error": {"code": -32000, "message": "cancelled", "data": {"kind": "cancelled"}}})
        return
    values = {"username": ("user", account["user"]), "password": ("password", account["password"])}
    write({"id": number, "result": dict(values[field] for field in params["fields"])})


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
                write({"id": number, "result": {"protocol": {"major": 1, "minor": 0}, "version": "0"}})
            case "suggest":
                write({"id": number, "result": suggest(accounts, params["url"])})
            case "fill":
                cancels[number] = threading.Event()
                work = (folder, accounts, number, params, cancels[number])
                threading.Thread(target=fill, args=work, daemon=True).start()
            case "cancel":
                if params["id"] in cancels:
                    cancels[params["id"]].set()


if __name__ == "__main__":
    main(Path(sys.argv[1]))
