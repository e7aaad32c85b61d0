import AuthenticationServices
import AutoFillProtocol
import KeywaySystem
import Testing

@MainActor
@Suite("Identity store", .timeLimit(.minutes(2)))
struct IdentityStoreTests {
    /// A store that notes which of its forms was called.
    // SAFETY: the tests of this suite use it on the main actor only.
    private final class Noting: ASCredentialIdentityStore, @unchecked Sendable {
        var calls: [String] = []

        override func saveCredentialIdentities(
            _ credentialIdentities: [any ASCredentialIdentity], completion: ((Bool, (any Error)?) -> Void)? = nil
        ) { calls.append("any, handler") }

        override func saveCredentialIdentities(
            _ credentialIdentities: [ASPasswordCredentialIdentity], completion: ((Bool, (any Error)?) -> Void)? = nil
        ) { calls.append("password, handler") }

        nonisolated(nonsending) override func saveCredentialIdentities(
            _ credentialIdentities: [any ASCredentialIdentity]
        ) async throws { calls.append("any, async") }

        nonisolated(nonsending) override func saveCredentialIdentities(
            _ credentialIdentities: [ASPasswordCredentialIdentity]
        ) async throws { calls.append("password, async") }
    }

    private func identity(_ record: String, service: String = "example.com") -> ASPasswordCredentialIdentity {
        let service = ASCredentialServiceIdentifier(identifier: service, type: .domain)
        return ASPasswordCredentialIdentity(serviceIdentifier: service, user: "ada", recordIdentifier: record)
    }

    @Test func choosesTheFormByTheArraysType() async throws {
        let store = Noting()
        let passwords = [identity("1")]
        let mixed: [any ASCredentialIdentity] = passwords
        func inASynchronousContext() {
            store.saveCredentialIdentities(passwords)
            store.saveCredentialIdentities(mixed) { _, _ in }
        }
        inASynchronousContext()
        try await store.saveCredentialIdentities(passwords)
        try await store.saveCredentialIdentities(mixed)
        #expect(store.calls == ["password, handler", "any, handler", "password, async", "any, async"])
    }

    @Test func tellsHowItIs() async throws {
        let broker = try await FakeBroker()
        let store = ASCredentialIdentityStore(broker: broker.link)
        let state = await store.state()
        #expect(state.isEnabled && !state.supportsIncrementalUpdates)
        try await store.saveCredentialIdentities([identity("1")] as [any ASCredentialIdentity])
        let later = await withCheckedContinuation { continuation in
            store.getState { continuation.resume(returning: ($0.isEnabled, $0.supportsIncrementalUpdates)) }
        }
        #expect(later == (true, true))
        broker.store.disable()
        #expect(await store.state().isEnabled == false)
    }

    @Test func savesReplacesAndRemoves() async throws {
        let broker = try await FakeBroker()
        let store = ASCredentialIdentityStore(broker: broker.link)
        var records: [String?] { broker.store.identities.map(\.recordIdentifier) }
        let ranked = identity("2")
        ranked.rank = 9
        try await store.saveCredentialIdentities([identity("1"), ranked] as [any ASCredentialIdentity])
        #expect(records == ["1", "2"])
        #expect(broker.store.identities.map(\.rank) == [0, 9])
        try await store.removeCredentialIdentities([identity("1")] as [any ASCredentialIdentity])
        #expect(records == ["2"])
        try await store.replaceCredentialIdentities([identity("3")])
        #expect(records == ["3"])
        try await store.replaceCredentialIdentities(with: [identity("4")])
        #expect(records == ["4"])
        try await store.removeAllCredentialIdentities()
        #expect(records.isEmpty)
    }

    @Test func emptyWritesSucceed() async throws {
        let broker = try await FakeBroker()
        let store = ASCredentialIdentityStore(broker: broker.link)
        try await store.saveCredentialIdentities([identity("1")] as [any ASCredentialIdentity])
        try await store.saveCredentialIdentities([] as [any ASCredentialIdentity])
        try await store.removeCredentialIdentities([] as [any ASCredentialIdentity])
        #expect(broker.store.identities.count == 1)
        try await store.replaceCredentialIdentities([])
        #expect(broker.store.identities.isEmpty)
    }

