public import Foundation
import KeywayCrypto

/// Keys derived from a key by ``HMAC`` (RFC 5869). For keys that are random: not for passwords.
public struct HKDF<H: HashFunction>: Sendable {
    /// A key of `outputByteCount` bytes from `inputKeyMaterial`; `info` says what it is for.
    ///
    /// - Precondition: at most 255 digests are asked for.
    public static func deriveKey<Salt: DataProtocol, Info: DataProtocol>(
        inputKeyMaterial: SymmetricKey, salt: Salt, info: Info, outputByteCount: Int
    ) -> SymmetricKey {
        expand(
            pseudoRandomKey: extract(inputKeyMaterial: inputKeyMaterial, salt: salt), info: info,
            outputByteCount: outputByteCount)
    }

    /// A key of `outputByteCount` bytes from `inputKeyMaterial`, without a salt.
    public static func deriveKey<Info: DataProtocol>(
        inputKeyMaterial: SymmetricKey, info: Info, outputByteCount: Int
    ) -> SymmetricKey {
        deriveKey(inputKeyMaterial: inputKeyMaterial, salt: Data(), info: info, outputByteCount: outputByteCount)
    }

    /// A key of `outputByteCount` bytes from `inputKeyMaterial`, for no purpose in particular.
    public static func deriveKey<Salt: DataProtocol>(
        inputKeyMaterial: SymmetricKey, salt: Salt, outputByteCount: Int
    ) -> SymmetricKey {
        deriveKey(inputKeyMaterial: inputKeyMaterial, salt: salt, info: Data(), outputByteCount: outputByteCount)
    }

    /// A key of `outputByteCount` bytes from `inputKeyMaterial`, without a salt, for no purpose in particular.
    public static func deriveKey(inputKeyMaterial: SymmetricKey, outputByteCount: Int) -> SymmetricKey {
        deriveKey(inputKeyMaterial: inputKeyMaterial, salt: Data(), info: Data(), outputByteCount: outputByteCount)
    }

    /// The first step: a key from something that is as hard to guess, but not as even.
    public static func extract<Salt: DataProtocol>(
        inputKeyMaterial: SymmetricKey, salt: Salt?
    ) -> HashedAuthenticationCode<H> {
        // No salt is one of zeros (section 2.2), which is what HMAC makes of an empty key.
        let key = SymmetricKey(data: salt.map { Data($0) } ?? Data())
        return inputKeyMaterial.withUnsafeBytes { bytes in
            var code = HMAC<H>(key: key)
            code.update(bufferPointer: bytes)
            return code.finalize()
        }
    }

    /// The second step: `outputByteCount` bytes from the key that the first one made.
    ///
    /// - Precondition: at most 255 digests are asked for.
    public static func expand<PRK: ContiguousBytes, Info: DataProtocol>(
        pseudoRandomKey prk: PRK, info: Info?, outputByteCount: Int
    ) -> SymmetricKey {
        precondition(outputByteCount <= 255 * H.Digest.byteCount, "HKDF makes 255 digests at most")
        let begun = HMAC<H>(key: SymmetricKey(data: prk))
        return SymmetricKey(
            SecretBytes(count: outputByteCount) { room in
                for (index, start) in stride(from: 0, to: room.count, by: H.Digest.byteCount).enumerated() {
                    var code = begun
                    let before = room[..<start].suffix(H.Digest.byteCount)
                    code.update(bufferPointer: UnsafeRawBufferPointer(rebasing: before))
                    if let info { code.update(data: info) }
                    code.update(data: [UInt8(index + 1)])
                    code.finalize().withUnsafeBytes { block in
                        let rest = UnsafeMutableRawBufferPointer(rebasing: room[start...])
                        rest.copyMemory(from: UnsafeRawBufferPointer(rebasing: block.prefix(rest.count)))
                    }
                }
            })
    }
}
