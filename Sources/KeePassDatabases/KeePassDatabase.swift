package import KeywayCrypto

/// A database of KeePass (KDBX 3.1, 4.0 and 4.1) that is open.
package struct KeePassDatabase {
    /// Its XML. Values that it protects are encrypted once more in there.
    package let document: SecretBuffer
    /// What decrypts those, in their order.
    package let stream: ProtectedStream
    /// What `Meta/HeaderHash` must say where it says anything: SHA-256 of the header; nil where the header has a code.
    package let headerHash: SecretBytes?

    /// Whether bytes begin as a database does, also as one that can't be read.
    package static func fits(_ bytes: UnsafeRawBufferPointer) -> Bool {
        bytes.starts(with: KeePassHeader.mark) || bytes.starts(with: KeePassHeader.formerMark)
    }

    /// Opens a database. Besides the document, and what the key takes, this needs less than 1 MiB of memory.
    ///
    /// - Parameter files: gets what is in its files, as far as that stands before the document (version 4).
    /// - Throws: ``KeePassError``.
    package init(
        _ bytes: UnsafeRawBufferPointer, key: KeePassKey, limits: KeePassLimits = KeePassLimits(),
        files: (any KeePassFileTaker)? = nil
    ) throws(KeePassError) {
        guard bytes.count <= KeePassLimits.longestDatabase else {
            throw KeePassError(.tooLarge, "the database has more than \(KeePassLimits.longestDatabase >> 20) MiB")
        }
        var reader = ByteReader(bytes)
        let header = try KeePassHeader(&reader)
        let hash = Hash.sha256 { $0.add(reader.read) }
        let content = Content(hasHeader: header.version == .four, longestDocument: limits.longestDocument, files: files)
        let unpacked: any ContentSink =
            header.isPacked ? try Unpacking(most: limits.mostUnpacked, to: content) : content
        switch header.version {
        case .three:
            headerHash = hash
            try Self.readThree(&reader, header, key, limits, to: unpacked)
        case .four:
            headerHash = nil
            try Self.readFour(&reader, header, hash, key, limits, to: unpacked)
        }
        document = content.document
        stream = try Self.stream(header, content)
    }

    private static func readThree(
        _ reader: inout ByteReader, _ header: KeePassHeader, _ key: KeePassKey, _ limits: KeePassLimits,
        to unpacked: any ContentSink
    ) throws(KeePassError) {
        let secrets = KeePassSecrets(derived: try header.derivation.derive(from: key, limits), seed: header.seed)
        let blocks = HashedBlocks(start: header.stream?.start ?? [], to: unpacked)
        let decryption = try Decryption(
            header.cipher.cipher, key: secrets.encryption, vector: header.vector, to: blocks)
        try decryption.take(reader.rest)
        try decryption.end()
    }

    private static func readFour(
        _ reader: inout ByteReader, _ header: KeePassHeader, _ hash: SecretBytes, _ key: KeePassKey,
        _ limits: KeePassLimits, to unpacked: any ContentSink
    ) throws(KeePassError) {
        let read = reader.read
        // Anybody can write this hash; it only tells damage from another key.
        guard SecretBytes(copying: try reader.take(hash.count)) == hash else {
            throw KeePassError(.damaged, "the header of the database is damaged")
        }
        let code = SecretBytes(copying: try reader.take(KeePassSecrets.codeCount))
        let secrets = KeePassSecrets(derived: try header.derivation.derive(from: key, limits), seed: header.seed)
        guard secrets.code(ofHeader: read) == code else {
            throw KeePassError(.wrongKey, "the password or the key file is another")
        }
        let decryption = try Decryption(
            header.cipher.cipher, key: secrets.encryption, vector: header.vector, to: unpacked)
        try AuthenticatedBlocks.read(&reader, secrets, to: decryption)
    }

    private static func stream(_ header: KeePassHeader, _ content: Content) throws(KeePassError) -> ProtectedStream {
        if let stream = header.stream { return try ProtectedStream(stream.kind, key: SecretBytes(copying: stream.key)) }
        guard let kind = content.streamKind, let key = content.streamKey else { throw .damaged }
        return try ProtectedStream(ProtectedStream.Kind(number: kind), key: key)
    }
}
