package import KeywayCrypto

/// What names one item for as long as it exists: 16 random bytes, in the form of a version 4 UUID (RFC 9562).
package struct ItemID: Hashable, Sendable, LosslessStringConvertible {
    /// The first eight bytes, big-endian.
    let high: UInt64
    /// The last eight bytes, big-endian.
    let low: UInt64

    /// A new identifier.
    package init(random: any RandomSource) { self.init(marking: random.bytes(16)) }

    /// These 16 bytes, but for the bits that say that it is of version 4.
    init(marking bytes: [UInt8]) {
        let drawn = bytes.withUnsafeBytes { ItemID(sixteen: $0) }
        high = drawn.high & ~0xf000 | 0x4000
        low = drawn.low & ~(0b11 << 62) | 0b10 << 62
    }

    /// Reads the text form, hyphens optional, in either case; nil when it is none.
    package init?(_ description: String) {
        let digits = description.utf8.filter { $0 != UInt8(ascii: "-") }
        guard digits.count == 32, description.utf8.count == 32 || description.utf8.count == 36 else { return nil }
        let halves = [digits.prefix(16), digits.suffix(16)].map {
            UInt64(String(decoding: $0, as: UTF8.self), radix: 16)
        }
        // `UInt64(_:radix:)` would take a sign.
        guard let high = halves[0], let low = halves[1], !digits.contains(UInt8(ascii: "+")) else { return nil }
        self.high = high
        self.low = low
    }

    /// Takes the stored form.
    ///
    /// - Precondition: there are exactly 16 bytes.
    package init(sixteen bytes: UnsafeRawBufferPointer) {
        precondition(bytes.count == 16)
        high = UInt64(bigEndian: bytes.loadUnaligned(as: UInt64.self))
        low = UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
    }

    /// The stored form: 16 bytes.
    package var bytes: [UInt8] {
        withUnsafeBytes(of: (high.bigEndian, low.bigEndian)) { Array($0) }
    }

    /// The text form: lower-case hexadecimal digits in groups of 8-4-4-4-12.
    package var description: String {
        let digits = Self.digits(high) + Self.digits(low)
        var text = ""
        for (index, digit) in digits.enumerated() {
            if [8, 12, 16, 20].contains(index) { text.append("-") }
            text.append(digit)
        }
        return text
    }

    private static func digits(_ half: UInt64) -> String {
        let digits = String(half, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}

/// What names one vault, also after copies and moves: 16 random bytes, written like an ``ItemID``.
package struct VaultID: Hashable, Sendable, CustomStringConvertible {
    private let name: ItemID

    /// A new identifier.
    package init(random: any RandomSource) { name = ItemID(random: random) }

    /// Takes the stored form.
    ///
    /// - Precondition: there are exactly 16 bytes.
    package init(sixteen bytes: UnsafeRawBufferPointer) { name = ItemID(sixteen: bytes) }

    /// The stored form: 16 bytes.
    package var bytes: [UInt8] { name.bytes }

    /// The text form of an ``ItemID``.
    package var description: String { name.description }
}
