import KeywayCrypto

/// What the vault as a whole is: the number of its newest change, how many items it has, the hash over all of them, and
/// the header that belongs to it (`Docs/vault-format.md`, "Manifest").
struct Manifest: Equatable {
    /// Counts the changes of the vault; never goes back.
    var epoch: UInt64
    /// How many items there are.
    var count: UInt64
    /// Over (item, version, tag of the summary) of every item.
    var records: MultisetHash
    /// The code of the header, so that an older header cannot be put back alone.
    var headerCode: [UInt8]

    init(epoch: UInt64, count: UInt64, records: MultisetHash, headerCode: [UInt8]) {
        self.epoch = epoch
        self.count = count
        self.records = records
        self.headerCode = headerCode
    }

    init(_ bytes: UnsafeRawBufferPointer) throws(VaultError) {
        var reader = ByteReader(bytes, of: "manifest")
        epoch = try reader.number()
        count = try reader.number()
        records = MultisetHash(try reader.bytes(32))
        headerCode = Array(try reader.bytes(VaultHeader.codeCount))
        guard reader.rest.isEmpty else { throw VaultError(.damaged, "the manifest is too long") }
    }

    var bytes: [UInt8] {
        var bytes: [UInt8] = []
        bytes.append(number: epoch)
        bytes.append(number: count)
        return bytes + records.bytes + headerCode
    }
}
