import AutoFillProtocol
import BrokerBase
import IdentityIndex
import KeywaySystem
import ProviderHosting

/// What the broker asks providers for.
final class ProviderRequests: Sendable {
    let directory: ProviderDirectory
    let processes: BundleProcesses
    let stores: IdentityStores
    let deliveries: Deliveries
    let notices: NoticeBoard
    let clock: any TimeSource
    let log: EventLog
    private let reporting = Reporting()

    init(
        directory: ProviderDirectory, processes: BundleProcesses, stores: IdentityStores, deliveries: Deliveries,
        notices: NoticeBoard, clock: any TimeSource, log: EventLog
    ) {
        self.directory = directory
        self.processes = processes
        self.stores = stores
        self.deliveries = deliveries
        self.notices = notices
        self.clock = clock
        self.log = log
    }

    /// What a client asks of a provider.
    struct Question: Sendable {
        let bundle: ProviderBundle
        let request: ProviderRequest
        let caller: BundleProcesses.Caller
        /// Where an interface is shown; nil when the caller shows none.
        let relay: InterfaceRelay?
        /// What to type in a terminal, where the person is needed.
        let command: String
        /// How the person is verified in it; nil where nothing is given to anybody.
        var verification: RequestVerification?
        /// Why nobody can be asked, where that is so.
        var absence: ProtocolError?
    }

    /// Asks a provider.
    ///
    /// - Throws: ``ProtocolError``, as ``ProviderSession``.
    func ask(
        _ question: Question, notify: @escaping @Sendable (String) -> Void = { _ in }
    ) async throws(ProtocolError) -> PerformRequest.Result {
        do {
            return try await session(question, notify).run()
        } catch {
            throw error.error
        }
    }

    /// Asks for a suggestion that was chosen. What its provider lacks is suggested no more; a provider that lacks
    /// something again and again is not believed any more.
    ///
    /// - Throws: ``ProtocolError``, as ``ProviderSession``.
    func askPromised(
        _ identity: CredentialIdentity, _ question: Question, notify: @escaping @Sendable (String) -> Void
    ) async throws(ProtocolError) -> PerformRequest.Result {
        let provider = question.bundle.reference
        do {
            let result = try await session(question, notify).run()
            Task { await deliveries.succeeded(provider.identifier) }
            return result
        } catch {
            if error.error.code == .notFound { await forget(identity, of: question.bundle) }
            if error.isFault, !processes.isDebugged(provider.identifier, for: question.caller),
                await deliveries.failed(provider.identifier)
            {
                await stores.wipe(provider.identifier)
                log("\(provider.identifier) failed \(Deliveries.patience) times in a row; its suggestions were wiped")
                notices.post(provider, Self.wipedNotice(provider))
            }
            throw error.error
        }
    }

    /// What the person is told of a provider whose suggestions were taken away.
    static func wipedNotice(_ provider: ProviderReference) -> String {
        "\(provider.name) failed \(Deliveries.patience) times in a row to deliver what it suggested, so "
            + "Keyway removed its suggestions. It can make new ones."
    }

    private func session(_ question: Question, _ notify: @escaping @Sendable (String) -> Void) -> ProviderSession {
        ProviderSession(
            bundle: question.bundle, request: question.request, caller: question.caller, processes: processes,
            relay: question.relay, command: question.command, notify: notify, verification: question.verification,
            absence: question.absence)
    }

    // MARK: - Reports

    /// Tells `report` to everybody who takes such, in the background; nobody learns what comes of it.
    func tell(_ report: CredentialReport, caller: BundleProcesses.Caller) async throws(ProtocolError) {
        for bundle in try await directory.enabled() where Capability.reports.isDeclared(bundle.capabilities) {
            guard reporting.begin() else { return log("too many reports of credentials at a time; dropped") }
            let question = Question(
                bundle: bundle, request: .report(report), caller: caller, relay: nil, command: "")
            Task {
                defer { reporting.end() }
                do throws(ProtocolError) {
                    _ = try await ask(question)
                } catch {
                    log("a report was not taken: \(error.message)")
                }
            }
        }
    }

    // MARK: - What a fill leaves

    /// Remembers that an identity was used.
    func remember(_ identity: CredentialIdentity, of bundle: ProviderBundle) {
        let time = clock.milliseconds
        Task {
            try? await stores.use(bundle.reference.identifier) { try await $0.writer.remember(identity, usedAt: time) }
        }
    }

    /// Takes away an identity whose provider says that it has no such account.
    func forget(_ identity: CredentialIdentity, of bundle: ProviderBundle) async {
        try? await stores.use(bundle.reference.identifier) { try await $0.writer.remove(identity) }
    }
}
