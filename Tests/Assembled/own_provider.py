"""A provider that a person, or a program of theirs, installed for them."""

from __future__ import annotations

import os
import plistlib
import shutil
from pathlib import Path

from login import EXTENSION_POINT, HOME, ROOT, USER, Login
from persons_programs import PYTHON

PROVIDERS = Path(__file__).parents[1] / "Providers"
PROTOCOL = Path(__file__).parents[1] / "Processes/wire.py"
CAPABILITIES = "ASCredentialProviderExtensionCapabilities"
STAGED = ROOT / ".build/stage-shipped"


def bundle_of(identifier: str) -> Path:
    return HOME / f".local/share/keyway/providers/{identifier.rpartition('.')[2]}.appex"


def own_provider(login: Login, name: str = "copy", *more: str, **keys: object) -> str:
    """A copy of Password Store under a name of its own, in the folder where a person's providers are.

    It provides passwords, and `more`; `keys` are what its list of properties says otherwise.
    """
    bundle = own_copy(login, "share/keyway/providers/PasswordStore.appex", name)
    information = plistlib.loads((bundle / "Info.plist").read_bytes()) | keys
    # What it would ask at once.
    capabilities = dict.fromkeys(("ProvidesPasswords", *more), True)
    information["NSExtension"]["NSExtensionAttributes"][CAPABILITIES] = capabilities
    describe(bundle, information)
    return information["CFBundleIdentifier"]


def own_copy(login: Login, installed: str, name: str, **keys: object) -> Path:
    """A copy of a bundle below the prefix, likewise."""
    identifier = f"org.example.{name}"
    bundle = bundle_of(identifier)
    source = login.prefix / installed
    # What is for tests alone is in no installation of somebody's own.
    shutil.copytree(source if source.exists() else STAGED / installed, bundle)
    information = plistlib.loads((bundle / "Info.plist").read_bytes())
    describe(bundle, information | {"CFBundleIdentifier": identifier} | keys)
    return bundle


def own_script(name: str, source: str, capabilities: tuple[str, ...], *words: str) -> str:
    """A provider of `Tests/Providers`, with all that it needs in its bundle: the person cannot read the tests."""
    identifier = f"org.example.{name.lower()}"
    bundle = bundle_of(identifier)
    bundle.mkdir(parents=True)
    for file in (PROVIDERS / source, PROVIDERS / "p256.py", PROTOCOL):
        shutil.copy(file, bundle)
    interpreter = Path(PYTHON).resolve()
    program = bundle / "extension"
    program.write_text(f'#!/bin/sh\nexec {interpreter} -B "${{0%/*}}/{source}" {" ".join(words)}\n')
    program.chmod(0o755)
    extension = {
        "NSExtensionPointIdentifier": EXTENSION_POINT,
        "NSExtensionAttributes": {CAPABILITIES: dict.fromkeys(capabilities, True)},
    }
    describe(
        bundle,
        {
            "CFBundleIdentifier": identifier,
            "CFBundleName": name,
            "CFBundleShortVersionString": "1.0",
            "CFBundleExecutable": "extension",
            "NSExtension": extension,
            "KeywaySandbox": {"Programs": ["sh", str(interpreter)]},
        },
    )
    return identifier


def own_account(login: Login, name: str = "good", behaviour: str = "good") -> str:
    """A provider of `Tests/Providers` with one account: user `ada` at `https://a.example`, password `s3cret`.

    Its service keeps to the rules; its extension does what `behaviour` says, and writes to `marks_of` it.
    """
    interpreter, marks = Path(PYTHON).resolve(), marks_of(name)
    marks.mkdir(parents=True)
    script = login.tools / "provider"
    script.write_text(
        f"""#!/bin/sh
case "$0" in */extension) behaviour={behaviour} ;; *) behaviour=good ;; esac
exec {interpreter} -B "${{0%/*}}/faulty_provider.py" "$0" "$behaviour" {marks}
"""
    )
    script.chmod(0o755)
    sandbox = {"Programs": ["sh", str(interpreter)], "WritePaths": [str(marks)]}
    bundle = login.install_bundle(name, script, sandbox).parent
    for file in (PROVIDERS / "faulty_provider.py", PROVIDERS / "escapes.py", PROTOCOL):
        os.chown(shutil.copy(file, bundle), USER, USER)
    return f"test.{name}"


def marks_of(name: str) -> Path:
    """The one folder that such a provider may write to."""
    return HOME / "marks" / name


def describe(bundle: Path, information: dict) -> None:
    """Writes the bundle's list of properties, and makes all of it the person's."""
    (bundle / "Info.plist").write_bytes(plistlib.dumps(information))
    for place in (HOME / ".local").rglob("*"):
        os.chown(place, USER, USER, follow_symlinks=False)
        if place.is_dir():
            place.chmod(0o700)
    os.chown(HOME / ".local", USER, USER)
