import KeywayCrypto
package import OtherCiphers

/// How the key of a database comes from what the person has.
package enum KeePassDerivation: Sendable, Equatable {
    /// AES-256 over and over, and SHA-256 at the end.
    case aes(seed: [UInt8], rounds: UInt64)
    /// Argon2.
    case argon2(Argon2, salt: [UInt8], secret: [UInt8], data: [UInt8])

    private static let aes3: [UInt8] = [
        0xC9, 0xD9, 0xF3, 0x9A, 0x62, 0x8A, 0x44, 0x60, 0xBF, 0x74, 0x0D, 0x08, 0xC1, 0x8A, 0x4F, 0xEA,
    ]
    private static let aes4: [UInt8] = [
        0x7C, 0x02, 0xBB, 0x82, 0x79, 0xA7, 0x4A, 0xC0, 0x92, 0x7D, 0x11, 0x4A, 0x00, 0x64, 0x82, 0x38,
    ]
    private static let argon2d: [UInt8] = [
        0xEF, 0x63, 0x6D, 0xDF, 0x8C, 0x29, 0x44, 0x4B, 0x91, 0xF7, 0xA9, 0xA4, 0x03, 0xE3, 0x0A, 0x0C,
    ]
    private static let argon2id: [UInt8] = [
        0x9E, 0x29, 0x8B, 0x19, 0x56, 0xDB, 0x47, 0x73, 0xB2, 0x3D, 0xFC, 0x3E, 0xC6, 0xF0, 0xA1, 0xE6,
    ]
    /// The one version of Argon2 that anybody writes: 1.3.
    private static let argon2Version: UInt64 = 0x13

    init(_ parameters: VariantDictionary) throws(KeePassError) {
        let damaged = KeePassError(.damaged, "the database lacks what its key is derived by")
        guard let identifier = parameters["$UUID", .bytes] else { throw damaged }
        switch identifier {
        case Self.aes3, Self.aes4:
            guard let rounds = parameters.number("R"), let seed = parameters["S", .bytes], seed.count == 32 else {
                throw damaged
            }
            self = .aes(seed: seed, rounds: rounds)
        case Self.argon2d, Self.argon2id:
            guard let salt = parameters["S", .bytes], let memory = parameters.number("M"),
                let passes = parameters.number("I"), let lanes = parameters.number("P")
            else { throw damaged }
            guard parameters.number("V") == Self.argon2Version else {
                throw KeePassError(.unsupported, "the database uses another version of Argon2")
            }
            // What is too large is refused for its cost.
            self = .argon2(
                Argon2(
                    identifier == Self.argon2d ? .d : .id, memory: Int(clamping: memory / 1024),
                    passes: Int(clamping: passes), lanes: Int(clamping: lanes)),
                salt: salt, secret: parameters["K", .bytes] ?? [], data: parameters["A", .bytes] ?? [])
        default:
            throw KeePassError(.unsupported, "the database derives its key in a way that Keyway doesn't know")
        }
    }

    /// The parameters as they stand in a file of version 4.
    var parameters: VariantDictionary {
        var parameters = VariantDictionary()
        switch self {
        case .aes(let seed, let rounds):
            parameters.add("$UUID", .bytes, Self.aes4)
            parameters.add("R", .uint64, rounds.littleEndianBytes)
            parameters.add("S", .bytes, seed)
        case .argon2(let argon2, let salt, let secret, let data):
            parameters.add("$UUID", .bytes, argon2.variant == .d ? Self.argon2d : Self.argon2id)
            parameters.add("I", .uint64, UInt64(argon2.passes).littleEndianBytes)
            parameters.add("M", .uint64, (UInt64(argon2.memory) * 1024).littleEndianBytes)
            parameters.add("P", .uint32, UInt32(argon2.lanes).littleEndianBytes)
            parameters.add("S", .bytes, salt)
            parameters.add("V", .uint32, UInt32(Self.argon2Version).littleEndianBytes)
            if !secret.isEmpty { parameters.add("K", .bytes, secret) }
            if !data.isEmpty { parameters.add("A", .bytes, data) }
        }
        return parameters
    }

    /// Derives the key: 32 bytes.
    ///
    /// - Throws: ``KeePassError``: `tooCostly`, `needsMemory` before anything is computed; `damaged`, `failed`.
    func derive(from key: KeePassKey, _ limits: KeePassLimits) throws(KeePassError) -> SecretBytes {
        do throws(OtherCipherError) {
            switch self {
            case .aes(let seed, let rounds):
                try limits.derivation.check(rounds: rounds)
                let repeated = try RepeatedAES.derive(from: key.composite, key: seed, rounds: rounds)
                return Hash.sha256 { $0.add(repeated) }
            case .argon2(let argon2, let salt, let secret, let data):
                try limits.derivation.check(argon2)
                return try argon2.derive(from: key.composite, salt: salt, secret: secret, data: data, count: 32)
            }
        } catch {
            throw KeePassError(error)
        }
    }
}
