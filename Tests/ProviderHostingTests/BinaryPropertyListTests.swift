import Foundation
import Testing

@testable import ProviderHosting

@Suite struct BinaryPropertyListTests {
    private func list(_ value: Any) throws -> [UInt8] {
        [UInt8](try PropertyListSerialization.data(fromPropertyList: value, format: .binary, options: 0))
    }

    private var whole: [UInt8] {
        get throws {
            try list([
                "text": String(repeating: "a", count: 300), "wide": "ü€", "number": 1 << 40, "real": 1.5, "yes": true,
                "data": Data(repeating: 1, count: 20), "date": Date(timeIntervalSince1970: 1),
                "list": [1, 2, ["x": "y"]],
            ])
        }
    }

    @Test func aListThatFoundationWroteIsWhole() throws {
        #expect(try BinaryPropertyList(whole)?.isWhole == true)
    }

    /// The length of the last text is the byte before it.
    @Test func aTextBeyondTheEndIsRefused() throws {
        var bytes = try list("abc")
        #expect(bytes[8] == 0x53)
        bytes[8] = 0x5E
        #expect(BinaryPropertyList(bytes)?.isWhole == false)
        #expect(throws: (any Error).self) { try InfoPropertyList(bytes: bytes) }
    }

    @Test func noTruncationAndNoFlippedBitEndsTheProcess() throws {
        let bytes = try whole
        for count in 0..<bytes.count { _ = BinaryPropertyList(Array(bytes[..<count]))?.isWhole }
        for index in bytes.indices {
            for bit in 0..<8 {
                var altered = bytes
                altered[index] ^= 1 << UInt8(bit)
                _ = try? InfoPropertyList(bytes: altered)
            }
        }
    }
}
