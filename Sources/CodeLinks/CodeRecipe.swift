package import KeywayCrypto

/// The hash of one-time codes.
package enum CodeAlgorithm: String, Sendable, CaseIterable {
    /// SHA-1: what nearly every site means.
    case sha1 = "SHA1"
    /// SHA-256.
    case sha256 = "SHA256"
    /// SHA-512.
    case sha512 = "SHA512"
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
}
