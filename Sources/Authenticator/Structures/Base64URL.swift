import FoundationEssentials

/// Base64 with the alphabet for addresses, without padding, as WebAuthn writes bytes (RFC 4648, section 5).
package enum Base64URL {
    /// The text of `bytes`.
    package static func text(of bytes: some Sequence<UInt8>) -> String {
        let characters = Data(bytes).base64EncodedData().compactMap { byte -> UInt8? in
            switch byte {
            case UInt8(ascii: "+"): UInt8(ascii: "-")
            case UInt8(ascii: "/"): UInt8(ascii: "_")
            case UInt8(ascii: "="): nil
            default: byte
            }
        }
        return String(decoding: characters, as: UTF8.self)
    }

    /// The bytes that `text` stands for; nil when it is no base64url, or not the text that ``text(of:)`` writes.
    package static func bytes(of text: String) -> [UInt8]? {
        var characters = Array(text.utf8)
        for index in characters.indices {
            switch characters[index] {
            case UInt8(ascii: "-"): characters[index] = UInt8(ascii: "+")
            case UInt8(ascii: "_"): characters[index] = UInt8(ascii: "/")
            case UInt8(ascii: "+"), UInt8(ascii: "/"), UInt8(ascii: "="): return nil
            default: break
            }
        }
        characters += [UInt8](repeating: UInt8(ascii: "="), count: (4 - characters.count % 4) % 4)
        guard let data = Data(base64Encoded: Data(characters)) else { return nil }
        let bytes = Array(data)
        return Self.text(of: bytes) == text ? bytes : nil
    }
}
