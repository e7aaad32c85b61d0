public import Foundation

/// Tells the credential managers of the person what became of their accounts. The older form of
/// ``ASCredentialDataManager``.
///
/// No manager is told yet: every call throws `ASAuthorizationError.notHandled`.
public final class ASCredentialUpdater {
    /// An updater.
    public init() {}

    /// Says which passkeys of a user the server accepts; all others may go.
    public nonisolated(nonsending) func reportAllAcceptedPublicKeyCredentials(
        relyingPartyIdentifier: String, userHandle: Data, acceptedCredentialIDs: [Data]
    ) async throws {
        throw ASAuthorizationError.notServed(.notHandled, Self.unheard)
    }

    /// Says that the user is called `newName` now.
    public nonisolated(nonsending) func reportPublicKeyCredentialUpdate(
        relyingPartyIdentifier: String, userHandle: Data, newName: String
    ) async throws {
        throw ASAuthorizationError.notServed(.notHandled, Self.unheard)
    }

    /// Says that the server does not know a passkey.
    public nonisolated(nonsending) func reportUnknownPublicKeyCredential(
        relyingPartyIdentifier: String, credentialID: Data
    ) async throws {
        throw ASAuthorizationError.notServed(.notHandled, Self.unheard)
    }

    /// Says that the account signs in without its password now.
    public nonisolated(nonsending) func reportUnusedPasswordCredential(domain: String, userName: String) async throws {
        throw ASAuthorizationError.notServed(.notHandled, Self.unheard)
    }

    static let unheard = "No credential manager is told of changes to accounts yet."
}
