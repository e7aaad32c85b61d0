package import KeywayCrypto

/// What is in a file that is to be stored: read piece by piece, so that it never lies in memory as a whole.
package struct FileContent: Sendable {
    /// How many bytes there are.
    package let count: Int
    /// Their SHA-256.
    package let hash: [UInt8]
    /// What the names of its parts are made from.
    let seed: [UInt8]
    /// Fills all of the room with what stands there from an offset on, or throws.
    let read: @Sendable (Int, UnsafeMutableRawBufferPointer) throws(VaultError) -> Void

    /// The largest file that is stored, in bytes: 64 MiB.
    package static let largest = 64 << 20
    /// How much is read at once to hash it.
    private static let step = 1 << 18

    /// What `read` gives, which is gone through once for its hash.
    ///
    /// - Throws: `invalid` for more than is stored; what `read` throws.
    package init(
        count: Int, random: any RandomSource,
        _ read: @escaping @Sendable (Int, UnsafeMutableRawBufferPointer) throws(VaultError) -> Void
    ) throws(VaultError) {
        guard count <= Self.largest else {
            throw VaultError(.invalid, "a file of it has \(count) bytes, and at most \(Self.largest) are stored")
        }
        self.count = count
        self.read = read
        seed = random.bytes(FileHead.seedCount)
        hash = try withSecretScratch(count: Self.step) { (scratch) throws(VaultError) in
            var hash = SHA256Stream()
            for start in stride(from: 0, to: count, by: Self.step) {
                let room = UnsafeMutableRawBufferPointer(rebasing: scratch[..<min(Self.step, count - start)])
                try read(start, room)
                hash.update(UnsafeRawBufferPointer(room))
            }
            return hash.finish()
        }
    }

    /// Whether a section is the file that this is in.
    package func isIn(_ section: ItemSection) -> Bool { section[FileHead.seedMember] == SecretBytes(copying: seed) }

    /// The section of the file that this is in.
    ///
    /// - Parameters:
    ///   - name: what it is called, 1 to 255 bytes.
    ///   - mediaType: what it is (RFC 6838); empty where nobody said.
    package func section(name: String, mediaType: String = "") -> ItemSection {
        var members = [SectionMember("name", text: name)]
        if !mediaType.isEmpty { members.append(SectionMember("mediaType", text: mediaType)) }
        return section(with: members)
    }

    /// The section of the file that this is in, beside what else is known of it.
    ///
    /// - Parameter members: what is known, with a name of 1 to 255 bytes; size, hash and where the parts lie are put in.
    package func section(with members: [SectionMember]) -> ItemSection {
        let own: Set<String> = ["decryptedSize", FileHead.hashMember, FileHead.seedMember, "content"]
        return ItemSection(
            .file,
            members.filter { !own.contains($0.name) } + [
                SectionMember("decryptedSize", integer: UInt64(count)),
                SectionMember(FileHead.hashMember, .bytes, SecretBytes(copying: hash)),
                SectionMember(FileHead.seedMember, .bytes, SecretBytes(copying: seed)),
            ])
    }

    /// Refuses the section of a file in parts that lacks something, or has it in an impossible size.
    ///
    /// - Throws: `invalid`.
    static func check(_ section: ItemSection) throws(VaultError) {
        let name = section["name"]
        guard let file = FileHead(section.head(1)), file.seed != nil, let name,
            (1...StoredFile.longestName).contains(name.count), file.mediaType.utf8.count <= StoredFile.longestName,
            section[FileHead.hashMember]?.count == 32
        else { throw VaultError(.invalid, "a file lacks a part, or has one of an impossible size") }
    }
}

/// What becomes of the parts of an item's files when its sections change.
struct PartChanges {
    /// The files that are new.
    private(set) var added: [(head: FileHead, content: FileContent)] = []
    /// The parts of files that go.
    private(set) var removed: [ItemID] = []

    /// - Throws: `invalid` for a new file without its content.
    init(
        of item: ItemID, from old: [SectionHead], to new: [SectionHead], _ contents: [FileContent]
    ) throws(VaultError) {
        let (before, after) = (old.compactMap { FileHead($0) }, new.compactMap { FileHead($0) })
        removed = before.filter { file in file.seed != nil && !after.contains { $0.seed == file.seed } }
            .flatMap { $0.parts(of: item) }
        for file in after where file.seed != nil && !before.contains(where: { $0.seed == file.seed }) {
            guard let content = contents.first(where: { $0.seed == file.seed }), content.count == file.size,
                !added.contains(where: { $0.head.seed == file.seed })
            else { throw VaultError(.invalid, "what is in a file of it isn't there") }
            added.append((file, content))
        }
    }
}
