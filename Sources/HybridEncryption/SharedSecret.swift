import KeywayCrypto

/// A secret that is shared with the owner of a key by a key of one use (`DHKEM`: RFC 9180, section 4.1).
enum SharedSecret {
    /// Makes one: the secret, and what its receiver needs of it.
    static func encapsulate(
        for recipient: HPKEPublicKey, random: any RandomSource
    ) throws(HybridEncryptionError) -> (secret: SecretBytes, encapsulation: [UInt8]) {
        let own = try HPKEPrivateKey(recipient.kem, random: random)
        let encapsulation = own.publicKey.encoded
        let agreed = try own.agreement(with: recipient)
        return (try derive(agreed, encapsulation + recipient.encoded, recipient.kem), encapsulation)
    }

    /// The secret, to the owner of the key.
    static func decapsulate(
        _ encapsulation: [UInt8], with own: HPKEPrivateKey
    ) throws(HybridEncryptionError) -> SecretBytes {
        let kem = own.publicKey.kem
        let agreed = try own.agreement(with: HPKEPublicKey(kem, encapsulation))
        return try derive(agreed, encapsulation + own.publicKey.encoded, kem)
    }

    private static func derive(
        _ agreed: SecretBytes, _ context: [UInt8], _ kem: HPKESuite.KEM
    ) throws(HybridEncryptionError) -> SecretBytes {
        let derivation = LabeledDerivation(of: kem)
        return try derivation.expand(
            try derivation.extract("eae_prk", agreed), "shared_secret", context, count: derivation.count)
    }
}
