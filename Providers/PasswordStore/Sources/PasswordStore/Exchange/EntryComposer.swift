import AuthenticationServices

/// Puts the lines of an entry together from the credentials of an item.
struct EntryComposer {
    /// The first line.
    private(set) var password = ""
    private(set) var user = ""
    /// The lines that have a key, without those that depend on the entry's name.
    private(set) var lines: [String] = []
    /// The links for codes.
    private(set) var links: [String] = []
    /// Text below an empty line.
    private(set) var notes: [String] = []
    /// What isn't carried, or only in another form: sentences.
    private(set) var notices: [String] = []
    /// Whether a line that a person named could be taken for the user or the title.
    private(set) var hasUserKey = false
    private(set) var hasTitleKey = false
    private var logins = 0
    private static let longestKey = 100

    /// Takes all of an item but its title, its addresses and where it lies.
    init(_ item: ASImportableItem) {
        if let subtitle = item.subtitle?.nonEmpty { add("subtitle", subtitle) }
        for tag in item.tags { add("tag", tag) }
        if item.favorite { tell("A password store can't say that it is a favorite.") }
        if item.scope?.androidApps.isEmpty == false {
            tell("A password store can't say which apps of Android it is for.")
        }
        for credential in item.credentials { take(credential) }
    }

    /// Whether there is anything but what says where the item is used.
    var hasContent: Bool {
        !password.isEmpty || !user.isEmpty || !lines.isEmpty || !links.isEmpty || !notes.isEmpty
    }

    // MARK: Credentials

    private mutating func take(_ credential: ASImportableCredential) {
        switch credential {
        case .basicAuthentication(let login): take(login)
        case .generatedPassword(let generated): take(password: generated.password, "generated password")
        case .totp(let code): take(code)
        case .note(let note): if !note.content.value.isEmpty { notes.append(note.content.value) }
        case .customFields(let fields): take(fields)
        case .passkey(let passkey):
            tell(
                "A password store has no place for passkeys. The one for \(passkey.relyingPartyIdentifier) isn't carried."
            )
        case .itemReference: tell("A password store has no place for links to other items.")
        default:
            guard let fields = ReadableFields(credential) else { return }
            for (name, value) in fields.values { if let value { add(name, value) } }
            tell("Its \(fields.kind) becomes lines of text.")
        }
    }

    private mutating func take(_ login: ASImportableCredential.BasicAuthentication) {
        let (name, secret) = (login.userName?.value ?? "", login.password?.value ?? "")
        guard !name.isEmpty || !secret.isEmpty else { return }
        logins += 1
        guard logins > 1 else {
            user = name
            return take(password: secret, "password")
        }
        add("user \(logins)", name)
        add("password \(logins)", secret)
        tell("An entry of a password store is for one sign-in. Its others become lines of text.")
    }

    private mutating func take(password secret: String, _ key: String) {
        let isLink = secret.drop { " \t\r".contains($0) }.hasPrefix("otpauth://")
        if password.isEmpty, !isLink, Self.isOneLine(secret) {
            password = secret
        } else {
            add(key, secret)
        }
    }

    private mutating func take(_ code: ASImportableCredential.TOTP) {
        if !(6...8).contains(code.digits) || code.period == 0 {
            tell("Its codes have another form than those of pass. The link for them is kept.")
        }
        addLink(EntryCode.link(code))
    }

    private mutating func addLink(_ link: String) {
        if links.count == 1 { tell("pass makes the codes of the first link alone. The others are kept.") }
        links.append(link)
    }

    private mutating func take(_ section: ASImportableCredential.CustomFields) {
        if section.label == EntryKeys.codes {
            for field in section.fields { takeLink(field.value) }
            return
        }
        for field in section.fields {
            let label = field.label?.nonEmpty ?? "field"
            add(section.label?.nonEmpty.map { "\($0), \(label)" } ?? label, field.value)
        }
    }

    private mutating func takeLink(_ link: String) {
        if let counted = EntryCode.countedLink(link) {
            addLink(counted)
            tell("Its codes are counted: make them with only one of the two providers from now on.")
        } else {
            add("code", link)
            tell("Its codes are of a kind that pass doesn't make. The link for them becomes a line of text.")
        }
    }

    // MARK: Lines

    /// Adds `key: value`; what isn't one line becomes text.
    private mutating func add(_ label: String, _ value: String) {
        guard !value.isEmpty else { return }
        let key = Self.key(label)
        if key != label { tell("A part of it is called “\(key)” now: names of lines are short and have no colon.") }
        if EntryKeys.user.contains(key.lowercased()) { hasUserKey = true }
        if EntryKeys.title.contains(key.lowercased()) { hasTitleKey = true }
        if Self.isOneLine(value), value.trimmingCharacters(in: .whitespaces) == value {
            lines.append("\(key): \(value)")
        } else {
            notes.append("\(key):\n\(value)")
            tell("“\(key)” isn't one line, and becomes text below the others.")
        }
    }

    private static func key(_ label: String) -> String {
        let plain = String(label.map { $0 == ":" || $0.isNewline || $0 == "\0" || $0 == "\t" ? " " : $0 })
        var key = ""
        for character in plain.trimmingCharacters(in: .whitespaces) {
            guard key.utf8.count + character.utf8.count <= longestKey else { break }
            key.append(character)
        }
        return key.trimmingCharacters(in: .whitespaces).nonEmpty ?? "field"
    }

    /// Whether text can be one line of an entry.
    static func isOneLine(_ text: String) -> Bool {
        !text.utf8.contains(UInt8(ascii: "\n")) && !text.utf8.contains(UInt8(ascii: "\r"))
    }

    private mutating func tell(_ notice: String) {
        if !notices.contains(notice) { notices.append(notice) }
    }
}
