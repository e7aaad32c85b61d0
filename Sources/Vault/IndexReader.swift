import KeywayCrypto

/// Opens all summaries of a store into a new index, and checks them against the manifest.
struct IndexReader {
    /// Summaries of up to this size are opened in one place; nearly all are 256 bytes long.
    private static let scratchCount = 1 << 16
    private let keys: VaultKeys
    private let manifest: Manifest

    init(_ keys: VaultKeys, _ manifest: Manifest) {
        self.keys = keys
        self.manifest = manifest
    }

    /// Reads everything, or throws `damaged` and shows nothing.
    func read(_ store: any SealedStore) throws(VaultError) -> SearchIndex {
        // The count is authenticated, but memory is only set aside for what can be there.
        let index = SearchIndex(capacity: Int(min(manifest.count, 1 << 20)))
        let records = try withSecretScratch(count: Self.scratchCount) { (scratch) throws(VaultError) in
            try read(store, into: index, scratch)
        }
        guard UInt64(index.recordCount) == manifest.count, records == manifest.records else {
            throw VaultError(
                .damaged,
                "items were dropped, added or replaced: \(index.recordCount) are there of \(manifest.count)")
        }
        return index
    }

    /// The hash over all records that were read.
    private func read(
        _ store: any SealedStore, into index: SearchIndex, _ scratch: UnsafeMutableRawBufferPointer
    ) throws(VaultError) -> MultisetHash {
        var context = keys.summaryContext()
        var records = MultisetHash()
        try store.forEachSummary(newerThan: 0) { (item, version, sealed) throws(VaultError) in
            let padded = sealed.count - SecretKey.sealOverhead
            guard SizeClass.contains(padded), version <= manifest.epoch else {
                throw VaultError(.damaged, "the summary of item \(item)")
            }
            if padded <= scratch.count {
                try open(sealed, item, version, &context, into: index, scratch)
            } else {
                try withSecretScratch(count: padded) { (scratch) throws(VaultError) in
                    try open(sealed, item, version, &context, into: index, scratch)
                }
            }
            records.add(keys.element(of: item, version: version, summary: sealed))
        }
        return records
    }

    @inline(__always)
    private func open(
        _ sealed: UnsafeRawBufferPointer, _ item: ItemID, _ version: UInt64,
        _ context: inout VaultKeys.SummaryContext, into index: SearchIndex, _ scratch: UnsafeMutableRawBufferPointer
    ) throws(VaultError) {
        let count = try keys.openSummary(sealed, of: item, version: version, context: &context, into: scratch)
        let summary = UnsafeRawBufferPointer(UnsafeMutableRawBufferPointer(rebasing: scratch[..<count]))
        if summary.first == SummaryTag.part {
            _ = try PartSummary(summary)
            try index.addPart(item, version: version)
        } else {
            try index.add(item, version: version, summary: summary)
        }
    }
}
