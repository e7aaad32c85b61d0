import FoundationEssentials
import KeywayCrypto

/// How a file of settings looks (`Docs/settings-format.md`): a line of JSON with the authentication code, and after it
/// the settings as JSON.
enum SettingsForm {
    /// The first line.
    private struct Head: Codable {
        /// 1.
        let format: Int
        /// Counts the writings of this file.
        let counter: UInt64
        /// The code, in hexadecimal digits.
        let code: String
    }

    private static let format = 1

    /// The bytes of the file `name` that holds `body`.
    static func make(_ name: String, counter: UInt64, body: [UInt8], key: SecretKey) -> [UInt8]? {
        let head = Head(
            format: format, counter: counter, code: code(name, counter: counter, body: body, key: key).hexadecimal)
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys]
        guard let line = try? encoder.encode(head) else { return nil }
        return Array(line) + [UInt8(ascii: "\n")] + body
    }

    /// What the file `name` holds, if its code matches; nil otherwise.
    static func read(_ bytes: [UInt8], name: String, key: SecretKey) -> (counter: UInt64, body: [UInt8])? {
        guard let end = bytes.prefix(1024).firstIndex(of: UInt8(ascii: "\n")),
            let head = try? JSONDecoder().decode(Head.self, from: Data(bytes[..<end])), head.format == format
        else { return nil }
        let body = Array(bytes[(end + 1)...])
        let expected = code(name, counter: head.counter, body: body, key: key).hexadecimal
        guard isSame(Array(head.code.utf8), Array(expected.utf8)) else { return nil }
        return (head.counter, body)
    }

    /// The authentication code: keyed BLAKE2b, 32 bytes, over name, counter and body.
    private static func code(_ name: String, counter: UInt64, body: [UInt8], key: SecretKey) -> [UInt8] {
        key.hash(Array("\(name)\n\(counter)\n".utf8) + body)
    }

    /// Compares in a time that does not tell where they differ.
    private static func isSame(_ one: [UInt8], _ other: [UInt8]) -> Bool {
        guard one.count == other.count else { return false }
        return zip(one, other).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
    }
}

extension [UInt8] {
    /// Two digits for each byte.
    package var hexadecimal: String {
        let digits = Array<Character>("0123456789abcdef")
        return String(flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] })
    }
}
