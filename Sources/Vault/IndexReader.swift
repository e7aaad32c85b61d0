import KeywayCrypto

/// Opens all summaries of a store into a new index, and checks them against the manifest.
struct IndexReader {
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
        let plaintext = SecretBuffer(capacity: 1024)
        var context = keys.summaryContext()
        var records = MultisetHash()
        try store.forEachSummary(newerThan: 0) { (item, version, sealed) throws(VaultError) in
            let padded = sealed.count - SecretKey.sealOverhead
            guard SizeClass.contains(padded), version <= manifest.epoch, index.version(of: item) == nil else {
                throw VaultError(.damaged, "the summary of item \(item)")
            }
            try plaintext.append(count: padded) { (room) throws(VaultError) in
                _ = try keys.openSummary(sealed, of: item, version: version, context: &context, into: room)
            }
            try plaintext.withUnsafeBytes { (bytes) throws(VaultError) in
                try index.put(item, version: version, summary: bytes)
            }
            plaintext.removeAll()
            records.add(keys.element(of: item, version: version, summary: sealed))
        }
        guard UInt64(index.count) == manifest.count, records == manifest.records else {
            throw VaultError(
                .damaged, "items were dropped, added or replaced: \(index.count) are there of \(manifest.count)")
        }
        return index
    }
}
