import AutoFillProtocol
import FoundationEssentials
import KeywayCrypto
import PasskeySignatures
import WebAuthnValues

/// One passkey that the kit had made, and what it asks of it.
struct PasskeyTrial: Sendable {
    /// The relying party that the kit is.
    static let relyingParty = "kit.example"
    static let userName = "kit"
    /// COSE's name of ES256.
    static let es256 = -7

    /// What was asked for.
    let registration: PasskeyRegistration
    /// What came.
    let credential: PasskeyRegistrationCredential
    /// What stands in it.
    let data: AuthenticatorData

    /// A registration with fresh values.
    static func request(
        excluding: [Data] = [], algorithms: [Int] = [es256], verification: UserVerificationPreference = .preferred
    ) -> PasskeyRegistration {
        PasskeyRegistration(
            relyingParty: relyingParty, userName: userName, userHandle: random(16), clientDataHash: random(32),
            userVerification: verification, algorithms: algorithms, excludedCredentials: excluding)
    }

    /// A request for any passkey of the kit.
    static func parameters(allowed: [Data] = []) -> PasskeyRequestParameters {
        PasskeyRequestParameters(
            relyingParty: relyingParty,
            assertion: PasskeyAssertion(
                clientDataHash: random(32), userVerification: .preferred, allowedCredentials: allowed))
    }

    static func random(_ count: Int) -> Data {
        var generator = SystemRandomNumberGenerator()
        return Data((0..<count).map { _ in UInt8.random(in: .min ... .max, using: &generator) })
    }

    static var relyingPartyHash: [UInt8] { Digest.sha256(relyingParty.utf8) }

    /// Takes the answer to `registration` apart.
    ///
    /// - Throws: ``Objection/broken(_:)`` when it is not what was asked for.
    init(_ credential: PasskeyRegistrationCredential, for registration: PasskeyRegistration) throws(Objection) {
        let data: AuthenticatorData
        do throws(MalformedValue) {
            data = try AttestationObject(credential.attestationObject).authenticatorData
        } catch {
            throw .broken("the attestation object cannot be read: \(error.detail)")
        }
        guard let key = data.credential else { throw .broken("the authenticator data holds no new credential") }
        try expect(credential.relyingParty == registration.relyingParty, "the answer names another relying party")
        try expect(
            credential.clientDataHash == registration.clientDataHash, "the answer names another client data hash")
        try expect(
            data.relyingPartyHash == Self.relyingPartyHash, "the authenticator data is for another relying party")
        try expect(Data(key.identifier) == credential.credentialID, "the credential ID is not that of the key")
        let algorithm = key.algorithm ?? 0
        try expect(registration.algorithms.contains(algorithm), "the key is for the algorithm \(algorithm), unasked")
        try expect(
            SignatureAlgorithm(rawValue: algorithm) == nil || key.publicKey != nil,
            "the public key is none of its algorithm")
        self.registration = registration
        self.credential = credential
        self.data = data
    }

    /// The identity that the passkey is asked for by.
    func identity(in store: StoreHalf) -> CredentialIdentity {
        let known = store.identities.first { $0.passkey?.credentialID == credential.credentialID }
        return known
            ?? CredentialIdentity(
                kind: .passkey, service: ServiceIdentifier(Self.relyingParty, kind: .domain), user: Self.userName,
                recordIdentifier: nil,
                passkey: PasskeyReference(
                    credentialID: credential.credentialID, userHandle: registration.userHandle))
    }

    /// Checks a signature of the passkey.
    ///
    /// - Throws: ``Objection/broken(_:)``, or `unchecked` for a key that the kit cannot check with.
    func check(_ assertion: PasskeyAssertionCredential, over hash: Data) throws(Objection) {
        try expect(assertion.relyingParty == Self.relyingParty, "the answer names another relying party")
        try expect(assertion.clientDataHash == hash, "the answer names another client data hash")
        try expect(assertion.credentialID == credential.credentialID, "the answer names another credential")
        try expect(assertion.userHandle == registration.userHandle, "the answer names another user handle")
        let signed: AuthenticatorData
        do throws(MalformedValue) {
            signed = try AuthenticatorData(assertion.authenticatorData)
        } catch {
            throw .broken("the authenticator data cannot be read: \(error.detail)")
        }
        try expect(
            signed.relyingPartyHash == Self.relyingPartyHash, "the authenticator data is for another relying party")
        try expect(signed.credential == nil, "the authenticator data of a signature holds a new credential")
        guard let key = data.credential?.publicKey else {
            throw .unchecked("the kit checks signatures of ES256, EdDSA and RS256 only")
        }
        let message = Array(assertion.authenticatorData) + Array(hash)
        try expect(
            key.isSignature(Array(assertion.signature), of: message),
            "the signature is not one of the registered key")
    }
}
