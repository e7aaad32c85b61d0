import KeywayCrypto
import Testing

@testable import HybridEncryption

@Suite("hybrid public key encryption")
struct HybridEncryptionTests {
    typealias Vector = Vectors.Vector

    private static let text = Array("a text".utf8)

    private static func suite(_ vector: Vector) throws -> HPKESuite {
        try #require(HPKESuite(kem: vector.kem, kdf: vector.kdf, aead: vector.aead))
    }

    @Test func everySuiteOfTheVectorsIsTried() {
        #expect(Vectors.all.count == 7)
        #expect(Set(Vectors.all.map(\.aead)) == [1, 2, 3, 0xFFFF])
        #expect(Set(Vectors.all.map(\.kem)) == [0x10, 0x20])
    }

    @Test(arguments: Vectors.all)
    func whoOwnsTheKeyOpensWhatIsPublished(vector: Vector) throws {
        let suite = try Self.suite(vector)
        let key = try HPKEPrivateKey(suite.kem, vector.recipientKey.secret)
        #expect(key.publicKey.encoded == vector.recipient.bytes)
        let shared = try SharedSecret.decapsulate(vector.encapsulation.bytes, with: key)
        #expect(shared == vector.shared.secret)
        for message in vector.encryptions {
            let context = try HPKEContext(suite, shared, vector.info.bytes, sequence: message.seq)
            let opened = try message.ct.bytes.withUnsafeBytes {
                try context.open($0, authenticating: message.aad.bytes)
            }
            #expect(opened == message.pt.secret)
        }
        let context = try HPKEContext.recipient(
            suite, key, encapsulation: vector.encapsulation.bytes, info: vector.info.bytes)
        for secret in vector.exports {
            #expect(try context.export(secret.context.bytes, count: secret.count) == secret.value.secret)
        }
    }

    @Test(arguments: Vectors.all.filter { $0.senderKey != nil })
    func whatIsEncryptedIsWhatIsPublished(vector: Vector) throws {
        let suite = try Self.suite(vector)
        let random = KnownRandomness(bytes: try #require(vector.senderKey).bytes)
        let recipient = try HPKEPublicKey(suite.kem, vector.recipient.bytes)
        let shared = try SharedSecret.encapsulate(for: recipient, random: random)
        #expect(shared.encapsulation == vector.encapsulation.bytes && shared.secret == vector.shared.secret)
        for message in vector.encryptions {
            let context = try HPKEContext(suite, shared.secret, vector.info.bytes, sequence: message.seq)
            let sealed = try message.pt.bytes.withUnsafeBytes {
                try context.seal($0, authenticating: message.aad.bytes)
            }
            #expect(sealed == message.ct.bytes)
        }
    }

    // MARK: - Between two of ours

    private static func pair(
        _ suite: HPKESuite, info: [UInt8] = [1], recipientInfo: [UInt8] = [1]
    ) throws -> (sender: HPKEContext, recipient: HPKEContext) {
        let key = try HPKEPrivateKey(suite.kem, random: SystemRandomSource())
        let (sender, encapsulation) = try HPKEContext.sender(
            suite, to: key.publicKey, info: info, random: SystemRandomSource())
        return (
            sender, try HPKEContext.recipient(suite, key, encapsulation: encapsulation, info: recipientInfo)
        )
    }

    private static let suites = HPKESuite.KEM.allCases.flatMap { kem in
        HPKESuite.AEAD.allCases.filter { $0 != .exportOnly }.map { HPKESuite(kem, .sha256, $0) }
    }

    @Test(arguments: suites)
    func messagesAreOpenedInTheirOrder(suite: HPKESuite) throws {
        let (sender, recipient) = try Self.pair(suite)
        let sealed = try (UInt8(0)..<3).map { number in
            try [number].withUnsafeBytes { try sender.seal($0, authenticating: []) }
        }
        let failure = HybridEncryptionError(.notForThisKey, "")
        #expect(throws: failure) { try sealed[1].withUnsafeBytes { try recipient.open($0, authenticating: []) } }
        for (number, message) in sealed.enumerated() {
            let opened = try message.withUnsafeBytes { try recipient.open($0, authenticating: []) }
            #expect(opened == SecretBytes(copying: [UInt8(number)]))
        }
        #expect(throws: failure) { try sealed[2].withUnsafeBytes { try recipient.open($0, authenticating: []) } }
    }

    @Test(arguments: suites)
    func whatWasChangedOpensToNobody(suite: HPKESuite) throws {
        let (sender, recipient) = try Self.pair(suite)
        let sealed = try Self.text.withUnsafeBytes { try sender.seal($0, authenticating: [7]) }
        let failure = HybridEncryptionError(.notForThisKey, "")
        for index in sealed.indices {
            var changed = sealed
            changed[index] ^= 1
            #expect(throws: failure) { try changed.withUnsafeBytes { try recipient.open($0, authenticating: [7]) } }
        }
        for count in 0..<sealed.count {
            let part = Array(sealed[..<count])
            #expect(throws: failure) { try part.withUnsafeBytes { try recipient.open($0, authenticating: [7]) } }
        }
        #expect(throws: failure) { try sealed.withUnsafeBytes { try recipient.open($0, authenticating: [8]) } }
        // A failure takes no turn.
        #expect(
            try sealed.withUnsafeBytes { try recipient.open($0, authenticating: [7]) }
                == SecretBytes(copying: Self.text))
    }

