import AuthenticationServices
import PassEntries

/// Where a new password belongs in a store.
struct SavePlace {
    let service: ASCredentialServiceIdentifier
    let user: String

    private var host: String? { service.type == .app ? nil : StoreService(address: service.identifier)?.host }

    /// The entry that is for this account already, by its name or by what is remembered of it.
    func existing(in names: [EntryName], remembered: [EntryName: [StoreIdentity]]) -> EntryName? {
        guard let host else { return nil }
        return names.first { name in
            let identities = remembered[name] ?? StoreIdentity.named(name)
            return identities.contains { $0.kind == .password && $0.service.host == host && $0.user == user }
        }
    }

    /// The name of a new entry: `HOST/USER`, in the folder of that host where there is one; `HOST` without a user.
    func newName(in names: [EntryName]) -> EntryName? {
        let folder = Self.part(host ?? service.displayName ?? service.identifier)
        guard !user.isEmpty else { return free(folder, names) }
        let place = names.lazy.compactMap { name in
            let parts = name.parts.dropLast()
            return parts.lastIndex { $0.lowercased() == folder.lowercased() }
                .map { parts[...$0].joined(separator: "/") }
        }.first
        return free("\(place ?? folder)/\(Self.part(user))", names)
    }

    /// What the entry holds: as people write it for `pass`, what its name says not being said again.
    func contents(_ password: String, title: String?, in name: EntryName) -> SecretBuffer {
        let account = EntryAccount(name)
        var lines = [password]
        if !user.isEmpty, account.user != user { lines.append("user: \(Self.line(user))") }
        let service = service.type == .app ? nil : StoreService(address: service.identifier)
        if let service, service.scheme == "http" || service.port != nil || account.service?.host != service.host {
            lines.append("url: \(service.identifier.identifier)")
        }
        if let title, !title.isEmpty { lines.append("title: \(Self.line(title))") }
        return .joined(lines.map { SecretBuffer("\($0)\n".utf8) })
    }

    private func free(_ text: String, _ names: [EntryName]) -> EntryName? {
        let taken = Set(names)
        return (1...99).lazy.compactMap { EntryName($0 == 1 ? text : "\(text)-\($0)") }.first { !taken.contains($0) }
    }

    /// Text as one part of a name.
    static func part(_ text: String) -> String {
        let clean = String(
            text.prefix(100).map { character in
                character == "/" || character == "\0" || character.isNewline ? "_" : character
            })
        return clean.hasPrefix(".") || clean.isEmpty ? "_\(clean)" : clean
    }

    private static func line(_ text: String) -> String {
        String(text.map { $0.isNewline ? " " : $0 })
    }
}
