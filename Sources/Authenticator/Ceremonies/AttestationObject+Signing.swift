import PasskeySignatures
import WebAuthnValues

extension AttestationObject {
    /// Self attestation by `key`, which is the one in `data`.
    ///
    /// - Throws: `keyFailed` when the key cannot sign.
    static func selfAttested(
        _ data: AuthenticatorData, clientDataHash: [UInt8], by key: PrivateKey
    ) throws(AuthenticatorError) -> AttestationObject {
        .selfAttested(data, by: key.algorithm, signature: try key.signature(of: data.bytes + clientDataHash))
    }
}

extension PrivateKey {
    /// Signs for a ceremony.
    ///
    /// - Throws: `keyFailed` when the key cannot sign.
    func signature(of message: [UInt8]) throws(AuthenticatorError) -> [UInt8] {
        do throws(PasskeySignatureError) {
            return try sign(message)
        } catch {
            throw AuthenticatorError(.keyFailed, error.description)
        }
    }
}
