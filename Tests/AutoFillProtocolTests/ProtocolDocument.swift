import Foundation
import ProtocolSamples
import Testing

@testable import AutoFillProtocol
@testable import AutoFillWire
@testable import KeywaySystem

/// A document whose part between two markers is generated from the messages. `UPDATE_DOCS=1` writes it anew.
struct ProtocolDocument {
    private static let begin = "<!-- generated from the code: begin -->\n"
    private static let end = "<!-- generated from the code: end -->\n"

    private let file: String

    init(path: String) {
        let root = #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
        file = "/\(root)/\(path)"
    }

    func check(_ entries: [MessageCatalogue.Entry], errors: Bool) throws {
        let text = try String(contentsOfFile: file, encoding: .utf8)
        let head = try #require(text.range(of: Self.begin), "\(file) has no marker")
        let tail = try #require(text.range(of: Self.end), "\(file) has no marker")
        let generated = try Self.generate(entries) + (errors ? Self.errorTable() : "")
        if ProcessEnvironment.current["UPDATE_DOCS"] == "1" {
            let updated = text[..<head.upperBound] + generated + text[tail.lowerBound...]
            try String(updated).write(toFile: file, atomically: true, encoding: .utf8)
        } else {
            #expect(text[head.upperBound..<tail.lowerBound] == generated, "run the tests with UPDATE_DOCS=1")
        }
    }

    private static func generate(_ entries: [MessageCatalogue.Entry]) throws -> String {
        var text = "\n"
        for entry in entries {
            let callers = Role.allCases.filter(entry.callers.contains).map { "`\($0.rawValue)`" }.joined(
                separator: ", ")
            text += "### `\(entry.name)`\n\n\(entry.result == nil ? "Notification" : "Request"), from \(callers). "
            text += "\(entry.summary)\n\n`params`:\n\n```json\n\(try entry.parameters())\n```\n\n"
            if let result = entry.result { text += "`result`:\n\n```json\n\(try result())\n```\n\n" }
        }
        return text
    }

    private static func errorTable() -> String {
        var text = "### Errors\n\n| `data.kind` | `code` |\n| --- | --- |\n"
        for code in ProtocolError.Code.allCases.sorted(by: { $0.number > $1.number }) {
            text += "| `\(code.rawValue)` | \(code.number) |\n"
        }
        return text + "\n"
    }
}
