package import CredentialExchange
import FoundationEssentials
import KeywayCrypto
import SecretDocuments
package import Vault

/// An item of the vault as an item of a document, with what the document can't say of it.
package struct ExchangedItem: Sendable {
    /// The item.
    package let item: ExchangeItem
    /// What is missing, and why: sentences.
    package let losses: [String]
    /// The collections that it lies in.
    package let places: [ExchangePlace]
    /// The files of it that the document names: the numbers of their sections, their names, and the SHA-256 of what is in
    /// them, which isn't part of the document.
    package let files: [(section: UInt16, name: String, hash: [UInt8])]

    /// Writes an item.
    ///
    /// - Parameters:
    ///   - body: what is secret in it.
    ///   - sections: those of its sections that can be read, in their order.
    ///   - taken: the identifiers that other items of the document have.
    ///   - references: where items are in the document that others refer to.
    package init(
        _ summary: ItemSummary, _ body: ItemBody, _ sections: [ItemSection], taken: inout Set<String>,
        references: ExchangedReferences = ExchangedReferences()
    ) {
        var writer = ItemWriter(summary, body, sections, references)
        let id = KeptItem(sections).identifier(of: summary.id, taken)
        taken.insert(id)
        item = ExchangeItem(writer.object(id))
        losses = writer.losses
        files = writer.files
        places = writer.places.map(\.place)
    }
}

/// Puts an item of a document together.
private struct ItemWriter {
    let summary: ItemSummary
    let body: ItemBody
    let sections: [ItemSection]
    /// What an import kept of the item that no field is for, by the names of its members.
    let rest: KeptItem
    let references: ExchangedReferences
    /// The collections that it lies in: those whose tags it still has.
    let places: [KeptPlace]
    var losses: [String] = []
    var files: [(section: UInt16, name: String, hash: [UInt8])] = []

    init(
        _ summary: ItemSummary, _ body: ItemBody, _ sections: [ItemSection], _ references: ExchangedReferences
    ) {
        self.summary = summary
        self.body = body
        self.sections = sections
        self.references = references
        rest = KeptItem(sections)
        places = (rest.json(KeptMember.collections)?.elements ?? []).compactMap { KeptPlace($0) }
            .filter { place in place.tag.map { summary.tags.contains($0) } ?? true }
    }

    private func kept(_ name: String) -> JSONValue? { rest.json(name) }

    /// The tags that it has for itself, not for the collections that it lies in.
    private var tags: [String] {
        let implied = Set(places.filter { !$0.isOwn }.compactMap(\.tag))
        return summary.tags.filter { !implied.contains($0) }
    }

    mutating func object(_ id: String) -> JSONObject {
        if !body.history.isEmpty { losses.append("The format has no place for former passwords.") }
        if summary.hidden != nil { losses.append("The format can't say that an item is hidden.") }
        if sections.count < summary.sections.count {
            losses.append("A part of the item was written by a newer version of Keyway.")
        }
        var members: [JSONObject.Member] = [
            .init("id", .text(id)), .init("creationAt", Self.time(summary.created)),
            .init("modifiedAt", Self.time(summary.modified)),
            .init("title", .text(rest.text(KeptMember.title) == summary.title ? "" : summary.title)),
        ]
        if let subtitle = summary.subtitle { members.append(.init("subtitle", .text(subtitle))) }
        if summary.marks.isFavorite { members.append(.init("favorite", .boolean(true))) }
        let scope = scope
        if !scope.members.isEmpty { members.append(.init("scope", .object(scope))) }
        members.append(.init("credentials", .array(credentials().map { .object($0) })))
        let tags = tags
        if !tags.isEmpty { members.append(.init("tags", .array(tags.map { .text($0) }))) }
        let extensions = extensions
        if !extensions.isEmpty { members.append(.init("extensions", .array(extensions))) }
        let own = KeptMember.all.union(["id", "androidApps", "extensions", LoginForm.member, NotesForm.member])
        for member in rest.members where !own.contains(member.name) && !member.name.hasPrefix("scope.") {
            guard !members.contains(where: { $0.name == member.name }), let value = kept(member.name) else { continue }
            members.append(.init(member.name, value))
        }
        return JSONObject(members)
    }

    private static func time(_ date: Date) -> JSONValue {
        .integer(Int64(clamping: Int(date.timeIntervalSince1970.rounded(.down))))
    }

