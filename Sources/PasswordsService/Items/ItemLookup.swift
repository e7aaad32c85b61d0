import AutoFillWire
import KeywaySystem
import PasswordsProtocol
import Vault

/// Finds the one item that a person means, or says which there are.
struct ItemLookup {
    private static let suggestions = 5
    let vault: UnlockedVault

    /// The item that `name` names by its identifier or title.
    ///
    /// - Throws: `notFound` with near matches, or `refused` where several items have the title.
    func item(_ name: ItemName) throws(ProtocolError) -> StoredSummary {
        let text = name.text.trimmed
        guard !text.isEmpty else { throw ProtocolError(.invalidParameters, "The item's name is empty.") }
        let titled = try answering { () throws(VaultError) in try vault.find(text) }
        guard !titled.isEmpty else { throw try notFound(text) }
        let found = meant(by: name, among: titled)
        switch found.count {
        case 1: return found[0]
        case 0 where name.kind == .passkey && titled.allSatisfy({ $0.passkey == nil }):
            throw ProtocolError(.notFound, "There is no passkey named \(quoted(text)).")
        case 0:
            throw ProtocolError(
                .notFound, "No item \(quoted(text)) has that user name. User names: \(users(titled)).")
        default: throw ambiguous(text, found)
        }
    }

    /// Those of the items with that title that `name` means: where it does not say so, no passkey that only shares its
    /// title with a password.
    private func meant(by name: ItemName, among titled: [StoredSummary]) -> [StoredSummary] {
        let found = titled.filter { item in
            (name.user == nil || item.userName == name.user)
                && (name.kind == nil || (item.passkey != nil) == (name.kind == .passkey))
        }
        let passwords = found.filter { $0.passkey == nil }
        return passwords.isEmpty ? found : passwords
    }

    private func ambiguous(_ text: String, _ found: [StoredSummary]) -> ProtocolError {
        guard Set(found.map(\.userName)).count < found.count else {
            return ProtocolError(
                .ambiguous,
                "\(found.count) items are named \(quoted(text)). Choose one by its user name: \(users(found)).")
        }
        let identifiers = found.prefix(Self.suggestions).map(\.id.description).joined(separator: ", ")
        return ProtocolError(
            .ambiguous, "\(found.count) items are named \(quoted(text)). Choose one by its identifier: \(identifiers).")
    }

    private func users(_ items: [StoredSummary]) -> String {
        let names = items.prefix(Self.suggestions).map { $0.userName.isEmpty ? "(none)" : quoted($0.userName) }
        return names.joined(separator: ", ") + (items.count > Self.suggestions ? ", …" : "")
    }

    private func quoted(_ text: String) -> String { "“\(text.prefix(80))”" }

    // MARK: - Near matches

    private func notFound(_ text: String) throws(ProtocolError) -> ProtocolError {
        let near = try answering { () throws(VaultError) in try nearTitles(text) }
        let hint = near.isEmpty ? "" : " Did you mean \(near.map(quoted).joined(separator: ", "))?"
        return ProtocolError(.notFound, "There is no item \(quoted(text)).\(hint)")
    }

    private func nearTitles(_ text: String) throws(VaultError) -> [String] {
        let containing = try vault.search(text, limit: Self.suggestions)
        if !containing.isEmpty { return unique(containing.map(\.title)) }
        let wanted = Array(text.lowercased())
        var near: [(distance: Int, title: String)] = []
        let limit = max(1, min(3, wanted.count / 3))
        try vault.forEachSummary { item in
            let distance = EditDistance.between(wanted, Array(item.title.lowercased()), limit: limit)
            if let distance { near.append((distance, item.title)) }
        }
        near.sort { ($0.distance, $0.title) < ($1.distance, $1.title) }
        return unique(near.map(\.title))
    }

    private func unique(_ titles: [String]) -> [String] {
        var seen: Set<String> = []
        return Array(titles.filter { seen.insert($0).inserted }.prefix(Self.suggestions))
    }
}

/// How many letters two words differ by: inserted, left out, replaced (Levenshtein).
enum EditDistance {
    /// The distance, or nil when it is over `limit`.
    static func between(_ left: [Character], _ right: [Character], limit: Int) -> Int? {
        guard abs(left.count - right.count) <= limit else { return nil }
        var row = Array(0...right.count)
        for (index, letter) in left.enumerated() {
            var diagonal = row[0]
            row[0] = index + 1
            for (column, other) in right.enumerated() {
                let replaced = diagonal + (letter == other ? 0 : 1)
                diagonal = row[column + 1]
                row[column + 1] = min(replaced, diagonal + 1, row[column] + 1)
            }
            if (row.min() ?? 0) > limit { return nil }
        }
        return row[right.count] <= limit ? row[right.count] : nil
    }
}
