import KeywayCrypto
import OtherCiphers
import Testing

@testable import KeePassDatabases

/// Files that somebody made to harm: each ends in an error, and none takes much memory or time.
@Suite("hostile databases")
struct HostileDatabaseTests {
    private func code(_ body: () throws -> Void) -> KeePassError.Code? {
        #expect(throws: KeePassError.self, performing: body)?.code
    }

    private static func header(_ derivation: VariantDictionary) -> [UInt8] {
        var header = KeePassHeader.mark + UInt32(4 << 16).littleEndianBytes
        let fields: [(KeePassHeader.Field, [UInt8])] = [
            (.cipher, KeePassCipher.aes.identifier), (.packing, UInt32(1).littleEndianBytes),
            (.seed, [UInt8](repeating: 1, count: 32)), (.vector, [UInt8](repeating: 1, count: 16)),
            (.derivation, derivation.encoded), (.end, []),
        ]
        for (field, value) in fields { header += [field.rawValue] + UInt32(value.count).littleEndianBytes + value }
        return header + Digest.sha256(header) + [UInt8](repeating: 0, count: 32)
    }

    private static func argon2(
        memory: UInt64, passes: UInt64, lanes: UInt32 = 1, version: UInt32 = 0x13
    ) -> VariantDictionary {
        var parameters = KeePassDerivation.argon2(Databases.cheap, salt: [], secret: [], data: []).parameters
        let identifier = parameters["$UUID", .bytes] ?? []
        parameters = VariantDictionary()
        parameters.add("$UUID", .bytes, identifier)
        parameters.add("S", .bytes, [UInt8](repeating: 1, count: 32))
        parameters.add("M", .uint64, memory.littleEndianBytes)
        parameters.add("I", .uint64, passes.littleEndianBytes)
        parameters.add("P", .uint32, lanes.littleEndianBytes)
        parameters.add("V", .uint32, version.littleEndianBytes)
        return parameters
    }

    // MARK: - Derivations

