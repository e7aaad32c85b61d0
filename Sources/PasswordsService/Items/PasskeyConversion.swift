import Authenticator
import KeywaySystem
import AutoFillWire
import AutoFillProtocol
import FoundationEssentials
import KeywayCrypto

extension UserVerification {
    fileprivate init(_ preference: UserVerificationPreference) {
        self =
            switch preference {
            case .required: .required
            case .preferred: .preferred
            case .discouraged: .discouraged
            }
    }
}

// MARK: - Requests

extension AssertionRequest {
    /// What a client asks to be signed. What is attached is read.
    init(_ asked: PasskeyRequestParameters) throws(AuthenticatorError) {
        let assertion = asked.assertion
        try self.init(
            relyingParty: asked.relyingParty, clientDataHash: Array(assertion.clientDataHash),
            allowed: assertion.allowedCredentials.map { Array($0) },
            verification: UserVerification(assertion.userVerification),
            extensions: try AssertionExtensions(assertion.extensions))
    }
}

extension RegistrationRequest {
    /// The passkey that a client asks for.
    init(_ asked: PasskeyRegistration, isConditional: Bool) throws(AuthenticatorError) {
        let prf = asked.extensions?.prf.map { prf in
            prf.values.map { RegistrationExtensions.PseudoRandom.evaluate(PseudoRandomSalts($0)) } ?? .support
        }
        try self.init(
            relyingParty: asked.relyingParty, userHandle: Array(asked.userHandle),
            clientDataHash: Array(asked.clientDataHash), algorithms: asked.algorithms,
            excluded: asked.excludedCredentials.map { Array($0) },
            verification: UserVerification(asked.userVerification), isConditional: isConditional,
            extensions: RegistrationExtensions(
                pseudoRandom: prf, wantsLargeBlob: asked.extensions?.largeBlob != nil))
    }
}

extension AssertionExtensions {
    fileprivate init(_ input: PasskeyAssertionInput?) throws(AuthenticatorError) {
        var largeBlob: LargeBlob?
        switch input?.largeBlob {
        case .read: largeBlob = .read
        case .write(let blob):
            guard let memory = try? blob.sealedMemory() else {
                throw AuthenticatorError(.invalidRequest, "largeBlob: no sealed memory file")
            }
            let bytes = try? SecretBytes(count: memory.count) { (room) throws(ProtocolError) in
                try memory.read(into: room)
            }
            guard let bytes else { throw AuthenticatorError(.invalidRequest, "largeBlob: no readable memory file") }
            largeBlob = .write(bytes)
        case nil: break
        }
        let pseudoRandom = input?.prf.map { prf in
            PseudoRandom(
                prf.values.map(PseudoRandomSalts.init),
                byCredential: Dictionary(
                    prf.byCredential.map { (Array($0.credentialID), PseudoRandomSalts($0.values)) },
                    uniquingKeysWith: { first, _ in first }))
        }
        self.init(pseudoRandom: pseudoRandom, largeBlob: largeBlob)
    }
}

extension PseudoRandomSalts {
    /// The inputs as the page gave them: they are hashed here.
    fileprivate init(_ values: PRFValues) {
        self.init(hashing: Array(values.first), values.second.map { Array($0) })
    }
}

// MARK: - Answers

extension PasskeyAssertionCredential {
    /// What came of signing.
    init(
        _ made: Assertion, clientDataHash: Data, relyingParty: String, wasBlobStored: Bool
    ) throws(ProtocolError) {
        var largeBlob: Output.LargeBlob?
        switch made.extensions.largeBlob {
        case .read(nil): largeBlob = .read(nil)
        case .read(.some(let blob)): largeBlob = .read(try Attachment(blob))
        case .written: largeBlob = .wrote(wasBlobStored)
        case nil: break
        }
        var prf: PRFOutput?
        if let results = made.extensions.pseudoRandom?.results { prf = try PRFOutput(results) }
        self.init(
            userHandle: Data(made.userHandle), relyingParty: relyingParty, signature: Data(made.signature),
            clientDataHash: clientDataHash, authenticatorData: Data(made.authenticatorData),
            credentialID: Data(made.identifier),
            extensions: largeBlob == nil && prf == nil ? nil : Output(largeBlob: largeBlob, prf: prf))
    }
}

extension PasskeyRegistrationCredential {
    /// What came of a registration.
    init(_ made: Registration, for asked: PasskeyRegistration) throws(ProtocolError) {
        var prf: Output.PRF?
        if let answer = made.extensions.pseudoRandom {
            var values: PRFOutput?
            if let results = answer.results { values = try PRFOutput(results) }
            prf = Output.PRF(isSupported: answer.isEnabled, values: values)
        }
        let hasBlob = made.extensions.supportsLargeBlob
        self.init(
            relyingParty: asked.relyingParty, clientDataHash: asked.clientDataHash,
            credentialID: Data(made.passkey.identifier), attestationObject: Data(made.attestation.bytes),
            extensions: prf == nil && hasBlob == nil ? nil : Output(isLargeBlobSupported: hasBlob, prf: prf))
    }
}

extension PRFOutput {
    fileprivate init(_ results: PseudoRandomResults) throws(ProtocolError) {
        var second: Attachment?
        if let other = results.second { second = try Attachment(other) }
        self.init(first: try Attachment(results.first), second: second)
    }
}

extension ProtocolError {
    /// What a client learns of a ceremony that failed.
    init(_ error: AuthenticatorError) {
        switch error.code {
        case .excluded: self.init(.exists, "There is a passkey for this account already.")
        case .verificationRequired: self.init(.notVerified, "The person must be verified for this.")
        case .presenceRequired: self.init(.refused, "Somebody must agree to this.")
        case .noCredential: self.init(.notFound, "The passkey is not for this.")
        case .invalidRequest, .notSupported, .syntax:
            self.init(.invalidParameters, "The passkey cannot do that: \(error.detail).")
        case .keyFailed: self.init(.damaged, "The passkey cannot be used: \(error.detail).")
        }
    }
}
