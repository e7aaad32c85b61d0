import AutoFillProtocol
import AutoFillWire
import FoundationEssentials
import PasswordsProtocol
import Testing

@testable import PasswordsService

/// What sites report: of their own credentials alone, hidden and never destroyed, and offered again.
@Suite struct ReportTests {
    let harness: TestService

    init() throws { harness = try TestService() }

    private let party = "example.com"

    /// The extension, and passkeys of two accounts of one site and one of another.
    private func open() async throws -> (terminal: Connection, pages: Connection, ids: [Data]) {
        let terminal = try await harness.withVault()
        let pages = try harness.connect(.providerExtension)
        var ids: [Data] = []
        for (user, handle, party) in [("ada", 1, party), ("grace", 2, party), ("other", 1, "example.org")]
            as [(String, UInt8, String)]
        {
            ids.append(try await pages.makePasskey(user, at: party, handle: [handle]).credentialID)
        }
        return (terminal, pages, ids)
    }

    private func accepted(_ ids: [Data], handle: UInt8 = 1, party: String? = nil) -> CredentialReport {
        .passkeysAccepted(relyingParty: party ?? self.party, userHandle: Data([handle]), credentialIDs: ids)
    }

    @Test func aPasskeyThatTheSiteDoesNotKnowIsHidden() async throws {
        let (terminal, pages, ids) = try await open()
        let item = try #require(try await pages.passkeys(allowed: [ids[0]]).first)
        try await pages.report(.passkeyUnknown(relyingParty: party, credentialID: ids[0]))
        #expect(try await pages.passkeys().map(\.user) == ["grace"])
        #expect(await code { _ = try await pages.sign(item.id) } == .notFound, "an old suggestion of it, too")
        // It is kept, and can be offered again.
        #expect(try await terminal.hidden() == ["ada"])
        _ = try await terminal.call(RestoreItem.self, .init(item: ItemName(item.id)))
        #expect(try await pages.passkeys().map(\.user) == ["ada", "grace"])
        _ = try await pages.sign(item.id)
    }

    @Test func whatIsHiddenDoesNotKeepANewOneAway() async throws {
        let (_, pages, ids) = try await open()
        try await pages.report(.passkeyUnknown(relyingParty: party, credentialID: ids[0]))
        try await pages.makePasskey("ada", excluded: [ids[0]])
        #expect(try await pages.passkeys().map(\.user) == ["ada", "grace"])
    }

    @Test(arguments: ["example.org", "com", "login.example.com", "example.com.", ""])
    func noSiteReachesThePasskeysOfAnother(other: String) async throws {
        let (_, pages, ids) = try await open()
        try await pages.report(.passkeyUnknown(relyingParty: other, credentialID: ids[0]))
        try await pages.report(accepted([ids[2]], party: other))
        try await pages.report(.passkeyUpdated(relyingParty: other, userHandle: Data([2]), newName: "mallory"))
        #expect(try await pages.hidden().isEmpty)
        #expect(try await pages.passkeys().map(\.user) == ["ada", "grace"])
    }

    @Test func whatIsNotAcceptedIsHiddenAndWhatIsAgainIsOffered() async throws {
        let (_, pages, ids) = try await open()
        let second = try await pages.makePasskey("ada").credentialID
        try await pages.report(accepted([second]))
        #expect(try await pages.hidden() == ["ada"])
        #expect(try await pages.passkeys(allowed: [ids[0]]).isEmpty)
        #expect(try await pages.passkeys().map(\.user) == ["ada", "grace"], "of another account nothing was said")
        try await pages.report(accepted([ids[0]]))
        #expect(try await pages.passkeys(allowed: [ids[0], second]).map(\.passkey?.credentialID) == [ids[0]])
        try await pages.report(accepted([]))
        #expect(try await pages.passkeys().map(\.user) == ["grace"])
        try await pages.report(accepted([ids[0], second, Data([9])]))
        #expect(try await pages.hidden().isEmpty)
    }

