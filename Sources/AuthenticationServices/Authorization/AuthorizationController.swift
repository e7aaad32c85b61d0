/// Performs the requests of an application and returns what came of them; read from the surroundings of a view.
///
/// `@Environment(\.authorizationController) private var authorizationController`
///
/// Every call throws ``ASAuthorizationError``; cancelling the task ends the requests.
@preconcurrency
@MainActor
public struct AuthorizationController: Sendable {
    private let broker: BrokerLink

    /// A controller that reaches the broker over `broker`.
    package nonisolated init(over broker: BrokerLink = .process) {
        self.broker = broker
    }

    /// Performs `request`.
    public func performRequest(_ request: ASAuthorizationRequest) async throws -> ASAuthorizationResult {
        try await performRequests([request])
    }

    /// Performs `requests`; one of them brings the result.
    public func performRequests(_ requests: [ASAuthorizationRequest]) async throws -> ASAuthorizationResult {
        try await performRequests(requests, options: [])
    }

    /// Performs `request` as `options` say.
    public func performRequest(
        _ request: ASAuthorizationRequest, options: ASAuthorizationController.RequestOptions
    ) async throws -> ASAuthorizationResult {
        try await performRequests([request], options: options)
    }

    /// Performs `requests` as `options` say; one of them brings the result.
    public func performRequests(
        _ requests: [ASAuthorizationRequest], options: ASAuthorizationController.RequestOptions
    ) async throws -> ASAuthorizationResult {
        let answer = try await AuthorizationRun(requests, options: options, over: broker).perform()
        return try AuthorizationAnswer(answer, to: requests).result()
    }

    /// Performs `request`, or lets the person choose one of the application's own ways.
    public func performRequest(
        _ request: ASAuthorizationRequest, customMethods: [ASAuthorizationCustomMethod]
    ) async throws -> ASAuthorizationResult {
        try await performRequests([request], customMethods: customMethods)
    }

    /// Performs `requests`, or lets the person choose one of the application's own ways.
    public func performRequests(
        _ requests: [ASAuthorizationRequest], customMethods: [ASAuthorizationCustomMethod]
    ) async throws -> ASAuthorizationResult {
        let answer = try await AuthorizationRun(requests, methods: customMethods, over: broker).perform()
        return try AuthorizationAnswer(answer, to: requests).result()
    }

    /// Performs `request` when the person chooses one of the suggestions at a field.
    public func performAutoFillAssistedRequest(
        _ request: ASAuthorizationRequest
    ) async throws -> ASAuthorizationResult {
        try await performAutoFillAssistedRequests([request])
    }

    /// Performs `requests` when the person chooses one of the suggestions at a field.
    public func performAutoFillAssistedRequests(
        _ requests: [ASAuthorizationRequest]
    ) async throws -> ASAuthorizationResult {
        let answer = try await AuthorizationRun(requests, over: broker).performAtFields()
        return try AuthorizationAnswer(answer, to: requests).result()
    }
}

extension EnvironmentValues {
    /// Performs the requests of an application.
    public var authorizationController: AuthorizationController { AuthorizationController() }
}
