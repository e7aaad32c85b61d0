import AuthenticationServices
import PassEntries

/// What an item of another manager becomes: an entry as people write it for `pass`.
struct ItemEntry {
    /// Where it belongs, unless something is there.
    let name: EntryName
    /// What it holds.
    let contents: SecretBuffer
    /// What isn't carried, or only in another form: sentences.
    let notices: [String]

    private let folder: [String]
    private let parts: [String]

    /// The entry of an item.
    ///
    /// - Parameters:
    ///   - folder: the folders that the item is in.
    ///   - names: what is in the store: an account belongs where others of its site are.
    /// - Returns: nil, where nothing of the item has a place; ``EntryComposer`` says why.
    init?(_ item: ASImportableItem, _ composer: EntryComposer, folder: [String], beside names: [EntryName]) {
        guard composer.hasContent else { return nil }
        let urls = item.scope?.urls ?? []
        let hasSecret = !composer.password.isEmpty || !composer.links.isEmpty
        let service = hasSecret ? urls.lazy.compactMap { StoreService(address: $0.absoluteString) }.first : nil
        var parts: [String] = []
        if let service {
            // As people name those that hold a link alone.
            if composer.password.isEmpty { parts.append("otp") }
            parts.append(SavePlace.part(service.port.map { "\(service.host):\($0)" } ?? service.host))
            if !composer.user.isEmpty { parts.append(SavePlace.part(composer.user)) }
        } else {
            parts.append(SavePlace.part(item.title.nonEmpty ?? "untitled"))
        }
        self.parts = parts
        let folder = folder.filter { !$0.isEmpty }.map(SavePlace.part)
        self.folder = folder.isEmpty ? Self.place(of: service, in: names) : folder
        guard let name = EntryName((self.folder + parts).joined(separator: "/")) else { return nil }
        self.name = name
        contents = Self.contents(item, composer, urls, in: name)
        notices = composer.notices
    }

    /// The name that the entry gets where others are taken; nil where too many are.
    func free(_ isTaken: (EntryName) -> Bool) -> EntryName? {
        if !isTaken(name) { return name }
        return (1...999).lazy
            .compactMap { number in
                EntryName((folder + [number == 1 ? "imported" : "imported-\(number)"] + parts).joined(separator: "/"))
            }.first { !isTaken($0) }
    }

    /// The folder in which accounts of that site are.
    private static func place(of service: StoreService?, in names: [EntryName]) -> [String] {
        guard let service else { return [] }
        return names.lazy.map(EntryAccount.init).first { $0.service?.host == service.host && !$0.isCode }?.folder ?? []
    }

    private static func contents(
        _ item: ASImportableItem, _ composer: EntryComposer, _ urls: [URL], in name: EntryName
    ) -> SecretBuffer {
        let account = EntryAccount(name)
        var lines: [String] = []
        let title = account.service?.host ?? account.user
        let isTitleSaid = item.title == title || item.title.isEmpty
        if !isTitleSaid || composer.hasTitleKey { lines.append("title: \(line(item.title.nonEmpty ?? title))") }
        let isUserSaid = account.service == nil ? composer.user.isEmpty : account.user == composer.user
        if !isUserSaid || composer.hasUserKey && !composer.user.isEmpty { lines.append("user: \(line(composer.user))") }
        lines += urls.map(\.absoluteString).filter { $0 != account.service?.address }.map { "url: \($0)" }
        lines += composer.lines + composer.links
        // Below lines with keys alone, text stays what it is.
        if !composer.notes.isEmpty, lines.isEmpty { lines.append("title: \(line(title))") }
        if !composer.notes.isEmpty { lines += ["", composer.notes.joined(separator: "\n\n")] }
        return .joined(([composer.password] + lines).map { SecretBuffer("\($0)\n".utf8) })
    }

    /// Text as the rest of a line.
    private static func line(_ text: String) -> String {
        String(text.map { $0.isNewline ? " " : $0 })
    }
}
