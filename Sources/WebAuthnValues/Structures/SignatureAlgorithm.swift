/// The algorithms that passkeys sign with, by COSE's numbers (RFC 9053, RFC 8812).
package enum SignatureAlgorithm: Int, CaseIterable, Sendable {
    /// ECDSA on P-256 with SHA-256.
    case es256 = -7
    /// Ed25519; in WebAuthn, EdDSA has no other curve.
    case edDSA = -8
    /// RSASSA-PKCS1-v1_5 with SHA-256.
    case rs256 = -257
}
