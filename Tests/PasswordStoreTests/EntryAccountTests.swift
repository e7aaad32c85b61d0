import PassEntries
import Testing

@testable import PasswordStore

@Suite("What the name of an entry says")
struct EntryAccountTests {
    @Test(
        "the host nearest to the end is the service, and the last part the user",
        arguments: [
            ("example.com/ada", "example.com", "ada"),
            ("Web/example.com/ada", "example.com", "ada"),
            ("Web/Example.COM/ada", "example.com", "ada"),
            ("example.com/work/ada", "example.com", "ada"),
            ("Web/example.com", "example.com", ""),
            ("example.com", "example.com", ""),
            ("ada@example.com", "example.com", "ada"),
            ("Mail/ada@home@example.com", "example.com", "ada@home"),
            ("example.com/ada@mail.example", "example.com", "ada@mail.example"),
            ("example.com/ada.lovelace", "example.com", "ada.lovelace"),
            ("example.com/login.example.com/ada", "login.example.com", "ada"),
            ("example.com:8443/ada", "example.com:8443", "ada"),
            ("localhost/root", "localhost", "root"),
            ("192.0.2.7/root", "192.0.2.7", "root"),
            ("[2001:db8::1]/root", "[2001:db8::1]", "root"),
            ("bücher.example/ada", "bücher.example", "ada"),
            ("xn--bcher-kva.example/ada", "xn--bcher-kva.example", "ada"),
            ("xn--p1ai.xn--p1ai/ada", "xn--p1ai.xn--p1ai", "ada"),
        ])
    func hostAndUser(name: String, host: String, user: String) throws {
        let account = EntryAccount(try #require(EntryName(name)))
        let service = try #require(account.service)
        #expect(service.port.map { "\(service.host):\($0)" } ?? service.host == host)
        #expect(account.user == user)
        #expect(!account.isCode)
    }

    @Test(
        "a name without a host has no service",
        arguments: [
            "bank", "Bank/ada", "notes/v1.2", "a/b/c", "12.5/ada", "ends./ada", ".example/ada", "under_score.com x/ada",
            "-bad.example/ada", "999.1.1.1/root", "@example.com",
        ])
    func noHost(name: String) throws {
        #expect(EntryAccount(try #require(EntryName(name))).service == nil)
    }

    @Test(
        "a word for one-time codes marks an entry that has no password",
        arguments: [
            ("otp/example.com/ada", "example.com", "ada"), ("example.com/ada/totp", "example.com", "ada"),
            ("example.com/ada-otp", "example.com", "ada"), ("example.com/ada.OTP", "example.com", "ada"),
            ("2fa/example.com", "example.com", ""), ("example.com/otp", "example.com", ""),
        ])
    func codes(name: String, host: String, user: String) throws {
        let account = EntryAccount(try #require(EntryName(name)))
        #expect(account.isCode)
        #expect(account.service?.host == host)
        #expect(account.user == user)
    }

    @Test(
        "a name leads nowhere but into the store",
        arguments: ["", "/a", "a/", "a//b", "..", "../a", "a/../b", "a/.", "a\0b"])
    func sneaky(name: String) {
        #expect(EntryName(name) == nil)
    }

    @Test("odd names are names", arguments: ["a b", "a\nb", "日本/語", "..a", "a..", "-rf", "--", "'\"$(x)`"])
    func odd(name: String) {
        #expect(EntryName(name)?.text == name)
    }

    @Test("every name has an account, or none")
    func anything() {
        let parts = ["example", ".", "/", "@", "com", ":", "443", "[", "]", "otp", "-", "xn--", "日", "\n", "65536"]
        for _ in 0..<3000 {
            let text = (0..<Int.random(in: 1...8)).map { _ in parts.randomElement() ?? "" }.joined()
            guard let name = EntryName(text) else { continue }
            for identity in StoreIdentity.named(name) {
                #expect(StoreIdentity(identity.forSystem) == identity, "\(text)")
            }
        }
    }

    @Test(
        "lines with addresses are services",
        arguments: [
            ("https://example.com/login?x=1", "https://example.com"), ("http://example.com", "http://example.com"),
            ("https://ada:pw@example.com:8443/", "https://example.com:8443"), ("example.com/login", "example.com"),
            ("https://intranet/", "https://intranet"),
        ])
    func addresses(text: String, identifier: String) {
        #expect(StoreService(address: text)?.identifier.identifier == identifier)
    }

    @Test(
        "other lines are none",
        arguments: ["intranet", "ftp://example.com", "see notes", "javascript://example.com", ""])
    func noAddresses(text: String) {
        #expect(StoreService(address: text) == nil)
    }
}
