import AutoFillProtocol
import AutoFillWire
import Foundation
import KeywaySystem
import WebAuthnValues

/// Requests of the broker as values of the API. What is attached is read here; where it cannot be, the request fails.
extension PerformRequest.CredentialRequest {
    /// - Throws: ``ProtocolError`` with the code `invalidParameters` when a passkey's request is incomplete.
    func value() throws -> any ASCredentialRequest {
        switch identity.kind {
        case .password:
            ASPasswordCredentialRequest(credentialIdentity: ASPasswordCredentialIdentity(identity))
        case .oneTimeCode:
            ASOneTimeCodeCredentialRequest(credentialIdentity: ASOneTimeCodeCredentialIdentity(identity))
        case .passkey:
            try passkeyRequest()
        }
    }

    private func passkeyRequest() throws -> ASPasskeyCredentialRequest {
        guard let assertion else {
            throw ProtocolError(.invalidParameters, "The request does not say what a passkey is to sign.")
        }
        let details = ASPasskeyCredentialRequest.Details(
            isRegistration: false, clientDataHash: assertion.clientDataHash, algorithms: [], excluded: nil,
            input: try assertion.extensions.map { .assertion(try .init($0)) } ?? .none)
        let request = ASPasskeyCredentialRequest(
            try ASPasskeyCredentialIdentity(identity), details, .init(assertion.userVerification))
        let asked = PasskeyRequestParameters(
            relyingParty: identity.service.identifier, assertion: assertion, isPersonVerified: isPersonVerified)
        request.wire = .assertion(identity.passkey.map { asked.narrowed(to: $0.credentialID) } ?? asked)
        return request
    }
}

extension ASPasskeyCredentialRequestParameters {
    convenience init(_ parameters: PasskeyRequestParameters) throws {
        self.init(
            Parameters(
                relyingParty: parameters.relyingParty, clientDataHash: parameters.assertion.clientDataHash,
                preference: .init(parameters.assertion.userVerification),
                allowed: parameters.assertion.allowedCredentials,
                input: try parameters.assertion.extensions.map { try .init($0) }),
            wire: parameters)
    }
}

extension ASPasskeyCredentialRequest {
    convenience init(_ registration: PasskeyRegistration) {
        // The new passkey has no identifier yet: the provider chooses it.
        let identity = ASPasskeyCredentialIdentity(
            relyingPartyIdentifier: registration.relyingParty, userName: registration.userName, credentialID: Data(),
            userHandle: registration.userHandle, recordIdentifier: nil)
        let details = Details(
            isRegistration: true, clientDataHash: registration.clientDataHash,
            algorithms: registration.algorithms.map(ASCOSEAlgorithmIdentifier.init(rawValue:)),
            excluded: registration.excludedCredentials.map(
                ASAuthorizationPlatformPublicKeyCredentialDescriptor.init(credentialID:)),
            input: registration.extensions.map { .registration(.init($0)) } ?? .none)
        self.init(identity, details, .init(registration.userVerification))
        wire = .registration(registration)
    }
}

extension ASAuthorizationPublicKeyCredentialUserVerificationPreference {
    init(_ preference: UserVerificationPreference) {
        self =
            switch preference {
            case .required: .required
            case .preferred: .preferred
            case .discouraged: .discouraged
            }
    }
}

// MARK: - Extensions of WebAuthn

extension ASPasskeyAssertionCredentialExtensionInput {
    fileprivate init(_ input: AssertionInputs<Attachment>) throws {
        let largeBlob: ASAuthorizationPublicKeyCredentialLargeBlobAssertionInput? =
            switch input.largeBlob {
            case .read: .read
            case .write(let blob): .write(try blob.sealedMemory().withUnsafeBytes { Data($0) })
            case nil: nil
            }
        self.init(
            largeBlob: largeBlob,
            prf: input.prf.map { prf in
                var single: [Data: ASAuthorizationPublicKeyCredentialPRFAssertionInput.InputValues] = [:]
                for one in prf.byCredential { single[one.credentialID] = .init(one.values) }
                return .init(
                    inputValues: prf.values.map { .init($0) }, perCredentialInputValues: single.isEmpty ? nil : single)
            })
    }
}

extension ASPasskeyRegistrationCredentialExtensionInput {
    fileprivate init(_ input: RegistrationInputs) {
        self.init(
            largeBlob: input.largeBlob.map { $0 == .required ? .supportRequired : .supportPreferred },
            prf: input.prf.map { prf in prf.values.map { .inputValues(.init($0)) } ?? .checkForSupport })
    }
}

extension ASAuthorizationPublicKeyCredentialPRFAssertionInput.InputValues {
    fileprivate init(_ values: PRFValues) {
        self.init(saltInput1: values.first, saltInput2: values.second)
    }
}

// MARK: - Passwords

extension ASSavePasswordRequest {
    convenience init(_ password: PasswordToSave) throws {
        let event: Event =
            switch password.event {
            case .userInitiated: .userInitiated
            case .formDidDisappear: .formDidDisappear
            case .generatedPasswordFilled: .generatedPasswordFilled
            }
        let secret = try password.password.sealedMemory()
        self.init(
            serviceIdentifier: ASCredentialServiceIdentifier(password.service, name: password.serviceName),
            credential: ASPasswordCredential(user: password.user, sealed: secret), title: password.title,
            sessionID: password.session, event: event,
            passwordKind: password.generatedKind.map(ASGeneratedPassword.Kind.init(rawValue:)))
    }
}

extension ASGeneratePasswordsRequest {
    convenience init(_ passwords: PasswordsToGenerate) {
        self.init(
            serviceIdentifier: ASCredentialServiceIdentifier(passwords.service, name: passwords.serviceName),
            passwordFieldPasswordRules: passwords.passwordRules,
            confirmPasswordFieldPasswordRules: passwords.confirmationRules,
            passwordRulesFromQuirks: passwords.quirkRules)
    }
}
