import KeywayCrypto

/// A string of JSON (RFC 8259, section 7) written byte by byte, with no copy of it anywhere else.
enum JSONString {
    /// Appends `text` in quotation marks; false, with `json` left in the middle, when it is not UTF-8.
    static func append(_ text: UnsafeRawBufferPointer, to json: SecretBuffer) -> Bool {
        json.append(quote)
        var bytes = text.makeIterator()
        var parser = Unicode.UTF8.ForwardParser()
        while true {
            switch parser.parseScalar(from: &bytes) {
            case .valid(let scalar): append(scalar, to: json)
            case .emptyInput:
                json.append(quote)
                return true
            case .error: return false
            }
        }
    }

    private static func append(_ scalar: Unicode.UTF8.EncodedScalar, to json: SecretBuffer) {
        for byte in scalar {
            switch byte {
            case quote, backslash:
                json.append(backslash)
                json.append(byte)
            case 0..<0x20: appendControl(byte, to: json)
            default: json.append(byte)
            }
        }
    }

    private static func appendControl(_ byte: UInt8, to json: SecretBuffer) {
        for sign in [backslash, UInt8(ascii: "u"), zero, zero] { json.append(sign) }
        json.append(digit(byte >> 4))
        json.append(digit(byte & 15))
    }

    private static func digit(_ value: UInt8) -> UInt8 {
        value < 10 ? zero + value : UInt8(ascii: "a") + value - 10
    }

    private static let quote = UInt8(ascii: "\"")
    private static let backslash = UInt8(ascii: "\\")
    private static let zero = UInt8(ascii: "0")
}