    @Test(arguments: [
        (ProtocolError.Code.disabled, ASCredentialIdentityStoreError.Code.storeDisabled),
        (.busy, .storeBusy), (.locked, .storeBusy), (.internalError, .internalError), (.damaged, .internalError),
    ])
    func failsWithTheCodeOfTheReason(
        reason: ProtocolError.Code, code: ASCredentialIdentityStoreError.Code
    ) async throws {
        let broker = try await FakeBroker()
        let store = ASCredentialIdentityStore(broker: broker.link)
        broker.store.fail(with: ProtocolError(reason, "Because."))
        await #expect(throws: ASCredentialIdentityStoreError(code, userInfo: [NSLocalizedDescriptionKey: "Because."])) {
            try await store.removeAllCredentialIdentities()
        }
        let (done, error) = await withCheckedContinuation { continuation in
            store.saveCredentialIdentities([identity("1")] as [any ASCredentialIdentity]) {
                continuation.resume(returning: ($0, $1))
            }
        }
        #expect(!done)
        #expect((error as? ASCredentialIdentityStoreError)?.code == code)
        #expect(await store.state().isEnabled == false)
        #expect(await store.credentialIdentities().isEmpty)
    }

    @Test func failsWhenTheBrokerIsGone() async throws {
        let broker = try await FakeBroker()
        let store = ASCredentialIdentityStore(broker: broker.link)
        broker.hangUp()
        await #expect {
            try await store.removeAllCredentialIdentities()
        } throws: {
            ($0 as? ASCredentialIdentityStoreError)?.code == .internalError
        }
    }

    @Test func sendsManyInPartsThatTakeEffectTogether() async throws {
        let broker = try await FakeBroker()
        let store = ASCredentialIdentityStore(broker: broker.link)
        try await store.replaceCredentialIdentities((0..<2500).map { identity(String($0)) })
        #expect(broker.store.parts == [1000, 1000, 500])
        #expect(broker.store.identities.map(\.recordIdentifier) == (0..<2500).map(String.init))
    }

    @Test func keepsPartsWithinAFrame() async throws {
        let broker = try await FakeBroker()
        let store = ASCredentialIdentityStore(broker: broker.link)
        let long = String(repeating: "\"", count: 100_000)
        try await store.replaceCredentialIdentities((0..<20).map { identity(long + String($0)) })
        #expect(broker.store.identities.count == 20)
    }

    @Test func readsPageByPageWhatIsItsOwn() async throws {
        let broker = try await FakeBroker(store: FakeStore(pageSize: 2))
        let store = ASCredentialIdentityStore(broker: broker.link)
        let mine = (0..<5).map { identity(String($0)) } + [identity("other", service: "example.org")]
        try await store.replaceCredentialIdentities(mine)
        let all = await store.credentialIdentities()
        #expect(all as? [ASPasswordCredentialIdentity] == mine)
        let service = ASCredentialServiceIdentifier(identifier: "example.org", type: .domain)
        let one = await store.credentialIdentities(forService: service, credentialIdentityTypes: .password)
        #expect(one.map(\.recordIdentifier) == ["other"])
        #expect(await store.credentialIdentities(credentialIdentityTypes: [.passkey, .oneTimeCode]).isEmpty)
    }

    @Test func keepsEveryKindAsItWasGiven() async throws {
        let broker = try await FakeBroker()
        let store = ASCredentialIdentityStore(broker: broker.link)
        let service = ASCredentialServiceIdentifier(identifier: "example.com", type: .domain)
        let code = ASOneTimeCodeCredentialIdentity(
            serviceIdentifier: service, label: "Example (ada)", recordIdentifier: "7")
        let passkey = ASPasskeyCredentialIdentity(
            relyingPartyIdentifier: "example.com", userName: "ada", credentialID: Data([1, 0, 255]),
            userHandle: Data([9]), recordIdentifier: "7")
        let mine: [any ASCredentialIdentity & NSObject] = [identity("7"), code, passkey]
        for (rank, identity) in mine.enumerated() { identity.rank = rank + 1 }
        try await store.replaceCredentialIdentities(mine)
        let all = await store.credentialIdentities()
        #expect(all.map(\.rank) == [1, 2, 3])
        for (kept, given) in zip(all, mine) { #expect(given.isEqual(kept)) }
        let kinds: [(ASCredentialIdentityStore.IdentityTypes, [Int])] = [
            (.password, [1]), (.oneTimeCode, [2]), (.passkey, [3]), ([.passkey, .password], [1, 3]), ([], [1, 2, 3]),
            (.init(rawValue: 8), []),
        ]
        for (types, ranks) in kinds {
            #expect(await store.credentialIdentities(credentialIdentityTypes: types).map(\.rank) == ranks)
        }
        try await store.removeCredentialIdentities([passkey] as [any ASCredentialIdentity])
        #expect(await store.credentialIdentities().map(\.rank) == [1, 2])
    }

    @Test func skipsWhatItCannotRead() async throws {
        let broker = try await FakeBroker()
        let store = ASCredentialIdentityStore(broker: broker.link)
        _ = try await broker.link.connection().call(
            WriteIdentities.self,
            .init(
                operation: .replace,
                identities: [
                    .init(
                        kind: .passkey, service: ServiceIdentifier("example.com", kind: .domain), user: "ada",
                        recordIdentifier: "1"), .example(record: "2"),
                ]))
        #expect(await store.credentialIdentities().map(\.recordIdentifier) == ["2"])
    }

    @Test func refusesIdentitiesThatItCannotKnow() async throws {
        final class Homemade: NSObject, ASCredentialIdentity {
            let serviceIdentifier = ASCredentialServiceIdentifier(identifier: "example.com", type: .domain)
            let user = "ada"
            let recordIdentifier: String? = nil
            var rank = 0
        }
        let broker = try await FakeBroker()
        let store = ASCredentialIdentityStore(broker: broker.link)
        await #expect {
            try await store.saveCredentialIdentities([identity("1"), Homemade()])
        } throws: {
            ($0 as? ASCredentialIdentityStoreError)?.code == .internalError
        }
        #expect(broker.store.identities.isEmpty)
    }

    @Test func hasTheNumbersOfApplesKinds() {
        let kinds: [ASCredentialIdentityStore.IdentityTypes] = [.password, .passkey, .oneTimeCode, []]
        #expect(kinds.map(\.rawValue) == [1, 2, 4, 0])
    }
}
