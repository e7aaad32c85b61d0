import FoundationEssentials
import KeywayCrypto
import Testing

@testable import Vault

/// T27, and the law of the header's reader: what it accepts, it writes back byte for byte.
@Suite struct HeaderTests {
    let key = SecretKey(random: TestRandom(seed: 2))
    let vault = VaultID(random: TestRandom(seed: 3))

    private func slot(memory: UInt32 = 64, passes: UInt32 = 3, algorithm: UInt8 = 1) throws -> PasswordSlot {
        var content = [algorithm]
        content.append(number: memory)
        content.append(number: passes)
        content += [UInt8](repeating: 7, count: 16 + 72)
        return try content.withUnsafeBytes { try PasswordSlot($0, of: vault) }
    }

    private func header(_ slots: VaultHeader.Slot...) -> [UInt8] {
        VaultHeader(vault: vault, slots: slots).bytes(under: key)
    }

    private func read(_ bytes: [UInt8]) throws -> VaultHeader {
        try bytes.withUnsafeBytes { try VaultHeader($0) }
    }

    /// With a checksum that is right, as somebody would write it who wants the change to go unnoticed.
    private func checked(_ bytes: [UInt8]) -> [UInt8] {
        let content = Array(bytes.dropLast(16))
        return content + content.withUnsafeBytes { Digest.blake2b($0, count: 16) }
    }

    private func open(_ header: [UInt8]) -> VaultError.Code? {
        let store = MemoryStore(header: header, manifest: [])
        return code { _ = try LockedVault(store, VaultEnvironment(epochs: TestEpochs())) }
    }

    @Test func writesBackWhatItReads() throws {
        let bytes = header(
            .password(try slot()), .foreign(kind: 9, content: [1, 2, 3]), .foreign(kind: 200, content: []))
        let read = try read(bytes)
        #expect(read.vault == vault && read.slots.count == 3)
        #expect(read.bytes(under: key) == bytes)
        #expect(VaultHeader.isAuthentic(bytes, under: key))
        #expect(!VaultHeader.isAuthentic(bytes, under: SecretKey(random: TestRandom(seed: 4))))
    }

    @Test(arguments: [(63, 3), (64, 2), (0, 0), (64, 0), (1, 1)] as [(UInt32, UInt32)])
    func refusesAWeakDerivationBeforeDeriving(memory: UInt32, passes: UInt32) throws {
        let weak = try slot(memory: memory, passes: passes)
        #expect(open(header(.password(weak))) == .weakDerivation)
        #expect(code { _ = try weak.open(secret("any")) } == .weakDerivation)
    }

    @Test(arguments: [(2049, 3), (64, 17), (.max, .max), (.max, 3)] as [(UInt32, UInt32)])
    func refusesAnExcessiveDerivationBeforeDeriving(memory: UInt32, passes: UInt32) throws {
        let excessive = try slot(memory: memory, passes: passes)
        #expect(open(header(.password(excessive))) == .excessiveDerivation)
        #expect(code { _ = try excessive.open(secret("any")) } == .excessiveDerivation)
    }

    @Test(arguments: [(64, 3), (256, 3), (2048, 16)] as [(UInt32, UInt32)])
    func acceptsWhatLiesBetween(memory: UInt32, passes: UInt32) throws {
        #expect(open(header(.password(try slot(memory: memory, passes: passes)))) == nil)
    }

    @Test(arguments: [0, 2, 3, 255] as [UInt8])
    func refusesAnUnknownDerivation(algorithm: UInt8) throws {
        #expect(open(header(.password(try slot(algorithm: algorithm)))) == .unsupported)
    }

    @Test(arguments: [0, 5, 255] as [UInt8])
    func refusesAnUnknownVersion(number: UInt8) throws {
        var bytes = header(.password(try slot()))
        bytes[8] = number
        #expect(open(checked(bytes)) == .unsupported)
        #expect(open(bytes) == .damaged, "by accident, as opposed to by intention")
    }

    @Test(arguments: [0, 2, 255] as [UInt8])
    func refusesAnUnknownSuite(number: UInt8) throws {
        var bytes = header(.password(try slot()))
        bytes[10] = number
        #expect(open(checked(bytes)) == .unsupported)
    }

