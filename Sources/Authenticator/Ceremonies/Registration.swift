package import KeywayCrypto
import PasskeySignatures
package import WebAuthnValues

/// What a registration came to.
package struct Registration: Sendable {
    /// The passkey, to be stored.
    package let passkey: Passkey
    /// Its public key; pages get ``PasskeySignatures/PublicKey/subjectPublicKeyInfo``.
    package let publicKey: PublicKey
    /// What the relying party gets.
    package let attestation: AttestationObject
    /// What extensions answer.
    package let extensions: RegistrationOutputs<SecretBytes>
}
