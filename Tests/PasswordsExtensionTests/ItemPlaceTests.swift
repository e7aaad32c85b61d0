import Testing

@testable import keyway_passwords_extension

@Suite struct ItemPlaceTests {
    private static let asked = ["https://login.shop.example:8443/in", "login.shop.example", "shop.example"]

    @Test(arguments: [
        (["https://other.example", "https://shop.example"], "https://shop.example"),
        (["https://other.example", "https://www.shop.example/x"], "https://www.shop.example"),
        (["https://shop.example", "https://login.shop.example"], "https://login.shop.example"),
        (["http://login.shop.example", "https://login.shop.example/y"], "https://login.shop.example"),
        (["https://ada@login.shop.example:8443/z?q#f"], "https://login.shop.example:8443"),
        (["LOGIN.Shop.Example"], "login.shop.example"), (["https://other.example/x"], "https://other.example"),
        (["https://notshop.example"], "https://notshop.example"), (["[2001:db8::1]:80"], "[2001:db8::1]:80"),
    ])
    func theAddressClosestToThePageIsNamed(addresses: [String], service: String) {
        #expect(ItemPlace.closest(of: addresses, to: Self.asked) == service)
    }

    @Test(arguments: [[String](), [""], ["https://"], ["https://" + String(repeating: "x", count: 263)]])
    func whatNamesNoPlaceIsNotNamed(addresses: [String]) {
        #expect(ItemPlace.closest(of: addresses, to: Self.asked) == nil)
    }

    @Test func withoutAPageTheFirstAddressIsNamed() {
        #expect(ItemPlace.closest(of: ["https://a.example/x", "b.example"], to: []) == "https://a.example")
    }
}
