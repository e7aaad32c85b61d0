import AutoFillWire
import ClockTestSupport
import FoundationEssentials
import KeywaySystem
import PasswordsProtocol
import Testing

@testable import PasswordsService

@Suite struct ThrottleTests {
    @Test func waitsLongerAfterEachFailureAndThirtySecondsAtMost() {
        var throttle = UnlockThrottle()
        var now = MonotonicTime(nanoseconds: 5_000_000_000)
        var waits: [Duration] = []
        for _ in 0..<8 {
            #expect(throttle.wait(at: now) == .zero)
            throttle.fail(at: now)
            waits.append(throttle.wait(at: now))
            now = now + throttle.wait(at: now)
        }
        #expect(waits == [1, 2, 4, 8, 16, 30, 30, 30].map { .seconds($0) })
        throttle.fail(at: now)
        throttle.succeed()
        #expect(throttle.wait(at: now) == .zero)
    }

    @Test func theWaitCountsFromTheFailure() {
        var throttle = UnlockThrottle()
        let start = MonotonicTime(nanoseconds: 5_000_000_000)
        throttle.fail(at: start)
        #expect(throttle.wait(at: start + .milliseconds(400)) == .milliseconds(600))
    }
}

/// What a person meets who unlocks.
@Suite struct UnlockTests {
    let harness: TestService

    init() throws { harness = try TestService() }

    @Test func aWrongPasswordIsSaidAtOnceAndTheNextAttemptWaits() async throws {
        let terminal = try await harness.withVault()
        try await terminal.add("Example")
        try await terminal.lock()
        #expect(await code { try await terminal.unlock("guess") } == .wrongPassword)
        let (harness, second) = (harness, try harness.connect())
        let attempt = Task { try await second.unlock() }
        try await harness.until { harness.clock.sleepers == 1 }
        // Somebody waits; nobody else does.
        #expect(try await terminal.access() == .locked)
        harness.clock.advance(by: .milliseconds(999))
        #expect(try await terminal.access() == .locked)
        harness.clock.advance(by: .milliseconds(1))
        #expect(try await attempt.value.items == 1)
        #expect(try await terminal.search() == ["Example"])
    }

    @Test func theWaitIsSaidAndOutlivesTheService() async throws {
        let terminal = try await harness.withVault()
        try await terminal.lock()
        #expect(try await terminal.call(VaultStatus.self, Nothing()).attemptWait == 0)
        #expect(await message { try await terminal.unlock("guess") }.contains("The next attempt waits 1 s."))
        let (harness, second) = (harness, try harness.connect())
        let attempt = Task { await message { try await second.unlock("guess") } }
        try await harness.until { harness.clock.sleepers == 1 }
        harness.clock.advance(by: .seconds(1))
        #expect(await attempt.value.contains("The next attempt waits 2 s."))
        harness.clock.advance(by: .seconds(100))
        #expect(try await terminal.call(VaultStatus.self, Nothing()).attemptWait == 0)
        let next = try harness.connectToNextService()
        #expect(try await next.call(VaultStatus.self, Nothing()).attemptWait == 2)
        let unlock = Task { try await next.unlock() }
        try await harness.until { harness.clock.sleepers == 1 }
        harness.clock.advance(by: .seconds(2))
        #expect(try await unlock.value.access == .open)
        #expect(try await harness.connectToNextService().call(VaultStatus.self, Nothing()).attemptWait == 0)
    }

    @Test(arguments: ["", "no vault", "SQLite format 3\0"])
    func aDamagedFileIsSaidBeforeAnyPassword(content: String) async throws {
        let terminal = try await harness.withVault()
        try await terminal.lock()
        #expect(try await terminal.call(VaultStatus.self, Nothing()).problem == nil)
        try Data(content.utf8).write(to: URL(filePath: harness.vaultPath))
        let status = try await terminal.call(VaultStatus.self, Nothing())
        #expect(status.access == .locked)
        #expect(status.problem?.contains(harness.vaultPath) == true)
    }

