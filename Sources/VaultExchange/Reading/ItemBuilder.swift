import CredentialExchange
import FoundationEssentials
import KeywayCrypto
import SecretDocuments
import ServiceMatching
import Vault

/// Puts an item together from the parts of an item of a document.
struct ItemBuilder {
    let limits: ItemLimits
    let holder: ([UInt8]) -> ItemReader.Holder?
    let content: ([UInt8]) -> FileContent?
    var draft = ItemDraft(title: "", marks: ItemMarks(source: .imported))
    var notices: [String] = []
    var unusable = UnusableCredentials()
    /// Why something that may be all there is isn't stored.
    var refusals: [String] = []
    var holders: [ItemID] = []
    /// What is said of the item as a whole and no field is for.
    var rest: [SectionMember] = []
    var hasLogin = false
    /// The passkey of a document of ours that the item may be.
    var wholePasskey: WholePasskey?

    // MARK: - The item

    /// The members of an item that have a place in the vault; all others are kept as they are.
    private static let known: Set<String> = [
        "id", "creationAt", "modifiedAt", "title", "subtitle", "favorite", "tags", "credentials", "scope", "extensions",
    ]

    mutating func take(_ item: ExchangeItem, _ origin: ImportOrigin, now: Int64) throws(VaultExchangeError) {
        draft.title = try name(item.title, "title", limits.titleCharacters)
        if let subtitle = item.subtitle {
            if subtitle.isEmpty { keep("subtitle", .text("")) }
            draft.subtitle = subtitle.isEmpty ? nil : try name(subtitle, "subtitle", limits.titleCharacters)
        }
        draft.marks.isFavorite = item.isFavorite
        draft.created = date(item.created, now)
        draft.modified = date(item.modified, now)
        draft.addresses = try list(item.urls, "address", limits.addresses, limits.addressCharacters)
        draft.tags = try list(item.tags + folder(of: origin), "tag", limits.tags, limits.tagCharacters)
        if origin.isForHTTP { draft.marks.use = .basic }
        if origin.isForForms { draft.marks.use = .forms }
        if let id = item.object["id"]?.publicText, let account = origin.account, !id.isEmpty {
            rest.append(SectionMember("id", text: id))
            if !account.isEmpty { rest.append(SectionMember(KeptMember.account, text: account)) }
        }
        takePlaces(origin.places, ownTags: item.tags)
        let others = (item.object["extensions"]?.elements ?? []).filter { !ImportOrigin.isName(of: $0) }
        if !others.isEmpty { keep("extensions", .array(others)) }
        if let scope = item.object["scope"]?.object?.without(["urls"]) {
            for member in scope.members where member.value.elements?.isEmpty != true {
                keep(member.name == "androidApps" ? "androidApps" : "scope." + member.name, member.value)
            }
        }
        for member in item.object.without(Self.known).members where !KeptMember.all.contains(member.name) {
            keep(member.name, member.value)
        }
    }

    /// Keeps what is said of the item as a whole.
    mutating func keep(_ name: String, _ value: JSONValue) {
        guard (1...255).contains(name.utf8.count) else {
            notices.append("Something that is said of the item is left out: its name is longer than any that is known.")
            return
        }
        rest.append(SectionMember(name, .json, JSONBytes.write(value)))
    }

    /// The folder of an entry of another format, as a tag.
    private func folder(of origin: ImportOrigin) -> [String] {
        let path = origin.places.isEmpty ? origin.folder.filter { !$0.isEmpty } : []
        return path.isEmpty ? [] : [path.joined(separator: "/")]
    }

    private func date(_ time: Int64?, _ now: Int64) -> Date? {
        ExchangeItem.corrected(time, now: now).map { Date(timeIntervalSince1970: Double($0)) }
    }

    // MARK: - Credentials

