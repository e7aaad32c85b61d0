import Testing

@testable import KeywayCrypto

@Suite("secrets that are put together")
struct SecretCompositionTests {
    private func bytes(_ buffer: SecretBuffer) -> [UInt8] { buffer.withUnsafeBytes { Array($0) } }

    @Test func whatIsFilledIsAdded() {
        let buffer = SecretBuffer(capacity: 16)
        buffer.append(7)
        let filled = buffer.append(upTo: 100) { room in
            room[0] = 1
            room[1] = 2
            room[2] = 3
            return 2
        }
        #expect(filled == 2)
        #expect(bytes(buffer) == [7, 1, 2])
        #expect(buffer.append(upTo: 3) { _ in nil } == nil)
        #expect(bytes(buffer) == [7, 1, 2])
    }

    @Test func theLastBytesAreRewrittenInTheirPlace() {
        let buffer = SecretBuffer(capacity: 16)
        for byte in UInt8(1)...4 { buffer.append(byte) }
        buffer.rewriteLast(3) { last in
            #expect(Array(last) == [2, 3, 4])
            last[0] = 9
            return 1
        }
        #expect(bytes(buffer) == [1, 9])
        buffer.rewriteLast(0) { $0.count }
        #expect(bytes(buffer) == [1, 9])
    }

    /// RFC 4648, section 10.
    @Test(arguments: [("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foobar", "Zm9vYmFy")])
    func base64IsWrittenAndReadWithPadding(text: String, encoded: String) {
        let buffer = SecretBuffer()
        Array(text.utf8).withUnsafeBytes { buffer.append(base64Of: $0) }
        #expect(bytes(buffer) == Array(encoded.utf8))
        #expect(SecretBytes(base64: buffer.finish()) == SecretBytes(copyingUTF8Of: text))
    }

    @Test(arguments: [
        ("", [] as [UInt8]?), ("00ff", [0, 255]), ("0AbC", [10, 188]), ("0", nil), ("0g", nil), ("-1", nil),
    ])
    func hexadecimalDigitsAreBytes(text: String, expected: [UInt8]?) {
        let found = SecretBytes(hexadecimal: SecretBytes(copyingUTF8Of: text))
        #expect(found == expected.map { SecretBytes(copying: $0) })
    }

    @Test func aCodeOverPartsIsThatOfTheWhole() {
        let key = SecretBytes(copying: [1, 2, 3])
        let whole = [UInt8](1...9).withUnsafeBytes { MessageAuthentication.hmacSHA256($0, key: key) }
        let parts = [UInt8](1...4).withUnsafeBytes { first in
            [UInt8](5...9).withUnsafeBytes { MessageAuthentication.hmacSHA256(of: [first, $0], key: key) }
        }
        #expect(parts == whole)
    }
}
