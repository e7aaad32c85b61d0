import PassEntries

/// What an entry holds, as people write it for `pass`: the password in the first line, then lines `key: value`, and
/// perhaps an `otpauth:` link in a line of its own.
struct EntryContents: Sendable {
    /// The most bytes that an entry may have.
    static let maximumBytes = EntryText.maximumBytes

    typealias Field = EntryText.Field
    typealias Line = EntryText.Line

    /// All of it.
    let bytes: SecretBuffer
    /// Which version of its file this was read from; nil where it was not read from one.
    var version: EntryVersion?
    private let text: EntryText

    /// Reads an entry. Every sequence of bytes is one.
    init(_ bytes: SecretBuffer) {
        self.bytes = bytes
        text = bytes.withBytes { EntryText($0) }
    }

    /// Where the first line stands.
    var firstLine: Range<Int> { text.firstLine }

    /// The lines that have a key, in order.
    var fields: [EntryText.Field] { text.fields }

    /// Where the first `otpauth:` link stands.
    var link: Range<Int>? { links.first }

    /// Where the `otpauth:` links stand.
    var links: [Range<Int>] { text.links }

    /// What the lines are, in order; the first one is among them only where it is a link.
    var lines: [Line] { text.lines }

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
    var user: String? { value(of: EntryText.userKeys) }

    /// Where the account is, as far as lines say so.
    var services: [StoreService] {
        fields.filter { EntryText.addressKeys.contains($0.key.lowercased()) }
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
