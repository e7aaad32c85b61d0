/// What an entry holds, as people write it for `pass`: the password in the first line, then lines `key: value`, and
/// perhaps an `otpauth:` link in a line of its own.
struct EntryContents: Sendable {
    /// The most bytes that an entry may have.
    static let maximumBytes = 1 << 20

    /// One line `key: value`.
    struct Field: Sendable {
        /// What stands before the colon, without spaces around it.
        let key: String
        /// Where the value stands, without spaces around it.
        let value: Range<Int>
        /// Where the line stands.
        let line: Range<Int>
    }

    /// What a line is.
    enum Line: Sendable {
        /// `key: value`.
        case field(Field)
        /// An `otpauth:` link, where it stands.
        case link(Range<Int>)
        /// Anything else, where it stands, with the spaces around it.
        case text(Range<Int>)
    }

    /// All of it.
    let bytes: SecretBuffer
    /// Which version of its file this was read from; nil where it was not read from one.
    var version: EntryVersion?
    /// Where the first line stands.
    let firstLine: Range<Int>
    /// What the lines are, in order; the first one is among them only where it is a link.
    let lines: [Line]

    /// Reads an entry. Every sequence of bytes is one.
    init(_ bytes: SecretBuffer) {
        self.bytes = bytes
        (firstLine, lines) = bytes.withBytes { EntryLines($0).read() }
    }

    /// The lines that have a key, in order.
    var fields: [Field] { lines.compactMap { if case .field(let field) = $0 { field } else { nil } } }

    /// Where the first `otpauth:` link stands.
    var link: Range<Int>? { links.first }

    /// Where the `otpauth:` links stand.
    var links: [Range<Int>] { lines.compactMap { if case .link(let place) = $0 { place } else { nil } } }

    /// The first line as a password.
    ///
    /// - Throws: ``StoreError/noPassword`` when it is empty, a link, or no text.
    func password() throws(StoreError) -> String {
        guard !firstLine.isEmpty, link?.lowerBound != firstLine.lowerBound, let text = bytes.text(firstLine) else {
            throw .noPassword
        }
        return text
    }

    /// The value of the first line with one of these keys, in any case.
    func value(of keys: Set<String>) -> String? {
        fields.first { keys.contains($0.key.lowercased()) }.flatMap { bytes.text($0.value) }
    }

    /// Who signs in, where a line says so.
    var user: String? { value(of: ["user", "username", "login"]) }

    /// Where the account is, as far as lines say so.
    var services: [StoreService] {
        fields.filter { ["url", "uri"].contains($0.key.lowercased()) }
            .compactMap { bytes.text($0.value) }.compactMap { StoreService(address: $0) }
    }

    /// The same with another first line; all other bytes stay.
    func replacingPassword(_ password: SecretBuffer) -> SecretBuffer {
        .joined([password, bytes.slice(firstLine.upperBound..<bytes.count)])
    }

    /// The same with other text in one place.
    func replacing(_ range: Range<Int>, with text: String) -> SecretBuffer {
        .joined([
            bytes.slice(0..<range.lowerBound), SecretBuffer(text.utf8), bytes.slice(range.upperBound..<bytes.count),
        ])
    }
}

/// The lines of an entry.
private struct EntryLines {
    private static let scheme = Array("otpauth://".utf8)
    private static let longestKey = 100

    let bytes: UnsafeRawBufferPointer

    init(_ bytes: UnsafeRawBufferPointer) {
        self.bytes = bytes
    }

    func read() -> (Range<Int>, [EntryContents.Line]) {
        var lines: [EntryContents.Line] = []
        var start = 0
        var first: Range<Int>?
        while start < bytes.count || first == nil {
            let end = bytes[start...].firstIndex(of: UInt8(ascii: "\n")) ?? bytes.count
            let line = trimmed(start..<end)
            if bytes[line].starts(with: Self.scheme) {
                // As pass-otp reads it: the first word of the line.
                lines.append(
                    .link(line.lowerBound..<(bytes[line].firstIndex(where: isSpace) ?? line.upperBound)))
            } else if first != nil {
                lines.append(field(line, start..<end).map { .field($0) } ?? .text(start..<end))
            }
            first = first ?? start..<end
            start = end + 1
        }
        return (first ?? 0..<0, lines)
    }

    private func field(_ line: Range<Int>, _ whole: Range<Int>) -> EntryContents.Field? {
        guard let colon = bytes[line].firstIndex(of: UInt8(ascii: ":")) else { return nil }
        let key = trimmed(line.lowerBound..<colon)
        // A link, such as https://…, is no key.
        guard (1...Self.longestKey).contains(key.count), !bytes[(colon + 1)..<line.upperBound].starts(with: "//".utf8),
            let text = String(validating: bytes[key], as: UTF8.self)
        else { return nil }
        return EntryContents.Field(key: text, value: trimmed(colon + 1..<line.upperBound), line: whole)
    }

    private func trimmed(_ range: Range<Int>) -> Range<Int> {
        guard let start = bytes[range].firstIndex(where: { !isSpace($0) }),
            let end = bytes[range].lastIndex(where: { !isSpace($0) })
        else { return range.lowerBound..<range.lowerBound }
        return start..<end + 1
    }

    private func isSpace(_ byte: UInt8) -> Bool {
        [UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\r")].contains(byte)
    }
}
