import CryptoKit
import Testing

@Suite("Curve25519")
struct Curve25519Tests {
    private struct Signed: Decodable {
        let seed, `public`, message, signature: Hex
    }
    private struct Agreed: Decodable { let scalar, point, secret: Hex }

    @Test func signaturesAreAsPublished() throws {
        let vectors = try Vectors<Signed>.read("ed25519")
        #expect(vectors.count == 4)
        for vector in vectors {
            let key = try Curve25519.Signing.PrivateKey(rawRepresentation: vector.seed.data)
            #expect(key.rawRepresentation == vector.seed.data)
            #expect(key.publicKey.rawRepresentation == vector.public.data)
            #expect(try key.signature(for: vector.message.data) == vector.signature.data)
            let half = try Curve25519.Signing.PublicKey(rawRepresentation: vector.public.data)
            #expect(half.isValidSignature(vector.signature.data, for: vector.message.data))
            #expect(!half.isValidSignature(vector.signature.data, for: vector.message.data + [0]))
            for index in vector.signature.data.indices {
                var other = vector.signature.data
                other[index] ^= 1
                #expect(!half.isValidSignature(other, for: vector.message.data))
            }
            #expect(!half.isValidSignature(vector.signature.data.dropLast(), for: vector.message.data))
        }
    }

    @Test func secretsAreAsPublished() throws {
        let vectors = try Vectors<Agreed>.read("x25519")
        #expect(vectors.count == 3)
        for vector in vectors {
            let key = try Curve25519.KeyAgreement.PrivateKey(rawRepresentation: vector.scalar.data)
            let peer = try Curve25519.KeyAgreement.PublicKey(rawRepresentation: vector.point.data)
            #expect(try key.sharedSecretFromKeyAgreement(with: peer) == vector.secret.data)
        }
    }

    @Test func bothSidesAgree() throws {
        let alice = Curve25519.KeyAgreement.PrivateKey()
        let bob = Curve25519.KeyAgreement.PrivateKey()
        let secret = try alice.sharedSecretFromKeyAgreement(with: bob.publicKey)
        #expect(try bob.sharedSecretFromKeyAgreement(with: alice.publicKey) == secret)
        #expect(try agree(P256.KeyAgreement.PrivateKey(), P256.KeyAgreement.PrivateKey()))
        #expect(try agree(alice, bob))
    }

    private func agree<Key: DiffieHellmanKeyAgreement>(_ one: Key, _ other: Key) throws -> Bool {
        try one.sharedSecretFromKeyAgreement(with: other.publicKey)
            == other.sharedSecretFromKeyAgreement(with: one.publicKey)
    }

    @Test(arguments: [
        "0000000000000000000000000000000000000000000000000000000000000000",
        "0100000000000000000000000000000000000000000000000000000000000000",
    ])
    func aPointOfSmallOrderMakesNoSecret(point: String) throws {
        let peer = try Curve25519.KeyAgreement.PublicKey(rawRepresentation: Hex(point).data)
        #expect(throws: CryptoKitError.self) {
            try Curve25519.KeyAgreement.PrivateKey().sharedSecretFromKeyAgreement(with: peer)
        }
    }

    @Test func lengthsAreChecked() {
        #expect(throws: CryptoKitError.incorrectKeySize) {
            try Curve25519.Signing.PrivateKey(rawRepresentation: Data(count: 31))
        }
        #expect(throws: CryptoKitError.incorrectKeySize) {
            try Curve25519.KeyAgreement.PublicKey(rawRepresentation: Data(count: 33))
        }
    }

    @Test func newKeysAreRandom() {
        let keys = (0..<50).map { _ in Curve25519.KeyAgreement.PrivateKey().rawRepresentation }
        #expect(Set(keys).count == 50)
    }

    @Test func noDescriptionShowsASharedSecret() throws {
        let key = Curve25519.KeyAgreement.PrivateKey()
        let secret = try key.sharedSecretFromKeyAgreement(with: key.publicKey)
        var dumped = ""
        dump(secret, to: &dumped)
        dump(key, to: &dumped)
        let digits = [secret.withUnsafeBytes { Data($0) }, key.rawRepresentation].map { bytes in
            bytes.prefix(3).map { String(format: "%02x", $0) }.joined()
        }
        #expect("\(secret)" == "SharedSecret(256 bits)")
        for text in [dumped, "\(secret)", String(reflecting: secret)] {
            #expect(!digits.contains { text.contains($0) })
        }
    }
}
