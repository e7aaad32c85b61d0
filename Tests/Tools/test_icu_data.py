"""`Tools/icu-data`: what is left of ICU's data is what was there, and is found by ICU."""

import importlib.machinery
import importlib.util
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
TOOL = ROOT / "Tools/icu-data"
# What does not change by language, and what ICU falls back to.
NEEDED = [
    "root.res",
    "uts46.nrm",
    "nfkc.nrm",
    "zoneinfo64.res",
    "supplementalData.res",
    "coll/root.res",
    "coll/ucadata.icu",
]
# Prints what hangs on the data: a host name, a normal form, an order, a time elsewhere, a class of characters.
PROGRAM = """
import Foundation
print(URL(string: "https://bücher.example")!.absoluteString)
print("e\\u{301}".precomposedStringWithCanonicalMapping.unicodeScalars.count)
print(["ä", "z", "a"].sorted { $0.localizedStandardCompare($1) == .orderedAscending })
let time = DateFormatter()
(time.locale, time.timeZone) = (Locale(identifier: "de_DE"), TimeZone(identifier: "Asia/Tokyo"))
(time.dateStyle, time.timeStyle) = (.long, .short)
print(time.string(from: Date(timeIntervalSince1970: 1_790_000_000)))
let words = try! NSRegularExpression(pattern: "\\\\p{Lu}\\\\w+")
print(words.numberOfMatches(in: "ab Straße Über", range: NSRange(0..<14)))
"""
SAID = ["https://xn--bcher-kva.example", "1", '["a", "ä", "z"]', "September 21, 2026 at 23:13", "2"]


@pytest.fixture(scope="module")
def tool():
    loader = importlib.machinery.SourceFileLoader("icu_data", str(TOOL))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader("icu_data", loader))
    loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def made(tmp_path_factory) -> tuple[Path, str]:
    """The object, and the symbol whose place it takes."""
    target = tmp_path_factory.mktemp("icu") / "deep/data.o"
    finished = subprocess.run([TOOL, target], capture_output=True, text=True, timeout=60, check=True)
    return target, finished.stdout.strip()


def contents(place: Path, folder: Path) -> bytes:
    subprocess.run(["objcopy", "-O", "binary", "-j", ".rodata", place, folder / "data"], check=True)
    return (folder / "data").read_bytes()


def test_what_is_kept_is_as_it_was_and_in_the_same_order(tool, made, tmp_path):
    header, kept = tool.entries(contents(made[0], tmp_path))
    told = subprocess.run(
        ["swiftc", "-print-target-info", "-static-stdlib"], capture_output=True, text=True, check=True
    )
    library = Path(tool.json.loads(told.stdout)["paths"]["runtimeResourcePath"], "linux/lib_FoundationICU.a")
    (tmp_path / "whole.o").write_bytes(tool.output("ar", "p", library, tool.MEMBER))
    same_header, whole = tool.entries(contents(tmp_path / "whole.o", tmp_path))
    assert header == same_header
    # ICU looks for a name by halving.
    assert [name for name, _ in kept] == sorted(name for name, _ in kept)
    before = dict(whole)
    assert all(content.rstrip(b"\0") == before[name].rstrip(b"\0") for name, content in kept)
    names = {name.decode().partition("/")[2] for name, _ in kept}
    assert names >= set(NEEDED)
    assert 20 * len(kept) < len(whole)


def test_it_is_the_same_each_time(made, tmp_path):
    subprocess.run([TOOL, tmp_path / "again.o"], capture_output=True, check=True, timeout=60)
    assert (tmp_path / "again.o").read_bytes() == made[0].read_bytes()


@pytest.mark.parametrize(
    ("name", "kept"),
    [
        *[("de.res", False), ("coll/zh.res", False), ("sr_Latn_RS.res", False), ("ibm-1386_P100-2001.cnv", False)],
        *[("brkitr/cjdict.dict", False), ("translit/root.res", False), ("coll/de__PHONEBOOK.res", False)],
        *[(name, True) for name in ("en.res", "pool.res", "plurals.res", "brkitr/word.brk", "rfc3491.spp")],
    ],
)
def test_what_another_language_needs_is_left_out(tool, name, kept):
    assert tool.is_kept(name) == kept


@pytest.mark.parametrize("data", [b"", b"\x90\x00\xda\x27" + bytes(200), bytes(200)])
def test_what_is_no_package_of_this_byte_order_is_refused(tool, data):
    with pytest.raises((ValueError, tool.struct.error)):
        tool.entries(data)


def test_a_program_with_it_reads_names_times_and_patterns(made, tmp_path):
    (tmp_path / "main.swift").write_text(PROGRAM)
    place = ["-Xlinker", f"--wrap={made[1]}", "-Xlinker", made[0]]
    command = ["swiftc", "-static-stdlib", *place, "-o", tmp_path / "program", tmp_path / "main.swift"]
    subprocess.run(command, check=True, capture_output=True, timeout=300)
    # With all of the data it would be 30 MB more.
    assert (tmp_path / "program").stat().st_size < 50_000_000
    printed = subprocess.run([tmp_path / "program"], capture_output=True, text=True, check=True, timeout=60).stdout
    assert printed.splitlines() == SAID


@pytest.mark.parametrize(("words", "status"), [([], 1), (["--help"], 0), (["--no"], 1), (["a", "b"], 1)])
def test_it_says_what_it_takes(words, status):
    assert subprocess.run([TOOL, *words], capture_output=True, timeout=60).returncode == status
