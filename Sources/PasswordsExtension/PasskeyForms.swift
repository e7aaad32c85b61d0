import AuthenticationServices
import KeywaySystem
import AutoFillWire
import AutoFillProtocol
import CryptoKit
import WebAuthnValues

/// Requests of the API as the vault's service is asked, and its answers as the API has them. Private keys are in neither.
extension PasskeyRequestParameters {
    /// A request for the signature of one passkey.
    ///
    /// - Throws: ``ProtocolError`` where no memory file can be made.
    init(_ request: ASPasskeyCredentialRequest, of identity: ASPasskeyCredentialIdentity) throws {
        let input: ASPasskeyAssertionCredentialExtensionInput? =
            if case .assertion(let input) = request.extensionInput { input } else { nil }
        self.init(
            relyingParty: identity.relyingPartyIdentifier,
            assertion: PasskeyAssertion(
                clientDataHash: request.clientDataHash,
                userVerification: UserVerificationPreference(stated: request.userVerificationPreference.rawValue),
                allowedCredentials: [identity.credentialID],
                extensions: try input.map { try AssertionInputs($0).narrowed(to: identity.credentialID) }),
            isPersonVerified: request.isPersonVerified)
    }

    /// A request for the signature of a passkey that is chosen from a list.
    ///
    /// - Throws: as ``init(_:of:)``.
    init(_ parameters: ASPasskeyCredentialRequestParameters) throws {
        self.init(
            relyingParty: parameters.relyingPartyIdentifier,
            assertion: PasskeyAssertion(
                clientDataHash: parameters.clientDataHash,
                userVerification: UserVerificationPreference(stated: parameters.userVerificationPreference.rawValue),
                allowedCredentials: parameters.allowedCredentials,
                extensions: try parameters.extensionInput.map { try AssertionInputs($0) }),
            isPersonVerified: parameters.isPersonVerified)
    }

    /// The same request, which says whether the person was verified.
    func telling(isPersonVerified: Bool) -> Self {
        Self(relyingParty: relyingParty, assertion: assertion, isPersonVerified: isPersonVerified)
    }

    /// The same request for the passkey that was chosen.
    func narrowed(to credentialID: Data) -> Self {
        Self(
            relyingParty: relyingParty,
            assertion: PasskeyAssertion(
                clientDataHash: assertion.clientDataHash, userVerification: assertion.userVerification,
                allowedCredentials: [credentialID], extensions: assertion.extensions?.narrowed(to: credentialID)),
            isPersonVerified: isPersonVerified)
    }
}

extension PasskeyRegistration {
    /// A request for a new passkey.
    init(_ request: ASPasskeyCredentialRequest, for identity: ASPasskeyCredentialIdentity) {
        let input: ASPasskeyRegistrationCredentialExtensionInput? =
            if case .registration(let input) = request.extensionInput { input } else { nil }
        self.init(
            relyingParty: identity.relyingPartyIdentifier, userName: identity.userName,
            userHandle: identity.userHandle, clientDataHash: request.clientDataHash,
            userVerification: UserVerificationPreference(stated: request.userVerificationPreference.rawValue),
            algorithms: request.supportedAlgorithms.map(\.rawValue),
            excludedCredentials: request.excludedCredentials?.map(\.credentialID) ?? [],
            extensions: input.map { RegistrationInputs($0) }, isPersonVerified: request.isPersonVerified)
    }

    /// The same request, which says whether the person was verified.
    func telling(isPersonVerified: Bool) -> Self {
        Self(
            relyingParty: relyingParty, userName: userName, userHandle: userHandle, clientDataHash: clientDataHash,
            userVerification: userVerification, algorithms: algorithms, excludedCredentials: excludedCredentials,
            extensions: extensions, isPersonVerified: isPersonVerified)
    }
}

extension AssertionInputs<Attachment> {
    fileprivate init(_ input: ASPasskeyAssertionCredentialExtensionInput) throws {
        let largeBlob: LargeBlob? =
            switch input.largeBlob?.operation {
            case .read: .read
            case .write(let data): .write(Attachment(try data.withUnsafeBytes { try SealedMemory(copying: $0) }))
            case nil: nil
            }
        self.init(
            largeBlob: largeBlob,
            prf: input.prf.map { prf in
                PRFAssertionInput(
                    values: prf.inputValues.map { PRFValues($0) },
                    byCredential: (prf.perCredentialInputValues ?? [:]).map {
                        PRFCredentialValues(credentialID: $0.key, values: PRFValues($0.value))
                    })
            })
    }
}

extension RegistrationInputs {
    fileprivate init(_ input: ASPasskeyRegistrationCredentialExtensionInput) {
        self.init(
            largeBlob: input.largeBlob.map { $0.supportRequirement == .required ? .required : .preferred },
            prf: input.prf.map { PRFRegistrationInput(values: $0.inputValues.map { PRFValues($0) }) })
    }
}

extension PRFValues {
    fileprivate init(_ values: ASAuthorizationPublicKeyCredentialPRFAssertionInput.InputValues) {
        self.init(first: values.saltInput1, second: values.saltInput2)
    }
}

// MARK: - Answers

extension ASPasskeyAssertionCredential {
    /// A signature of the service's.
    ///
    /// - Throws: ``ProtocolError`` where what is attached cannot be read.
    convenience init(_ credential: PasskeyAssertionCredential) throws {
        let output = try credential.extensions.map { output in
            let largeBlob: ASAuthorizationPublicKeyCredentialLargeBlobAssertionOutput? =
                switch output.largeBlob {
                case .read(let blob): .read(data: try blob?.sealedMemory().withUnsafeBytes { Data($0) })
                case .wrote(let isDone): .write(success: isDone)
                case nil: nil
                }
            return ASPasskeyAssertionCredentialExtensionOutput(
                largeBlob: largeBlob,
                prf: try output.prf.map { .init(first: try SymmetricKey($0.first), second: try $0.secondKey) })
        }
        self.init(
            userHandle: credential.userHandle, relyingParty: credential.relyingParty, signature: credential.signature,
            clientDataHash: credential.clientDataHash, authenticatorData: credential.authenticatorData,
            credentialID: credential.credentialID, extensionOutput: output)
    }
}

extension ASPasskeyRegistrationCredential {
    /// A passkey of the service's.
    ///
    /// - Throws: as the signature.
    convenience init(_ credential: PasskeyRegistrationCredential) throws {
        let output = try credential.extensions.map { output in
            let prf: ASAuthorizationPublicKeyCredentialPRFRegistrationOutput? = try output.prf.map { prf in
                if let values = prf.values {
                    return .init(first: try SymmetricKey(values.first), second: try values.secondKey)
                }
                return prf.isSupported ? .supported : .unsupported
            }
            return ASPasskeyRegistrationCredentialExtensionOutput(
                largeBlob: output.isLargeBlobSupported.map { $0 ? .supported : .unsupported }, prf: prf)
        }
        self.init(
            relyingParty: credential.relyingParty, clientDataHash: credential.clientDataHash,
            credentialID: credential.credentialID, attestationObject: credential.attestationObject,
            extensionOutput: output)
    }
}

extension PRFOutputs<Attachment> {
    fileprivate var secondKey: SymmetricKey? {
        get throws { try second.map { try SymmetricKey($0) } }
    }
}

extension SymmetricKey {
    /// The key that is attached: from one locked memory into another.
    fileprivate init(_ attachment: Attachment) throws {
        self = try attachment.sealedMemory().withUnsafeBytes { SymmetricKey(data: $0) }
    }
}
