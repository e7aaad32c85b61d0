import CLibCrypto
import KeywayCrypto

/// What two keys agree on without telling it (Diffie-Hellman).
enum KeyAgreement {
    /// The secret that `own` shares with whoever has the private half of `peer`; a point without its second coordinate.
    ///
    /// - Throws: `malformedKey` where the two are of different kinds, or the secret would be known to everybody.
    static func secret(of own: KeyHandle, with peer: KeyHandle) throws(PasskeySignatureError) -> SecretBytes {
        guard let context = EVP_PKEY_CTX_new(own.pointer, nil) else {
            throw PasskeySignatureError(.failed, "no context")
        }
        defer { EVP_PKEY_CTX_free(context) }
        var count = 0
        guard EVP_PKEY_derive_init(context) == 1, EVP_PKEY_derive_set_peer(context, peer.pointer) == 1,
            EVP_PKEY_derive(context, nil, &count) == 1
        else { throw PasskeySignatureError(.malformedKey, "key of the other side") }
        return try SecretBytes(upTo: count) { (room) throws(PasskeySignatureError) in
            var count = room.count
            guard EVP_PKEY_derive(context, room.octets, &count) == 1 else {
                throw PasskeySignatureError(.malformedKey, "key of the other side")
            }
            return count
        }
    }
}
