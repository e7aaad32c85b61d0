import KeywayCrypto
import Testing

@testable import SecretDocuments

/// Reads a text as a document.
func json(_ text: String) throws -> JSONValue {
    try Array(text.utf8).withUnsafeBytes { try JSONScanner.document(checkedText($0)) }
}

/// Writes a value.
func written(_ value: JSONValue) -> String {
    var bytes: [UInt8] = []
    let writer = JSONWriter<Never> { bytes += $0 }
    writer.value(value)
    writer.end()
    return String(decoding: bytes, as: UTF8.self)
}

/// The error that reading ends with.
func failure(_ text: String) -> DocumentError? {
    #expect(throws: DocumentError.self) { try json(text) }
}

@Suite("JSON")
struct JSONTests {
    @Test(arguments: [
        "null", "true", "false", "0", "-0.5e+10", "1700000000000000000000", "\"\"", "[]", "{}",
        "[1,[2,[]],{\"a\":null}]",
        "{\"a\":1,\"b\":{\"c\":\"\u{1F511}пароль\"}}", "\"\\\"\\\\\\n\\r\\t\\u0001\\u001f\"",
    ])
    func whatIsReadIsWrittenUnchanged(text: String) throws {
        #expect(written(try json(text)) == text)
    }

    @Test(arguments: [
        ("\"\\u0041\"", "A"), ("\"\\uD83D\\uDD11\"", "\u{1F511}"), ("\"a\\/b\\b\\f\"", "a/b\u{8}\u{C}"),
        ("\"\\u00e9 and e\\u0301\"", "é and e\u{301}"), ("\"\\u0000\"", "\0"),
    ])
    func escapesAreRead(text: String, expected: String) throws {
        let found = try json(text).publicText ?? ""
        #expect(Array(found.unicodeScalars) == Array(expected.unicodeScalars))
    }

    @Test(arguments: [
        ("{\"a\":1,}", DocumentError.Code.malformed), ("[1,]", .malformed), ("{\"a\" 1}", .malformed),
        ("01", .malformed),
        ("1.", .truncated), ("+1", .malformed), ("nul", .truncated), ("nule", .malformed), ("\"a\nb\"", .malformed),
        ("\"\\x\"", .malformed), ("\"\\uD800\"", .malformed), ("\"\\uD800\\u0041\"", .malformed),
        ("\"\\uDC00\"", .malformed), ("[1", .truncated), ("{\"a\"", .truncated), ("\"a", .truncated), ("", .truncated),
        ("{\"a\":1,\"a\":2}", .repeated), ("{\"a\":1,\"\\u0061\":2}", .repeated), ("1 2", .malformed),
        ("'a'", .malformed),
    ])
    func whatIsNoJSONIsRefused(text: String, code: DocumentError.Code) {
        #expect(failure(text)?.code == code)
    }

    @Test func errorsSayWhereTheyAre() {
        #expect(failure("{\n  \"a\": 1,\n  b\n}")?.place == DocumentPlace(line: 3, offset: 14))
        #expect(failure("[\n\n1 2]")?.place == DocumentPlace(line: 3, offset: 5))
    }

    @Test func errorsSayNothingOfTheContent() throws {
        let error = try #require(failure("{\"password\":\"canary-7f3a\" \"canary-9b\"}"))
        #expect(!error.description.contains("canary"))
    }

    @Test func nestingEndsAtItsLimitAndNotAtThatOfTheStack() throws {
        func nested(_ depth: Int) -> String {
            String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
        }
        _ = try json(nested(DocumentLimits.depth))
        #expect(failure(nested(DocumentLimits.depth + 1))?.code == .tooDeep)
        #expect(failure(nested(1_000_000))?.code == .tooDeep)
        #expect(failure(String(repeating: "{\"a\":", count: 1_000_000))?.code == .tooDeep)
    }

    @Test func aValueOfTooManyPartsIsRefused() {
        let text = Array(("[" + String(repeating: "1,", count: DocumentLimits.mostValues) + "1]").utf8)
        #expect(throws: DocumentError.self) {
            try text.withUnsafeBytes { try JSONScanner.values(at: [0..<$0.count], in: $0) }
        }
    }

    @Test func badUTF8IsRefusedWhereItStands() {
        let bytes = Array("{\n\"a\":\"".utf8) + [0xC3, 0x28] + Array("\"}".utf8)
        #expect {
            try bytes.withUnsafeBytes { _ = try checkedText($0) }
        } throws: { error in
            (error as? DocumentError)?.code == .notUTF8
                && (error as? DocumentError)?.place == DocumentPlace(line: 2, offset: 7)
        }
    }

    @Test func aMarkAtTheStartIsPassedOver() throws {
        #expect(try json("\u{FEFF}{}") == .object(JSONObject()))
    }

    @Test func noTruncationIsReadAsAWhole() throws {
        let text = Array("{\"a\":[1,true,null,\"x\\u00e9\\n\"],\"b\":{\"c\":-1.5e3}}".utf8)
        for end in text.indices {
            #expect(throws: DocumentError.self) {
                try Array(text[..<end]).withUnsafeBytes { _ = try JSONScanner.document($0) }
            }
        }
    }

    @Test func noFlippedBitCrashesTheReader() {
        var text = Array("{\"a\":[1,true,null,\"x\\u00e9\\n\"],\"b\":{\"c\":-1.5e3}}".utf8)
        for index in text.indices {
            for bit in 0..<8 {
                text[index] ^= 1 << bit
                text.withUnsafeBytes { bytes in
                    guard let checked = try? checkedText(bytes) else { return }
                    // What is read is written so that it is read as the same.
                    if let value = try? JSONScanner.document(checked) { #expect((try? json(written(value))) == value) }
                }
                text[index] ^= 1 << bit
            }
        }
    }

    @Test(arguments: [("30", 30), ("\"30\"", 30), ("30.0", 30), ("1759783057.5", 1_759_783_057), ("-1", -1)])
    func numbersAreReadAsTheyAreMeant(text: String, number: Int64) throws {
        #expect(try json(text).integer == number)
    }

    @Test(arguments: ["1e400", "\"x\"", "null", "\"\"", "99999999999999999999"])
    func whatIsNoWholeNumberIsNone(text: String) throws {
        #expect(try json(text).integer == nil)
    }

    @Test func anOutlineLeavesLargeMembersWhereTheyAre() throws {
        let bytes = Array("{\"a\":1,\"items\":[{\"x\":1},{\"x\":2}],\"map\":{\"k\":[3]}}".utf8)
        try bytes.withUnsafeBytes { bytes in
            let outline = try #require(try JSONOutline(bytes, leaving: ["items", "map"]))
            #expect(outline.object == JSONObject([.init("a", .number("1"))]))
            let itemsPlace = try #require(outline.places["items"])
            let places = try #require(try JSONOutline.elements(at: itemsPlace, in: bytes))
            var values = JSONValues(at: places, in: bytes)
            #expect(try values.next()?.object?["x"]?.integer == 1)
            #expect(try values.next()?.object?["x"]?.integer == 2)
            #expect(try values.next() == nil)
            let mapPlace = try #require(outline.places["map"])
            let members = try #require(try JSONOutline.members(at: mapPlace, in: bytes))
            #expect(members.map(\.name) == ["k"])
        }
    }

    @Test func secretsAreNeverDescribed() throws {
        let value = try json("{\"password\":\"canary-7f3a\"}")
        #expect(!"\(value)".contains("canary"))
        #expect(!String(reflecting: value).contains("canary"))
    }
}
