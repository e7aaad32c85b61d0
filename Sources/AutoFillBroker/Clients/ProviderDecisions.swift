import AutoFillProtocol
import AutoFillWire
import IdentityIndex
import KeywaySystem
import ProviderHosting

/// Decisions of the person that no program can make for them.
final class ProviderDecisions: Sendable {
    let registry: ProviderRegistry
    let directory: ProviderDirectory
    let processes: BundleProcesses
    let stores: IdentityStores
    let consent: ConsentQuestions
    let verifier: SystemVerifier
    let hasTerminal: @Sendable (TerminalSession) -> Bool

    init(
        registry: ProviderRegistry, directory: ProviderDirectory, processes: BundleProcesses, stores: IdentityStores,
        consent: ConsentQuestions, verifier: SystemVerifier, hasTerminal: @escaping @Sendable (TerminalSession) -> Bool
    ) {
        self.registry = registry
        self.directory = directory
        self.processes = processes
        self.stores = stores
        self.consent = consent
        self.verifier = verifier
        self.hasTerminal = hasTerminal
    }

    /// Asks whether a provider may be turned on; whoever wants it may be a program.
    ///
    /// Where nobody can be asked at all, and nothing can check who is there, the word of an approved program must do.
    ///
    /// - Throws: ``ProtocolError``: `forbidden`, `cancelled` when the person refused, `notVerified`,
    ///   `interactionRequired`.
    func confirmEnabling(
        _ identifier: String, mayRunUnconfined: Bool = false, from connection: Connection
    ) async throws(ProtocolError) {
        // Nobody is asked about what cannot be.
        try registry.checkAllowed(identifier)
        await stores.openSettings()
        let snapshot = try await registry.snapshotToChange()
        guard
            let bundle = snapshot.bundles.first(where: { $0.reference.identifier == identifier && $0.problem == nil }),
            // One that is on already is asked about again before it may run unconfined.
            !snapshot.enabled.contains(bundle) || mayRunUnconfined && !bundle.mayRunUnconfined
        else { return }
        let isUnconfined = await processes.confinement().map { !$0.strength.suffices(for: bundle) } ?? false
        let question = AskPerson.Question.enabling(
            AskPerson.Enabling(
                provider: bundle.reference, path: bundle.path, reaches: bundle.sandbox?.reaches ?? [],
                isUnconfined: isUnconfined, isReadable: !bundle.isKeeper))
        try await confirm(
            question, "turn on \(bundle.reference.name) (\(bundle.path))", from: connection,
            provider: bundle.reference)
    }

    /// Asks before the provider is turned off that alone can verify the person: else any approved program makes it a machine
    /// on which nobody is asked anything.
    ///
    /// - Throws: ``ProtocolError``: `cancelled` when the person refused, `notVerified`, `interactionRequired`.
    func confirmDisabling(_ identifier: String, from connection: Connection) async throws(ProtocolError) {
        guard let bundle = try? await directory.enabled().first(where: { $0.reference.identifier == identifier }),
            await verifier.isAll(by: bundle)
        else { return }
        try await confirm(
            .disabling(bundle.reference), "turn off \(bundle.reference.name), the only way to verify you",
            from: connection, provider: bundle.reference)
    }

    /// Asks whether a program may act for a provider.
    ///
    /// - Throws: ``ProtocolError``: `cancelled` when the person refused, `notVerified`.
    func confirmApplication(
        _ path: String, of provider: ProviderReference, from connection: Connection
    ) async throws(ProtocolError) {
        let name = FilePath.name(of: path)
        let question = AskPerson.Question.consent(
            AskPerson.Consent(
                program: DisplayText.line("\(name) (\(provider.name))"), path: DisplayText.line(path),
                permissions: [.useService]))
        try await confirm(
            question, "let \(DisplayText.line(path)) act for \(provider.name)", from: connection, provider: provider)
    }

    private func confirm(
        _ question: AskPerson.Question, _ reason: String, from connection: Connection, provider: ProviderReference
    ) async throws(ProtocolError) {
        let answer = try await consent.ask(
            question, reason: reason, terminal: TerminalQuestions(connection: connection, hasTerminal: hasTerminal))
        // Neither a desktop nor anything that was set up to verify the person: the program's word is all there is.
        guard let answer else { return }
        guard answer.isAllowed else {
            throw ProtocolError(.cancelled, "Nothing was changed.", provider: provider.identifier)
        }
    }
}
