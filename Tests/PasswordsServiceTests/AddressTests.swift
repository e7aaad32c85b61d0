import AutoFillProtocol
import PasswordsProtocol
import Testing

@testable import PasswordsService

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
        #expect((ItemRanking(Self.page).best(of: [address]) != nil) == expected)
    }

    @Test(arguments: [
        ("127.0.0.1", "1.127.0.0.1", false), ("127.0.0.1", "127.0.0.1", true), ("localhost", "evil.localhost", false),
        ("localhost", "http://localhost:8080/", true),
    ])
    func addressesOfTheMachineHaveNoSubdomains(asked: String, address: String, expected: Bool) {
        let ranking = ItemRanking([ServiceIdentifier(asked, kind: .domain)])
        #expect((ranking.best(of: [address]) != nil) == expected)
    }

    @Test func anotherPortComesLater() throws {
        let ranking = ItemRanking([
            ServiceIdentifier("http://localhost:8080/", kind: .url), ServiceIdentifier("localhost", kind: .domain),
        ])
        let other = try #require(ranking.best(of: ["http://localhost:9090/"])?.rank)
        #expect(ranking.best(of: ["http://localhost:8080/"])?.rank == 0 && other > 0)
    }

    @Test(arguments: [
        ("http://m.example.com/", true), ("https://m.example.com/", false), ("m.example.com", false),
        ("http://example.com/", false),
    ])
    func anInsecurePageGetsWhatSaysSoForItsHostOnly(address: String, expected: Bool) {
        let ranking = ItemRanking([
            ServiceIdentifier("http://m.example.com/", kind: .url), ServiceIdentifier("m.example.com", kind: .domain),
        ])
        #expect((ranking.best(of: [address]) != nil) == expected)
    }

    /// `bücher.example` is `xn--bcher-kva.example` (RFC 3492), in which form a browser asks.
    @Test(arguments: [
        "https://bücher.example/", "bücher.example", "BÜCHER.example", "bu\u{308}cher.example",
        "https://xn--bcher-kva.example", "login.bücher.example",
    ])
    func aNameInAnotherScriptIsTheOneThatBrowsersAskFor(address: String) async throws {
        let harness = try TestService()
        let terminal = try await harness.withVault()
        try await terminal.add("Books") { $0.addresses = ["https://other.example", address] }
        try await terminal.add("Bucher") { $0.addresses = ["https://bucher.example"] }
        let page = [
            ServiceIdentifier("https://xn--bcher-kva.example/login", kind: .url),
            ServiceIdentifier("xn--bcher-kva.example", kind: .domain),
        ]
        let found = try await terminal.call(MatchItems.self, .init(services: page)).items
        #expect(found.map(\.title) == ["Books"])
        #expect(found.first?.place?.hasSuffix("xn--bcher-kva.example") == true)
    }

    @Test(arguments: [
        (["https://other.example", "https://shop.example"], "https://shop.example"),
        (["https://other.example", "https://www.shop.example/x"], "https://www.shop.example"),
        (["https://shop.example", "https://login.shop.example"], "https://login.shop.example"),
        (["http://login.shop.example", "https://login.shop.example:8443/y"], "https://login.shop.example:8443"),
        (["https://ada@login.shop.example:8443/z?q#f"], "https://login.shop.example:8443"),
        (["LOGIN.Shop.Example"], "login.shop.example"), (["https://other.example/x"], "https://other.example"),
        (["https://notshop.example"], "https://notshop.example"), (["[2001:db8::1]:80"], "https://[2001:db8::1]:80"),
        (["two words", "ssh://x.example", "https://a.example/x"], "https://a.example"), ([], nil),
        ([""], nil), (["https://"], nil), (["https://" + String(repeating: "x", count: 263)], nil),
    ])
    func anItemIsNamedByTheAddressClosestToThePage(addresses: [String], place: String?) {
        let asked = [
            ServiceIdentifier("https://login.shop.example:8443/in", kind: .url),
            ServiceIdentifier("login.shop.example", kind: .domain), ServiceIdentifier("shop.example", kind: .domain),
        ]
        #expect(ItemRanking(asked).place(of: addresses) == place)
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
