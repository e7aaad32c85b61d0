import AutoFillWire
import FoundationEssentials
import KeywaySystem
import PasswordsProtocol
import Testing

@testable import PasswordsService

@Suite struct LockingTests {
    @Test func locksAfterTheIdleTimeAndNotBefore() async throws {
        let harness = try TestService(idleSeconds: 600)
        let terminal = try await harness.withVault()
        try await harness.until { harness.clock.sleepers == 1 }
        harness.clock.advance(by: .seconds(599))
        _ = try await terminal.search()
        harness.clock.advance(by: .seconds(599))
        #expect(try await terminal.search().isEmpty)
        try await harness.until { harness.clock.sleepers == 1 }
        harness.clock.advance(by: .seconds(600))
        try await harness.until { harness.states.all == [.ready, .locked] }
        #expect(await code { _ = try await terminal.search() } == .locked)
    }

    @Test func locksWhenTheAdministratorWantsItToAndNoLater() async throws {
        let harness = try TestService(idleSeconds: 600)
        harness.ceiling.set(.known(90))
        let terminal = try await harness.withVault()
        try await harness.until { harness.clock.sleepers == 1 }
        let status = try await terminal.call(VaultStatus.self, Nothing())
        #expect(status.idleLimit == 90 && status.isIdleLimitForced == true)
        harness.clock.advance(by: .seconds(60))
        try await harness.until { harness.clock.sleepers == 1 }
        #expect(try await terminal.access() == .open)
        harness.clock.advance(by: .seconds(30))
        try await harness.until { harness.states.all == [.ready, .locked] }
    }

    @Test func aShorterTimeIsHeardWithinAMinuteWhileTheVaultIsOpen() async throws {
        let harness = try TestService(idleSeconds: 600)
        let terminal = try await harness.withVault()
        try await harness.until { harness.clock.sleepers == 1 }
        #expect(try await terminal.call(VaultStatus.self, Nothing()).isIdleLimitForced == nil)
        harness.ceiling.set(.known(60))
        harness.clock.advance(by: .seconds(60))
        try await harness.until { harness.states.all == [.ready, .locked] }
    }

    @Test(arguments: [(IdleCeiling.unknown, 90), (.known(nil), 600), (.known(3600), 600)])
    func onlyTheAdministratorTakesALimitBack(next: IdleCeiling, limit: Int) async throws {
        let harness = try TestService(idleSeconds: 600)
        harness.ceiling.set(.known(90))
        let terminal = try await harness.withVault()
        try await harness.until { harness.clock.sleepers == 1 }
        harness.ceiling.set(next)
        harness.clock.advance(by: .seconds(60))
        try await harness.until { harness.clock.sleepers == 1 }
        #expect(try await terminal.call(VaultStatus.self, Nothing()).idleLimit == limit)
    }

    @Test func statusIsNoUse() async throws {
        let harness = try TestService(idleSeconds: 60)
        let terminal = try await harness.withVault()
        try await harness.until { harness.clock.sleepers == 1 }
        harness.clock.advance(by: .seconds(30))
        #expect(try await terminal.access() == .open)
        harness.clock.advance(by: .seconds(30))
        #expect(try await terminal.access() == .locked)
    }

    @Test func aTimerThatComesLateOpensNothing() async throws {
        let harness = try TestService(idleSeconds: 60)
        let terminal = try await harness.withVault()
        // As after a sleep of the machine: the time is over and the timer has not fired yet.
        harness.clock.advance(by: .seconds(61))
        #expect(await code { _ = try await terminal.search() } == .locked)
    }

    @Test func aRequestUnderWayAnswersOrFindsItLocked() async throws {
        let harness = try TestService()
        let terminal = try await harness.withVault()
        try await terminal.add("Example") { $0.password = try sealed("hunter2") }
        for _ in 0..<20 {
            let shows = (0..<8).map { _ in
                Task { try await opened(terminal.show(ItemName("Example"), [.password]).password) }
            }
            try await terminal.lock()
            for show in shows {
                switch await show.result {
                case .success(let password): #expect(password == "hunter2")
                case .failure(let error): #expect((error as? ProtocolError)?.code == .locked)
                }
            }
            try await terminal.unlock()
        }
    }

    @Test func lockingALockedVaultTellsNobody() async throws {
        let harness = try TestService()
        try await harness.connect().lock()
        #expect(harness.states.all.isEmpty)
    }
}

@Suite struct SettingsTests {
    private func read(_ text: String?) throws -> (settings: PasswordsSettings, complaint: String?) {
        let path = FileManager.default.temporaryDirectory.appending(path: "keyway-\(UUID().uuidString).json").path
        defer { try? FileManager.default.removeItem(atPath: path) }
        if let text { try Data(text.utf8).write(to: URL(filePath: path)) }
        return PasswordsSettings.read(from: path)
    }

    @Test func areTenMinutesWhereNobodySetAny() throws {
        let read = try read(nil)
        #expect(read.settings.idleSeconds == 600 && read.complaint == nil)
    }

    @Test func areTheFilesWhereThereIsOne() throws {
        let read = try read(#"{"idleSeconds": 5, "later": true}"#)
        #expect(read.settings.idleSeconds == 5 && read.complaint == nil)
    }

    @Test(arguments: [#"{"idleSeconds": 0}"#, #"{"idleSeconds": 1e9}"#, #"{"idleSeconds": "5"}"#, "no JSON", ""])
    func areNotUsedWhereTheyAreWrong(text: String) throws {
        let read = try read(text)
        #expect(read.settings.idleSeconds == 600 && read.complaint?.contains("ignored") == true)
    }
}
