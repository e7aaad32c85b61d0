import FoundationEssentials
import KeywayCrypto
import WebAuthnValues

extension PRFValues {
    /// What the function is evaluated at: the inputs, of any length, hashed with a context, so that pages reach other
    /// outputs than what else uses the same secret (WebAuthn Level 3, section 10.1.4).
    var salts: (first: [UInt8], second: [UInt8]?) { (Self.hash(first), second.map(Self.hash)) }

    private static func hash(_ input: Data) -> [UInt8] {
        Digest.sha256(Array("WebAuthn PRF".utf8) + [0] + input)
    }
}

extension PRFOutputs<SecretBytes> {
    /// Evaluates the function of a passkey as CTAP's `hmac-secret` does: HMAC with SHA-256 over the salt.
    init(of secret: SecretBytes, at values: PRFValues) {
        func evaluate(_ salt: [UInt8]) -> SecretBytes {
            salt.withUnsafeBytes { MessageAuthentication.hmacSHA256($0, key: secret) }
        }
        let salts = values.salts
        self.init(first: evaluate(salts.first), second: salts.second.map(evaluate))
    }
}
