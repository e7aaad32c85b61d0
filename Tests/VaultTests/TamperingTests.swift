import ClockTestSupport
import FoundationEssentials
import KeywayCrypto
import Testing

@testable import Vault

/// T25: whatever is done to the stored bytes, either the vault is refused as damaged, or it shows what was written.
@Suite struct TamperingTests {
    let environment = VaultEnvironment(
        epochs: TestEpochs(), random: TestRandom(seed: 9), clock: ManualClock.ofVectors())
    let key: SecretKey
    let store: MemoryStore
    let items: [ItemID]

    init() throws {
        (key, store) = Self.emptyStore(seed: 3)
        let vault = try LockedVault(store, environment).unlock(with: key)
        items = try vault.add([Self.draft("first"), Self.draft("second"), Self.draft("third")])
    }

    static func emptyStore(seed: UInt64) -> (SecretKey, MemoryStore) {
        let random = TestRandom(seed: seed)
        let key = SecretKey(random: random)
        let (header, manifest) = TestVault.empty(key, random)
        return (key, MemoryStore(header: header, manifest: manifest))
    }

    static func draft(_ name: String) -> ItemDraft {
        ItemDraft(title: name, userName: "user", password: secret("password of \(name)"), notes: secret("notes"))
    }

    /// What happens with an altered store: nil when it shows exactly what was written.
    private func refusal(_ store: MemoryStore, key: SecretKey? = nil) -> VaultError.Code? {
        code {
            let vault = try LockedVault(store, environment).unlock(with: key ?? self.key)
            try vault.verify()
            try #require(try vault.count == 3)
            for (item, name) in zip(items, ["first", "second", "third"]) {
                #expect(try vault.summary(of: item).title == name)
                #expect(try vault.password(of: item) == secret("password of \(name)"))
            }
        }
    }

    private func altered(_ change: (MemoryStore) -> Void) -> VaultError.Code? {
        let copy = MemoryStore(store)
        change(copy)
        return refusal(copy)
    }

    @Test func showsWhatWasWrittenWhenNothingWasDone() {
        #expect(altered { _ in } == nil)
        #expect(altered { $0.rows.reverse() } == nil, "the order of rows has no meaning")
    }

    @Test func confirmsNoChangeOnceTheHeaderWasAltered() throws {
        let vault = try LockedVault(store, environment).unlock(with: key)
        let manifest = store.manifestBytes
        store.headerBytes[30] ^= 1
        #expect(code { try vault.add(Self.draft("fourth")) } == .damaged)
        #expect(store.manifestBytes == manifest && store.rows.count == 3)
        store.headerBytes[30] ^= 1
        #expect(code { try vault.add(Self.draft("fourth")) } == nil)
    }

    @Test func refusesEveryFlippedBit() {
        func flipAll(_ bytes: WritableKeyPath<MemoryStore, [UInt8]>, _ name: String) {
            for bit in 0..<store[keyPath: bytes].count * 8 {
                let found = altered { (store: MemoryStore) in
                    var store = store
                    store[keyPath: bytes][bit / 8] ^= 1 << (bit % 8)
                }
                #expect(found == .damaged, "\(name), bit \(bit)")
            }
        }
        flipAll(\.headerBytes, "header")
        flipAll(\.manifestBytes, "manifest")
        flipAll(\.rows[1].row.summary, "summary")
        flipAll(\.rows[1].row.body, "body")
    }

    @Test func refusesEveryFlippedBitOfVersionAndName() throws {
        for bit in 0..<64 {
            #expect(altered { $0.rows[1].row.version ^= 1 << bit } == .damaged, "version, bit \(bit)")
        }
        for bit in 0..<128 {
            var name = items[1].bytes
            name[bit / 8] ^= 1 << (bit % 8)
            let other = name.withUnsafeBytes { ItemID(sixteen: $0) }
            #expect(altered { $0.rows[1].item = other } == .damaged, "name, bit \(bit)")
        }
    }

    @Test func refusesEveryTruncation() {
        func cutAll(_ bytes: WritableKeyPath<MemoryStore, [UInt8]>, _ name: String) {
            for count in 0..<store[keyPath: bytes].count {
                let found = altered { (store: MemoryStore) in
                    var store = store
                    store[keyPath: bytes].removeLast(store[keyPath: bytes].count - count)
                }
                #expect(found == .damaged, "\(name) cut to \(count)")
            }
        }
        cutAll(\.headerBytes, "header")
        cutAll(\.manifestBytes, "manifest")
        cutAll(\.rows[1].row.summary, "summary")
        cutAll(\.rows[1].row.body, "body")
    }

