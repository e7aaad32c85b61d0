/// What the name of an entry alone says of its account.
public struct EntryAccount: Hashable, Sendable {
    /// Where the account is; nil when no part of the name is a host.
    public let service: StoreService?
    /// Who signs in; empty when the name does not say.
    public let user: String
    /// Whether the entry is for one-time codes alone.
    public let isCode: Bool
    /// The folders that are neither the site nor say that the entry is for codes.
    public let folder: [String]

    private static let codeWords: Set<String> = ["otp", "totp", "hotp", "2fa"]

    /// Reads a name. The host nearest to the end counts, the last part only where no other is one:
    ///
    /// - `Web/example.com/ada`: ada at example.com
    /// - `example.com/ada@mail.example`: ada@mail.example at example.com
    /// - `Web/ada@example.com`: ada at example.com
    /// - `Web/example.com`: somebody at example.com
    ///
    /// A part `otp`, `totp`, `hotp` or `2fa`, or a last one that ends in `-otp` or `.otp` and so on, says that the entry
    /// holds a link for one-time codes and no password.
    public init(_ name: EntryName) {
        var parts = name.parts
        isCode = Self.takeCodeWord(&parts)
        guard let last = parts.last else {
            (service, user, folder) = (nil, "", [])
            return
        }
        let folders = parts.dropLast()
        if let place = folders.indices.last(where: { StoreService(namePart: folders[$0]) != nil }) {
            (service, user) = (StoreService(namePart: folders[place]), String(last))
            folder = folders.indices.filter { $0 != place }.map { String(folders[$0]) }
            return
        }
        folder = folders.map(String.init)
        if let service = StoreService(namePart: last) {
            (self.service, user) = (service, "")
        } else if let at = last.lastIndex(of: "@"), at > last.startIndex {
            (service, user) = (StoreService(namePart: last[last.index(after: at)...]), String(last[..<at]))
        } else {
            (service, user) = (nil, String(last))
        }
    }

    private static func takeCodeWord(_ parts: inout [Substring]) -> Bool {
        if let index = parts.firstIndex(where: { codeWords.contains($0.lowercased()) }) {
            parts.remove(at: index)
            return true
        }
        guard let last = parts.last, let mark = last.lastIndex(where: { $0 == "-" || $0 == "." }),
            mark > last.startIndex, codeWords.contains(last[last.index(after: mark)...].lowercased())
        else { return false }
        parts[parts.count - 1] = last[..<mark]
        return true
    }
}
