import KeywayCrypto
import OtherCiphers
import Testing

@testable import KeePassDatabases

@Suite("databases")
struct KeePassDatabaseTests {
    @Test(arguments: KeePassCipher.allCases)
    func whatIsWrittenIsRead(cipher: KeePassCipher) throws {
        let text = try Databases.open(Databases.four(cipher, filling: 300_000))
        #expect(text.hasSuffix("</Value></KeePassFile>"))
        #expect(text.utf8.count > 300_000)
        #expect(!text.contains("pässword"))
    }

    @Test(arguments: [1 << 20, (1 << 20) + 1, 3 << 20])
    func contentOfSeveralBlocksIsRead(count: Int) throws {
        // What can't be packed.
        var (content, state) = (Databases.innerHeader(), UInt64(1))
        for _ in 0..<count {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            content.append(UInt8(truncatingIfNeeded: state >> 56) & 0x7F)
        }
        let bytes = try Databases.sealed(content: content)
        #expect(bytes.count > count / 2)
        #expect(try Databases.open(bytes).utf8.count == count)
    }

    @Test(arguments: KeePassCipher.allCases, [true, false])
    func version3IsReadPackedAndUnpacked(cipher: KeePassCipher, isPacked: Bool) throws {
        let content = Array("<KeePassFile/>".utf8)
        #expect(try Databases.open(Databases.three(cipher, content: content, isPacked: isPacked)) == "<KeePassFile/>")
    }

    @Test(arguments: [Argon2.Variant.d, .id], [1, 4])
    func bothVariantsOfArgon2AreRead(variant: Argon2.Variant, lanes: Int) throws {
        let argon2 = Argon2(variant, memory: 64, passes: 2, lanes: lanes)
        #expect(try Databases.open(Databases.four(.aes, argon2)).contains("Value"))
    }

    @Test func aKeyFileOpensAloneAndBesideAPassword() throws {
        let file = [UInt8](repeating: 5, count: 32)
        for key in [try Databases.key(file: file), try Databases.key(nil, file: file)] {
            let bytes = try Databases.four(key: key)
            #expect(try Databases.open(bytes, key: key).contains("Value"))
            let error = #expect(throws: KeePassError.self) { try Databases.open(bytes) }
            #expect(error?.code == .wrongKey)
        }
    }

    @Test func filesInADatabaseAreNoPartOfItsDocument() throws {
        let content = Databases.innerHeader(files: [0, 1, 200_000]) + Array("<KeePassFile/>".utf8)
        #expect(try Databases.open(Databases.sealed(content: content)) == "<KeePassFile/>")
    }

    @Test func valuesInTheDocumentAreDecryptedInTheirOrder() throws {
        let key = SecretBytes(copying: [UInt8](repeating: 5, count: 64))
        let (sealing, opening) = (try ProtectedStream(.chaCha20, key: key), try ProtectedStream(.chaCha20, key: key))
        for text in ["one", "", "zwei €", String(repeating: "x", count: 1000)] {
            var bytes = Array(text.utf8)
            try bytes.withUnsafeMutableBytes { try sealing.seal($0) }
            var written = Array(KeePassDocument.base64(bytes).utf8)
            let count = written.withUnsafeMutableBytes { opening.open($0) }
            #expect(String(decoding: written[..<count], as: UTF8.self) == text)
        }
        #expect(opening.isSound)
    }

    @Test(arguments: ["!", "AAA=A", "A"])
    func aProtectedValueThatIsNoneIsNoticed(text: String) throws {
        let stream = try ProtectedStream(.none, key: SecretBytes(copying: [1]))
        var bytes = Array(text.utf8)
        #expect(bytes.withUnsafeMutableBytes { stream.open($0) } == 0)
        #expect(!stream.isSound)
    }

    @Test(arguments: [(.salsa20, 2), (.chaCha20, 3)] as [(ProtectedStream.Kind, UInt32)])
    func streamsHaveTheirNumbers(kind: ProtectedStream.Kind, number: UInt32) throws {
        #expect(try ProtectedStream.Kind(number: number) == kind)
        #expect(throws: KeePassError.self) { try ProtectedStream.Kind(number: 1) }
    }
}
