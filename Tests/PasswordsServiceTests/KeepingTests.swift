import AutoFillProtocol
import AutoFillWire
import KeywaySystem
import PasswordsProtocol
import Testing

@testable import PasswordsService

/// Passwords that come from forms.
@Suite struct KeepingTests {
    let harness: TestService

    init() throws { harness = try TestService() }

    private func keep(
        _ password: String, of user: String, at service: String = "https://example.com/login", isPending: Bool = false,
        replaces: Bool = false, title: String? = nil, through connection: Connection
    ) async throws -> KeepPassword.Result.Outcome {
        let kind: ServiceIdentifier.Kind = service.contains("://") ? .url : .domain
        return try await connection.call(
            KeepPassword.self,
            .init(
                service: ServiceIdentifier(service, kind: kind), user: user, password: try sealed(password),
                title: title, isPending: isPending, replaces: replaces)
        ).outcome
    }

    private func open() async throws -> (terminal: Connection, pages: Connection) {
        (try await harness.withVault(), try harness.connect(.providerExtension))
    }

    private func items(_ terminal: Connection) async throws -> [ItemSummary] {
        try await terminal.call(SearchItems.self, .init(text: "")).items
    }

    @Test func aNewAccountIsAnItemOfItsSite() async throws {
        let (terminal, pages) = try await open()
        #expect(try await keep("one", of: "ada", through: pages) == .added)
        let item = try #require(try await items(terminal).first)
        #expect(item.title == "example.com" && item.user == "ada" && item.tags.isEmpty)
        #expect(item.addresses == ["https://example.com"], "the path of a form is no address to keep")
        #expect(try opened(try await terminal.show(ItemName(item.id), [.password]).password) == "one")
        // It is suggested from now on.
        #expect(!harness.jobs.all.isEmpty)
    }

    @Test func whatIsKeptAlreadyStaysAsItIs() async throws {
        let (terminal, pages) = try await open()
        _ = try await keep("one", of: "ada", through: pages)
        #expect(try await keep("one", of: "ada", through: pages) == .unchanged)
        #expect(try await keep("one", of: "ada", at: "https://www.example.com/", through: pages) == .unchanged)
        #expect(try await items(terminal).count == 1)
        let shown = try await terminal.show(ItemName("example.com"), [.history])
        #expect(shown.history.isEmpty)
    }

    /// A page that submits a sign-in to have a password overwritten.
    @Test func anotherPasswordGoesOnlyWhereThePersonAgreedAndIntoTheHistory() async throws {
        let (terminal, pages) = try await open()
        _ = try await keep("one", of: "ada", through: pages)
        #expect(await code { _ = try await keep("two", of: "ada", through: pages) } == .exists)
        #expect(try opened(try await terminal.show(ItemName("example.com"), [.password]).password) == "one")
        #expect(try await keep("two", of: "ada", replaces: true, through: pages) == .changed)
        let shown = try await terminal.show(ItemName("example.com"), [.password, .history])
        #expect(try opened(shown.password) == "two")
        #expect(try shown.history.map { try opened($0.password) } == ["one"])
        #expect(try await items(terminal).count == 1)
    }

    @Test(arguments: [
        ("https://login.example.com/", true), ("https://example.com:8443/", true), ("example.com", true),
        ("https://example.org/", false), ("https://example.com.evil.example/", false),
    ])
    func anotherSiteIsAnotherAccount(service: String, isSame: Bool) async throws {
        let (terminal, pages) = try await open()
        _ = try await keep("one", of: "ada", through: pages)
        let outcome = try await keep("two", of: "ada", at: service, replaces: true, through: pages)
        #expect(outcome == (isSame ? .changed : .added))
        #expect(try await items(terminal).count == (isSame ? 1 : 2))
    }

    @Test func anotherNameIsAnotherAccount() async throws {
        let (terminal, pages) = try await open()
        _ = try await keep("one", of: "ada", through: pages)
        #expect(try await keep("two", of: "grace", through: pages) == .added)
        #expect(try await items(terminal).count == 2)
    }

    @Test func aPageThatOthersCanChangeReplacesNothingOfAnEncryptedOne() async throws {
        let (terminal, pages) = try await open()
        _ = try await keep("one", of: "ada", through: pages)
        #expect(try await keep("two", of: "ada", at: "http://example.com/", replaces: true, through: pages) == .added)
        #expect(Set(try await items(terminal).flatMap(\.addresses)) == ["https://example.com", "http://example.com"])
    }

    // MARK: Generated passwords

