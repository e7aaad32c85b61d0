import AutoFillProtocol
import ServiceMatching
import Testing

@Suite struct WrittenAddressTests {
    private func read(_ text: String) -> WrittenAddress? { WrittenAddress(text, suffixes: .system) }

    @Test(
        arguments: [
            ("https://Example.COM/login", "example.com", 443), ("example.com", "example.com", 443),
            ("example.com:8443", "example.com", 8443), ("localhost:8080/x", "localhost", 8080),
            ("http://ada:x@example.com:81/", "example.com", 81), ("https://[::1]:8443/", "::1", 8443),
            (" example.com.\n", "example.com", 443),
            ("https://example.com?next=http://evil.example", "example.com", 443),
            ("https://evil.example/@example.com", "evil.example", 443),
        ] as [(String, String, UInt16)])
    func findsHostAndPort(text: String, host: String, port: UInt16) throws {
        let address = try #require(read(text)?.address)
        #expect(address.host.text == host && address.port == port)
    }

    @Test(arguments: [
        "", "   ", "https://", "https://:80/", "example.com:port", "two words", "://x", "[::1", "ssh://a.example",
        "1.2.3",
    ])
    func findsNothingInWhatIsNoAddressOfTheWeb(text: String) {
        #expect(read(text) == nil)
    }

    @Test(arguments: [
        ("example.com", "example.com", ServiceIdentifier.Kind.domain), ("Example.com.", "example.com", .domain),
        ("[::1]", "[::1]", .domain), ("Bücher.example", "bücher.example", .domain),
        ("https://example.com/login", "https://example.com/login", .url),
        ("example.com:8443", "https://example.com:8443", .url),
        ("example.com/login", "https://example.com/login", .url),
        ("localhost:8080", "http://localhost:8080", .url), ("127.0.0.1:8080", "http://127.0.0.1:8080", .url),
    ])
    func becomesTheServiceThatIsSuggested(text: String, identifier: String, kind: ServiceIdentifier.Kind) {
        #expect(read(text)?.service == ServiceIdentifier(identifier, kind: kind))
    }

    @Test(arguments: [
        ("bücher.example", "xn--bcher-kva.example"),
        ("https://ada@bücher.example:444/x", "https://xn--bcher-kva.example:444"),
        ("[::1]:8443", "http://[::1]:8443"),
    ])
    func isNamedByItsPlaceAlone(text: String, place: String) {
        #expect(read(text)?.place == place)
    }
}
