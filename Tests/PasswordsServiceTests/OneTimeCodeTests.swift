import AutoFillProtocol
import AutoFillWire
import KeywaySystem
import PasswordsProtocol
import Testing

@testable import PasswordsService

/// One-time codes in the vault: made there, each counter once, and suggested for the item's addresses.
@Suite struct OneTimeCodeTests {
    /// The secret of RFC 4226, appendix D, in Base32.
    private static let secret = "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ"
    private static let counters = [
        "755224", "287082", "359152", "969429", "338314", "254676", "287922", "162583", "399871", "520489",
    ]
    let harness: TestService

    init() throws { harness = try TestService() }

    private func withCode(
        _ given: String, _ terminal: Connection, title: String = "Example", addresses: [String] = ["https://a.example"]
    ) async throws -> ItemSummary {
        try await terminal.add(title) { item in
            item.user = "ada"
            item.addresses = addresses
            item.code = try sealed(given)
        }
    }

    private func make(_ item: ItemSummary, _ connection: Connection) async throws -> String? {
        try opened(try await connection.call(MakeCode.self, .init(item: item.id)).code)
    }

    @Test func aCounterMovesOnBeforeTheCodeIsGiven() async throws {
        let terminal = try await harness.withVault()
        let item = try await withCode("otpauth://hotp/Example:ada?secret=\(Self.secret)&counter=0", terminal)
        for code in Self.counters.prefix(3) { #expect(try await make(item, terminal) == code) }
        // What is on the disk has moved on, too.
        let next = try harness.connectToNextService()
        try await next.unlock()
        #expect(try await make(item, next) == Self.counters[3])
    }

    @Test func whoeverAsksAtOnceGetsACodeEach() async throws {
        let terminal = try await harness.withVault()
        let item = try await withCode("otpauth://hotp/Example:ada?secret=\(Self.secret)&counter=0", terminal)
        let others = try (0..<10).map { _ in try harness.connect(.providerExtension) }
        let codes = try await withThrowingTaskGroup(of: String?.self) { group in
            for other in others { group.addTask { try await self.make(item, other) } }
            return try await group.reduce(into: []) { $0.append($1 ?? "") }
        }
        #expect(codes.sorted() == Self.counters.sorted())
    }

    @Test func aCodeByTimeSaysWhenItEnds() async throws {
        let terminal = try await harness.withVault()
        let item = try await withCode(Self.secret, terminal)
        let before = CodeLife.now
        let answer = try await terminal.call(MakeCode.self, .init(item: item.id))
        #expect(try opened(answer.code)?.count == 6)
        let end = try #require(answer.validUntil)
        #expect(end > before && end <= CodeLife.now + 30 && end.truncatingRemainder(dividingBy: 30) == 0)
    }

    @Test func theLinkIsTheSecretAndTheNames() async throws {
        let terminal = try await harness.withVault()
        _ = try await withCode("otpauth://totp/Shop:eve?secret=\(Self.secret)&digits=8", terminal)
        let link = try opened(try await terminal.call(ShowCodeLink.self, .init(item: ItemName("Example"))).link)
        #expect(link == "otpauth://totp/Shop:eve?secret=\(Self.secret)&issuer=Shop&digits=8")
        _ = try await withCode(Self.secret, terminal, title: "Bare")
        let bare = try opened(try await terminal.call(ShowCodeLink.self, .init(item: ItemName("Bare"))).link)
        #expect(bare == "otpauth://totp/Bare:ada?secret=\(Self.secret)&issuer=Bare")
    }

    @Test(arguments: [
        "", "no secret 1", "otpauth://totp/x?secret=", "https://example.com", "otpauth://motp/x?secret=GEZDGNBV",
        "otpauth://totp/x?secret=GEZDGNBV&digits=0", "otpauth-migration://offline?data=CgcKBQECAwQFCgcKBQECAwQF",
    ])
    func whatIsNoCodeIsRefusedAndNothingIsStored(given: String) async throws {
        let terminal = try await harness.withVault()
        #expect(await code { _ = try await self.withCode(given, terminal) } == .invalidParameters)
        #expect(try await terminal.search().isEmpty)
        let item = try await withCode(Self.secret, terminal)
        #expect(
            await code { _ = try await terminal.edit(ItemName(item.id)) { $0.code = try sealed(given) } }
                == .invalidParameters)
        #expect(try await make(item, terminal)?.count == 6)
    }

