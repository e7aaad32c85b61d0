public import Foundation

/// Tells the credential managers of the person what became of their accounts, and has them save passwords.
///
/// Nobody learns whether a manager did something: a call throws ``ASAuthorizationError`` for what makes no sense, and
/// where the system or the person refused it.
public class ASCredentialDataManager {
    private let updater: ASCredentialUpdater
    private let broker: BrokerLink

    /// A manager of what is stored elsewhere.
    public init() {
        broker = .process
        updater = ASCredentialUpdater()
    }

    /// A manager that reaches the broker over `broker`.
    package init(over broker: BrokerLink) {
        self.broker = broker
        updater = ASCredentialUpdater(over: broker)
    }

    /// Says which passkeys of a user the server accepts; all others may go.
    public nonisolated(nonsending) func reportAllAcceptedPublicKeyCredentials(
        relyingPartyIdentifier: String, userHandle: Data, acceptedCredentialIDs: [Data]
    ) async throws {
        try await updater.reportAllAcceptedPublicKeyCredentials(
            relyingPartyIdentifier: relyingPartyIdentifier, userHandle: userHandle,
            acceptedCredentialIDs: acceptedCredentialIDs)
    }

    /// Says that the user is called `newName` now.
    public nonisolated(nonsending) func reportPublicKeyCredentialUpdate(
        relyingPartyIdentifier: String, userHandle: Data, newName: String
    ) async throws {
        try await updater.reportPublicKeyCredentialUpdate(
            relyingPartyIdentifier: relyingPartyIdentifier, userHandle: userHandle, newName: newName)
    }

    /// Says that the server does not know a passkey.
    public nonisolated(nonsending) func reportUnknownPublicKeyCredential(
        relyingPartyIdentifier: String, credentialID: Data
    ) async throws {
        try await updater.reportUnknownPublicKeyCredential(
            relyingPartyIdentifier: relyingPartyIdentifier, credentialID: credentialID)
    }

    /// Says that the account signs in without its password now.
    public nonisolated(nonsending) func reportUnusedPasswordCredential(domain: String, userName: String) async throws {
        try await updater.reportUnusedPasswordCredential(domain: domain, userName: userName)
    }

    /// Has the person's credential manager save or update a password, as after a form.
    ///
    /// `title` names the password, where the place says too little; the person is asked over the window `anchor`.
    public nonisolated(nonsending) final func save(
        password: ASPasswordCredential, for scope: ASAutoFillURLScope, title: String? = nil,
        anchor: ASPresentationAnchor
    ) async throws {
        try await broker.save(password, for: scope, title: title)
    }
}
