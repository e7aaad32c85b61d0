public import Foundation
import KeywayCrypto

/// A private key that agrees with a public one of somebody else on a secret.
public protocol DiffieHellmanKeyAgreement {
    /// The keys that it agrees with, and its own public half.
    associatedtype PublicKey

    /// The public half.
    var publicKey: PublicKey { get }

    /// The secret shared with whoever has the private half of `publicKeyShare`.
    func sharedSecretFromKeyAgreement(with publicKeyShare: PublicKey) throws -> SharedSecret
}

/// What two keys agreed on. It is no key yet: derive one from it. Two are compared in constant time.
public struct SharedSecret: ContiguousBytes, Sendable {
    let bytes: SecretBytes

    /// Lends the bytes to `body`, and no longer.
    public func withUnsafeBytes<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
        try bytes.withUnsafeBytes(body)
    }

    /// A key by ``HKDF``; `sharedInfo` says what it is for.
    public func hkdfDerivedSymmetricKey<H: HashFunction, Salt: DataProtocol, SI: DataProtocol>(
        using hashFunction: H.Type, salt: Salt, sharedInfo: SI, outputByteCount: Int
    ) -> SymmetricKey {
        HKDF<H>.deriveKey(
            inputKeyMaterial: SymmetricKey(bytes), salt: salt, info: sharedInfo, outputByteCount: outputByteCount)
    }

    /// A key by the function of ANSI X9.63 (SEC 1, section 3.6.1); `sharedInfo` says what it is for.
    public func x963DerivedSymmetricKey<H: HashFunction, SI: DataProtocol>(
        using hashFunction: H.Type, sharedInfo: SI, outputByteCount: Int
    ) -> SymmetricKey {
        SymmetricKey(
            SecretBytes(count: outputByteCount) { room in
                for (index, start) in stride(from: 0, to: room.count, by: H.Digest.byteCount).enumerated() {
                    var function = H()
                    bytes.withUnsafeBytes { function.update(bufferPointer: $0) }
                    Swift.withUnsafeBytes(of: UInt32(index + 1).bigEndian) { function.update(bufferPointer: $0) }
                    function.update(data: sharedInfo)
                    function.finalize().withUnsafeBytes { block in
                        let rest = UnsafeMutableRawBufferPointer(rebasing: room[start...])
                        rest.copyMemory(from: UnsafeRawBufferPointer(rebasing: block.prefix(rest.count)))
                    }
                }
            })
    }
}

extension SharedSecret: Hashable {
    /// Whether both have the same bytes.
    public static func == (left: SharedSecret, right: SharedSecret) -> Bool { left.bytes == right.bytes }

    /// Whether `right` holds the bytes of the secret.
    public static func == <D: DataProtocol>(left: SharedSecret, right: D) -> Bool { left.isEqual(to: Data(right)) }

    /// Whether `right` holds other bytes than the secret.
    public static func != <D: DataProtocol>(left: SharedSecret, right: D) -> Bool { !(left == right) }

    /// Hashes the bytes.
    public func hash(into hasher: inout Hasher) {
        withUnsafeBytes { hasher.combine(bytes: $0) }
    }
}

/// Debuggers, logs and `dump` learn the length and nothing else.
extension SharedSecret: CustomStringConvertible, CustomReflectable {
    /// The type and the length.
    public var description: String { "SharedSecret(\(bytes.count * 8) bits)" }
    /// Empty.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
