import AutoFillWire
import FoundationEssentials
import KeywaySystem
import PasswordsProtocol
import Testing

@testable import KeywayCommand

/// `keyway passwords attach`, `save-file` and `remove-file`.
struct FileCommandTests {
    private static let file = SectionSummary(number: 3, type: "file", isReadable: true, title: "a.txt", size: 5)
    private static let item = ItemSummary(
        id: "1-2-3", title: "Example", user: "ada", addresses: [], tags: [], created: 0, modified: 0,
        sections: [
            SectionSummary(number: 1, type: "file", isReadable: true, title: "twice", size: 1),
            SectionSummary(number: 2, type: "file", isReadable: true, title: "twice", size: 2), file,
        ])

    private let folder = FileManager.default.temporaryDirectory.appending(path: "keyway-\(UUID().uuidString)")

    private func path(_ name: String) throws -> String {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        return folder.appending(path: name).path
    }

    private func trial() -> Trial {
        var trial = Trial()
        trial.lines = ListedLines([])
        trial.service.on(VaultStatus.self) { _, _ in .init(access: .open, path: "/vault", items: 1, idleLimit: 600) }
        trial.service.on(ShowItem.self) { _, _ in
            .init(summary: Self.item, password: nil, notes: nil, fields: [], history: [])
        }
        trial.service.on(ReadFile.self) { parameters, _ in
            .init(item: Self.item, section: Self.file, content: try .secret("hello"))
        }
        return trial
    }

    @Test func aFileIsSavedForItsOwnerAloneAndReplacesNothing() async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let path = try path("out.txt")
        let done = try await trial().run("passwords", "save-file", "Example", "a.txt", path)
        #expect(done.code == .success && done.err.contains("a.txt” (5 bytes)"))
        #expect(try Data(contentsOf: URL(filePath: path)) == Data("hello".utf8))
        let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
        #expect(mode == 0o600)
        #expect(try await trial().run("passwords", "save-file", "Example", "a.txt", path).code == .exists)
        #expect(try await trial().run("passwords", "save-file", "--force", "Example", "a.txt", path).code == .success)
    }

    @Test func aFileIsAttachedUnderItsNameOrAnother() async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let (path, names) = (try path("codes.txt"), Received<String>())
        try Data("hello".utf8).write(to: URL(filePath: path))
        var trial = trial()
        trial.service.on(AttachFile.self) { parameters, _ in
            names.append(parameters.name)
            let content = try SealedDocument(received: parameters.content.descriptor)
            let text = try content.withUnsafeBytes { (bytes) throws(ProtocolError) in Array(bytes) }
            #expect(text == Array("hello".utf8))
            return .init(item: Self.item, section: Self.file)
        }
        #expect(try await trial.run("passwords", "attach", "Example", path).code == .success)
        let other = try await trial.run("passwords", "attach", "--json", "--name", "b", "Example", path)
        #expect(other.out.contains(#""size": 5"#) && names.all == ["codes.txt", "b"])
        #expect(try await trial.run("passwords", "attach", "Example", folder.path).code == .refused)
        #expect(try await trial.run("passwords", "attach", "Example", path + "x").code == .notFound)
    }

    @Test(arguments: [("a.txt", 3), ("3", 3), ("2", 2)])
    func aFileIsRemovedByItsNameOrItsSection(name: String, number: Int) async throws {
        var trial = trial()
        let removed = Received<[Int]?>()
        trial.service.on(EditItem.self) { parameters, _ in
            removed.append(parameters.change.removedSections)
            return .init(item: Self.item)
        }
        #expect(try await trial.run("passwords", "remove-file", "--yes", "Example", name).code == .success)
        #expect(removed.all == [[number]])
    }

    @Test(arguments: [("twice", ExitCode.ambiguous), ("other", .notFound)])
    func aNameThatMeansNoFileOrSeveralRemovesNone(name: String, code: ExitCode) async throws {
        #expect(try await trial().run("passwords", "remove-file", "--yes", "Example", name).code == code)
    }

    @Test(arguments: [
        (0, "0 bytes"), (1, "1 byte"), (1023, "1023 bytes"), (1536, "2 KiB"), (1 << 20, "1 MiB"),
        (64 << 20, "64 MiB"), (3_600_000, "3.4 MiB"),
    ])
    func sizesHaveWords(bytes: Int, words: String) {
        #expect(SectionWords.size(bytes) == words)
    }
}
