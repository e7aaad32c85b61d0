import AutoFillProtocol
import AutoFillWire
import FoundationEssentials
import Glibc
import KeywaySystem
import PasswordsProtocol
import Testing

@testable import KeywayCommand

/// `keyway passwords backup` and `restore-backup`: what they write, and what they ask.
struct BackupCommandTests {
    private static let content = Array("a sealed vault".utf8)

    private final class Place: Sendable {
        let folder: String
        let path: String

        init() throws {
            folder = FileManager.default.temporaryDirectory.appending(path: "keyway-\(UUID().uuidString)").path
            path = folder + "/backup"
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
        }

        deinit { try? FileManager.default.removeItem(atPath: folder) }

        var names: [String] { get throws { try FileManager.default.contentsOfDirectory(atPath: folder) } }
        func write(_ text: String) throws { try Data(text.utf8).write(to: URL(filePath: path)) }
        var text: String? { FileManager.default.contents(atPath: path).map { String(decoding: $0, as: UTF8.self) } }
    }

    private static func status(_ access: VaultStatus.Access) -> VaultStatus.Result {
        .init(access: access, path: "/vault", items: nil, idleLimit: 600)
    }

    private func trial(
        _ access: VaultStatus.Access = .locked, _ lines: [String]? = [], isEveryItemChecked: Bool = true,
        noted: Received<Bool> = Received()
    ) -> Trial {
        var trial = Trial()
        trial.lines = lines.map(ListedLines.init)
        trial.service.on(VaultStatus.self) { _, _ in Self.status(access) }
        trial.service.on(BackUpVault.self) { _, _ in
            let memory = try Self.content.withUnsafeBytes { (bytes) throws(ProtocolError) in
                try SealedMemory(copying: bytes)
            }
            return .init(file: Attachment(memory), items: 3, isEveryItemChecked: isEveryItemChecked)
        }
        trial.service.on(NoteBackup.self) { parameters, _ in
            noted.append(parameters.isEveryItemChecked)
            return Nothing()
        }
        return trial
    }

    @Test(arguments: [true, false])
    func aBackupIsWrittenForItsOwnerAloneAndNoted(isEveryItemChecked: Bool) async throws {
        let (place, noted) = (try Place(), Received<Bool>())
        let outcome = try await trial(isEveryItemChecked: isEveryItemChecked, noted: noted)
            .run("passwords", "backup", place.path)
        #expect(outcome.code == .success)
        #expect(outcome.out.isEmpty)
        #expect(outcome.err.contains("3 items"))
        #expect(outcome.err.contains("structure only") == !isEveryItemChecked)
        #expect(place.text == "a sealed vault")
        var status = stat()
        #expect(stat(place.path, &status) == 0 && status.st_mode & 0o777 == 0o600)
        #expect(try place.names == ["backup"])
        #expect(noted.all == [isEveryItemChecked])
    }

    @Test func aFileIsReplacedOnlyByForce() async throws {
        let (place, noted) = (try Place(), Received<Bool>())
        try place.write("mine")
        #expect(try await trial(noted: noted).run("passwords", "backup", place.path).code == .exists)
        #expect(place.text == "mine" && noted.all.isEmpty)
        #expect(try await trial(noted: noted).run("passwords", "backup", place.path, "--force").code == .success)
        #expect(place.text == "a sealed vault" && noted.all.count == 1)
    }

    @Test func whatCannotBeWrittenIsNotNoted() async throws {
        let noted = Received<Bool>()
        let place = try Place()
        let outcome = try await trial(noted: noted).run("passwords", "backup", place.folder + "/none/backup")
        #expect(outcome.code == .failure)
        #expect(noted.all.isEmpty)
    }

    // MARK: - Restoring

