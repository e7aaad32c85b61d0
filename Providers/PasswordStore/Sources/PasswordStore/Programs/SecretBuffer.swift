import Foundation

/// Bytes that are kept out of swap where the system allows it, and wiped when nobody holds them any more.
final class SecretBuffer: Sendable {
    // SAFETY: written only while it is made, by its only owner.
    private nonisolated(unsafe) let memory: UnsafeMutableRawBufferPointer
    /// How many bytes there are.
    let count: Int

    /// `count` bytes, which `fill` writes.
    init(count: Int, fill: (UnsafeMutableRawBufferPointer) -> Void) {
        memory = .allocateLocked(byteCount: max(count, 1))
        self.count = count
        fill(UnsafeMutableRawBufferPointer(rebasing: memory[..<count]))
    }

    /// A copy of `bytes`.
    convenience init(_ bytes: some Collection<UInt8>) {
        self.init(count: bytes.count) { $0.copyBytes(from: bytes) }
    }

    deinit {
        memory.wipeAndDeallocate()
    }

    /// Lends the bytes to `body`.
    func withBytes<Result, Failure: Error>(
        _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try body(UnsafeRawBufferPointer(rebasing: memory[..<count]))
    }

    /// Those bytes of the range that are UTF-8 text; nil when they are not. Text cannot be wiped: to be made as late as
    /// possible.
    func text(_ range: Range<Int>) -> String? {
        withBytes { String(validating: $0[range], as: UTF8.self) }
    }

    /// Parts of buffers and new bytes, one after another.
    static func joined(_ parts: [SecretBuffer]) -> SecretBuffer {
        SecretBuffer(count: parts.reduce(0) { $0 + $1.count }) { target in
            var offset = 0
            for part in parts {
                part.withBytes { UnsafeMutableRawBufferPointer(rebasing: target[offset...]).copyMemory(from: $0) }
                offset += part.count
            }
        }
    }

    /// A part of it.
    func slice(_ range: Range<Int>) -> SecretBuffer {
        withBytes { bytes in SecretBuffer(bytes[range]) }
    }
}

extension SecretBuffer: CustomStringConvertible, CustomReflectable {
    /// The name of the type, and nothing of the secret.
    var description: String { "SecretBuffer" }
    /// A mirror without children.
    var customMirror: Mirror { Mirror(self, children: []) }
}

extension UnsafeMutableRawBufferPointer {
    /// Memory that is not written to swap, where the system allows that.
    static func allocateLocked(byteCount: Int) -> UnsafeMutableRawBufferPointer {
        let memory = allocate(byteCount: byteCount, alignment: 1)
        mlock(memory.baseAddress, memory.count)
        return memory
    }

    /// Overwrites the memory and gives it back.
    func wipeAndDeallocate() {
        if let baseAddress { explicit_bzero(baseAddress, count) }
        munlock(baseAddress, count)
        deallocate()
    }
}
