import AutoFillWire
import FoundationEssentials
import KeywaySystem
import PasswordsProtocol
import Testing

@testable import PasswordsService

/// A new vault key, while others use the vault.
@Suite struct RenewalTests {
    let harness: TestService

    init() throws { harness = try TestService() }

    private func filled(_ count: Int) async throws -> Connection {
        let terminal = try await harness.withVault()
        for number in 0..<count { try await terminal.add("Item \(number)") }
        return terminal
    }

    private func renew(_ client: Connection, _ password: String = TestService.masterPassword) async throws {
        _ = try await client.call(RenewVaultKey.self, .init(masterPassword: try sealed(password)))
    }

    private func count(_ client: Connection) async throws -> Int? {
        try await client.call(VaultStatus.self, Nothing()).items
    }

    /// Another conversation of the terminal, and what it hears while the key is renewed.
    private func watching() throws -> (Connection, Told<VaultRenewing.Parameters>) {
        let told = Told<VaultRenewing.Parameters>()
        let (ours, theirs) = try LocalSocket.pair()
        Connection(
            descriptor: theirs, peer: .known(.serviceClient),
            methods: harness.service.methods(for: TestService.terminal)
        ).start()
        var methods = MethodTable()
        methods.on(VaultRenewing.self) { progress, _ in told.add(progress) }
        let client = Connection(descriptor: ours, peer: .known(.providerService), methods: methods)
        client.start()
        return (client, told)
    }

    @Test func theKeyAloneIsRenewedForTheMasterPassword() async throws {
        let terminal = try await filled(3)
        let before = try #require(FileManager.default.contents(atPath: harness.vaultPath))
        #expect(await code { try await renew(terminal, "guess") } == .wrongPassword)
        #expect(FileManager.default.contents(atPath: harness.vaultPath) == before)
        harness.clock.advance(by: .seconds(1))
        try await renew(terminal)
        let after = try #require(FileManager.default.contents(atPath: harness.vaultPath))
        #expect(after != before)
        #expect(try await opened(terminal.show(ItemName("Item 1"), [.password]).password) == "pw of Item 1")
        try await terminal.lock()
        try await terminal.unlock()
        #expect(try await terminal.search().count == 3)
        // The old file put back is noticed.
        try await terminal.lock()
        try before.write(to: URL(filePath: harness.vaultPath), options: .atomic)
        #expect(await code { try await terminal.unlock() } == .refused)
    }

    @Test func renewingNeedsAGrant() async throws {
        _ = try await filled(1)
        let other = try harness.connect(.terminal(TestService.session(200)))
        #expect(await code { try await renew(other) } == .locked)
    }

    @Test func itTellsHowFarItIs() async throws {
        let terminal = try await filled(300)
        let (client, told) = try watching()
        try await renew(client)
        #expect(told.all == [128, 256, 300].map { .init(done: $0, total: 300) })
        #expect(try await count(terminal) == 300)
    }

    @Test func aChangeThatComesMeanwhileWaitsAndIsKept() async throws {
        let terminal = try await filled(300)
        let other = try harness.connect(.terminal(TestService.session(200)))
        try await other.unlock()
        let (client, told) = try watching()
        async let renewed: Void = renew(client)
        try await harness.until { !told.all.isEmpty }
        // What is there can be read at once; what is new comes after.
        let added = try await other.add("Meanwhile")
        #expect(await harness.service.isChanging == false)
        _ = try await other.edit(ItemName("Item 7")) { $0.user = "ada" }
        try await renewed
        try await terminal.lock()
        try await terminal.unlock()
        #expect(try await terminal.show(ItemName(added.id)).summary.title == "Meanwhile")
        #expect(try await terminal.search("ada") == ["Item 7"])
        #expect(try await count(terminal) == 301)
    }

    @Test func aLockGivesItUpAndNothingIsLost() async throws {
        let terminal = try await filled(300)
        let (client, told) = try watching()
        let renewing = Task { try await renew(client) }
        try await harness.until { !told.all.isEmpty }
        await harness.service.lock("by the test")
        let outcome = await code { try await renewing.value }
        #expect([nil, .locked].contains(outcome), "it may have been quicker")
        try await terminal.unlock()
        #expect(try await count(terminal) == 300)
        let names = try FileManager.default.contentsOfDirectory(atPath: harness.folder)
        #expect(!names.contains { $0.hasSuffix(".new") })
    }
}
