import AuthenticationServices
import PassEntries
import Testing

@testable import PasswordStore

@Suite("Which service a row is for")
struct EntryListTests {
    private let services = [
        ASCredentialServiceIdentifier(identifier: "https://login.shop.example/in", type: .URL),
        ASCredentialServiceIdentifier(identifier: "shop.example", type: .domain),
    ]

    @Test(
        "each row says the service of its entry, and of several the one that is asked for",
        arguments: [
            ("Web/shop.example/ada", [], "shop.example"), ("bank.example:8443/ada", [], "https://bank.example:8443"),
            ("Notes/garden", [], nil), ("Notes/shop", ["https://www.shop.example"], "https://www.shop.example"),
            ("bank.example/ada", ["https://www.shop.example"], "https://www.shop.example"),
            ("bank.example/ada", ["https://other.example"], "bank.example"),
        ] as [(String, [String], String?)])
    func service(name: String, remembered: [String], expected: String?) throws {
        let entry = try #require(EntryName(name))
        let list = EntryList(
            [entry], for: services, remembered: [entry: remembered.compactMap { StoreService(address: $0) }])
        guard case .list(let shown) = Screens.list(list) else {
            Issue.record("no list")
            return
        }
        #expect(Set(shown.sections.flatMap(\.rows).map(\.service)) == [expected])
    }
}
