import Foundation
import KeywayCrypto

/// A key as text (RFC 7468).
struct PEMDocument {
    /// What the text encodes.
    let content: SecretBytes

    /// Reads the one document in `text`, which must have one of `labels`.
    init(_ text: String, labels: [String]) throws(CryptoKitASN1Error) {
        let lines = text.split(whereSeparator: \.isNewline).map { $0.trimmingCharacters(in: .whitespaces) }
        guard let first = lines.first, let last = lines.last, lines.count > 2,
            let label = labels.first(where: { first == "-----BEGIN \($0)-----" }), last == "-----END \(label)-----",
            var bytes = Data(base64Encoded: lines[1..<(lines.count - 1)].joined())
        else { throw .invalidPEMDocument }
        content = bytes.withUnsafeBytes { SecretBytes(copying: $0) }
        bytes.withUnsafeMutableBytes { wipe($0) }
    }

    /// The document with this label, 64 characters a line and no line break behind it.
    static func text(_ label: String, _ bytes: Data) -> String {
        let lines = bytes.base64EncodedString(options: [.lineLength64Characters, .endLineWithLineFeed])
        return "-----BEGIN \(label)-----\n\(lines)\n-----END \(label)-----"
    }
}