    @Test func theMasterPasswordIsCheckedLockedAndOpenAndOpensNothing() async throws {
        func check(_ text: String) async throws -> Bool {
            let memory = try Array(text.utf8).withUnsafeBytes { bytes throws in try SealedMemory(copying: bytes) }
            return try await harness.service.checkMasterPassword(AutoFillWire.Attachment(memory)).isRight
        }
        #expect(await code { _ = try await check("") } == .notFound)
        let terminal = try await harness.withVault()
        #expect(try await check(TestService.masterPassword))
        try await terminal.lock()
        #expect(try await check(TestService.masterPassword))
        #expect(try await terminal.call(VaultStatus.self, Nothing()).access == .locked)
        #expect(try await !check(""))
        #expect(try await !check("guess"))
        #expect(try await terminal.call(VaultStatus.self, Nothing()).attemptWait == 1)
        let next = Task { try await check(TestService.masterPassword) }
        try await harness.until { harness.clock.sleepers == 1 }
        harness.clock.advance(by: .seconds(1))
        #expect(try await next.value)
    }

    @Test func whatTheMasterPasswordOpensHasANameOfItsOwn() async throws {
        func name(_ text: String) async throws -> String? {
            let memory = try Array(text.utf8).withUnsafeBytes { bytes throws in try SealedMemory(copying: bytes) }
            return try await harness.service.checkMasterPassword(AutoFillWire.Attachment(memory)).vault
        }
        let terminal = try await harness.withVault()
        let first = try await name(TestService.masterPassword)
        #expect(first?.count == 64)
        #expect(try await name("") == first)
        try await terminal.lock()
        // A closed one has a name to those alone who open it.
        #expect(try await name("") == nil)
        #expect(try await name(TestService.masterPassword) == first)
        try FileManager.default.removeItem(atPath: harness.vaultPath)
        try await terminal.create(TestService.masterPassword)
        #expect(try await name(TestService.masterPassword) != first)
    }

    @Test func aCancelledAttemptLeavesTheWaitAndTheNextOneGoesOn() async throws {
        let terminal = try await harness.withVault()
        try await terminal.lock()
        #expect(await code { try await terminal.unlock("guess") } == .wrongPassword)
        let (harness, second) = (harness, try harness.connect())
        let attempt = Task { try await second.unlock() }
        try await harness.until { harness.clock.sleepers == 1 }
        attempt.cancel()
        #expect(await code { _ = try await attempt.value } == .cancelled)
        try await harness.until { harness.clock.sleepers == 0 }
        harness.clock.advance(by: .seconds(1))
        try await terminal.unlock()
    }

    @Test func aFewMayWaitTheOthersAreTurnedAway() async throws {
        let terminal = try await harness.withVault()
        try await terminal.lock()
        #expect(await code { try await terminal.unlock("guess") } == .wrongPassword)
        let (harness, outcomes) = (harness, Told<ProtocolError.Code?>())
        let attempts = (0..<7).map { _ in
            Task { outcomes.add(await code { _ = try await harness.connect().unlock() }) }
        }
        // One waits for its time and four for their turn.
        try await harness.until { outcomes.all.count == 2 }
        #expect(outcomes.all == [.busy, .busy])
        harness.clock.advance(by: .seconds(1))
        for attempt in attempts { await attempt.value }
        #expect(outcomes.all.dropFirst(2).allSatisfy { $0 == nil })
        #expect(try await terminal.access() == .open)
    }

    @Test func aLockThatComesWhileItDerivesWins() async throws {
        let terminal = try await harness.withVault()
        try await terminal.lock()
        let unlocking = Task { await code { try await terminal.unlock() } }
        let service = harness.service
        // The key is being derived, or was; either way the vault ends locked.
        for _ in 0..<20 {
            await service.lock("the session was locked")
            await Task.yield()
        }
        let outcome = await unlocking.value
        await service.lock("the session was locked")
        #expect(outcome == .locked || outcome == nil)
        #expect(try await terminal.access() == .locked)
    }

