import AuthenticationServices
import CryptoKit

/// Stands for a provider's own passkeys.
struct StoredPasskey {
    let credentialID: Data
    let relyingParty: String
    let userHandle: Data

    func sign(_ clientDataHash: Data) throws -> Data {
        guard !clientDataHash.isEmpty else { throw ASExtensionError(.failed) }
        return clientDataHash
    }
}

/// Passkeys: one chosen suggestion, the list, registration with and without an interface; with `async` endings.
final class PasskeyProvider: ASCredentialProviderViewController {
    private var passkeys = [StoredPasskey(credentialID: Data([1]), relyingParty: "example.org", userHandle: Data([2]))]
    private var requestParameters: ASPasskeyCredentialRequestParameters?
    private var isUnlocked = true

    // MARK: Signing in

    override func provideCredentialWithoutUserInteraction(for credentialRequest: any ASCredentialRequest) {
        guard isUnlocked else {
            return extensionContext.cancelRequest(withError: ASExtensionError(.userInteractionRequired))
        }
        switch credentialRequest.type {
        case .password:
            guard let identity = credentialRequest.credentialIdentity as? ASPasswordCredentialIdentity,
                let id = identity.recordIdentifier, let account = AccountStore.shared[id]
            else { return extensionContext.cancelRequest(withError: ASExtensionError(.credentialIdentityNotFound)) }
            extensionContext.completeRequest(
                withSelectedCredential: .init(user: account.user, password: account.password))
        case .passkeyAssertion:
            guard let request = credentialRequest as? ASPasskeyCredentialRequest else { return }
            Task { await extensionContext.completeAssertionRequest(using: try sign(request)) }
        case .oneTimeCode:
            Task { await extensionContext.completeOneTimeCodeRequest(using: ASOneTimeCodeCredential(code: code())) }
        default:
            extensionContext.cancelRequest(withError: ASExtensionError(.failed))
        }
    }

    override func prepareCredentialList(
        for serviceIdentifiers: [ASCredentialServiceIdentifier],
        requestParameters: ASPasskeyCredentialRequestParameters
    ) {
        self.requestParameters = requestParameters
        let allowed = passkeys.filter {
            $0.relyingParty == requestParameters.relyingPartyIdentifier
                && (requestParameters.allowedCredentials.isEmpty
                    || requestParameters.allowedCredentials.contains($0.credentialID))
        }
        interface = .list(
            InterfaceList(
                title: "Passkeys", sections: [.init(rows: allowed.map { .init(id: "0", title: $0.relyingParty) })]))
    }

    override func interface(didReceive event: InterfaceEvent) {
        super.interface(didReceive: event)
        guard case .chose = event, let requestParameters, let passkey = passkeys.first else { return }
        Task {
            do {
                let credential = try assertion(passkey, requestParameters.clientDataHash)
                if case .read = requestParameters.extensionInput?.largeBlob?.operation {
                    credential.extensionOutput = .init(largeBlob: .read(data: nil))
                }
                if requestParameters.extensionInput?.prf?.inputValues != nil {
                    let key = SymmetricKey(data: Data(repeating: 1, count: 32))
                    credential.extensionOutput = ASPasskeyAssertionCredentialExtensionOutput(
                        prf: ASAuthorizationPublicKeyCredentialPRFAssertionOutput(first: key, second: nil))
                }
                await self.extensionContext.completeAssertionRequest(using: credential)
            } catch {
                self.extensionContext.cancelRequest(withError: error)
            }
        }
    }

    // MARK: Registration

    override func prepareInterface(forPasskeyRegistration registrationRequest: any ASCredentialRequest) {
        guard let request = registrationRequest as? ASPasskeyCredentialRequest,
            let identity = request.credentialIdentity as? ASPasskeyCredentialIdentity
        else { return extensionContext.cancelRequest(withError: ASExtensionError(.failed)) }
        if request.excludedCredentials?.contains(where: { has($0.credentialID) }) == true {
            return extensionContext.cancelRequest(withError: ASExtensionError(.matchedExcludedCredential))
        }
        guard request.supportedAlgorithms.contains(.ES256) else {
            return extensionContext.cancelRequest(withError: ASExtensionError(.failed))
        }
        var output: ASPasskeyRegistrationCredentialExtensionOutput?
        if case .registration(let input) = request.extensionInput {
            output = .init(
                largeBlob: input.largeBlob?.supportRequirement == .required ? .supported : nil,
                prf: input.prf?.shouldCheckForSupport == true ? .supported : nil)
        }
        Task {
            await extensionContext.completeRegistrationRequest(
                using: ASPasskeyRegistrationCredential(
                    relyingParty: identity.relyingPartyIdentifier, clientDataHash: request.clientDataHash,
                    credentialID: Data([3]), attestationObject: Data([4]), extensionOutput: output))
        }
    }

    override func performWithoutUserInteractionIfPossible(
        passkeyRegistration registrationRequest: ASPasskeyCredentialRequest
    ) {
        guard registrationRequest.userVerificationPreference != .required,
            registrationRequest.credentialIdentity.user == AccountStore.shared.all.first?.user
        else { return extensionContext.cancelRequest(withError: ASExtensionError(.failed)) }
        prepareInterface(forPasskeyRegistration: registrationRequest)
    }

    // MARK: Reports

    override func reportUnknownPublicKeyCredential(forRelyingParty relyingParty: String, credentialID: Data) {
        passkeys.removeAll { $0.relyingParty == relyingParty && $0.credentialID == credentialID }
    }

    override func reportAllAcceptedPublicKeyCredentials(
        forRelyingParty relyingParty: String, userHandle: Data, acceptedCredentialIDs: [Data]
    ) {
        passkeys.removeAll {
            $0.relyingParty == relyingParty && $0.userHandle == userHandle
                && !acceptedCredentialIDs.contains($0.credentialID)
        }
    }

    override func reportPublicKeyCredentialUpdate(
        forRelyingParty relyingParty: String, userHandle: Data, newName: String
    ) {
        Task.detached { try? await ASCredentialIdentityStore.shared.removeAllCredentialIdentities() }
    }

    override func reportUnusedPasswordCredential(forDomain domain: String, userName: String) {}

    // MARK: Keys

    private func has(_ credentialID: Data) -> Bool { passkeys.contains { $0.credentialID == credentialID } }

    private func code() -> String { "492039" }

    private func sign(_ request: ASPasskeyCredentialRequest) throws -> ASPasskeyAssertionCredential {
        guard let identity = request.credentialIdentity as? ASPasskeyCredentialIdentity,
            let passkey = passkeys.first(where: { $0.credentialID == identity.credentialID })
        else { throw ASExtensionError(.credentialIdentityNotFound) }
        return try assertion(passkey, request.clientDataHash)
    }

    private func assertion(_ passkey: StoredPasskey, _ clientDataHash: Data) throws -> ASPasskeyAssertionCredential {
        ASPasskeyAssertionCredential(
            userHandle: passkey.userHandle, relyingParty: passkey.relyingParty,
            signature: try passkey.sign(clientDataHash), clientDataHash: clientDataHash,
            authenticatorData: Data([5]), credentialID: passkey.credentialID)
    }
}
