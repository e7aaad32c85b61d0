import CSodium

/// A secret that grows while it is composed: hidden input byte by byte, a message with a password in it.
///
/// Every byte it ever held lies in guarded memory and is wiped: when the buffer grows, shrinks, is cleared or goes away.
/// Not `Sendable`; hand over the ``SecretBytes`` that ``finish()`` makes.
package final class SecretBuffer {
    private var storage: UnsafeMutableRawBufferPointer
    // Private, so that the compiler can see that nobody uses it while it changes: else each use is checked when it happens,
    // which costs more than adding a few bytes does.
    private var held = 0
    /// How many bytes are held.
    package var count: Int { held }

    /// Makes an empty buffer; `capacity` is only a hint that saves growing.
    package init(capacity: Int = 256) {
        storage = Self.allocate(max(capacity, 16))
    }

    deinit {
        Self.free(storage)
    }

    /// Adds one byte.
    package func append(_ byte: UInt8) {
        reserve(1)
        storage[held] = byte
        held += 1
    }

    /// Adds bytes.
    package func append(_ bytes: UnsafeRawBufferPointer) {
        append(count: bytes.count) { $0.copyMemory(from: bytes) }
    }

    /// Adds the bytes of a secret.
    package func append(_ secret: SecretBytes) {
        secret.withUnsafeBytes { append($0) }
    }

    /// Adds the UTF-8 of text that is not secret itself.
    package func append(utf8Of text: String) {
        var text = text
        text.withUTF8 { append(UnsafeRawBufferPointer($0)) }
    }

    /// Adds `extra` zero bytes and lets `initialize` fill them.
    package func append<Failure>(
        count extra: Int,
        initialize: (UnsafeMutableRawBufferPointer) throws(Failure) -> Void
    ) throws(Failure) {
        reserve(extra)
        try initialize(UnsafeMutableRawBufferPointer(rebasing: storage[held..<held + extra]))
        held += extra
    }

    /// Makes room for that many bytes more and lets `initialize` fill some of it.
    ///
    /// - Returns: what `initialize` returns: how many bytes it filled, or nil, and then nothing is added.
    package func append(upTo extra: Int, initialize: (UnsafeMutableRawBufferPointer) -> Int?) -> Int? {
        reserve(extra)
        let filled = initialize(UnsafeMutableRawBufferPointer(rebasing: storage[held..<held + extra]))
        precondition((0...extra).contains(filled ?? 0))
        wipe(from: held + (filled ?? 0), count: extra - (filled ?? 0))
        held += filled ?? 0
        return filled
    }

    /// Lets `rewrite` put something in the place of the last bytes that is no longer than they are; it returns how many
    /// bytes that has, and the others go.
    ///
    /// - Precondition: there are that many bytes.
    package func rewriteLast(_ last: Int, _ rewrite: (UnsafeMutableRawBufferPointer) -> Int) {
        precondition((0...held).contains(last))
        let left = rewrite(UnsafeMutableRawBufferPointer(rebasing: storage[held - last..<held]))
        precondition((0...last).contains(left))
        removeLast(last - left)
    }

    /// Takes away, and wipes, the last bytes; at most all.
    package func removeLast(_ removed: Int = 1) {
        let removed = min(removed, held)
        held -= removed
        wipe(from: held, count: removed)
    }

    /// Takes away, and wipes, everything; the room stays for the next use.
    package func removeAll() {
        removeLast(held)
    }

    /// Lends the bytes for the time of the call.
    package func withUnsafeBytes<Result, Failure>(
        _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try body(UnsafeRawBufferPointer(rebasing: storage[..<held]))
    }

    /// Hands the bytes over as a secret of exactly that size, and empties the buffer.
    package func finish() -> SecretBytes {
        defer { removeAll() }
        return withUnsafeBytes { SecretBytes(copying: $0) }
    }

    private func reserve(_ extra: Int) {
        guard held + extra > storage.count else { return }
        let larger = Self.allocate(max(storage.count * 2, held + extra))
        larger.copyMemory(from: UnsafeRawBufferPointer(rebasing: storage[..<held]))
        Self.free(storage)
        storage = larger
    }

    private func wipe(from offset: Int, count: Int) {
        guard count > 0, let start = storage.baseAddress else { return }
        sodium_memzero(start + offset, count)
    }

    private static func allocate(_ count: Int) -> UnsafeMutableRawBufferPointer {
        UnsafeMutableRawBufferPointer(start: GuardedMemory.allocate(count), count: count)
    }

    private static func free(_ room: UnsafeMutableRawBufferPointer) {
        if let start = room.baseAddress { GuardedMemory.free(start, room.count) }
    }
}

/// Lends secret memory for the time of the call: guarded, locked where the limit allows, zero at the start, wiped at
/// the end. For a walk over many records that opens one after another into the same place.
package func withSecretScratch<Result, Failure>(
    count: Int, _ body: (UnsafeMutableRawBufferPointer) throws(Failure) -> Result
) throws(Failure) -> Result {
    let room = GuardedMemory.allocate(count)
    defer { GuardedMemory.free(room, count) }
    return try body(UnsafeMutableRawBufferPointer(start: room, count: count))
}

extension SecretBuffer: CustomStringConvertible, CustomReflectable {
    /// Says how many bytes there are, not which.
    package var description: String { "SecretBuffer(\(count) bytes, redacted)" }
    /// Shows no children, so that `dump` and test failures print nothing secret.
    package var customMirror: Mirror { Mirror(self, children: [:]) }
}
