public import Foundation
import KeywayCrypto

/// Message authentication with a hash function (RFC 2104), and a code under way.
public struct HMAC<H: HashFunction>: Sendable {
    /// The key.
    public typealias Key = SymmetricKey
    /// What comes out.
    public typealias MAC = HashedAuthenticationCode<H>

    private var inner = H()
    private var outer = H()

    /// A code of nothing yet, under `key`, which may have any length.
    public init(key: SymmetricKey) {
        let short = key.bytes.count > H.blockByteCount ? Self.digest(of: key) : key.bytes
        withSecretScratch(count: H.blockByteCount) { block in
            short.withUnsafeBytes { block.copyMemory(from: $0) }
            for index in block.indices { block[index] ^= 0x36 }
            inner.update(bufferPointer: UnsafeRawBufferPointer(block))
            for index in block.indices { block[index] ^= 0x36 ^ 0x5C }
            outer.update(bufferPointer: UnsafeRawBufferPointer(block))
        }
    }

    private static func digest(of key: SymmetricKey) -> SecretBytes {
        key.withUnsafeBytes { H.hash(bufferPointer: $0) }.withUnsafeBytes { SecretBytes(copying: $0) }
    }

    /// Adds `data` to the message.
    public mutating func update<D: DataProtocol>(data: D) {
        inner.update(data: data)
    }

    mutating func update(bufferPointer: UnsafeRawBufferPointer) {
        inner.update(bufferPointer: bufferPointer)
    }

    /// The code of the message so far; more may follow.
    public func finalize() -> MAC {
        var outer = outer
        inner.finalize().withUnsafeBytes { outer.update(bufferPointer: $0) }
        return MAC(digest: outer.finalize())
    }

    // MARK: At once

    /// The code of `data` under `key`.
    public static func authenticationCode<D: DataProtocol>(for data: D, using key: SymmetricKey) -> MAC {
        var code = Self(key: key)
        code.update(data: data)
        return code.finalize()
    }

    /// Whether `authenticationCode` is that of `authenticatedData` under `key`; compared in constant time.
    public static func isValidAuthenticationCode<D: DataProtocol>(
        _ authenticationCode: MAC, authenticating authenticatedData: D, using key: SymmetricKey
    ) -> Bool {
        Self.authenticationCode(for: authenticatedData, using: key) == authenticationCode
    }

    /// Whether `authenticationCode` is that of `authenticatedData` under `key`; compared in constant time.
    public static func isValidAuthenticationCode<C: ContiguousBytes, D: DataProtocol>(
        _ authenticationCode: C, authenticating authenticatedData: D, using key: SymmetricKey
    ) -> Bool {
        Self.authenticationCode(for: authenticatedData, using: key).isEqual(to: authenticationCode)
    }

    /// Whether `authenticationCode` is that of `bufferPointer` under `key`; compared in constant time.
    public static func isValidAuthenticationCode(
        _ authenticationCode: MAC, authenticating bufferPointer: UnsafeRawBufferPointer, using key: SymmetricKey
    ) -> Bool {
        var code = Self(key: key)
        code.update(bufferPointer: bufferPointer)
        return code.finalize() == authenticationCode
    }
}
