import CryptoKit
import Testing

@Suite("P-256")
struct P256Tests {
    private struct Signed: Decodable { let function: String, message, x, y, r, s: Hex, valid: Bool }
    private struct Agreed: Decodable { let number, ownX, ownY, x, y, secret: Hex, result: String }

    private func isValid<H: HashFunction>(_ function: H.Type, _ vector: Signed) throws -> Bool {
        let key = try P256.Signing.PublicKey(rawRepresentation: vector.x.data + vector.y.data)
        let signature = try P256.Signing.ECDSASignature(rawRepresentation: vector.r.data + vector.s.data)
        #expect(try P256.Signing.ECDSASignature(derRepresentation: signature.derRepresentation) == signature)
        if H.self == SHA256.self {
            #expect(key.isValidSignature(signature, for: vector.message.data) == vector.valid)
        }
        return key.isValidSignature(signature, for: H.hash(data: vector.message.data))
    }

    @Test func signaturesAreJudgedAsPublished() throws {
        let vectors = try Vectors<Signed>.read("ecdsa-p256")
        #expect(vectors.count == 25 && Set(vectors.map(\.valid)) == [true, false])
        for vector in vectors {
            #expect(try isValid(function(named: vector.function), vector) == vector.valid)
        }
    }

    @Test func secretsAreAsPublished() throws {
        let vectors = try Vectors<Agreed>.read("ecdh-p256")
        #expect(vectors.count == 25)
        for vector in vectors {
            let peer = vector.x.data + vector.y.data
            guard !vector.result.contains("CAVS's Static public key") else {
                #expect(throws: CryptoKitError.self) { try P256.KeyAgreement.PublicKey(rawRepresentation: peer) }
                continue
            }
            let key = try P256.KeyAgreement.PrivateKey(rawRepresentation: vector.number.data)
            let secret = try key.sharedSecretFromKeyAgreement(with: .init(rawRepresentation: peer))
            let isOwn = key.publicKey.rawRepresentation == vector.ownX.data + vector.ownY.data
            #expect((isOwn && secret == vector.secret.data) == vector.result.hasPrefix("P"), "\(vector.result)")
        }
    }

    @Test func whatAKeySignsItsPublicHalfTakes() throws {
        let key = P256.Signing.PrivateKey()
        let message = Data("message".utf8)
        let signature = try key.signature(for: message)
        #expect(key.publicKey.isValidSignature(signature, for: message))
        #expect(key.publicKey.isValidSignature(signature, for: SHA256.hash(data: message)))
        #expect(!key.publicKey.isValidSignature(signature, for: Data("massage".utf8)))
        #expect(!P256.Signing.PrivateKey().publicKey.isValidSignature(signature, for: message))
        let long = SHA512.hash(data: message)
        #expect(key.publicKey.isValidSignature(try key.signature(for: long), for: long))
        #expect(signature.withUnsafeBytes { Data($0) } == signature.rawRepresentation)
    }

    @Test func everyFormOfAKeyIsReadAgain() throws {
        let key = P256.Signing.PrivateKey()
        let number = key.rawRepresentation
        #expect(try P256.Signing.PrivateKey(rawRepresentation: number).derRepresentation == key.derRepresentation)
        #expect(try P256.Signing.PrivateKey(x963Representation: key.x963Representation).rawRepresentation == number)
        #expect(try P256.Signing.PrivateKey(derRepresentation: key.derRepresentation).rawRepresentation == number)
        #expect(try P256.Signing.PrivateKey(pemRepresentation: key.pemRepresentation).rawRepresentation == number)
        let point = key.publicKey
        let raw = point.rawRepresentation
        #expect(key.x963Representation == Data([4]) + raw + number)
        #expect(try P256.Signing.PublicKey(rawRepresentation: raw).rawRepresentation == raw)
        #expect(try P256.Signing.PublicKey(x963Representation: point.x963Representation).rawRepresentation == raw)
        let compressed = point.compressedRepresentation
        #expect(try P256.Signing.PublicKey(compressedRepresentation: compressed).rawRepresentation == raw)
        #expect(try P256.Signing.PublicKey(derRepresentation: point.derRepresentation).rawRepresentation == raw)
        #expect(try P256.Signing.PublicKey(pemRepresentation: point.pemRepresentation).rawRepresentation == raw)
        let compact = try #require(point.compactRepresentation)
        #expect(try P256.Signing.PublicKey(compactRepresentation: compact).rawRepresentation == raw)
        #expect(try P256.KeyAgreement.PublicKey(compactRepresentation: compact).rawRepresentation == raw)
        #expect(try P256.KeyAgreement.PrivateKey(pemRepresentation: key.pemRepresentation).rawRepresentation == number)
    }

    /// Of the vectors of OpenSSL, as the PyPI package cryptography-vectors 50.0.2 has them (compressed_points.txt).
    @Test func compressedPointsAreAsPublished() throws {
        for (point, y) in [
            (
                "037399336a9edf2197c2f8eb3d39aed9c34a66e45d918a07dc7684c42c9b37ac68",
                "6699ececc4f5f0d756d3c450708a0694eb0a07a68b805070b40b058d27271f6d"
            ),
            (
                "02d13b763988943682267deb6298ad3bdfec192459f9e9bf2d2227c8ec3e8ced91",
                "badeb7ee4662680c587a84de3f2d1ca7284b65790597408836eea3207e2f3a22"
            ),
        ] {
            let key = try P256.Signing.PublicKey(compressedRepresentation: Hex(point).data)
            #expect(key.rawRepresentation == Hex(point).data.dropFirst() + Hex(y).data)
            #expect(key.compressedRepresentation == Hex(point).data)
            // The second one's y is the larger of the two.
            #expect(key.compactRepresentation == (y.hasPrefix("66") ? Hex(point).data.dropFirst() : nil))
        }
    }

