import BrokerTestSupport
import Foundation
import KeywaySystem
import Synchronization
import Testing

@testable import BrokerBase

/// Which files say what is allowed, and that a change of them counts at once.
struct PolicyFilesTests {
    private let folder: TemporaryFolder
    private let lines = Lines()

    private final class Lines: Sendable {
        let all = Mutex<[String]>([])
    }

    init() throws { folder = try TemporaryFolder() }

    private func files(owner: uid_t = geteuid(), isSystems: Bool = true) -> PolicyFiles {
        PolicyFiles(
            folder: folder.path, owner: owner, isSystems: { _ in isSystems },
            log: EventLog { [lines] line in lines.all.withLock { $0.append(line) } })
    }

    private let strict = "[vault]\nidle-lock = 60\n"

    @Test func withoutAFolderEverythingIsAllowed() {
        #expect(PolicyFiles(folder: folder.path + "/none", log: EventLog { _ in }).current.state == nil)
        #expect(PolicyFiles.none.current == AdministratorPolicy())
    }

    @Test func theFileAndItsDropInsCount() throws {
        try folder.write("[vault]\nidle-lock = 600\n", to: "policy.toml")
        try folder.write(strict, to: "policy.d/50-vault.toml")
        try folder.write("[history]\nkeep = false\n", to: "policy.d/60-history.toml")
        try folder.write("[history]\nnonsense\n", to: "policy.d/README")
        let policy = files().current
        #expect(policy.idleLock == 60 && !policy.keepsHistory && policy.faults.isEmpty)
        #expect(policy.origin(of: .idleLock).contains("policy.toml"))
        #expect(policy.origin(of: .idleLock).contains("50-vault.toml"))
    }

    @Test func aFolderOfDropInsThatCannotBeListedMakesEverythingStrict() throws {
        // A file in its place can't be listed either, also by root, whom no mode stops.
        try folder.write(strict, to: "policy.d")
        let policy = files().current
        #expect(policy.faults.count == 1 && !policy.keepsHistory)
        #expect(!policy.allows(provider: "org.keyway.passwords"))
    }

    @Test func aChangeCountsAtOnce() throws {
        let files = files()
        #expect(files.current.idleLock == nil)
        try folder.write(strict, to: "policy.d/one.toml")
        #expect(files.current.idleLock == 60)
        try folder.write("[vault]\nidle-lock = 120\n", to: "policy.d/one.toml")
        #expect(files.current.idleLock == 120)
        try folder.write(strict, to: "policy.toml")
        #expect(files.current.idleLock == 60)
        try FileManager.default.removeItem(atPath: folder.path + "/policy.d")
        try FileManager.default.removeItem(atPath: folder.path + "/policy.toml")
        #expect(files.current.idleLock == nil)
    }

    @Test func aFileOfSomebodyElseIsNotBelieved() throws {
        try folder.write(strict, to: "policy.toml")
        let policy = files(owner: geteuid() + 1).current
        #expect(policy.idleLock == nil)
        #expect(policy.faults.map(\.isIgnored) == [true])
    }

    @Test(arguments: [0o620, 0o602])
    func aFileThatOthersCanChangeIsNotBelieved(mode: Int) throws {
        try folder.write(strict, to: "policy.toml", mode: mode)
        let policy = files().current
        #expect(policy.idleLock == nil && policy.faults.map(\.isIgnored) == [true])
        // It is, once nobody else can.
        chmod(folder.path + "/policy.toml", 0o644)
        #expect(files().current.idleLock == 60)
    }

    @Test func aFolderThatOthersCanChangeIsNotBelieved() throws {
        try folder.write(strict, to: "policy.toml")
        let policy = files(isSystems: false).current
        #expect(policy.idleLock == nil && policy.faults.map(\.isIgnored) == [true])
    }

    @Test func whatRootPutThereAndCannotBeReadForbidsMost() throws {
        try FileManager.default.createSymbolicLink(
            atPath: folder.path + "/policy.toml", withDestinationPath: folder.path + "/elsewhere")
        #expect(files().current.idleLock == 60)
        try FileManager.default.removeItem(atPath: folder.path + "/policy.toml")
        try folder.folder("policy.toml")
        #expect(files().current.idleLock == 60)
        try FileManager.default.removeItem(atPath: folder.path + "/policy.toml")
        try folder.write(String(repeating: "#", count: 1 << 17), to: "policy.toml")
        #expect(files().current.idleLock == 60)
    }

    @Test func aFaultIsSaidOnce() throws {
        try folder.write("[vault]\nidle-lock = 1\n", to: "policy.toml")
        let files = files()
        _ = files.current
        try folder.write("[vault]\nidle-lock = 1\n# more\n", to: "policy.toml")
        _ = files.current
        #expect(lines.all.withLock { $0.count } == 1)
    }

    @Test func theExampleThatShipsIsTakenWholeOnceItIsUncommented() throws {
        let example =
            #filePath.split(separator: "/").dropLast(3).map { "/" + $0 }.joined() + "/Packaging/etc/policy.toml"
        let lines = try String(contentsOfFile: example, encoding: .utf8).split(
            separator: "\n", omittingEmptySubsequences: false)
        #expect(PolicyText(Array(lines.joined(separator: "\n").utf8)).entries.isEmpty)
        let uncommented = lines.map { $0.hasPrefix("#") && !$0.hasPrefix("# ") ? String($0.dropFirst()) : String($0) }
        var policy = AdministratorPolicy()
        policy.add(PolicyText(Array(uncommented.joined(separator: "\n").utf8)), from: "example")
        #expect(policy.faults.isEmpty)
        #expect(policy.state?.settings.map(\.name) == AdministratorPolicy.Key.allCases.map(\.rawValue))
    }
}
