import Testing
@testable import CryptoKit

@Suite("Codes and derived keys")
struct DerivationTests {
    private struct Code: Decodable { let function: String, key, message, code: Hex }
    private struct Derived: Decodable {
        let function: String, material, salt, info: Hex, count: Int, extracted: Hex?, key: Hex
    }
    private struct Agreed: Decodable { let function: String, secret, info, key: Hex }

    private func check<H: HashFunction>(_ function: H.Type, _ vector: Code) {
        let key = SymmetricKey(data: vector.key.data)
        let code = HMAC<H>.authenticationCode(for: vector.message.data, using: key)
        #expect(Data(code) == vector.code.data)
        #expect(code.byteCount == H.Digest.byteCount)
        #expect(HMAC<H>.isValidAuthenticationCode(code, authenticating: vector.message.data, using: key))
        #expect(HMAC<H>.isValidAuthenticationCode(vector.code.data, authenticating: vector.message.data, using: key))
        #expect(
            vector.message.data.withUnsafeBytes {
                HMAC<H>.isValidAuthenticationCode(code, authenticating: $0, using: key)
            })
        for index in vector.code.data.indices {
            var other = vector.code.data
            other[index] ^= 0x80
            #expect(!HMAC<H>.isValidAuthenticationCode(other, authenticating: vector.message.data, using: key))
        }
        let shorter = vector.code.data.dropLast()
        #expect(!HMAC<H>.isValidAuthenticationCode(shorter, authenticating: vector.message.data, using: key))
        var parts = HMAC<H>(key: key)
        for byte in vector.message.data { parts.update(data: [byte]) }
        #expect(parts.finalize() == code)
    }

    @Test func codesAreAsPublished() throws {
        let vectors = try Vectors<Code>.read("hmac")
        #expect(vectors.count == 18)
        for vector in vectors { try check(function(named: vector.function), vector) }
    }

    private func check<H: HashFunction>(_ function: H.Type, _ vector: Derived) {
        let material = SymmetricKey(data: vector.material.data)
        let key = HKDF<H>.deriveKey(
            inputKeyMaterial: material, salt: vector.salt.data, info: vector.info.data, outputByteCount: vector.count)
        #expect(key == SymmetricKey(data: vector.key.data))
        let first = HKDF<H>.extract(inputKeyMaterial: material, salt: vector.salt.data)
        if let extracted = vector.extracted { #expect(Data(first) == extracted.data) }
        #expect(
            HKDF<H>.expand(pseudoRandomKey: first, info: vector.info.data, outputByteCount: vector.count) == key)
        guard vector.salt.data.isEmpty else { return }
        #expect(HKDF<H>.extract(inputKeyMaterial: material, salt: Data?.none) == first)
        #expect(
            HKDF<H>.deriveKey(inputKeyMaterial: material, info: vector.info.data, outputByteCount: vector.count) == key)
    }

    @Test func derivedKeysAreAsPublished() throws {
        let vectors = try Vectors<Derived>.read("hkdf")
        #expect(vectors.count == 7)
        for vector in vectors { try check(function(named: vector.function), vector) }
    }

    @Test func whatIsLeftOutOfADerivationIsEmpty() {
        let material = SymmetricKey(data: Data(repeating: 7, count: 32))
        let salt = Data("salt".utf8)
        #expect(
            HKDF<SHA256>.deriveKey(inputKeyMaterial: material, salt: salt, outputByteCount: 16)
                == HKDF<SHA256>.deriveKey(inputKeyMaterial: material, salt: salt, info: Data(), outputByteCount: 16))
        #expect(
            HKDF<SHA512>.deriveKey(inputKeyMaterial: material, outputByteCount: 99)
                == HKDF<SHA512>.deriveKey(inputKeyMaterial: material, salt: Data(), info: Data(), outputByteCount: 99))
    }

    @Test func aDerivationHasAnEnd() async {
        await #expect(processExitsWith: .failure) {
            _ = HKDF<SHA256>.deriveKey(inputKeyMaterial: .init(size: .bits256), outputByteCount: 255 * 32 + 1)
        }
    }

    private func check<H: HashFunction>(_ function: H.Type, _ vector: Agreed) {
        let secret = SharedSecret(bytes: vector.secret.data.secretCopy)
        let count = vector.key.data.count
        #expect(
            secret.x963DerivedSymmetricKey(using: H.self, sharedInfo: vector.info.data, outputByteCount: count)
                == SymmetricKey(data: vector.key.data))
        #expect(
            secret.hkdfDerivedSymmetricKey(
                using: H.self, salt: Data([1]), sharedInfo: vector.info.data, outputByteCount: count)
                == HKDF<H>.deriveKey(
                    inputKeyMaterial: SymmetricKey(data: secret), salt: Data([1]), info: vector.info.data,
                    outputByteCount: count))
    }

    @Test func keysOfASharedSecretAreAsPublished() throws {
        let vectors = try Vectors<Agreed>.read("x963")
        #expect(vectors.count == 12)
        for vector in vectors { try check(function(named: vector.function), vector) }
    }

    @Test func codesPrintAsApples() {
        let code = HMAC<SHA256>.authenticationCode(for: Data(), using: SymmetricKey(data: Data()))
        #expect(
            code.description
                == "HMAC with SHA256: b613679a0814d9ec772f95d778c35fc5ff1697c493715653c6c712144292c5ad")
    }
}
