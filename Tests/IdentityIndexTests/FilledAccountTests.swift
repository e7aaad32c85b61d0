import AutoFillProtocol
import IdentityIndex
import KeywaySystem
import ServiceMatching
import Testing

/// The account that was filled last, for the code that is asked for next.
@Suite struct FilledAccountTests {
    private static let suffixes = PublicSuffixes()
    private static let ada = FilledAccount.Account(provider: "p", user: "ada")
    private static let start = MonotonicTime(nanoseconds: 1_000_000_000_000)

    private static func pages(_ addresses: String...) -> [ServiceAddress] {
        addresses.compactMap { ServiceAddress(ServiceIdentifier($0, kind: .url), suffixes: suffixes) }
    }

    private static func filled(isPrivate: Bool = false) -> FilledAccount {
        let filled = FilledAccount()
        filled.note(ada, on: pages("https://login.example.co.uk/in"), isPrivate: isPrivate, at: start)
        return filled
    }

    @Test(arguments: ["https://login.example.co.uk/code", "https://example.co.uk", "https://m.example.co.uk/"])
    func theSameSiteIsTold(page: String) {
        #expect(Self.filled().account(on: Self.pages(page), isPrivate: false, at: Self.start) == Self.ada)
    }

    @Test(arguments: [
        "https://example.com", "https://other.co.uk", "https://co.uk", "https://login.example.co.uk.evil.example",
    ])
    func anotherSiteIsToldNothing(page: String) {
        #expect(Self.filled().account(on: Self.pages(page), isPrivate: false, at: Self.start) == nil)
    }

    @Test(arguments: [false, true]) func aWindowOfTheOtherKindIsToldNothing(isPrivate: Bool) {
        let filled = Self.filled(isPrivate: isPrivate)
        let pages = Self.pages("https://example.co.uk")
        #expect(filled.account(on: pages, isPrivate: isPrivate, at: Self.start) == Self.ada)
        #expect(filled.account(on: pages, isPrivate: !isPrivate, at: Self.start) == nil)
    }

    @Test func itIsForgottenAfterAWhileAndWithTheIdentities() {
        let (filled, pages) = (Self.filled(), Self.pages("https://example.co.uk"))
        let later = MonotonicTime(nanoseconds: 1_601_000_000_000)
        #expect(filled.account(on: pages, isPrivate: false, at: later) == nil)
        filled.forget()
        #expect(filled.account(on: pages, isPrivate: false, at: Self.start) == nil)
    }
}
