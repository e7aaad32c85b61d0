public import Foundation

/// A secret key. Its bytes lie in memory that is locked against swapping where the system allows, kept out of core
/// dumps, and wiped when the last copy of the key goes away. Copies share that memory.
public struct SymmetricKey: ContiguousBytes, Sendable {
    private let memory: LockedMemory

    /// A key with the bytes of `data`, which stay where they are.
    public init(data: some ContiguousBytes) {
        memory = data.withUnsafeBytes { bytes in
            LockedMemory(count: bytes.count) { $0.copyMemory(from: bytes) }
        }
    }

    /// A new random key of the length `size`.
    public init(size: SymmetricKeySize) {
        memory = LockedMemory(count: size.bitCount / 8) { bytes in
            var random = SystemRandomNumberGenerator()
            for index in bytes.indices { bytes[index] = random.next() }
        }
    }

    /// The key's length in bits.
    public var bitCount: Int { memory.count * 8 }

    /// Lends the bytes of the key to `body`, and no longer.
    public func withUnsafeBytes<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
        try memory.withUnsafeBytes(body)
    }
}

extension SymmetricKey: Equatable {
    /// Whether two keys have the same bytes; how long it takes depends on the length alone.
    public static func == (left: SymmetricKey, right: SymmetricKey) -> Bool {
        guard left.bitCount == right.bitCount else { return false }
        return left.withUnsafeBytes { left in
            right.withUnsafeBytes { right in
                zip(left, right).reduce(into: UInt8(0)) { $0 |= $1.0 ^ $1.1 } == 0
            }
        }
    }
}

/// Debuggers, logs and `dump` learn the length and nothing else.
extension SymmetricKey: CustomStringConvertible, CustomReflectable {
    /// The type and the length.
    public var description: String { "SymmetricKey(\(bitCount) bits)" }
    /// Empty.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
