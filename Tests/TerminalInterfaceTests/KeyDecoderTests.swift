import Testing

@testable import TerminalInterface

struct KeyDecoderTests {
    static func decode(_ bytes: some Sequence<UInt8>, flushing: Bool = true) -> [Key] {
        var decoder = KeyDecoder()
        var keys = bytes.compactMap { decoder.decode($0) }
        if flushing, let key = decoder.flush() { keys.append(key) }
        return keys
    }

    @Test(
        arguments: [
            ("a", [.text("a")]), ("é", [.text("é")]), ("日", [.text("日")]), ("😀", [.text("😀")]),
            ("\r", [.enter]), ("\n", [.enter]), ("\t", [.tab]), ("\u{7F}", [.backspace]), ("\u{8}", [.backspace]),
            ("\u{3}", [.control("c")]), ("\u{E}", [.control("n")]), ("\u{1A}", [.control("z")]),
            ("\u{1B}[A", [.up]), ("\u{1B}OA", [.up]), ("\u{1B}[1;5B", [.down]), ("\u{1B}[C", [.right]),
            ("\u{1B}[D", [.left]), ("\u{1B}[H", [.home]), ("\u{1B}[1~", [.home]), ("\u{1B}[7~", [.home]),
            ("\u{1B}OF", [.end]), ("\u{1B}[4~", [.end]), ("\u{1B}[3~", [.delete]), ("\u{1B}[5~", [.pageUp]),
            ("\u{1B}[6~", [.pageDown]), ("\u{1B}[Z", [.backTab]), ("\u{1B}OM", [.enter]), ("\u{1B}", [.escape]),
            ("\u{1B}\u{1B}", [.escape, .escape]), ("\u{1B}[Ab", [.up, .text("b")]),
        ] as [(String, [Key])])
    func knowsTheKeysOfTerminals(bytes: String, keys: [Key]) {
        #expect(Self.decode(bytes.utf8) == keys)
    }

    @Test(arguments: ["\u{1B}[A", "\u{1B}[1;5B", "\u{1B}[200~", "\u{1B}OA", "\u{1B}[24~"])
    func cutSequenceIsNothingButTheKeyAfterItCounts(sequence: String) {
        let bytes = Array(sequence.utf8)
        for length in 2..<bytes.count {
            var decoder = KeyDecoder()
            let keys = bytes[..<length].compactMap { decoder.decode($0) }
            #expect(keys.isEmpty && decoder.isWaiting)
            let flushed = decoder.flush()
            #expect(flushed == nil && !decoder.isWaiting)
            let next = decoder.decode(UInt8(ascii: "x"))
            #expect(next == .text("x"))
        }
    }

    @Test(
        arguments: [
            ("\u{1B}[99~", []), ("\u{1B}x", []), ("\u{1B}[?1;2c", []), ("\u{1B}[I", []),
            ("\u{1B}[11111111111111111111111111A", []), ("\u{1B}[1\rx", [.enter, .text("x")]),
        ] as [(String, [Key])])
    func unknownSequencesAreNothing(bytes: String, keys: [Key]) {
        #expect(Self.decode(bytes.utf8) == keys)
    }

    @Test(
        arguments: [
            [0xC3], [0xC3, 0x28], [0xC0, 0xAF], [0xE0, 0x80, 0xAF], [0xED, 0xA0, 0x80], [0xF5, 0x80, 0x80, 0x80],
            [0xF4, 0x90, 0x80, 0x80], [0x80], [0xFF], [0xC2, 0x9B],
        ] as [[UInt8]])
    func brokenEncodingIsNeverText(bytes: [UInt8]) {
        let keys = Self.decode(bytes + [UInt8(ascii: "x")])
        #expect(keys.last == .text("x"))
        #expect(keys.allSatisfy { $0 == .text("x") || $0 == .text("(") })
    }

    @Test func pasteIsTextAndSubmitsNothing() {
        let keys = Self.decode("\u{1B}[200~pass\rword\u{3}\u{1B}[A\u{1B}[201~\r".utf8)
        #expect(keys == "password".unicodeScalars.map(Key.text) + [.enter])
    }

    /// Whatever three bytes begin with, the decoder comes back to itself.
    @Test func noBytesLeadAstray() {
        let starts: [[UInt8]] = [
            [], [0x1B], Array("\u{1B}[".utf8), Array("\u{1B}O".utf8), Array("\u{1B}[2".utf8), [0xE2], [0xF0, 0x9F],
        ]
        for start in starts {
            for first in UInt8.min...UInt8.max {
                for second in UInt8.min...UInt8.max where second % 5 == 0 {
                    var decoder = KeyDecoder()
                    for byte in start + [first, second] { _ = decoder.decode(byte) }
                    _ = decoder.flush()
                    _ = decoder.decode(UInt8(ascii: "x"))
                    let next = decoder.decode(UInt8(ascii: "y"))
                    #expect(next == .text("y"))
                }
            }
        }
    }

    @Test func escapeIsKnownOnlyWhenNothingFollows() {
        var decoder = KeyDecoder()
        let first = decoder.decode(0x1B)
        #expect(first == nil && decoder.isWaiting)
        let last = "[B".utf8.compactMap { decoder.decode($0) }
        #expect(last == [.down] && !decoder.isWaiting)
    }
}
