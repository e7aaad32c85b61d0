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

    /// Seals one part of a file as this version.
    ///
    /// - Throws: what reading the content does.
    func seal(
        _ content: FileContent, _ file: FileHead, _ position: Int, of item: ItemID, version: UInt64
    ) throws(VaultError) -> SealedRecord {
        formatVersion = max(formatVersion, PartSummary.formatVersion)
        defer { buffer.removeAll() }
        let part = file.part(position, of: item)
        PartSummary(item: item, position: UInt32(position)).encode(into: buffer)
        buffer.pad()
        let summary = buffer.withUnsafeBytes { keys.sealSummary($0, of: part, version: version, random: random) }
        buffer.removeAll()
        let range = file.range(position)
        buffer.append(BodyTag.part)
        buffer.append(number: UInt32(range.count))
        try buffer.append(count: range.count) { (room) throws(VaultError) in
            try content.read(range.lowerBound, room)
        }
        buffer.pad()
        let body = buffer.withUnsafeBytes {
            keys.sealBody($0, of: part, version: version, summary: summary, random: random)
        }
        return SealedRecord(item: part, version: version, summary: summary, body: body)
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
