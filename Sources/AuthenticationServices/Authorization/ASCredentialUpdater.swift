public import Foundation

/// Tells the credential managers of the person what became of their accounts. The older form of
/// ``ASCredentialDataManager``.
///
/// Nobody learns whether a manager did something: a call throws ``ASAuthorizationError`` for what makes no sense, and
/// where the system or the person refused it.
public final class ASCredentialUpdater {
    private let broker: BrokerLink

    /// An updater.
    public init() {
        broker = .process
    }

    /// An updater that reaches the broker over `broker`.
    package init(over broker: BrokerLink) {
        self.broker = broker
    }

    /// Says which passkeys of a user the server accepts; all others may go.
    public nonisolated(nonsending) func reportAllAcceptedPublicKeyCredentials(
        relyingPartyIdentifier: String, userHandle: Data, acceptedCredentialIDs: [Data]
    ) async throws {
        try await broker.report(
            .passkeysAccepted(
                relyingParty: relyingPartyIdentifier, userHandle: userHandle, credentialIDs: acceptedCredentialIDs))
    }

    /// Says that the user is called `newName` now.
    public nonisolated(nonsending) func reportPublicKeyCredentialUpdate(
        relyingPartyIdentifier: String, userHandle: Data, newName: String
    ) async throws {
        try await broker.report(
            .passkeyUpdated(relyingParty: relyingPartyIdentifier, userHandle: userHandle, newName: newName))
    }

    /// Says that the server does not know a passkey.
    public nonisolated(nonsending) func reportUnknownPublicKeyCredential(
        relyingPartyIdentifier: String, credentialID: Data
    ) async throws {
        try await broker.report(.passkeyUnknown(relyingParty: relyingPartyIdentifier, credentialID: credentialID))
    }

    /// Says that the account signs in without its password now.
    public nonisolated(nonsending) func reportUnusedPasswordCredential(domain: String, userName: String) async throws {
        try await broker.report(.passwordUnused(domain: domain, userName: userName))
    }
}
