import CSodium

/// Bytes that must not leak: guarded by inaccessible pages, locked out of swap and core dumps where the system allows,
/// kept from child processes, and wiped when the last reference goes.
///
/// The bytes never change after `init`. They are lent to a closure and must not be copied out of it without a reason.
/// Where `RLIMIT_MEMLOCK` is exhausted the memory is still guarded and wiped, only not locked.
/// Each value takes pages of its own: hold few at a time, not one per stored item.
package final class SecretBytes: Sendable {
    // SAFETY: written only inside `init`, before the reference can be shared; read-only from then on.
    private nonisolated(unsafe) let storage: UnsafeMutableRawPointer
    private let capacity: Int
    /// How many bytes there are.
    package let count: Int

    /// Makes room for `count` bytes and lets `initialize` fill them; they are zero when it starts.
    ///
    /// - Throws: what `initialize` throws; the room is wiped then.
    /// - Precondition: the system has memory left, as with every Swift allocation.
    package init<Failure>(
        count: Int,
        initialize: (UnsafeMutableRawBufferPointer) throws(Failure) -> Void
    ) throws(Failure) {
        storage = GuardedMemory.allocate(count)
        self.count = count
        capacity = count
        do {
            try initialize(UnsafeMutableRawBufferPointer(start: storage, count: count))
        } catch {
            // A class whose `init` throws after all its properties are set runs `deinit`, which wipes.
            throw error
        }
    }

    /// Makes room for at most `capacity` bytes; `initialize` returns how many of them it filled.
    ///
    /// - Throws: what `initialize` throws; the room is wiped then.
    package init<Failure>(
        upTo capacity: Int,
        initialize: (UnsafeMutableRawBufferPointer) throws(Failure) -> Int
    ) throws(Failure) {
        let room = GuardedMemory.allocate(capacity)
        let filled: Int
        do {
            filled = try initialize(UnsafeMutableRawBufferPointer(start: room, count: capacity))
        } catch {
            GuardedMemory.free(room, capacity)
            throw error
        }
        precondition(filled >= 0 && filled <= capacity)
        storage = room
        count = filled
        self.capacity = capacity
    }

    /// Copies bytes; the caller wipes the original, if it can.
    package convenience init(copying bytes: UnsafeRawBufferPointer) {
        self.init(count: bytes.count) { $0.copyMemory(from: bytes) }
    }

    /// Copies bytes of an array, which cannot be wiped: for what was public before, and for tests.
    package convenience init(copying bytes: [UInt8]) {
        self.init(count: bytes.count) { $0.copyBytes(from: bytes) }
    }

    /// Copies the UTF-8 of a string, which cannot be wiped: for text that an interface outside of ours gave as a string.
    package convenience init(copyingUTF8Of text: String) {
        var text = text
        self.init(copying: text.withUTF8 { Array($0) })
    }

    deinit {
        GuardedMemory.free(storage, capacity)
    }

    /// Lends the bytes for the time of the call.
    package func withUnsafeBytes<Result, Failure>(
        _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try body(UnsafeRawBufferPointer(start: storage, count: count))
    }

    /// Whether there are no bytes.
    package var isEmpty: Bool { count == 0 }
}

extension SecretBytes: Equatable {
    /// Compares in time that depends on the lengths only.
    package static func == (left: SecretBytes, right: SecretBytes) -> Bool {
        left.count == right.count && sodium_memcmp(left.storage, right.storage, left.count) == 0
    }
}

extension SecretBytes: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// Says how many bytes there are, not which.
    package var description: String { "SecretBytes(\(count) bytes, redacted)" }
    /// The same as ``description``.
    package var debugDescription: String { description }
    /// Shows no children, so that `dump` and test failures print nothing secret.
    package var customMirror: Mirror { Mirror(self, children: [:]) }
}

/// Overwrites memory that is not a ``SecretBytes`` with zeros, in a way that no optimizer drops.
package func wipe(_ memory: UnsafeMutableRawBufferPointer) {
    guard let start = memory.baseAddress else { return }
    sodium_memzero(start, memory.count)
}
