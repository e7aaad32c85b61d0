import AutoFillWire
import FoundationEssentials
import KeywaySystem
import PasswordsProtocol
import Testing

@testable import PasswordsService

/// An import of many items, while others use the vault.
@Suite struct ImportTurnsTests {
    let harness: TestService

    init() throws { harness = try TestService() }

    private static let count = VaultService.importStep * 3

    /// As many items as three turns take.
    private func many() throws -> Attachment {
        try document((0..<Self.count).map { login("Item \($0)", "ada\($0)", "pw \($0)", at: "https://s\($0).example") })
    }

    /// An import that has stopped in the middle, and the terminal that others use meanwhile.
    private func stopped() async throws -> (terminal: Connection, importing: Task<ImportDocument.Result, any Error>) {
        let terminal = try await harness.withVault()
        try await terminal.add("Bank")
        let (importer, document) = (try harness.connect(), try many())
        harness.turns.stop(at: 3)
        let importing = Task {
            try await importer.call(ImportDocument.self, .init(document: document, conflicts: .keepBoth))
        }
        try await harness.until { harness.turns.isStopped }
        return (terminal, importing)
    }

    private func items(_ client: Connection) async throws -> Int? {
        try await client.call(VaultStatus.self, Nothing()).items
    }

    @Test func whoReadsIsAnsweredMeanwhileAndSeesNothingOfIt() async throws {
        let (terminal, importing) = try await stopped()
        #expect(try await opened(terminal.show(ItemName("Bank"), [.password]).password) == "pw of Bank")
        #expect(try await items(terminal) == 1)
        #expect(try await terminal.search() == ["Bank"])
        #expect(harness.turns.isStopped)
        harness.turns.goOn()
        #expect(try await importing.value.added == Self.count)
        #expect(try await items(terminal) == Self.count + 1)
    }

    @Test func whoChangesWaitsAndIsNotForgotten() async throws {
        let (terminal, importing) = try await stopped()
        let adding = Task { try await terminal.add("Meanwhile") }
        try await harness.until { await !harness.service.waitingForChange.isEmpty }
        #expect(try await items(terminal) == 1)
        harness.turns.goOn()
        #expect(try await importing.value.added == Self.count)
        _ = try await adding.value
        try await terminal.lock()
        try await terminal.unlock()
        #expect(try await items(terminal) == Self.count + 2)
        #expect(try await terminal.show(ItemName("Item 7")).summary.user == "ada7")
    }

    @Test func aLockEndsItAndNothingIsStored() async throws {
        let (terminal, importing) = try await stopped()
        // At once: the import does not keep the vault open.
        try await terminal.lock()
        #expect(try await terminal.call(VaultStatus.self, Nothing()).access == .locked)
        harness.turns.goOn()
        #expect(await code { _ = try await importing.value } == .locked)
        try await terminal.unlock()
        #expect(try await terminal.search() == ["Bank"])
        #expect(await code { _ = try await terminal.call(UndoImport.self, Nothing()) } == .notFound)
        // What comes after does not wait for it.
        try await terminal.add("After")
        #expect(try await items(terminal) == 2)
    }

    @Test func anUnlockAfterThatLockDoesNotReviveIt() async throws {
        let (terminal, importing) = try await stopped()
        try await terminal.lock()
        try await terminal.unlock()
        harness.turns.goOn()
        #expect(await code { _ = try await importing.value } == .locked)
        #expect(try await items(terminal) == 1)
    }

    @Test func whoCancelsItGetsTheVaultAsItWas() async throws {
        let (terminal, importing) = try await stopped()
        importing.cancel()
        #expect(await code { _ = try await importing.value } == .cancelled)
        try await harness.until { harness.turns.isCancelled }
        harness.turns.goOn()
        try await terminal.add("After")
        #expect(try await terminal.search() == ["After", "Bank"])
    }

    @Test func aComparisonGivesWayToo() async throws {
        let terminal = try await harness.withVault()
        let (other, document) = (try harness.connect(), try many())
        harness.turns.stop(at: 2)
        let comparing = Task { try await other.call(CompareDocument.self, .init(document: document)) }
        try await harness.until { harness.turns.isStopped }
        #expect(try await items(terminal) == 0)
        harness.turns.goOn()
        #expect(try await comparing.value.counts == ImportCounts(new: Self.count))
    }

    @Test func takingItBackGivesWayAndEndsWithALock() async throws {
        let terminal = try await harness.withVault()
        _ = try await terminal.call(ImportDocument.self, .init(document: try many(), conflicts: .keepBoth))
        let other = try harness.connect()
        harness.turns.stop(at: 2)
        let undoing = Task { try await other.call(UndoImport.self, Nothing()) }
        try await harness.until { harness.turns.isStopped }
        #expect(try await items(terminal) == Self.count)
        try await terminal.lock()
        harness.turns.goOn()
        #expect(await code { _ = try await undoing.value } == .locked)
        try await terminal.unlock()
        #expect(try await items(terminal) == Self.count)
        #expect(try await terminal.call(UndoImport.self, Nothing()).removed == Self.count)
        #expect(try await items(terminal) == 0)
    }

    @Test func itTellsHowManyOfTheItemsWereGoneThrough() async throws {
        _ = try await harness.withVault()
        let told = Told<ExchangeProgress.Parameters>()
        let (ours, theirs) = try LocalSocket.pair()
        Connection(
            descriptor: theirs, peer: .known(.serviceClient),
            methods: harness.service.methods(for: TestService.terminal)
        ).start()
        var methods = MethodTable()
        methods.on(ExchangeProgress.self) { progress, _ in told.add(progress) }
        let client = Connection(descriptor: ours, peer: .known(.providerService), methods: methods)
        client.start()
        _ = try await client.call(ImportDocument.self, .init(document: try many(), conflicts: .keepBoth))
        let step = VaultService.importStep
        #expect(told.all.map(\.done) == [step, 2 * step, 3 * step])
        #expect(told.all.allSatisfy { $0.total == Self.count })
    }
}