    @Test func thereIsNothingToUnlockWithoutAVault() async throws {
        let terminal = try harness.connect()
        #expect(try await terminal.access() == .missing)
        #expect(await code { try await terminal.unlock() } == .notFound)
        #expect(await message { _ = try await terminal.search() }.contains("keyway passwords init"))
    }

    @Test func aVaultIsMadeOnce() async throws {
        let terminal = try await harness.withVault()
        try await terminal.add("Example")
        #expect(await code { try await terminal.create("another") } == .exists)
        #expect(try await terminal.search() == ["Example"])
    }

    @Test(arguments: [(63, "refused"), (4096, "refused"), (-1, "invalidParameters"), (1 << 40, "invalidParameters")])
    func refusesADerivationThatIsTooWeakOrTooCostly(memory: Int, expected: String) async throws {
        let terminal = try harness.connect()
        #expect(await code { try await terminal.create("secret", memory: memory) }?.rawValue == expected)
        #expect(try await terminal.access() == .missing)
    }

    @Test func refusesAnEmptyMasterPassword() async throws {
        let terminal = try harness.connect()
        #expect(await code { try await terminal.create("") } == .invalidParameters)
    }
}

/// Vault files that are not as they were left.
@Suite struct UnsoundVaultTests {
    let harness: TestService

    init() throws { harness = try TestService() }

    @Test func aDamagedVaultIsRefusedUntouchedAndSaysWhatToDo() async throws {
        let terminal = try await harness.withVault()
        try await terminal.add("Example")
        try await terminal.lock()
        var bytes = try #require(FileManager.default.contents(atPath: harness.vaultPath))
        // Inside the sealed header, whatever the page layout: found by its magic.
        let magic = Data("KWVAULT".utf8)
        let place = try #require(bytes.firstRange(of: magic))
        bytes[place.upperBound + 40] ^= 1
        try bytes.write(to: URL(filePath: harness.vaultPath))
        let refusal = await message { try await terminal.unlock() }
        #expect(refusal.contains("damaged") && refusal.contains("Nothing was changed") && refusal.contains("backup"))
        #expect(FileManager.default.contents(atPath: harness.vaultPath) == bytes)
        #expect(await code { try await terminal.unlock() } == .damaged)
        #expect(harness.states.all == [.ready, .locked])
    }

    @Test func anOlderCopyIsNoticedAndTakenWhenThePersonWantsIt() async throws {
        let terminal = try await harness.withVault()
        try await terminal.add("Old")
        try await terminal.lock()
        let older = try #require(FileManager.default.contents(atPath: harness.vaultPath))
        try await terminal.unlock()
        try await terminal.add("New")
        try await terminal.lock()
        try older.write(to: URL(filePath: harness.vaultPath))
        #expect(await code { try await terminal.unlock() } == .refused)
        #expect(await message { try await terminal.unlock() }.contains("--accept-older-copy"))
        #expect(try await terminal.access() == .locked)
        try await terminal.unlock(acceptsOlderCopy: true)
        #expect(try await terminal.search() == ["Old"])
        // Accepted once, it is the newest state.
        try await terminal.lock()
        try await terminal.unlock()
    }

    @Test func aRemovedVaultIsLockedAndNoLongerSuggested() async throws {
        let terminal = try await harness.withVault()
        try FileManager.default.removeItem(atPath: harness.vaultPath)
        #expect(try await terminal.access() == .missing)
        #expect(harness.states.all == [.ready, .locked])
        guard case .vaultIsMissing = harness.jobs.all.last else {
            Issue.record("the identity store is not told")
            return
        }
    }
}

extension TestService {
    /// Puts the vault file of another service in the place of ours.
    func overwriteVault(with other: TestService) throws {
        let bytes = try #require(FileManager.default.contents(atPath: other.vaultPath))
        try bytes.write(to: URL(filePath: vaultPath), options: .atomic)
    }
}
