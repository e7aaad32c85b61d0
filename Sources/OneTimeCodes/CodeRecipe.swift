package import KeywayCrypto
import PasskeySignatures

/// The hash of one-time codes.
package enum CodeAlgorithm: String, Sendable, CaseIterable {
    /// SHA-1: what nearly every site means.
    case sha1 = "SHA1"
    /// SHA-256.
    case sha256 = "SHA256"
    /// SHA-512.
    case sha512 = "SHA512"

    var hash: HashAlgorithm {
        switch self {
        case .sha1: .sha1
        case .sha256: .sha256
        case .sha512: .sha512
        }
    }
}

/// How the one-time codes of an account are made: HOTP (RFC 4226), TOTP (RFC 6238), or as Steam has them.
package struct CodeRecipe: Sendable, Equatable {
    /// How the codes move on.
    package enum Kind: Sendable, Equatable {
        /// With the time, every so many seconds since 1970 (TOTP).
        case time(period: UInt32)
        /// With every code (HOTP): the counter of the next one.
        case counter(UInt64)
        /// With the time, every 30 seconds, in five letters and digits (Steam).
        case steam
    }

    /// What is usual: 6 digits, SHA-1, 30 seconds.
    package static let usualDigits = 6
    /// In seconds.
    package static let usualPeriod: UInt32 = 30
    /// RFC 4226 wants six at least, and no truncated hash has more than ten.
    package static let digitCounts = 1...10
    /// In seconds; a day at most.
    package static let periods: ClosedRange<UInt32> = 1...86_400
    /// How long Steam's codes are.
    package static let steamDigits = 5
    private static let steamAlphabet = Array("23456789BCDFGHJKMNPQRTVWXY".utf8)

    /// How the codes move on.
    package let kind: Kind
    /// The hash; SHA-1 for Steam.
    package let algorithm: CodeAlgorithm
    /// How many digits a code has; 5 letters and digits for Steam.
    package let digits: Int
    /// What site and provider share.
    package let secret: SecretBytes

    /// A recipe; of Steam's, algorithm and digits are what they always are.
    ///
    /// - Throws: ``OneTimeCodeError``: `malformedSecret` for none, `tooLong`, `invalidParameter`.
    package init(
        _ kind: Kind, secret: SecretBytes, algorithm: CodeAlgorithm = .sha1, digits: Int = usualDigits
    ) throws(OneTimeCodeError) {
        guard !secret.isEmpty else { throw OneTimeCodeError(.malformedSecret, "no secret") }
        guard secret.count <= Base32.longestSecret else { throw OneTimeCodeError(.tooLong, "secret") }
        guard Self.digitCounts.contains(digits) else { throw OneTimeCodeError(.invalidParameter, "digits") }
        if case .time(let period) = kind, !Self.periods.contains(period) {
            throw OneTimeCodeError(.invalidParameter, "period")
        }
        self.kind = kind
        self.secret = secret
        self.algorithm = kind == .steam ? .sha1 : algorithm
        self.digits = kind == .steam ? Self.steamDigits : digits
    }

    // MARK: - Codes

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

    /// How long the code at that time is good for, from 1 to the period, in seconds; nil for a counter's.
    package func secondsLeft(at seconds: UInt64) -> Int? {
        switch kind {
        case .time(let period): Int(UInt64(period) - seconds % UInt64(period))
        case .steam: Int(UInt64(Self.usualPeriod) - seconds % UInt64(Self.usualPeriod))
        case .counter: nil
        }
    }

    /// The same with the counter moved on by one, for the code after the one that this stands at; itself where no counter
    /// is.
    ///
    /// - Throws: ``OneTimeCodeError``: `counterExhausted`.
    package func advanced() throws(OneTimeCodeError) -> CodeRecipe {
        guard case .counter(let counter) = kind else { return self }
        guard counter < UInt64(Int64.max) else { throw OneTimeCodeError(.counterExhausted, "counter") }
        return try CodeRecipe(.counter(counter + 1), secret: secret, algorithm: algorithm, digits: digits)
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
