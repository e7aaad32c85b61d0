package import KeywayCrypto

/// Makes passwords: of those of one length that keep the rules, each is as likely as every other.
package struct PasswordGenerator: Sendable {
    /// The length that is made where the rules allow it.
    package static let usualLength = 20
    /// The longest password that is made.
    package static let maximumLength = 256

    /// How often is drawn before the rules count as too narrow.
    private static let maximumTries = 20_000
    /// Letters between hyphens, where nothing is said about characters.
    private static let group = 6

    /// What the password keeps.
    package let rules: PasswordRules

    /// Makes passwords that keep `rules`.
    package init(_ rules: PasswordRules) {
        self.rules = rules
    }

    /// A new password, ASCII.
    ///
    /// Where the rules name no characters and allow 20, it has the form `xxxxxx-xxxxxx-xxxxxx` with one capital letter and
    /// one digit, which is easy to type elsewhere. Otherwise it has 20 characters, or as many as come closest to that.
    ///
    /// - Throws: ``PasswordRulesError`` where no password keeps the rules, or so few that none is found.
    package func generate(random: any RandomSource = SystemRandomSource()) throws(PasswordRulesError) -> SecretBytes {
        let length = try length()
        let (isGrouped, characters) = (length == Self.usualLength && !rules.namesCharacters, drawn)
        var bytes = RandomBytes(random)
        return try SecretBytes(count: length) { (room) throws(PasswordRulesError) in
            for _ in 0..<Self.maximumTries {
                // Whole passwords are drawn until one keeps the rules: mending one would make some likelier than others.
                if isGrouped {
                    drawGroups(into: room, &bytes)
                } else {
                    for place in room.indices { room[place] = characters[bytes.number(below: characters.count)] }
                }
                if rules.isKept(by: room) { return }
            }
            throw PasswordRulesError(.tooNarrow, "too much is required of too few characters")
        }
    }

    // MARK: - What can be made

    private func length() throws(PasswordRulesError) -> Int {
        let least = max(rules.minimumLength ?? 1, disjointClasses, 1)
        let most = rules.maximumLength ?? Self.maximumLength
        guard !rules.required.contains([]), !rules.alphabet.isEmpty else {
            throw PasswordRulesError(.impossible, "a required character isn't allowed")
        }
        guard rules.maximumRun ?? 1 > 0 else {
            throw PasswordRulesError(.impossible, "no character may stand in it even once")
        }
        guard least <= most else {
            throw PasswordRulesError(.impossible, "it needs at least \(least) characters, and at most \(most)")
        }
        guard least <= Self.maximumLength else {
            throw PasswordRulesError(
                .impossible, "it needs \(least) characters, and Keyway makes \(Self.maximumLength)")
        }
        let length = min(max(Self.usualLength, least), most)
        guard rules.alphabet.count > 1 || length <= rules.maximumRun ?? .max else {
            throw PasswordRulesError(.impossible, "the only character may not follow itself so often")
        }
        return length
    }

    /// How many of the required classes share no character: a password has at least as many.
    private var disjointClasses: Int {
        var (count, seen) = (0, PasswordCharacters())
        for characters in rules.required.sorted(by: { $0.count < $1.count }) where seen.isDisjoint(with: characters) {
            count += 1
            seen.formUnion(characters)
        }
        return count
    }

    /// What is drawn from: no space where there is something else, and where none is required.
    private var drawn: [UInt8] {
        let visible = rules.alphabet.subtracting(.space)
        return (visible.isEmpty || rules.required.contains(.space) ? rules.alphabet : visible).bytes
    }

    // MARK: - Drawing

    /// Small letters in groups; a capital one and a digit each at a place of their own.
    private func drawGroups(into room: UnsafeMutableRawBufferPointer, _ bytes: inout RandomBytes) {
        for place in room.indices {
            let isHyphen = place % (Self.group + 1) == Self.group
            room[place] = isHyphen ? UInt8(ascii: "-") : UInt8(ascii: "a") + UInt8(bytes.number(below: 26))
        }
        let letters = Self.usualLength - 2
        let capital = bytes.number(below: letters)
        let other = bytes.number(below: letters - 1)
        let digit = other < capital ? other : other + 1
        room[Self.place(ofLetter: capital)] = UInt8(ascii: "A") + UInt8(bytes.number(below: 26))
        room[Self.place(ofLetter: digit)] = UInt8(ascii: "0") + UInt8(bytes.number(below: 10))
    }

    private static func place(ofLetter index: Int) -> Int { index + index / group }
}

/// Random bytes, taken from their source many at a time.
private struct RandomBytes {
    private static let blockSize = 512
    private let source: any RandomSource
    private var block: SecretBytes
    private var used = 0

    init(_ source: any RandomSource) {
        self.source = source
        block = source.secretBytes(Self.blockSize)
    }

    /// A number in `0 ..< bound`, every one as likely as the other; `bound` is 1 to 256.
    mutating func number(below bound: Int) -> Int {
        // The highest `256 mod bound` values would favour low numbers.
        let limit = 256 - 256 % bound
        while true {
            let candidate = Int(next())
            if candidate < limit { return candidate % bound }
        }
    }

    private mutating func next() -> UInt8 {
        if used == Self.blockSize {
            block = source.secretBytes(Self.blockSize)
            used = 0
        }
        defer { used += 1 }
        return block.withUnsafeBytes { $0[used] }
    }
}
