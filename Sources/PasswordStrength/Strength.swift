import CZxcvbn
package import KeywayCrypto

/// How hard a password is to guess for somebody who has what it protects, and can try as often as they like.
package struct Strength: Hashable, Sendable {
    /// What that means to a person.
    package enum Level: Int, CaseIterable, Comparable, Sendable {
        /// Among what is tried first.
        case veryWeak
        /// Found by whoever has a few computers and some months.
        case weak
        /// Out of reach for one person, not for a data centre.
        case fair
        /// Out of reach.
        case strong

        package static func < (left: Level, right: Level) -> Bool { left.rawValue < right.rawValue }
    }

    /// How many guesses it takes, as a power of two.
    package let bits: Double

    /// A password that takes 2 to the power of `bits` guesses.
    package init(bits: Double) {
        self.bits = max(0, bits)
    }

    /// How many guesses it takes, as a power of ten.
    package var guessesLog10: Double { bits * 0.301_029_995_663_981_2 }

    /// What that means. Each guess costs Argon2id over 256 MiB: a thousand strong machines make some 10,000 a second, and so
    /// 2^40 in three years and 2^50 in three thousand.
    package var level: Level {
        switch bits {
        case ..<30: .veryWeak
        case ..<40: .weak
        case ..<50: .fair
        default: .strong
        }
    }

    /// Whether nobody should choose it without being asked again.
    package var isWeak: Bool { level <= .weak }
}

extension Strength {
    /// Words that everybody would try on a master password of ours.
    private static let obvious = ["keyway", "passwords", "vault", "master"]

    /// Judges a password by what people use: words, names, dates, patterns on the keyboard, and how often each is used.
    ///
    /// What is behind a zero byte is not looked at. A letter beyond ASCII counts as the two or more bytes that it is, so
    /// passwords in other scripts look a little stronger than they are.
    ///
    /// - Parameter password: UTF-8. It stays in guarded memory here; the library makes copies of pieces on its stack.
    package init(of password: SecretBytes) {
        let text = SecretBuffer(capacity: password.count + 1)
        text.append(password)
        text.append(0)
        let obvious = Self.obvious.map { $0.utf8CString }
        let bits = text.withUnsafeBytes { bytes in
            withPointers(to: obvious[...], []) { words in
                ZxcvbnMatch(bytes.bindMemory(to: CChar.self).baseAddress, words.baseAddress, nil)
            }
        }
        self.init(bits: bits)
    }
}

/// Lends the pointers to some C strings, with a null at the end, for the time of the call.
private func withPointers<Result>(
    to texts: ArraySlice<ContiguousArray<CChar>>, _ pointers: [UnsafePointer<CChar>?],
    _ body: (UnsafeMutableBufferPointer<UnsafePointer<CChar>?>) -> Result
) -> Result {
    guard let first = texts.first else {
        var all = pointers + [nil]
        return all.withUnsafeMutableBufferPointer { body($0) }
    }
    return first.withUnsafeBufferPointer {
        withPointers(to: texts.dropFirst(), pointers + [$0.baseAddress], body)
    }
}
