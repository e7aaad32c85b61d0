import KeywayCrypto
import Testing

@testable import OtherCiphers

private func bytes(_ hex: String) -> [UInt8] {
    let digits = hex.filter { $0 != " " }.compactMap(\.hexDigitValue)
    return stride(from: 0, to: digits.count, by: 2).map { UInt8(digits[$0] * 16 + digits[$0 + 1]) }
}

@Suite("ciphers and derivations of other programs")
struct OtherCiphersTests {
    /// RFC 9106, sections 5.1 and 5.3.
    @Test(arguments: [
        (Argon2.Variant.d, "512b391b6f1162975371d30919734294f868e3be3984f3c1a13a4db9fabe4acb"),
        (.id, "0d640df58d78766c08c037a34a8b53c9d01ef0452d75b65eb52520e96b01e659"),
    ])
    func argon2ComputesThePublishedTags(variant: Argon2.Variant, tag: String) throws {
        let key = try Argon2(variant, memory: 32, passes: 3, lanes: 4).derive(
            from: SecretBytes(copying: [UInt8](repeating: 1, count: 32)), salt: [UInt8](repeating: 2, count: 16),
            secret: [UInt8](repeating: 3, count: 8), data: [UInt8](repeating: 4, count: 12), count: 32)
        #expect(key == SecretBytes(copying: bytes(tag)))
    }

    @Test(arguments: [(0, 1, 1), (7, 1, 1), (31, 1, 4), (64, 0, 1), (64, 1, 0), (64, -1, 1), (1 << 40, 1, 1)])
    func argon2RefusesWhatItDoesNotTake(memory: Int, passes: Int, lanes: Int) {
        let error = #expect(throws: OtherCipherError.self) {
            try Argon2(.id, memory: memory, passes: passes, lanes: lanes).derive(
                from: SecretBytes(copying: [1]), salt: [UInt8](repeating: 2, count: 16), count: 32)
        }
        #expect(error?.code == .invalidParameter)
    }

    /// RFC 8439, section 2.4.2 from its second block on (it counts from 1); NIST SP 800-38A, F.2.5; the vector of 256 bits
    /// in the Twofish paper's `ecb_ival.txt`, as the first block of a chain; eSTREAM's Salsa20, set 1, vector 0.
    @Test(arguments: [
        (
            OtherCipher.aesChained, "603deb1015ca71be2b73aef0857d77811f352c073b6108d72d9810a30914dff4",
            "000102030405060708090a0b0c0d0e0f", "6bc1bee22e409f96e93d7e117393172a", "f58c4c04d6e5f1ba779eabfb5f7bfbd6"
        ),
        (
            .twofishChained, "0123456789abcdeffedcba987654321000112233445566778899aabbccddeeff",
            "00000000000000000000000000000000", "00000000000000000000000000000000", "37527be0052334b89f0cfccae87cfa20"
        ),
        (
            .salsa20, "8000000000000000000000000000000000000000000000000000000000000000", "0000000000000000",
            "00000000000000000000000000000000", "e3be8fdd8beca2e3ea8ef9475b29a6e7"
        ),
        (
            .chaCha20, "0000000000000000000000000000000000000000000000000000000000000000", "000000000000000000000000",
            "00000000000000000000000000000000", "76b8e0ada0f13d90405d6ae55386bd28"
        ),
    ])
    func ciphersMakeThePublishedTextsAndOpenThem(
        cipher: OtherCipher, key: String, vector: String, plain: String, sealed: String
    ) throws {
        let key = SecretBytes(copying: bytes(key))
        var text = bytes(plain)
        let sealing = try CipherStream(cipher, key: key, vector: bytes(vector))
        try text.withUnsafeMutableBytes { try sealing.encrypt($0) }
        #expect(text == bytes(sealed))
        let opening = try CipherStream(cipher, key: key, vector: bytes(vector))
        try text.withUnsafeMutableBytes { try opening.decrypt($0) }
        #expect(text == bytes(plain))
    }

    @Test(arguments: OtherCipher.allCases)
    func keysAndVectorsOfOtherLengthsAreRefused(cipher: OtherCipher) {
        #expect(throws: OtherCipherError.self) {
            try CipherStream(
                cipher, key: SecretBytes(count: 31) { _ in }, vector: [UInt8](repeating: 0, count: cipher.vectorCount))
        }
        #expect(throws: OtherCipherError.self) {
            try CipherStream(
                cipher, key: SecretBytes(count: 32) { _ in },
                vector: [UInt8](repeating: 0, count: cipher.vectorCount + 1))
        }
    }

    @Test(arguments: [OtherCipher.aesChained, .twofishChained])
    func aPartOfABlockIsRefused(cipher: OtherCipher) throws {
        let stream = try CipherStream(
            cipher, key: SecretBytes(count: 32) { _ in }, vector: [UInt8](repeating: 0, count: 16))
        var text = [UInt8](repeating: 0, count: 17)
        let error = #expect(throws: OtherCipherError.self) {
            try text.withUnsafeMutableBytes { try stream.decrypt($0) }
        }
        #expect(error?.code == .invalidParameter)
    }

    /// One round is one encryption of each block (FIPS 197, C.3); rounds add up, also over more than one call.
    @Test func roundsOfAESAddUp() throws {
        let block = bytes("00112233445566778899aabbccddeeff")
        let key = Array(UInt8(0)..<32)
        let secret = SecretBytes(copying: block + block)
        let once = try RepeatedAES.derive(from: secret, key: key, rounds: 1)
        let expected = bytes("8ea2b7ca516745bfeafc49904b496089")
        #expect(once == SecretBytes(copying: expected + expected))
        let parts = try RepeatedAES.derive(
            from: RepeatedAES.derive(from: secret, key: key, rounds: 5000), key: key, rounds: 5001)
        #expect(try RepeatedAES.derive(from: secret, key: key, rounds: 10_001) == parts)
    }
}
