import FoundationEssentials
import Glibc
import KeywayCrypto
import Testing

@testable import Vault

/// Faults while the vault is written: what was confirmed is there afterwards, and nothing is half there.
@Suite struct FaultTests {
    /// Adds items until something stops it, and appends a byte to a file for each that was confirmed.
    static func addForever(_ path: String, confirming log: String, _ seed: UInt64, passkeys: Bool = false) {
        let key = SecretKey(random: TestRandom(seed: seed))
        let descriptor = open(log, O_WRONLY | O_CREAT | O_APPEND, 0o600)
        let environment = VaultEnvironment(epochs: TestEpochs())
        do throws(VaultError) {
            let vault = try LockedVault.open(at: path, environment: environment).unlock(with: key)
            while true {
                if passkeys {
                    try vault.add(ItemDraft(title: "item", passkey: PasskeyTests.passkey("example.com")))
                } else {
                    try vault.add(ItemDraft(title: "item", password: secret("password"), tags: ["tag"]))
                }
                guard write(descriptor, "x", 1) == 1 else { exit(3) }
            }
        } catch {
            exit(error.code == .storage || error.code == .storageFull ? 0 : 4)
        }
    }

    /// A vault file for a child process, which makes the same key from the seed.
    private func vault(_ seed: UInt64) throws -> (test: TestVault, log: String) {
        let test = try TestVault(seed: seed)
        return (test, test.folder.file("log"))
    }

    private func check(_ test: TestVault, _ log: String) throws {
        let confirmed = (try? Data(contentsOf: URL(filePath: log)).count) ?? 0
        let vault = try test.unlock()
        try vault.verify()
        #expect(try [confirmed, confirmed + 1].contains(vault.count))
        let id = try vault.add(ItemDraft(title: "after", password: secret("after")))
        #expect(try test.unlock().password(of: id) == secret("after"))
    }

    @Test(arguments: [1, 3, 7, 12, 20, 33, 50, 81] as [UInt32])
    func losesNothingConfirmedWhenItIsKilled(milliseconds: UInt32) async throws {
        let (test, log) = try vault(41)
        let path = test.path
        await #expect(processExitsWith: .signal(SIGKILL)) {
            [path = path as String, log = log as String, milliseconds = milliseconds as UInt32] in
            let killer = Thread.start(afterMilliseconds: milliseconds) { kill(getpid(), SIGKILL) }
            guard killer else { exit(2) }
            FaultTests.addForever(path, confirming: log, 41)
        }
        try check(test, log)
    }

    /// The first passkey makes the vault one of version 2: it is one of either, and whole.
    @Test(arguments: [1, 2, 4, 6, 9, 14, 25] as [UInt32])
    func losesNothingWhenItIsKilledWithTheFirstPasskey(milliseconds: UInt32) async throws {
        let (test, log) = try vault(43)
        let old = try test.unlock().add(ItemDraft(title: "old", password: secret("old")))
        let path = test.path
        await #expect(processExitsWith: .signal(SIGKILL)) {
            [path = path as String, log = log as String, milliseconds = milliseconds as UInt32] in
            let killer = Thread.start(afterMilliseconds: milliseconds) { kill(getpid(), SIGKILL) }
            guard killer else { exit(2) }
            FaultTests.addForever(path, confirming: log, 43, passkeys: true)
        }
        let confirmed = (try? Data(contentsOf: URL(filePath: log)).count) ?? 0
        let vault = try test.unlock()
        let count = try vault.passkeys(of: "example.com").count
        #expect([confirmed, confirmed + 1].contains(count))
        #expect(try vault.opened().header.version == (count == 0 ? 1 : 2))
        #expect(try vault.password(of: old) == secret("old"))
        try vault.verify()
    }

    @Test(arguments: [0, 300, 1000, 4096, 5000, 9000, 20_000, 70_000])
    func losesNothingConfirmedWhenTheDiskIsFull(room: Int) async throws {
        let (test, log) = try vault(42)
        let path = test.path
        await #expect(processExitsWith: .success) { [path = path as String, log = log as String, room = room as Int] in
            var status = stat()
            guard stat(path, &status) == 0 else { exit(2) }
            signal(SIGXFSZ, SIG_IGN)
            let size = rlim_t(max(room, Int(status.st_size) - 8192 + room))
            var limit = rlimit(rlim_cur: size, rlim_max: size)
            guard setrlimit(Int32(RLIMIT_FSIZE.rawValue), &limit) == 0 else { exit(2) }
            FaultTests.addForever(path, confirming: log, 42)
        }
        try check(test, log)
    }

    @Test func leavesNoSecondFileBesideALockedVault() throws {
        let test = try TestVault(seed: 44)
        let vault = try test.unlock()
        let id = try vault.add(ItemDraft(title: "first"))
        let alone = try test.bytes()
        vault.lock()
        let folder = VaultFile.folder(of: test.path)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["test.vault"])
        try test.replace(alone)
        #expect(try test.unlock().summary(of: id).title == "first", "the file alone is the vault between changes")
    }

    @Test func rollsBackWhatACrashLeftHalfWritten() throws {
        let test = try TestVault(seed: 43)
        let vault = try test.unlock()
        let id = try vault.add(ItemDraft(title: "kept", password: secret("kept")))
        vault.lock()
        let copy = test.folder.file("copy.vault")
        // In the middle of a transaction the file and its journal are copied, as a power cut would leave them.
        let store = try SQLiteStore(path: test.path)
        let transaction = try store.transaction(replacing: store.manifest())
        for number in 0..<4000 {
            try transaction.put(
                SealedRecord(
                    item: ItemID(random: SystemRandomSource()), version: 9,
                    summary: [UInt8](repeating: UInt8(number & 255), count: 296), body: []))
        }
        try FileManager.default.copyItem(atPath: test.path, toPath: copy)
        try FileManager.default.copyItem(atPath: test.path + "-journal", toPath: copy + "-journal")
        try transaction.commit()
        #expect(FileManager.default.fileExists(atPath: copy + "-journal"))
        let again = try LockedVault.open(at: copy, environment: test.environment).unlock(with: test.key)
        #expect(try again.count == 1)
        #expect(try again.password(of: id) == secret("kept"))
    }
}

/// A thread that waits and then acts, for processes that end themselves.
private enum Thread {
    private struct Work { let wait: UInt32, action: () -> Void }

    static func start(afterMilliseconds wait: UInt32, _ action: @escaping () -> Void) -> Bool {
        let work = UnsafeMutablePointer<Work>.allocate(capacity: 1)
        work.initialize(to: Work(wait: wait, action: action))
        var thread = pthread_t()
        return pthread_create(
            &thread, nil,
            { raw in
                let work = raw?.assumingMemoryBound(to: Work.self).pointee
                usleep((work?.wait ?? 0) * 1000)
                work?.action()
                return nil
            }, work) == 0
    }
}
