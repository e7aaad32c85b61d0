public import Foundation

/// What a hash function makes of a message. Two are compared in constant time.
public protocol Digest: Hashable, ContiguousBytes, CustomStringConvertible, Sequence, Sendable where Element == UInt8 {
    /// The length in bytes.
    static var byteCount: Int { get }
}

extension Digest {
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

    /// Whether `right` holds the bytes of the digest.
    public static func == <D: DataProtocol>(left: Self, right: D) -> Bool { left.isEqual(to: Data(right)) }

    /// Whether `right` holds other bytes than the digest.
    public static func != <D: DataProtocol>(left: Self, right: D) -> Bool { !(left == right) }
}