    @Test func aGeneratedPasswordIsKeptBeforeItsFormIsSent() async throws {
        let (terminal, pages) = try await open()
        #expect(try await keep("made", of: "", isPending: true, through: pages) == .added)
        #expect(try await keep("made", of: "", isPending: true, through: pages) == .unchanged)
        #expect(try await items(terminal).map(\.tags) == [["generated"]])
        // The account has a name now: it is the same item.
        #expect(try await keep("made", of: "ada", through: pages) == .changed)
        let all = try await items(terminal)
        #expect(all.map(\.user) == ["ada"] && all.map(\.tags) == [[]])
        #expect(try opened(try await terminal.show(ItemName("example.com"), [.password]).password) == "made")
    }

    @Test func aGeneratedPasswordTakesNoOthersPlace() async throws {
        let (terminal, pages) = try await open()
        _ = try await keep("one", of: "ada", through: pages)
        #expect(try await keep("made", of: "ada", isPending: true, replaces: true, through: pages) == .added)
        let kept = try #require(try await items(terminal).first { $0.tags.isEmpty })
        #expect(try opened(try await terminal.show(ItemName(kept.id), [.password]).password) == "one")
        #expect(try await items(terminal).count == 2)
        // Sent, and agreed to: one item again, with the old one in its history.
        #expect(try await keep("made", of: "ada", replaces: true, through: pages) == .changed)
        #expect(try await items(terminal).map(\.tags) == [[]])
        let shown = try await terminal.show(ItemName("example.com"), [.password, .history])
        #expect(try opened(shown.password) == "made")
        #expect(try shown.history.map { try opened($0.password) } == ["one"])
    }

    // MARK: Who, and what

    /// A page of one host, which another host of its site has an account for under the same name.
    @Test func aGeneratedPasswordBecomesTheAccountOfItsOwnHost() async throws {
        let (terminal, pages) = try await open()
        _ = try await keep("precious", of: "ada", at: "https://mail.example.com/", through: pages)
        #expect(try await keep("made", of: "ada", isPending: true, through: pages) == .added)
        #expect(try await keep("made", of: "ada", through: pages) == .changed)
        let all = try await items(terminal)
        #expect(all.map(\.user) == ["ada", "ada"] && all.allSatisfy(\.tags.isEmpty))
        #expect(try opened(try await terminal.show(ItemName("mail.example.com"), [.password]).password) == "precious")
        #expect(try opened(try await terminal.show(ItemName("example.com"), [.password]).password) == "made")
    }

    @Test func anAccountOfTheSameHostGoesForNoGeneratedPasswordUnasked() async throws {
        let (terminal, pages) = try await open()
        _ = try await keep("precious", of: "ada", through: pages)
        _ = try await keep("made", of: "ada", isPending: true, through: pages)
        #expect(await code { _ = try await keep("made", of: "ada", through: pages) } == .exists)
        #expect(try await keep("made", of: "ada", replaces: true, through: pages) == .changed)
        #expect(try await items(terminal).count == 1)
    }

    /// It is suggested under its title, and so named in the question.
    @Test func anItemWithoutAUserNameIsKnownByItsTitle() async throws {
        let (terminal, pages) = try await open()
        _ = try await keep("one", of: "", title: "Nameless", through: pages)
        #expect(await code { _ = try await keep("two", of: "Nameless", through: pages) } == .exists)
        #expect(try await keep("two", of: "Nameless", replaces: true, through: pages) == .changed)
        #expect(try await items(terminal).map(\.title) == ["Nameless"])
    }

    @Test func onlyTheExtensionKeeps() async throws {
        let (terminal, _) = try await open()
        #expect(await code { _ = try await keep("one", of: "ada", through: terminal) } == .refused)
    }

    @Test func aLockedVaultKeepsNothing() async throws {
        let (terminal, pages) = try await open()
        _ = try await terminal.call(LockVault.self, Nothing())
        #expect(await code { _ = try await keep("one", of: "ada", through: pages) } == .locked)
    }

    @Test(arguments: [("", "https://example.com"), ("one", "ftp://example.com"), ("one", "")])
    func refusesWhatIsNoPasswordOfASite(password: String, service: String) async throws {
        let (_, pages) = try await open()
        #expect(
            await code { _ = try await keep(password, of: "ada", at: service, through: pages) } == .invalidParameters)
    }

    @Test func namesOfPagesAreMadeHarmless() async throws {
        let (terminal, pages) = try await open()
        _ = try await keep("one", of: "  ada\n\u{202e}x ", title: "My\nbank", through: pages)
        let item = try #require(try await items(terminal).first)
        #expect(!item.user.unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x202e })
        #expect(!item.title.contains("\n"))
    }
}
