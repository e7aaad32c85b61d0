import FoundationEssentials

/// Base64 with the alphabet for addresses, without padding, as WebAuthn writes bytes (RFC 4648, section 5).
package enum Base64URL {
    /// The text of `bytes`.
    package static func text(of bytes: some Sequence<UInt8>) -> String {
        let bytes = Array(bytes)
        return String(unsafeUninitializedCapacity: bytes.count * 4 / 3 + 2) { text in
            var count = 0
            bytes.withUnsafeBytes {
                write($0) { character in
                    text[count] = character
                    count += 1
                }
            }
            return count
        }
    }

    /// Hands the characters for `bytes` to `append`, one by one: what may be a secret is copied nowhere else.
    package static func write(_ bytes: UnsafeRawBufferPointer, _ append: (UInt8) -> Void) {
        var index = 0
        while index < bytes.count {
            let count = min(3, bytes.count - index)
            var group: UInt32 = 0
            for offset in 0..<3 {
                group = group << 8 | (offset < count ? UInt32(bytes[index + offset]) : 0)
            }
            for place in 0...count {
                append(digit(UInt8(truncatingIfNeeded: group >> (18 - 6 * UInt32(place)) & 63)))
            }
            index += 3
        }
    }

    /// The bytes that `text` stands for; nil when it is no base64url, or not the text that ``text(of:)`` writes.
    package static func bytes(of text: String) -> [UInt8]? {
        guard let bytes = bytes(ofOthers: text) else { return nil }
        return Self.text(of: bytes) == text ? bytes : nil
    }

    /// The bytes that `text` stands for as others may write it: with padding or without, and with any bits behind the
    /// last byte; nil when it is no base64url.
    package static func bytes(ofOthers text: String) -> [UInt8]? {
        var characters = Array(text.utf8)
        while characters.last == UInt8(ascii: "=") { characters.removeLast() }
        for index in characters.indices {
            switch characters[index] {
            case UInt8(ascii: "-"): characters[index] = UInt8(ascii: "+")
            case UInt8(ascii: "_"): characters[index] = UInt8(ascii: "/")
            case UInt8(ascii: "+"), UInt8(ascii: "/"), UInt8(ascii: "="): return nil
            default: break
            }
        }
        characters += [UInt8](repeating: UInt8(ascii: "="), count: (4 - characters.count % 4) % 4)
        return Data(base64Encoded: Data(characters)).map { Array($0) }
    }

    /// RFC 4648, table 2; by arithmetic, since a look-up tells the cache what was looked up.
    private static func digit(_ value: UInt8) -> UInt8 {
        switch value {
        case 0..<26: UInt8(ascii: "A") + value
        case 26..<52: UInt8(ascii: "a") + value - 26
        case 52..<62: UInt8(ascii: "0") + value - 52
        case 62: UInt8(ascii: "-")
        default: UInt8(ascii: "_")
        }
    }
}
