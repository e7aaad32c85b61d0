import Foundation

/// Base32 of RFC 4648, as people copy it: in any case, with or without spaces, dashes and `=` at the end.
enum Base32 {
    /// The bytes that `text` stands for.
    ///
    /// - Returns: nil for text that is none.
    static func decode(_ text: some Sequence<UInt8>) -> SecretBuffer? {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(256)
        defer { bytes.withUnsafeMutableBytes { if let base = $0.baseAddress { explicit_bzero(base, $0.count) } } }
        var bits = 0
        var value: UInt32 = 0
        var isAtEnd = false
        for character in text {
            switch character {
            case UInt8(ascii: " "), UInt8(ascii: "-"): continue
            case UInt8(ascii: "="): isAtEnd = true
            default:
                guard !isAtEnd, let five = digit(character), bytes.count < 256 else { return nil }
                value = (value << 5 | five) & 0xFFF
                bits += 5
                if bits >= 8 {
                    bits -= 8
                    bytes.append(UInt8(truncatingIfNeeded: value >> UInt32(bits)))
                }
            }
        }
        return bytes.isEmpty ? nil : SecretBuffer(bytes)
    }

    private static func digit(_ character: UInt8) -> UInt32? {
        switch character {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): UInt32(character - UInt8(ascii: "A"))
        case UInt8(ascii: "a")...UInt8(ascii: "z"): UInt32(character - UInt8(ascii: "a"))
        case UInt8(ascii: "2")...UInt8(ascii: "7"): UInt32(character - UInt8(ascii: "2") + 26)
        default: nil
        }
    }
}
