import AutoFillProtocol
import AutoFillWire
import Foundation

/// One run of an application's requests: read when it begins, so that what the application changes later is no part of
/// it.
struct AuthorizationRun: Sendable {
    private let broker: BrokerLink
    private let parameters: AuthorizeApplication.Parameters

    /// A run of `requests`.
    ///
    /// - Throws: ``ASAuthorizationError`` for requests that make no run.
    init(
        _ requests: [ASAuthorizationRequest], options: ASAuthorizationController.RequestOptions = [],
        methods: [ASAuthorizationCustomMethod] = [], over broker: BrokerLink,
        domains: [String] = AssociatedDomains.ofThisProgram.domains
    ) throws {
        guard !requests.isEmpty else {
            throw ASAuthorizationError.ended(.failed, "A controller needs a request at least.")
        }
        self.broker = broker
        parameters = AuthorizeApplication.Parameters(
            requests: try requests.map(AuthorizeApplication.Wanted.init), domains: domains,
            onlyImmediate: options.contains(.preferImmediatelyAvailableCredentials), methods: methods.map(\.rawValue))
    }

    /// Asks the broker.
    ///
    /// - Throws: ``ASAuthorizationError``.
    func perform() async throws -> AuthorizeApplication.Result {
        do {
            return try await broker.connection().call(AuthorizeApplication.self, parameters)
        } catch {
            throw ASAuthorizationError(error, isUpgrade: isUpgrade)
        }
    }

    private var isUpgrade: Bool {
        parameters.requests.contains { if case .registration(let wanted) = $0 { wanted.isConditional } else { false } }
    }
}

extension BrokerLink {
    /// Tells whoever started an application in a terminal what to type, where no window can be shown.
    static var applicationMethods: MethodTable {
        var methods = MethodTable()
        methods.on(AuthorizationWaiting.self) { message, _ in
            Log.line("no window can be shown; to go on, type in a terminal: \(message.command)")
        }
        return methods
    }
}
