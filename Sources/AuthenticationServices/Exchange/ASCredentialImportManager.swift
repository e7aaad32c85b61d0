public import Foundation

/// Takes over the credentials of another manager.
///
/// The system starts the application that the person chose with an `NSUserActivity` of the type
/// ``ASCredentialExchangeActivity``; under ``ASCredentialImportToken`` there is what ``importCredentials(token:)`` wants.
/// Nothing is handed over yet, so there are no tokens, and the call ends in `ASAuthorizationError.credentialImport`.
public class ASCredentialImportManager {
    /// A manager.
    public init() {}

    /// What the token stands for; a token is good once. Throws `ASAuthorizationError.credentialImport`.
    public nonisolated(nonsending) func importCredentials(token: UUID) async throws -> ASExportedCredentialData {
        throw ASAuthorizationError.notServed(.credentialImport, "No credentials wait under this token.")
    }
}
