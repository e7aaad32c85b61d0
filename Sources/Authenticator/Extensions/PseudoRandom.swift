package import KeywayCrypto

/// What `prf` is evaluated at: one or two salts of 32 bytes (WebAuthn Level 3, section 10.1.4).
package struct PseudoRandomSalts: Hashable, Sendable {
    /// The first salt.
    package let first: [UInt8]
    /// The second salt; with two, a relying party changes its keys.
    package let second: [UInt8]?

    /// The salts of what a page sent, of any length: hashed with a context, so that pages reach other outputs than what
    /// else uses the same secret.
    package init(hashing first: [UInt8], _ second: [UInt8]? = nil) {
        self.first = Self.hash(first)
        self.second = second.map(Self.hash)
    }

    /// Salts that were hashed before.
    ///
    /// - Throws: `invalidRequest` when one has not 32 bytes.
    package init(hashed first: [UInt8], _ second: [UInt8]? = nil) throws(AuthenticatorError) {
        guard first.count == 32, second.map({ $0.count == 32 }) ?? true else {
            throw AuthenticatorError(.invalidRequest, "salt of another length than 32 bytes")
        }
        self.first = first
        self.second = second
    }

    private static func hash(_ input: [UInt8]) -> [UInt8] {
        Digest.sha256(Array("WebAuthn PRF".utf8) + [0] + input)
    }
}

/// The outputs of `prf`: 32 bytes each, keys to whoever asked.
package struct PseudoRandomResults: Sendable, Equatable {
    /// The output at the first salt.
    package let first: SecretBytes
    /// The output at the second salt.
    package let second: SecretBytes?

    /// Evaluates the function of a passkey as CTAP's `hmac-secret` does: HMAC with SHA-256 over the salt.
    init(of secret: SecretBytes, at salts: PseudoRandomSalts) {
        func evaluate(_ salt: [UInt8]) -> SecretBytes {
            salt.withUnsafeBytes { MessageAuthentication.hmacSHA256($0, key: secret) }
        }
        first = evaluate(salts.first)
        second = salts.second.map(evaluate)
    }
}
