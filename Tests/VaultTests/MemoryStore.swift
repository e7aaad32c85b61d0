import KeywayCrypto

@testable import Vault

/// A store that holds its sealed bytes in memory, where a test can alter every one of them.
final class MemoryStore: SealedStore, SealedTransaction {
    struct Row: Equatable {
        var version: UInt64
        var summary: [UInt8]
        var body: [UInt8]
    }

    let place = "memory"
    var headerBytes: [UInt8]
    var manifestBytes: [UInt8]
    /// In the order in which they are read; an item can stand twice.
    var rows: [(item: ItemID, row: Row)] = []
    /// What there was when the open transaction began.
    private var before: (header: [UInt8], manifest: [UInt8], rows: [(item: ItemID, row: Row)])?
    /// Fails the write with this number from now on, counting from zero.
    var failingWrite: Int?

    init(header: [UInt8], manifest: [UInt8]) {
        headerBytes = header
        manifestBytes = manifest
    }

    /// A copy with the same content.
    init(_ other: MemoryStore) {
        (headerBytes, manifestBytes, rows) = (other.headerBytes, other.manifestBytes, other.rows)
    }

    func tidy() {}
    func header() -> [UInt8] { headerBytes }
    func manifest() -> [UInt8] { manifestBytes }

    func record(of item: ItemID) -> SealedRecord? {
        rows.first { $0.item == item }.map {
            SealedRecord(item: item, version: $0.row.version, summary: $0.row.summary, body: $0.row.body)
        }
    }

    func records(after item: ItemID?, limit: Int) -> [SealedRecord] {
        let places = rows.indices.sorted {
            rows[$0].item.bytes.lexicographicallyPrecedes(rows[$1].item.bytes)
        }
        let following = places.map { rows[$0] }.filter { row in
            item.map { $0.bytes.lexicographicallyPrecedes(row.item.bytes) } ?? true
        }
        return following.prefix(limit).map {
            SealedRecord(item: $0.item, version: $0.row.version, summary: $0.row.summary, body: $0.row.body)
        }
    }

    func replacement(of manifest: [UInt8], random: any RandomSource) throws(VaultError) -> any SealedReplacement {
        guard manifestBytes == manifest else { throw VaultError(.conflict, "test") }
        return MemoryReplacement(self)
    }

    func removeDrafts() {}

    func forEachSummary(
        newerThan version: UInt64, _ body: (ItemID, UInt64, UnsafeRawBufferPointer) throws(VaultError) -> Void
    ) throws(VaultError) {
        for (item, row) in rows where row.version > version {
            try row.summary.lend { (bytes) throws(VaultError) in try body(item, row.version, bytes) }
        }
    }

    func reading<Result>(_ body: () throws(VaultError) -> Result) throws(VaultError) -> Result { try body() }

    func transaction(replacing manifest: [UInt8]) throws(VaultError) -> any SealedTransaction {
        guard manifestBytes == manifest, before == nil else { throw VaultError(.conflict, "test") }
        before = (headerBytes, manifestBytes, rows)
        return self
    }

    func commit() { before = nil }

    func abandon() {
        if let before { (headerBytes, manifestBytes, rows) = before }
        before = nil
    }

    func put(_ record: SealedRecord) throws(VaultError) {
        try countWrite()
        rows.removeAll { $0.item == record.item }
        rows.append((record.item, Row(version: record.version, summary: record.summary, body: record.body)))
    }

    func remove(_ item: ItemID) throws(VaultError) {
        try countWrite()
        rows.removeAll { $0.item == item }
    }

    func put(manifest: [UInt8]) throws(VaultError) {
        try countWrite()
        manifestBytes = manifest
    }

    func put(header: [UInt8]) throws(VaultError) {
        try countWrite()
        headerBytes = header
    }

    func countWrite() throws(VaultError) {
        guard let left = failingWrite else { return }
        guard left > 0 else { throw VaultError(.storageFull, "test") }
        failingWrite = left - 1
    }
}

/// What is to be in a ``MemoryStore``.
private final class MemoryReplacement: SealedReplacement {
    private let store: MemoryStore
    private var rows: [(item: ItemID, row: MemoryStore.Row)] = []

    init(_ store: MemoryStore) { self.store = store }

    func put(_ record: SealedRecord) throws(VaultError) {
        try store.countWrite()
        rows.append(
            (record.item, MemoryStore.Row(version: record.version, summary: record.summary, body: record.body)))
    }

    func commit(header: [UInt8], manifest: [UInt8]) throws(VaultError) {
        try store.countWrite()
        (store.headerBytes, store.manifestBytes, store.rows) = (header, manifest, rows)
    }

    func abandon() {}
}
