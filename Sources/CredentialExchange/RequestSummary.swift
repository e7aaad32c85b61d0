import KeywayCrypto
import SecretDocuments

/// What a request for an export says, as its reader tells it; and what a person compares of it.
package struct RequestSummary: Sendable, Equatable {
    /// Who asks, as it claims; may be empty.
    package let importer: String
    /// The types of credentials that it asks for; nil for all.
    package let types: [String]?
    /// How the answer is encrypted, in words.
    package let encryption: String

    /// A summary by its parts.
    package init(importer: String, types: [String]?, encryption: String) {
        self.importer = importer
        self.types = types
        self.encryption = encryption
    }

    /// Reads what ``write(_:)`` wrote; nil for anything else.
    package init?(_ bytes: UnsafeRawBufferPointer) {
        guard let text = try? checkedText(bytes), let object = (try? JSONScanner.document(text))?.object,
            let importer = object["importer"]?.publicText, let encryption = object["encryption"]?.publicText
        else { return nil }
        self.init(
            importer: importer, types: object["types"]?.elements?.compactMap(\.publicText), encryption: encryption)
    }

    /// Writes the summary.
    package func write(_ write: @escaping (UnsafeRawBufferPointer) -> Void) {
        let writer = JSONWriter<Never> { write($0) }
        writer.object { members in
            members.add("importer", text: importer)
            if let types { members.add("types", each: types) { $0.text($1) } }
            members.add("encryption", text: encryption)
        }
        writer.end()
    }

    /// What both sides compare of a request: six groups of five digits, of SHA-256 over all of its bytes. Whoever changes a
    /// byte of it, or puts a key of their own there, has 2^99 requests to try for one that shows the same.
    package static func fingerprint(of request: UnsafeRawBufferPointer) -> String {
        let hash = Digest.sha256(Array("Keyway export request".utf8) + Array(request))
        return (0..<6).map { group -> String in
            let number = hash[group * 5..<group * 5 + 5].reduce(UInt64(0)) { $0 << 8 | UInt64($1) } % 100_000
            let digits = String(number)
            return String(repeating: "0", count: 5 - digits.count) + digits
        }.joined(separator: " ")
    }
}
