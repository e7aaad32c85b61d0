import KeywayCrypto
import SecretDocuments

/// A text as Firefox encrypts it: `SEQUENCE { OCTET STRING key, SEQUENCE { OBJECT IDENTIFIER, OCTET STRING vector },
/// OCTET STRING message }` in DER, in base64 (`security/nss/lib/pk11wrap/pk11sdr.c`).
struct EncryptedLogin: Equatable {
    /// The ciphers, each in CBC.
    enum Cipher: Equatable {
        /// Triple DES, until Firefox 143.
        case tripleDES
        /// AES with 256 bits, from Firefox 144 on.
        case aes256

        /// The length of a block in bytes.
        var blockCount: Int { self == .tripleDES ? 8 : 16 }
        /// The length of a key in bytes.
        var keyCount: Int { self == .tripleDES ? 24 : 32 }
    }

    /// How it is encrypted.
    let cipher: Cipher
    /// The initial vector.
    let vector: [UInt8]
    /// What is encrypted: whole blocks.
    let message: [UInt8]

    private static let identifiers: [[UInt8]: Cipher] = [
        // des-ede3-cbc, 1.2.840.113549.3.7
        [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x03, 0x07]: .tripleDES,
        // aes256-CBC, 2.16.840.1.101.3.4.1.42
        [0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x01, 0x2A]: .aes256,
    ]

    /// Reads a text; nil for anything else.
    init?(base64 text: SecretText) {
        let bytes = text.withUnsafeBytes { text -> [UInt8]? in
            var room = [UInt8](repeating: 0, count: text.count * 3 / 4 + 3)
            guard let count = room.withUnsafeMutableBytes({ SecretBytes.decode(base64: text, into: $0) }) else {
                return nil
            }
            return Array(room[..<count])
        }
        guard let bytes else { return nil }
        self.init(bytes)
    }

    /// Reads DER; nil for anything else.
    init?(_ bytes: [UInt8]) {
        var outside = DER(bytes[...])
        guard var whole = outside.next(0x30).map(DER.init), outside.isAtEnd, whole.next(0x04) != nil,
            var algorithm = whole.next(0x30).map(DER.init), let identifier = algorithm.next(0x06),
            let vector = algorithm.next(0x04), algorithm.isAtEnd, let message = whole.next(0x04), whole.isAtEnd,
            let cipher = Self.identifiers[Array(identifier)], vector.count == cipher.blockCount, !message.isEmpty,
            message.count % cipher.blockCount == 0
        else { return nil }
        (self.cipher, self.vector, self.message) = (cipher, Array(vector), Array(message))
    }
}

/// Elements of DER, one after another.
private struct DER {
    private var rest: ArraySlice<UInt8>

    init(_ bytes: ArraySlice<UInt8>) { rest = bytes }

    var isAtEnd: Bool { rest.isEmpty }

    /// What is in the next element, if it has that tag.
    mutating func next(_ tag: UInt8) -> ArraySlice<UInt8>? {
        guard rest.popFirst() == tag, let first = rest.popFirst() else { return nil }
        var count = Int(first)
        if first >= 0x80 {
            let digits = Int(first & 0x7F)
            guard (1...3).contains(digits), rest.count >= digits else { return nil }
            count = rest.prefix(digits).reduce(0) { $0 << 8 | Int($1) }
            rest = rest.dropFirst(digits)
        }
        guard rest.count >= count else { return nil }
        defer { rest = rest.dropFirst(count) }
        return rest.prefix(count)
    }
}
