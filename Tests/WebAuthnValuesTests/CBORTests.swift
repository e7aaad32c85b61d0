import Testing

@testable import WebAuthnValues

struct CBORTests {
    /// The examples of RFC 8949, appendix A, as far as they are canonical and of our kinds.
    static let examples: [(String, CBORValue)] = [
        ("00", .integer(0)), ("17", .integer(23)), ("1818", .integer(24)), ("18ff", .integer(255)),
        ("190100", .integer(256)), ("1903e8", .integer(1000)), ("1a000f4240", .integer(1_000_000)),
        ("1b000000e8d4a51000", .integer(1_000_000_000_000)), ("1b7fffffffffffffff", .integer(.max)),
        ("20", .integer(-1)), ("3903e7", .integer(-1000)), ("3b7fffffffffffffff", .integer(.min)),
        ("f4", .bool(false)), ("f5", .bool(true)), ("f6", .null), ("40", .bytes([])),
        ("4401020304", .bytes([1, 2, 3, 4])), ("60", .text("")), ("6449455446", .text("IETF")),
        ("62c3bc", .text("ü")), ("64f0908591", .text("\u{10151}")), ("80", .array([])), ("a0", .map([:])),
        ("83010203", .array([.integer(1), .integer(2), .integer(3)])),
        ("a201020304", .map([.integer(1): .integer(2), .integer(3): .integer(4)])),
        ("a26161016162820203", .map([.text("a"): .integer(1), .text("b"): .array([.integer(2), .integer(3)])])),
    ]

    @Test(arguments: examples.indices)
    func readsAndWritesTheExamplesOfTheStandard(index: Int) throws {
        let (digits, value) = Self.examples[index]
        #expect(try CBORDecoder.value(in: bytes(digits)) == value)
        #expect(value.encoded == bytes(digits))
    }

    /// CTAP 2.1, section 8: by kind of key, then by length, then byte by byte.
    @Test func sortsKeys() {
        let value = CBORValue.map([
            .text("aa"): .null, .text("b"): .null, .integer(100): .null, .integer(10): .null, .integer(-1): .null,
            .bytes([0]): .null, .text("a"): .null,
        ])
        #expect(value.encoded == bytes("a7 0a f6 1864 f6 20 f6 4100 f6 6161 f6 6162 f6 626161 f6"))
    }

    @Test(arguments: [
        // Cut off, or followed by something.
        "", "18", "1903", "43ff", "62c3", "8301", "a101", "a1", "0000", "f6f6",
        // Longer than needed.
        "1800", "1817", "190000", "1900ff", "1a0000ffff", "1b00000000ffffffff", "5801ff", "7801ff", "b80100", "980100",
        // Beyond 63 bits.
        "1b8000000000000000", "3b8000000000000000", "1bffffffffffffffff",
        // More elements than bytes.
        "9b7fffffffffffffff", "bb7fffffffffffffff", "9affffffff", "5affffffff",
        // Indefinite, tagged, of other kinds.
        "5f4101ff", "9f01ff", "bf0102ff", "7f6161ff", "1c", "1f", "ff", "c000", "d818", "f90000", "fa00000000",
        "fb3ff0000000000000", "f7", "f820", "e0",
        // No UTF-8.
        "62ff00", "61ff", "63eda080",
        // Keys out of order, or twice, also as text that only Swift takes for equal.
        "a203020102", "a201020102", "a2616200616100", "a262616100616200", "a2200001 00", "a26161006000",
        "a263c3a96101 63 65cc81 00",
        "a264c3a9c3a90066 65cc8165cc81 00",
    ])
    func refusesWhatIsNotCanonical(digits: String) {
        #expect(throws: MalformedValue("")) { try CBORDecoder.value(in: bytes(digits)) }
    }

    @Test func refusesWhatStandsTooDeepOrIsTooLong() throws {
        let deepest = String(repeating: "81", count: CBORDecoder.deepest)
        #expect(try CBORDecoder.value(in: bytes(deepest + "00")).encoded == bytes(deepest + "00"))
        for digits in [deepest + "8100", deepest + "80", String(repeating: "81", count: 60_000) + "00"] {
            #expect(throws: MalformedValue("")) { try CBORDecoder.value(in: bytes(digits)) }
        }
        let content = [UInt8](repeating: 0, count: CBORDecoder.longest - 3)
        #expect(try CBORDecoder.value(in: CBORValue.bytes(content).encoded) == .bytes(content))
        #expect(throws: MalformedValue("")) {
            try CBORDecoder.value(in: CBORValue.bytes(content + [0]).encoded)
        }
    }

    @Test func aPrefixTellsItsLength() throws {
        let (value, count) = try CBORDecoder.first(in: bytes("00 820102 ff")[1...])
        #expect(value == .array([.integer(1), .integer(2)]))
        #expect(count == 3)
    }
}
