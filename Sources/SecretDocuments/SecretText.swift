import Glibc
package import KeywayCrypto

/// Text of a document that may be a secret: a part of guarded memory that it shares with the texts around it.
///
/// A document holds many times more texts than there can be ``SecretBytes``, each of which takes pages of its own.
package struct SecretText: Sendable {
    private let arena: SecretArena
    private let offset: Int
    /// How many bytes of UTF-8 there are.
    package let count: Int

    init(_ arena: SecretArena, _ offset: Int, _ count: Int) {
        self.arena = arena
        self.offset = offset
        self.count = count
    }

    /// Copies the UTF-8 of text that was public before.
    package init(copyingUTF8Of text: String) {
        self.init(room: text.utf8.count) { $0.append(utf8Of: text) }
    }

    /// Copies bytes that are UTF-8.
    package init(copying bytes: UnsafeRawBufferPointer) {
        self.init(room: bytes.count) { $0.append(bytes) }
    }

    /// The text that `compose` puts together in a buffer with that much room.
    package init(room: Int, compose: (SecretBuffer) -> Void) {
        let buffer = SecretBuffer(capacity: room)
        compose(buffer)
        self.init(SecretArena(buffer), 0, buffer.count)
    }

    /// Lends the bytes for the time of the call.
    package func withUnsafeBytes<Result, Failure>(
        _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try arena.buffer.withUnsafeBytes { (all) throws(Failure) in
            try body(UnsafeRawBufferPointer(rebasing: all[offset..<offset + count]))
        }
    }

    /// Whether there is no text.
    package var isEmpty: Bool { count == 0 }

    /// The text as a string, which is never wiped: for what is no secret, such as a title.
    package var publicText: String {
        withUnsafeBytes { String(decoding: $0, as: UTF8.self) }
    }

    /// A copy in memory of its own.
    package var secret: SecretBytes { withUnsafeBytes { SecretBytes(copying: $0) } }

    /// A part of it.
    ///
    /// - Precondition: the part lies within the text.
    package subscript(_ part: Range<Int>) -> SecretText {
        precondition(part.lowerBound >= 0 && part.upperBound <= count)
        return SecretText(arena, offset + part.lowerBound, part.count)
    }

    /// Whether it is that text, which is none of the person's secrets.
    package func isText(_ other: String) -> Bool {
        guard count == other.utf8.count else { return false }
        var other = other
        return withUnsafeBytes { bytes in
            other.withUTF8 { other in
                guard let (ours, theirs) = bytes.baseAddress.flatMap({ ours in other.baseAddress.map { (ours, $0) } })
                else { return true }
                return memcmp(ours, theirs, other.count) == 0
            }
        }
    }
}

extension SecretText: Equatable {
    /// Compares in time that depends on the lengths only.
    package static func == (left: SecretText, right: SecretText) -> Bool {
        guard left.count == right.count else { return false }
        return left.withUnsafeBytes { left in
            right.withUnsafeBytes { right in
                var difference: UInt8 = 0
                for index in 0..<left.count { difference |= left[index] ^ right[index] }
                return difference == 0
            }
        }
    }
}

extension SecretText: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// Says how many bytes there are, not which.
    package var description: String { "SecretText(\(count) bytes, redacted)" }
    /// The same as ``description``.
    package var debugDescription: String { description }
    /// Shows no children, so that `dump` and test failures print nothing secret.
    package var customMirror: Mirror { Mirror(self, children: [:]) }
}

/// Guarded memory that several texts share; wiped when the last of them goes.
// SAFETY: only a reader appends to the buffer, and none of the texts in it leaves the reader before that has ended.
final class SecretArena: @unchecked Sendable {
    let buffer: SecretBuffer

    /// Room for that many bytes.
    init(capacity: Int) { buffer = SecretBuffer(capacity: capacity) }

    fileprivate init(_ buffer: SecretBuffer) { self.buffer = buffer }

    /// How much readers put into one arena before they begin another, in bytes.
    static let usualSize = 1 << 16
}