    mutating func take(_ part: ExchangePart) throws(VaultExchangeError) {
        switch part {
        case .login(let credential): try takeLogin(credential)
        case .notes(let credential): try takeNotes(credential)
        case .code(let setup, let credential): takeCode(setup, credential)
        case .codeLinks(let setups, _): takeCodes(setups)
        case .passkey(let passkey, let credential): takePasskey(passkey, credential)
        case .brokenPasskey(let reason): refusals.append(UnusableCredentials.notice(ofPasskey: reason))
        case .fields(let credential, let codes):
            if try !takeFields(credential) { try takeSection(credential) }
            takeCodes(codes)
        case .file(let credential): takeFile(credential)
        case .other(let credential): try takeSection(credential)
        case .unusable(let credential, let reason): keepUnread(credential, reason)
        }
    }

    /// A file, where what is in it is there.
    private mutating func takeFile(_ credential: ExchangeCredential) {
        guard let stated = credential.fileContent, let content = content(stated.hash), content.count == stated.size
        else { return keepUnread(credential, ExchangePart.fileElsewhere) }
        guard let section = ItemSection(credential), let name = section["name"],
            (1...StoredFile.longestName).contains(name.count),
            section["mediaType"].map({ $0.count <= StoredFile.longestName }) ?? true
        else { return keepUnread(credential, "has a name that no file has") }
        draft.contents.append(content)
        draft.sections.append(content.section(with: section.members))
    }

    /// Keeps a credential as it is, which nothing more can be done with.
    mutating func keepUnread(_ credential: ExchangeCredential, _ reason: String) {
        if let notice = unusable.notice(credential, reason) { notices.append(notice) }
        var members = [SectionMember("credential", .json, JSONBytes.write(.object(credential.object)))]
        if let label = credential.shownName { members.insert(SectionMember("label", text: label), at: 0) }
        draft.sections.append(ItemSection(.unread, members))
    }

    private mutating func takeLogin(_ credential: ExchangeCredential) throws(VaultExchangeError) {
        hasLogin = true
        draft.userName = try name(
            credential.field("username")?.value?.publicText ?? "", "user name", limits.userCharacters)
        draft.password = try credential.field("password")?.value.map { (text) throws(VaultExchangeError) in
            try secret(text, "password", limits.passwordBytes)
        }
        // As drafts of 2024 had it.
        let urls = (credential.object["urls"]?.elements ?? []).compactMap(\.publicText)
        if !urls.isEmpty {
            draft.addresses = try list(
                draft.addresses + urls, "address", limits.addresses, limits.addressCharacters)
        }
        let (hasUser, hasPassword) = (!draft.userName.isEmpty, draft.password != nil)
        guard !LoginForm.isUsual(credential.object, hasUser: hasUser, hasPassword: hasPassword) else { return }
        var object = credential.object.without(["urls"])
        object.dropValue(of: "username", unlessEmpty: !hasUser)
        object.dropValue(of: "password", unlessEmpty: !hasPassword)
        let usual = LoginForm.usual(hasUser: hasUser, hasPassword: hasPassword)
        if !object.isSame(as: usual) { keep(LoginForm.member, .object(object)) }
    }

    private mutating func takeNotes(_ credential: ExchangeCredential) throws(VaultExchangeError) {
        draft.notes = try credential.field("content")?.value.map { (text) throws(VaultExchangeError) in
            try secret(text, "notes", limits.notesBytes)
        }
        var object = credential.object.without([])
        object.dropValue(of: "content", unlessEmpty: false)
        if !object.isSame(as: NotesForm.usual) { keep(NotesForm.member, .object(object)) }
    }

    /// Fields that are nothing but a name and text.
    private mutating func takeFields(_ credential: ExchangeCredential) throws(VaultExchangeError) -> Bool {
        guard draft.fields.isEmpty, credential.object.without(["type", "fields"]).members.isEmpty else { return false }
        let elements = credential.object["fields"]?.elements ?? []
        guard (1...limits.fields).contains(elements.count) else { return false }
        var fields: [CustomField] = []
        for element in elements {
            guard let object = element.object?.without([]),
                object.without(["fieldType", "value", "label"]).members.isEmpty,
                case let field = ExchangeField(object), [.string, .concealed].contains(field.type),
                let label = field.label, label.count <= limits.fieldNameCharacters, !label.hasControlCharacters,
                case .string(let value)? = object["value"], value.count <= limits.fieldBytes
            else { return false }
            fields.append(
                CustomField(name: label, value: value.secret, isHidden: field.type == .concealed))
        }
        draft.fields = fields
        return true
    }