    @Test func errorsAndTheLogSayNothingOfTheSecret() async throws {
        let terminal = try await harness.withVault()
        let text = await message {
            _ = try await self.withCode("otpauth://totp/x?secret=VERYSECRET1&digits=99", terminal)
        }
        #expect(!text.contains("VERYSECRET"))
        let item = try await withCode(Self.secret, terminal)
        let code = try #require(try await make(item, terminal))
        #expect(harness.log.all.allSatisfy { !$0.contains(Self.secret) && !$0.contains(code) })
    }

    @Test func codesAreFoundByServiceAndByWords() async throws {
        let terminal = try await harness.withVault()
        let first = try await withCode(Self.secret, terminal, title: "A shop", addresses: ["https://a.example/login"])
        _ = try await withCode(Self.secret, terminal, title: "B bank", addresses: ["https://b.example"])
        _ = try await terminal.add("C without a code")
        let page = ServiceIdentifier("https://a.example/code", kind: .url)
        let found = try await terminal.call(FindCodes.self, .init(services: [page]))
        #expect(found.matches.map(\.id) == [first.id])
        #expect(found.items.map(\.title) == ["A shop", "B bank"])
        #expect(found.total == 2)
        let some = try await terminal.call(FindCodes.self, .init(services: [page], text: "bank"))
        #expect(some.items.map(\.title) == ["B bank"])
    }

    // MARK: - Suggestions

    private func changes() -> [(removed: [CredentialKind], saved: [CredentialKind])] {
        harness.jobs.all.compactMap { job in
            guard case .change(let change) = job else { return nil }
            return (change.removed.map(\.kind), change.saved.map(\.kind))
        }
    }

    @Test func identitiesFollowTheCode() async throws {
        let terminal = try await harness.withVault()
        let item = try await withCode(Self.secret, terminal, addresses: ["https://a.example", "https://b.example"])
        #expect(changes().last?.saved == [.password, .password, .oneTimeCode, .oneTimeCode])
        _ = try await terminal.edit(ItemName(item.id)) { $0.addresses = ["https://a.example"] }
        #expect(changes().last?.removed == [.password, .oneTimeCode])
        _ = try await terminal.edit(ItemName(item.id)) {
            $0.code = try sealed("otpauth://hotp/x?secret=GEZDGNBV&counter=7")
        }
        // How long a code is good for is part of what is suggested, and this one is good until it is used.
        #expect(changes().last?.saved == [.oneTimeCode])
        _ = try await terminal.call(RemoveItem.self, .init(item: ItemName(item.id)))
        #expect(changes().last?.removed == [.password, .oneTimeCode])
    }

    /// A code stands for the addresses of its item and for nothing that the link says.
    @Test func theIssuerIsNoAddress() async throws {
        let terminal = try await harness.withVault()
        _ = try await withCode(
            "otpauth://totp/bank.example:ada?secret=\(Self.secret)&issuer=bank.example", terminal,
            addresses: ["https://a.example"])
        let saved = harness.jobs.all.compactMap { job in
            if case .change(let change) = job { change.saved } else { nil }
        }.joined()
        #expect(saved.filter { $0.kind == .oneTimeCode }.map(\.service.identifier) == ["https://a.example"])
    }

    // MARK: - Several codes

    private static let other = "otpauth://hotp/Home:ada?secret=\(secret)&issuer=Home&counter=5"

    private func withTwo(_ terminal: Connection, second: String = other) async throws -> ItemSummary {
        let first = "otpauth://hotp/Work:ada?secret=\(Self.secret)&issuer=Work&counter=0"
        let item = try await withCode(first, terminal)
        _ = try await terminal.edit(ItemName(item.id)) { change in
            change.code = try sealed(second)
            change.addsCode = true
        }
        return item
    }

    @Test func everyCodeOfAnItemIsAnIdentityWithALabel() async throws {
        let terminal = try await harness.withVault()
        let item = try await withTwo(terminal)
        var saved: [CredentialIdentity] = []
        for case .change(let change) in harness.jobs.all { saved = change.saved.filter { $0.kind == .oneTimeCode } }
        #expect(saved.map(\.user) == ["ada (Work)", "ada (Home)"])
        #expect(saved.compactMap(\.recordIdentifier) == ["\(item.id):1", "\(item.id):2"])
    }

    @Test(arguments: [
        ("otpauth://totp/Work:bob?secret=GEZDGNBV&issuer=Work", "ada (bob)"),
        ("otpauth://totp/Work:ada?secret=GEZDGNBV&issuer=Work", "ada (2)"),
        ("GEZDGNBV", "ada (2)"),
    ])
    func whatTellsCodesApartStandsInTheirLabels(second: String, label: String) async throws {
        let terminal = try await harness.withVault()
        _ = try await withTwo(terminal, second: second)
        let found = try await terminal.call(FindCodes.self, .init(services: []))
        #expect(found.items.map(\.user).last == label)
        #expect(found.items.map(\.code) == [1, 2] && found.total == 2)
    }