    @Test(arguments: [false, true])
    func whatIsUnknownStaysHiddenUntilThePersonOffersItAgain(isHiddenBefore: Bool) async throws {
        let (terminal, pages, ids) = try await open()
        let item = try #require(try await pages.passkeys(allowed: [ids[0]]).first)
        if isHiddenBefore { try await pages.report(accepted([])) }
        try await pages.report(.passkeyUnknown(relyingParty: party, credentialID: ids[0]))
        // Not by the list of its site, nor after one in which it stood not.
        for list in [[ids[0]], [], [ids[0]]] {
            try await pages.report(accepted(list))
            #expect(try await pages.hidden() == ["ada"])
        }
        // Nor where the vault is opened anew.
        try await terminal.lock()
        try await terminal.unlock()
        try await pages.report(accepted([ids[0]]))
        #expect(try await pages.hidden() == ["ada"])
        _ = try await terminal.call(RestoreItem.self, .init(item: ItemName(item.id)))
        #expect(try await pages.hidden().isEmpty)
        // From then on its site's lists count again.
        try await pages.report(accepted([]))
        #expect(try await pages.hidden() == ["ada"])
        try await pages.report(accepted([ids[0]]))
        #expect(try await pages.hidden().isEmpty)
    }

    @Test func anAccountIsRenamedUnlessThePersonNamedIt() async throws {
        let (terminal, pages, _) = try await open()
        let rename = CredentialReport.passkeyUpdated(
            relyingParty: party, userHandle: Data([1]), newName: "ada@example.com")
        try await pages.report(rename)
        #expect(try await pages.passkeys().map(\.user) == ["ada@example.com", "grace"])
        _ = try await terminal.edit(ItemName(party, user: "ada@example.com")) { $0.user = "me" }
        try await pages.report(rename)
        #expect(try await pages.passkeys().map(\.user) == ["grace", "me"])
    }

