import AutoFillProtocol
import PasswordsProtocol
import Testing

@testable import PasswordsService

@Suite struct ItemAddressTests {
    @Test(arguments: [
        ("https://Example.COM/login", "example.com", nil as Int?), ("example.com", "example.com", nil),
        ("example.com:8443", "example.com", 8443), ("localhost:8080/x", "localhost", 8080),
        ("http://ada:x@example.com:81/", "example.com", 81), ("https://[::1]:8443/", "[::1]", 8443),
        ("example.com.", "example.com", nil), ("https://example.com?next=http://evil.example", "example.com", nil),
        ("https://evil.example/@example.com", "evil.example", nil),
    ])
    func findsHostAndPort(text: String, host: String, port: Int?) throws {
        let address = try #require(ItemAddress(text))
        #expect(address.host == host && address.port == port)
    }

    @Test(arguments: ["", "   ", "https://", "https://:80/", "example.com:port", "two words", "://x", "[::1"])
    func findsNoHostInWhatIsNoAddress(text: String) {
        #expect(ItemAddress(text) == nil)
    }

    @Test(arguments: [
        ("example.com", "example.com", ServiceIdentifier.Kind.domain),
        ("Example.com", "example.com", .domain),
        ("https://example.com/login", "https://example.com/login", .url),
        ("example.com:8443", "https://example.com:8443", .url),
        ("example.com/login", "https://example.com/login", .url),
        ("localhost:8080", "http://localhost:8080", .url),
        ("127.0.0.1:8080", "http://127.0.0.1:8080", .url),
    ])
    func becomesTheServiceThatIsSuggested(text: String, identifier: String, kind: ServiceIdentifier.Kind) {
        #expect(ItemAddress(text)?.service == ServiceIdentifier(identifier, kind: kind))
    }
}

/// What is said of addresses that are none.
@Suite struct UnusableAddressTests {
    @Test func addressesThatNothingIsSuggestedForAreKeptAndNamed() async throws {
        let harness = try TestService()
        let terminal = try await harness.withVault()
        var item = ItemChange()
        item.title = "Example"
        item.addresses = ["https://a.example", "two words", "b.example", "ssh://c.example", "localhost:80", "https://"]
        let added = try await terminal.call(AddItem.self, .init(item: item))
        #expect(added.unusableAddresses == ["two words", "ssh://c.example", "https://"])
        #expect(added.item.addresses == item.addresses)
        var change = ItemChange()
        change.addresses = ["a.example", "://"]
        let edited = try await terminal.call(EditItem.self, .init(item: ItemName("Example"), change: change))
        #expect(edited.unusableAddresses == ["://"])
    }
}

/// Which items sign in where.
@Suite struct ServiceMatchTests {
    /// What a page on `https://m.example.com/login` asks for.
    private static let page = [
        ServiceIdentifier("https://m.example.com/login", kind: .url), ServiceIdentifier("m.example.com", kind: .domain),
        ServiceIdentifier("example.com", kind: .domain),
    ]

    @Test(arguments: [
        ("https://m.example.com/other", true), ("m.example.com", true), ("example.com", true),
        ("https://login.example.com/", true), ("badexample.com", false), ("example.com.evil.example", false),
        ("https://m.example.com:8443/", true),
        ("http://m.example.com/", true), ("http://example.com/", true), ("http://login.example.com/", false),
        ("example.org", false), ("https://evil.example/?example.com", false),
    ])
    func anItemBelongsToItsHostsAndDomains(address: String, expected: Bool) {
        #expect((ItemRanking(Self.page).rank(of: [address]) != nil) == expected)
    }

    @Test(arguments: [
        ("127.0.0.1", "1.127.0.0.1", false), ("127.0.0.1", "127.0.0.1", true), ("localhost", "evil.localhost", false),
        ("localhost", "http://localhost:8080/", true),
    ])
    func addressesOfTheMachineHaveNoSubdomains(asked: String, address: String, expected: Bool) {
        let ranking = ItemRanking([ServiceIdentifier(asked, kind: .domain)])
        #expect((ranking.rank(of: [address]) != nil) == expected)
    }

    @Test func anotherPortComesLater() throws {
        let ranking = ItemRanking([
            ServiceIdentifier("http://localhost:8080/", kind: .url), ServiceIdentifier("localhost", kind: .domain),
        ])
        let other = try #require(ranking.rank(of: ["http://localhost:9090/"]))
        #expect(ranking.rank(of: ["http://localhost:8080/"]) == 0 && other > 0)
    }

    @Test(arguments: [
        ("http://m.example.com/", true), ("https://m.example.com/", false), ("m.example.com", false),
        ("http://example.com/", false),
    ])
    func anInsecurePageGetsWhatSaysSoForItsHostOnly(address: String, expected: Bool) {
        let ranking = ItemRanking([
            ServiceIdentifier("http://m.example.com/", kind: .url), ServiceIdentifier("m.example.com", kind: .domain),
        ])
        #expect((ranking.rank(of: [address]) != nil) == expected)
    }

    @Test func theMostSpecificComesFirst() async throws {
        let harness = try TestService()
        let terminal = try await harness.withVault()
        try await terminal.add("sibling") { $0.addresses = ["https://login.example.com"] }
        try await terminal.add("site") { $0.addresses = ["example.com"] }
        try await terminal.add("host") { $0.addresses = ["m.example.com"] }
        try await terminal.add("origin") { $0.addresses = ["other.example", "https://m.example.com/x"] }
        try await terminal.add("stranger") { $0.addresses = ["https://notexample.com"] }
        let found = try await terminal.call(MatchItems.self, .init(services: Self.page)).items.map(\.title)
        #expect(found == ["origin", "host", "site", "sibling"])
    }

    @Test func anAppMatchesNothingYet() async throws {
        let harness = try TestService()
        let terminal = try await harness.withVault()
        try await terminal.add("app") { $0.addresses = ["com.example.app"] }
        let services = [ServiceIdentifier("com.example.app", kind: .app)]
        #expect(try await terminal.call(MatchItems.self, .init(services: services)).items.isEmpty)
    }
}
