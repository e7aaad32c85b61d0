import Authenticator
import AutoFillProtocol
import AutoFillWire
import FoundationEssentials
import KeywayCrypto
import KeywaySystem
import WebAuthnValues

// MARK: - Requests

extension AssertionRequest {
    /// What a client asks to be signed. What is attached is read.
    init(_ asked: PasskeyRequestParameters) throws(AuthenticatorError) {
        let assertion = asked.assertion
        try self.init(
            relyingParty: asked.relyingParty, clientDataHash: Array(assertion.clientDataHash),
            allowed: assertion.allowedCredentials.map { Array($0) },
            verification: assertion.userVerification,
            extensions: try assertion.extensions?.map(Self.read) ?? AssertionInputs())
    }

    private static func read(_ attached: Attachment) throws(AuthenticatorError) -> SecretBytes {
        guard let memory = try? attached.sealedMemory() else {
            throw AuthenticatorError(.invalidRequest, "largeBlob: no sealed memory file")
        }
        let bytes = try? SecretBytes(count: memory.count) { (room) throws(ProtocolError) in try memory.read(into: room)
        }
        guard let bytes else { throw AuthenticatorError(.invalidRequest, "largeBlob: no readable memory file") }
        return bytes
    }
}

extension RegistrationRequest {
    /// The passkey that a client asks for.
    init(_ asked: PasskeyRegistration, isConditional: Bool) throws(AuthenticatorError) {
        try self.init(
            relyingParty: asked.relyingParty, userHandle: Array(asked.userHandle),
            clientDataHash: Array(asked.clientDataHash), algorithms: asked.algorithms,
            excluded: asked.excludedCredentials.map { Array($0) }, verification: asked.userVerification,
            isConditional: isConditional, extensions: asked.extensions?.forProvider ?? RegistrationInputs())
    }
}

// MARK: - Answers

extension PasskeyAssertionCredential {
    /// What came of signing.
    init(
        _ made: Assertion, clientDataHash: Data, relyingParty: String, wasBlobStored: Bool
    ) throws(ProtocolError) {
        let outputs = made.extensions.confirming(wasBlobStored)
        self.init(
            userHandle: Data(made.userHandle), relyingParty: relyingParty, signature: Data(made.signature),
            clientDataHash: clientDataHash, authenticatorData: Data(made.authenticatorData),
            credentialID: Data(made.identifier),
            extensions: outputs.isEmpty
                ? nil : try outputs.map { (secret) throws(ProtocolError) in try Attachment(secret) })
    }
}

extension AssertionOutputs {
    /// The same; of a blob that was to be written it says whether it was.
    fileprivate func confirming(_ wasBlobStored: Bool) -> Self {
        guard case .wrote = largeBlob else { return self }
        return Self(largeBlob: .wrote(wasBlobStored), prf: prf)
    }
}

extension PasskeyRegistrationCredential {
    /// What came of a registration.
    init(_ made: Registration, for asked: PasskeyRegistration) throws(ProtocolError) {
        self.init(
            relyingParty: asked.relyingParty, clientDataHash: asked.clientDataHash,
            credentialID: Data(made.passkey.identifier), attestationObject: Data(made.attestation.bytes),
            extensions: try made.extensions.ofProvider?.map { (secret) throws(ProtocolError) in try Attachment(secret) }
        )
    }
}

extension ProtocolError {
    /// What a client learns of a ceremony that failed.
    init(_ error: AuthenticatorError) {
        switch error.code {
        case .excluded: self.init(.exists, "There is already a passkey for this account.")
        case .verificationRequired: self.init(.notVerified, "This requires verification.")
        case .presenceRequired: self.init(.refused, "This requires your consent.")
        case .noCredential: self.init(.notFound, "The passkey isn't for this request.")
        case .invalidRequest, .notSupported, .syntax:
            self.init(.invalidParameters, "The passkey can't do that: \(error.detail).")
        case .keyFailed: self.init(.damaged, "The passkey can't be used: \(error.detail).")
        }
    }
}
