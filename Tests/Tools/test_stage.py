"""`Tools/stage` and `Tools/install`: where each file goes, with fakes in place of the built programs."""

import base64
import hashlib
import json
import os
import re
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PROGRAMS = {
    "keyway": "bin",
    "keywayd": "libexec/keyway",
    "keyway-browser-host": "libexec/keyway",
    "keyway-confine": "libexec/keyway",
    "keyway-qr-reader": "libexec/keyway",
    "keyway-import-reader": "libexec/keyway",
    "keyway-export-writer": "libexec/keyway",
    "keyway-pass-reader": "libexec/keyway",
    "keyway-browser-passwords": "libexec/keyway",
    "keyway-provider-kit": "libexec/keyway",
    "keyway-sheets": "libexec/keyway",
    "keyway-clipboard": "libexec/keyway",
    "keyway-person-check": "libexec/keyway",
    "keyway-related-origins": "libexec/keyway",
    "keyway-store-key": "libexec/keyway",
    "keyway-passwords-extension": "share/keyway/providers/Passwords.appex",
    "keyway-passwords": "share/keyway/providers/Passwords.appex",
    "keyway-vaultd": "share/keyway/providers/Passwords.appex",
    "keyway-password-store": "share/keyway/providers/PasswordStore.appex",
}

MODULES = [
    "AuthenticationServices",
    "AutoFillClient",
    "AutoFillProtocol",
    "AutoFillWire",
    "CryptoKit",
    "ImportedErrors",
    "KeywayCrypto",
    "KeywaySystem",
    "LocalAuthentication",
    "PasskeySignatures",
    "WebAuthnValues",
]


@pytest.fixture
def built(tmp_path):
    folder = tmp_path / "built"
    folder.mkdir()
    for name in PROGRAMS:
        (folder / name).write_text('#!/bin/sh\necho "# $*"\n')
        (folder / name).chmod(0o755)
    (folder / "Modules").mkdir()
    for name in (*MODULES, "CSys"):
        (folder / f"{name}.build").mkdir()
        (folder / f"{name}.build" / f"{name}.o").write_text(name)
        (folder / f"Modules/{name}.swiftmodule").write_text(name)
    return folder


def tool(name: str, *arguments: str | Path, built: Path) -> subprocess.CompletedProcess:
    return subprocess.run(
        [ROOT / "Tools" / name, *arguments],
        env={**os.environ, "KEYWAY_BUILT": str(built)},
        capture_output=True,
        text=True,
        timeout=60,
    )


@pytest.fixture
def tree(tmp_path, built):
    finished = tool("stage", tmp_path / "tree", built=built)
    assert finished.returncode == 0, finished.stderr
    return tmp_path / "tree"


def test_every_program_is_in_its_place_and_executable(tree):
    for name, folder in PROGRAMS.items():
        assert os.access(tree / folder / name, os.X_OK), name


def test_the_parts_of_a_bundle_are_one_file(tree, tmp_path, built):
    bundle = "share/keyway/providers/PasswordStore.appex/keyway-password-store"
    assert tool("install", "--prefix", "/usr", "--destdir", tmp_path / "root", built=built).returncode == 0
    for place in (tree, tmp_path / "root/usr"):
        for part in ("extension", "service"):
            assert (place / f"{bundle}-{part}").samefile(place / bundle)


def test_the_release_builds_every_program_that_is_laid_out(tmp_path):
    swift = tmp_path / "swift"
    swift.write_text('#!/bin/sh\nfor last; do :; done\necho "$last"\n')
    swift.chmod(0o755)
    environment = {**os.environ, "PATH": f"{tmp_path}:{os.environ['PATH']}"}
    finished = subprocess.run([ROOT / "Tools/release"], env=environment, capture_output=True, text=True, timeout=60)
    assert finished.returncode == 0, finished.stderr
    assert sorted(finished.stdout.split()) == sorted(PROGRAMS)


