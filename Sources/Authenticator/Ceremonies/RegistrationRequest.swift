package import WebAuthnValues

/// What a relying party asks for when it wants a new passkey, after the trusted side checked who asks.
package struct RegistrationRequest: Sendable {
    /// The relying party ID; that the asking site may use it was checked before.
    package let relyingParty: String
    /// What the relying party calls the account: 1 to 64 bytes.
    package let userHandle: [UInt8]
    /// SHA-256 of the client data.
    package let clientDataHash: [UInt8]
    /// COSE's numbers of the algorithms, the most wanted first.
    package let algorithms: [Int]
    /// The IDs of passkeys beside which no new one is wanted.
    package let excluded: [[UInt8]]
    /// What is wanted of the verification of the person.
    package let verification: UserVerificationPreference
    /// Whether this is a conditional registration, which may happen without asking anybody.
    package let isConditional: Bool
    /// How much of an attestation is wanted.
    package let conveyance: AttestationConveyance
    /// What is asked of extensions.
    package let extensions: RegistrationInputs

    /// Makes a request.
    ///
    /// - Throws: `invalidRequest` for an empty relying party ID, a user handle of other than 1 to 64 bytes, or a hash of
    ///   other than 32.
    package init(
        relyingParty: String, userHandle: [UInt8], clientDataHash: [UInt8], algorithms: [Int],
        excluded: [[UInt8]] = [], verification: UserVerificationPreference = .preferred, isConditional: Bool = false,
        conveyance: AttestationConveyance = .none, extensions: RegistrationInputs = RegistrationInputs()
    ) throws(AuthenticatorError) {
        try checkCommon(relyingParty, clientDataHash)
        guard (1...64).contains(userHandle.count) else {
            throw AuthenticatorError(.invalidRequest, "user handle of \(userHandle.count) bytes")
        }
        self.relyingParty = relyingParty
        self.userHandle = userHandle
        self.clientDataHash = clientDataHash
        self.algorithms = algorithms
        self.excluded = excluded
        self.verification = verification
        self.isConditional = isConditional
        self.conveyance = conveyance
        self.extensions = extensions
    }

    /// The algorithm of the new key: the first of those wanted that we know.
    ///
    /// - Throws: `notSupported` when there is none.
    package var algorithm: SignatureAlgorithm {
        get throws(AuthenticatorError) {
            guard let algorithm = algorithms.lazy.compactMap(SignatureAlgorithm.init(rawValue:)).first else {
                throw AuthenticatorError(.notSupported, "none of \(algorithms.count) algorithms")
            }
            return algorithm
        }
    }

    /// COSE's numbers from what a page lists as `pubKeyCredParams`: those of type `public-key`. An empty list stands for
    /// ES256 and RS256 (WebAuthn Level 3, section 5.1.3, step 9).
    ///
    /// - Throws: `notSupported` when the list is not empty, and none is of that type.
    package static func algorithms(
        stated: [(type: String, algorithm: Int)]
    ) throws(AuthenticatorError) -> [Int] {
        if stated.isEmpty { return [SignatureAlgorithm.es256.rawValue, SignatureAlgorithm.rs256.rawValue] }
        let algorithms = stated.filter { $0.type == "public-key" }.map(\.algorithm)
        guard !algorithms.isEmpty else { throw AuthenticatorError(.notSupported, "no known type of key") }
        return algorithms
    }

    /// The exclude list from what a page lists as `excludeCredentials`: those of type `public-key`.
    package static func excluded(stated: [(type: String, identifier: [UInt8])]) -> [[UInt8]] {
        stated.filter { $0.type == "public-key" }.map(\.identifier)
    }
}

/// Checks what every request has.
func checkCommon(_ relyingParty: String, _ clientDataHash: [UInt8]) throws(AuthenticatorError) {
    guard !relyingParty.isEmpty else { throw AuthenticatorError(.invalidRequest, "no relying party ID") }
    guard clientDataHash.count == 32 else {
        throw AuthenticatorError(.invalidRequest, "client data hash of \(clientDataHash.count) bytes")
    }
}
