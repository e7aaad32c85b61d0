import AutoFillProtocol
import AutoFillWire
import BrokerBase
import KeywaySystem
import ProviderHosting

/// Credentials from one provider to another: who may take them, whether the person wants that, and the way there.
///
/// What is handed over is a memory file that is never read here. It goes to the app of the provider that the person chose,
/// which is started for it.
final class ExchangeDesk: Sendable {
    let agreements: ExchangeAgreements
    let parcels: ExchangeParcels
    let activities: ExchangeActivities
    private let directory: ProviderDirectory
    private let processes: BundleProcesses
    private let verifier: any PersonVerifier
    private let history: History
    private let clock: any TimeSource
    private let log: EventLog

    init(
        activities: ExchangeActivities, parcels: ExchangeParcels, directory: ProviderDirectory,
        processes: BundleProcesses, verifier: any PersonVerifier, history: History, clock: any TimeSource,
        log: EventLog
    ) {
        self.activities = activities
        self.parcels = parcels
        self.directory = directory
        self.processes = processes
        self.verifier = verifier
        self.history = history
        self.clock = clock
        self.log = log
        agreements = ExchangeAgreements(clock: clock)
    }

    // MARK: - What the person agrees to

    /// The providers that could take what `exporter` exports.
    ///
    /// - Throws: ``ProtocolError`` with the code `noProvider` when there is none.
    func matches(for exporter: ProviderBundle, only: String?) async throws(ProtocolError) -> [ExchangeMatch] {
        try ExchangeMatch.all(for: exporter, among: try await directory.enabled(), only: only)
    }

    /// Asks the person who is to have the accounts, and verifies them, whatever was verified or unlocked before.
    ///
    /// - Throws: ``ProtocolError``: `noProvider` when nobody can take them, `notVerified` also where nothing is set up,
    ///   `cancelled`, `interactionRequired`, `locked`.
    func agree(_ export: ExchangeExport) async throws(ProtocolError) -> ExchangeAgreement {
        let matches = try await matches(for: export.exporter, only: export.only)
        // Nobody is asked to choose who is turned away afterwards.
        guard await verifier.methods().contains(where: \.isAvailable) else { throw Self.nothingVerifies }
        let presenter = export.surface.presenter
        let question = AskPerson.ExchangeChoice(
            exporter: export.exporter.reference, path: export.path,
            destinations: matches.map(\.destination.reference))
        guard case .chosen(let choice) = try await presenter.ask(.exchange(question)),
            matches.indices.contains(choice)
        else { throw ProtocolError(.cancelled, "You didn't choose where the accounts go.") }
        let match = matches[choice]
        let subject = VerificationSubject(reason: Self.reason(match.destination.reference))
        let method = try await verifier.verify(subject, through: presenter)
        return ExchangeAgreement(export: export, match: match, method: method)
    }

    /// What the person is verified for.
    static func reason(_ destination: ProviderReference) -> String {
        "Copy all your accounts to \(DisplayText.line(destination.name))"
    }

    private static var nothingVerifies: ProtocolError {
        ProtocolError(
            .notVerified,
            "Accounts can leave only after Keyway has verified you, and no method is set up. To set one up: "
                + "keyway verification")
    }

    // MARK: - The way there

