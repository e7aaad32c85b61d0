package import KeywayCrypto
package import WebAuthnValues

/// What a relying party asks for when somebody signs in, after the trusted side checked who asks.
package struct AssertionRequest: Sendable {
    /// The relying party ID; that the asking site may use it was checked before.
    package let relyingParty: String
    /// SHA-256 of the client data.
    package let clientDataHash: [UInt8]
    /// The IDs of the passkeys that will do, the most wanted first; empty for any.
    package let allowed: [[UInt8]]
    /// What is wanted of the verification of the person.
    package let verification: UserVerificationPreference
    /// What is asked of extensions.
    package let extensions: AssertionInputs<SecretBytes>

    /// Makes a request.
    ///
    /// - Throws: `invalidRequest` for an empty relying party ID, or a hash of other than 32 bytes; what
    ///   extensions cannot ask beside this allow list.
    package init(
        relyingParty: String, clientDataHash: [UInt8], allowed: [[UInt8]] = [],
        verification: UserVerificationPreference = .preferred,
        extensions: AssertionInputs<SecretBytes> = AssertionInputs()
    ) throws(AuthenticatorError) {
        try checkCommon(relyingParty, clientDataHash)
        try extensions.check(allowed: allowed)
        self.relyingParty = relyingParty
        self.clientDataHash = clientDataHash
        self.allowed = allowed
        self.verification = verification
        self.extensions = extensions
    }

    /// The allow list from what a page lists as `allowCredentials`: those of type `public-key`.
    ///
    /// - Throws: `noCredential` when the list is not empty, and none is of that type: an empty list would mean any.
    package static func allowed(
        stated: [(type: String, identifier: [UInt8])]
    ) throws(AuthenticatorError) -> [[UInt8]] {
        let allowed = stated.filter { $0.type == "public-key" }.map(\.identifier)
        guard stated.isEmpty || !allowed.isEmpty else {
            throw AuthenticatorError(.noCredential, "no known type of credential")
        }
        return allowed
    }

    /// Those of the passkeys with these IDs that will do: in the order of the allow list, or, without one, as they come.
    package func candidates(among identifiers: [[UInt8]]) -> [[UInt8]] {
        if allowed.isEmpty { return identifiers }
        let known = Set(identifiers)
        var seen: Set<[UInt8]> = []
        return allowed.filter { known.contains($0) && seen.insert($0).inserted }
    }

    /// Whether the person must be verified for this: where that is required, and where outputs of `prf` are asked for,
    /// which relying parties take for keys that nobody else can get at (section 10.1.4).
    package func requiresVerification(for identifier: [UInt8]) -> Bool {
        verification == .required || extensions.prf?.values(for: identifier) != nil
    }
}
