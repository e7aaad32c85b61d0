"""A provider that a person, or a program of theirs, installed for them."""

from __future__ import annotations

import os
import plistlib
import shutil
from pathlib import Path

from login import HOME, USER, Login


def bundle_of(identifier: str) -> Path:
    return HOME / f".local/share/keyway/providers/{identifier.rpartition('.')[2]}.appex"


def own_provider(login: Login, name: str = "copy", **keys: object) -> str:
    """A copy of Password Store under a name of its own, in the folder where a person's providers are.

    `keys` are what its list of properties says otherwise.
    """
    identifier = f"org.example.{name}"
    bundle = bundle_of(identifier)
    shutil.copytree(login.prefix / "share/keyway/providers/PasswordStore.appex", bundle)
    file = bundle / "Info.plist"
    information = plistlib.loads(file.read_bytes()) | {"CFBundleIdentifier": identifier} | keys
    # What it would ask at once.
    information["NSExtension"]["NSExtensionAttributes"]["ASCredentialProviderExtensionCapabilities"] = {
        "ProvidesPasswords": True
    }
    file.write_bytes(plistlib.dumps(information))
    for place in (HOME / ".local").rglob("*"):
        os.chown(place, USER, USER, follow_symlinks=False)
        if place.is_dir():
            place.chmod(0o700)
    os.chown(HOME / ".local", USER, USER)
    return information["CFBundleIdentifier"]