    @Test func eachOfSeveralCodesIsMadeOfItsOwnSecret() async throws {
        let terminal = try await harness.withVault()
        let item = try await withTwo(terminal)
        func make(_ section: Int?) async throws -> String? {
            try opened(try await terminal.call(MakeCode.self, .init(item: item.id, section: section)).code)
        }
        #expect(try await make(2) == Self.counters[5])
        #expect(try await make(1) == Self.counters[0])
        #expect(try await make(2) == Self.counters[6])
        #expect(await code { _ = try await make(3) } == .notFound)
    }

    @Test func ofSeveralCodesTheLinkOfOneHasToBeNamed() async throws {
        let terminal = try await harness.withVault()
        let item = try await withTwo(terminal)
        #expect(
            await code { _ = try await terminal.call(ShowCodeLink.self, .init(item: ItemName(item.id))) } == .ambiguous)
        let link = try opened(
            try await terminal.call(ShowCodeLink.self, .init(item: ItemName(item.id), section: 2)).link)
        #expect(link == Self.other)
        #expect(
            await code { _ = try await terminal.edit(ItemName(item.id)) { $0.code = try sealed(Self.secret) } }
                == .ambiguous)
    }

    // MARK: - Links that somebody opened

    private func keep(
        _ link: String, issuer: String = "Example", account: String = "ada", with item: String? = nil,
        _ connection: Connection
    ) async throws -> ItemSummary {
        try await connection.call(
            KeepCode.self, .init(link: try sealed(link), issuer: issuer, account: account, item: item)
        ).item
    }

    private static let link = "otpauth://totp/Example:ada?secret=\(secret)&issuer=Example"

    @Test func aLinkIsKeptWithAnItemOrANewOneAndNothingIsLost() async throws {
        let terminal = try await harness.withVault()
        let item = try await withCode(
            "otpauth://hotp/Work:ada?secret=\(Self.secret)&issuer=Work&counter=0", terminal, title: "Mail")
        let program = try harness.connect(.providerExtension)
        try await program.unlock()
        _ = try await keep(Self.link, with: item.id, program)
        // The same once more changes nothing.
        _ = try await keep(Self.link, with: item.id, program)
        #expect(try await terminal.call(FindCodes.self, .init(services: [])).items.map(\.code) == [1, 2])
        let new = try await keep(Self.link, program)
        #expect(new.title == "Example" && new.user == "ada" && !new.hasPassword)
        // What the link calls itself is no address of anything.
        #expect(new.addresses.isEmpty)
        #expect(try await make(new, terminal)?.count == 6)
        #expect(await code { _ = try await keep(Self.link, with: "Mail", program) } == .notFound)
    }

    @Test func onlyTheExtensionKeepsALink() async throws {
        let terminal = try await harness.withVault()
        #expect(await code { _ = try await keep(Self.link, terminal) } == .refused)
        #expect(try await terminal.search().isEmpty)
    }

    @Test func aLinkForSomebodyElseThanThePersonWasToldIsRefused() async throws {
        let terminal = try await harness.withVault()
        let program = try harness.connect(.providerExtension)
        try await program.unlock()
        #expect(await code { _ = try await keep(Self.link, issuer: "Bank", program) } == .refused)
        #expect(await code { _ = try await keep(Self.link, account: "eve", program) } == .refused)
        #expect(await code { _ = try await keep("otpauth://totp/x", issuer: "", account: "x", program) } != nil)
        #expect(try await terminal.search().isEmpty)
    }

    @Test func aLockedVaultMakesNoCode() async throws {
        let terminal = try await harness.withVault()
        let item = try await withCode(Self.secret, terminal)
        try await terminal.lock()
        #expect(await code { _ = try await self.make(item, terminal) } == .locked)
        #expect(
            await code { _ = try await terminal.call(ShowCodeLink.self, .init(item: ItemName("Example"))) } == .locked)
    }

    @Test func aTitleIsNoRecord() async throws {
        let terminal = try await harness.withVault()
        _ = try await withCode(Self.secret, terminal)
        #expect(await code { _ = try await terminal.call(MakeCode.self, .init(item: "Example")) } == .notFound)
        let without = try await terminal.add("Other")
        #expect(await code { _ = try await self.make(without, terminal) } == .notFound)
    }
}
