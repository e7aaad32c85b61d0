/// What stands where in an entry, as people write it for `pass`: the password in the first line, then lines
/// `key: value`, and `otpauth:` links in lines of their own.
public struct EntryText: Sendable {
    /// The most bytes that an entry may have.
    public static let maximumBytes = 1 << 20

    /// One line `key: value`.
    public struct Field: Sendable {
        /// What stands before the colon, without spaces around it.
        public let key: String
        /// Where the value stands, without spaces around it.
        public let value: Range<Int>
    }

    /// Where the first line stands.
    public private(set) var firstLine = 0..<0
    /// The lines that have a key, in order.
    public private(set) var fields: [Field] = []
    /// Where the `otpauth:` links stand, in order: `pass-otp` reads the first.
    public private(set) var links: [Range<Int>] = []
    /// Where all the other lines stand, in order, without their ends; empty ones between them too.
    public private(set) var otherLines: [Range<Int>] = []

    private static let scheme = Array("otpauth://".utf8)
    private static let longestKey = 100

    /// The keys of the line that says who signs in, in lower case.
    public static let userKeys: Set<String> = ["user", "username", "login"]
    /// The keys of the lines that say where the account is, in lower case.
    public static let addressKeys: Set<String> = ["url", "uri"]

    /// Reads an entry. Every sequence of bytes is one.
    public init(_ bytes: UnsafeRawBufferPointer) {
        var start = 0
        var isFirst = true
        while start < bytes.count || isFirst {
            let end = bytes[start...].firstIndex(of: UInt8(ascii: "\n")) ?? bytes.count
            let line = Self.trimmed(start..<end, bytes)
            if bytes[line].starts(with: Self.scheme) {
                // As pass-otp reads it: the first word of the line.
                links.append(line.lowerBound..<(bytes[line].firstIndex(where: Self.isSpace) ?? line.upperBound))
            } else if !isFirst, let field = Self.field(line, bytes) {
                fields.append(field)
            } else if !isFirst {
                otherLines.append(line.lowerBound..<line.upperBound)
            }
            if isFirst { firstLine = start..<end }
            isFirst = false
            start = end + 1
        }
    }

    private static func field(_ line: Range<Int>, _ bytes: UnsafeRawBufferPointer) -> Field? {
        guard let colon = bytes[line].firstIndex(of: UInt8(ascii: ":")) else { return nil }
        let key = trimmed(line.lowerBound..<colon, bytes)
        // A link, such as https://…, is no key.
        guard (1...longestKey).contains(key.count), !bytes[(colon + 1)..<line.upperBound].starts(with: "//".utf8),
            let text = String(validating: bytes[key], as: UTF8.self)
        else { return nil }
        return Field(key: text, value: trimmed(colon + 1..<line.upperBound, bytes))
    }

    private static func trimmed(_ range: Range<Int>, _ bytes: UnsafeRawBufferPointer) -> Range<Int> {
        guard let start = bytes[range].firstIndex(where: { !isSpace($0) }),
            let end = bytes[range].lastIndex(where: { !isSpace($0) })
        else { return range.lowerBound..<range.lowerBound }
        return start..<end + 1
    }

    private static func isSpace(_ byte: UInt8) -> Bool {
        [UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\r")].contains(byte)
    }
}
