import AutoFillProtocol
import AutoFillWire
import BrokerBase
import KeywaySystem
import ProviderHosting

/// Debugging of providers: who decides about it, and who hears of it.
final class DebuggingGrants: Sendable {
    let processes: BundleProcesses
    let consent: ConsentQuestions
    let person: PersonMethods
    let notices: NoticeBoard
    let history: History
    let upgrades: Upgrades
    let clock: any TimeSource
    let log: EventLog
    let hasTerminal: @Sendable (TerminalSession) -> Bool

    init(
        processes: BundleProcesses, consent: ConsentQuestions, person: PersonMethods, notices: NoticeBoard,
        history: History,
        upgrades: Upgrades, clock: any TimeSource, log: EventLog,
        hasTerminal: @escaping @Sendable (TerminalSession) -> Bool
    ) {
        self.processes = processes
        self.consent = consent
        self.person = person
        self.notices = notices
        self.history = history
        self.upgrades = upgrades
        self.clock = clock
        self.log = log
        self.hasTerminal = hasTerminal
    }

    /// Asks the person whether a debugger may look into a provider, where the terminal that wants it cannot answer, and
    /// verifies them.
    ///
    /// - Returns: how they were verified; nil where no method is set up.
    /// - Throws: ``ProtocolError``: `cancelled` when the person refused, `notVerified` also where nobody can be asked,
    ///   `interactionRequired`, `locked`.
    func confirmDebugging(
        _ bundle: ProviderBundle, by program: String, from connection: Connection
    ) async throws(ProtocolError) -> VerificationMethod? {
        let provider = bundle.reference
        let reason = "allow debugging \(DisplayText.line(provider.name))"
        let answer = try await consent.ask(
            .debugging(.init(provider: provider, path: bundle.path, program: program)), reason: reason,
            terminal: TerminalQuestions(connection: connection, hasTerminal: hasTerminal))
        guard let answer else {
            throw ProtocolError(
                .notVerified,
                "\(provider.name) can’t be debugged here, because there is no display and no way to verify you. To set "
                    + "one up: keyway verification" + consent.remedy(), provider: provider.identifier)
        }
        guard answer.isAllowed else {
            throw ProtocolError(.cancelled, "Nothing was changed.", provider: provider.identifier)
        }
        if let method = answer.method { return method }
        return try await person.verifyPerson(reason, through: consent.sheets ?? NoPresenter())
    }

    /// Starts a provider's extension for its author, as long as `connection` lasts, and tells everybody else.
    ///
    /// - Throws: as ``BundleProcesses/startDebugging(_:stopped:)``.
    func debug(
        _ debugging: BundleProcesses.Debugging, in session: TerminalSession, connection: Connection, stopped: Bool
    ) async throws(ProtocolError) -> DebugProvider.Result {
        let (bundle, owner) = (debugging.bundle, debugging.owner)
        let process = try await processes.startDebugging(debugging, stopped: stopped)
        let peer = connection.peer?.processIdentifier ?? 0
        let text = "\(bundle.reference.name) is being debugged by process \(peer)."
        notices.post(bundle.reference, text, from: session)
        connection.onClose { [processes] in
            Task { await processes.stopDebugging(bundle.reference.identifier, owner: owner) }
        }
        let end: @Sendable () -> Void = { [weak connection] in connection?.close() }
        Task { await showDebugging(bundle.reference, text, stop: end) }
        return DebugProvider.Result(processIdentifier: process, path: bundle.extensionPath)
    }

    /// Tells that it is over.
    func endedDebugging(_ provider: ProviderReference, by program: String, _ session: TerminalSession) {
        notices.post(provider, "\(provider.name) is no longer being debugged.", from: session)
        history.note(
            HistoryEntry(
                time: clock.milliseconds, event: .approval, client: program, provider: provider,
                detail: "Debugging is no longer allowed."))
    }

    /// Tells the person on their desktop, with a way to end it.
    private func showDebugging(
        _ provider: ProviderReference, _ text: String, stop: @escaping @Sendable () -> Void
    ) async {
        let note = DesktopNote(
            title: "Provider being debugged",
            text: "\(DisplayText.line(text)) The debugger can read what you give it in that terminal.",
            undo: "Stop", elsewise: "To stop it, end the command in that terminal.")
        do throws(ProtocolError) {
            try await upgrades.notifier.show(note, undo: stop)
        } catch {
            log("the desktop was not told that \(provider.identifier) is being debugged: \(error.message)")
        }
    }
}
