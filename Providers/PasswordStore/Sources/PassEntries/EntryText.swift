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
        /// Where the line stands.
        public let line: Range<Int>
    }

    /// What a line is.
    public enum Line: Sendable {
        /// `key: value`.
        case field(Field)
        /// An `otpauth:` link, where it stands.
        case link(Range<Int>)
        /// Anything else, where it stands, with the spaces around it.
        case text(Range<Int>)
    }

    /// Where the first line stands.
    public let firstLine: Range<Int>
    /// What the lines are, in order; the first one is among them only where it is a link.
    public let lines: [Line]

    /// The lines that have a key, in order.
    public var fields: [Field] { lines.compactMap { if case .field(let field) = $0 { field } else { nil } } }
    /// Where the `otpauth:` links stand, in order: `pass-otp` reads the first.
    public var links: [Range<Int>] { lines.compactMap { if case .link(let place) = $0 { place } else { nil } } }
    /// Where all the other lines stand, in order, without their ends; empty ones between them too.
    public var otherLines: [Range<Int>] { lines.compactMap { if case .text(let place) = $0 { place } else { nil } } }

    private static let scheme = Array("otpauth://".utf8)
    private static let longestKey = 100

    /// The keys of the line that says who signs in, in lower case.
    public static let userKeys: Set<String> = ["user", "username", "login"]
    /// The keys of the lines that say where the account is, in lower case.
    public static let addressKeys: Set<String> = ["url", "uri"]

    /// Reads an entry. Every sequence of bytes is one.
    public init(_ bytes: UnsafeRawBufferPointer) {
        var lines: [Line] = []
        var start = 0
        var first: Range<Int>?
        while start < bytes.count || first == nil {
            let end = bytes[start...].firstIndex(of: UInt8(ascii: "\n")) ?? bytes.count
            let line = Self.trimmed(start..<end, bytes)
            if bytes[line].starts(with: Self.scheme) {
                // As pass-otp reads it: the first word of the line.
                lines.append(
                    .link(line.lowerBound..<(bytes[line].firstIndex(where: Self.isSpace) ?? line.upperBound)))
            } else if first != nil {
                lines.append(Self.field(line, start..<end, bytes).map { .field($0) } ?? .text(start..<end))
            }
            first = first ?? start..<end
            start = end + 1
        }
        firstLine = first ?? 0..<0
        self.lines = lines
    }

    private static func field(_ line: Range<Int>, _ whole: Range<Int>, _ bytes: UnsafeRawBufferPointer) -> Field? {
        guard let colon = bytes[line].firstIndex(of: UInt8(ascii: ":")) else { return nil }
        let key = trimmed(line.lowerBound..<colon, bytes)
        // A link, such as https://…, is no key.
        guard (1...longestKey).contains(key.count), !bytes[(colon + 1)..<line.upperBound].starts(with: "//".utf8),
            let text = String(validating: bytes[key], as: UTF8.self)
        else { return nil }
        return Field(key: text, value: trimmed(colon + 1..<line.upperBound, bytes), line: whole)
    }

    /// A part of an entry without spaces, tabs and carriage returns around it; empty where it has nothing else.
    public static func trimmed(_ range: Range<Int>, _ bytes: UnsafeRawBufferPointer) -> Range<Int> {
        guard let start = bytes[range].firstIndex(where: { !isSpace($0) }),
            let end = bytes[range].lastIndex(where: { !isSpace($0) })
        else { return range.lowerBound..<range.lowerBound }
        return start..<end + 1
    }

    private static func isSpace(_ byte: UInt8) -> Bool {
        [UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\r")].contains(byte)
    }
}
