import AutoFillWire
import FoundationEssentials
import KeywayCrypto
import KeywaySystem
import PasswordsProtocol
import Vault

extension PasswordsProtocol.ItemSummary {
    /// What a client sees of a stored item.
    init(_ stored: StoredSummary) {
        self.init(stored, place: ItemRanking([]).place(of: stored.addresses))
    }

    /// The same, where services ask for it.
    init(_ stored: StoredSummary, place: String?, code: Int? = nil) {
        // What says of an item where it came from is for whoever exports it.
        let sections = stored.sections.filter { $0.type != .item }
        self.init(
            id: stored.id.description, title: stored.title, user: stored.userName, addresses: stored.addresses,
            tags: stored.tags, created: stored.created.timeIntervalSince1970,
            modified: stored.modified.timeIntervalSince1970, hasPassword: stored.hasPassword,
            passkey: stored.passkey.map {
                PasskeySummary(
                    relyingParty: $0.relyingParty, credentialID: Data($0.credentialID), userHandle: Data($0.userHandle))
            },
            hidden: stored.hidden?.timeIntervalSince1970, formerUser: stored.formerName,
            place: place, sections: sections.isEmpty ? nil : sections.map { SectionSummary($0) },
            code: code,
            use: stored.marks.use == .everywhere ? nil : ItemUse(stored.marks.use))
    }
}

extension ItemUse {
    fileprivate init(_ stored: ItemMarks.Use) {
        self =
            switch stored {
            case .everywhere: .everywhere
            case .forms: .forms
            case .basic: .basic
            }
    }
}

extension ItemMarks.Use {
    fileprivate init(_ use: ItemUse) {
        self =
            switch use {
            case .everywhere: .everywhere
            case .forms: .forms
            case .basic: .basic
            }
    }
}

extension ItemDraft {
    /// A new item; everything is checked against ``ItemBounds``.
    init(_ item: ItemChange) throws(ProtocolError) {
        guard let title = item.title else {
            throw ProtocolError(.invalidParameters, "The title is missing: an item needs one.")
        }
        let changes = try ItemChanges(item)
        self.init(
            title: try ItemBounds.title(title), userName: changes.userName ?? "", password: changes.password,
            addresses: changes.addresses ?? [], notes: changes.notes, tags: changes.tags ?? [],
            fields: changes.fields ?? [], marks: ItemMarks(use: changes.use ?? .everywhere))
    }
}

extension ItemChanges {
    /// The changes that a client asks for; everything is checked against ``ItemBounds``.
    init(_ change: ItemChange) throws(ProtocolError) {
        self.init()
        if let text = change.title { title = try ItemBounds.title(text) }
        if let text = change.user { userName = try ItemBounds.user(text) }
        if let texts = change.addresses { addresses = try ItemBounds.addresses(texts) }
        if let texts = change.tags { tags = try ItemBounds.tags(texts) }
        if let secret = change.password {
            password = try SecretBytes(secret, "password", limit: ItemBounds.passwordBytes)
        }
        if let secret = change.notes { notes = try SecretBytes(secret, "notes", limit: ItemBounds.notesBytes) }
        if let given = change.fields { fields = try Self.fields(given) }
        use = change.use.map { ItemMarks.Use($0) }
        for number in change.removedSections ?? [] {
            guard let number = UInt16(exactly: number) else {
                throw ProtocolError(.notFound, "The item has no section \(number).")
            }
            sections.append(.remove(number))
        }
    }

    private static func fields(_ given: [PasswordsProtocol.CustomField]) throws(ProtocolError) -> [StoredField] {
        try ItemBounds.fieldCount(given.count)
        var fields: [StoredField] = []
        for field in given {
            guard let value = field.value else {
                throw ProtocolError(.invalidParameters, "A field has no value.")
            }
            fields.append(
                StoredField(
                    name: try ItemBounds.fieldName(field.name),
                    value: try SecretBytes(value, "value of a field", limit: ItemBounds.fieldBytes),
                    isHidden: field.isHidden))
        }
        return fields
    }
}

extension ShowItem.Result {
    /// How many former passwords are shown.
    private static let formerPasswords = 10

    /// What was asked for of an item whose secrets have been opened.
    init(_ summary: StoredSummary, _ body: ItemBody, _ parts: Set<ShowItem.Part>) throws(ProtocolError) {
        let password = parts.contains(.password) ? body.password : nil
        let notes = parts.contains(.notes) ? body.notes : nil
        var fields: [PasswordsProtocol.CustomField] = []
        for field in body.fields {
            let value = parts.contains(.fields) ? try Attachment(field.value) : nil
            fields.append(.init(name: field.name, isHidden: field.isHidden, value: value))
        }
        var history: [FormerPassword] = []
        for past in parts.contains(.history) ? body.history.prefix(Self.formerPasswords) : [] {
            history.append(
                FormerPassword(
                    replaced: past.replaced.timeIntervalSince1970, password: try Attachment(past.password)))
        }
        self.init(
            summary: PasswordsProtocol.ItemSummary(summary), password: try Self.attach(password),
            notes: try Self.attach(notes), fields: fields, history: history)
    }

    private static func attach(_ secret: SecretBytes?) throws(ProtocolError) -> Attachment? {
        guard let secret else { return nil }
        return try Attachment(secret)
    }
}
