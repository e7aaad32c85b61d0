import KeywayCrypto

/// The start of a vault: which format, which vault, and the slots that hold its key (`Docs/vault-format.md`, "Header").
///
/// A checksum at the end shows accidents before a password is asked for; a code under the vault key shows attacks after.
struct VaultHeader: Equatable {
    static let magic = Array("KWVAULT\0".utf8)
    /// Version 2 has passkeys and hidden items, version 3 sections and marks, version 4 files in parts. A writer takes the
    /// lowest one that can hold what the vault holds, so that programs which know an older one alone can open the others.
    static let versions: ClosedRange<UInt16> = 1...4
    /// XChaCha20-Poly1305 and BLAKE2b.
    static let suite: UInt8 = 1
    static let codeCount = 32
    private static let checksumCount = 16
    private static let longest = 1 << 16

    /// One way to the vault key.
    enum Slot: Equatable {
        case password(PasswordSlot)
        /// A kind that this version cannot open; written back as it is.
        case foreign(kind: UInt8, content: [UInt8])
    }

    var version: UInt16
    let vault: VaultID
    var slots: [Slot]

    init(version: UInt16 = versions.lowerBound, vault: VaultID, slots: [Slot]) {
        self.version = version
        self.vault = vault
        self.slots = slots
    }

    /// Reads a header. Derives nothing; the code under the vault key is checked later, by ``isAuthentic(_:under:)``.
    ///
    /// - Throws: `damaged`, or `unsupported` for a version or suite that is not known.
    init(_ bytes: UnsafeRawBufferPointer) throws(VaultError) {
        var reader = ByteReader(try Self.checked(bytes), of: "header")
        _ = try reader.bytes(Self.magic.count)
        version = try reader.number(UInt16.self)
        guard Self.versions.contains(version) else { throw VaultError(.unsupported, "format version \(version)") }
        let suite = try reader.number(UInt8.self)
        guard suite == Self.suite else { throw VaultError(.unsupported, "cipher suite \(suite)") }
        let count = try reader.number(UInt8.self)
        vault = VaultID(sixteen: try reader.bytes(16))
        slots = []
        for _ in 0..<count {
            let kind = try reader.number(UInt8.self)
            let length = try reader.number(UInt16.self)
            slots.append(try Self.slot(kind, try reader.bytes(Int(length)), vault))
        }
        guard reader.rest.count == Self.codeCount else {
            throw VaultError(.damaged, "the header has \(reader.rest.count) bytes after its slots")
        }
    }

    /// The one slot that a master password opens.
    ///
    /// - Throws: `unsupported` when there is none or more than one.
    func passwordSlot() throws(VaultError) -> PasswordSlot {
        let found = slots.compactMap { slot in
            if case .password(let slot) = slot { slot } else { nil }
        }
        guard found.count == 1 else { throw VaultError(.unsupported, "the header has \(found.count) password slots") }
        return found[0]
    }

    /// Puts another password slot in the place of the one that is there; slots of other kinds stay.
    mutating func replacePasswordSlot(_ slot: PasswordSlot) {
        slots = slots.map { if case .password = $0 { .password(slot) } else { $0 } }
    }

    /// The bytes of the header, with the code under this key and the checksum.
    func bytes(under key: SecretKey) -> [UInt8] {
        var bytes = Self.magic
        bytes.append(number: version)
        bytes += [Self.suite, UInt8(slots.count)]
        bytes += vault.bytes
        for slot in slots {
            let (kind, content) = Self.stored(slot)
            bytes.append(kind)
            bytes.append(number: UInt16(content.count))
            bytes += content
        }
        bytes += key.hash(bytes, count: Self.codeCount)
        return bytes + Self.checksum(bytes[...])
    }

    /// Whether the bytes of a header, which could be read, carry the right code.
    static func isAuthentic(_ bytes: [UInt8], under key: SecretKey) -> Bool {
        let code = SecretBytes(copying: Self.code(bytes))
        return code
            == SecretBytes(copying: key.hash(Array(bytes.dropLast(codeCount + checksumCount)), count: codeCount))
    }

    /// The code in the bytes of a header that could be read.
    static func code(_ bytes: [UInt8]) -> [UInt8] {
        Array(bytes.dropLast(checksumCount).suffix(codeCount))
    }

    private static func slot(
        _ kind: UInt8, _ content: UnsafeRawBufferPointer, _ vault: VaultID
    ) throws(VaultError) -> Slot {
        guard kind == PasswordSlot.kind else { return .foreign(kind: kind, content: Array(content)) }
        return .password(try PasswordSlot(content, of: vault))
    }

    private static func stored(_ slot: Slot) -> (kind: UInt8, content: [UInt8]) {
        switch slot {
        case .password(let slot): (PasswordSlot.kind, slot.bytes)
        case .foreign(let kind, let content): (kind, content)
        }
    }

    private static func checksum(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
        bytes.withUnsafeBytes { Digest.blake2b($0, count: checksumCount) }
    }

    /// The bytes before the checksum, if it is right. Every version of the format has magic and checksum in these places.
    private static func checked(_ bytes: UnsafeRawBufferPointer) throws(VaultError) -> UnsafeRawBufferPointer {
        guard bytes.count >= magic.count + checksumCount, bytes.count <= longest else {
            throw VaultError(.damaged, "the header has \(bytes.count) bytes")
        }
        let content = UnsafeRawBufferPointer(rebasing: bytes.dropLast(checksumCount))
        guard content.starts(with: magic) else { throw VaultError(.damaged, "the header does not start as one") }
        guard Digest.blake2b(content, count: checksumCount).elementsEqual(bytes.suffix(checksumCount)) else {
            throw VaultError(.damaged, "the header does not match its checksum")
        }
        return content
    }
}