    /// Gives `data` to the app of the provider that was agreed on, and waits until that is done with it.
    ///
    /// - Returns: what the app says of it, unread; nil where it says nothing.
    /// - Throws: ``ProtocolError``: `invalidParameters` for other data than was agreed on, `noProvider` when the provider is
    ///   not what it was, `providerFailed` when its app failed or took nothing, `cancelled`, `timedOut`, `busy`.
    func deliver(
        _ data: Attachment, _ version: String, _ agreement: ExchangeAgreement
    ) async throws(ProtocolError) -> Attachment? {
        let (export, destination) = (agreement.export, agreement.match.destination)
        guard version == agreement.match.version else {
            throw ProtocolError(.invalidParameters, "The accounts are in another version of the format than agreed on.")
        }
        guard try await directory.enabled().contains(destination) else {
            throw ProtocolError(
                .noProvider, "\(destination.reference.name) was turned off or changed in the meantime.",
                provider: destination.reference.identifier)
        }
        let token = try parcels.put(data, for: destination.reference.identifier) { [history, clock, log] in
            log("\(export.exporter.reference.identifier) gave its accounts to \(destination.reference.identifier)")
            history.note(
                HistoryEntry(
                    time: clock.milliseconds, event: .exchange, client: export.client,
                    provider: export.exporter.reference, method: agreement.method,
                    detail: "All that was exported was given to \(destination.reference.name)."))
        }
        defer { parcels.remove(token) }
        let report = try await continueActivity(
            .importing(token), of: destination, on: export.surface, isPartOfAnother: export.isPartOfAnother)
        guard parcels.isTaken(token) else {
            throw ProtocolError(
                .providerFailed, "\(destination.reference.name) took nothing.",
                provider: destination.reference.identifier)
        }
        return report
    }

    /// Starts the app of `bundle` for `activity`, and waits until it has ended.
    ///
    /// - Returns: what the app says of it, unread.
    /// - Throws: ``ProtocolError``: `providerFailed`, `cancelled`; `timedOut` where an importing app took nothing in time.
    func continueActivity(
        _ activity: ExchangeActivities.Activity, of bundle: ProviderBundle, on surface: ExchangeSurface,
        isPartOfAnother: Bool
    ) async throws(ProtocolError) -> Attachment? {
        let number = activities.begin(activity)
        defer { activities.end(number) }
        let (caller, verification) = (try surface.caller(), try surface.verification(bundle))
        let result = try await surface.presenting(bundle) { relay throws(ProtocolError) in
            try await processes.withApplication(
                of: bundle, for: caller, number, isPartOfAnother: isPartOfAnother
            ) { process throws(ProtocolError) in
                try await waitUntilStarted(process, bundle)
                return try await surface.whileSeen { [self] in
                    try await Deadline.run(
                        ExchangeParcels.life, clock, "\(bundle.reference.name) took nothing in time.",
                        isExempt: { self.hasNoDeadline(activity) }
                    ) { try await process.ask(ContinueActivity.self, activity.parameters, relay, verification) }
                }
            }
        }
        let provider = bundle.reference
        switch result {
        case .finished(let report): return report
        case .cancelled: throw ProtocolError(.cancelled, "You cancelled in \(provider.name).")
        case .failed(let reason):
            let said = reason.map { ": \(DisplayText.line($0))" } ?? "."
            throw ProtocolError(.providerFailed, "\(provider.name) failed\(said)", provider: provider.identifier)
        }
    }

    /// Whether the person sees to it that the activity ends: once the accounts are there, and before they are asked for.
    private func hasNoDeadline(_ activity: ExchangeActivities.Activity) -> Bool {
        switch activity {
        case .exporting: true
        case .importing(let token): parcels.isTaken(token)
        }
    }

    private func waitUntilStarted(_ process: BundleProcess, _ bundle: ProviderBundle) async throws(ProtocolError) {
        let provider = bundle.reference
        do throws(ProtocolError) {
            try await Deadline.run(ProviderRequest.startLimit, clock, "") {
                try await process.connection.waitForGreeting()
            }
        } catch {
            guard error.code != .cancelled else { throw error }
            let how = error.code == .timedOut ? "did not start in time" : "ended before it had started"
            throw ProtocolError(
                .providerFailed, "The app of \(provider.name) \(how).", provider: provider.identifier)
        }
    }

    // MARK: - The session

    /// The session was locked: nobody takes anything until it is unlocked, and what was agreed on counts no more.
    func lock() {
        agreements.removeAll()
        parcels.hold()
    }

    /// The session was unlocked.
    func unlock() {
        parcels.release()
    }
}
