import AuthenticationServices

// Only the imports differ from a manager for Apple's systems that moves its accounts to another one and back.

@MainActor
final class MovingAway {
    let window = ASPresentationAnchor()
    var accounts: [ASImportableAccount] = [
        ASImportableAccount(
            id: Data("account".utf8), userName: "ada", email: "ada@example.org", fullName: "Ada",
            collections: [
                ASImportableCollection(
                    id: Data("folder".utf8), created: nil, lastModified: nil, title: "Work", subtitle: nil,
                    items: [ASImportableLinkedItem(item: Data("item".utf8), account: nil)], subcollections: [])
            ],
            items: [
                ASImportableItem(
                    id: Data("item".utf8), created: Date(), lastModified: Date(), title: "Example", favorite: true,
                    scope: ASImportableCredentialScope(urls: [URL(filePath: "/")]),
                    credentials: [
                        .basicAuthentication(
                            .init(
                                userName: ASImportableEditableField(id: nil, fieldType: .string, value: "ada"),
                                password: ASImportableEditableField(
                                    id: nil, fieldType: .concealedString, value: "secret"))),
                        .totp(
                            .init(
                                secret: Data(count: 20), period: 30, digits: 6, userName: "ada", algorithm: .sha1,
                                issuer: "Example")),
                        .passkey(
                            .init(
                                credentialID: Data(count: 16), relyingPartyIdentifier: "example.org", userName: "ada",
                                userDisplayName: "Ada", userHandle: Data(count: 8), key: Data(count: 32))),
                    ])
            ])
    ]
    private(set) var imported: ASExportedCredentialData?

    func export() async throws {
        let exporter = ASCredentialExportManager(presentationAnchor: window)
        let options = try await exporter.requestExport(for: nil)
        try await exporter.exportCredentials(
            ASExportedCredentialData(
                accounts: accounts, formatVersion: options.formatVersion, exporterRelyingPartyIdentifier: "example.org",
                exporterDisplayName: "Example", timestamp: Date()))
    }

    func application(continuing activity: NSUserActivity) async throws {
        guard activity.activityType == ASCredentialExchangeActivity,
            let token = activity.userInfo?[ASCredentialImportToken] as? UUID
        else { return }
        let data = try await ASCredentialImportManager().importCredentials(token: token)
        imported = data
    }
}
