public import Foundation

/// Takes over the credentials of another manager.
///
/// The system starts the application that the person chose with an `NSUserActivity` of the type
/// ``ASCredentialExchangeActivity``; under ``ASCredentialImportToken`` there is what ``importCredentials(token:)`` wants.
public class ASCredentialImportManager {
    private let link: ExchangeLink

    /// A manager that reaches the broker over `link`.
    init(over link: ExchangeLink) {
        self.link = link
    }

    /// A manager.
    public init() {
        link = .process
    }

    /// What the token stands for. A token is good once, for ten minutes, and for the application that got it with its
    /// activity; while the session is locked this waits. Throws `ASAuthorizationError` with `credentialImport`.
    public nonisolated(nonsending) func importCredentials(token: UUID) async throws -> ASExportedCredentialData {
        try await link.take(token)
    }
}