    /// Any other credential: a section of its type.
    mutating func takeSection(_ credential: ExchangeCredential) throws(VaultExchangeError) {
        guard let section = ItemSection(credential) else {
            keepUnread(credential, "has more parts than a section of an item")
            return
        }
        draft.sections.append(section)
    }

    // MARK: - The end

    mutating func finish() throws(VaultExchangeError) -> ImportedItem {
        takeWholePasskey()
        let hasContent = ImportedItem(draft: draft).hasContent
        if !hasContent {
            if !refusals.isEmpty && holders.isEmpty {
                throw VaultExchangeError(.malformed, refusals.joined(separator: " "))
            }
            if draft.title.isBlank && holders.isEmpty {
                throw VaultExchangeError(.empty, "The item has no title, and nothing is in it.")
            }
        }
        notices += refusals
        if draft.title.isBlank {
            draft.title = substitute
            rest.append(SectionMember(KeptMember.title, text: draft.title))
        }
        if !rest.isEmpty { draft.sections.append(ItemSection(.item, rest)) }
        guard draft.sections.count <= ItemSection.memberLimit, rest.count <= ItemSection.memberLimit else {
            throw VaultExchangeError(
                .tooLarge, "The item has more than \(ItemSection.memberLimit) parts.")
        }
        return ImportedItem(draft: draft, notices: notices, holders: holders)
    }

    /// What an item without a title is called.
    private var substitute: String {
        let address = draft.addresses.first.map { text in
            WrittenAddress(text, suffixes: .system)?.address.host.displayed ?? text
        }
        let site = draft.passkey?.relyingParty ?? draft.sections.lazy.compactMap { $0["rpId"]?.publicText }.first
        return [address, site, draft.userName].compactMap { $0 }.first { !$0.isBlank }
            .map { String($0.prefix(limits.titleCharacters)) } ?? "Untitled"
    }

    // MARK: - Limits

    /// Text that people read in lists: of one line.
    private mutating func name(_ text: String, _ what: String, _ limit: Int) throws(VaultExchangeError) -> String {
        // Characters may hold any number of scalars; the bytes are what storage and frames pay for.
        guard text.utf8.count <= limit || text.count <= limit && text.utf8.count <= limit * 4 else {
            throw VaultExchangeError(.tooLarge, "The \(what) has more than \(limit) characters.")
        }
        guard text.hasControlCharacters else { return text }
        notices.append("The \(what) has line breaks or other control characters, which become blanks.")
        return String(String.UnicodeScalarView(text.unicodeScalars.map { $0.isControl ? " " : $0 }))
    }

    private mutating func list(
        _ texts: [String], _ what: String, _ count: Int, _ limit: Int
    ) throws(VaultExchangeError) -> [String] {
        var (list, known): ([String], Set<String>) = ([], [])
        for text in texts where !text.isEmpty {
            let text = try name(text, what, limit)
            guard known.insert(text).inserted else { continue }
            guard list.count < count else {
                throw VaultExchangeError(
                    .tooLarge, "The item has more than \(count) values for “\(what)”, which is as many as fit.")
            }
            list.append(text)
        }
        return list
    }

    private func secret(_ text: SecretText, _ what: String, _ limit: Int) throws(VaultExchangeError) -> SecretBytes {
        guard text.count <= limit else {
            throw VaultExchangeError(.tooLarge, "The \(what) has more than \(limit) bytes.")
        }
        return text.secret
    }
}

extension Unicode.Scalar {
    /// Whether it is a line break, a tab or another character of control.
    var isControl: Bool { value < 0x20 || (0x7F...0x9F).contains(value) }
}

extension String {
    /// Whether a line break, a tab or another character of control is in it.
    var hasControlCharacters: Bool {
        // Most text is none of the bytes that such a character has.
        utf8.contains { $0 < 0x20 || $0 >= 0x7F } && unicodeScalars.contains(where: \.isControl)
    }

    /// Whether there is nothing to read in it.
    var isBlank: Bool { !contains { !$0.isWhitespace } }
}
