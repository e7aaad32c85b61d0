import PasskeySignatures
import Testing

/// RFC 6979, appendix A.2.5: P-256 with SHA-256 over “sample”.
struct PublicKeySignatureTests {
    private static let x = bytes("60FED4BA255A9D31C961EB74C6356D68C049B8923B61FA6CE669622E60F29FB6")
    private static let y = bytes("7903FE1008B8BC99A41AE9E95628BC64F2F1B20C2D7E9F5177A3C294D4462299")
    private static let signature = bytes(
        "3046022100EFD48B2AACB6A8FD1140DD9CD45E81D69D2C877B56AAF991C34D0EA84EAF3716"
            + "022100F7CB1C942D657C41D436C7A1B6E29F65F3E900DBB9AFF4064DC4AB2F843ACDA8")

    private static func bytes(_ digits: String) -> [UInt8] {
        stride(from: 0, to: digits.count, by: 2).compactMap { start in
            UInt8(digits.dropFirst(start).prefix(2), radix: 16)
        }
    }

    @Test func takesTheSignatureOfTheKey() {
        let message = Array("sample".utf8)
        #expect(PublicKeySignature.isES256(Self.signature, of: message, x: Self.x, y: Self.y))
    }

    @Test func refusesAnotherMessageKeyOrSignature() {
        let message = Array("sample".utf8)
        #expect(!PublicKeySignature.isES256(Self.signature, of: Array("other".utf8), x: Self.x, y: Self.y))
        #expect(!PublicKeySignature.isES256(Self.signature, of: message, x: Self.y, y: Self.x))
        var changed = Self.signature
        changed[20] ^= 1
        #expect(!PublicKeySignature.isES256(changed, of: message, x: Self.x, y: Self.y))
        #expect(!PublicKeySignature.isES256([], of: message, x: Self.x, y: Self.y))
        #expect(!PublicKeySignature.isES256(Self.signature, of: message, x: [], y: Self.y))
    }

    /// FIPS 180-4's example.
    @Test func hashes() {
        let digest = Self.bytes("BA7816BF8F01CFEA414140DE5DAE2223B00361A396177A9CB410FF61F20015AD")
        #expect(PublicKeySignature.sha256(Array("abc".utf8)) == digest)
    }
}
