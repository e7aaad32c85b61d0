extension PasswordRules {
    /// The rules that `text` states. Nothing is refused: what is not understood says nothing, as in Apple's own tools.
    ///
    /// Of several numbers for one limit the strictest counts, several `allowed` come to one, and each `required` stands for
    /// itself. In a class of its own (`[…]`) a `-` counts where it is first, a `]` where it is last; `unicode` stands for
    /// what is printable in ASCII.
    package init(parsing text: String) {
        self.init()
        var reader = RuleReader(text.utf8.prefix(Self.longestText))
        while !reader.isAtEnd {
            let name = reader.word()
            // A rule without a colon, and one of another name, is passed over.
            if reader.take(":") {
                read(name, &reader)
            }
            reader.skipRule()
        }
    }

    private mutating func read(_ name: String, _ reader: inout RuleReader) {
        switch name {
        case "required":
            // `required: upper, lower` takes either.
            if let characters = reader.classes() { require(characters) }
        case "allowed":
            if let characters = reader.classes() { allow(characters) }
        case "minlength":
            if let number = reader.number() { limit(minimumLength: number) }
        case "maxlength":
            if let number = reader.number() { limit(maximumLength: number) }
        case "max-consecutive":
            if let number = reader.number() { limit(maximumRun: number) }
        default: break
        }
    }
}

/// Reads the parts of a rule from the front.
private struct RuleReader {
    private var rest: Substring.UTF8View.SubSequence

    init(_ text: Substring.UTF8View) {
        rest = text
        skipSpace()
    }

    var isAtEnd: Bool { rest.isEmpty }

    /// A sign, and the space after it.
    mutating func take(_ sign: Unicode.Scalar) -> Bool {
        guard rest.first == UInt8(ascii: sign) else { return false }
        rest.removeFirst()
        skipSpace()
        return true
    }

    /// Letters and hyphens, small; empty where there are none.
    mutating func word() -> String {
        let word = rest.prefix { byte in
            byte == UInt8(ascii: "-") || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
        }
        rest = rest[word.endIndex...]
        skipSpace()
        return String(decoding: word, as: UTF8.self).lowercased()
    }

    /// A number that is the whole of its rule; nil for anything else.
    mutating func number() -> Int? {
        let digits = rest.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        rest = rest[digits.endIndex...]
        skipSpace()
        guard isAtEnd || rest.first == UInt8(ascii: ";") else { return nil }
        return Int(String(decoding: digits, as: UTF8.self))
    }

    /// All characters of a list of classes; nil where none of them is one.
    mutating func classes() -> PasswordCharacters? {
        var found: PasswordCharacters?
        repeat {
            guard let next = oneClass() else { continue }
            found = (found ?? []).union(next)
        } while take(",")
        return found
    }

    private mutating func oneClass() -> PasswordCharacters? {
        if rest.first == UInt8(ascii: "[") { return ownClass() }
        switch word() {
        case "lower": return .lower
        case "upper": return .upper
        case "digit": return .digits
        case "special": return .special
        case "ascii-printable", "unicode": return .printable
        default: return nil
        }
    }

    /// `[…]`; nil where nothing ends it, or nothing stands in it.
    private mutating func ownClass() -> PasswordCharacters? {
        rest.removeFirst()
        let end = UInt8(ascii: "]")
        var members: [UInt8] = []
        var isFirst = true
        while let byte = rest.popFirst() {
            if byte == end {
                // The last of two ends the class; the one before it is a member.
                guard rest.first == end else {
                    skipSpace()
                    return members.isEmpty ? nil : PasswordCharacters(members)
                }
            }
            if byte != UInt8(ascii: "-") || isFirst { members.append(byte) }
            isFirst = false
        }
        return nil
    }

    /// Passes over what is left of a rule, whose classes may hold the sign that separates rules.
    mutating func skipRule() {
        while let byte = rest.first {
            switch byte {
            case UInt8(ascii: ";"):
                rest.removeFirst()
                return skipSpace()
            case UInt8(ascii: "["): _ = ownClass()
            default: rest.removeFirst()
            }
        }
    }

    private mutating func skipSpace() {
        rest = rest.drop { [0x20, 0x09, 0x0a, 0x0c, 0x0d].contains($0) }
    }
}