    @Test(
        arguments: [
            ((1 << 30) + 1024, 1), (1 << 40, 1), (UInt64.max, 1), (1 << 30, 13), (1 << 20, UInt64.max),
            (1 << 20, 1 << 40), (UInt64.max, UInt64.max),
        ] as [(UInt64, UInt64)])
    func aKeyThatTakesTooMuchIsNotComputed(memory: UInt64, passes: UInt64) {
        let bytes = Self.header(Self.argon2(memory: memory, passes: passes))
        #expect(
            code { _ = try Databases.open(bytes) { $0.derivation.memory = DerivationLimits.mostMemory } } == .tooCostly)
    }

    @Test func aKeyThatTakesMuchMemoryIsForThePersonToAllow() throws {
        let argon2 = Argon2(.d, memory: 16 << 10, passes: 1, lanes: 1)
        let bytes = try Databases.four(.aes, argon2)
        let error = #expect(throws: KeePassError.self) {
            try Databases.open(bytes) { $0.derivation.memory = (16 << 20) - 1024 }
        }
        #expect(error?.code == .needsMemory)
        #expect(error?.memory == 16 << 20)
        #expect(try Databases.open(bytes) { $0.derivation.memory = 16 << 20 }.contains("Value"))
    }

    @Test func above256MiBThePersonIsAsked() {
        let bytes = Self.header(Self.argon2(memory: 257 << 20, passes: 1))
        let error = #expect(throws: KeePassError.self) { try Databases.open(bytes) }
        #expect(error?.code == .needsMemory)
        #expect(error?.memory == 257 << 20)
    }

    @Test(arguments: [200_000_001, 1 << 40, UInt64.max])
    func moreRoundsOfAESThanAreDoneAreRefused(rounds: UInt64) {
        let parameters = KeePassDerivation.aes(seed: [UInt8](repeating: 1, count: 32), rounds: rounds).parameters
        #expect(code { _ = try Databases.open(Self.header(parameters)) } == .tooCostly)
    }

    /// Limits that are low enough to compute what lies beyond them.
    @Test func eachKindOfWorkHasItsCap() throws {
        let four = try Databases.four(.aes, Argon2(.d, memory: 1024, passes: 3, lanes: 1))
        #expect(code { _ = try Databases.open(four) { $0.derivation.mostWork = 3071 } } == .tooCostly)
        #expect(try Databases.open(four) { $0.derivation.mostWork = 3072 }.contains("Value"))
        let three = try Databases.three(content: [1], rounds: 1000)
        #expect(code { _ = try Databases.open(three) { $0.derivation.mostRounds = 999 } } == .tooCostly)
        #expect(try Databases.open(three) { $0.derivation.mostRounds = 1000 }.utf8.count == 1)
    }

    @Test func version3HasTheSameCapOfRounds() throws {
        var bytes = try Databases.three(content: [1])
        let field: [UInt8] = [KeePassHeader.Field.transformRounds.rawValue, 8, 0, 2, 0, 0, 0, 0, 0, 0, 0]
        let place = try #require((0..<bytes.count).first { bytes[$0...].starts(with: field) })
        bytes[place + 9] = 1
        #expect(code { _ = try Databases.open(bytes) } == .tooCostly)
    }

    @Test(arguments: [
        (argon2(memory: 1 << 20, passes: 0), KeePassError.Code.damaged),
        (argon2(memory: 0, passes: 1), .damaged), (argon2(memory: 8192, passes: 1, lanes: 0), .damaged),
        (argon2(memory: 8192, passes: 1, lanes: .max), .damaged),
        (argon2(memory: 8192, passes: 1, version: 0x10), .unsupported), (VariantDictionary(), .damaged),
    ])
    func aDerivationThatIsNoneIsRefused(parameters: VariantDictionary, code: KeePassError.Code) {
        #expect(self.code { _ = try Databases.open(Self.header(parameters)) } == code)
    }

    @Test func anUnknownDerivationIsUnsupported() {
        var parameters = VariantDictionary()
        parameters.add("$UUID", .bytes, [UInt8](repeating: 1, count: 16))
        #expect(code { _ = try Databases.open(Self.header(parameters)) } == .unsupported)
    }

    // MARK: - Damage

    @Test(arguments: 0..<100)
    func aTruncatedDatabaseIsRefused(percent: Int) throws {
        let content = Array(repeating: UInt8(ascii: "x"), count: 5000)
        for bytes in [
            try Databases.four(), try Databases.four(.chaCha20), try Databases.three(content: content),
            try Databases.three(.twofish, content: content, isPacked: false),
        ] {
            let cut = Array(bytes[..<(bytes.count * percent / 100)])
            // Of version 3, nothing authenticates what is missing; but its end is.
            #expect(code { _ = try Databases.open(cut) } == .damaged)
        }
    }

    @Test func everyBitOfVersion4IsAuthenticated() throws {
        let bytes = try Databases.four()
        for index in bytes.indices {
            var changed = bytes
            changed[index] ^= 1 << UInt8(index % 8)
            #expect(throws: KeePassError.self, "byte \(index)") { try Databases.open(changed) }
        }
    }

    @Test func noBitOfVersion3CrashesTheReader() throws {
        let bytes = try Databases.three(content: Array("<KeePassFile/>".utf8))
        for index in bytes.indices {
            var changed = bytes
            changed[index] ^= 1 << UInt8(index % 8)
            _ = try? Databases.open(changed) { $0.derivation.mostRounds = 1000 }
        }
    }

    @Test func aBlockThatWasChangedIsNotDecrypted() throws {
        var bytes = try Databases.four(.chaCha20)
        // Behind it stand the code and the length of the empty block at the end.
        bytes[bytes.count - 37] ^= 1
        let error = #expect(throws: KeePassError.self) { try Databases.open(bytes) }
        #expect(error?.detail == "block 1 of the database is damaged")
    }

    @Test func aHeaderThatWasChangedIsToldFromAnotherKey() throws {
        var bytes = try Databases.four()
        bytes[40] ^= 1
        let damaged = bytes
        #expect([.damaged, .unsupported].contains(code { _ = try Databases.open(damaged) }))
        #expect(
            code { _ = try Databases.open(Databases.four(), key: Databases.key(SecretBytes(copying: [1]))) }
                == .wrongKey)
    }

    @Test func aBlockOfVersion3ThatWasChangedIsRefused() throws {
        let bytes = try Databases.three(content: Array("<KeePassFile/>".utf8), isPacked: false) { content in
            var blocks = Databases.hashedBlocks(content)
            blocks[42] ^= 1
            return blocks
        }
        let error = #expect(throws: KeePassError.self) { try Databases.open(bytes) }
        #expect(error?.detail == "block 1 of the database is damaged")
    }

    @Test func aBlockOfVersion3ThatIsMissingIsNoticed() throws {
        let bytes = try Databases.three(content: Array("<KeePassFile/>".utf8), isPacked: false) { content in
            Array(Databases.hashedBlocks(content)[(40 + content.count / 2)...])
        }
        let error = #expect(throws: KeePassError.self) { try Databases.open(bytes) }
        #expect(error?.detail == "a block of the database is missing")
    }

    @Test(arguments: [UInt32.max, UInt32(Int32.max), 1 << 30])
    func aBlockThatSaysToBeOfGiBTakesNoMemory(size: UInt32) throws {
        var four = try Databases.four(.chaCha20)
        let start = four.count - 36 - 4 - 1
        // Wherever the length of the first block stands: behind header, hash, code, and the block's own code.
        let reader = try four.withUnsafeBytes { bytes in
            var reader = ByteReader(bytes)
            _ = try KeePassHeader(&reader)
            return reader.position + 96
        }
        #expect(reader < start)
        four.replaceSubrange(reader..<reader + 4, with: size.littleEndianBytes)
        let changed = four
        #expect(code { _ = try Databases.open(changed) } == .damaged)
        let three = try Databases.three(content: [1, 2, 3], isPacked: false) { content in
            UInt32(0).littleEndianBytes + Digest.sha256(content) + size.littleEndianBytes + content
        }
        #expect(code { _ = try Databases.open(three) } == .damaged)
    }

    @Test func aFieldOfTheHeaderThatSaysToBeOfGiBIsRefused() {
        let bytes = KeePassHeader.mark + UInt32(4 << 16).littleEndianBytes + [2] + UInt32.max.littleEndianBytes
        #expect(code { _ = try Databases.open(bytes) } == .tooLarge)
    }

    @Test func aFieldThatStandsTwiceIsRefused() throws {
        let bytes = try Databases.sealed(
            header: { header in
                header.insert(contentsOf: [3] + UInt32(4).littleEndianBytes + UInt32(0).littleEndianBytes, at: 12)
            }, content: Databases.innerHeader())
        #expect(code { _ = try Databases.open(bytes) } == .damaged)
    }

    @Test func whatFollowsTheEndIsRefused() throws {
        let bytes = try Databases.four() + [0]
        #expect(code { _ = try Databases.open(bytes) } == .damaged)
    }

    // MARK: - Bombs

    @Test func aBombIsRefusedWhereItsCapIs() throws {
        let content = Databases.innerHeader() + [UInt8](repeating: UInt8(ascii: "x"), count: 4 << 20)
        let bytes = try Databases.sealed(content: content)
        #expect(bytes.count < 8192)
        #expect(code { _ = try Databases.open(bytes) { $0.mostUnpacked = 1 << 20 } } == .tooLarge)
        #expect(code { _ = try Databases.open(bytes) { $0.longestDocument = 1 << 20 } } == .tooLarge)
        #expect(try Databases.open(bytes).utf8.count == 4 << 20)
    }

    @Test func filesThatAreNotTakenCountForTheCap() throws {
        let bytes = try Databases.sealed(content: Databases.innerHeader(files: [4 << 20]) + [0x3C])
        #expect(code { _ = try Databases.open(bytes) { $0.mostUnpacked = 1 << 20 } } == .tooLarge)
    }

    @Test func anItemOfTheInnerHeaderThatIsTooLongIsRefused() throws {
        let content: [UInt8] = [2] + UInt32.max.littleEndianBytes + [UInt8](repeating: 0, count: 100)
        #expect(code { _ = try Databases.open(Databases.sealed(content: content)) } == .damaged)
    }

    @Test(arguments: [0, 3, 10, 50, 75])
    func aCutInnerHeaderIsRefused(count: Int) throws {
        let content = Array(Databases.innerHeader()[..<count])
        #expect(code { _ = try Databases.open(Databases.sealed(content: content)) } == .damaged)
    }

    // MARK: - What is another format

    @Test(arguments: [
        (KeePassHeader.formerMark, KeePassError.Code.unsupported), (KeePassHeader.mark + [0, 0, 5, 0], .unsupported),
        (KeePassHeader.mark + [0, 0, 2, 0], .unsupported), (KeePassHeader.mark, .damaged), ([], .damaged),
        ([UInt8](repeating: 0, count: 100), .damaged),
    ])
    func otherVersionsAreUnsupported(bytes: [UInt8], code: KeePassError.Code) {
        #expect(self.code { _ = try Databases.open(bytes) } == code)
    }

    @Test func anUnknownCipherIsUnsupported() throws {
        let bytes = try Databases.sealed(header: { $0[17] ^= 1 }, content: Databases.innerHeader())
        #expect(code { _ = try Databases.open(bytes) } == .unsupported)
    }
}
