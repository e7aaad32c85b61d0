public import Foundation
import KeywayCrypto

/// A secret key. Its bytes lie in guarded memory that is locked against swapping where the system allows, kept out of
/// core dumps and of child processes, and wiped when the last copy of the key goes away. Copies share that memory; each
/// key takes a few pages of it, so derive keys when they are needed where there are thousands.
public struct SymmetricKey: ContiguousBytes, Sendable {
    /// The key.
    let bytes: SecretBytes

    /// A key with the bytes of `data`, which stay where they are.
    public init(data: some ContiguousBytes) {
        bytes = data.secretCopy
    }

    /// A new random key of the length `size`.
    public init(size: SymmetricKeySize) {
        bytes = SystemRandomSource().secretBytes(size.bitCount / 8)
    }

    init(_ bytes: SecretBytes) {
        self.bytes = bytes
    }

    /// The key's length in bits.
    public var bitCount: Int { bytes.count * 8 }

    /// Lends the bytes of the key to `body`, and no longer.
    public func withUnsafeBytes<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
        try bytes.withUnsafeBytes(body)
    }
}

extension SymmetricKey: Equatable {
    /// Whether two keys have the same bytes; how long it takes depends on the length alone.
    public static func == (left: SymmetricKey, right: SymmetricKey) -> Bool { left.bytes == right.bytes }
}

/// Debuggers, logs and `dump` learn the length and nothing else.
extension SymmetricKey: CustomStringConvertible, CustomReflectable {
    /// The type and the length.
    public var description: String { "SymmetricKey(\(bitCount) bits)" }
    /// Empty.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
