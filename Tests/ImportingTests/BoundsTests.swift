import SecretDocuments
import Testing

@testable import Importing

/// What a file can't make an import do: open archives in archives, or keep more than it holds.
@Suite("bounds of an import")
struct BoundsTests {
    @Test(arguments: ["apple-passwords/generated_browser_data.zip", "1password/generated.1pux"])
    func anArchiveInAnArchiveIsNone(file: String) throws {
        try Fixtures.bytes(file).withUnsafeBytes { bytes in
            _ = try ImportFormat.recognize(bytes)
            #expect(throws: ImportError.self) { try ImportFormat.recognize(bytes, mayBeArchive: false) }
        }
    }

    @Test(arguments: [
        ("", [""]), ("a", ["a"]), ("a\n", ["a", ""]), ("\n\nb", ["", "", "b"]), ("a\r\nb", ["a\r", "b"]),
    ])
    func linesAreThoseOfTheText(text: String, lines: [String]) {
        let found = Array(text.utf8).withUnsafeBytes { bytes in
            TextLines(bytes).map { String(decoding: $0, as: UTF8.self) }
        }
        #expect(found == lines)
    }

    /// Each member has guarded memory of its own, of which there is not enough for tens of thousands.
    @Test func anObjectOfTensOfThousandsOfMembersIsRefused() throws {
        let members = (0..<30_000).map { "\"a\($0)\":\"\"" }.joined(separator: ",")
        let error = #expect(throws: ImportError.self) { try Import("{\(members)}") }
        #expect(error?.code == .tooLarge)
    }
}
