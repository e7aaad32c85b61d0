"""Registers a native host with a browser that runs in a folder of its own."""

import json
from pathlib import Path

HOST_NAME = "org.keyway.autofill"
CHROMIUM_EXTENSION = "pniijmlillaikoljeeajbdinbododcbl"
FIREFOX_EXTENSION = "autofill@keyway.org"


def manifest(browser: str, program: Path) -> dict:
    """The host manifest as each browser wants it."""
    common = {"name": HOST_NAME, "description": "Keyway AutoFill", "path": str(program), "type": "stdio"}
    if browser == "firefox":
        return common | {"allowed_extensions": [FIREFOX_EXTENSION]}
    return common | {"allowed_origins": [f"chrome-extension://{CHROMIUM_EXTENSION}/"]}


def register(browser: str, program: Path, profile: Path, home: Path) -> None:
    """Chromium looks into its profile, Firefox into the home folder."""
    folder = home / ".mozilla/native-messaging-hosts" if browser == "firefox" else profile / "NativeMessagingHosts"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"{HOST_NAME}.json").write_text(json.dumps(manifest(browser, program)))
