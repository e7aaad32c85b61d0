import AutoFillProtocol
import AutoFillWire
import FoundationEssentials
import Glibc
import KeywaySystem
import PasswordsProtocol
import Synchronization
import Testing

@testable import PasswordsService

/// Backups of the vault, and what becomes of one that is restored.
@Suite struct BackupTests {
    let harness: TestService

    init() throws { harness = try TestService() }

    private func backUp(_ client: Connection) async throws -> (Data, BackUpVault.Result) {
        let copy = try await client.call(BackUpVault.self, Nothing())
        return (Data(try FileContents.read(copy.file.descriptor, limit: 1 << 24)), copy)
    }

    /// A file of its own with these bytes, opened for reading.
    private func file(_ bytes: Data) throws -> Attachment {
        let path = harness.folder + "/backup-\(UUID().uuidString)"
        try bytes.write(to: URL(filePath: path))
        return Attachment(OwnedDescriptor(open(path, O_RDONLY | O_CLOEXEC)))
    }

    private func check(
        _ client: Connection, _ bytes: Data, _ password: String = TestService.masterPassword
    ) async throws -> CheckBackup.Result {
        try await client.call(CheckBackup.self, .init(file: try file(bytes), masterPassword: try sealed(password)))
    }

    @discardableResult
    private func restore(
        _ client: Connection, _ bytes: Data, _ password: String = TestService.masterPassword, replaces: Bool = true,
        acceptsOlderCopy: Bool = false
    ) async throws -> RestoreBackup.Result {
        try await client.call(
            RestoreBackup.self,
            .init(
                file: try file(bytes), masterPassword: try sealed(password), replaces: replaces,
                acceptsOlderCopy: acceptsOlderCopy))
    }

    private func vaultBytes() throws -> Data { try #require(FileManager.default.contents(atPath: harness.vaultPath)) }

    /// Every name in the vault's folder, the backups that the test made aside.
    private func names() throws -> Set<String> {
        Set(
            try FileManager.default.contentsOfDirectory(atPath: harness.folder).filter {
                !$0.hasPrefix("backup-") && !$0.hasSuffix("-journal")
            })
    }

    // MARK: - Making

    @Test func anOpenVaultIsCopiedAndEveryItemChecked() async throws {
        let terminal = try await harness.withVault()
        try await terminal.add("One")
        let (bytes, copy) = try await backUp(terminal)
        #expect(copy.items == 1 && copy.isEveryItemChecked)
        let found = try await check(terminal, bytes)
        #expect(found == .init(items: 1, isOlder: false))
        #expect(try names() == ["Passwords.vault", "epochs"])
    }

    @Test func aLockedVaultIsCopiedAndItsStructureChecked() async throws {
        let terminal = try await harness.withVault()
        try await terminal.add("One")
        try await terminal.lock()
        let (bytes, copy) = try await backUp(terminal)
        #expect(copy.items == 1 && !copy.isEveryItemChecked)
        #expect(try await check(terminal, bytes).items == 1)
        #expect(try await terminal.access() == .locked)
    }

    @Test func backupsAreForTerminalsAlone() async throws {
        let terminal = try await harness.withVault()
        let (bytes, _) = try await backUp(terminal)
        let page = try harness.connect(.providerExtension)
        #expect(await code { _ = try await backUp(page) } == .refused)
        #expect(await code { _ = try await check(page, bytes) } == .refused)
        #expect(await code { try await restore(page, bytes) } == .refused)
        #expect(
            await code { _ = try await page.call(NoteBackup.self, .init(isEveryItemChecked: true)) } == .refused)
    }

    @Test func theNewestBackupOfThisVaultIsTold() async throws {
        let terminal = try await harness.withVault()
        #expect(try await terminal.call(VaultStatus.self, Nothing()).backup == nil)
        _ = try await terminal.call(NoteBackup.self, .init(isEveryItemChecked: true))
        let note = BackupNote(time: 1_795_464_000_123, isEveryItemChecked: true)
        #expect(try await terminal.call(VaultStatus.self, Nothing()).backup == note)
        try await terminal.lock()
        #expect(try await terminal.call(VaultStatus.self, Nothing()).backup == note)
        // Another vault at that place has none.
        try FileManager.default.removeItem(atPath: harness.vaultPath)
        _ = try await terminal.access()
        try await terminal.create("another")
        #expect(try await terminal.call(VaultStatus.self, Nothing()).backup == nil)
    }

    // MARK: - Restoring

    @Test func anOlderStateIsRestoredOnlyWhereThePersonWantsIt() async throws {
        let terminal = try await harness.withVault()
        try await terminal.add("One")
        let (bytes, _) = try await backUp(terminal)
        try await terminal.add("Two")
        let before = try vaultBytes()
        #expect(try await check(terminal, bytes).isOlder)
        #expect(await code { try await restore(terminal, bytes) } == .refused)
        #expect(try vaultBytes() == before)
        #expect(try await terminal.search() == ["One", "Two"])

        let restored = try await restore(terminal, bytes, acceptsOlderCopy: true)
        #expect(restored.status.access == .open && restored.status.items == 1)
        #expect(FileManager.default.contents(atPath: try #require(restored.former)) == before)
        #expect(try await terminal.search() == ["One"])
        #expect(try await opened(terminal.show(ItemName("One"), [.password]).password) == "pw of One")
        // It is the newest state now: unlocked without a question, and what it replaced is the older copy.
        try await terminal.lock()
        try await terminal.unlock()
        try await terminal.lock()
        try before.write(to: URL(filePath: harness.vaultPath), options: .atomic)
        #expect(await code { try await terminal.unlock() } == .refused)
    }

