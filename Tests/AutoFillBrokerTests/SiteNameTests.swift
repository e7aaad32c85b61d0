import AutoFillProtocol
import ServiceMatching
import Testing

@testable import AutoFillBroker

/// What a site is called where the person is asked about it, and where new ones are counted.
@Suite struct SiteNameTests {
    @Test(arguments: [
        ("https://login.bank.co.uk/a", "bank.co.uk"), ("http://localhost:8000/", "localhost"),
        ("http://127.0.0.1:8000/a", "127.0.0.1"), ("http://10.9.0.1/", "10.9.0.1"),
        ("http://[2001:db8::1]/", "2001:db8::1"),
    ])
    func anAddressIsASiteOfItsOwn(page: String, site: String) {
        #expect(PublicSuffixes().site(ServiceIdentifier(page, kind: .url)) == site)
    }
}
