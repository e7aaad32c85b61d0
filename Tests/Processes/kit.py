"""Bundles of `Tests/Providers/kit_provider.py`, and the kit that judges them."""

from __future__ import annotations

import json
import os
import plistlib
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

PROVIDER = Path(__file__).resolve().parents[1] / "Providers/kit_provider.py"
POINT = "com.apple.authentication-services-credential-provider-ui"
CAPABILITIES = [
    "ProvidesPasswords",
    "ProvidesPasskeys",
    "ProvidesOneTimeCodes",
    "ProvidesTextToInsert",
    "ShowsConfigurationUI",
    "KeywaySetsUpOneTimeCodes",
    "SupportsConditionalPasskeyRegistration",
    "SupportsCredentialUpdate",
    "SupportsSavePasswordCredentials",
    "SupportsGeneratePasswordCredentials",
    "SupportsGeneratePasswordCredentialsWithUI",
]


@dataclass
class Judged:
    """What the kit said of a bundle."""

    status: int
    verdicts: dict[str, dict]
    output: str

    def status_of(self, rule: str) -> str:
        return self.verdicts[rule]["status"]

    def with_status(self, status: str) -> set[str]:
        return {name for name, verdict in self.verdicts.items() if verdict["status"] == status}


class Kit:
    """The kit of an installed tree."""

    def __init__(self, stage: Path, folder: Path) -> None:
        self.keyway = stage / "bin/keyway"
        self.folder = folder

    def rules(self) -> list[str]:
        listed = self.run("provider", "test", "--list-rules", "--json")
        assert listed.returncode == 0, listed.stderr
        return [rule["name"] for rule in json.loads(listed.stdout)["rules"]]

    def judge(self, bundle: Path, *options: str) -> Judged:
        done = self.run("provider", "test", str(bundle), "--json", *options)
        assert done.stdout, done.stderr
        document = json.loads(done.stdout)
        verdicts = {verdict["rule"]["name"]: verdict for verdict in document["verdicts"]}
        return Judged(done.returncode, verdicts, done.stdout)

    def run(self, *words: str | Path) -> subprocess.CompletedProcess:
        environment = {**os.environ, "TMPDIR": str(self.folder), "HOME": str(self.folder)}
        return subprocess.run(
            [self.keyway, *words],
            capture_output=True,
            text=True,
            timeout=150,
            env=environment,
            cwd=self.folder,
            stdin=subprocess.DEVNULL,
        )


def bundle(folder: Path, fault: str = "none", *, declares: list[str] | None = None, name: str = "Kit.appex") -> Path:
    """A bundle of the provider that breaks the rule `fault`."""
    path = folder / name
    path.mkdir()
    program = path / "extension"
    # Without -B, Python would write what it compiled beside the sources.
    program.write_text(f'#!/bin/sh\nexec {sys.executable} -B {PROVIDER} "$0" {fault}\n')
    program.chmod(0o755)
    write_information(path, declares)
    return path


def write_information(path: Path, declares: list[str] | None = None, **changed: object) -> None:
    """Writes the bundle's Info.plist; `changed` takes keys away (None) or puts others in."""
    capabilities = dict.fromkeys(CAPABILITIES if declares is None else declares, True)
    if declares is not None:
        if "SupportsGeneratePasswordCredentialsWithUI" not in declares:
            capabilities["SupportsGeneratePasswordCredentialsWithUI"] = False
        (path / "declares").write_text(" ".join(declares))
    information = {
        "CFBundleIdentifier": "test.kit",
        "CFBundleName": "Kit",
        "CFBundleShortVersionString": "1.0",
        "CFBundleExecutable": "extension",
        "NSExtension": {
            "NSExtensionPointIdentifier": POINT,
            "NSExtensionAttributes": {"ASCredentialProviderExtensionCapabilities": capabilities},
        },
        **changed,
    }
    kept = {key: value for key, value in information.items() if value is not None}
    (path / "Info.plist").write_bytes(plistlib.dumps(kept))
