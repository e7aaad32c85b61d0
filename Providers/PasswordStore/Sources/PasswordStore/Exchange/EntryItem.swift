import AuthenticationServices
import PassEntries

/// An entry as an item for another manager.
struct EntryItem {
    /// The item.
    let item: ASImportableItem
    /// The folders that it is in.
    let folder: [String]
    /// What can't be carried, or only in another form: sentences.
    let notices: [String]

    /// The item that an entry becomes; nil where some of the entry is no text.
    init?(_ name: EntryName, _ contents: EntryContents) {
        guard var division = EntryDivision(contents) else { return nil }
        let account = EntryAccount(name)
        folder = account.folder
        let user = division.take(EntryKeys.user) ?? (account.service == nil ? "" : account.user)
        let title = division.take(EntryKeys.title) ?? account.service?.host ?? account.user
        let subtitle = division.take(EntryKeys.subtitle)
        let tags = division.takeAll(EntryKeys.tag) { $0 }
        let urls = Self.urls(account.service, &division)
        var credentials: [ASImportableCredential] = []
        if !user.isEmpty || division.password != nil {
            credentials.append(
                .basicAuthentication(
                    .init(
                        userName: user.isEmpty ? nil : .init(.string, user),
                        password: division.password.map { .init(.concealedString, $0) })))
        }
        let codes = division.links.map { EntryCode(contents.bytes, $0) }
        credentials += codes.compactMap(\.code).map { .totp($0) }
        let links = codes.compactMap(\.link)
        if !links.isEmpty {
            let fields = links.map { ASImportableEditableField(.concealedString, $0) }
            credentials.append(.customFields(.init(id: nil, label: EntryKeys.codes, fields: fields)))
        }
        if !division.fields.isEmpty {
            // An entry doesn't say what is secret in it: all of it is encrypted.
            let fields = division.fields.map { field in
                ASImportableEditableField(id: nil, fieldType: .concealedString, value: field.value, label: field.key)
            }
            credentials.append(.customFields(.init(id: nil, label: nil, fields: fields)))
        }
        if let notes = division.notes { credentials.append(.note(.init(content: .init(.string, notes)))) }
        notices = Set(codes.compactMap(\.notice)).sorted()
        item = ASImportableItem(
            id: Self.identifier("entry", name.text), title: title, subtitle: subtitle,
            scope: urls.isEmpty ? nil : .init(urls: urls), credentials: credentials, tags: tags)
    }

    /// Where the account is: the site of the name first, unless a line has it.
    private static func urls(_ service: StoreService?, _ division: inout EntryDivision) -> [URL] {
        var urls = division.takeAll(EntryKeys.address) { text in
            text.contains("://")
                ? URL(string: text) : StoreService(address: text).flatMap { _ in URL(string: "https://\(text)") }
        }
        guard let service else { return urls }
        let isSaid = urls.contains { url in
            StoreService(address: url.absoluteString).map { $0.host == service.host && $0.port == service.port }
                ?? false
        }
        if !isSaid, let url = URL(string: service.address) { urls.insert(url, at: 0) }
        return urls
    }

    /// What tells the entry or folder from others: the same in each export, and nothing that can be read.
    static func identifier(_ kind: String, _ text: String) -> Data {
        let key = SecretBuffer("org.keyway.password-store \(kind)".utf8)
        guard let code = MessageCode.sha256.code(of: Array(text.utf8), key: key) else {
            return Data(text.utf8.prefix(64))
        }
        return Data(code)
    }
}

extension StoreService {
    /// As an address.
    var address: String { "\(scheme ?? "https")://\(host)\(port.map { ":\($0)" } ?? "")" }
}

extension ASImportableEditableField {
    /// A value without a name.
    init(_ type: FieldType, _ value: String) {
        self.init(id: nil, fieldType: type, value: value)
    }
}
