import AutoFillWire
import KeywaySystem
import PasswordsProtocol
import Testing

@testable import PasswordsService

/// To whom an unlock opens the vault.
@Suite struct AccessTests {
    let harness: TestService

    init() throws { harness = try TestService() }

    private func other(_ number: Int32 = 200) throws -> Connection {
        try harness.connect(.terminal(TestService.session(number)))
    }

    @Test func opensToTheSessionThatUnlockedAndToTheExtensionOnly() async throws {
        let terminal = try await harness.withVault()
        try await terminal.lock()
        try await terminal.unlock()
        let sameSession = try harness.connect()
        #expect(try await sameSession.access() == .open)
        #expect(try await harness.connect(.providerExtension).access() == .open)
        let other = try other()
        #expect(try await other.access() == .locked)
        let refusal = await message { _ = try await other.search() }
        #expect(refusal.contains("not for this terminal") && refusal.contains("keyway passwords unlock"))
    }

    @Test func anUnlockThroughTheExtensionOpensNoTerminal() async throws {
        let terminal = try await harness.withVault()
        try await terminal.lock()
        let provider = try harness.connect(.providerExtension)
        try await provider.unlock()
        #expect(try await provider.search().isEmpty)
        #expect(await code { _ = try await terminal.search() } == .locked)
    }

    @Test func anExtensionThatAnswersForATerminalGetsWhatThatTerminalWould() async throws {
        let terminal = try await harness.withVault()
        let (own, foreign) = (TestService.session(100), TestService.session(200))
        #expect(try await harness.connect(.extensionForTerminal(own)).access() == .open)
        let other = try harness.connect(.extensionForTerminal(foreign))
        #expect(await code { _ = try await other.search() } == .locked)
        // The person gives the password in an interface that is shown in that terminal.
        try await terminal.lock()
        try await other.unlock()
        #expect(try await self.other().search().isEmpty)
        #expect(try await harness.connect(.providerExtension).search().isEmpty)
        #expect(await code { _ = try await terminal.search() } == .locked)
        harness.presence.end(foreign)
        #expect(await code { _ = try await other.search() } == .locked)
        #expect(await code { try await other.unlock() } == .refused)
    }

    @Test func anotherSessionUnlocksWithThePasswordOnly() async throws {
        let terminal = try await harness.withVault()
        try await terminal.add("Example")
        let other = try other()
        #expect(await code { try await other.unlock("guess") } == .wrongPassword)
        #expect(await code { _ = try await other.search() } == .locked)
        harness.clock.advance(by: .seconds(1))
        #expect(try await other.unlock().access == .open)
        #expect(try await other.search() == ["Example"])
        #expect(try await terminal.search() == ["Example"])
        // One opening, one grant more: the broker is not told twice.
        #expect(harness.states.all == [.ready])
    }

    @Test func aVaultPutInThePlaceOfAnOpenOneOpensNothing() async throws {
        let terminal = try await harness.withVault()
        try await terminal.add("Example")
        let intruder = try TestService()
        let theirs = try intruder.connect()
        try await theirs.create("intruder")
        try harness.overwriteVault(with: intruder)
        #expect(await code { try await self.other().unlock("intruder") } == .wrongPassword)
    }

    @Test func aGrantEndsWithTheSessionsLeader() async throws {
        let terminal = try await harness.withVault()
        harness.presence.end(TestService.session(100))
        #expect(await code { _ = try await terminal.search() } == .locked)
        #expect(await code { try await terminal.unlock() } == .refused)
        // The extension's grant does not hang on the terminal.
        #expect(try await harness.connect(.providerExtension).search().isEmpty)
    }

    @Test func aLaterSessionOfTheSameNumberIsAnother() async throws {
        _ = try await harness.withVault()
        let later = TerminalSession(identifier: 100, leaderStart: 1001, terminal: 34816)
        #expect(try await harness.connect(.terminal(later)).access() == .locked)
    }

    @Test func statusGenerateAndLockNeedNoGrant() async throws {
        let terminal = try await harness.withVault()
        let other = try other()
        #expect(try await other.access() == .locked)
        let password = try await other.call(GeneratePassword.self, .init(length: 12)).password
        #expect(try opened(password)?.count == 12)
        try await other.lock()
        #expect(await code { _ = try await terminal.search() } == .locked)
        #expect(harness.states.all == [.ready, .locked])
    }

    @Test func lockEndsEveryGrant() async throws {
        let terminal = try await harness.withVault()
        let other = try other()
        try await other.unlock()
        try await terminal.lock()
        try await other.unlock()
        #expect(await code { _ = try await terminal.search() } == .locked)
    }

    @Test func theSystemKnowsOurOwnSessionAndNotAnEarlierOne() throws {
        let presence = SystemSessionPresence()
        let ours = try #require(TerminalSession(of: 1))
        #expect(ours.leaderStart == 0 || presence.isPresent(ours) || ours.identifier != 1)
        #expect(!presence.isPresent(TerminalSession(identifier: 1, leaderStart: UInt64.max, terminal: 0)))
        #expect(!presence.isPresent(TerminalSession(identifier: 1, leaderStart: 0, terminal: 0)))
    }
}

/// Changing the master password (T31): asked for again although the vault is open.
@Suite struct MasterPasswordChangeTests {
    let harness: TestService

    init() throws { harness = try TestService() }

    private func change(_ old: String, _ new: String, by client: Connection) async throws {
        _ = try await client.call(
            ChangeMasterPassword.self, .init(old: try sealed(old), new: try sealed(new), derivation: nil))
    }

    @Test func asksForTheOldOneAlthoughOpen() async throws {
        let terminal = try await harness.withVault()
        #expect(await code { try await change("guess", "new", by: terminal) } == .wrongPassword)
        harness.clock.advance(by: .seconds(1))
        try await change(TestService.masterPassword, "new", by: terminal)
        // A second session is checked against the new one at once.
        let other = try harness.connect(.terminal(TestService.session(200)))
        #expect(await code { try await other.unlock() } == .wrongPassword)
        harness.clock.advance(by: .seconds(1))
        try await other.unlock("new")
        try await terminal.lock()
        #expect(await code { try await terminal.unlock() } == .wrongPassword)
        harness.clock.advance(by: .seconds(1))
        try await terminal.unlock("new")
    }

    @Test func refusesAnEmptyOneAndAWeakerDerivation() async throws {
        let terminal = try await harness.withVault()
        #expect(await code { try await change(TestService.masterPassword, "", by: terminal) } == .invalidParameters)
        let weaker = await code {
            _ = try await terminal.call(
                ChangeMasterPassword.self,
                .init(
                    old: try sealed(TestService.masterPassword), new: try sealed("new"),
                    derivation: .init(memory: 64, passes: 2)))
        }
        #expect(weaker == .refused)
    }

    @Test func needsAGrant() async throws {
        _ = try await harness.withVault()
        let other = try harness.connect(.terminal(TestService.session(200)))
        #expect(await code { try await change(TestService.masterPassword, "new", by: other) } == .locked)
    }
}
