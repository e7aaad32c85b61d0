package import KeywayCrypto
package import KeywaySystem

/// A secret that is typed: each byte goes straight into memory that is locked and wiped, and is never part of a string.
package final class SecretField {
    /// The most bytes: more is not taken.
    package static let limit = 4096

    private let buffer = SecretBuffer()
    /// How many scalars were typed.
    package private(set) var count = 0

    /// An empty field.
    package init() {}

    /// Takes a key; whether it meant anything here.
    package func handle(_ key: Key) -> Bool {
        switch key {
        case .text(let scalar): append(scalar)
        case .backspace, .control("h"): removeLast()
        case .control("u"), .control("w"): clear()
        default: return false
        }
        return true
    }

    /// Adds bytes as they are: a line of standard input.
    package func append(byte: UInt8) {
        guard buffer.count < Self.limit else { return }
        buffer.append(byte)
        if byte & 0xC0 != 0x80 { count += 1 }
    }

    /// Forgets what was typed.
    package func clear() {
        buffer.removeAll()
        count = 0
    }

    /// Hands the secret over and empties the field.
    package func finish() -> SecretBytes {
        defer { count = 0 }
        return buffer.finish()
    }

    /// Hands the secret over as a memory file and empties the field.
    ///
    /// - Throws: ``ProtocolError`` with the code `system` when there is no memory file to be had.
    package func seal() throws(ProtocolError) -> SealedMemory {
        defer { clear() }
        return try buffer.withUnsafeBytes { (bytes) throws(ProtocolError) in try SealedMemory(copying: bytes) }
    }

    private func append(_ scalar: Unicode.Scalar) {
        guard buffer.count + 4 <= Self.limit, scalar.properties.generalCategory != .control else { return }
        for byte in UTF8.encode(scalar) ?? .init() { buffer.append(byte) }
        count += 1
    }

    private func removeLast() {
        guard buffer.count > 0 else { return }
        let length = buffer.withUnsafeBytes { bytes in
            1 + bytes.reversed().prefix { $0 & 0xC0 == 0x80 }.count
        }
        buffer.removeLast(min(length, 4))
        count -= 1
    }
}
