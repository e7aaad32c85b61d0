import AutoFillProtocol
import FoundationEssentials
import KeywaySystem
import ProtocolSamples
import Testing

/// A document whose part between two markers is generated from the messages. `UPDATE_DOCS=1` writes it anew.
struct ServiceDocument {
    private static let begin = "<!-- generated from the code: begin -->\n"
    private static let end = "<!-- generated from the code: end -->\n"

    private let file: String

    init(path: String) {
        let root = #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
        file = "/\(root)/\(path)"
    }

    func check(_ entries: [MessageCatalogue.Entry]) throws {
        let data = try #require(FileManager.default.contents(atPath: file), "\(file) cannot be read")
        let text = String(decoding: data, as: UTF8.self)
        let head = try #require(text.firstRange(of: Self.begin), "\(file) has no marker")
        let tail = try #require(text.firstRange(of: Self.end), "\(file) has no marker")
        let generated = try Self.generate(entries)
        if ProcessEnvironment.current["UPDATE_DOCS"] == "1" {
            let updated = text[..<head.upperBound] + generated + text[tail.lowerBound...]
            try Data(updated.utf8).write(to: URL(filePath: file), options: .atomic)
        } else {
            #expect(text[head.upperBound..<tail.lowerBound] == generated, "run the tests with UPDATE_DOCS=1")
        }
    }

    private static func generate(_ entries: [MessageCatalogue.Entry]) throws -> String {
        var text = "\n"
        for entry in entries {
            text +=
                "### `\(entry.name)`\n\n\(entry.summary)\n\n`params`:\n\n```json\n\(try entry.parameters())\n```\n\n"
            if let result = entry.result { text += "`result`:\n\n```json\n\(try result())\n```\n\n" }
        }
        return text
    }
}
