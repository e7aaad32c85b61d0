import Glibc
import KeywayCrypto
import KeywaySystem
import TerminalInterface
import Testing

@testable import KeywayCommand

struct JSONValueTests {
    private func text(_ value: JSONValue) -> String {
        let buffer = SecretBuffer()
        value.write(to: buffer)
        return buffer.withUnsafeBytes { String(decoding: $0, as: UTF8.self) }
    }

    @Test func keepsTheOrderOfKeys() {
        let value = JSONValue.object([
            ("b", .string("x")), ("a", .array([.integer(1), .bool(true), .null])), ("c", .object([])),
            ("d", .array([])),
        ])
        #expect(
            text(value) == """
                {
                  "b": "x",
                  "a": [
                    1,
                    true,
                    null
                  ],
                  "c": {},
                  "d": []
                }

                """)
    }

    @Test(
        arguments: [
            (Array("a\"b\\c".utf8), #""a\"b\\c""#), (Array("\u{0}\n\u{1F}\u{7F}".utf8), #""\u0000\u000a\u001f\u007f""#),
            (Array("日😀".utf8), "\"日😀\""), ([0x61, 0xFF, 0x62], "\"a\u{FFFD}b\""), ([], "\"\""),
        ] as [([UInt8], String)])
    func secretsAreEscapedLikeStrings(bytes: [UInt8], expected: String) {
        #expect(text(.secret(SecretBytes(copying: bytes))) == expected + "\n")
    }

    @Test func numbersThatJSONLacksAreNull() {
        #expect(text(.number(.infinity)) == "null\n")
    }
}

struct TextTableTests {
    @Test func alignsByColumnsOfTheTerminal() {
        #expect(TextTable.text([["a", "x"], ["日本", "y"], ["z"]]) == "a     x\n日本  y\nz\n")
    }

    @Test func showsNoControlCharacters() {
        #expect(TextTable.text([["a\u{1B}[2J", "b\nc"]]) == "a[2J  b c\n")
    }
}

struct CommandErrorTests {
    @Test(arguments: [
        (ProtocolError.Code.notFound, ExitCode.notFound), (.noProvider, .notFound), (.cancelled, .cancelled),
        (.locked, .needsPerson), (.interactionRequired, .needsPerson), (.wrongPassword, .wrongPassword),
        (.refused, .refused), (.notAllowed, .refused), (.brokerNotRunning, .brokerUnreachable),
        (.versionMismatch, .brokerUnreachable), (.connectionClosed, .brokerUnreachable),
        (.providerFailed, .providerFailed), (.timedOut, .providerFailed), (.damaged, .damaged), (.exists, .exists),
        (.ambiguous, .ambiguous),
        (.internalError, .failure),
    ])
    func eachKindHasItsExitCode(code: ProtocolError.Code, exit: ExitCode) {
        #expect(CommandError(ProtocolError(code, "x")).code == exit)
    }

    @Test(arguments: ProtocolError.Code.allCases)
    func noFailureLooksLikeSuccess(code: ProtocolError.Code) {
        #expect(CommandError(ProtocolError(code, "x")).code != .success)
    }

    @Test func messagesOfOthersCannotRepaintTheTerminal() {
        let error = CommandError(ProtocolError(.providerFailed, "\u{1B}[2Jgone"))
        #expect(Strings.failure(error) == "keyway: [2Jgone\n")
    }

    @Test func hintsFollowOnALineOfTheirOwn() {
        #expect(Strings.failure(CommandError(.failure, "No.", hint: "Yes.")) == "keyway: No.\nkeyway: Yes.\n")
    }
}

struct InputLinesTests {
    private func lines(_ text: String, count: Int) throws -> [String?] {
        let (reader, writer) = try LocalSocket.pair()
        try DescriptorSink(writer.rawValue).write(text)
        shutdown(writer.rawValue, Int32(SHUT_WR))
        let lines = InputLines(reader.rawValue)
        return (0..<count).map { _ in lines.next().map { $0.withUnsafeBytes { String(decoding: $0, as: UTF8.self) } } }
    }

    @Test(
        arguments: [
            ("one\ntwo\n", ["one", "two", nil]), ("one", ["one", nil]), ("", [nil]), ("\n\nx", ["", "", "x", nil]),
        ] as [(String, [String?])])
    func readsALineEach(text: String, expected: [String?]) throws {
        #expect(try lines(text, count: expected.count) == expected)
    }
}
