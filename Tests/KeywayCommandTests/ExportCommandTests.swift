import AutoFillProtocol
import AutoFillWire
import FoundationEssentials
import Glibc
import KeywaySystem
import PasswordsProtocol
import Testing

@testable import KeywayCommand

/// `keyway export`: what it asks, and what it writes.
struct ExportCommandTests {
    private let path = FileManager.default.temporaryDirectory.appending(path: "keyway-\(UUID().uuidString)").path

    private var text: String? { FileManager.default.contents(atPath: path).map { String(decoding: $0, as: UTF8.self) } }

    private func trial(_ lines: [String]?, asked: Received<String> = Received()) -> Trial {
        var trial = Trial()
        trial.lines = lines.map(ListedLines.init)
        trial.service.on(VaultStatus.self) { _, _ in
            .init(access: .open, path: "/vault", items: 1, idleLimit: 600)
        }
        trial.service.on(ExportDocument.self) { parameters, _ in
            let password = try parameters.masterPassword.sealedMemory().withUnsafeBytes {
                String(decoding: $0, as: UTF8.self)
            }
            asked.append(password)
            guard password == "right" else { throw ProtocolError(.wrongPassword, "The master password is wrong.") }
            let memory = try Array("a document".utf8).withUnsafeBytes { (bytes) throws(ProtocolError) in
                try SealedMemory(copying: bytes)
            }
            return .init(
                document: Attachment(memory), items: 1,
                losses: [.init(title: "One", user: "ada", reason: "The format has no place for former passwords.")],
                lossCount: 1)
        }
        return trial
    }

    @Test func theDocumentIsWrittenForItsOwnerAloneAndLossesAreSaid() async throws {
        defer { unlink(path) }
        let outcome = try await trial(["right"]).run("export", path, "--yes")
        #expect(outcome.code == .success && outcome.out.isEmpty)
        #expect(outcome.err.contains("1 item") && outcome.err.contains("“One” (ada): The format has no place"))
        #expect(text == "a document")
        var status = stat()
        #expect(stat(path, &status) == 0 && status.st_mode & 0o777 == 0o600)
    }

    @Test func theMasterPasswordIsAskedForThoughTheVaultIsOpenAndTheOptionSaysYes() async throws {
        defer { unlink(path) }
        let asked = Received<String>()
        let outcome = try await trial(["wrong"], asked: asked).run("export", path, "--yes", "--format", "cxf")
        #expect(outcome.code == .wrongPassword && asked.all == ["wrong"] && text == nil)
    }

    @Test func withoutAYesNothingIsAskedOfTheVault() async throws {
        let asked = Received<String>()
        let outcome = try await trial(["right"], asked: asked).run("export", path)
        #expect(outcome.code != .success && asked.all.isEmpty && text == nil)
    }

    @Test func aFileIsReplacedOnlyByForce() async throws {
        defer { unlink(path) }
        try Data("mine".utf8).write(to: URL(filePath: path))
        #expect(try await trial(["right"]).run("export", path, "--yes").code == .exists)
        #expect(text == "mine")
        #expect(try await trial(["right"]).run("export", path, "--yes", "--force").code == .success)
        #expect(text == "a document")
    }
}
