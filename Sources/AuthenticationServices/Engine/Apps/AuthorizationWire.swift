import AutoFillProtocol
import AutoFillWire
import Foundation
import KeywaySystem
import WebAuthnValues

/// Requests of an application, as the broker gets them.
extension AuthorizeApplication.Wanted {
    /// What `request` asks for.
    ///
    /// - Throws: ``ASAuthorizationError`` for what no passkey can do, and for a request of no kind that there is.
    init(_ request: ASAuthorizationRequest) throws {
        switch request {
        case is ASAuthorizationPasswordRequest: self = .password
        case let request as ASAuthorizationPlatformPublicKeyCredentialAssertionRequest:
            self = .assertion(try ApplicationAssertion(request))
        case let request as ASAuthorizationPlatformPublicKeyCredentialRegistrationRequest:
            self = .registration(try ApplicationRegistration(request))
        case let request as ASAuthorizationAccountCreationPlatformPublicKeyCredentialRequest:
            self = .registration(
                ApplicationRegistration(
                    relyingParty: request.asked.relyingParty, userName: nil, userHandle: request.asked.userID,
                    challenge: request.asked.challenge, userVerification: .preferred))
        default: throw ASAuthorizationError.ended(.notHandled, "Nobody here takes such a request.")
        }
    }
}

extension ApplicationAssertion {
    fileprivate init(_ request: ASAuthorizationPlatformPublicKeyCredentialAssertionRequest) throws {
        let input = try AssertionInputs(request.largeBlob, request.prf)
        self.init(
            relyingParty: request.relyingPartyIdentifier, challenge: request.challenge,
            userVerification: UserVerificationPreference(stated: request.userVerificationPreference.rawValue),
            allowedCredentials: request.allowedCredentials.map(\.credentialID), extensions: input)
    }
}

extension ApplicationRegistration {
    fileprivate init(_ request: ASAuthorizationPlatformPublicKeyCredentialRegistrationRequest) throws {
        guard request.attestationPreference == .none else {
            throw ASAuthorizationError.ended(.failed, "Passkeys have no attestation.")
        }
        self.init(
            relyingParty: request.relyingPartyIdentifier, userName: request.name, userHandle: request.userID,
            challenge: request.challenge,
            userVerification: UserVerificationPreference(stated: request.userVerificationPreference.rawValue),
            excludedCredentials: request.excludedCredentials?.map(\.credentialID) ?? [],
            extensions: RegistrationInputs(request.largeBlob, request.prf),
            isConditional: request.requestStyle == .conditional)
    }
}

// MARK: - Extensions of WebAuthn

extension AssertionInputs<Attachment> {
    fileprivate init?(
        _ largeBlob: ASAuthorizationPublicKeyCredentialLargeBlobAssertionInput?,
        _ prf: ASAuthorizationPublicKeyCredentialPRFAssertionInput?
    ) throws {
        guard largeBlob != nil || prf != nil else { return nil }
        let blob: LargeBlob? =
            switch largeBlob?.operation {
            case .read: .read
            case .write(let data): .write(Attachment(try data.withUnsafeBytes { try SealedMemory(copying: $0) }))
            case nil: nil
            }
        self.init(
            largeBlob: blob,
            prf: prf.map { prf in
                PRFAssertionInput(
                    values: prf.inputValues.map(PRFValues.init),
                    byCredential: (prf.perCredentialInputValues ?? [:]).map {
                        PRFCredentialValues(credentialID: $0.key, values: PRFValues($0.value))
                    })
            })
    }
}

extension RegistrationInputs {
    fileprivate init?(
        _ largeBlob: ASAuthorizationPublicKeyCredentialLargeBlobRegistrationInput?,
        _ prf: ASAuthorizationPublicKeyCredentialPRFRegistrationInput?
    ) {
        guard largeBlob != nil || prf != nil else { return nil }
        self.init(
            largeBlob: largeBlob.map { $0.supportRequirement == .required ? .required : .preferred },
            prf: prf.map { PRFRegistrationInput(values: $0.inputValues.map(PRFValues.init)) })
    }
}

extension PRFValues {
    fileprivate init(_ values: ASAuthorizationPublicKeyCredentialPRFAssertionInput.InputValues) {
        self.init(first: values.saltInput1, second: values.saltInput2)
    }
}
