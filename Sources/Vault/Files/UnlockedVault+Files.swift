import KeywayCrypto

extension UnlockedVault {
    /// Reads what is in a file of an item, piece by piece in its order, each in secret memory that is lent for the call.
    ///
    /// - Parameter number: the number of its section.
    /// - Throws: `notFound`; `damaged` where a part is missing or not as it was written, also after pieces were lent;
    ///   `unsupported` for a section of a newer version; `locked`; what `body` throws.
    package func readFile(
        _ number: UInt16, of item: ItemID, _ body: (UnsafeRawBufferPointer) throws(VaultError) -> Void
    ) throws(VaultError) {
        let section = try section(number, of: item)
        guard section.type == .file else {
            throw VaultError(.notFound, "section \(number) of item \(item) is no file", place: place)
        }
        if let content = section["content"] {
            return try content.withUnsafeBytes { (bytes) throws(VaultError) in try body(bytes) }
        }
        guard let file = FileHead(section.head(number)), file.seed != nil else { throw damaged(item) }
        var hash = SHA256Stream()
        for position in file.positions {
            try withPart(position, of: file, item) { (bytes) throws(VaultError) in
                hash.update(bytes)
                try body(bytes)
            }
        }
        guard section[FileHead.hashMember] == SecretBytes(copying: hash.finish()) else { throw damaged(item) }
    }

    /// Opens a part of a file.
    private func withPart(
        _ position: Int, of file: FileHead, _ item: ItemID, _ body: (UnsafeRawBufferPointer) throws(VaultError) -> Void
    ) throws(VaultError) {
        let (contents, name) = (try opened(), file.part(position, of: item))
        guard let version = contents.index.parts[name] else { throw damaged(item) }
        let opened: SecretBytes
        do {
            opened = try contents.keys.openBody(try authenticRecord(of: name, version))
        } catch {
            throw error.at(place)
        }
        try opened.withUnsafeBytes { (bytes) throws(VaultError) in
            var fields = TaggedFieldReader(bytes, of: "part of a file")
            guard let field = try fields.next(), field.tag == BodyTag.part,
                field.bytes.count == file.range(position).count
            else { throw damaged(item) }
            while let other = try fields.next() { try TaggedFieldReader.unknown(other.tag, in: "part of a file") }
            try body(field.bytes)
        }
    }

    private func damaged(_ item: ItemID) -> VaultError {
        VaultError(.damaged, "a file of item \(item)", place: place)
    }
}
