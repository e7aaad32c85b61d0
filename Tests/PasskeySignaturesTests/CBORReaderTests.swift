import Foundation
import Testing

@testable import PasskeySignatures

/// The examples of RFC 8949, appendix A, as far as authenticators write them.
struct CBORReaderTests {
    static let examples: [(String, CBORReader.Value)] = [
        ("00", .integer(0)), ("17", .integer(23)), ("1818", .integer(24)), ("1903e8", .integer(1000)),
        ("1b000000e8d4a51000", .integer(1_000_000_000_000)), ("20", .integer(-1)), ("3903e7", .integer(-1000)),
        ("f4", .bool(false)), ("f5", .bool(true)), ("f6", .null), ("40", .bytes([])),
        ("4401020304", .bytes([1, 2, 3, 4])), ("6449455446", .text("IETF")), ("62c3bc", .text("ü")),
        ("83010203", .array([.integer(1), .integer(2), .integer(3)])),
        ("a201020304", .map([.integer(1): .integer(2), .integer(3): .integer(4)])),
        ("a26161016162820203", .map([.text("a"): .integer(1), .text("b"): .array([.integer(2), .integer(3)])])),
    ]

    @Test(arguments: examples.indices)
    func readsTheExamplesOfTheStandard(index: Int) {
        let (digits, value) = Self.examples[index]
        #expect(CBORReader.value(in: Hexadecimal.data(digits)) == value)
    }

    @Test(arguments: [
        "", "18", "1bffffffffffffffff", "43ff", "62c3", "62ff00", "8301", "a101", "a201020102", "0000", "5f4101ff",
        "9f01ff",
        "c000", "fb3ff0000000000000", "9bffffffffffffffff", "bb7fffffffffffffff",
    ])
    func refusesWhatIsCutOffTwiceThereOrOfAnotherKind(digits: String) {
        #expect(CBORReader.value(in: Hexadecimal.data(digits)) == nil)
    }

    @Test func refusesWhatStandsTooDeep() {
        #expect(CBORReader.value(in: Hexadecimal.data(String(repeating: "81", count: 15) + "00")) != nil)
        #expect(CBORReader.value(in: Hexadecimal.data(String(repeating: "81", count: 100_000) + "00")) == nil)
    }
}

enum Hexadecimal {
    static func data(_ digits: String) -> Data {
        let digits = Array(digits)
        return Data(
            stride(from: 0, to: digits.count, by: 2).compactMap { UInt8(String(digits[$0...($0 + 1)]), radix: 16) })
    }
}