def test_a_release_names_no_path_of_this_machine_and_holds_no_hash_of_the_moment(tmp_path):
    swift = tmp_path / "swift"
    swift.write_text('#!/bin/sh\necho "$*"\n')
    swift.chmod(0o755)
    environment = {**os.environ, "PATH": f"{tmp_path}:{os.environ['PATH']}"}
    finished = subprocess.run([ROOT / "Tools/release"], env=environment, capture_output=True, text=True, timeout=60)
    for line in finished.stdout.splitlines():
        assert f"-Xswiftc -file-prefix-map -Xswiftc {ROOT}=/usr/src/keyway " in line
        assert f"-Xcc -ffile-prefix-map={ROOT}=/usr/src/keyway " in line
        assert "-Xswiftc -Xfrontend -Xswiftc -disable-incremental-llvm-codegen " in line
        # Smaller: what nobody calls, and what no program needs of ICU's data.
        assert re.search(rf"-Xlinker --no-export-dynamic -Xlinker --wrap=icudt\d+_dat -Xlinker {ROOT}/\S*\.o ", line)


def test_every_man_page_is_in_its_section(tree):
    for page in (ROOT / "Docs/man").iterdir():
        assert (tree / f"share/man/man{page.suffix[1:]}" / page.name).is_file(), page.name


def test_extension_of_the_browsers_is_complete(tree):
    assert (tree / "share/keyway/browser/manifest.json").is_file()
    assert (tree / "share/keyway/browser/content.js").is_file()


def test_what_a_provider_is_built_with_is_complete(tree):
    for name in MODULES:
        assert (tree / f"lib/keyway/swift/{name}.swiftmodule").read_text() == name
    assert (tree / "lib/keyway/swift/CSys/csys.h").is_file()
    for name in ["CLibCrypto", "CSodium"]:
        assert "header" not in (tree / f"lib/keyway/swift/{name}/module.modulemap").read_text()
    objects = subprocess.run(["ar", "t", tree / "lib/keyway/libKeywayProvider.a"], capture_output=True, text=True)
    assert objects.stdout.split() == [*(f"{name}.o" for name in MODULES), "CSys.o"]
    assert (tree / "share/keyway/templates/provider/Package.swift").is_file()
    assert (tree / "lib/keyway/compiler").is_file()


def test_the_compiler_is_told_by_what_it_compiled(tmp_path, built):
    """Who installs by sudo may have no Swift in PATH."""
    module = built / "Modules/AuthenticationServices.swiftmodule"
    module.write_bytes(b"\xe2\x9c\xa8\0Swift version 6.9 (swift-6.9-RELEASE)\0\xff")
    assert tool("stage", tmp_path / "tree", built=built).returncode == 0
    assert (tmp_path / "tree/lib/keyway/compiler").read_text() == "Swift version 6.9 (swift-6.9-RELEASE)\n"


def test_unit_starts_the_broker_of_this_very_tree(tree):
    assert f"ExecStart={tree}/libexec/keyway/keywayd\n" in (tree / "lib/systemd/user/keywayd.service").read_text()


def test_completions_are_what_the_program_says(tree):
    assert (tree / "share/bash-completion/completions/keyway").read_text() == "# completions bash\n"
    assert (tree / "share/zsh/site-functions/_keyway").read_text() == "# completions zsh\n"
    assert (tree / "share/fish/vendor_completions.d/keyway.fish").read_text() == "# completions fish\n"


def test_the_hosts_manifests_name_the_extension_and_this_very_host(tree):
    manifest = json.loads((ROOT / "Browser/manifest.json").read_text())
    digest = hashlib.sha256(base64.b64decode(manifest["key"])).hexdigest()[:32]
    identifier = "".join(chr(ord("a") + int(digit, 16)) for digit in digest)
    allowed = {
        "chromium": {"allowed_origins": [f"chrome-extension://{identifier}/"]},
        "firefox": {"allowed_extensions": [manifest["browser_specific_settings"]["gecko"]["id"]]},
    }
    for family, who in allowed.items():
        file = tree / f"share/keyway/native-messaging-hosts/{family}/org.keyway.autofill.json"
        assert json.loads(file.read_text()) == {
            "name": "org.keyway.autofill",
            "description": "Keyway AutoFill",
            "path": f"{tree}/libexec/keyway/keyway-browser-host",
            "type": "stdio",
            **who,
        }


