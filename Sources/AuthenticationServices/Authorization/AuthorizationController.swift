/// Performs the requests of an application and returns what came of them; read from the surroundings of a view.
///
/// `@Environment(\.authorizationController) private var authorizationController`
///
/// Nothing serves applications yet: every call throws `ASAuthorizationError.notHandled`.
@MainActor
public struct AuthorizationController: Sendable {
    nonisolated init() {}

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
        throw ASAuthorizationError.notServed(.notHandled, "Nothing performs the requests of applications yet.")
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
        try await performRequests(requests, options: [])
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
        try await performRequests(requests, options: [])
    }
}

extension EnvironmentValues {
    /// Performs the requests of an application.
    public var authorizationController: AuthorizationController { AuthorizationController() }
}
