package import KeywayCrypto
import PasskeySignatures
import WebAuthnValues

/// The authenticator of WebAuthn Level 3 (section 6.3), as a value: it makes passkeys and signs with them, and stores
/// nothing. Who asks, and whether the person agreed, was seen to by its caller.
package struct PasskeyAuthenticator: Sendable {
    /// Which kind of authenticator this is, drawn at random once for Keyway:
    /// `c8caeac8-df3f-4e6f-8a09-8529b4c88321`. Sites show by it where a passkey is kept.
    package static let aaguid: [UInt8] = [
        0xC8, 0xCA, 0xEA, 0xC8, 0xDF, 0x3F, 0x4E, 0x6F, 0x8A, 0x09, 0x85, 0x29, 0xB4, 0xC8, 0x83, 0x21,
    ]

    private let random: any RandomSource

    /// An authenticator that draws IDs, keys and secrets from `random`.
    package init(random: any RandomSource = SystemRandomSource()) {
        self.random = random
    }

    /// Makes a passkey. Nothing is stored: the caller stores it before the relying party hears of it.
    ///
    /// - Parameters:
    ///   - existing: the IDs of the passkeys of this relying party that the caller has.
    ///   - person: what happened in this request.
    ///   - backup: what is the case with everything that the caller stores.
    /// - Throws: `presenceRequired` and `verificationRequired` when the person did not do what the request needs, before
    ///   anything is told of existing passkeys; `notSupported`, `excluded`, `keyFailed`.
    package func register(
        _ request: RegistrationRequest, existing: Set<[UInt8]>, person: PersonState, backup: BackupState
    ) throws(AuthenticatorError) -> Registration {
        let algorithm = try request.algorithm
        guard person != .absent || request.isConditional else {
            throw AuthenticatorError(.presenceRequired, "registration")
        }
        try check(person, isRequired: request.verification == .required)
        guard existing.isDisjoint(with: request.excluded) else {
            throw AuthenticatorError(.excluded, "one of \(request.excluded.count) excluded passkeys exists")
        }
        let key = try makeKey(algorithm)
        let secret = random.secretBytes(Passkey.pseudoRandomSecretCount)
        let passkey = Passkey(
            identifier: random.bytes(Passkey.identifierCount), relyingParty: request.relyingParty,
            userHandle: request.userHandle, key: key.encoded, pseudoRandomSecret: secret,
            isBackupEligible: backup != .deviceBound)
        let data = AuthenticatorData(
            relyingParty: request.relyingParty, person: person, backup: backup,
            credential: AttestedCredential(
                aaguid: Self.aaguid, identifier: passkey.identifier, publicKey: key.publicKey))
        return Registration(
            passkey: passkey, publicKey: key.publicKey, attestation: try attestation(data, request, key),
            extensions: outputs(request.extensions, secret, person))
    }

    /// Signs in with a passkey.
    ///
    /// - Parameters:
    ///   - person: what happened in this request.
    ///   - isBackedUp: whether the passkey has a copy elsewhere now; one that is bound to its device has none.
    /// - Throws: `noCredential` when the passkey is another relying party's, or not allowed; `presenceRequired` and
    ///   `verificationRequired` when the person did not do what the request needs; `keyFailed`.
    package func sign(
        _ request: AssertionRequest, with passkey: Passkey, person: PersonState, isBackedUp: Bool
    ) throws(AuthenticatorError) -> Assertion {
        guard passkey.relyingParty == request.relyingParty, !request.candidates(among: [passkey.identifier]).isEmpty
        else { throw AuthenticatorError(.noCredential, "passkey of another relying party, or not allowed") }
        guard person != .absent else { throw AuthenticatorError(.presenceRequired, "assertion") }
        try check(person, isRequired: request.requiresVerification(for: passkey.identifier))
        let backup: BackupState = passkey.isBackupEligible ? (isBackedUp ? .backedUp : .eligible) : .deviceBound
        let data = AuthenticatorData(
            relyingParty: request.relyingParty, person: person, backup: backup, credential: nil
        ).bytes
        let key: PrivateKey
        do throws(PasskeySignatureError) {
            key = try PrivateKey(passkey.key)
        } catch {
            throw AuthenticatorError(.keyFailed, error.description)
        }
        return Assertion(
            identifier: passkey.identifier, userHandle: passkey.userHandle, authenticatorData: data,
            signature: try key.signature(of: data + request.clientDataHash),
            extensions: request.extensions, of: passkey)
    }

    private func check(_ person: PersonState, isRequired: Bool) throws(AuthenticatorError) {
        guard person == .verified || !isRequired else {
            throw AuthenticatorError(.verificationRequired, "the person was not verified")
        }
    }

    private func makeKey(_ algorithm: SignatureAlgorithm) throws(AuthenticatorError) -> PrivateKey {
        do throws(PasskeySignatureError) {
            return try PrivateKey.make(algorithm, random: random)
        } catch {
            throw AuthenticatorError(.keyFailed, error.description)
        }
    }

    /// None, unless the relying party wants what the authenticator says: then the key signs for itself.
    private func attestation(
        _ data: AuthenticatorData, _ request: RegistrationRequest, _ key: PrivateKey
    ) throws(AuthenticatorError) -> AttestationObject {
        switch request.conveyance {
        case .none, .indirect: .none(data)
        case .direct, .enterprise: try .selfAttested(data, clientDataHash: request.clientDataHash, by: key)
        }
    }

    private func outputs(
        _ inputs: RegistrationInputs, _ secret: SecretBytes, _ person: PersonState
    ) -> RegistrationOutputs<SecretBytes> {
        var prf: RegistrationOutputs<SecretBytes>.PRF?
        switch inputs.prf.map(\.values) {
        case .some(let values?) where person == .verified:
            prf = .init(isSupported: true, values: PRFOutputs(of: secret, at: values))
        case .some: prf = .init(isSupported: true, values: nil)
        case nil: break
        }
        return RegistrationOutputs(
            isDiscoverable: inputs.credProps == true ? true : nil,
            isLargeBlobSupported: inputs.largeBlob == nil ? nil : true, prf: prf)
    }
}
