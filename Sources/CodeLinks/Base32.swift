package import KeywayCrypto

/// Base32 of RFC 4648, section 6, as people copy it and as links carry it.
package enum Base32 {
    /// The most bytes that a secret has; those of sites have 10 to 64.
    package static let longestSecret = 1024

    /// The secret that `text` stands for: in any case, with or without blanks, hyphens and padding. A plus, which some
    /// links have in place of a blank, is none of the alphabet and is passed over. The bits behind the last byte do not
    /// count.
    ///
    /// - Throws: ``OneTimeCodeError``: `malformedSecret` for anything else, also for no byte at all; `tooLong`.
    package static func secret(in text: UnsafeRawBufferPointer) throws(OneTimeCodeError) -> SecretBytes {
        guard text.count <= 4 * longestSecret else { throw OneTimeCodeError(.tooLong, "secret") }
        let secret = try SecretBytes(upTo: text.count * 5 / 8 + 1) { (room) throws(OneTimeCodeError) in
            var (count, bits, group, isAtEnd) = (0, UInt32(0), UInt32(0), false)
            defer { group = 0 }
            for character in text {
                if isFiller(character) { continue }
                if character == UInt8(ascii: "=") {
                    isAtEnd = true
                    continue
                }
                let value = value(of: character)
                guard value < 32, !isAtEnd else { throw OneTimeCodeError(.malformedSecret, "no Base32") }
                group = group << 5 | value
                bits += 5
                guard bits >= 8 else { continue }
                bits -= 8
                room[count] = UInt8(truncatingIfNeeded: group >> bits)
                count += 1
            }
            return count
        }
        guard !secret.isEmpty else { throw OneTimeCodeError(.malformedSecret, "no secret") }
        guard secret.count <= longestSecret else { throw OneTimeCodeError(.tooLong, "secret") }
        return secret
    }

    /// The text for `secret`, in capitals and without padding.
    package static func text(of secret: SecretBytes) -> SecretBytes {
        SecretBytes(upTo: secret.count * 8 / 5 + 1) { room in
            var count = 0
            write(secret) { character in
                room[count] = character
                count += 1
            }
            return count
        }
    }

    /// The text for `secret`, in capitals and without padding, character by character.
    package static func write(_ secret: SecretBytes, _ append: (UInt8) -> Void) {
        secret.withUnsafeBytes { bytes in
            var (bits, group) = (UInt32(0), UInt32(0))
            for byte in bytes {
                group = group << 8 | UInt32(byte)
                bits += 8
                while bits >= 5 {
                    bits -= 5
                    append(character(of: group >> bits & 31))
                }
            }
            if bits > 0 { append(character(of: group << (5 - bits) & 31)) }
        }
    }

    /// Blanks and hyphens, which people put between groups.
    private static func isFiller(_ character: UInt8) -> Bool {
        switch character {
        case UInt8(ascii: " "), UInt8(ascii: "-"), UInt8(ascii: "+"), 0x09, 0x0A, 0x0D: true
        default: false
        }
    }

    /// By arithmetic, since a look-up tells the cache what was looked up; 32 for what is no character of the alphabet.
    private static func value(of character: UInt8) -> UInt32 {
        // Whether `low` ≤ character ≤ `high`, as all ones or nothing.
        func mask(_ low: Character, _ high: Character) -> UInt32 {
            let (low, high) = (Int32(low.asciiValue ?? 0), Int32(high.asciiValue ?? 0))
            let outside = (Int32(character) - low) | (high - Int32(character))
            return ~UInt32(bitPattern: outside >> 31)
        }
        let (capital, small, digit) = (mask("A", "Z"), mask("a", "z"), mask("2", "7"))
        let character = UInt32(character)
        return capital & (character &- 65) | small & (character &- 97) | digit & (character &- 24)
            | ~(capital | small | digit) & 32
    }

    private static func character(of value: UInt32) -> UInt8 {
        let isDigit = UInt32(bitPattern: (25 - Int32(bitPattern: value)) >> 31)
        return UInt8(truncatingIfNeeded: value + 65 - (isDigit & 41))
    }
}
