import KeywayCrypto

/// Opens records under one set of keys and seals them under another, one at a time, in secret memory that is lent to it.
struct Resealer {
    /// Halves of up to this size are opened in one place; nearly all are 256 or 512 bytes long.
    static let scratchCount = 1 << 16
    let former: VaultKeys
    let keys: VaultKeys
    let random: any RandomSource

    /// The same item, in the same version, under the other keys.
    ///
    /// - Throws: `damaged` when either half is not as it was written.
    func reseal(
        _ record: SealedRecord, _ scratch: UnsafeMutableRawBufferPointer
    ) throws(VaultError) -> SealedRecord {
        let halves = (
            record.summary.count - SecretKey.sealOverhead, record.body.count - SecretKey.sealOverhead
        )
        guard SizeClass.contains(halves.0), SizeClass.contains(halves.1) else {
            throw VaultError(.damaged, "the record of item \(record.item)")
        }
        guard max(halves.0, halves.1) <= scratch.count else {
            return try withSecretScratch(count: max(halves.0, halves.1)) { (scratch) throws(VaultError) in
                try reseal(record, scratch)
            }
        }
        let summary = try resealSummary(record, scratch)
        let count = try former.openBody(record, into: scratch)
        let body = keys.sealBody(
            UnsafeRawBufferPointer(rebasing: scratch[..<count]), of: record.item, version: record.version,
            summary: summary, random: random)
        return SealedRecord(item: record.item, version: record.version, summary: summary, body: body)
    }

    private func resealSummary(
        _ record: SealedRecord, _ scratch: UnsafeMutableRawBufferPointer
    ) throws(VaultError) -> [UInt8] {
        var context = former.summaryContext()
        let count = try record.summary.lend { (sealed) throws(VaultError) in
            try former.openSummary(
                sealed, of: record.item, version: record.version, context: &context, into: scratch)
        }
        return keys.sealSummary(
            UnsafeRawBufferPointer(rebasing: scratch[..<count]), of: record.item, version: record.version,
            random: random)
    }
}
