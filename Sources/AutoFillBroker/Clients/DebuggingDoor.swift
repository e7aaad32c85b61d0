import AutoFillProtocol
import AutoFillWire
import KeywaySystem
import ProviderHosting

/// What the author of a provider may do to look into it.
final class DebuggingDoor: Sendable {
    private let admission: ClientAdmission
    private let notes: RequestNotes
    private let place: ClientPlace
    private let directory: ProviderDirectory
    private let processes: BundleProcesses
    private let debugging: DebuggingGrants
    private let hasTerminal: @Sendable (TerminalSession) -> Bool

    init(
        admission: ClientAdmission, notes: RequestNotes, place: ClientPlace, directory: ProviderDirectory,
        processes: BundleProcesses, debugging: DebuggingGrants,
        hasTerminal: @escaping @Sendable (TerminalSession) -> Bool
    ) {
        self.admission = admission
        self.notes = notes
        self.place = place
        self.directory = directory
        self.processes = processes
        self.debugging = debugging
        self.hasTerminal = hasTerminal
    }

    /// Answers authors of providers.
    func add(to table: inout MethodTable) {
        table.on(DebugProvider.self) { parameters, context in try await self.debug(parameters, context) }
    }

    /// Starts a provider's extension for a debugger, as long as the connection lasts. Whoever can debug an extension can
    /// make it ask for anything in the provider's name, so the person decides, outside the terminal that wants it.
    ///
    /// - Throws: ``ProtocolError``: `refused` for bundles of the system and where there is no terminal, `busy`,
    ///   `cancelled`, `notVerified`, `interactionRequired`, or as ``BundleProcesses/startDebugging(_:stopped:)``.
    private func debug(_ parameters: DebugProvider.Parameters, _ context: RequestContext) async throws
        -> DebugProvider.Result
    {
        let bundle = try await directory.provider(parameters.identifier)
        notes.remark(context) { ($0.event, $0.provider) = (.approval, bundle.reference) }
        let (caller, session) = try debuggingTerminal(context, bundle.reference)
        try Self.checkIsNoSystems(bundle)
        guard !processes.isDebugged(parameters.identifier) else {
            throw BundleProcesses.isBusy(bundle.reference)
        }
        let client = admission.clientName(context)
        let method = try await debugging.confirmDebugging(bundle, by: client, from: context.connection)
        // The person took their time: what they were asked about must still be so.
        guard try await directory.provider(parameters.identifier) == bundle else {
            throw ProtocolError(
                .refused, "\(bundle.reference.name) changed in the meantime. Try again.",
                provider: bundle.reference.identifier)
        }
        _ = try debuggingTerminal(context, bundle.reference)
        let result = try await debugging.debug(
            .init(
                bundle: bundle, caller: caller, owner: ObjectIdentifier(context.connection),
                onEnd: { [debugging] in debugging.endedDebugging(bundle.reference, by: client, session) }),
            in: session, connection: context.connection, stopped: parameters.waits)
        notes.remark(context) { subject in
            subject.detail = "Debugging is allowed."
            subject.method = { method }
        }
        return result
    }

    /// Refuses a bundle that all users share: nobody who only uses it looks into it.
    ///
    /// - Throws: ``ProtocolError`` with the code `refused`.
    static func checkIsNoSystems(_ bundle: ProviderBundle) throws(ProtocolError) {
        guard bundle.scope == .system else { return }
        throw ProtocolError(
            .refused,
            "\(bundle.reference.name) is installed for all users and can’t be debugged. Debug a copy with its own "
                + "identifier, installed in your home folder.", provider: bundle.reference.identifier)
    }

    /// Whose requests the debugged extension will answer.
    private func debuggingTerminal(
        _ context: RequestContext, _ provider: ProviderReference
    ) throws(ProtocolError) -> (BundleProcesses.Caller, TerminalSession) {
        let caller = try place.caller(context)
        guard case .terminal(let session) = caller, hasTerminal(session) else {
            throw ProtocolError(
                .refused, "You can debug a provider only from a terminal.", provider: provider.identifier)
        }
        return (caller, session)
    }
}
