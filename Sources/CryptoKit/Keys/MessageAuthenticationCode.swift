public import Foundation

/// Bytes that nobody can make without the key. Two are compared in constant time.
public protocol MessageAuthenticationCode: Hashable, ContiguousBytes, CustomStringConvertible, Sequence, Sendable
where Element == UInt8 {
    /// The length in bytes.
    var byteCount: Int { get }
}

extension MessageAuthenticationCode {
    /// The bytes, one after another.
    public func makeIterator() -> Array<UInt8>.Iterator {
        withUnsafeBytes { Array($0) }.makeIterator()
    }

    /// Hashes the bytes.
    public func hash(into hasher: inout Hasher) {
        withUnsafeBytes { hasher.combine(bytes: $0) }
    }

    /// Whether both have the same bytes.
    public static func == (left: Self, right: Self) -> Bool { left.isEqual(to: right) }

    /// Whether `right` holds the bytes of the code.
    public static func == <D: DataProtocol>(left: Self, right: D) -> Bool { left.isEqual(to: Data(right)) }

    /// Whether `right` holds other bytes than the code.
    public static func != <D: DataProtocol>(left: Self, right: D) -> Bool { !(left == right) }
}

/// A code that ``HMAC`` makes with the function `H`.
public struct HashedAuthenticationCode<H: HashFunction>: MessageAuthenticationCode {
    let digest: H.Digest

    /// The length in bytes: that of the function's digests.
    public var byteCount: Int { H.Digest.byteCount }

    /// Lends the bytes to `body`.
    public func withUnsafeBytes<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
        try digest.withUnsafeBytes(body)
    }

    /// The name of the function, and the bytes as hexadecimal digits.
    public var description: String { "HMAC with \(H.self): \(hexadecimal)" }
}
