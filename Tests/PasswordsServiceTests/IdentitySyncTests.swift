import AutoFillProtocol
import FoundationEssentials
import KeywaySystem
import PasswordsProtocol
import Synchronization
import Testing

@testable import PasswordsService

/// A broker's identity store in memory, with its rules.
final class TestStore: SuggestionStore {
    struct State {
        var isEnabled = true
        var held: Set<CredentialIdentity> = []
        var draft: [CredentialIdentity] = []
        var writes: [WriteIdentities.Parameters] = []
        var failure: ProtocolError?
    }

    let content = Mutex(State())

    func state() throws(ProtocolError) -> IdentityStoreState.Result {
        content.withLock {
            .init(isEnabled: $0.isEnabled, supportsIncrementalUpdates: !$0.held.isEmpty)
        }
    }

    func write(_ part: WriteIdentities.Parameters) throws(ProtocolError) -> WriteIdentities.Result {
        let outcome: Result<WriteIdentities.Result, ProtocolError> = content.withLock { state in
            if let failure = state.failure { return .failure(failure) }
            state.writes.append(part)
            state.draft += part.identities
            guard part.isLast else { return .success(.init(write: 7)) }
            switch part.operation {
            case .replace: state.held = Set(state.draft)
            case .save: state.held.formUnion(state.draft)
            case .remove: state.held.subtract(state.draft)
            }
            state.draft = []
            return .success(.init(write: nil))
        }
        return try outcome.get()
    }

    var held: [String] { content.withLock { $0.held.map { "\($0.user)@\($0.service.identifier)" }.sorted() } }
    var writes: [WriteIdentities.Operation] { content.withLock { $0.writes.map(\.operation) } }
}

@Suite struct IdentitySyncTests {
    let harness: TestService
    let store = TestStore()
    let sync: IdentitySync

    init() throws {
        harness = try TestService()
        sync = Self.sync(harness, store)
    }

    private static func sync(_ harness: TestService, _ store: TestStore) -> IdentitySync {
        IdentitySync(
            store: store, source: harness.service, markPath: harness.folder + "/mark",
            log: ServiceLog { [log = harness.log] in log.add($0) })
    }

    /// Does what the service has asked for since the last time.
    private func settle(_ sync: IdentitySync? = nil, after done: Int = 0) async -> Int {
        let jobs = harness.jobs.all
        for job in jobs.dropFirst(done) { await (sync ?? self.sync).perform(job) }
        return jobs.count
    }

