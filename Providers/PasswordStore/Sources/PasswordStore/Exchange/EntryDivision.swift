/// An entry taken apart for another manager. What it holds is text from here on, since that is what the API hands over.
struct EntryDivision {
    /// A line `key: value`.
    struct Field {
        let key: String
        let value: String
    }

    /// The first line, where it is a password.
    let password: String?
    /// The lines with a key.
    private(set) var fields: [Field] = []
    /// Where the links for codes stand.
    let links: [Range<Int>]
    /// Everything else.
    private(set) var notes: String?

    /// Takes an entry apart; nil where some of it is no text.
    ///
    /// Where the lines below the password all have a key, up to an empty one, what follows is text as it stands there: that
    /// is how ``ItemEntry`` writes notes. In other entries, lines with a key are fields wherever they stand, as they are to
    /// ``EntryContents``.
    init?(_ contents: EntryContents) {
        guard contents.bytes.withBytes({ String(validating: $0, as: UTF8.self) }) != nil else { return nil }
        password = try? contents.password()
        links = contents.links
        var isInNotes = false
        let hasBlock = Self.beginsWithBlock(contents)
        var text: [String] = []
        for line in contents.lines {
            switch line {
            case .link: continue
            case .field(let field) where !isInNotes:
                fields.append(Field(key: field.key, value: contents.bytes.text(field.value) ?? ""))
            case .field(let field): text.append(contents.bytes.text(field.line) ?? "")
            case .text(let place):
                let line = contents.bytes.text(place) ?? ""
                if hasBlock, !isInNotes {
                    isInNotes = true
                } else {
                    text.append(line)
                }
            }
        }
        if !hasBlock {
            text = Array(text.drop(while: Self.isBlank))
            while text.last.map(Self.isBlank) == true { text.removeLast() }
        }
        if text.contains(where: { !$0.isEmpty }) { notes = text.joined(separator: "\n") }
    }

    private static func beginsWithBlock(_ contents: EntryContents) -> Bool {
        guard case .text(let place)? = contents.lines.first(where: { if case .text = $0 { true } else { false } }),
            let line = contents.bytes.text(place), isBlank(line)
        else { return false }
        return contents.fields.first.map { $0.line.lowerBound < place.lowerBound } == true
            || contents.links.contains {
                $0.lowerBound < place.lowerBound && $0.lowerBound >= contents.firstLine.upperBound
            }
    }

    private static func isBlank(_ line: String) -> Bool { !line.contains { !$0.isWhitespace } }

    /// Takes out the first field with one of these keys, in any case.
    mutating func take(_ keys: Set<String>) -> String? {
        fields.firstIndex { keys.contains($0.key.lowercased()) && !$0.value.isEmpty }.map {
            fields.remove(at: $0).value
        }
    }

    /// Takes out all fields with one of these keys that `isMeant` takes.
    mutating func takeAll<Value>(_ keys: Set<String>, _ isMeant: (String) -> Value?) -> [Value] {
        var (values, rest) = ([Value](), [Field]())
        for field in fields {
            if keys.contains(field.key.lowercased()), let value = isMeant(field.value) {
                values.append(value)
            } else {
                rest.append(field)
            }
        }
        fields = rest
        return values
    }
}

/// The keys of lines that say more than a field does.
enum EntryKeys {
    static let user: Set<String> = ["user", "username", "login"]
    static let address: Set<String> = ["url", "uri"]
    static let title: Set<String> = ["title"]
    static let subtitle: Set<String> = ["subtitle"]
    static let tag: Set<String> = ["tag"]
    static let all = user.union(address).union(title).union(subtitle).union(tag)
    /// What a section of links is called among managers: codes that the exchange has no type for.
    static let codes = "One-time codes"
}
