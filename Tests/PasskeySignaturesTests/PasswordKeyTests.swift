import KeywayCrypto
import Testing

@testable import PasskeySignatures

@Suite("what other programs encrypt with")
struct PasswordKeyTests {
    private func secret(_ text: String) -> SecretBytes { SecretBytes(copying: Array(text.utf8)) }

    private func hexadecimal(_ secret: SecretBytes?) -> String? {
        secret?.withUnsafeBytes { $0.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined() }
    }

    /// RFC 7914, section 11.
    @Test(arguments: [
        (
            "passwd", "salt", 1,
            "55ac046e56e3089fec1691c22544b605f94185216dde0465e68b9d57c20dacbc"
                + "49ca9cccf179b645991664b39d77ef317c71b845b1e30bd509112041d3a19783"
        )
    ])
    func keysAreThoseOfTheStandard(password: String, salt: String, rounds: Int, expected: String) throws {
        let key = try Array(salt.utf8).withUnsafeBytes {
            try HashAlgorithm.sha256.passwordKey(secret(password), salt: $0, rounds: rounds, count: 64)
        }
        #expect(hexadecimal(key) == expected)
    }

    @Test(arguments: [0, -1, Int.max]) func impossibleNumbersOfRoundsAreRefused(rounds: Int) {
        #expect(throws: PasskeySignatureError.self) {
            try [UInt8(1)].withUnsafeBytes {
                try HashAlgorithm.sha256.passwordKey(secret("a"), salt: $0, rounds: rounds, count: 32)
            }
        }
    }

    /// A message of no block, of half a one, and one whose padding is wrong.
    @Test(arguments: [0, 15, 16, 17]) func whatIsNoWholeMessageIsNone(count: Int) throws {
        let key = SecretBytes(copying: [UInt8](repeating: 1, count: 32))
        let vector = [UInt8](repeating: 2, count: 16)
        let text = try [UInt8](repeating: 3, count: count).withUnsafeBytes { message in
            try vector.withUnsafeBytes { try ChainedCipher.open(message, key: key, vector: $0) }
        }
        #expect(text == nil)
    }
}