    @Test func oneIdentityForEachAddressOfAnItem() async throws {
        let terminal = try await harness.withVault()
        let item = try await terminal.add("Example") {
            $0.user = "ada"
            $0.addresses = ["https://example.com/login", "example.org", "example.org.", "no address"]
        }
        try await terminal.add("No user") { $0.addresses = ["a.example"] }
        _ = await settle()
        #expect(store.held == ["No user@a.example", "ada@example.org", "ada@https://example.com/login"])
        #expect(
            store.content.withLock { $0.held.filter { $0.user == "ada" }.allSatisfy { $0.recordIdentifier == item.id } }
        )
    }

    @Test(arguments: [
        ("otpauth://totp/x?secret=GEZDGNBV", 30 as Int?), ("otpauth://totp/x?secret=GEZDGNBV&period=60", 60),
        ("otpauth://hotp/x?secret=GEZDGNBV&counter=0", nil),
    ])
    func aCodeSaysHowLongEachIsGoodFor(link: String, period: Int?) async throws {
        let terminal = try await harness.withVault()
        try await terminal.add("Example") { item in
            item.addresses = ["https://a.example"]
            item.password = nil
            item.code = try sealed(link)
        }
        _ = await settle()
        #expect(store.content.withLock { $0.held.map(\.period) } == [period])
    }

    @Test func onlyItemsWithAPasswordAreSuggested() async throws {
        let terminal = try await harness.withVault()
        try await terminal.add("Note") { item in
            item.addresses = ["a.example"]
            item.password = nil
        }
        var done = await settle()
        #expect(store.held.isEmpty)
        _ = try await terminal.edit(ItemName("Note")) { $0.password = try sealed("pw") }
        done = await settle(after: done)
        #expect(store.held == ["Note@a.example"])
        _ = try await terminal.edit(ItemName("Note")) { $0.password = try sealed("") }
        _ = await settle(after: done)
        #expect(store.held.isEmpty)
        #expect(try await terminal.show(ItemName("Note")).summary.hasPassword == false)
    }

    @Test func changesAreSentAsChanges() async throws {
        let terminal = try await harness.withVault()
        try await terminal.add("Example") { $0.addresses = ["a.example", "b.example"] }
        let done = await settle()
        _ = try await terminal.edit(ItemName("Example")) { $0.addresses = ["b.example", "c.example"] }
        _ = try await terminal.edit(ItemName("Example")) { $0.notes = try sealed("nothing to suggest") }
        _ = await settle(after: done)
        #expect(store.held == ["Example@b.example", "Example@c.example"])
        #expect(store.writes.suffix(2) == [.remove, .save])
        let last = harness.jobs.all.count
        _ = try await terminal.call(RemoveItem.self, .init(item: ItemName("Example")))
        _ = await settle(after: last)
        #expect(store.held.isEmpty && store.writes.last == .remove)
    }

    @Test func everythingIsSentWhenNothingIsHeld() async throws {
        let terminal = try await harness.withVault()
        try await terminal.add("One") { $0.addresses = ["a.example"] }
        try await terminal.add("Two") { $0.addresses = ["b.example"] }
        var done = await settle()
        store.content.withLock { $0.held = [] }
        try await terminal.add("Three") { $0.addresses = ["c.example"] }
        done = await settle(after: done)
        #expect(store.held == ["One@a.example", "Three@c.example", "Two@b.example"])
        // The provider was turned off, and on again: nobody tells, but the next who comes brings it in step.
        store.content.withLock { $0.held = [] }
        await sync.perform(.bringInStep)
        #expect(store.held.count == 3)
        _ = done
    }

    @Test func anUnlockSendsNothingWhenTheStoreIsInStep() async throws {
        let terminal = try await harness.withVault()
        try await terminal.add("Example") { $0.addresses = ["a.example"] }
        let done = await settle()
        let writes = store.writes.count
        try await terminal.lock()
        try await terminal.unlock()
        _ = await settle(after: done)
        #expect(store.writes.count == writes)
        // Another process of the service, with the note of this one.
        let (jobs, queue) = AsyncStream.makeStream(of: IdentityJob.self)
        queue.yield(.bringInStep)
        queue.finish()
        await Self.sync(harness, store).run(jobs)
        #expect(store.writes.count == writes)
    }

    @Test func whoWaitsForTheStoreDoesNotWaitForTheNote() async throws {
        let terminal = try await harness.withVault()
        let done = await settle()
        try await terminal.add("Example") { $0.addresses = ["a.example"] }
        let path = harness.folder + "/mark"
        let before = try #require(FileManager.default.contents(atPath: path))
        let (jobs, queue) = AsyncStream.makeStream(of: IdentityJob.self)
        for job in harness.jobs.all.dropFirst(done) { queue.yield(job) }
        let told = Mutex<(note: Data?, held: [String])>((nil, []))
        queue.yield(
            .report { [store] in
                told.withLock { $0 = (FileManager.default.contents(atPath: path), store.held) }
            })
        queue.finish()
        await sync.run(jobs)
        #expect(told.withLock { $0.note } == before)
        #expect(told.withLock { $0.held } == ["Example@a.example"])
        #expect(FileManager.default.contents(atPath: path) != before)
        let writes = store.writes.count
        await Self.sync(harness, store).run(
            AsyncStream {
                $0.yield(.bringInStep); $0.finish()
            })
        #expect(store.writes.count == writes)
    }

    @Test func anUnlockSendsEverythingWhenTheVaultWasChangedElsewhere() async throws {
        let terminal = try await harness.withVault()
        try await terminal.add("Example") { $0.addresses = ["a.example"] }
        let done = await settle()
        // A change whose job was lost with the process.
        try await terminal.add("Lost") { $0.addresses = ["b.example"] }
        let (jobs, queue) = AsyncStream.makeStream(of: IdentityJob.self)
        queue.yield(.bringInStep)
        queue.finish()
        await Self.sync(harness, store).run(jobs)
        #expect(store.held == ["Example@a.example", "Lost@b.example"])
        _ = done
    }

    @Test func aLargeVaultIsSentInPartsThatTakeEffectTogether() async throws {
        let terminal = try await harness.withVault()
        for number in 0..<50 {
            try await terminal.add("Item \(number)") { $0.addresses = (0..<50).map { "h\($0).n\(number).example" } }
        }
        await sync.perform(.bringInStep)
        let writes = store.content.withLock { $0.writes }
        #expect(writes.map(\.identities.count) == [1000, 1000, 500])
        #expect(writes.map(\.isLast) == [false, false, true] && writes.map(\.write) == [nil, 7, 7])
        #expect(store.held.count == 2500)
    }

    @Test func aDeletedVaultEmptiesTheStore() async throws {
        let terminal = try await harness.withVault()
        try await terminal.add("Example") { $0.addresses = ["a.example"] }
        let done = await settle()
        try FileManager.default.removeItem(atPath: harness.vaultPath)
        _ = try await terminal.access()
        _ = await settle(after: done)
        #expect(store.held.isEmpty)
    }

    @Test func aProviderThatIsOffIsNoNoise() async throws {
        let terminal = try await harness.withVault()
        store.content.withLock { $0.isEnabled = false }
        try await terminal.add("Example") { $0.addresses = ["a.example"] }
        _ = await settle()
        #expect(store.writes.isEmpty && !harness.log.all.contains { $0.contains("identity store") })
        store.content.withLock { $0.isEnabled = true }
        await sync.perform(.bringInStep)
        #expect(store.held == ["Example@a.example"])
    }

    @Test func aFailedWriteIsMadeGoodByTheNextJob() async throws {
        let terminal = try await harness.withVault()
        try await terminal.add("One") { $0.addresses = ["a.example"] }
        let done = await settle()
        store.content.withLock { $0.failure = ProtocolError(.busy, "later") }
        try await terminal.add("Two") { $0.addresses = ["b.example"] }
        let next = await settle(after: done)
        #expect(harness.log.all.contains { $0.contains("The identity store was not written: later") })
        store.content.withLock { $0.failure = nil }
        try await terminal.add("Three") { $0.addresses = ["c.example"] }
        _ = await settle(after: next)
        #expect(store.held.count == 3)
    }
    @Test(arguments: [ProtocolError.Code.busy, .locked])
    func storeThatIsBusyIsTriedAgainLaterAndThatIsSaidOnce(code: ProtocolError.Code) async throws {
        let asked = Mutex(0)
        let sync = IdentitySync(
            store: store, source: harness.service, markPath: harness.folder + "/mark",
            log: ServiceLog { [log = harness.log] in log.add($0) }, tryLater: { asked.withLock { $0 += 1 } })
        let terminal = try await harness.withVault()
        store.content.withLock { $0.failure = ProtocolError(code, "the session is locked") }
        for address in ["a.example", "b.example", "c.example"] {
            try await terminal.add(address) { $0.addresses = [address] }
        }
        _ = await settle(sync)
        #expect(asked.withLock { $0 } >= 1)
        let before = asked.withLock { $0 }
        // What the service was asked to come back for fails once more, then succeeds.
        await sync.perform(.bringInStep)
        #expect(asked.withLock { $0 } == before + 1)
        store.content.withLock { $0.failure = nil }
        await sync.perform(.bringInStep)
        #expect(asked.withLock { $0 } == before + 1)
        #expect(store.held.count == 3)
    }
}
