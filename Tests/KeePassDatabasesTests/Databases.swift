import KeywayCrypto
import OtherCiphers
import SecretDocuments

@testable import KeePassDatabases

/// Databases made for tests, whose derivation costs next to nothing.
enum Databases {
    static let password = SecretBytes(copyingUTF8Of: "correct horse")
    static let cheap = Argon2(.d, memory: 8, passes: 1, lanes: 1)

    static func key(_ password: SecretBytes? = password, file: [UInt8]? = nil) throws -> KeePassKey {
        guard let key = try KeePassKey(password: password, keyFile: file.map { SecretBytes(copying: $0) }) else {
            throw KeePassError(.damagedKeyFile, "no key")
        }
        return key
    }

    /// A database of version 4 with one protected value, and that much text besides.
    static func four(
        _ cipher: KeePassCipher = .aes, _ argon2: Argon2 = cheap, key: KeePassKey? = nil, filling: Int = 0
    ) throws -> [UInt8] {
        try KeePassWriter(key: key ?? Self.key(), cipher: cipher, argon2: argon2, random: Numbers()).write { document in
            document.open("KeePassFile")
            document.element("Filling", String(repeating: "x", count: filling))
            document.element("Value", SecretText(copyingUTF8Of: "pässword"), isProtected: true)
            document.close()
        }
    }

    /// A database of version 3.1 with that content, as KeePass 2.34 wrote them.
    static func three(
        _ cipher: KeePassCipher = .aes, content: [UInt8], isPacked: Bool = true, rounds: UInt64 = 2,
        blocks: (([UInt8]) -> [UInt8])? = nil
    ) throws -> [UInt8] {
        let (seed, vector) = ([UInt8](repeating: 7, count: 32), [UInt8](repeating: 9, count: cipher.cipher.vectorCount))
        let start = [UInt8](repeating: 3, count: 32)
        var header = KeePassHeader.mark + UInt32(3 << 16 | 1).littleEndianBytes
        func add(_ field: KeePassHeader.Field, _ value: [UInt8]) {
            header += [field.rawValue] + UInt16(value.count).littleEndianBytes + value
        }
        add(.cipher, cipher.identifier)
        add(.packing, UInt32(isPacked ? 1 : 0).littleEndianBytes)
        add(.seed, seed)
        add(.transformSeed, seed)
        add(.transformRounds, rounds.littleEndianBytes)
        add(.vector, vector)
        add(.streamKey, seed)
        add(.streamStart, start)
        add(.stream, UInt32(2).littleEndianBytes)
        add(.end, [13, 10, 13, 10])
        var packed = content
        if isPacked {
            packed = try content.withUnsafeBytes { try Packing.pack($0) }.withUnsafeBytes { Array($0) }
        }
        var plain = start + (blocks ?? hashedBlocks)(packed)
        let filling = 16 - plain.count % 16
        if cipher.cipher.blockCount > 1 { plain += [UInt8](repeating: UInt8(filling), count: filling) }
        let derived = try KeePassDerivation.aes(seed: seed, rounds: rounds).derive(from: key(), KeePassLimits())
        let secrets = KeePassSecrets(derived: derived, seed: seed)
        let stream = try CipherStream(cipher.cipher, key: secrets.encryption, vector: vector)
        try plain.withUnsafeMutableBytes { try stream.encrypt($0) }
        return header + plain
    }

    /// Two blocks and the end.
    static func hashedBlocks(_ bytes: [UInt8]) -> [UInt8] {
        let parts = [bytes[..<(bytes.count / 2)], bytes[(bytes.count / 2)...]].filter { !$0.isEmpty }
        var written: [UInt8] = []
        for (index, part) in parts.enumerated() {
            written += UInt32(index).littleEndianBytes + Digest.sha256(part)
            written += UInt32(part.count).littleEndianBytes + part
        }
        return written + UInt32(parts.count).littleEndianBytes + [UInt8](repeating: 0, count: 36)
    }

    /// A database with codes and hashes that are right over whatever `change` made of header and blocks.
    static func sealed(
        header change: (inout [UInt8]) -> Void = { _ in }, content: [UInt8]
    ) throws -> [UInt8] {
        let (seed, vector) = ([UInt8](repeating: 7, count: 32), [UInt8](repeating: 9, count: 12))
        let derivation = KeePassDerivation.argon2(cheap, salt: seed, secret: [], data: [])
        var header = KeePassHeader.mark + UInt32(4 << 16).littleEndianBytes
        func add(_ field: KeePassHeader.Field, _ value: [UInt8]) {
            header += [field.rawValue] + UInt32(value.count).littleEndianBytes + value
        }
        add(.cipher, KeePassCipher.chaCha20.identifier)
        add(.packing, UInt32(1).littleEndianBytes)
        add(.seed, seed)
        add(.vector, vector)
        add(.derivation, derivation.parameters.encoded)
        add(.end, [])
        change(&header)
        let secrets = KeePassSecrets(derived: try derivation.derive(from: key(), KeePassLimits()), seed: seed)
        var packed = try content.withUnsafeBytes { try Packing.pack($0) }.withUnsafeBytes { Array($0) }
        let stream = try CipherStream(.chaCha20, key: secrets.encryption, vector: vector)
        try packed.withUnsafeMutableBytes { try stream.encrypt($0) }
        let code = header.withUnsafeBytes { secrets.code(ofHeader: $0).withUnsafeBytes { Array($0) } }
        return header + Digest.sha256(header) + code
            + packed.withUnsafeBytes { AuthenticatedBlocks.write($0, secrets) }
    }

    /// What stands before the document in version 4, with files of these lengths.
    static func innerHeader(files: [Int] = []) -> [UInt8] {
        var bytes: [UInt8] = [1] + UInt32(4).littleEndianBytes + UInt32(3).littleEndianBytes
        bytes += [2] + UInt32(64).littleEndianBytes + [UInt8](repeating: 5, count: 64)
        for count in files { bytes += [3] + UInt32(count).littleEndianBytes + [UInt8](repeating: 0, count: count) }
        return bytes + [0, 0, 0, 0, 0]
    }

    /// Opens a database; the document as text.
    static func open(
        _ bytes: [UInt8], key: KeePassKey? = nil, _ change: (inout KeePassLimits) -> Void = { _ in }
    ) throws -> String {
        var limits = KeePassLimits()
        change(&limits)
        let database = try bytes.withUnsafeBytes { try KeePassDatabase($0, key: key ?? Self.key(), limits: limits) }
        return database.document.withUnsafeBytes { String(decoding: $0, as: UTF8.self) }
    }
}

/// Random numbers that are none.
struct Numbers: RandomSource {
    func fill(_ buffer: UnsafeMutableRawBufferPointer) {
        for index in buffer.indices { buffer[index] = UInt8(truncatingIfNeeded: index &* 37 &+ 11) }
    }
}
