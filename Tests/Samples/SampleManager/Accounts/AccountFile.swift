public import AuthenticationServices

/// One account, as the app keeps it for its extension.
public struct Account: Codable, Hashable, Sendable {
    /// The record that the system hands back.
    public let record: String
    /// Where it signs in to.
    public let domain: String
    /// The user name.
    public let user: String
    /// The password: in the clear, which a manager that is more than a sample would not do.
    public let password: String

    /// An account of `user` at `domain`.
    public init(record: String = UUID().uuidString, domain: String, user: String, password: String) {
        self.record = record
        self.domain = domain
        self.user = user
        self.password = password
    }
}

/// The accounts, in a file of the folder that the app shares with its extension.
public struct AccountFile: Sendable {
    private let url: URL

    /// The file in the group's folder; nil for a program that is not told where that lies.
    public init?() {
        guard let folder = GroupFolder.url else { return nil }
        url = folder.appending(path: "accounts.json")
    }

    /// All accounts; none where nothing was ever stored.
    public func read() throws -> [Account] {
        guard FileManager.default.fileExists(atPath: url.path) else { return [] }
        return try JSONDecoder().decode([Account].self, from: Data(contentsOf: url))
    }

    /// Puts these accounts in the place of those before.
    public func write(_ accounts: [Account]) throws {
        try JSONEncoder().encode(accounts).write(to: url, options: .atomic)
    }
}
