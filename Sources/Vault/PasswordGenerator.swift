package import KeywayCrypto

/// Kinds of characters that a generated password can be made of.
package enum CharacterClass: String, CaseIterable, Sendable {
    /// `a` to `z`.
    case lowercase
    /// `A` to `Z`.
    case uppercase
    /// `0` to `9`.
    case digits
    /// The ASCII punctuation characters.
    case symbols

    /// Characters that are easily taken for each other in print.
    static let ambiguous = Array("Il1O0o|`'\"".utf8)

    /// The characters of the class, ASCII.
    package var characters: [UInt8] {
        switch self {
        case .lowercase: Array(0x61...0x7a)
        case .uppercase: Array(0x41...0x5a)
        case .digits: Array(0x30...0x39)
        case .symbols: Array(0x21...0x2f) + Array(0x3a...0x40) + Array(0x5b...0x60) + Array(0x7b...0x7e)
        }
    }
}

/// Makes passwords: every password that follows the rule is as likely as every other.
package struct PasswordGenerator: Sendable {
    /// The longest password that is made.
    package static let maximumLength = 1024

    /// How many characters.
    package var length: Int
    /// What they are taken from; at least one of each class is in the password.
    package var classes: Set<CharacterClass>
    /// Whether to leave out characters that look alike.
    package var avoidsAmbiguous: Bool

    /// Makes a rule; the default passes nearly every site: 20 characters of all classes.
    package init(
        length: Int = 20, classes: Set<CharacterClass> = Set(CharacterClass.allCases), avoidsAmbiguous: Bool = false
    ) {
        self.length = length
        self.classes = classes
        self.avoidsAmbiguous = avoidsAmbiguous
    }

    /// A new password, ASCII.
    ///
    /// - Throws: `invalid` when no password can follow the rule: no class, fewer characters than classes, or more than
    ///   ``maximumLength``.
    package func generate(random: any RandomSource = SystemRandomSource()) throws(VaultError) -> SecretBytes {
        guard !classes.isEmpty else { throw VaultError(.invalid, "a password needs a class of characters") }
        guard length >= classes.count, length <= Self.maximumLength else {
            throw VaultError(
                .invalid,
                "a password with \(classes.count) classes has \(classes.count) to \(Self.maximumLength) characters")
        }
        let sets = classes.map { characters(of: $0) }
        let all = sets.flatMap { $0 }.sorted()
        return SecretBytes(count: length) { room in
            // Whole passwords are drawn until one has every class: mending one would make some likelier than others.
            repeat {
                for place in room.indices { room[place] = all[Int(random.number(below: UInt32(all.count)))] }
            } while !sets.allSatisfy { set in room.contains { set.contains($0) } }
        }
    }

    private func characters(of kind: CharacterClass) -> [UInt8] {
        avoidsAmbiguous ? kind.characters.filter { !CharacterClass.ambiguous.contains($0) } : kind.characters
    }
}
