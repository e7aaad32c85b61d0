import Testing

@testable import VaultExchange

/// Where accounts are used, as far as it tells them apart.
@Suite struct AccountPlaceTests {
    /// The usual addresses are read in a short way: in capitals, the scheme is none of those.
    @Test(arguments: [
        "://example.com", "://example.com/", "://www.example.com/login?a=b#c", "://EXAMPLE.com",
        "://example.com:8443/x",
        "://user@example.com/", "://www.www.example.com", "://www.com", "://a_b.example/x", "://-a.example",
        "://1.example",
        "://example.1a", "://127.0.0.1/", "://0x7f.1", "://[::1]/", "://example.com.", "://.example.com", "://a..b",
        "://",
        "://example.com/a b", "://example.com/\\", "://example.com\\x", "://b\u{fc}cher.example/",
        "://example.com/\u{fc}",
        "://example.com/\u{7f}", "://example", "://localhost/x", "://www.", "://example.com?x", "://example.com#x",
        "://\(String(repeating: "a", count: 63)).example", "://\(String(repeating: "a", count: 64)).example",
        "://\(String(repeating: "a.", count: 125))com", "://\(String(repeating: "a.", count: 126))com",
    ]) func theShortWayReadsWhatTheLongOneDoes(rest: String) {
        for scheme in ["https", "http"] {
            let (short, long) = (AccountPlace(scheme + rest), AccountPlace(scheme.uppercased() + rest))
            if case .written = long {
                #expect(short == .written(scheme + rest))
            } else {
                #expect(short == long)
            }
        }
    }

    @Test func theWordsAroundTheHostSayNothing() {
        #expect(AccountPlace("https://www.example.com/login") == .host("example.com:443"))
        #expect(AccountPlace("example.com") == .host("example.com:443"))
        #expect(AccountPlace("http://example.com/") == .host("example.com:80"))
        #expect(AccountPlace("https://example.com:8443") == .host("example.com:8443"))
        #expect(AccountPlace("ftp://example.com") == .written("ftp://example.com"))
    }
}
