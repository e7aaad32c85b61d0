package import KeywayCrypto

/// A passkey as it is stored: what WebAuthn calls a public key credential source (Level 3, section 4).
///
/// Names of the account are not part of it: they change, and nothing here needs them.
package struct Passkey: Sendable {
    /// How long a credential ID of ours is, in bytes.
    package static let identifierCount = 32
    /// How long the secret of the pseudo-random function is, in bytes.
    package static let pseudoRandomSecretCount = 32

    /// The largest blob that is stored, in bytes. Relying parties can count on 1,024 after compression (CTAP 2.1,
    /// section 6.10.3).
    package static let largestBlob = 1 << 14

    /// The credential ID.
    package let identifier: [UInt8]
    /// The relying party ID, such as `example.org`.
    package let relyingParty: String
    /// What the relying party calls the account: 1 to 64 bytes.
    package let userHandle: [UInt8]
    /// The private key as PKCS #8 in DER.
    package let key: SecretBytes
    /// What the outputs of `prf` are computed with; nil for a passkey from elsewhere that has none.
    package let pseudoRandomSecret: SecretBytes?
    /// What the relying party stored with it (`largeBlob`).
    package let largeBlob: SecretBytes?
    /// Whether it may be on several devices; fixed when it is made.
    package let isBackupEligible: Bool

    /// Makes one of its parts, which are not checked.
    package init(
        identifier: [UInt8], relyingParty: String, userHandle: [UInt8], key: SecretBytes,
        pseudoRandomSecret: SecretBytes? = nil, largeBlob: SecretBytes? = nil, isBackupEligible: Bool = true
    ) {
        self.identifier = identifier
        self.relyingParty = relyingParty
        self.userHandle = userHandle
        self.key = key
        self.pseudoRandomSecret = pseudoRandomSecret
        self.largeBlob = largeBlob
        self.isBackupEligible = isBackupEligible
    }
}