def test_desktops_find_name_icon_and_description(tree):
    for file in (
        "applications/org.keyway.Sheets.desktop",
        "icons/hicolor/scalable/apps/org.keyway.Keyway.svg",
        "icons/hicolor/symbolic/apps/org.keyway.Keyway-symbolic.svg",
        "metainfo/org.keyway.Keyway.metainfo.xml",
    ):
        assert (tree / "share" / file).is_file(), file


# What judges the files of a folder below `share`, without asking the network.
JUDGES = {
    "applications": ["desktop-file-validate", "--no-hints"],
    "metainfo": ["appstreamcli", "validate", "--no-net", "--strict"],
}


@pytest.mark.parametrize("folder", JUDGES)
def test_desktops_and_catalogues_of_programs_read_what_they_are_told(tree, folder):
    files = sorted((tree / "share" / folder).iterdir())
    assert files
    finished = subprocess.run([*JUDGES[folder], *files], capture_output=True, text=True, timeout=60)
    assert finished.returncode == 0, finished.stdout + finished.stderr


def test_install_for_a_package_puts_everything_in_its_place_and_makes_no_group(tmp_path, as_root):
    finished = as_root("--prefix", "/usr", "--destdir", tmp_path / "root", "--system", "_keyway")
    assert finished.returncode == 0, finished.stderr
    assert not (as_root.place / "made").exists() and not (as_root.place / "owners").exists()
    root = tmp_path / "root"
    assert (root / "usr/share/keyway/group").read_text() == "_keyway\n"
    assert "\ng _keyway -\n" in (root / "usr/lib/sysusers.d/keyway.conf").read_text()
    assert (root / "etc/pam.d/keyway").is_file()
    for folder in ("etc/chromium", "etc/opt/chrome", "etc/opt/edge", "etc/opt/vivaldi", "usr/lib/mozilla"):
        manifest = json.loads((root / folder / "native-messaging-hosts/org.keyway.autofill.json").read_text())
        assert manifest["path"] == "/usr/libexec/keyway/keyway-browser-host"
    firefox = "mozilla/extensions/{ec8030f7-c20a-464f-9b0e-13a3a9e97384}/autofill@keyway.org"
    for link in ("chromium/extensions/keyway", firefox):
        assert (
            root / "usr/share" / link / "manifest.json"
        ).resolve() == root / "usr/share/keyway/browser/manifest.json"
    assert (root / "usr/libexec/keyway/keywayd").stat().st_mode & 0o7777 == 0o711


@pytest.mark.parametrize("more", [["--prefix", "/usr/local"], ["--prefix", "/usr", "--group", "free"]])
def test_install_for_a_package_is_for_the_systems_own_prefix_and_makes_nothing_setgid(tmp_path, as_root, more):
    finished = as_root("--destdir", tmp_path / "root", "--system", "_keyway", *more)
    assert finished.returncode == 1
    assert "--system is for the prefix /usr" in finished.stderr


def test_a_provider_is_not_built_by_another_compiler_than_keyways_modules(tmp_path):
    swift = tmp_path / "swift"
    swift.write_text('#!/bin/sh\necho "Swift version 6.9 (swift-6.9-RELEASE)"\n')
    swift.chmod(0o755)
    (tmp_path / "lib/keyway").mkdir(parents=True)
    compiler = tmp_path / "lib/keyway/compiler"
    environment = {**os.environ, "PATH": f"{tmp_path}:{os.environ['PATH']}", "KEYWAY": str(tmp_path)}
    command = ["make", "-C", ROOT / "Providers/Template", "build"]
    for made_by, status in (("Swift version 6.9 (swift-6.9-RELEASE)", 0), ("Swift version 6.8 (swift-6.8-RELEASE)", 2)):
        compiler.write_text(f"{made_by}\n")
        finished = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=60)
        assert finished.returncode == status, finished.stderr
        assert ("compiled by another Swift than is in PATH: " + made_by in finished.stderr) == bool(status)


