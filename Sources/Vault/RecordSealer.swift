import KeywayCrypto

/// Makes sealed records out of items: writes the fields of both halves into secret memory, pads and seals them.
final class RecordSealer {
    private let keys: VaultKeys
    let random: any RandomSource
    private let buffer = SecretBuffer(capacity: 4096)
    /// The summary's fields of the newest record, without padding: what the index takes.
    private(set) var fields: [UInt8] = []
    /// The oldest version of the format that can hold all records that were made.
    private(set) var formatVersion = VaultHeader.versions.lowerBound

    init(_ keys: VaultKeys, _ random: any RandomSource) {
        self.keys = keys
        self.random = random
    }

    /// Seals one item as this version.
    ///
    /// - Throws: `invalid` when the title is empty or the item is larger than can be stored.
    func seal(
        _ summary: ItemSummary, version: UInt64, keeping foreign: [(tag: UInt8, bytes: [UInt8])] = [],
        _ body: (SecretBuffer) throws(VaultError) -> Void
    ) throws(VaultError) -> SealedRecord {
        guard summary.title.contains(where: { !$0.isWhitespace }) else {
            throw VaultError(.invalid, "the item has no title")
        }
        try summary.passkey?.check()
        formatVersion = max(formatVersion, summary.formatVersion)
        defer { buffer.removeAll() }
        summary.encode(into: buffer, keeping: foreign)
        try checkSize("summary")
        fields = buffer.withUnsafeBytes { Array($0) }
        buffer.pad()
        let sealedSummary = buffer.withUnsafeBytes {
            keys.sealSummary($0, of: summary.id, version: version, random: random)
        }
        buffer.removeAll()
        try body(buffer)
        try checkSize("body")
        buffer.pad()
        let sealedBody = buffer.withUnsafeBytes {
            keys.sealBody($0, of: summary.id, version: version, summary: sealedSummary, random: random)
        }
        return SealedRecord(item: summary.id, version: version, summary: sealedSummary, body: sealedBody)
    }

    /// What a record adds to the hash over all of them.
    func element(of record: SealedRecord) -> MultisetHash {
        keys.element(of: record)
    }

    private func checkSize(_ half: String) throws(VaultError) {
        guard buffer.count <= SizeClass.maximum else {
            throw VaultError(.invalid, "the \(half) of the item has \(buffer.count) bytes")
        }
    }
}