    @Test(arguments: suites)
    func anotherKeyOrAnotherPurposeOpensNothing(suite: HPKESuite) throws {
        let failure = HybridEncryptionError(.notForThisKey, "")
        let (sender, _) = try Self.pair(suite)
        let sealed = try Self.text.withUnsafeBytes { try sender.seal($0, authenticating: []) }
        let (_, other) = try Self.pair(suite)
        #expect(throws: failure) { try sealed.withUnsafeBytes { try other.open($0, authenticating: []) } }
        let (another, recipient) = try Self.pair(suite, recipientInfo: [2])
        let message = try Self.text.withUnsafeBytes { try another.seal($0, authenticating: []) }
        #expect(throws: failure) { try message.withUnsafeBytes { try recipient.open($0, authenticating: []) } }
    }

    @Test func aSuiteThatOnlyExportsEncryptsNothing() throws {
        let (sender, recipient) = try Self.pair(HPKESuite(.x25519, .sha256, .exportOnly))
        let failure = HybridEncryptionError(.exportsOnly, "")
        #expect(throws: failure) { try Self.text.withUnsafeBytes { try sender.seal($0, authenticating: []) } }
        #expect(throws: failure) {
            try [UInt8](repeating: 0, count: 32).withUnsafeBytes { try recipient.open($0, authenticating: []) }
        }
        #expect(try sender.export([1], count: 40) == recipient.export([1], count: 40))
        #expect(try sender.export([1], count: 40) != recipient.export([2], count: 40))
        #expect(throws: HybridEncryptionError(.exhausted, "")) { try sender.export([1], count: 255 * 32 + 1) }
    }

    @Test func theLastMessageOfAContextIsTheLast() throws {
        let suite = HPKESuite(.x25519, .sha256, .aes128)
        let context = try HPKEContext(suite, SecretBytes(copying: [1]), [], sequence: .max)
        #expect(throws: HybridEncryptionError(.exhausted, "")) {
            try Self.text.withUnsafeBytes { try context.seal($0, authenticating: []) }
        }
    }

    // MARK: - Keys that are none

    /// Points of small order (RFC 7748, section 6.1): with each of them, the secret is zero.
    private static let smallOrder: [[UInt8]] = [
        [UInt8](repeating: 0, count: 32), [1] + [UInt8](repeating: 0, count: 31),
        [0xEC] + [UInt8](repeating: 0xFF, count: 30) + [0x7F], [0xED] + [UInt8](repeating: 0xFF, count: 30) + [0x7F],
        [0xEE] + [UInt8](repeating: 0xFF, count: 30) + [0x7F],
        [0xE0, 0xEB, 0x7A, 0x7C, 0x3B, 0x41, 0xB8, 0xAE, 0x16, 0x56, 0xE3, 0xFA, 0xF1, 0x9F, 0xC4, 0x6A]
            + [0xDA, 0x09, 0x8D, 0xEB, 0x9C, 0x32, 0xB1, 0xFD, 0x86, 0x62, 0x05, 0x16, 0x5F, 0x49, 0xB8, 0x00],
        [0x5F, 0x9C, 0x95, 0xBC, 0xA3, 0x50, 0x8C, 0x24, 0xB1, 0xD0, 0xB1, 0x55, 0x9C, 0x83, 0xEF, 0x5B]
            + [0x04, 0x44, 0x5C, 0xC4, 0x58, 0x1C, 0x8E, 0x86, 0xD8, 0x22, 0x4E, 0xDD, 0xD0, 0x9F, 0x11, 0x57],
    ]

    @Test(arguments: smallOrder)
    func aPointOfSmallOrderSharesNothing(point: [UInt8]) throws {
        let suite = HPKESuite(.x25519, .sha256, .aes128)
        let failure = HybridEncryptionError(.invalidKey, "")
        let key = try HPKEPrivateKey(.x25519, random: SystemRandomSource())
        #expect(throws: failure) { try HPKEContext.recipient(suite, key, encapsulation: point, info: []) }
        #expect(throws: failure) {
            try HPKEContext.sender(suite, to: HPKEPublicKey(.x25519, point), info: [], random: SystemRandomSource())
        }
    }

    @Test(arguments: HPKESuite.KEM.allCases)
    func anEncapsulationThatIsNoneIsRefused(kem: HPKESuite.KEM) throws {
        let suite = HPKESuite(kem, .sha256, .aes128)
        let failure = HybridEncryptionError(.invalidKey, "")
        let key = try HPKEPrivateKey(kem, random: SystemRandomSource())
        let encapsulation = try HPKEContext.sender(
            suite, to: key.publicKey, info: [], random: SystemRandomSource()
        ).encapsulation
        var others = (0..<encapsulation.count).map { Array(encapsulation[..<$0]) } + [encapsulation + [0]]
        if kem == .p256 {
            // Beside the curve, compressed, and the point at infinity.
            others += [
                Array(encapsulation.dropLast()) + [encapsulation[64] ^ 1],
                [2 + (encapsulation[64] & 1)] + encapsulation[1...32], [0], [UInt8](repeating: 0, count: 65),
            ]
        }
        for other in others {
            #expect(throws: failure) { try HPKEContext.recipient(suite, key, encapsulation: other, info: []) }
        }
    }

    @Test func aKeyOfAnotherKindIsRefused() throws {
        let failure = HybridEncryptionError(.invalidKey, "")
        let key = try HPKEPrivateKey(.p256, random: SystemRandomSource())
        let suite = HPKESuite(.x25519, .sha256, .aes128)
        #expect(throws: failure) {
            try HPKEContext.sender(suite, to: key.publicKey, info: [], random: SystemRandomSource())
        }
        let encapsulation = key.publicKey.encoded
        #expect(throws: failure) { try HPKEContext.recipient(suite, key, encapsulation: encapsulation, info: []) }
        #expect(throws: failure) { try HPKEPrivateKey(.p256, SecretBytes(count: 32) { _ in }) }
        #expect(throws: failure) { try HPKEPrivateKey(.x25519, SecretBytes(count: 31) { _ in }) }
    }

    @Test(
        arguments: [(0x11, 1, 1), (0x20, 4, 1), (0x20, 1, 4), (-1, 1, 1), (0x1_0020, 1, 1)] as [(Int64, Int64, Int64)])
    func aSuiteThatNobodyKnowsIsNone(kem: Int64, kdf: Int64, aead: Int64) {
        #expect(HPKESuite(kem: kem, kdf: kdf, aead: aead) == nil)
    }
}
