import KeywayCrypto
package import OtherCiphers

/// The ciphers of databases.
package enum KeePassCipher: Sendable, CaseIterable {
    /// AES-256 in CBC.
    case aes
    /// Twofish in CBC.
    case twofish
    /// ChaCha20.
    case chaCha20

    /// The identifier that stands in a file.
    var identifier: [UInt8] {
        switch self {
        case .aes:
            [0x31, 0xC1, 0xF2, 0xE6, 0xBF, 0x71, 0x43, 0x50, 0xBE, 0x58, 0x05, 0x21, 0x6A, 0xFC, 0x5A, 0xFF]
        case .twofish:
            [0xAD, 0x68, 0xF2, 0x9F, 0x57, 0x6F, 0x4B, 0xB9, 0xA3, 0x6A, 0xD4, 0x7A, 0xF9, 0x65, 0x34, 0x6C]
        case .chaCha20:
            [0xD6, 0x03, 0x8A, 0x2B, 0x8B, 0x6F, 0x4C, 0xB5, 0xA5, 0x24, 0x33, 0x9A, 0x31, 0xDB, 0xB5, 0x9A]
        }
    }

    /// The cipher itself.
    package var cipher: OtherCipher {
        switch self {
        case .aes: .aesChained
        case .twofish: .twofishChained
        case .chaCha20: .chaCha20
        }
    }
}

/// What stands before the encrypted part of a database.
struct KeePassHeader {
    /// The two versions of the form.
    enum Version: Equatable {
        /// 3.0 and 3.1.
        case three
        /// 4.0 and 4.1.
        case four
    }

    /// The numbers of fields.
    enum Field: UInt8 {
        case end = 0
        case cipher = 2
        case packing = 3
        case seed = 4
        case transformSeed = 5
        case transformRounds = 6
        case vector = 7
        case streamKey = 8
        case streamStart = 9
        case stream = 10
        case derivation = 11
    }

    /// What every file begins with.
    static let mark: [UInt8] = [0x03, 0xD9, 0xA2, 0x9A, 0x67, 0xFB, 0x4B, 0xB5]
    /// What files of KeePass 1 begin with.
    static let formerMark: [UInt8] = [0x03, 0xD9, 0xA2, 0x9A, 0x65, 0xFB, 0x4B, 0xB5]

    let version: Version
    let cipher: KeePassCipher
    let isPacked: Bool
    let seed: [UInt8]
    let vector: [UInt8]
    let derivation: KeePassDerivation
    /// The stream over protected values, and the first bytes that are decrypted; nil in version 4, which has them within.
    let stream: (kind: ProtectedStream.Kind, key: [UInt8], start: [UInt8])?

    /// Reads a header; the reader stands behind it then.
    init(_ reader: inout ByteReader) throws(KeePassError) {
        let mark = Array(try reader.take(Self.mark.count))
        guard mark == Self.mark else {
            throw mark == Self.formerMark
                ? KeePassError(.unsupported, "the database is one of KeePass 1") : KeePassError(.damaged, "no database")
        }
        let number = try reader.number(UInt32.self)
        switch number >> 16 {
        case 3: version = .three
        case 4: version = .four
        default: throw KeePassError(.unsupported, "the database is of a version that Keyway doesn't read")
        }
        let fields = try Self.fields(&reader, version)
        let damaged = KeePassError(.damaged, "the header of the database lacks a part")
        guard let identifier = fields[.cipher],
            let packing = fields[.packing].flatMap({ UInt32(littleEndianBytes: $0) }),
            let seed = fields[.seed], seed.count == 32, let vector = fields[.vector]
        else { throw damaged }
        guard let cipher = KeePassCipher.allCases.first(where: { $0.identifier == identifier }) else {
            throw KeePassError(.unsupported, "the database uses a cipher that Keyway doesn't know")
        }
        guard packing <= 1 else {
            throw KeePassError(.unsupported, "the database is packed in a way that Keyway doesn't know")
        }
        guard vector.count == cipher.cipher.vectorCount else { throw damaged }
        (self.cipher, self.seed, self.vector, isPacked) = (cipher, seed, vector, packing == 1)
        switch version {
        case .three:
            guard let transformSeed = fields[.transformSeed], transformSeed.count == 32,
                let rounds = fields[.transformRounds].flatMap({ UInt64(littleEndianBytes: $0) }),
                let key = fields[.streamKey], let start = fields[.streamStart], start.count == 32,
                let kind = fields[.stream].flatMap({ UInt32(littleEndianBytes: $0) })
            else { throw damaged }
            derivation = .aes(seed: transformSeed, rounds: rounds)
            stream = (try ProtectedStream.Kind(number: kind), key, start)
        case .four:
            guard let parameters = fields[.derivation] else { throw damaged }
            derivation = try KeePassDerivation(
                parameters.lend { (bytes) throws(KeePassError) in try VariantDictionary(bytes) })
            stream = nil
        }
    }

    private static func fields(
        _ reader: inout ByteReader, _ version: Version
    ) throws(KeePassError) -> [Field: [UInt8]] {
        var fields: [Field: [UInt8]] = [:]
        while true {
            let number = try reader.number(UInt8.self)
            let count = version == .three ? Int(try reader.number(UInt16.self)) : Int(try reader.number(UInt32.self))
            guard count <= KeePassLimits.longestField else {
                throw KeePassError(.tooLarge, "a field in the header of the database is too large")
            }
            let value = Array(try reader.take(count))
            // Comments, and what plug-ins write for themselves.
            guard let field = Field(rawValue: number) else { continue }
            if field == .end { return fields }
            guard fields.updateValue(value, forKey: field) == nil else {
                throw KeePassError(.damaged, "a field stands twice in the header of the database")
            }
        }
    }
}
