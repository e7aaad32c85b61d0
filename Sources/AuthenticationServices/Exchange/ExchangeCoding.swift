import Foundation
import WebAuthnValues

// How the payload of an exchange is written: as objects of the Credential Exchange Format 1.0. Bytes are base64url
// without padding, secrets of one-time codes base32; dates go the way that the coder is set to, which for the format
// must be `.secondsSince1970`.

extension KeyedDecodingContainer {
    /// Bytes, from their text.
    func bytes(forKey key: Key) throws -> Data {
        let text = try decode(String.self, forKey: key)
        guard let bytes = Base64URL.bytes(ofOthers: text) else { throw corrupted(key, "no base64url text") }
        return Data(bytes)
    }

    /// Bytes, from their text, where there is one.
    func bytesIfPresent(forKey key: Key) throws -> Data? {
        guard let text = try decodeIfPresent(String.self, forKey: key) else { return nil }
        guard let bytes = Base64URL.bytes(ofOthers: text) else { throw corrupted(key, "no base64url text") }
        return Data(bytes)
    }

    /// A list; one that is absent is empty.
    func list<Element: Decodable>(forKey key: Key) throws -> [Element] {
        try decodeIfPresent([Element].self, forKey: key) ?? []
    }

    /// The error for a value that cannot be read; it says nothing of the value.
    func corrupted(_ key: Key, _ what: String) -> DecodingError {
        .dataCorruptedError(forKey: key, in: self, debugDescription: what)
    }
}

extension KeyedEncodingContainer {
    /// Writes bytes as their text.
    mutating func encode(bytes: Data, forKey key: Key) throws {
        try encode(Base64URL.text(of: bytes), forKey: key)
    }

    /// Writes bytes as their text, where there are any.
    mutating func encodeIfPresent(bytes: Data?, forKey key: Key) throws {
        try encodeIfPresent(bytes.map(Base64URL.text(of:)), forKey: key)
    }

    /// Writes a list that the format leaves out when it is empty.
    mutating func encodeUnlessEmpty<Element: Encodable>(_ list: [Element], forKey key: Key) throws {
        guard !list.isEmpty else { return }
        try encode(list, forKey: key)
    }
}

/// Base32, RFC 4648 section 6: written in capitals without padding, read in either case, with blanks and padding.
enum Base32 {
    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567".utf8)

    /// The text that stands for `bytes`.
    static func text(of bytes: Data) -> String {
        var text: [UInt8] = []
        var (held, count) = (UInt32(0), 0)
        for byte in bytes {
            held = held << 8 | UInt32(byte)
            count += 8
            while count >= 5 {
                count -= 5
                text.append(alphabet[Int(held >> UInt32(count) & 31)])
            }
            held &= 1 << UInt32(count) - 1
        }
        if count > 0 { text.append(alphabet[Int(held << UInt32(5 - count) & 31)]) }
        return String(decoding: text, as: UTF8.self)
    }

    /// The bytes that `text` stands for; nil when it is no such text.
    static func bytes(of text: String) -> Data? {
        var bytes = Data()
        var (held, count) = (UInt32(0), 0)
        for character in text.withoutPadding.uppercased().utf8 where !" -".utf8.contains(character) {
            guard let value = alphabet.firstIndex(of: character) else { return nil }
            held = held << 5 | UInt32(value)
            count += 5
            if count >= 8 {
                count -= 8
                bytes.append(UInt8(held >> UInt32(count) & 255))
                held &= 1 << UInt32(count) - 1
            }
        }
        return bytes
    }
}

extension String {
    /// The text without the `=` at its end.
    fileprivate var withoutPadding: String {
        var rest = self[...]
        while rest.last == "=" { rest.removeLast() }
        return String(rest)
    }
}
