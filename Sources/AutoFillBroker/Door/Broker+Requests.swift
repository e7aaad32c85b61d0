import KeywaySystem
import AutoFillProtocol
import ProviderHosting

/// What the broker asks providers for, and whom.
extension Broker {
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
        "\(provider.name) failed \(Deliveries.patience) times in a row to deliver what it had suggested, so its "
            + "suggestions were taken away. It may offer new ones."
    }

    private func session(_ question: Question, _ notify: @escaping @Sendable (String) -> Void) -> ProviderSession {
        ProviderSession(
            bundle: question.bundle, request: question.request, caller: question.caller, processes: processes,
            relay: question.relay, command: question.command, notify: notify, verification: question.verification,
            absence: question.absence)
    }

    // MARK: - Whom

    /// The enabled provider with this identifier, or the only one that has the capability.
    ///
    /// - Throws: ``ProtocolError``: `noProvider`, or `invalidParameters` when several could be meant.
    func onlyProvider(_ identifier: String?, _ capability: Capability) async throws(ProtocolError) -> ProviderBundle {
        let capable = try await capable(identifier, capability)
        guard capable.count == 1 else {
            let names = capable.map(\.reference.identifier).joined(separator: ", ")
            throw ProtocolError(.invalidParameters, "Several providers are enabled, name one of: \(names).")
        }
        return capable[0]
    }

    /// The enabled provider with this identifier, or the first in the person's order that has the capability.
    ///
    /// - Throws: ``ProtocolError`` with the code `noProvider`.
    func firstProvider(_ identifier: String?, _ capability: Capability) async throws(ProtocolError) -> ProviderBundle {
        try await capable(identifier, capability)[0]
    }

    /// Those that could be meant: one at least.
    private func capable(
        _ identifier: String?, _ capability: Capability
    ) async throws(ProtocolError) -> [ProviderBundle] {
        if let identifier {
            let bundle = try await enabledProvider(identifier)
            guard capability.isDeclared(bundle.capabilities) else {
                throw ProtocolError(
                    .noProvider, "\(bundle.reference.name) does not \(capability.words).",
                    provider: bundle.reference.identifier)
            }
            return [bundle]
        }
        let enabled = try await enabledProviders()
        guard !enabled.isEmpty else {
            throw capability.isDeclared(.ofPasswords) ? noneEnabled : noneEnabled(capability)
        }
        let capable = enabled.filter { capability.isDeclared($0.capabilities) }
        guard !capable.isEmpty else {
            throw ProtocolError(.noProvider, "There is no enabled provider that would \(capability.words).")
        }
        return capable
    }

    // MARK: - Reports

    /// Tells `report` to everybody who takes such, in the background; nobody learns what comes of it.
    func tell(_ report: CredentialReport, caller: BundleProcesses.Caller) async throws(ProtocolError) {
        for bundle in try await enabledProviders() where Capability.reports.isDeclared(bundle.capabilities) {
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