def test_debian_asks_for_what_a_build_needs():
    """Swift is in no Debian release: debian/rules looks for it."""
    lines = [
        line.split() for line in (ROOT / "Tools/packages.txt").read_text().splitlines() if line[:1] not in ("", "#")
    ]
    control = (ROOT / "debian/control").read_text().split("\n\n")[0]
    wanted = re.findall(r"^ ([\w.+-]+)", control.split("Build-Depends:")[1].split("Standards-Version")[0], re.MULTILINE)
    assert sorted(wanted) == sorted(["debhelper-compat", *(name for name, scope, *_ in lines if scope == "build")])
    assert "swift" not in control


def test_licence_comes_along(tree):
    assert "Apache License" in (tree / "share/doc/keyway/copyright").read_text()


def test_staging_again_replaces_the_tree(tree, built):
    (tree / "stale").touch()
    assert tool("stage", tree, "--linked", built=built).returncode == 0
    assert not (tree / "stale").exists()
    assert [path.name for path in tree.parent.iterdir() if ".new." in path.name] == []


def test_missing_program_is_named_and_leaves_the_old_tree(tree, built):
    (built / "keywayd").unlink()
    finished = tool("stage", tree, built=built)
    assert finished.returncode == 1
    assert "keywayd is not there; build it first (make build)" in finished.stderr
    assert (tree / "libexec/keyway/keywayd").exists()


def test_install_respects_prefix_and_destination(tmp_path, built):
    finished = tool("install", "--prefix", "/opt/keyway", "--destdir", tmp_path / "root", built=built)
    assert finished.returncode == 0, finished.stderr
    prefix = tmp_path / "root/opt/keyway"
    assert os.access(prefix / "bin/keyway", os.X_OK)
    unit = (prefix / "lib/systemd/user/keywayd.service").read_text()
    assert "ExecStart=/opt/keyway/libexec/keyway/keywayd\n" in unit


def test_install_leaves_what_is_not_ours(tmp_path, built):
    other = tmp_path / "root/usr/local/bin/other"
    other.parent.mkdir(parents=True)
    other.touch()
    assert tool("install", "--destdir", tmp_path / "root", built=built).returncode == 0
    assert other.exists()


GETENT = """#!/bin/sh
# The groups and users of a machine: `keyway` appears once it was made.
case "$1 $2" in
"group keyway" | "group 971") [ -e "$PLACE/made" ] && echo "keyway:x:971:" ;;
"group crowded") echo "crowded:x:972:ada,eve" ;;
"group own") echo "own:x:973:" ;;
"group free" | "group 974") echo "free:x:974:" ;;
"passwd ") printf 'root:x:0:0::/root:/bin/sh\\nada:x:1000:973::/home/ada:/bin/sh\\n' ;;
*) exit 2 ;;
esac
"""


@pytest.fixture
def as_root(tmp_path, built):
    """Installs as root of a machine with these groups; what was made and given away is noted, not done."""
    place = tmp_path / "machine"
    place.mkdir()
    fakes = {
        "getent": GETENT,
        "groupadd": '#!/bin/sh\necho "$*" >"$PLACE/made"\n',
        "chown": '#!/bin/sh\necho "$1" >>"$PLACE/owners"\n',
    }
    for name, text in fakes.items():
        (place / name).write_text(text)
        (place / name).chmod(0o755)
    root = [] if os.geteuid() == 0 else ["unshare", "--user", "--map-root-user"]
    environment = {**os.environ, "KEYWAY_BUILT": str(built), "PLACE": str(place)}
    environment["PATH"] = f"{place}:{environment['PATH']}"

    def install(*arguments: str | Path) -> subprocess.CompletedProcess:
        command = [*root, ROOT / "Tools/install", *arguments]
        return subprocess.run(command, env=environment, capture_output=True, text=True, timeout=60)

    install.place = place
    return install