    @Test func refusesExchangedParts() {
        func exchange(_ part: WritableKeyPath<MemoryStore.Row, [UInt8]>) -> VaultError.Code? {
            altered { store in
                let kept = store.rows[0].row[keyPath: part]
                store.rows[0].row[keyPath: part] = store.rows[1].row[keyPath: part]
                store.rows[1].row[keyPath: part] = kept
            }
        }
        #expect(exchange(\.summary) == .damaged)
        #expect(exchange(\.body) == .damaged)
        #expect(
            altered { store in (store.rows[0].row, store.rows[1].row) = (store.rows[1].row, store.rows[0].row) }
                == .damaged)
        #expect(altered { $0.rows[0].row.body = $0.rows[0].row.summary } == .damaged)
        #expect(altered { $0.rows[0].row.summary = $0.rows[0].row.body } == .damaged)
    }

    @Test func refusesDroppedAndRepeatedItems() {
        #expect(altered { $0.rows.remove(at: 1) } == .damaged)
        #expect(altered { $0.rows.removeAll() } == .damaged)
        #expect(altered { $0.rows.append($0.rows[0]) } == .damaged)
        #expect(altered { $0.rows[2] = $0.rows[0] } == .damaged)
    }

    @Test func refusesAnOlderStateOfOnePart() throws {
        let old = MemoryStore(store)
        let vault = try LockedVault(store, environment).unlock(with: key)
        try vault.edit(items[0], ItemChanges(password: secret("newer")))
        #expect(altered { $0.rows[$0.rows.count - 1] = old.rows[0] } == .damaged, "a replayed item")
        #expect(altered { $0.rows[$0.rows.count - 1].row.body = old.rows[0].row.body } == .damaged)
        #expect(altered { $0.manifestBytes = old.manifestBytes } == .damaged, "a replayed manifest")
        #expect(altered { $0.rows = old.rows } == .damaged)
    }

    @Test func refusesAnOlderHeaderAlone() throws {
        let (key, store) = try Self.emptyStoreWithPassword()
        let old = store.headerBytes
        // The same key under another password: what a change was before it brought a new key.
        var header = try old.lend { (bytes) throws(VaultError) in try VaultHeader(bytes) }
        header.replacePasswordSlot(
            try PasswordSlot(
                sealing: key, of: header.vault, password: secret("new"), derivation: .floor, random: TestRandom()))
        let keys = VaultKeys(key, of: header.vault)
        let current = header.bytes(under: keys.header)
        store.manifestBytes = keys.seal(
            Manifest(epoch: 2, count: 0, records: MultisetHash(), headerCode: VaultHeader.code(current)),
            random: TestRandom())
        store.headerBytes = old
        #expect(code { _ = try LockedVault(store, environment).unlock(password: secret("old")) } == .damaged)
        store.headerBytes = current
        #expect(try LockedVault(store, environment).unlock(password: secret("new")).count == 0)
    }

    static func emptyStoreWithPassword() throws -> (SecretKey, MemoryStore) {
        let random = TestRandom(seed: 4)
        let (key, vault) = (SecretKey(random: random), VaultID(random: random))
        let slot = try PasswordSlot(
            sealing: key, of: vault, password: secret("old"), derivation: .floor, random: random)
        let (header, manifest) = Vault.seal(vault, key, slot, random)
        return (key, MemoryStore(header: header, manifest: manifest))
    }

    @Test func refusesItemsOfAnotherVault() throws {
        let (otherKey, other) = Self.emptyStore(seed: 8)
        let vault = try LockedVault(other, environment).unlock(with: otherKey)
        try vault.add([Self.draft("first"), Self.draft("second"), Self.draft("third")])
        #expect(altered { $0.rows[0] = other.rows[0] } == .damaged)
        #expect(altered { $0.rows.append(other.rows[0]) } == .damaged)
        #expect(altered { $0.manifestBytes = other.manifestBytes } == .damaged)
        #expect(altered { $0.headerBytes = other.headerBytes } == .damaged)
    }

    @Test func refusesARecordThatChangedSinceTheUnlock() throws {
        let vault = try LockedVault(store, environment).unlock(with: key)
        let old = MemoryStore(store)
        try vault.edit(items[0], ItemChanges(password: secret("newer")))
        store.rows = old.rows
        #expect(code { _ = try vault.password(of: items[0]) } == .damaged)
        #expect(code { try vault.edit(items[0], ItemChanges(title: "other")) } == .damaged)
        #expect(code { try vault.remove(items[0]) } == .damaged)
        #expect(try vault.password(of: items[1]) == secret("password of second"))
    }

    @Test func changesNothingWhenAWriteFails() throws {
        let vault = try LockedVault(store, environment).unlock(with: key)
        for write in 0..<2 {
            let before = MemoryStore(store)
            store.failingWrite = write
            #expect(code { try vault.add(Self.draft("fourth")) } == .storageFull)
            #expect(code { try vault.edit(items[0], ItemChanges(title: "other")) } == .storageFull)
            #expect(code { try vault.remove(items[0]) } == .storageFull)
            #expect(store.manifestBytes == before.manifestBytes)
            store.failingWrite = nil
            #expect(refusal(store) == nil)
            #expect(try vault.summary(of: items[0]).title == "first", "the index is as it was too")
            #expect(try vault.count == 3)
        }
        try vault.add(Self.draft("fourth"))
        #expect(try vault.count == 4)
    }
}