    @Test func aVaultThatIsThereIsReplacedOnlyWhereThePersonWantsIt() async throws {
        let terminal = try await harness.withVault()
        let (bytes, _) = try await backUp(terminal)
        let before = try vaultBytes()
        #expect(await code { try await restore(terminal, bytes, replaces: false) } == .exists)
        #expect(try vaultBytes() == before)
    }

    @Test func aBackupIsAVaultOnAnotherComputerWithItsMasterPasswordAlone() async throws {
        let terminal = try await harness.withVault()
        try await terminal.add("One")
        let (bytes, _) = try await backUp(terminal)
        let other = try TestService()
        let there = try other.connect()
        let restored = try await restore(there, bytes, replaces: false)
        #expect(restored.former == nil && restored.status.items == 1)
        #expect(try await opened(there.show(ItemName("One"), [.password]).password) == "pw of One")
    }

    @Test func nobodyRestoresWhomTheBrokerDoesNotLet() async throws {
        let terminal = try await harness.withVault()
        let (bytes, _) = try await backUp(terminal)
        let before = try vaultBytes()
        let asked = Told<PermitService.Purpose>()
        let (ours, theirs) = try LocalSocket.pair()
        let gate = HandoutGate { (purpose) throws(ProtocolError) in
            asked.add(purpose)
            throw ProtocolError(.notVerified, "not you")
        }
        Connection(
            descriptor: theirs, peer: .known(.serviceClient),
            methods: harness.service.methods(for: TestService.terminal, gate: gate)
        ).start()
        let client = Connection(descriptor: ours, peer: .known(.providerService))
        client.start()
        #expect(await code { try await restore(client, bytes, acceptsOlderCopy: true) } == .notVerified)
        #expect(asked.all == [.replacement])
        #expect(try vaultBytes() == before)
    }

    @Test func whatCannotBeRestoredLeavesTheVaultAsItWas() async throws {
        let terminal = try await harness.withVault()
        try await terminal.add("One")
        let (bytes, _) = try await backUp(terminal)
        let before = (try vaultBytes(), try names())
        var damaged = bytes
        damaged[bytes.count - 100] ^= 1
        let newer = try #require(bytes.firstRange(of: Data("KWVAULT\0".utf8)))
        var foreign = bytes
        foreign[newer.upperBound] = 9
        for (bad, expected) in [
            (Data(), ProtocolError.Code.damaged), (Data("no vault".utf8), .damaged), (bytes.dropLast(4096), .damaged),
            (bytes.prefix(100), .damaged), (foreign, .damaged),
        ] {
            #expect(await code { try await restore(terminal, Data(bad), acceptsOlderCopy: true) } == expected)
            #expect(try vaultBytes() == before.0)
            #expect(try names() == before.1)
        }
        #expect(try await terminal.search() == ["One"], "and the vault is open still")
    }

    @Test func aWrongMasterPasswordOfABackupWaitsAndARightOneTakesNoWaitBack() async throws {
        let terminal = try await harness.withVault()
        let (bytes, _) = try await backUp(terminal)
        try await terminal.lock()
        #expect(await code { try await terminal.unlock("guess") } == .wrongPassword)
        harness.clock.advance(by: .seconds(1))
        // One that somebody made to end the wait.
        let other = try TestService()
        let there = try other.connect()
        try await there.create("theirs")
        let (theirs, _) = try await backUp(there)
        _ = try await check(terminal, theirs, "theirs")
        #expect(await message { try await terminal.unlock("guess") }.contains("The next attempt waits 2 s."))
        harness.clock.advance(by: .seconds(2))
        #expect(await message { _ = try await check(terminal, bytes, "guess") }.contains("waits 4 s."))
    }

    @Test func aDamagedVaultHasNoMasterPasswordThatCouldBeAskedForAndIsReplaced() async throws {
        let terminal = try await harness.withVault()
        try await terminal.add("One")
        let (bytes, _) = try await backUp(terminal)
        try await terminal.lock()
        #expect(try await harness.service.checkMasterPassword(try sealed("")).isRight == false)
        try Data("damaged".utf8).write(to: URL(filePath: harness.vaultPath))
        #expect(await code { _ = try await harness.service.checkMasterPassword(try sealed("")) } == .damaged)
        let restored = try await restore(terminal, bytes, acceptsOlderCopy: true)
        #expect(restored.status.items == 1)
        #expect(FileManager.default.contents(atPath: try #require(restored.former)) == Data("damaged".utf8))
    }

    @Test func whatIsNoFileIsNoBackup() async throws {
        let terminal = try await harness.withVault()
        let (ours, theirs) = try LocalSocket.pair()
        let parameters = CheckBackup.Parameters(
            file: Attachment(ours), masterPassword: try sealed(TestService.masterPassword))
        #expect(await code { _ = try await terminal.call(CheckBackup.self, parameters) } == .invalidParameters)
        _ = theirs
    }
}
