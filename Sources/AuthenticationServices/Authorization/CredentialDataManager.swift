public import Foundation

/// Tells the credential managers of the person what became of their accounts; read from the surroundings of a view.
///
/// `@Environment(\.credentialDataManager) private var credentialDataManager`
///
/// Nobody learns whether a manager did something: a call throws ``ASAuthorizationError`` for what makes no sense, and
/// where the system or the person refused it.
public struct CredentialDataManager: Sendable {
    private let broker: BrokerLink

    /// A manager that reaches the broker over `broker`.
    package init(over broker: BrokerLink = .process) {
        self.broker = broker
    }

    /// Says which passkeys of a user the server accepts; all others may go.
    public nonisolated(nonsending) func reportAllAcceptedPublicKeyCredentials(
        relyingPartyIdentifier: String, userHandle: Data, acceptedCredentialIDs: [Data]
    ) async throws {
        try await ASCredentialUpdater(over: broker).reportAllAcceptedPublicKeyCredentials(
            relyingPartyIdentifier: relyingPartyIdentifier, userHandle: userHandle,
            acceptedCredentialIDs: acceptedCredentialIDs)
    }

    /// Says that the user is called `newName` now.
    public nonisolated(nonsending) func reportPublicKeyCredentialUpdate(
        relyingPartyIdentifier: String, userHandle: Data, newName: String
    ) async throws {
        try await ASCredentialUpdater(over: broker).reportPublicKeyCredentialUpdate(
            relyingPartyIdentifier: relyingPartyIdentifier, userHandle: userHandle, newName: newName)
    }

    /// Says that the server does not know a passkey.
    public nonisolated(nonsending) func reportUnknownPublicKeyCredential(
        relyingPartyIdentifier: String, credentialID: Data
    ) async throws {
        try await ASCredentialUpdater(over: broker).reportUnknownPublicKeyCredential(
            relyingPartyIdentifier: relyingPartyIdentifier, credentialID: credentialID)
    }

    /// Says that the account signs in without its password now.
    public nonisolated(nonsending) func reportUnusedPasswordCredential(domain: String, userName: String) async throws {
        try await ASCredentialUpdater(over: broker).reportUnusedPasswordCredential(domain: domain, userName: userName)
    }

    /// Has the person's credential manager save or update a password, as after a form.
    public nonisolated(nonsending) func save(
        password: ASPasswordCredential, for scope: ASAutoFillURLScope, title: String?
    ) async throws {
        try await broker.save(password, for: scope, title: title)
    }
}

extension EnvironmentValues {
    /// Tells the credential managers of the person what became of their accounts.
    public var credentialDataManager: CredentialDataManager { CredentialDataManager() }
}
