import KeywayCrypto
import SecretDocuments

/// JSON as it is stored in a member of a section: UTF-8 in memory that is wiped.
enum JSONBytes {
    /// The bytes of a value.
    static func write(_ value: JSONValue) -> SecretBytes {
        let buffer = SecretBuffer()
        let writer = JSONWriter<Never> { buffer.append($0) }
        writer.value(value)
        writer.end()
        return buffer.finish()
    }

    /// The value that bytes are; nil for what is no JSON.
    static func read(_ bytes: SecretBytes) -> JSONValue? {
        bytes.withUnsafeBytes { try? JSONScanner.document($0) }
    }
}

extension SecretBytes {
    /// The same as text of a document.
    var text: SecretText { withUnsafeBytes { SecretText(copying: $0) } }

    /// The text that these bytes of UTF-8 are, which is never wiped: for what is no secret.
    var publicText: String { withUnsafeBytes { String(decoding: $0, as: UTF8.self) } }
}

extension JSONObject {
    /// The object without these members, and without those that are null.
    func without(_ names: some Collection<String>) -> JSONObject {
        JSONObject(members.filter { !names.contains($0.name) && !$0.value.isNull })
    }
}
