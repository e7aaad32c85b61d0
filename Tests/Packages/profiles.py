"""Profiles of browsers on a machine to which the package came later, and what `keyway doctor` says of them."""

from __future__ import annotations

import json
import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from login import USER, Login
from support import until
from test_fills import open_browser, profile_folder

# What the package puts where a browser looks.
BROUGHT = {
    "chromium": ["/usr/share/chromium/extensions/keyway"],
    "firefox": [
        "/usr/share/mozilla/extensions/{ec8030f7-c20a-464f-9b0e-13a3a9e97384}/autofill@keyway.org",
        "/etc/firefox-esr/keyway.js",
    ],
}
# Where a browser keeps its profiles, and what doctor reads of one.
PLACES = {"chromium": ".config/chromium/Default", "firefox": ".mozilla/firefox/used.default"}
READ = {
    "chromium": ["Default/Preferences", "Default/Secure Preferences"],
    "firefox": ["extensions.json", "extension-preferences.json"],
}


@contextmanager
def before_the_package_came(name: str) -> Iterator[None]:
    with tempfile.TemporaryDirectory(dir="/usr/share") as away:
        moved = [(Path(path), Path(away, Path(path).name)) for path in BROUGHT[name]]
        for path, place in moved:
            path.rename(place)
        try:
            yield
        finally:
            for path, place in moved:
                place.rename(path)


def used_profile(name: str, login: Login, url: str = "about:blank") -> Path:
    """The folder of a profile with which that page was opened before the package came."""
    folder = profile_folder(name, login)
    with before_the_package_came(name):
        browser = open_browser(name, login, folder)
        try:
            browser.open(url)
        finally:
            browser.close()
    forget_driving(folder / "profile/prefs.js")
    return folder


def forget_driving(preferences: Path) -> None:
    """Takes out of Firefox's preferences what it set there because it was driven, such as to look into no folder of the
    system for extensions. Nobody drives the Firefox of a person."""
    if preferences.exists():
        lines = preferences.read_text().splitlines(keepends=True)
        preferences.write_text("".join(line for line in lines if "Scopes" not in line))


def said_of_extension(name: str, login: Login, folder: Path) -> dict[str, str]:
    """What doctor says of the extension, where this is the only profile of the person's."""
    place = login.home / PLACES[name]
    place.mkdir(parents=True, exist_ok=True)
    # A browser writes it a moment after it started.
    until((folder / "profile" / READ[name][0]).exists)
    for file in READ[name]:
        if (folder / "profile" / file).exists():
            shutil.copy(folder / "profile" / file, place)
    top = login.home / PLACES[name].split("/")[0]
    for path in (top, *top.rglob("*")):
        os.chown(path, USER, USER)
    checks = json.loads(login.run("keyway", "doctor", "--json").stdout)["checks"]
    return next(check for check in checks if check["name"] == f"extension:{name}")
