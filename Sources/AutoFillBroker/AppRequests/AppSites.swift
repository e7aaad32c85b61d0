import BrokerBase
import KeywaySystem
import Synchronization

/// Fetches what a site says of the apps that are its own (`Docs/apps.md`). A seam: the broker itself never goes to the
/// network.
protocol AppSiteSource: Sendable {
    /// The apps that `https://domain/.well-known/keyway-apps` names, as they stand there.
    ///
    /// - Throws: ``ProtocolError`` when there is no such document.
    func apps(of domain: String) async throws(ProtocolError) -> [String]
}

/// Whether an app belongs to a site, because the site says so.
final class AppSites: Sendable {
    private let documents: SiteDocuments
    private let identification = Mutex<@Sendable (PeerProcess, ClientProgram) -> AppIdentity>({ AppIdentity($0, $1) })

    init(clock: any TimeSource) {
        documents = SiteDocuments(clock: clock)
    }

    /// From now on, documents come from `source`.
    func use(_ source: any AppSiteSource) {
        documents.use { domain throws(ProtocolError) in try await source.apps(of: domain) }
    }

    /// From now on, `identify` says which app a process is: tests have one of their own.
    func identify(_ identify: @escaping @Sendable (PeerProcess, ClientProgram) -> AppIdentity) {
        identification.withLock { $0 = identify }
    }

    /// The app that `process` runs.
    func app(_ process: PeerProcess, _ program: ClientProgram) -> AppIdentity {
        identification.withLock { $0 }(process, program)
    }

    /// Whether `domain` names `app`. Of an app that no site can name, no site is asked.
    func name(_ app: AppIdentity, at domain: String) async -> Bool {
        guard !app.names.isEmpty, let apps = await documents.names(of: domain) else { return false }
        return app.names.contains(where: apps.contains)
    }
}
