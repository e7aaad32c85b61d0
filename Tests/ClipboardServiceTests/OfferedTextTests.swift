import KeywayCrypto
import Testing

@testable import ClipboardService

/// In which forms a text can be pasted.
struct OfferedTextTests {
    private func offered(_ text: String) -> OfferedText { OfferedText(secret: SecretBytes(copyingUTF8Of: text)) }

    private func bytes(_ secret: SecretBytes?) -> [UInt8]? { secret?.withUnsafeBytes { Array($0) } }

    @Test func aSecretIsUTF8UnderEachNameAndMarked() {
        let text = offered("grün")
        #expect(text.types == ["text/plain;charset=utf-8", "text/plain", "UTF8_STRING", "x-kde-passwordManagerHint"])
        for name in OfferedText.names { #expect(bytes(text.content(name)) == Array("grün".utf8)) }
        #expect(bytes(text.content(OfferedText.mark)) == Array("secret".utf8))
        #expect(text.content("text/html") == nil)
    }

    @Test func theEmptyTextBearsNoMark() {
        #expect(OfferedText.empty.types == OfferedText.names)
        #expect(OfferedText.empty.content("text/plain")?.isEmpty == true)
        #expect(OfferedText.empty.content(OfferedText.mark) == nil)
    }

    @Test(
        arguments: [
            ("", []), ("aZ~", [0x61, 0x5A, 0x7E]), ("\u{A0}ü\u{FF}", [0xA0, 0xFC, 0xFF]),
            ("a\tb\n", [0x61, 9, 0x62, 10]),
        ] as [(String, [UInt8])])
    func latin1HasOneByteForEachCharacter(text: String, expected: [UInt8]) {
        #expect(bytes(offered(text).latin1) == expected)
    }

    /// Above U+00FF; control characters, of both ranges; what is no UTF-8.
    @Test(arguments: [
        Array("ā".utf8), Array("‘".utf8), Array("😀".utf8), [0x07], [0x0D], [0x7F], [0xC2, 0x80], [0xC2, 0x9F], [0xC3],
        [0xC3, 0x41], [0xC0, 0x80], [0xFF], [0x80], [0xE2, 0x80],
    ])
    func whatLatin1LacksIsNotOfferedSo(text: [UInt8]) {
        #expect(OfferedText(secret: SecretBytes(copying: text)).latin1 == nil)
        #expect(OfferedText(secret: SecretBytes(copying: [0x61] + text + [0x62])).latin1 == nil)
    }
}
