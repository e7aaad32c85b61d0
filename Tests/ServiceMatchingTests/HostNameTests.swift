import Testing

@testable import ServiceMatching

@Suite struct HostNameTests {
    /// RFC 3492, section 7.1, those that are host names in lower case.
    @Test(arguments: [
        ("他们为什么不说中文", "xn--ihqwcrb4cv8a8dqg056pqjye"),
        ("למההםפשוטלאמדבריםעברית", "xn--4dbcagdahymbxekheh6e0a7fei0b"),
        ("почемужеонинеговорятпорусски", "xn--b1abfaaepdrnnbgefbadotcwatmq2g4l"),
        ("ひとつ屋根の下2", "xn--2-u9tlzr9756bt3uc0v"),
        ("パフィーdeルンバ", "xn--de-jg4avhby1noc0d"),
        ("bücher", "xn--bcher-kva"),
    ])
    func encodesAsTheStandardDoes(label: String, expected: String) {
        #expect(InternationalName.ascii(label) == expected)
    }

    @Test(arguments: [
        "bank.test", "xn--bcher-kva.test", "192.0.2.1", "[2001:db8::1]", "localhost", "a_b.test", "1.test", "0xg.test",
    ])
    func canonicalHostIsItsOwnForm(text: String) throws {
        let host = try #require(HostName(text))
        #expect((host.kind == .address6 ? "[\(host.text)]" : host.text) == text)
    }

    @Test(arguments: [
        "", ".", "..", "a..b", ".a", "a b", "a/b", "a?b", "a#b", "a@b", "a:b", "a%41", "1.2.3", "256.1.1.1", "0x7f.1",
        "0x7f000001", "127.1", "[::1", "::1]", "[::g]", "[]", "[1.2.3.4]", "a\u{0}b", "a\u{200D}b.test", "☃.test",
        String(repeating: "a", count: 64) + ".test", Array(repeating: "abcdefg", count: 40).joined(separator: "."),
    ])
    func refusesWhatNoBrowserWrites(text: String) {
        #expect(HostName(text) == nil)
    }

    @Test func longestNamesAreHosts() {
        #expect(HostName(String(repeating: "a", count: 63) + ".test") != nil)
        #expect(HostName(Array(repeating: "abcdefg", count: 31).joined(separator: ".") + ".test") != nil)
    }
}
