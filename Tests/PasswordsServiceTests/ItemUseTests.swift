import AutoFillProtocol
import AutoFillWire
import KeywaySystem
import PasswordsProtocol
import Testing

@testable import PasswordsService

/// Items that the person wants offered in forms alone, or for HTTP's own sign-in alone.
@Suite struct ItemUseTests {
    let harness: TestService
    let store = TestStore()

    init() throws { harness = try TestService() }

    private func change(_ use: ItemUse?, title: String? = nil) throws -> ItemChange {
        var change = ItemChange()
        change.use = use
        if let title {
            change.title = title
            change.user = "ada"
            change.addresses = ["https://example.com", "example.org"]
            change.password = try sealed("one")
        }
        return change
    }

    /// What the broker was told of passwords, when everything was done that there was to do.
    private func told() async -> [CredentialIdentity] {
        let sync = IdentitySync(
            store: store, source: harness.service, markPath: harness.folder + "/mark",
            log: ServiceLog { [log = harness.log] in log.add($0) })
        for job in harness.jobs.all { await sync.perform(job) }
        return store.content.withLock { $0.held.sorted { $0.service.identifier < $1.service.identifier } }
    }

    private static func serves(_ identity: CredentialIdentity) -> [Bool] {
        [nil, "Staff", ""].map {
            identity.serves(ServiceIdentifier("https://example.com/", kind: .url, realm: $0))
        }
    }

    @Test(
        arguments: [
            (.everywhere, [true, true, true]), (.forms, [true, false, false]), (.basic, [false, true, true]),
        ] as [(ItemUse, [Bool])])
    func theMarkReachesWhatIsSuggested(use: ItemUse, serves: [Bool]) async throws {
        let terminal = try await harness.withVault()
        let added = try await terminal.call(AddItem.self, .init(item: change(use, title: "Example"))).item
        #expect(added.use == (use == .everywhere ? nil : use))
        let identities = await told()
        #expect(identities.map(\.service.identifier) == ["example.org", "https://example.com"])
        for identity in identities { #expect(Self.serves(identity) == serves) }
    }

    @Test func aMarkThatChangesTakesTheOldIdentitiesAway() async throws {
        let terminal = try await harness.withVault()
        let id = try await terminal.call(AddItem.self, .init(item: change(nil, title: "Example"))).item.id
        for (use, serves) in [
            (ItemUse.basic, [false, true, true]), (.forms, [true, false, false]), (.everywhere, [true, true, true]),
        ] {
            let edited = try await terminal.call(EditItem.self, .init(item: ItemName(id), change: change(use))).item
            #expect(edited.use ?? .everywhere == use && edited.user == "ada")
            let identities = await told()
            #expect(identities.count == 2)
            for identity in identities { #expect(Self.serves(identity) == serves) }
        }
        #expect(try await terminal.show(ItemName(id), []).summary.use == nil)
    }

    /// A form never replaces the password of what is for HTTP's own sign-in.
    @Test func aFormLeavesWhatIsForHTTPAlone() async throws {
        let terminal = try await harness.withVault()
        let pages = try harness.connect(.providerExtension)
        let id = try await terminal.call(AddItem.self, .init(item: change(.basic, title: "Example"))).item.id
        let kept = try await pages.call(
            KeepPassword.self,
            .init(
                service: ServiceIdentifier("https://example.com/login", kind: .url), user: "ada",
                password: try sealed("two"), title: nil, isPending: false, replaces: true))
        #expect(kept.outcome == .added)
        #expect(try opened(try await terminal.show(ItemName(id), [.password]).password) == "one")
    }
}
