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

    /// RFC 7914, section 12.
    @Test(arguments: [
        (
            "password", "NaCl", 1024, 8, 16,
            "fdbabe1c9d3472007856e7190d01e9fe7c6ad7cbc8237830e77376634b373162"
                + "2eaf30d92e22a3886ff109279d9830dac727afb94a83ee6d8360cbdfa2cc0640"
        ),
        (
            "", "", 16, 1, 1,
            "77d6576238657b203b19ca42c18a0497f16b4844e3074ae8dfdffa3fede21442"
                + "fcd0069ded0948f8326a753a0fc81f17e8d3e0fb2e0d3628cf35e20c38d18906"
        ),
    ])
    func scryptsKeysAreThoseOfTheStandard(
        password: String, salt: String, cost: Int, blockSize: Int, lanes: Int, expected: String
    ) throws {
        let key = try Array(salt.utf8).withUnsafeBytes {
            try Scrypt.passwordKey(
                secret(password), salt: $0, cost: cost, blockSize: blockSize, lanes: lanes, count: 64)
        }
        #expect(hexadecimal(key) == expected)
    }

    @Test(arguments: [(0, 8, 1), (1000, 8, 1), (1024, 0, 1), (1024, 8, 0), (-1, 8, 1), (1024, -8, 1), (1024, 8, -1)])
    func impossibleNumbersOfScryptAreRefused(cost: Int, blockSize: Int, lanes: Int) {
        #expect(throws: PasskeySignatureError.self) {
            try [UInt8(1)].withUnsafeBytes {
                try Scrypt.passwordKey(
                    secret("a"), salt: $0, cost: cost, blockSize: blockSize, lanes: lanes, count: 32)
            }
        }
    }

    /// Test case 14 of the description of GCM by its authors: everything is zero.
    @Test(arguments: [(0x19, true), (0x18, false)]) func aMessageOfAnotherTagIsNone(last: UInt8, isOne: Bool) throws {
        let sealed: [UInt8] = [
            0xCE, 0xA7, 0x40, 0x3D, 0x4D, 0x60, 0x6B, 0x6E, 0x07, 0x4E, 0xC5, 0xD3, 0xBA, 0xF3, 0x9D, 0x18,
        ]
        let tag: [UInt8] = [
            0xD0, 0xD1, 0xC8, 0xA7, 0x99, 0x99, 0x6B, 0xF0, 0x26, 0x5B, 0x98, 0xB5, 0xD4, 0x8A, 0xB9, last,
        ]
        let key = SecretBytes(copying: [UInt8](repeating: 0, count: 32))
        let text = try sealed.withUnsafeBytes { sealed in
            try tag.withUnsafeBytes { tag in
                try [UInt8](repeating: 0, count: 12).withUnsafeBytes {
                    try AuthenticatedCipher.aesGCM.open(sealed, tag: tag, key: key, nonce: $0)
                }
            }
        }
        #expect(text == (isOne ? SecretBytes(copying: [UInt8](repeating: 0, count: 16)) : nil))
    }
}
