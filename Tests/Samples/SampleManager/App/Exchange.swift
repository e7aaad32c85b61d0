import AuthenticationServices
import SampleAccounts

/// The app's part in an exchange, as the system starts it: without a person at its command line.
///
/// What it exports is the file `export.json` of the group's folder, or else the accounts that were added; what it imports
/// goes to `imported.json`. A file `behaviour` there says what it does instead, for tests of what may go wrong.
final class Exchange: KeywayActivityController {
    private var answer: CheckedContinuation<Bool, Never>?

    override func application(continue userActivity: NSUserActivity) async throws -> KeywayExchangeReport {
        guard let folder = GroupFolder.url else { throw Failure(word: "noGroup") }
        let behaviour = try? String(contentsOf: folder.appending(path: "behaviour"), encoding: .utf8)
        switch userActivity.activityType {
        case ASCredentialExchangeActivity:
            guard let token = userActivity.userInfo?[ASCredentialImportToken] as? UUID else {
                throw Failure(word: "noToken")
            }
            try Data(token.uuidString.utf8).write(to: folder.appending(path: "token"))
            switch behaviour {
            case "dies": exit(EXIT_FAILURE)
            case "ignores": return KeywayExchangeReport()
            case "refuses": throw Failure(word: "refused")
            case "waits": try await Task.sleep(for: .seconds(3600))
            case "asks": guard await ask() else { throw CancellationError() }
            default: break
            }
            let data = try await ASCredentialImportManager().importCredentials(token: token)
            if behaviour == "twice" { _ = try await ASCredentialImportManager().importCredentials(token: token) }
            try ExchangeFile.imported(in: folder).write(data)
            let count = data.accounts.reduce(0) { $0 + $1.items.count }
            return KeywayExchangeReport(items: count, notices: [.init(item: "One", reason: "It lost its colour.")])
        case KeywayCredentialExportActivity:
            let count = try await export(asking: behaviour != "direct")
            return KeywayExchangeReport(items: count)
        default: throw Failure(word: "otherActivity")
        }
    }

    override func interface(didReceive event: InterfaceEvent) {
        super.interface(didReceive: event)
        guard case .activated("import") = event else { return }
        answer?.resume(returning: true)
        answer = nil
    }

    /// Whether the person wants it, in an interface of the app's own.
    private func ask() async -> Bool {
        await withCheckedContinuation { continuation in
            answer = continuation
            interface = .message(
                InterfaceMessage(
                    title: "Import into the sample", text: "Everything goes into one file.",
                    actions: [.init(id: "import", title: "Import")]))
        }
    }
}

/// Exports what the manager has; in two steps where the person is asked first.
///
/// - Returns: how many items there were.
@MainActor
func export(asking: Bool, until agreed: () async throws -> Void = {}) async throws -> Int {
    let manager = ASCredentialExportManager(presentationAnchor: UIWindow())
    var version = ASExportedCredentialData.FormatVersion.v1
    if asking {
        version = try await manager.requestExport().formatVersion
        try await agreed()
    }
    guard let folder = GroupFolder.url else { throw Failure(word: "noGroup") }
    let data = try ExchangeFile.data(in: folder, version)
    try await manager.exportCredentials(data)
    return data.accounts.reduce(0) { $0 + $1.items.count }
}
