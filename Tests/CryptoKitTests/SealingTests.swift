import CryptoKit
import Testing

@Suite("Sealing")
struct SealingTests {
    private struct Vector: Decodable { let key, nonce, authenticated, ciphertext, tag: Hex, plaintext: Hex? }
    private struct Wrapped: Decodable { let wrapping, wrapped: Hex, key: Hex? }

    @Test func aesGCMIsAsPublished() throws {
        let vectors = try Vectors<Vector>.read("aes-gcm")
        #expect(vectors.count == 48 && vectors.count { $0.plaintext == nil } == 24)
        for vector in vectors {
            let key = SymmetricKey(data: vector.key.data)
            let nonce = try AES.GCM.Nonce(data: vector.nonce.data)
            let box = try AES.GCM.SealedBox(nonce: nonce, ciphertext: vector.ciphertext.data, tag: vector.tag.data)
            guard let plaintext = vector.plaintext?.data else {
                #expect(throws: CryptoKitError.authenticationFailure) {
                    try AES.GCM.open(box, using: key, authenticating: vector.authenticated.data)
                }
                continue
            }
            #expect(try AES.GCM.open(box, using: key, authenticating: vector.authenticated.data) == plaintext)
            let sealed = try AES.GCM.seal(
                plaintext, using: key, nonce: nonce, authenticating: vector.authenticated.data)
            #expect(sealed.ciphertext == vector.ciphertext.data && sealed.tag == vector.tag.data)
            #expect(
                sealed.combined
                    == (vector.nonce.data.count == 12
                        ? vector.nonce.data + vector.ciphertext.data + vector.tag.data : nil))
        }
    }

    @Test func chaChaPolyIsAsPublished() throws {
        let vectors = try Vectors<Vector>.read("chacha20-poly1305")
        #expect(vectors.count == 6)
        for vector in vectors {
            let key = SymmetricKey(data: vector.key.data)
            let box = try ChaChaPoly.SealedBox(combined: vector.nonce.data + vector.ciphertext.data + vector.tag.data)
            guard let plaintext = vector.plaintext?.data else {
                #expect(throws: CryptoKitError.authenticationFailure) {
                    try ChaChaPoly.open(box, using: key, authenticating: vector.authenticated.data)
                }
                continue
            }
            #expect(try ChaChaPoly.open(box, using: key, authenticating: vector.authenticated.data) == plaintext)
            let sealed = try ChaChaPoly.seal(
                plaintext, using: key, nonce: box.nonce, authenticating: vector.authenticated.data)
            #expect(sealed.combined == box.combined)
        }
    }

    @Test func everyAlteredBitIsNoticed() throws {
        let key = SymmetricKey(size: .bits256)
        let message = Data("secret".utf8)
        let gcm = try #require(try AES.GCM.seal(message, using: key).combined)
        let poly = try ChaChaPoly.seal(message, using: key).combined
        for index in 0..<gcm.count * 8 {
            var (gcm, poly) = (gcm, poly)
            gcm[index / 8] ^= 1 << UInt8(index % 8)
            poly[index / 8] ^= 1 << UInt8(index % 8)
            #expect(throws: CryptoKitError.authenticationFailure) { try AES.GCM.open(.init(combined: gcm), using: key) }
            #expect(throws: CryptoKitError.authenticationFailure) {
                try ChaChaPoly.open(.init(combined: poly), using: key)
            }
        }
    }

    @Test func whatIsAuthenticatedMustBeThere() throws {
        let key = SymmetricKey(size: .bits128)
        let box = try AES.GCM.seal(Data("a".utf8), using: key, authenticating: Data("b".utf8))
        #expect(throws: CryptoKitError.authenticationFailure) { try AES.GCM.open(box, using: key) }
        #expect(throws: CryptoKitError.authenticationFailure) {
            try AES.GCM.open(box, using: SymmetricKey(size: .bits128), authenticating: Data("b".utf8))
        }
        #expect(try AES.GCM.open(box, using: key, authenticating: Data("b".utf8)) == Data("a".utf8))
    }

    @Test func noncesAreRandom() throws {
        let key = SymmetricKey(size: .bits256)
        let boxes = try (0..<100).map { _ in try AES.GCM.seal(Data(), using: key).nonce }
        #expect(Set(boxes.map { Data($0) }).count == 100)
        #expect(ChaChaPoly.Nonce().withUnsafeBytes { $0.count } == 12)
    }

    @Test func messagesInRegionsAreSealedInOrder() throws {
        let key = SymmetricKey(size: .bits256)
        var parts = DispatchData.empty
        for part in ["ab", "cd", "e"] { part.utf8CString.dropLast().withUnsafeBytes { parts.append($0) } }
        #expect(try ChaChaPoly.open(ChaChaPoly.seal(parts, using: key), using: key) == Data("abcde".utf8))
    }

    @Test func lengthsAreChecked() throws {
        #expect(throws: CryptoKitError.incorrectKeySize) { try AES.GCM.seal(Data(), using: .init(data: Data([1]))) }
        #expect(throws: CryptoKitError.incorrectKeySize) { try ChaChaPoly.seal(Data(), using: .init(size: .bits128)) }
        #expect(throws: CryptoKitError.incorrectParameterSize) { try AES.GCM.Nonce(data: Data(count: 11)) }
        #expect(throws: CryptoKitError.incorrectParameterSize) { try ChaChaPoly.Nonce(data: Data(count: 13)) }
        #expect(throws: CryptoKitError.incorrectParameterSize) { try AES.GCM.SealedBox(combined: Data(count: 27)) }
        #expect(throws: CryptoKitError.incorrectParameterSize) { try ChaChaPoly.SealedBox(combined: Data(count: 27)) }
        #expect(throws: CryptoKitError.incorrectParameterSize) {
            try AES.GCM.SealedBox(nonce: .init(), ciphertext: Data(), tag: Data(count: 12))
        }
    }

    @Test func keyWrapIsAsPublished() throws {
        let vectors = try Vectors<Wrapped>.read("key-wrap")
        #expect(vectors.count == 9 && vectors.count { $0.key == nil } == 3)
        for vector in vectors {
            let wrapping = SymmetricKey(data: vector.wrapping.data)
            guard let key = vector.key.map({ SymmetricKey(data: $0.data) }) else {
                #expect(throws: CryptoKitError.unwrapFailure) {
                    try AES.KeyWrap.unwrap(vector.wrapped.data, using: wrapping)
                }
                continue
            }
            #expect(try AES.KeyWrap.wrap(key, using: wrapping) == vector.wrapped.data)
            #expect(try AES.KeyWrap.unwrap(vector.wrapped.data, using: wrapping) == key)
        }
    }

    @Test func keysThatCannotBeWrappedAreRefused() {
        let key = SymmetricKey(size: .bits256)
        #expect(throws: CryptoKitError.wrapFailure) { try AES.KeyWrap.wrap(.init(data: Data(count: 17)), using: key) }
        #expect(throws: CryptoKitError.wrapFailure) { try AES.KeyWrap.wrap(.init(data: Data(count: 8)), using: key) }
        #expect(throws: CryptoKitError.incorrectKeySize) {
            try AES.KeyWrap.wrap(key, using: .init(data: Data(count: 17)))
        }
        #expect(throws: CryptoKitError.unwrapFailure) { try AES.KeyWrap.unwrap(Data(count: 16), using: key) }
        #expect(throws: CryptoKitError.unwrapFailure) { try AES.KeyWrap.unwrap(Data(), using: key) }
    }
}
