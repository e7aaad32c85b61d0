"""`Tools/api-coverage`: a declaration that is not the reference's is seen, and a table that is not true is refused."""

import json
import re
import subprocess
from pathlib import Path

import pytest

from api_coverage import compare, probe, property_lists, reference, tables
from api_coverage.compare import Judgement
from api_coverage.declarations import parse, without_comment
from api_coverage.graph import Symbol, read_module
from api_coverage.reference import Row, Scope
from api_coverage.tables import Entry
from api_coverage.verdicts import key_verdict, verdict

ROOT = Path(__file__).resolve().parent.parent.parent


def differing(wanted: str, found: str, **symbol) -> set[str]:
    made = parse(found)
    seen = Symbol("T.x", made, isolated="MainActor" in made.attributes, **symbol)
    return compare.differences(parse(wanted), seen, isolated="MainActor" in parse(wanted).attributes, in_protocol=False)


@pytest.mark.parametrize(
    ("wanted", "found"),
    [
        ("open func a(for x: [any P], y: Int = 1)", "open func a(for z: [P], y: Int = 1)"),
        ("open func a(_ h: ((Bool, (any Error)?) -> Void)? = nil)", "open func a(_ b: ((Bool, Error?) -> ())? = nil)"),
        ("open func a(h: @escaping @Sendable (Bool) -> Void)", "open func a(h: @escaping (Bool) -> Void)"),
        ("open func a() async throws", "open nonisolated(nonsending) func a() async throws -> Void"),
        ("public let a: [Data: Int]?", "public var a: [Data : Int]? { get }"),
        ("open var a: Int", "open var a: Int { get set }"),
        ("open override func a()", "open func a()"),
        ("open class var a: Int { get }", "open class var a: Int { get }"),
        ("public init?(url: URL)", "public init?(url: URL)"),
    ],
)
def test_two_spellings_of_one_declaration_agree(wanted, found):
    assert differing(wanted, found) == set()


@pytest.mark.parametrize(
    ("wanted", "found", "aspect"),
    [
        ("open func a()", "public func a()", "access"),
        ("public func a()", "public final func a()", "final"),
        ("public convenience init()", "public init()", "convenience"),
        ("weak open var a: P?", "open var a: P?", "weak"),
        ("open class func a()", "open func a()", "static or class"),
        ("@MainActor public func a()", "public func a()", "isolation"),
        ("public func a()", "@MainActor public func a()", "isolation"),
        ("@discardableResult public func a() -> Int", "public func a() -> Int", "discardable result"),
        ("public func a(b: Int)", "public func a(c: Int)", "labels"),
        ("public func a(b: Int?)", "public func a(b: Int)", "parameter types"),
        ("public func a(b: Int? = nil)", "public func a(b: Int?)", "defaults"),
        ("public func a() async throws", "public func a() async", "effects"),
        ("public func a() -> Int?", "public func a() -> Int", "type"),
        ("public init?(a: Int)", "public init(a: Int)", "failable"),
        ("public var a: Int { get }", "public var a: Int", "settable"),
        ("public var a: Int", "public let a: Int", "settable"),
        ("public var a: Data!", "public var a: Data?", "type"),
        ("case a(Int)", "case a(Data)", "parameter types"),
        ("public struct A", "public class A", "kind"),
        ("public struct A: Hashable, Sendable", "public struct A", "conforms to Sendable"),
    ],
)
def test_every_aspect_of_a_declaration_counts(wanted, found, aspect):
    assert aspect in differing(wanted, found, conforms={"Hashable"})


def test_codable_is_both_halves():
    wanted, found = "public struct A: Codable", "public struct A"
    assert differing(wanted, found, conforms={"Decodable", "Encodable"}) == set()
    assert differing(wanted, found, conforms={"Decodable"}) == {"conforms to Codable"}


def test_optional_requirement_needs_an_implementation_for_those_without():
    assert differing("optional func a()", "func a()") >= {"optional"}
    assert "optional" not in differing("optional func a()", "func a()", has_default=True)


def test_inner_name_means_the_type_inside_its_owner():
    scope = Scope({"Store", "Store.Kind", "Kind"})
    assert scope.resolve("Kind", "Store") == "Store.Kind"
    assert scope.resolve("Kind", "Other") == "Kind"
    assert scope.resolve("Self", "Store") == "Store"
    assert scope.resolve("Self.Kind", "Store") == "Store.Kind"


