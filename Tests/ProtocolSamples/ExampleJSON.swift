import AutoFillWire
import FoundationEssentials

/// Messages as readable JSON, for the documentation.
package enum ExampleJSON {
    /// `value` with sorted keys, indented; descriptors stand as `{"descriptor": n}`.
    package static func text(_ value: some Encodable) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        if let key = CodingUserInfoKey.attachments { encoder.userInfo[key] = AttachmentList() }
        return String(decoding: try encoder.encode(value), as: UTF8.self)
    }
}
