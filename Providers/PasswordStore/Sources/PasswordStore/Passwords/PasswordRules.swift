/// What a page allows in a password: the `passwordrules` of its field, as Apple defined them.
struct PasswordRules: Sendable {
    /// Characters, one of which must be in the password.
    private(set) var required: [[Character]] = []
    /// Characters that may be.
    private(set) var allowed: [Character] = []
    /// The fewest characters.
    private(set) var minimumLength: Int?
    /// The most characters.
    private(set) var maximumLength: Int?
    /// How often one character may follow itself.
    private(set) var maximumRun: Int?

    private static let lower = Array("abcdefghijklmnopqrstuvwxyz")
    private static let upper = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZ")
    private static let digits = Array("0123456789")
    /// The punctuation of the C locale, as `pass` uses it.
    static let punctuation = Array("!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~")
    /// The special characters of the rules: all punctuation of ASCII, and the space, which no password of ours has.
    static let alphanumeric = lower + upper + digits

    /// The most characters of rules that are read: a page may send any.
    private static let longestText = 2000

    /// Reads rules such as `minlength: 12; required: upper; allowed: [-_];`. What is not understood says nothing.
    init(_ text: String) {
        for rule in Self.split(text.prefix(Self.longestText), at: ";") {
            guard let colon = rule.firstIndex(of: ":") else { continue }
            let value = rule[rule.index(after: colon)...].trimmed
            switch rule[..<colon].trimmed.lowercased() {
            case "required":
                let characters = Self.characters(value)
                if !characters.isEmpty { required.append(characters) }
            case "allowed": allowed += Self.characters(value)
            case "minlength": minimumLength = Int(value).map { max($0, minimumLength ?? 0) } ?? minimumLength
            case "maxlength": maximumLength = Int(value).map { min($0, maximumLength ?? $0) } ?? maximumLength
            case "max-consecutive": maximumRun = Int(value).map { min($0, maximumRun ?? $0) } ?? maximumRun
            default: break
            }
        }
    }

    /// All characters that may be used; none when the rules do not say.
    var alphabet: [Character] {
        var seen: Set<Character> = []
        return (required.joined() + allowed).filter { seen.insert($0).inserted }
    }

    private static func characters(_ text: Substring) -> [Character] {
        split(text, at: ",").flatMap { part -> [Character] in
            let name = part.trimmed
            if name.hasPrefix("["), name.hasSuffix("]"), name.count > 2 {
                return name.dropFirst().dropLast().filter { punctuation.contains($0) || alphanumeric.contains($0) }
            }
            switch name.lowercased() {
            case "lower": return lower
            case "upper": return upper
            case "digit": return digits
            case "special": return punctuation
            case "ascii-printable", "unicode": return alphanumeric + punctuation
            default: return []
            }
        }
    }

    /// The parts of a text; a separator between brackets is none.
    private static func split(_ text: some StringProtocol, at separator: Character) -> [Substring] {
        var parts: [Substring] = []
        let text = Substring(text)
        var start = text.startIndex
        var isInside = false
        for index in text.indices {
            if text[index] == "[" {
                isInside = true
            } else if text[index] == "]" {
                // `[]…]`: a bracket that stands first is one of the characters.
                isInside = isInside && text[..<index].last == "["
            } else if text[index] == separator, !isInside {
                parts.append(text[start..<index])
                start = text.index(after: index)
            }
        }
        return parts + [text[start...]]
    }
}

extension Substring {
    fileprivate var trimmed: Substring {
        let rest = drop(while: \.isWhitespace)
        return rest.lastIndex { !$0.isWhitespace }.map { rest[...$0] } ?? ""
    }
}
