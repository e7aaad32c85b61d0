public import Foundation

/// A cryptographic hash function, and a hash under way.
public protocol HashFunction: Sendable {
    /// How many bytes the function takes at a time.
    static var blockByteCount: Int { get }

    /// What comes out of it.
    associatedtype Digest: CryptoKit.Digest

    /// A hash of nothing yet.
    init()

    /// Hashes `bufferPointer` behind what came before.
    mutating func update(bufferPointer: UnsafeRawBufferPointer)

    /// The hash of all bytes so far; more may follow.
    func finalize() -> Self.Digest
}

extension HashFunction {
    /// The hash of `data`.
    public static func hash<D: DataProtocol>(data: D) -> Self.Digest {
        var function = Self()
        function.update(data: data)
        return function.finalize()
    }

    /// The hash of `bufferPointer`.
    public static func hash(bufferPointer: UnsafeRawBufferPointer) -> Self.Digest {
        var function = Self()
        function.update(bufferPointer: bufferPointer)
        return function.finalize()
    }

    /// Hashes `data` behind what came before.
    public mutating func update<D: DataProtocol>(data: D) {
        for region in data.regions {
            region.withUnsafeBytes { update(bufferPointer: $0) }
        }
    }
}