    private func restoring(
        _ access: VaultStatus.Access, _ lines: [String]? = ["pw"], isOlder: Bool = false,
        restored: Received<RestoreBackup.Parameters>
    ) -> Trial {
        var trial = trial(access, lines)
        trial.service.on(CheckBackup.self) { parameters, _ in
            guard try parameters.masterPassword.text == "pw" else { throw ProtocolError(.wrongPassword, "Wrong.") }
            return .init(items: 3, isOlder: isOlder)
        }
        trial.service.on(RestoreBackup.self) { parameters, _ in
            restored.append(parameters)
            return .init(status: Self.status(.open), former: access == .missing ? nil : "/vault.before")
        }
        return trial
    }

    @Test func whereThereIsNoVaultNothingIsAsked() async throws {
        let (place, restored) = (try Place(), Received<RestoreBackup.Parameters>())
        try place.write("a vault")
        let outcome = try await restoring(.missing, restored: restored).run("passwords", "restore-backup", place.path)
        #expect(outcome.code == .success)
        #expect(restored.all.map(\.replaces) == [false] && restored.all.map(\.acceptsOlderCopy) == [false])
    }

    @Test func aVaultThatIsThereNeedsTheOptionBeforeAnythingIsAsked() async throws {
        let (place, restored) = (try Place(), Received<RestoreBackup.Parameters>())
        try place.write("a vault")
        let trial = restoring(.locked, restored: restored)
        let outcome = try await trial.run("passwords", "restore-backup", place.path)
        #expect(outcome.code == .exists && outcome.err.contains("--replace"))
        #expect(trial.lines?.rest == ["pw"] && restored.all.isEmpty)
    }

    @Test(arguments: [(["--replace"], false), ([], true)])
    func withoutATerminalOnlyYesRestoresOverAVaultOrAnOlderState(options: [String], isOlder: Bool) async throws {
        let (place, restored) = (try Place(), Received<RestoreBackup.Parameters>())
        try place.write("a vault")
        let access: VaultStatus.Access = isOlder ? .missing : .open
        let line = ["passwords", "restore-backup", place.path] + options
        let refused = try await restoring(access, isOlder: isOlder, restored: restored).run(line)
        #expect(refused.code == .needsPerson && restored.all.isEmpty)
        let outcome = try await restoring(access, isOlder: isOlder, restored: restored).run(line + ["--yes"])
        #expect(outcome.code == .success)
        #expect(restored.all.map(\.acceptsOlderCopy) == [isOlder])
        #expect(outcome.err.contains("/vault.before") == !isOlder)
    }

    @Test func aPersonWhoSaysNoRestoresNothing() async throws {
        let (place, restored) = (try Place(), Received<RestoreBackup.Parameters>())
        try place.write("a vault")
        var trial = restoring(.open, nil, isOlder: true, restored: restored)
        trial.terminal = TypingTerminal(answers: [("backup: ", "pw\r"), ("older than", "n\r")])
        let outcome = try await trial.run("passwords", "restore-backup", place.path, "--replace")
        #expect(outcome.code == .cancelled && restored.all.isEmpty)
    }

    @Test func whatIsNotThereOrNoFileIsSaid() async throws {
        let place = try Place()
        let trial = restoring(.missing, restored: Received())
        #expect(try await trial.run("passwords", "restore-backup", place.path).code == .notFound)
        #expect(try await trial.run("passwords", "restore-backup", place.folder).code == .failure)
    }

    // MARK: - doctor

    @Test(arguments: [nil, BackupNote(time: 0, isEveryItemChecked: false)])
    func theDoctorSaysWhenTheLastBackupWasMade(note: BackupNote?) async throws {
        var trial = trial()
        trial.service.on(VaultStatus.self) { _, _ in
            .init(access: .locked, path: "/vault", items: nil, idleLimit: 600, backup: note)
        }
        let out = try await trial.run("doctor").out
        let line = try #require(out.split(separator: "\n").first { $0.contains("backup: ") })
        #expect(line.contains(note == nil ? "There is no backup" : "The last backup"))
        #expect(line.contains(Strings.mark(.warning)) == (note == nil))
    }
}