def test_every_row_has_a_readable_declaration():
    folder = ROOT / "Docs" / "reference"
    rows = reference.read_rows(
        folder / "api-checklist.tsv", folder / "authentication-services-api.md", folder / "prose.tsv"
    )
    assert len(rows) == 704
    assert [row.identifier for row in rows if row.kind != "K" and not row.declarations] == []
    for row in (each for each in rows if each.kind in {"F", "I", "P", "C"}):
        name = row.symbol.removeprefix(row.owner + ".").split("(")[0].split(" ")[0].rpartition(".")[2].rstrip("?")
        assert row.declarations[0].name == name or "report..." in row.symbol, row


def test_declaration_over_several_lines_ends_at_the_next_marker():
    blocks = reference.read_blocks(
        "```swift\n// [A1] iOS\nopen func a(x: Int,   // first\n    y: Int)\n// told\n// [A2] iOS\nvar b: Int\n```\n"
    )
    assert blocks == {"A1": ("open func a(x: Int, y: Int)", "first"), "A2": ("var b: Int", "")}
    assert without_comment("case a = 1   // one") == ("case a = 1", "one")


@pytest.mark.parametrize(
    ("text", "comment", "value"),
    [
        ("case a = 101", "", "101"),
        ("public static let a: T", "-7; the only named value", "-7"),
        ("public static let a: T", 'raw "STRONG" (observed)', "STRONG"),
        ("public let a: String", 'value observed: "com.example"', "com.example"),
        ("case a", "one of many", None),
    ],
)
def test_raw_value_is_read_from_declaration_or_comment(text, comment, value):
    row = Row("C1", "C", "T.a", "T", [(text, comment)], [parse(text)])
    assert [stated for _, stated in reference.raw_values(row)] == ([value] if value else [])


def row(identifier: str = "G1", kind: str = "F", symbol: str = "T.a()") -> Row:
    return Row(identifier, kind, symbol, "T", [("public func a()", "")], [parse("public func a()")])


THERE, MISSING = Judgement(), Judgement(missing=["public func a()"])
DIFFERENT = Judgement(differing={"effects"}, instead=["public func a() async"])


@pytest.mark.parametrize(
    ("judged", "entry", "served", "word", "fails"),
    [
        (THERE, None, False, "full", False),
        (THERE, Entry("G1", "declared", "a.swift", "later"), False, "declared", False),
        (THERE, Entry("G1", "declared", "a.swift", "later"), True, "absent", True),
        (THERE, Entry("G1", "absent", "-", "left out"), False, "absent", True),
        (THERE, Entry("G1", "differs", "effects", "on purpose"), False, "absent", True),
        (MISSING, None, False, "absent", True),
        (MISSING, Entry("G1", "absent", "-", "left out"), False, "absent", False),
        (MISSING, Entry("G1", "declared", "a.swift", "later"), False, "absent", True),
        (MISSING, Entry("G1", "differs", "effects", "on purpose"), False, "absent", True),
        (DIFFERENT, None, False, "absent", True),
        (DIFFERENT, Entry("G1", "declared", "a.swift", "later"), False, "absent", True),
        (DIFFERENT, Entry("G1", "differs", "effects", "on purpose"), False, "full", False),
        (DIFFERENT, Entry("G1", "differs", "type", "on purpose"), False, "absent", True),
    ],
)
def test_verdict_and_whether_the_run_fails(judged, entry, served, word, fails):
    made = verdict(row(), judged, entry, served=served)
    assert (made.word, bool(made.complaint)) == (word, fails)


def test_nothing_is_left_out_of_a_complete_section():
    made = verdict(row("A1"), MISSING, Entry("A1", "absent", "-", "left out"), served=False)
    assert made.complaint


def test_key_counts_when_it_is_read_and_tested():
    key = row("H9", "K", "ProvidesPasswords")
    assert key_verdict(key, {"ProvidesPasswords"}, set(), None).word == "full"
    assert key_verdict(key, {"ProvidesPasswords"}, {"ProvidesPasswords"}, None).complaint
    assert key_verdict(key, set(), set(), None).complaint
    left_out = Entry("H9", "absent", "-", "no use here")
    assert not key_verdict(key, set(), set(), left_out).complaint
    assert key_verdict(key, {"ProvidesPasswords"}, set(), left_out).complaint


