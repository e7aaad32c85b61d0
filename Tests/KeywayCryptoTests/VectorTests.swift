import FoundationEssentials
import Glibc
import Testing

@testable import KeywayCrypto

/// A file of vectors in `Tests/Vectors/crypto`; each says where it comes from.
private struct Vectors<Vector: Decodable>: Decodable {
    let source: String
    let vectors: [Vector]

    init(_ name: String) throws {
        let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        let data = try Data(contentsOf: folder.appending(path: "Vectors/crypto/\(name).json"))
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        self = try decoder.decode(Self.self, from: data)
    }
}

private func bytes(_ hex: String) -> [UInt8] {
    let digits = hex.utf8.compactMap { Character(Unicode.Scalar($0)).hexDigitValue }
    return stride(from: 0, to: digits.count, by: 2).map { UInt8(digits[$0] * 16 + digits[$0 + 1]) }
}

@Suite struct VectorTests {
    private struct Argon2id: Decodable { let password, salt, hash: String, passes: UInt64, memoryBytes: Int }

    @Test func derivesAsPublished() throws {
        let vectors = try Vectors<Argon2id>("argon2id").vectors
        #expect(vectors.count == 4)
        for vector in vectors {
            let hash = try PasswordDerivation.argon2id(
                password: SecretBytes(copying: bytes(vector.password)), salt: bytes(vector.salt),
                memory: vector.memoryBytes, passes: vector.passes, count: vector.hash.count / 2)
            #expect(hash == SecretBytes(copying: bytes(vector.hash)))
        }
    }

    /// The examples of FIPS 180-2, appendix B.
    @Test(arguments: [
        ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
        ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
    ])
    func hashesAsPublished(text: String, hash: String) {
        #expect(Digest.sha256(text.utf8) == bytes(hash))
    }

    /// RFC 4231, test cases 1, 2 and 6: a short key, one that is text, and one longer than a block.
    @Test(arguments: [
        (
            [UInt8](repeating: 0x0B, count: 20), "Hi There",
            "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"
        ),
        (
            Array("Jefe".utf8), "what do ya want for nothing?",
            "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
        ),
        (
            [UInt8](repeating: 0xAA, count: 131), "Test Using Larger Than Block-Size Key - Hash Key First",
            "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54"
        ),
    ])
    func authenticatesAsPublished(key: [UInt8], message: String, code: String) {
        let ours = Array(message.utf8).withUnsafeBytes {
            MessageAuthentication.hmacSHA256($0, key: SecretBytes(copying: key))
        }
        #expect(ours == SecretBytes(copying: bytes(code)))
    }

    private struct Sealed: Decodable { let plaintext, context, key, nonce, ciphertext, tag: String }

    /// Gives one nonce.
    private struct Nonce: RandomSource {
        let bytes: [UInt8]
        func fill(_ buffer: UnsafeMutableRawBufferPointer) { buffer.copyBytes(from: bytes) }
    }

    @Test func sealsAsPublished() throws {
        for vector in try Vectors<Sealed>("xchacha20-poly1305").vectors {
            let key = SecretKey(SecretBytes(copying: bytes(vector.key)))
            let plaintext = SecretBytes(copying: bytes(vector.plaintext))
            let sealed = key.seal(
                plaintext, context: bytes(vector.context), random: Nonce(bytes: bytes(vector.nonce)))
            #expect(sealed == bytes(vector.nonce + vector.ciphertext + vector.tag))
            #expect(try key.open(sealed, context: bytes(vector.context)) == plaintext)
        }
    }

    private struct Derived: Decodable { let key, context, derived: String, number: UInt64 }

    @Test func derivesSubkeysAsPublished() throws {
        for vector in try Vectors<Derived>("derive").vectors {
            #expect(vector.context == "KDF test")
            let derived = SecretKey(SecretBytes(copying: bytes(vector.key))).derive(vector.number, context: "KDF test")
            #expect(derived.bytes == SecretBytes(copying: bytes(vector.derived)))
        }
    }

    private struct Hashed: Decodable { let key, message, hash: String }

    @Test func hashesAsTheReferenceImplementation() throws {
        for vector in try Vectors<Hashed>("blake2b").vectors {
            let (message, count) = (bytes(vector.message), vector.hash.count / 2)
            let hash =
                vector.key.isEmpty
                ? message.withUnsafeBytes { Digest.blake2b($0, count: count) }
                : SecretKey(SecretBytes(copying: bytes(vector.key))).hash(message, count: count)
            #expect(hash == bytes(vector.hash))
        }
    }
}

@Suite struct SealingTests {
    let key = SecretKey(random: SystemRandomSource())
    let secret = SecretBytes(copyingUTF8Of: "a secret")