    /// Where it is used. Of a passkey its site says that.
    private var scope: JSONObject {
        var scope = JSONObject()
        let isImplied = summary.passkey.map { summary.addresses == [$0.relyingParty] } ?? false
        let apps = kept("androidApps")
        if !isImplied, !summary.addresses.isEmpty || apps != nil {
            scope["urls"] = .array(summary.addresses.map { .text($0) })
            // The format wants both, also where one is empty.
            scope["androidApps"] = apps ?? .array([])
        }
        for member in rest.members where member.name.hasPrefix("scope.") {
            if let value = kept(member.name) { scope[String(member.name.dropFirst("scope.".count))] = value }
        }
        return scope
    }

    private var extensions: [JSONValue] {
        let others = kept("extensions")?.elements ?? []
        switch summary.marks.use {
        case .everywhere: return others
        case .basic: return others + [own(.init("http", .boolean(true)))]
        case .forms: return others + [own(.init("use", .text(ImportOrigin.forms)))]
        }
    }

    private func own(_ member: JSONObject.Member) -> JSONValue {
        .object(JSONObject([.init("name", .text(ImportOrigin.name)), member]))
    }

    // MARK: - Credentials

    private mutating func credentials() -> [JSONObject] {
        var credentials = [login, notes, fields, passkey].compactMap { $0 }
        var codes: [ExchangeField] = []
        let numbers = summary.sections.filter(\.isReadable).map(\.number)
        for (number, section) in zip(numbers, sections) where section.type != .item {
            switch section.type {
            case .steam where section["algorithm"] != nil: credentials.append(SectionCredential.object(of: section))
            case .itemReference:
                credentials.append(
                    references.resolving(SectionCredential.object(of: section), from: rest.text(KeptMember.account)))
            case .hotp, .steam:
                if let link = try? SectionCredential.link(of: section) {
                    codes.append(ExchangeField(.concealed, link.text))
                } else {
                    losses.append("The format can't carry one of its one-time codes.")
                }
            case .file:
                let file = SectionCredential.file(of: section)
                credentials.append(file.object)
                files.append((number, section["name"]?.publicText ?? "", file.hash))
            default: credentials.append(SectionCredential.object(of: section))
            }
        }
        if !codes.isEmpty {
            credentials.append(
                ExchangeCredential(
                    .customFields,
                    [("label", .text(ImportOrigin.codesLabel)), ("fields", .array(codes.map { .object($0.object) }))]
                ).object)
        }
        return credentials
    }

    private var login: JSONObject? {
        let password = body.password
        var object = kept(LoginForm.member)?.object
        let hasUser = !summary.userName.isEmpty && summary.passkey == nil
        if object == nil {
            guard hasUser || password != nil else { return nil }
            object = LoginForm.usual(hasUser: hasUser, hasPassword: password != nil)
        }
        if hasUser { object?.put(SecretBytes(copyingUTF8Of: summary.userName), into: "username", .string) }
        if let password { object?.put(password, into: "password", .concealed) }
        // What an item no longer has leaves no field without a value.
        for name in ["username", "password"] where object?[name]?.object?["value"] == nil { object?[name] = nil }
        return object
    }

    private var notes: JSONObject? {
        guard let notes = body.notes else { return nil }
        var object = kept(NotesForm.member)?.object ?? NotesForm.usual
        object.put(notes, into: "content", .string)
        return object
    }

    private var fields: JSONObject? {
        let fields = body.fields
        guard !fields.isEmpty else { return nil }
        let values = fields.map { field in
            JSONValue.object(
                ExchangeField(field.isHidden ? .concealed : .string, field.value.text, label: field.name).object)
        }
        return ExchangeCredential(.customFields, [("fields", .array(values))]).object
    }

    private var passkey: JSONObject? {
        guard let record = summary.passkey, let key = body.privateKey else { return nil }
        var section = [
            SectionMember("rpId", text: record.relyingParty),
            SectionMember("credentialId", .bytes, SecretBytes(copying: record.credentialID)),
            SectionMember("userHandle", .bytes, SecretBytes(copying: record.userHandle)),
            SectionMember("username", text: summary.userName), SectionMember("userDisplayName", text: ""),
            SectionMember("key", .bytes, key),
        ]
        if let secret = body.pseudoRandomSecret { section.append(SectionMember("credWithUV", .bytes, secret)) }
        if let blob = body.largeBlob { section.append(SectionMember("largeBlob", .bytes, blob)) }
        return SectionCredential.object(of: ItemSection(.passkey, section))
    }
}
