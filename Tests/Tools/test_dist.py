"""`Tools/dist`: the tarball of the programs, from packages with fakes in the place of the programs."""

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
NEEDED = ["Tools/dist", "Tools/protect", "Packaging/dist/install", "LICENSE", "README.md", "debian/changelog"]
SERVICE = "lib/systemd/user/keywayd.service"
HOST = "share/keyway/native-messaging-hosts/{}/org.keyway.autofill.json"
FILES = {
    "keyway": {
        "bin/keyway": '#!/bin/sh\necho "this is keyway $*"\n',
        "libexec/keyway/keywayd": "#!/bin/sh\n",
        "lib/keyway/modules": "",
        SERVICE: "ExecStart=/usr/libexec/keyway/keywayd\n",
        "share/applications/org.keyway.Codes.desktop": "Exec=/usr/bin/keyway code --add %u\n",
        "share/bash-completion/completions/keyway": "",
        "share/fish/vendor_completions.d/keyway.fish": "",
        "share/zsh/vendor-completions/_keyway": "",
        "share/icons/hicolor/scalable/apps/org.keyway.svg": "",
        "share/keyway/group": "keyway\n",
        HOST.format("chromium"): '{"path": "/usr/libexec/keyway/keyway-browser-host"}\n',
        HOST.format("firefox"): '{"path": "/usr/libexec/keyway/keyway-browser-host"}\n',
        "share/man/man1/keyway.1": "",
        "share/metainfo/org.keyway.metainfo.xml": "",
        "share/polkit-1/actions/org.keyway.policy": "",
        "share/doc/keyway/copyright": "Apache-2.0\n",
        "share/doc/keyway/examples/policy.toml": "[providers]\n",
    },
    "webext-keyway": {"share/keyway/browser/manifest.json": "{}\n"},
    "keyway-password-store": {"share/keyway/providers/PasswordStore.appex/Info.plist": ""},
    "keyway-dev": {"libexec/keyway/keyway-provider-kit": "#!/bin/sh\n"},
}


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """What the script needs of the repository, and packages of its version."""
    tree = tmp_path / "tree"
    for name in NEEDED:
        (tree / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, tree / name)
    version = re.match(r"\S+ \((\S+)\)", (tree / "debian/changelog").read_text())[1]
    for name, files in FILES.items():
        package = tmp_path / "packages" / name
        control = (
            f"Package: {name}\nVersion: {version}\nArchitecture: all\nMaintainer: A <a@example.org>\nDescription: a\n"
        )
        for path, text in {"DEBIAN/control": control, **{f"usr/{path}": text for path, text in files.items()}}.items():
            file = package / path
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text)
            file.chmod(0o755 if "/bin/" in path or "libexec" in path else 0o644)
        (tree / ".build/deb").mkdir(parents=True, exist_ok=True)
        build = ["dpkg-deb", "-Zgzip", "-z1", "--root-owner-group", "--build", package, tree / ".build/deb"]
        subprocess.run(build, check=True, capture_output=True)
    return tree


def dist(tree: Path, *words: str) -> subprocess.CompletedProcess:
    return subprocess.run([tree / "Tools/dist", *words], capture_output=True, text=True)


@pytest.fixture
def unpacked(tree: Path, tmp_path: Path) -> Path:
    """The tarball, as somebody unpacks it who checked its sum."""
    assert (made := dist(tree)).returncode == 0, made.stderr
    place = tree / ".build/dist"
    subprocess.run(["sha256sum", "--check", "SHA256SUMS"], cwd=place, check=True, capture_output=True)
    [tarball] = place.glob("*.tar.gz")
    subprocess.run(["tar", "-xf", tarball, "-C", tmp_path], check=True)
    return tmp_path / tarball.name.removesuffix(".tar.gz")


def install(unpacked: Path, *words: str | Path) -> subprocess.CompletedProcess:
    return subprocess.run([unpacked / "install", *words], capture_output=True, text=True)


@pytest.fixture
def prefix(tmp_path: Path) -> Path:
    return tmp_path / "home/.local"


def test_the_tarball_is_the_same_each_time(tree):
    first = [dist(tree).returncode, *(file.read_bytes() for file in sorted((tree / ".build/dist").iterdir()))]
    assert first[0] == 0
    os.utime(tree / "README.md", (1, 1))
    assert [dist(tree).returncode, *(file.read_bytes() for file in sorted((tree / ".build/dist").iterdir()))] == first


def test_a_user_installs_it_below_their_home(unpacked, prefix):
    done = install(unpacked, prefix)
    assert done.returncode == 0, done.stderr
    ran = subprocess.run([prefix / "bin/keyway", "doctor"], capture_output=True, text=True)
    assert ran.stdout == "this is keyway doctor\n"
    assert (prefix / "share/keyway/browser/manifest.json").exists()
    assert (prefix / "share/zsh/site-functions/_keyway").exists()
    # What leads to a program leads to this one.
    assert f"ExecStart={prefix}/libexec/keyway/keywayd" in (prefix / SERVICE).read_text()
    for browser in ("chromium", "firefox"):
        assert f'"{prefix}/libexec/keyway/keyway-browser-host"' in (prefix / HOST.format(browser)).read_text()
    # There is no group, so nothing may say that there is one.
    assert not (prefix / "share/keyway/group").exists()
    found = subprocess.run(["grep", "-rl", "@prefix@", prefix], capture_output=True, text=True)
    assert found.stdout == ""


def test_it_is_installed_over_an_older_one(unpacked, prefix):
    assert install(unpacked, prefix).returncode == 0
    assert install(unpacked, prefix).returncode == 0


def test_what_is_damaged_is_not_installed(unpacked, prefix):
    (unpacked / "tree/libexec/keyway/keywayd").write_text("#!/bin/sh\necho something else\n")
    done = install(unpacked, prefix)
    assert done.returncode != 0
    assert "keywayd" in done.stderr + done.stdout
    assert not prefix.exists()


def test_a_place_that_is_none_is_refused(unpacked):
    done = install(unpacked, "somewhere")
    assert done.returncode == 1
    assert "must be an absolute path, not somewhere" in done.stderr


def test_packages_of_another_version_are_refused(tree):
    changelog = tree / "debian/changelog"
    changelog.write_text(re.sub(r"\((\S+)\)", "(99.0)", changelog.read_text(), count=1))
    done = dist(tree)
    assert done.returncode == 1
    assert "run make deb" in done.stderr