    @Test func opensOnlyWithKeyAndContext() throws {
        let sealed = key.seal(secret, context: [1, 2], random: SystemRandomSource())
        #expect(try key.open(sealed, context: [1, 2]) == secret)
        let failed = CryptoError(.authenticationFailed, "")
        #expect(throws: failed) { try key.open(sealed, context: [1, 3]) }
        #expect(throws: failed) { try key.open(sealed, context: []) }
        #expect(throws: failed) { try SecretKey(random: SystemRandomSource()).open(sealed, context: [1, 2]) }
        #expect(throws: failed) { try key.derive(1, context: "KDF test").open(sealed, context: [1, 2]) }
    }

    @Test func refusesEveryFlippedBitAndTruncation() {
        let sealed = key.seal(secret, context: [], random: SystemRandomSource())
        #expect(sealed.count == secret.count + SecretKey.sealOverhead)
        for bit in 0..<sealed.count * 8 {
            var flipped = sealed
            flipped[bit / 8] ^= 1 << (bit % 8)
            #expect(throws: CryptoError(.authenticationFailed, "")) { try key.open(flipped, context: []) }
        }
        for count in 0..<sealed.count {
            #expect(throws: CryptoError(.authenticationFailed, "")) {
                try key.open(Array(sealed.prefix(count)), context: [])
            }
        }
    }

    @Test func refusesTooLittleRoom() {
        let sealed = key.seal(secret, context: [], random: SystemRandomSource())
        var room = [UInt8](repeating: 7, count: secret.count - 1)
        #expect(throws: CryptoError(.invalidParameter, "")) {
            try sealed.withUnsafeBytes { sealed in
                try room.withUnsafeMutableBytes { room in
                    try key.open(sealed, context: UnsafeRawBufferPointer(start: nil, count: 0), into: room)
                }
            }
        }
        #expect(room.allSatisfy { $0 == 7 })
    }

    @Test func sealsNothingToo() throws {
        let empty = SecretBytes(copying: [])
        let sealed = key.seal(empty, context: [], random: SystemRandomSource())
        #expect(try key.open(sealed, context: []) == empty)
    }

    @Test func derivesAnotherKeyForEachNumberAndPurpose() {
        let keys = [
            key, key.derive(0, context: "purpose1"), key.derive(1, context: "purpose1"),
            key.derive(1, context: "purpose2"),
        ]
        for (index, one) in keys.enumerated() {
            for other in keys[(index + 1)...] { #expect(one.bytes != other.bytes) }
        }
        #expect(key.derive(1, context: "purpose1").bytes == keys[2].bytes)
    }

    @Test func showsKeysRedacted() {
        var dumped = ""
        dump(key, to: &dumped)
        #expect(dumped.contains("redacted"))
    }
}

@Suite struct PasswordDerivationTests {
    let password = SecretBytes(copyingUTF8Of: "password")
    let salt = [UInt8](repeating: 1, count: 16)

    @Test(arguments: [(63, 3), (64, 2), (2049, 3), (64, 17), (0, 0), (.max, .max)] as [(UInt32, UInt32)])
    func refusesWhatLiesOutsideOfItsLimits(memory: UInt32, passes: UInt32) {
        let derivation = PasswordDerivation(memoryMiB: memory, passes: passes)
        #expect(throws: CryptoError(.invalidParameter, "")) { try derivation.derive(from: password, salt: salt) }
    }

    @Test func refusesASaltOfAnotherLength() {
        for count in [0, 15, 17, 32] {
            #expect(throws: CryptoError(.invalidParameter, "")) {
                try PasswordDerivation.floor.derive(from: password, salt: [UInt8](repeating: 1, count: count))
            }
        }
    }

    @Test func dependsOnPasswordSaltAndCost() throws {
        let key = try PasswordDerivation.floor.derive(from: password, salt: salt).bytes
        #expect(try PasswordDerivation.floor.derive(from: password, salt: salt).bytes == key)
        let others = [
            try PasswordDerivation.floor.derive(from: SecretBytes(copyingUTF8Of: "Password"), salt: salt),
            try PasswordDerivation.floor.derive(from: password, salt: [UInt8](repeating: 2, count: 16)),
            try PasswordDerivation(memoryMiB: 64, passes: 4).derive(from: password, salt: salt),
            try PasswordDerivation(memoryMiB: 65, passes: 3).derive(from: password, salt: salt),
            try PasswordDerivation.floor.derive(from: SecretBytes(copying: []), salt: salt),
        ]
        for other in others { #expect(other.bytes != key) }
    }

    @Test func reportsThatMemoryIsMissing() async {
        await #expect(processExitsWith: .success) {
            var limit = rlimit(rlim_cur: 1 << 30, rlim_max: 1 << 30)
            guard setrlimit(Int32(RLIMIT_AS.rawValue), &limit) == 0 else { exit(2) }
            let derivation = PasswordDerivation(memoryMiB: 1536, passes: 3)
            do throws(CryptoError) {
                _ = try derivation.derive(
                    from: SecretBytes(copying: [1]), salt: [UInt8](repeating: 1, count: 16))
                exit(3)
            } catch {
                exit(error == CryptoError(.outOfMemory, "") ? 0 : 4)
            }
        }
    }
}