def test_install_for_a_group_makes_it_and_marks_the_three_programs(tmp_path, as_root):
    prefix = tmp_path / "prefix"
    finished = as_root("--prefix", prefix, "--group", "keyway")
    assert finished.returncode == 0, finished.stderr
    assert (as_root.place / "made").read_text() == "--system keyway\n"
    assert (as_root.place / "owners").read_text() == "0:keyway\n" * 3
    assert (prefix / "share/keyway/group").read_text() == "keyway\n"
    marked = [file for file in prefix.rglob("*") if file.is_file() and file.stat().st_mode & 0o2000]
    assert sorted(file.name for file in marked) == ["keyway", "keyway-browser-host", "keywayd"]


def test_what_root_installs_can_be_run_and_not_be_read(tmp_path, as_root):
    prefix = tmp_path / "prefix"
    assert as_root("--prefix", prefix).returncode == 0
    programs = [prefix / "bin/keyway", *(prefix / "libexec/keyway").iterdir()]
    programs += [file for file in (prefix / "share/keyway/providers").rglob("*") if file.stat().st_mode & 0o100]
    readable = [file.name for file in programs if file.is_file() and file.stat().st_mode & 0o7777 != 0o711]
    assert readable == ["keyway-provider-kit"]


KNOWN = {
    "keywayd.service": {
        *("Description", "Documentation", "Requires", "ExecStart", "Restart", "KillMode"),
        *("LimitCORE", "LimitMEMLOCK", "UMask", "Delegate"),
    },
    "keywayd.socket": {"Description", "Documentation", "ListenStream", "SocketMode", "DirectoryMode", "WantedBy"},
}


@pytest.mark.parametrize("name", KNOWN)
def test_no_directive_of_a_unit_takes_the_group_away_or_makes_a_user_namespace(tree, name):
    """Directives that do neither are listed: for a unit of a user, most others would do one of the two."""
    lines = (tree / "lib/systemd/user" / name).read_text().splitlines()
    assert {line.split("=")[0] for line in lines if "=" in line and not line.startswith("#")} <= KNOWN[name]


@pytest.mark.parametrize(
    ("group", "said"),
    [
        ("971", "there is no group 971"),
        ("crowded", "must have no members; it has ada,eve"),
        ("own", "must have no members; it has ada"),
    ],
)
def test_install_refuses_a_group_that_is_missing_or_that_somebody_has(tmp_path, as_root, group, said):
    finished = as_root("--prefix", tmp_path / "prefix", "--group", group)
    assert finished.returncode == 1
    assert said in finished.stderr
    assert not (tmp_path / "prefix").exists() and not (as_root.place / "made").exists()


@pytest.mark.parametrize(("group", "status"), [("free", 0), ("974", 0), ("971", 0), ("crowded", 0), ("keyway", 1)])
def test_install_into_another_root_makes_no_group(tmp_path, as_root, group, status):
    finished = as_root("--destdir", tmp_path / "root", "--group", group)
    assert finished.returncode == status, finished.stderr
    assert not (as_root.place / "made").exists()
    assert bool(finished.stderr) == bool(status)


def test_relative_prefix_is_refused(tmp_path, built):
    assert tool("install", "--prefix", "here", built=built).returncode == 1


@pytest.mark.parametrize(
    ("prefix", "place"),
    [("~/.local", "/home/ada/.local"), ("/opt/~/keyway", "/opt/~/keyway"), (None, "/usr/local")],
    ids=["tilde", "absolute", "none"],
)
def test_make_install_takes_the_tilde_for_the_home_folder(prefix, place):
    """Some shells hand it over as it was typed."""
    finished = subprocess.run(
        ["make", "--dry-run", "--no-print-directory", "install", *([f"PREFIX={prefix}"] if prefix else [])],
        cwd=ROOT,
        env={"PATH": os.environ["PATH"], "HOME": "/home/ada"},
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert finished.stdout == f"Tools/install --prefix '{place}' --destdir ''\n", finished.stderr


def test_units_are_what_systemd_understands(tree):
    units = tree / "lib/systemd/user"
    finished = subprocess.run(
        ["systemd-analyze", "verify", "--user", "--man=no", units / "keywayd.socket", units / "keywayd.service"],
        capture_output=True,
        text=True,
        timeout=60,
        env={**os.environ, "XDG_RUNTIME_DIR": str(tree)},
    )
    assert (finished.returncode, finished.stderr) == (0, "")