    @Test func refusesAHeaderWithoutExactlyOnePasswordSlot() throws {
        #expect(open(header()) == .unsupported)
        #expect(open(header(.foreign(kind: 2, content: [1]))) == .unsupported)
        #expect(open(header(.password(try slot()), .password(try slot()))) == .unsupported)
    }

    @Test func refusesBytesBetweenSlotsAndCode() throws {
        let bytes = header(.password(try slot()))
        let longer = bytes.dropLast(48) + [0] + bytes.suffix(48)
        #expect(open(checked(Array(longer))) == .damaged)
        let shorter = bytes.dropLast(49) + bytes.suffix(48)
        #expect(open(checked(Array(shorter))) == .damaged)
    }

    @Test func survivesEveryByteSequenceNearAHeader() throws {
        let bytes = header(.password(try slot()), .foreign(kind: 9, content: [1, 2, 3]))
        let random = TestRandom(seed: 77)
        for round in 0..<3000 {
            var changed = bytes
            for _ in 0...round % 4 {
                let place = Int(random.number(below: UInt32(changed.count)))
                switch random.number(below: 3) {
                case 0: changed[place] = UInt8(truncatingIfNeeded: random.number(below: 256))
                case 1: changed.remove(at: place)
                default: changed.insert(0xff, at: place)
                }
            }
            changed = checked(changed)
            if let read = try? read(changed) {
                #expect(read.bytes(under: key).dropLast(48) == changed.dropLast(48))
            }
        }
    }

    @Test func tellsAWrongPasswordFromAChangedSlot() throws {
        let (_, store) = try TamperingTests.emptyStoreWithPassword()
        let environment = VaultEnvironment(epochs: TestEpochs())
        let original = store.headerBytes
        // The salt, and the sealed key, by somebody who corrects the checksum: the password no longer opens it.
        for place in [28 + 3 + 9, 28 + 3 + 9 + 16 + 30] {
            store.headerBytes = original
            store.headerBytes[place] ^= 1
            #expect(code { _ = try LockedVault(store, environment) } == .damaged)
            store.headerBytes = checked(store.headerBytes)
            #expect(code { _ = try LockedVault(store, environment).unlock(password: secret("old")) } == .wrongPassword)
        }
        // A weaker cost that is still allowed: bound to the sealed key, so it opens nothing.
        store.headerBytes = original
        store.headerBytes[28 + 3 + 1] += 1
        store.headerBytes = checked(store.headerBytes)
        #expect(code { _ = try LockedVault(store, environment).unlock(password: secret("old")) } == .wrongPassword)
    }

    @Test func refusesASlotOfAnotherKindThatSomebodyAdded() throws {
        let (_, store) = try TamperingTests.emptyStoreWithPassword()
        var header = try read(store.headerBytes)
        header.slots.append(.foreign(kind: 2, content: [1, 2, 3]))
        store.headerBytes = header.bytes(under: key)
        let environment = VaultEnvironment(epochs: TestEpochs())
        #expect(code { _ = try LockedVault(store, environment).unlock(password: secret("old")) } == .damaged)
    }

    /// The key behind them would open nothing any more, and nobody would notice until it is needed.
    @Test func refusesANewPasswordWhereThereAreOtherWaysToTheKey() throws {
        let (key, store) = try TamperingTests.emptyStoreWithPassword()
        let environment = VaultEnvironment(epochs: TestEpochs())
        // As a newer version would write it.
        let keys = VaultKeys(key, of: try read(store.headerBytes).vault)
        var header = try read(store.headerBytes)
        header.slots.append(.foreign(kind: 2, content: [1, 2, 3]))
        store.headerBytes = header.bytes(under: keys.header)
        let manifest = Manifest(
            epoch: 1, count: 0, records: MultisetHash(), headerCode: VaultHeader.code(store.headerBytes))
        store.manifestBytes = keys.seal(manifest, random: TestRandom())
        let vault = try LockedVault(store, environment).unlock(password: secret("old"))
        #expect(code { try vault.changeMasterPassword(old: secret("old"), new: secret("new")) } == .unsupported)
        #expect(try read(store.headerBytes).slots.last == .foreign(kind: 2, content: [1, 2, 3]))
        #expect(try LockedVault(store, environment).unlock(password: secret("old")).count == 0)
    }
}
