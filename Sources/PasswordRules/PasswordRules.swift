/// What a site takes as a password, in the language of the `passwordrules` attribute of HTML.
///
/// The language is Apple's (Customizing Password AutoFill Rules): `required` and `allowed` name classes of characters,
/// `minlength`, `maxlength` and `max-consecutive` are numbers, and rules are separated by `;`.
package struct PasswordRules: Hashable, Sendable {
    /// Of each of these, a password has at least one character.
    package private(set) var required: Set<PasswordCharacters> = []
    /// The characters beside those that are required; nil where nothing is said.
    package private(set) var allowed: PasswordCharacters?
    /// The fewest characters; nil where nothing is said.
    package private(set) var minimumLength: Int?
    /// The most characters; nil where nothing is said.
    package private(set) var maximumLength: Int?
    /// How many times in a row a character may stand; nil where nothing is said.
    package private(set) var maximumRun: Int?

    /// The longest text that is read, in bytes: a page may state any.
    package static let longestText = 4096

    /// Rules that say nothing.
    package init() {}

    /// Rules of a program.
    package init(
        required: Set<PasswordCharacters> = [], allowed: PasswordCharacters? = nil, minimumLength: Int? = nil,
        maximumLength: Int? = nil, maximumRun: Int? = nil
    ) {
        self.required = required
        self.allowed = allowed
        self.minimumLength = minimumLength
        self.maximumLength = maximumLength
        self.maximumRun = maximumRun
    }

    /// Whether something is said about which characters a password has.
    package var namesCharacters: Bool { !required.isEmpty || allowed != nil }

    /// All characters that a password may have. Where rules name none, all printable ones; where they name required ones
    /// alone, those.
    package var alphabet: PasswordCharacters {
        guard namesCharacters else { return .printable }
        return required.reduce(allowed ?? []) { $0.union($1) }
    }

    /// Whether `password` keeps the rules.
    package func isKept(by password: some Collection<UInt8>) -> Bool {
        guard password.count >= minimumLength ?? 0, password.count <= maximumLength ?? .max else { return false }
        var found: UInt128 = 0
        for byte in password {
            guard byte < 128 else { return false }
            found |= 1 << UInt128(byte)
        }
        // Control characters are no members of a set, and so are looked for here.
        guard found & ~alphabet.rawValue == 0 else { return false }
        let characters = PasswordCharacters(rawValue: found)
        guard required.allSatisfy({ !$0.isDisjoint(with: characters) }) else { return false }
        return maximumRun.map { Self.longestRun(of: password) <= $0 } ?? true
    }

    private static func longestRun(of password: some Collection<UInt8>) -> Int {
        var (longest, run, last) = (0, 0, UInt8?.none)
        for byte in password {
            run = byte == last ? run + 1 : 1
            last = byte
            longest = max(longest, run)
        }
        return longest
    }

    // MARK: - Several rules at a time

    /// The rules that hold where both hold: what is required by one is required, and what may be is what both let be.
    package func and(_ other: PasswordRules) -> PasswordRules {
        var both = self
        both.minimumLength = Self.stricter(minimumLength, other.minimumLength, max)
        both.maximumLength = Self.stricter(maximumLength, other.maximumLength, min)
        both.maximumRun = Self.stricter(maximumRun, other.maximumRun, min)
        guard namesCharacters, other.namesCharacters else {
            both.required = required.union(other.required)
            both.allowed = allowed ?? other.allowed
            return both
        }
        let common = alphabet.intersection(other.alphabet)
        both.required = Set(required.union(other.required).map { $0.intersection(common) })
        both.allowed = common
        return both
    }

    /// The rules for a password that goes into a form: what its fields state, with the lengths and runs of a public list,
    /// and the characters of that list where the fields name none.
    ///
    /// - Parameters:
    ///   - field: the rules of the field; nil where it states none.
    ///   - confirmation: the rules of the field that repeats it.
    ///   - quirks: those that are known of the site.
    package static func forForm(
        field: PasswordRules?, confirmation: PasswordRules?, quirks: PasswordRules?
    ) -> PasswordRules {
        var stated = (field ?? PasswordRules()).and(confirmation ?? PasswordRules())
        guard let quirks, !stated.namesCharacters else { return stated }
        // What the page says of itself is newer than what a list says of it.
        stated.required = quirks.required
        stated.allowed = quirks.allowed
        stated.maximumRun = stated.maximumRun ?? quirks.maximumRun
        let (least, most) = (stated.minimumLength, stated.maximumLength)
        stated.minimumLength = least ?? quirks.minimumLength.map { min($0, most ?? $0) }
        stated.maximumLength = most ?? quirks.maximumLength.map { max($0, least ?? $0) }
        return stated
    }

    private static func stricter(_ one: Int?, _ other: Int?, _ choose: (Int, Int) -> Int) -> Int? {
        guard let one, let other else { return one ?? other }
        return choose(one, other)
    }

    // MARK: - Taking up what a text says

    mutating func require(_ characters: PasswordCharacters) { required.insert(characters) }

    mutating func allow(_ characters: PasswordCharacters) { allowed = (allowed ?? []).union(characters) }

    mutating func limit(minimumLength: Int) { self.minimumLength = max(minimumLength, self.minimumLength ?? 0) }

    mutating func limit(maximumLength: Int) { self.maximumLength = min(maximumLength, self.maximumLength ?? .max) }

    mutating func limit(maximumRun: Int) { self.maximumRun = min(maximumRun, self.maximumRun ?? .max) }
}
