package import KeywayCrypto
package import OtherCiphers

/// Writes databases of KeePass in version 4.0, which KeePass 2.35 and KeePassXC 2.3 and everything later reads.
package struct KeePassWriter {
    private let key: KeePassKey
    private let cipher: KeePassCipher
    private let argon2: Argon2
    private let random: any RandomSource

    /// What new databases are derived by: Argon2id over 64 MiB, ten passes, two lanes.
    package static let usualDerivation = Argon2(.id, memory: 64 << 10, passes: 10, lanes: 2)

    /// A writer of databases that open with `key`.
    package init(
        key: KeePassKey, cipher: KeePassCipher = .aes, argon2: Argon2 = usualDerivation, random: any RandomSource
    ) {
        self.key = key
        self.cipher = cipher
        self.argon2 = argon2
        self.random = random
    }

    /// A database with the document that `compose` writes.
    ///
    /// - Parameter files: what is in its files, by their numbers.
    /// - Throws: ``KeePassError``: `tooLarge`, `failed`; what `compose` throws.
    package func write(
        files: [UnsafeRawBufferPointer] = [], _ compose: (KeePassDocument) throws(KeePassError) -> Void
    ) throws(KeePassError) -> [UInt8] {
        let streamKey = random.secretBytes(64)
        let size = files.reduce(0) { $0 + $1.count + 6 }
        guard size <= KeePassLimits().mostUnpacked / 2 else {
            throw KeePassError(.tooLarge, "the files of a database can have \(KeePassLimits().mostUnpacked >> 21) MiB")
        }
        let document = KeePassDocument(
            stream: try ProtectedStream(.chaCha20, key: streamKey), longest: KeePassLimits().longestDocument + size)
        Self.start(of: document.buffer, streamKey, files)
        try compose(document)
        try document.end()

        let packed = try document.buffer.withUnsafeBytes { (bytes) throws(KeePassError) in try Packing.pack(bytes) }
        let seed = random.bytes(32)
        let derivation = KeePassDerivation.argon2(argon2, salt: random.bytes(32), secret: [], data: [])
        let vector = random.bytes(cipher.cipher.vectorCount)
        let header = header(seed: seed, vector: vector, derivation)
        let secrets = KeePassSecrets(derived: try derivation.derive(from: key, Self.limits), seed: seed)
        try encrypt(packed, key: secrets.encryption, vector: vector)
        var database = header + Digest.sha256(header)
        header.withUnsafeBytes { header in
            secrets.code(ofHeader: header).withUnsafeBytes { database.append(contentsOf: $0) }
        }
        return packed.withUnsafeBytes { database + AuthenticatedBlocks.write($0, secrets) }
    }

    /// What we write ourselves may take all that is ever allowed.
    private static var limits: KeePassLimits {
        var limits = KeePassLimits()
        limits.derivation = DerivationLimits(memory: DerivationLimits.mostMemory)
        return limits
    }

    private func header(seed: [UInt8], vector: [UInt8], _ derivation: KeePassDerivation) -> [UInt8] {
        var header = KeePassHeader.mark + UInt32(4 << 16).littleEndianBytes
        func add(_ field: KeePassHeader.Field, _ value: [UInt8]) {
            header += [field.rawValue] + UInt32(value.count).littleEndianBytes + value
        }
        add(.cipher, cipher.identifier)
        add(.packing, UInt32(1).littleEndianBytes)
        add(.seed, seed)
        add(.vector, vector)
        add(.derivation, derivation.parameters.encoded)
        add(.end, Array("\r\n\r\n".utf8))
        return header
    }

    /// The header before the document: how its values are protected.
    private static func start(of buffer: SecretBuffer, _ streamKey: SecretBytes, _ files: [UnsafeRawBufferPointer]) {
        func add(_ item: Content.Item, count: Int) {
            ([item.rawValue] + UInt32(count).littleEndianBytes).withUnsafeBytes { buffer.append($0) }
        }
        add(.stream, count: 4)
        ProtectedStream.Kind.chaCha20.rawValue.littleEndianBytes.withUnsafeBytes { buffer.append($0) }
        add(.streamKey, count: streamKey.count)
        buffer.append(streamKey)
        for file in files {
            add(.file, count: file.count + 1)
            // A flag: to be protected in memory.
            buffer.append(1)
            buffer.append(file)
        }
        add(.end, count: 0)
    }

    private func encrypt(_ packed: SecretBuffer, key: SecretBytes, vector: [UInt8]) throws(KeePassError) {
        let blockCount = cipher.cipher.blockCount
        if blockCount > 1 {
            let filling = blockCount - packed.count % blockCount
            packed.append(count: filling) { $0.initializeMemory(as: UInt8.self, repeating: UInt8(filling)) }
        }
        var failure: OtherCipherError?
        packed.rewriteLast(packed.count) { bytes in
            do throws(OtherCipherError) {
                try CipherStream(cipher.cipher, key: key, vector: vector).encrypt(bytes)
            } catch {
                failure = error
            }
            return bytes.count
        }
        if let failure { throw KeePassError(failure) }
    }
}