    /// RFC 5915 without a public key and RFC 5958, of one number (RFC 6979, appendix A.2.5).
    @Test func bothFormsInDERAreRead() throws {
        let number = "c9afa9d845ba75166b5c215767b1d6934e50c3db36e89b127b8a622b120f6721"
        let x = "60fed4ba255a9d31c961eb74c6356d68c049b8923b61fa6ce669622e60f29fb6"
        let y = "7903fe1008b8bc99a41ae9e95628bc64f2f1b20c2d7e9f5177a3c294d4462299"
        let bare = Hex("30310201010420\(number)a00a06082a8648ce3d030107").data
        let key = try P256.Signing.PrivateKey(derRepresentation: bare)
        #expect(key.rawRepresentation == Hex(number).data && key.publicKey.rawRepresentation == Hex(x + y).data)
        let text = "-----BEGIN EC PRIVATE KEY-----\n\(bare.base64EncodedString())\n-----END EC PRIVATE KEY-----\n"
        #expect(try P256.Signing.PrivateKey(pemRepresentation: text).rawRepresentation == Hex(number).data)
        let whole = "308187020100301306072a8648ce3d020106082a8648ce3d030107046d306b0201010420"
        #expect(key.derRepresentation == Hex("\(whole)\(number)a14403420004\(x)\(y)").data)
    }

    @Test func keysThatAreNoneAreRefused() throws {
        let key = P256.Signing.PrivateKey()
        for number in [Data(count: 32), Data(repeating: 0xFF, count: 32)] {
            #expect(throws: CryptoKitError.underlyingCoreCryptoError(error: -1)) {
                try P256.Signing.PrivateKey(rawRepresentation: number)
            }
        }
        #expect(throws: CryptoKitError.incorrectParameterSize) {
            try P256.Signing.PrivateKey(rawRepresentation: Data(count: 31))
        }
        let other = P256.Signing.PrivateKey().publicKey.x963Representation + key.rawRepresentation
        #expect(throws: CryptoKitError.self) { try P256.Signing.PrivateKey(x963Representation: other) }
        var beside = key.publicKey.rawRepresentation
        beside[63] ^= 1
        #expect(throws: CryptoKitError.self) { try P256.Signing.PublicKey(rawRepresentation: beside) }
        #expect(throws: CryptoKitError.incorrectParameterSize) {
            try P256.Signing.PublicKey(x963Representation: key.publicKey.rawRepresentation)
        }
        #expect(throws: CryptoKitError.incorrectParameterSize) {
            try P256.Signing.PublicKey(x963Representation: key.publicKey.compressedRepresentation)
        }
        let der = key.derRepresentation
        for count in 0..<der.count {
            #expect(throws: CryptoKitASN1Error.self) { try P256.Signing.PrivateKey(derRepresentation: der[..<count]) }
        }
        #expect(throws: CryptoKitASN1Error.self) { try P256.Signing.PrivateKey(derRepresentation: der + [0]) }
        #expect(throws: CryptoKitASN1Error.self) {
            try P256.Signing.PublicKey(derRepresentation: key.publicKey.derRepresentation + [0])
        }
        let stranger = der.dropLast(65) + P256.Signing.PrivateKey().publicKey.x963Representation
        #expect(throws: CryptoKitASN1Error.self) { try P256.Signing.PrivateKey(derRepresentation: stranger) }
        #expect(throws: CryptoKitASN1Error.invalidPEMDocument) {
            try P256.Signing.PrivateKey(pemRepresentation: key.publicKey.pemRepresentation)
        }
        // PKCS #8 of Ed25519 (RFC 8410, section 10.3).
        let edwards = Hex(
            "302e020100300506032b657004220420d4ee72dbf913584ad5b6d8f1f769f8ad3afe7c28cbf1d4fbe097a88f44755842")
        #expect(throws: CryptoKitASN1Error.unexpectedFieldType) {
            try P256.Signing.PrivateKey(derRepresentation: edwards.data)
        }
    }

    @Test func signaturesThatAreNoneAreRefused() throws {
        #expect(throws: CryptoKitError.incorrectParameterSize) {
            try P256.Signing.ECDSASignature(rawRepresentation: Data(count: 63))
        }
        // Of 1 and 1: right; with a leading zero too many; negative; with something behind it.
        let ones = try P256.Signing.ECDSASignature(derRepresentation: Hex("3006020101020101").data)
        #expect(ones.rawRepresentation == Data(count: 31) + [1] + Data(count: 31) + [1])
        for text in ["300702020001020101", "3006020181020101", "300602010102010100", "", "30"] {
            #expect(throws: CryptoKitASN1Error.invalidASN1Object) {
                try P256.Signing.ECDSASignature(derRepresentation: Hex(text).data)
            }
        }
        let key = P256.Signing.PrivateKey().publicKey
        #expect(!key.isValidSignature(try .init(rawRepresentation: Data(count: 64)), for: Data()))
    }

    @Test func newKeysAreCompactIfSoWished() {
        #expect((0..<20).allSatisfy { _ in P256.KeyAgreement.PrivateKey().publicKey.compactRepresentation != nil })
        #expect(
            (0..<64).contains { _ in
                P256.Signing.PrivateKey(compactRepresentable: false).publicKey.compactRepresentation == nil
            })
    }
}
