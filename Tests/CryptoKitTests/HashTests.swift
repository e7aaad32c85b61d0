import CryptoKit
import Testing

@Suite("Hashes")
struct HashTests {
    private struct Vector: Decodable { let function: String, message, digest: Hex }

    private func digest<H: HashFunction>(_ function: H.Type, _ message: Data) -> Data { Data(H.hash(data: message)) }

    @Test func areAsPublished() throws {
        let vectors = try Vectors<Vector>.read("hashes")
        #expect(vectors.count == 25)
        for vector in vectors {
            #expect(try digest(function(named: vector.function), vector.message.data) == vector.digest.data)
        }
    }

    private func inParts<H: HashFunction>(_ function: H.Type, _ message: [UInt8]) -> Bool {
        (0...message.count).allSatisfy { cut in
            var hash = H()
            hash.update(data: message[..<cut])
            hash.update(data: message[cut...])
            return hash.finalize() == H.hash(data: message)
        }
    }

    @Test(arguments: functions.keys)
    func aMessageInPartsHasTheSameHash(name: String) throws {
        #expect(try inParts(function(named: name), (0..<200).map { UInt8($0) }))
    }

    @Test func aCopyGoesItsOwnWay() {
        var first = SHA256()
        first.update(data: Data("a".utf8))
        var second = first
        second.update(data: Data("b".utf8))
        #expect(first.finalize() == SHA256.hash(data: Data("a".utf8)))
        #expect(second.finalize() == SHA256.hash(data: Data("ab".utf8)))
        // To finalize is no end.
        first.update(data: Data("c".utf8))
        #expect(first.finalize() == SHA256.hash(data: Data("ac".utf8)))
    }

    @Test func regionsAreHashedInOrder() {
        var parts = DispatchData.empty
        for part in ["ab", "cd", "e"] { part.utf8CString.dropLast().withUnsafeBytes { parts.append($0) } }
        #expect(parts.regions.count == 3)
        #expect(SHA256.hash(data: parts) == SHA256.hash(data: Data("abcde".utf8)))
    }

    @Test func digestsPrintAndCompareAsApples() {
        let digest = SHA256.hash(data: Data("abc".utf8))
        let hex = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
        #expect(digest.description == "SHA256 digest: \(hex)")
        #expect(Insecure.MD5.hash(data: Data()).description == "MD5 digest: d41d8cd98f00b204e9800998ecf8427e")
        #expect(Array(digest) == Array(Hex(hex).data) && digest == Hex(hex).data && digest != Data())
        #expect(digest.map { String(format: "%02x", $0) }.joined() == hex)
        #expect(Set([digest, SHA256.hash(data: Data("abc".utf8))]).count == 1)
        #expect(SHA256.byteCount == 32 && SHA384Digest.byteCount == 48 && SHA512.blockByteCount == 128)
        for index in 0..<32 {
            var other = Data(digest)
            other[index] ^= 1
            #expect(digest != other)
        }
    }
}
