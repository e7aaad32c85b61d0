import KeywayCrypto

/// What may be known of a file that is attached to an item without opening a secret.
package struct FileHead: Sendable, Equatable {
    /// The number of its section.
    package let number: UInt16
    /// Its name; a label, never a path.
    package let name: String
    /// What it is (RFC 6838); empty where nobody said.
    package let mediaType: String
    /// How many bytes are in it.
    package let size: Int
    /// What the names of its parts are made from, 16 random bytes; nil for a file that lies in the body of its item, as
    /// version 3 stored them.
    let seed: [UInt8]?

    /// The member of its section that holds the seed.
    package static let seedMember = "keyway.parts"
    /// The member that holds the SHA-256 of what is in it.
    package static let hashMember = "integrityHash"
    /// How long a seed is.
    static let seedCount = 16
    /// How many bytes of a file a part has; the last one has what is left. With its field's head it fills one size class.
    package static let partSize = 1 << 20 - 5

    /// The file that a section is; nil for another section, and for one that can't be read.
    package init?(_ head: SectionHead) {
        guard head.type == .file, let name = head.text("name"), let size = head.integer("decryptedSize"),
            size <= UInt64(FileContent.largest)
        else { return nil }
        let seed = head.bytes(Self.seedMember)
        guard seed == nil || seed?.count == Self.seedCount else { return nil }
        self.number = head.number
        self.name = name
        self.mediaType = head.text("mediaType") ?? ""
        self.size = Int(size)
        self.seed = seed
    }

    /// The places of its parts.
    var positions: Range<Int> { 0..<(seed == nil ? 0 : (size + Self.partSize - 1) / Self.partSize) }

    /// Which bytes of it a part has.
    func range(_ position: Int) -> Range<Int> {
        let start = position * Self.partSize
        return start..<min(start + Self.partSize, size)
    }

    /// The name of one of its parts: nobody who lacks the seed can tell to which item it belongs, and a part is at home
    /// in one item, one file and one place (`Docs/vault-format.md`, "Parts of files").
    func part(_ position: Int, of item: ItemID) -> ItemID {
        var bytes = seed ?? []
        bytes += item.bytes
        bytes.append(number: UInt32(position))
        return ItemID(marking: bytes.withUnsafeBytes { Digest.blake2b($0, count: 16) })
    }

    /// The names of all its parts, in their order.
    func parts(of item: ItemID) -> [ItemID] { positions.map { part($0, of: item) } }
}

/// The summary of a part of a file: what the part belongs to. Its only field is `item (16) | position (4)`.
struct PartSummary: Equatable {
    /// The oldest version of the format that has parts.
    static let formatVersion: UInt16 = 4

    let item: ItemID
    let position: UInt32

    init(item: ItemID, position: UInt32) {
        self.item = item
        self.position = position
    }

    /// Reads it, padded.
    ///
    /// - Throws: `damaged`; `unsupported` for fields of a newer version.
    init(_ bytes: UnsafeRawBufferPointer) throws(VaultError) {
        var fields = TaggedFieldReader(bytes, of: "summary of a part")
        guard let field = try fields.next(), field.tag == SummaryTag.part, field.bytes.count == 20 else {
            throw VaultError(.damaged, "the summary of a part of a file")
        }
        while let other = try fields.next() { try TaggedFieldReader.unknown(other.tag, in: "summary of a part") }
        var reader = ByteReader(field.bytes, of: "summary of a part")
        item = ItemID(sixteen: try reader.bytes(16))
        position = try reader.number()
    }

    /// Writes it, without padding.
    func encode(into buffer: SecretBuffer) {
        buffer.append(SummaryTag.part)
        buffer.append(number: UInt32(20))
        item.bytes.withUnsafeBytes { buffer.append($0) }
        buffer.append(number: position)
    }
}
