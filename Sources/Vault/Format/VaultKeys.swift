import KeywayCrypto

/// The keys of an unlocked vault, each derived from the vault key for one purpose (`Docs/vault-format.md`, "Keys").
struct VaultKeys {
    private let vault: [UInt8]
    private let root: SecretKey
    let header: SecretKey
    private let summaries: SecretKey
    private let bodies: SecretKey
    private let manifest: SecretKey
    private let elements: SecretKey
    private let notes: SecretKey

    private enum Kind {
        static let summary: UInt8 = 2
        static let body: UInt8 = 3
        static let manifest: UInt8 = 4
        static let note: UInt8 = 5
    }

    init(_ root: SecretKey, of vault: VaultID) {
        self.root = root
        self.vault = vault.bytes
        header = root.derive(1, context: "KWVault1")
        summaries = root.derive(2, context: "KWVault1")
        bodies = root.derive(3, context: "KWVault1")
        manifest = root.derive(4, context: "KWVault1")
        elements = root.derive(5, context: "KWVault1")
        notes = root.derive(6, context: "KWVault1")
    }

    /// The vault key itself, to compare with what a slot holds.
    var rootBytes: SecretBytes { root.bytes }

    /// The vault key, for a copy of the same vault.
    var rootKey: SecretKey { root }

    // MARK: - Records

    /// What a summary is bound to. Made once for a walk over all; then only item and version are filled in.
    struct SummaryContext {
        fileprivate var bytes: [UInt8]
    }

    func summaryContext() -> SummaryContext {
        SummaryContext(bytes: vault + [Kind.summary] + [UInt8](repeating: 0, count: 24))
    }

    /// Opens a sealed summary into `plaintext`, which must have room, and returns its padded length.
    func openSummary(
        _ sealed: UnsafeRawBufferPointer, of item: ItemID, version: UInt64, context: inout SummaryContext,
        into plaintext: UnsafeMutableRawBufferPointer
    ) throws(VaultError) -> Int {
        Self.fill(&context.bytes, item, version)
        // `lend` would keep the type of the error, but this runs once for every item of the vault.
        let count = context.bytes.withUnsafeBytes { try? summaries.open(sealed, context: $0, into: plaintext) }
        guard let count else { throw VaultError(.damaged, "the summary of item \(item)") }
        return count
    }

    func sealSummary(
        _ padded: UnsafeRawBufferPointer, of item: ItemID, version: UInt64, random: any RandomSource
    ) -> [UInt8] {
        var context = summaryContext()
        Self.fill(&context.bytes, item, version)
        return context.bytes.withUnsafeBytes { summaries.seal(padded, context: $0, random: random) }
    }

    /// Opens a sealed body; the summary that belongs to it must have been opened before.
    func openBody(_ record: SealedRecord) throws(VaultError) -> SecretBytes {
        let context = bodyContext(record.item, record.version, record.summary)
        do {
            return try bodies.open(record.body, context: context)
        } catch {
            throw VaultError(.damaged, "the secrets of item \(record.item)")
        }
    }

    /// Opens a sealed body into `plaintext`, which must have room, and returns its padded length.
    func openBody(
        _ record: SealedRecord, into plaintext: UnsafeMutableRawBufferPointer
    ) throws(VaultError) -> Int {
        let context = bodyContext(record.item, record.version, record.summary)
        let count = context.withUnsafeBytes { context in
            record.body.withUnsafeBytes { try? bodies.open($0, context: context, into: plaintext) }
        }
        guard let count else { throw VaultError(.damaged, "the secrets of item \(record.item)") }
        return count
    }

    func sealBody(
        _ padded: UnsafeRawBufferPointer, of item: ItemID, version: UInt64, summary: [UInt8],
        random: any RandomSource
    ) -> [UInt8] {
        bodyContext(item, version, summary).withUnsafeBytes { bodies.seal(padded, context: $0, random: random) }
    }

    private func bodyContext(_ item: ItemID, _ version: UInt64, _ summary: [UInt8]) -> [UInt8] {
        var context = vault + [Kind.body] + [UInt8](repeating: 0, count: 24)
        Self.fill(&context, item, version)
        return context + summary.suffix(SecretKey.tagCount)
    }

    private static func fill(_ context: inout [UInt8], _ item: ItemID, _ version: UInt64) {
        context.withUnsafeMutableBytes { context in
            context.storeBytes(of: item.high.bigEndian, toByteOffset: 17, as: UInt64.self)
            context.storeBytes(of: item.low.bigEndian, toByteOffset: 25, as: UInt64.self)
            context.storeBytes(of: version.littleEndian, toByteOffset: 33, as: UInt64.self)
        }
    }

    /// The fields of a stored summary that this version does not know.
    func foreignFields(_ record: SealedRecord) throws(VaultError) -> [(tag: UInt8, bytes: [UInt8])] {
        let plaintext = SecretBuffer(capacity: record.summary.count)
        var context = summaryContext()
        try record.summary.lend { (sealed) throws(VaultError) in
            try plaintext.append(count: sealed.count - SecretKey.sealOverhead) { (room) throws(VaultError) in
                _ = try openSummary(
                    sealed, of: record.item, version: record.version, context: &context, into: room)
            }
        }
        return try plaintext.withUnsafeBytes { (bytes) throws(VaultError) in
            try SummaryParts(bytes).foreignFields()
        }
    }

    // MARK: - Manifest

    /// What one record adds to the hash over all of them.
    func element(of item: ItemID, version: UInt64, summary: UnsafeRawBufferPointer) -> MultisetHash {
        typealias Words = (UInt64, UInt64, UInt64, UInt64, UInt64)
        let tag = UnsafeRawBufferPointer(rebasing: summary.suffix(SecretKey.tagCount))
        // Numbers as the format stores them: identifier and tag as bytes, version little-endian.
        let message: Words = (
            item.high.bigEndian, item.low.bigEndian, version.littleEndian, tag.loadUnaligned(as: UInt64.self),
            tag.loadUnaligned(fromByteOffset: 8, as: UInt64.self)
        )
        var hash: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)
        return withUnsafeBytes(of: message) { message in
            withUnsafeMutableBytes(of: &hash) { hash in
                elements.hash(message, into: hash)
                return MultisetHash(UnsafeRawBufferPointer(hash))
            }
        }
    }

    /// What a whole record adds to it.
    func element(of record: SealedRecord) -> MultisetHash {
        record.summary.withUnsafeBytes { element(of: record.item, version: record.version, summary: $0) }
    }

    func seal(_ manifest: Manifest, random: any RandomSource) -> [UInt8] {
        self.manifest.seal(SecretBytes(copying: manifest.bytes), context: vault + [Kind.manifest], random: random)
    }

    // MARK: - Notes beside the vault

    func sealNote(_ note: SecretBytes, random: any RandomSource) -> [UInt8] {
        notes.seal(note, context: vault + [Kind.note], random: random)
    }

    func openNote(_ sealed: [UInt8]) throws(VaultError) -> SecretBytes {
        do {
            return try notes.open(sealed, context: vault + [Kind.note])
        } catch {
            throw VaultError(.damaged, "a note beside the vault")
        }
    }

    // MARK: - The state as a whole

    func openManifest(_ sealed: [UInt8]) throws(VaultError) -> Manifest {
        let opened: SecretBytes
        do {
            opened = try manifest.open(sealed, context: vault + [Kind.manifest])
        } catch {
            throw VaultError(.damaged, "the manifest")
        }
        return try opened.withUnsafeBytes { (bytes) throws(VaultError) in try Manifest(bytes) }
    }
}
