public import AuthenticationServices

/// What the sample exports and imports, as files: in the clear, which a manager that is more than a sample would not do.
public struct ExchangeFile: Sendable {
    private let url: URL

    /// What was imported last.
    public static func imported(in folder: URL) -> ExchangeFile {
        ExchangeFile(url: folder.appending(path: "imported.json"))
    }

    /// Writes `data`.
    public func write(_ data: ASExportedCredentialData) throws {
        let encoder = JSONEncoder()
        encoder.dateEncodingStrategy = .secondsSince1970
        try encoder.encode(data).write(to: url, options: .atomic)
    }

    /// What the manager exports: `export.json`, which may hold one account or a whole header, else its accounts.
    public static func data(
        in folder: URL, _ version: ASExportedCredentialData.FormatVersion
    ) throws -> ASExportedCredentialData {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .secondsSince1970
        let file = folder.appending(path: "export.json")
        guard let json = try? Data(contentsOf: file) else { return header(try accounts(), version) }
        if let account = try? decoder.decode(ASImportableAccount.self, from: json) { return header([account], version) }
        return try decoder.decode(ASExportedCredentialData.self, from: json)
    }

    private static func header(
        _ accounts: [ASImportableAccount], _ version: ASExportedCredentialData.FormatVersion
    ) -> ASExportedCredentialData {
        ASExportedCredentialData(
            accounts: accounts, formatVersion: version, exporterRelyingPartyIdentifier: "example.org",
            exporterDisplayName: "Sample Manager", timestamp: Date(timeIntervalSince1970: 1_760_000_000))
    }

    private static func accounts() throws -> [ASImportableAccount] {
        let items = try (AccountFile()?.read() ?? []).map { account in
            ASImportableItem(
                id: Data(account.record.utf8), title: account.domain,
                scope: URL(string: "https://\(account.domain)").map { ASImportableCredentialScope(urls: [$0]) },
                credentials: [
                    .basicAuthentication(
                        .init(
                            userName: .init(id: nil, fieldType: .string, value: account.user),
                            password: .init(id: nil, fieldType: .concealedString, value: account.password)))
                ])
        }
        return [
            ASImportableAccount(id: Data("sample".utf8), userName: "sample", email: "", collections: [], items: items)
        ]
    }
}
