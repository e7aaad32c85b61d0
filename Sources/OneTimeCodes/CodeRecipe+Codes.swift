package import CodeLinks
package import KeywayCrypto
import PasskeySignatures

extension CodeAlgorithm {
    var hash: HashAlgorithm {
        switch self {
        case .sha1: .sha1
        case .sha256: .sha256
        case .sha512: .sha512
        }
    }
}

/// The codes of a recipe.
extension CodeRecipe {
    private static let steamAlphabet = Array("23456789BCDFGHJKMNPQRTVWXY".utf8)

    /// The code at a time, in seconds since 1970; of a counter, that of the counter, whatever the time.
    ///
    /// - Throws: ``OneTimeCodeError``: `failed`.
    package func code(at seconds: UInt64) throws(OneTimeCodeError) -> SecretBytes {
        switch kind {
        case .time(let period): try code(for: seconds / UInt64(period))
        case .steam: try code(for: seconds / UInt64(Self.usualPeriod))
        case .counter(let counter): try code(for: counter)
        }
    }

    /// The code for a moving factor (RFC 4226, section 5.3), in ASCII.
    private func code(for factor: UInt64) throws(OneTimeCodeError) -> SecretBytes {
        let number = try truncated(for: factor)
        return SecretBytes(count: digits) { room in
            if kind == .steam { return Self.writeSteam(number, to: room) }
            var rest = UInt64(number)
            for index in room.indices.reversed() {
                room[index] = UInt8(ascii: "0") + UInt8(rest % 10)
                rest /= 10
            }
        }
    }

    private static func writeSteam(_ number: UInt32, to room: UnsafeMutableRawBufferPointer) {
        var rest = Int(number)
        for index in room.indices {
            room[index] = steamAlphabet[rest % steamAlphabet.count]
            rest /= steamAlphabet.count
        }
    }

    /// Dynamic truncation: 31 bits of the hash.
    private func truncated(for factor: UInt64) throws(OneTimeCodeError) -> UInt32 {
        do {
            let hash = try withUnsafeBytes(of: factor.bigEndian) { message throws(PasskeySignatureError) in
                try algorithm.hash.keyedHash(of: message, key: secret)
            }
            return hash.withUnsafeBytes { hash in
                let offset = Int(hash[hash.count - 1] & 0xF)
                return UInt32(bigEndian: hash.loadUnaligned(fromByteOffset: offset, as: UInt32.self)) & 0x7FFF_FFFF
            }
        } catch {
            throw OneTimeCodeError(.failed, error.detail)
        }
    }
}