def test_keys_come_from_the_registry_and_each_wants_a_test(tmp_path):
    sources, tests = tmp_path / "Sources/ProviderHosting/Providers", tmp_path / "Tests/ProviderHostingTests"
    sources.mkdir(parents=True)
    tests.mkdir(parents=True)
    (sources / "PropertyListKey.swift").write_text(
        'package enum PropertyListKey: String {\n    case one = "A.b"\n    case two = "C"\n}\n'
    )
    (tests / "KeyTests.swift").write_text("@Test(arguments: [PropertyListKey.two]) func read() {}\n")
    table = property_lists.keys(tmp_path)
    assert table == {"A.b": "one", "C": "two"}
    assert property_lists.untested(tmp_path, table) == {"A.b"}


def test_table_names_rows_by_range_and_each_once(tmp_path):
    table = tmp_path / "coverage.tsv"
    table.write_text("# said\nrows\tverdict\tdetail\treason\nF1-F3, G7\tabsent\t-\tleft out\n")
    assert sorted(tables.read_entries(table)) == ["F1", "F2", "F3", "G7"]
    table.write_text(table.read_text() + "F2\tabsent\t-\tagain\n")
    with pytest.raises(tables.Unusable):
        tables.read_entries(table)
    table.write_text("rows\tverdict\tdetail\treason\nF1\tabsent\t-\t \n")
    with pytest.raises(tables.Unusable):
        tables.read_entries(table)


def test_declared_row_is_served_once_its_file_ends_in_no_error(tmp_path):
    entry = Entry("F3", "declared", "a.swift", "later")
    (tmp_path / "a.swift").write_text("throw ASAuthorizationError.notServed(.failed, what)")
    assert not tables.is_served(tmp_path, entry)
    (tmp_path / "a.swift").write_text("try await broker.call()")
    assert tables.is_served(tmp_path, entry)


def test_a_file_that_ends_in_the_error_is_named_by_a_row(tmp_path):
    sources = tmp_path / "Sources"
    sources.mkdir()
    (sources / "a.swift").write_text("throw ASAuthorizationError.notServed(.failed, what)")
    (sources / "b.swift").write_text("static func notServed(_ code: Code)")
    assert tables.unnamed(tmp_path, {}) == ["Sources/a.swift"]
    assert tables.unnamed(tmp_path, {"F3": Entry("F3", "declared", "Sources/a.swift", "later")}) == []


def test_objects_of_sources_that_are_gone_are_not_linked(tmp_path):
    (tmp_path / "Gone.swift.o").touch()
    assert probe.objects_of(tmp_path) == [tmp_path / "Gone.swift.o"]
    here = {"": {"swift-dependencies": "x"}, "Here.swift": {"object": str(tmp_path / "Here.swift.o")}}
    (tmp_path / "output-file-map.json").write_text(json.dumps(here))
    assert probe.objects_of(tmp_path) == [tmp_path / "Here.swift.o"]


def test_graph_gives_overloads_conformances_and_default_implementations():
    def symbol(identifier: str, kind: str, path: list[str], text: str) -> dict:
        return {
            "identifier": {"precise": identifier},
            "kind": {"identifier": f"swift.{kind}"},
            "pathComponents": path,
            "accessLevel": "public",
            "declarationFragments": [{"spelling": text}],
        }

    module = read_module(
        {
            "symbols": [
                symbol("p", "protocol", ["P"], "protocol P : NSObjectProtocol"),
                symbol("p.a", "method", ["P", "a(x:)"], "@MainActor func a(x: Self)"),
                symbol("d.a", "method", ["P", "a(x:)"], "func a(x: Self)"),
                symbol("c", "class", ["C"], "class C"),
                symbol("o", "func.op", ["C", "==(_:_:)"], "static func == (a: C, b: C) -> Bool"),
            ],
            "relationships": [
                {"kind": "conformsTo", "source": "p", "target": "n", "targetFallback": "Foundation.NSObjectProtocol"},
                {"kind": "conformsTo", "source": "c", "target": "p"},
                {"kind": "defaultImplementationOf", "source": "d.a", "target": "p.a"},
            ],
        }
    )
    requirement, given = module.named("P", "a(x:)")
    assert (requirement.has_default, requirement.isolated) == (True, True)
    assert (given.has_default, given.isolated) == (False, False)
    assert module.named("", "C")[0].conforms == {"P", "NSObjectProtocol"}


@pytest.mark.timeout(900)  # builds the module, where nothing has been built
def test_the_module_is_what_the_tables_say():
    done = subprocess.run([ROOT / "Tools" / "api-coverage"], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    sections = re.findall(r"^([A-H]) .*? (\d+)/(\d+)$", done.stdout, re.MULTILINE)
    assert "".join(letter for letter, *_ in sections) == "ABCDEFGH"
    assert all(found == total for letter, found, total in sections if letter in "ABCDEFG")
