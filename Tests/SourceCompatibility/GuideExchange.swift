import AuthenticationServices

final class ExchangeProgram: KeywayActivityController {
    override func application(continue userActivity: NSUserActivity) async throws -> KeywayExchangeReport {
        switch userActivity.activityType {
        case ASCredentialExchangeActivity:
            // Unlock first: the token waits ten minutes.
            guard let token = userActivity.userInfo?[ASCredentialImportToken] as? UUID else { break }
            let data = try await ASCredentialImportManager().importCredentials(token: token)
            return KeywayExchangeReport(items: data.accounts.reduce(0) { $0 + $1.items.count })
        case KeywayCredentialExportActivity:
            let manager = ASCredentialExportManager(presentationAnchor: UIWindow())
            let options = try await manager.requestExport()
            try await manager.exportCredentials(
                ASExportedCredentialData(
                    accounts: [], formatVersion: options.formatVersion, exporterRelyingPartyIdentifier: "example.org",
                    exporterDisplayName: "Example", timestamp: Date()))
        default: break
        }
        return KeywayExchangeReport()
    }
}
