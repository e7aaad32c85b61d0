import AutoFillProtocol
import FoundationEssentials
import PasskeySignatures

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

    static var relyingPartyHash: [UInt8] { PublicKeySignature.sha256(Array(relyingParty.utf8)) }

    /// Takes the answer to `registration` apart.
    ///
    /// - Throws: ``Objection/broken(_:)`` when it is not what was asked for.
    init(_ credential: PasskeyRegistrationCredential, for registration: PasskeyRegistration) throws(Objection) {
        guard let data = AuthenticatorData.inAttestationObject(credential.attestationObject) else {
            throw .broken("the attestation object cannot be read")
        }
        guard let key = data.credential else { throw .broken("the authenticator data holds no new credential") }
        try expect(credential.relyingParty == registration.relyingParty, "the answer names another relying party")
        try expect(
            credential.clientDataHash == registration.clientDataHash, "the answer names another client data hash")
        try expect(
            data.relyingPartyHash == Self.relyingPartyHash, "the authenticator data is for another relying party")
        try expect(Data(key.identifier) == credential.credentialID, "the credential ID is not that of the key")
        try expect(
            registration.algorithms.contains(key.algorithm), "the key is for the algorithm \(key.algorithm), unasked")
        try expect(key.algorithm != Self.es256 || key.point != nil, "the public key is none of P-256")
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
        guard let signed = AuthenticatorData(assertion.authenticatorData) else {
            throw .broken("the authenticator data cannot be read")
        }
        try expect(
            signed.relyingPartyHash == Self.relyingPartyHash, "the authenticator data is for another relying party")
        try expect(signed.credential == nil, "the authenticator data of a signature holds a new credential")
        guard let point = data.credential?.point, data.credential?.algorithm == Self.es256 else {
            throw .unchecked("the kit checks signatures of ES256 only")
        }
        let message = Array(assertion.authenticatorData) + Array(hash)
        try expect(
            PublicKeySignature.isES256(Array(assertion.signature), of: message, x: point.x, y: point.y),
            "the signature is not one of the registered key")
    }
}