    @Test func aNameThatASiteReplacedIsGivenBackForGood() async throws {
        let (terminal, pages, _) = try await open()
        let id = try #require(try await pages.passkeys().first).id
        func rename(_ name: String) async throws {
            try await pages.report(.passkeyUpdated(relyingParty: party, userHandle: Data([1]), newName: name))
        }
        func restore() async throws -> ItemSummary {
            try await terminal.call(RestoreItem.self, .init(item: ItemName(id))).item
        }
        try await rename("mallory")
        try await rename("mallet")
        let renamed = try await terminal.show(ItemName(id)).summary
        #expect(renamed.user == "mallet" && renamed.formerUser == "ada")
        let restored = try await restore()
        #expect(restored.user == "ada" && restored.formerUser == nil)
        #expect(
            harness.jobs.all.contains {
                if case .change(let change) = $0 { change.saved.first?.user == "mallet" } else { false }
            })
        try await rename("mallory")
        #expect(try await pages.passkeys().map(\.user) == ["ada", "grace"], "the site changes it no more")
        #expect(await code { _ = try await restore() } == .invalidParameters, "there is nothing to take back")
    }

    @Test func whatIsHiddenAndRenamedIsTakenBackStepByStep() async throws {
        let (terminal, pages, ids) = try await open()
        let name = ItemName(try #require(try await pages.passkeys().first).id)
        try await pages.report(.passkeyUpdated(relyingParty: party, userHandle: Data([1]), newName: "ada@example.com"))
        try await pages.report(.passkeyUnknown(relyingParty: party, credentialID: ids[0]))
        let offered = try await terminal.call(RestoreItem.self, .init(item: name)).item
        #expect(offered.hidden == nil && offered.user == "ada@example.com" && offered.formerUser == "ada")
        let named = try await terminal.call(RestoreItem.self, .init(item: name)).item
        #expect(named.hidden == nil && named.user == "ada" && named.formerUser == nil)
    }

    @Test(arguments: ["", "  ", "\n"]) func noAccountLosesItsName(name: String) async throws {
        let (_, pages, _) = try await open()
        try await pages.report(.passkeyUpdated(relyingParty: party, userHandle: Data([1]), newName: name))
        #expect(try await pages.passkeys().map(\.user) == ["ada", "grace"])
    }

    @Test func anUnusedPasswordIsHiddenWhereItIsOnlyOfThatSite() async throws {
        let (terminal, pages, _) = try await open()
        for (title, user, addresses) in [
            ("a", "ada", ["https://www.example.com/login"]), ("b", "ada", ["example.com", "example.net"]),
            ("c", "grace", ["example.com"]), ("d", "ada", ["example.org"]), ("e", "ada", []),
        ] as [(String, String, [String])] {
            try await terminal.add(title) { ($0.user, $0.addresses) = (user, addresses) }
        }
        try await pages.report(.passwordUnused(domain: "example.com", userName: "ada"))
        let items = try await terminal.call(SearchItems.self, .init(text: "", kind: .password)).items
        #expect(items.filter { $0.hidden != nil }.map(\.title) == ["a"])
        // Hidden, and whole.
        #expect(try opened(try await terminal.show(ItemName("a"), [.password]).password) == "pw of a")
        let matches = try await pages.call(
            MatchItems.self, .init(services: [ServiceIdentifier("example.com", kind: .domain)]))
        #expect(matches.items.map(\.title) == ["b", "c"])
    }

    @Test func whatWasReportedToALockedVaultIsTakenInWhenItOpens() async throws {
        let (terminal, pages, ids) = try await open()
        try await terminal.lock()
        try await pages.report(.passkeyUnknown(relyingParty: party, credentialID: ids[0]))
        try await terminal.unlock()
        try await harness.until { (try? await terminal.hidden()) == ["ada"] }
        #expect(await harness.service.reports.isEmpty)
    }

    @Test func holdsFewReports() async throws {
        let (terminal, pages, _) = try await open()
        try await terminal.lock()
        for number in 0..<200 {
            try await pages.report(.passkeyUnknown(relyingParty: party, credentialID: Data([UInt8(number), 0])))
            try await pages.report(.passkeyUnknown(relyingParty: party, credentialID: Data([UInt8(number), 0])))
        }
        #expect(await harness.service.reports.count == VaultService.heldReports)
    }

    @Test func reportsKeepNoVaultOpen() async throws {
        let (_, pages, ids) = try await open()
        for _ in 0..<3 {
            harness.clock.advance(by: .seconds(250))
            try await pages.report(.passkeyUnknown(relyingParty: party, credentialID: ids[2]))
        }
        try await harness.until { await code { _ = try await pages.passkeys() } == .locked }
    }

    // MARK: - Items

    @Test func aPasskeyTakesNeitherPasswordNorAddress() async throws {
        let (terminal, _, _) = try await open()
        let name = ItemName(party, user: "ada")
        #expect(
            await code { _ = try await terminal.edit(name) { $0.password = try sealed("p") } } == .invalidParameters)
        #expect(await code { _ = try await terminal.edit(name) { $0.addresses = ["a.test"] } } == .invalidParameters)
        _ = try await terminal.edit(name) { $0.notes = try sealed("note") }
    }

    @Test func onlyWhatASiteReportedIsTakenBack() async throws {
        let (terminal, _, _) = try await open()
        let name = RemoveItem.Parameters(item: ItemName(party, user: "ada"))
        #expect(await code { _ = try await terminal.call(RestoreItem.self, name) } == .invalidParameters)
    }

    @Test func aTitleMeansThePasswordUnlessThePasskeyIsNamed() async throws {
        let (terminal, _, _) = try await open()
        try await terminal.add(party) { $0.user = "ada" }
        #expect(try await terminal.show(ItemName(party, user: "ada")).summary.passkey == nil)
        let passkey = try await terminal.show(ItemName(party, user: "ada", kind: .passkey)).summary
        #expect(passkey.passkey != nil)
        #expect(try await terminal.show(ItemName(passkey.id)).summary == passkey)
        try await terminal.add("alone")
        #expect(await message { _ = try await terminal.show(ItemName("alone", kind: .passkey)) }.contains("no passkey"))
    }

    // MARK: - What the system may suggest

    @Test func thePasskeysThatAreOfferedAreSuggested() async throws {
        let (terminal, pages, ids) = try await open()
        func changes() -> [IdentityChange] {
            harness.jobs.all.compactMap { if case .change(let change) = $0 { change } else { nil } }
        }
        let first = try #require(changes().first?.saved.first)
        #expect(first.kind == .passkey && first.user == "ada")
        #expect(first.service == ServiceIdentifier(party, kind: .domain))
        #expect(first.passkey == PasskeyReference(credentialID: ids[0], userHandle: Data([1])))
        try await pages.report(.passkeyUnknown(relyingParty: party, credentialID: ids[0]))
        #expect(changes().last?.removed == [first] && changes().last?.saved == [])
        let record = try #require(first.recordIdentifier)
        _ = try await terminal.call(RestoreItem.self, .init(item: ItemName(record)))
        #expect(changes().last?.saved == [first])
    }
}
