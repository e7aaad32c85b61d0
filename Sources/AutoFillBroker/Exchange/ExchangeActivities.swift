import AutoFillProtocol
import AutoFillWire
import FoundationEssentials
import KeywaySystem
import ProviderHosting
import Synchronization

/// The activities that apps of providers continue now, and what each of them may ask while it does.
final class ExchangeActivities: ActivityMethods {
    /// What an app was started for.
    enum Activity: Sendable {
        /// To export, as somebody asked for it in a terminal.
        case exporting(ExchangeExport, ExchangeOutcome)
        /// To take what waits under a token.
        case importing(UUID)

        /// The activity, as the app is told it.
        var parameters: ContinueActivity.Parameters {
            switch self {
            case .exporting: .init(type: ExchangeActivityType.exporting)
            case .importing(let token): .init(type: ExchangeActivityType.importing, token: token.uuidString)
            }
        }
    }

    private struct State {
        var next = 0
        var running: [Int: Activity] = [:]
        var desk: @Sendable () -> ExchangeDesk? = { nil }
    }

    private let state = Mutex(State())

    /// From now on `desk` does what the apps ask. It may be let go of.
    func use(_ desk: ExchangeDesk) {
        state.withLock { $0.desk = { [weak desk] in desk } }
    }

    /// Begins an activity.
    ///
    /// - Returns: its number.
    func begin(_ activity: Activity) -> Int {
        state.withLock { state in
            state.next += 1
            state.running[state.next] = activity
            return state.next
        }
    }

    /// Ends the activity number `number`: its app may ask nothing more.
    func end(_ number: Int) {
        state.withLock { $0.running[number] = nil }
    }

    func addMethods(to table: inout MethodTable, for bundle: ProviderBundle, activity number: Int) {
        table.on(RequestExport.self) { parameters, context in
            let (desk, export, outcome) = try self.exporting(number)
            return try await outcome.keeping { () async throws(ProtocolError) in
                try bundle.checkIsCalled(parameters.provider)
                let agreement = try await desk.agree(export)
                return RequestExport.Result(
                    exchange: try desk.agreements.put(agreement, for: context.connection),
                    formatVersion: agreement.match.version)
            }
        }
        table.on(ExportCredentials.self) { parameters, context in
            let (desk, export, outcome) = try self.exporting(number)
            return try await outcome.keeping { () async throws(ProtocolError) in
                let agreement =
                    if let name = parameters.exchange {
                        try desk.agreements.take(name, for: context.connection)
                    } else {
                        try await desk.agree(export)
                    }
                let report = try await desk.deliver(parameters.data, parameters.formatVersion, agreement)
                outcome.succeed(agreement.match.destination.reference, report)
                return Nothing()
            }
        }
        table.on(TakeCredentials.self) { parameters, _ in
            guard let desk = self.desk, case .importing(let token)? = self.activity(number),
                UUID(uuidString: parameters.token) == token
            else { throw ExchangeParcels.nothing }
            let provider = bundle.reference.identifier
            return TakeCredentials.Result(data: try await desk.parcels.take(parameters.token, for: provider))
        }
    }

    private var desk: ExchangeDesk? { state.withLock { $0.desk }() }

    private func activity(_ number: Int) -> Activity? { state.withLock { $0.running[number] } }

    private func exporting(
        _ number: Int
    ) throws(ProtocolError) -> (ExchangeDesk, ExchangeExport, ExchangeOutcome) {
        guard let desk, case .exporting(let export, let outcome)? = activity(number) else {
            throw ProtocolError(.notAllowed, "This app was not started to export anything.")
        }
        return (desk, export, outcome)
    }
}

/// What became of an export that an app was started for.
final class ExchangeOutcome: Sendable {
    private struct State {
        var destination: ProviderReference?
        var report: Attachment?
        var error: ProtocolError?
    }

    private let state = Mutex(State())

    /// Who took the accounts, and what it said of them; nil where nobody has.
    var taken: (destination: ProviderReference, report: Attachment?)? {
        state.withLock { state in state.destination.map { ($0, state.report) } }
    }

    /// Why the last call failed: the app may say less of it, or something else.
    var error: ProtocolError? { state.withLock { $0.error } }

    func succeed(_ destination: ProviderReference, _ report: Attachment?) {
        state.withLock { ($0.destination, $0.report) = (destination, report) }
    }

    /// Runs `body` and remembers how it failed.
    func keeping<Result>(_ body: () async throws(ProtocolError) -> Result) async throws(ProtocolError) -> Result {
        state.withLock { $0.error = nil }
        do throws(ProtocolError) {
            return try await body()
        } catch {
            state.withLock { $0.error = error }
            throw error
        }
    }
}

extension ProviderBundle {
    /// Refuses an app that names another provider as its own than it belongs to.
    ///
    /// - Throws: ``ProtocolError`` with the code `invalidParameters`.
    func checkIsCalled(_ name: String?) throws(ProtocolError) {
        guard let name, name != reference.identifier else { return }
        throw ProtocolError(
            .invalidParameters, "This app belongs to `\(reference.identifier)`, not to `\(DisplayText.line(name))`.")
    }
}
