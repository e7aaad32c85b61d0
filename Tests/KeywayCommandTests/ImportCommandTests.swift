import CredentialExchange
import FoundationEssentials
import Importing
import KeywayCrypto
import KeywaySystem
import PasswordsProtocol
import Testing

@testable import KeywayCommand

/// `keyway import`: what is asked, stored, told and removed. What files come to is in `Tests/Processes/test_import.py`.
struct ImportCommandTests {
    private final class Place: Sendable {
        let folder: String

        init() throws {
            folder = FileManager.default.temporaryDirectory.appending(path: "keyway-\(UUID().uuidString)").path
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
            try write("export.csv", "passwords")
        }

        deinit { try? FileManager.default.removeItem(atPath: folder) }

        var path: String { folder + "/export.csv" }
        func write(_ name: String, _ text: String) throws {
            try Data(text.utf8).write(to: URL(filePath: "\(folder)/\(name)"))
        }
        var isThere: Bool { FileManager.default.fileExists(atPath: path) }
    }

    private struct Stored: Sendable {
        let titles: [String]
        let identifiers: [String]
        let choice: ConflictChoice?
    }

    private static func document(
        _ titles: [String], notices: [String: String] = [:], skipped: [ImportSummary.Skipped] = []
    ) throws -> SealedDocument {
        try SealedDocument { (write) throws(ProtocolError) in
            let header = ExchangeHeader(exporter: ImportOrigin.exporter, displayName: "Chrome CSV", timestamp: 1)
            let writer = try ExchangeWriter<ProtocolError>(header, write)
            try writer.begin(ExchangeAccount(id: "AAAA"))
            for (index, title) in titles.enumerated() {
                var record = ImportedRecord(place: "line \(index + 2)")
                record.title = title
                record.notices = notices[title].map { [$0] } ?? []
                try writer.addItem { (writer) throws(ProtocolError) in
                    try record.write(asItem: "AAA\(index)", to: writer)
                }
            }
            try writer.endAccount { (writer) throws(ProtocolError) in
                try ImportSummary(format: "chrome-csv", skipped: skipped).write(to: writer)
            }
            try writer.end()
        }
    }

    private static func stored(_ attachment: SealedDocument, _ choice: ConflictChoice?) throws -> Stored {
        let items = try attachment.withUnsafeBytes { (bytes) throws(ProtocolError) -> [ExchangeItem] in
            guard let reader = try? ExchangeReader(bytes) else { throw ProtocolError(.damaged, "no document") }
            var found: [ExchangeItem] = []
            for account in reader.accounts {
                var items = reader.items(of: account)
                while let item = (try? items.next()) ?? nil { found.append(item) }
            }
            return found
        }
        return Stored(titles: items.map(\.title), identifiers: items.map(\.id), choice: choice)
    }

    /// A vault that has `counts` to say of any document, and notes what it was given.
    private func trial(
        _ counts: ImportCounts = .init(new: 2), findings: [ImportFinding] = [], lines: [String]? = [],
        answers: [(after: String, keys: String)]? = nil, isProtected: Bool = false, given: Received<Stored>,
        document: SealedDocument? = nil
    ) throws -> Trial {
        var trial = Trial()
        trial.lines = answers == nil ? lines.map(ListedLines.init) : nil
        trial.terminal = answers.map(TypingTerminal.init(answers:))
        trial.service.on(VaultStatus.self) { _, _ in
            .init(access: .open, path: "/vault", items: 3, idleLimit: 600)
        }
        trial.service.on(CompareDocument.self) { _, _ in
            .init(counts: counts, findings: try ImportFindings([]).attachment())
        }
        trial.service.on(ImportDocument.self) { parameters, _ in
            let document = try SealedDocument(received: parameters.document.descriptor)
            guard let stored = try? Self.stored(document, parameters.conflicts) else {
                throw ProtocolError(.damaged, "no document")
            }
            given.append(stored)
            return .init(
                counts: counts, added: counts.new, replaced: 0, leftOut: counts.total - counts.new,
                undoable: counts.new, findings: try ImportFindings(findings).attachment())
        }
        let made = try document ?? Self.document(["Mail", "Bank"])
        trial.readExport = { request in
            guard !isProtected || request.password != nil else {
                return .failure(ImportFailure(.needsPassword, detail: "", advice: ""))
            }
            return .document(made)
        }
        return trial
    }

    // MARK: - Reading

    @Test func theRolesOfColumnsAreThoseThatTheReaderKnows() {
        #expect(ImportCommand.roles == ColumnMapping.Role.allCases.map(\.rawValue))
    }

    @Test(arguments: [
        ["/none", "--preview", "--columns", "colour=Name"], ["/none", "--preview", "--columns", "title"],
        ["/none", "--columns", "title="], ["/none", "--columns", "=Name"], ["/none", "--columns", "title=Name,url"],
        [], ["--undo", "/none"], ["--undo", "--preview"], ["/none", "--reveal"], ["/none", "--preview", "--reveal"],
    ])
    func whatMakesNoSenseIsRefusedBeforeAnythingIsRead(arguments: [String]) async throws {
        #expect(try await Trial().run(["import"] + arguments).code == .usage)
    }

    /// A database that a key file opens with this password, or alone where that is nil.
    private func database(
        _ password: String?, lines: [String]? = [], answers: [(after: String, keys: String)]? = nil
    ) throws -> Trial {
        let document = try Self.document(["Mail"])
        var trial = try trial(lines: lines, answers: answers, given: Received())
        trial.readExport = { request in
            guard request.password == password.map({ SecretBytes(copyingUTF8Of: $0) }) else {
                return .failure(ImportFailure(.wrongPassword, detail: "the password is wrong", advice: ""))
            }
            return .document(document)
        }
        return trial
    }

    @Test func aKeyFileIsTriedAloneAndThenWithThePasswordWhichMayBeEmpty() async throws {
        let place = try Place()
        try place.write("key", "key")
        let line = ["import", place.path, "--key-file", place.folder + "/key", "--preview"]
        #expect(try await database(nil).run(line).code == .success)
        #expect(try await database("").run(line).code == .wrongPassword)
        #expect(try await database("", lines: [""]).run(line).code == .success)
        #expect(try await database("it", lines: ["it"]).run(line).code == .success)
        #expect(try await database("it", lines: ["no"]).run(line).code == .wrongPassword)
        #expect(try await database("", answers: [("Password of", "\r")]).run(line).code == .success)
    }

    /// A file whose key takes that many MiB.
    private func costly(_ mebibytes: Int64, answers: [(after: String, keys: String)]? = nil) throws -> Trial {
        let document = try Self.document(["Mail"])
        var trial = try trial(answers: answers, given: Received())
        trial.readExport = { request in
            guard request.derivationMemory < mebibytes << 20 else { return .document(document) }
            return .failure(ImportFailure(.needsMemory, detail: "it takes memory", advice: "", memory: mebibytes << 20))
        }
        return trial
    }

    @Test func memoryThatIsMuchIsForThePersonToAllow() async throws {
        let place = try Place()
        let line = ["import", place.path, "--preview"]
        #expect(try await costly(64).run(line).code == .success)
        #expect(try await costly(512).run(line).code == .needsPerson)
        #expect(try await costly(512).run(line + ["--yes"]).code == .success)
        #expect(try await costly(512, answers: [("512 MiB", "y")]).run(line).code == .success)
        #expect(try await costly(512, answers: [("512 MiB", "n")]).run(line).code == .cancelled)
    }

    // MARK: - Storing

    @Test func whatIsNewIsStoredOnceThePersonSaysYes() async throws {
        let (place, given) = (try Place(), Received<Stored>())
        let answers = [("Import 2 entries", "y"), ("Delete it?", "n")]
        let outcome = try await trial(answers: answers, given: given).run("import", place.path)
        #expect(outcome.code == .success)
        #expect(given.all.map(\.titles) == [["Mail", "Bank"]])
        #expect(outcome.out.isEmpty)
        #expect(outcome.err.contains("Chrome CSV, 2 entries") && outcome.err.contains("Imported: 2 added."))
        #expect(place.isThere)
    }

    @Test func aPersonWhoSaysNoStoresNothing() async throws {
        let (place, given) = (try Place(), Received<Stored>())
        let outcome = try await trial(answers: [("Import", "n")], given: given).run("import", place.path)
        #expect(outcome.code == .cancelled && given.all.isEmpty && place.isThere)
    }

    @Test func withoutATerminalOnlyYesStores() async throws {
        let (place, given) = (try Place(), Received<Stored>())
        #expect(try await trial(given: given).run("import", place.path).code == .needsPerson)
        #expect(given.all.isEmpty)
        let outcome = try await trial(.init(new: 1, conflicts: 1), given: given).run("import", place.path, "--yes")
        #expect(outcome.code == .success)
        #expect(given.all.map(\.choice) == [.keepBoth])
        #expect(place.isThere && outcome.err.contains("still holds every password as plain text"))
    }

    @Test(arguments: ImportStoring.choices.keys.sorted())
    func conflictsBecomeWhatTheOptionSays(name: String) async throws {
        let (place, given) = (try Place(), Received<Stored>())
        let outcome = try await trial(.init(new: 1, conflicts: 1), given: given).run(
            "import", place.path, "--yes", "--conflicts", name)
        #expect(outcome.code == .success)
        #expect(given.all.map(\.choice) == [ImportStoring.choices[name]])
    }

    @Test func onATerminalThePersonSaysWhatBecomesOfConflicts() async throws {
        let (place, given) = (try Place(), Received<Stored>())
        let answers = [("Keep both", "\u{1B}[B\r"), ("get that of the file", "y"), ("Delete it?", "n")]
        let outcome = try await trial(.init(new: 1, conflicts: 1), answers: answers, given: given).run(
            "import", place.path)
        #expect(outcome.code == .success)
        #expect(given.all.map(\.choice) == [.replace])
    }

    @Test(arguments: [
        (ImportCounts(duplicates: 2), ConflictChoice.keepBoth), (ImportCounts(refused: 2), .keepBoth),
        (ImportCounts(duplicates: 1, conflicts: 1), .skip), (ImportCounts(), .keepBoth),
    ])
    func whereNothingWouldBeStoredNothingIsAsked(counts: ImportCounts, choice: ConflictChoice) async throws {
        let (place, given) = (try Place(), Received<Stored>())
        let name = try #require(ImportStoring.choices.first { $0.value == choice }?.key)
        let outcome = try await trial(counts, given: given).run("import", place.path, "--conflicts", name)
        #expect(outcome.code == .success && given.all.isEmpty)
        #expect(outcome.err.contains("Nothing was imported."))
    }

    @Test func severalFilesAreStoredTogetherAndHaveIdentifiersOfTheirOwn() async throws {
        let (place, given) = (try Place(), Received<Stored>())
        try place.write("other.csv", "more")
        let outcome = try await trial(.init(new: 4), given: given).run(
            "import", place.path, place.folder + "/other.csv", "--yes")
        #expect(outcome.code == .success)
        #expect(given.all.map(\.titles) == [["Mail", "Bank", "Mail", "Bank"]])
        #expect(Set(given.all.flatMap(\.identifiers)).count == 4)
    }

    @Test(arguments: [(ProgressDisplay.leastItems, true), (1999, false)])
    func whatTakesItsTimeIsShownOnTheTerminal(items: Int, isShown: Bool) async throws {
        let (place, given) = (try Place(), Received<Stored>())
        let answers = [("Import 2 entries", "y"), ("Delete it?", "n")]
        var trial = try trial(answers: answers, given: given)
        let terminal = try #require(trial.terminal)
        trial.service.on(CompareDocument.self) { _, context in
            context.connection.notify(ExchangeProgress.self, .init(done: items / 4, total: items))
            if isShown { try await eventually { terminal.written.contains("25 %") } }
            return .init(counts: .init(new: 2), findings: try ImportFindings([]).attachment())
        }
        trial.service.on(ImportDocument.self) { _, context in
            context.connection.notify(ExchangeProgress.self, .init(done: items * 3 / 4, total: items))
            if isShown { try await eventually { terminal.written.contains("75 %") } }
            return .init(
                counts: .init(new: 2), added: 2, replaced: 0, leftOut: 0, undoable: 2,
                findings: try ImportFindings([]).attachment())
        }
        #expect(try await trial.run("import", place.path).code == .success)
        #expect(terminal.written.contains("Comparing with the vault") == isShown)
        let told = "1500 of 2000 entries. All of them are stored in the end, or none."
        #expect(terminal.written.contains(told) == isShown)
    }

    @Test func whereNobodyIsAskedItIsNotComparedFirst() async throws {
        let (place, given, compared) = (try Place(), Received<Stored>(), Received<Bool>())
        var trial = try trial(.init(new: 1, duplicates: 1), given: given)
        trial.service.on(CompareDocument.self) { _, _ in
            compared.append(true)
            return .init(counts: .init(new: 2), findings: try ImportFindings([]).attachment())
        }
        let outcome = try await trial.run("import", place.path, "--yes")
        #expect(outcome.code == .success && given.all.count == 1 && compared.all.isEmpty)
        #expect(outcome.err.contains("Of 2 entries: 1 new, 1 in the vault already."))
    }

    @Test func whereNobodyIsAskedADocumentThatIsNoneIsNotStored() async throws {
        let (place, given) = (try Place(), Received<Stored>())
        let document = try SealedDocument { (write) throws(ProtocolError) in
            try Array("{\"version\": {}}".utf8).lend { (bytes) throws(ProtocolError) in try write(bytes) }
        }
        let outcome = try await trial(given: given, document: document).run("import", place.path, "--yes")
        #expect(outcome.code == .damaged && given.all.isEmpty)
    }

    @Test func aVaultThatIsLockedGetsNothing() async throws {
        let (place, given) = (try Place(), Received<Stored>())
        var trial = try trial(given: given)
        trial.service.on(VaultStatus.self) { _, _ in
            .init(access: .locked, path: "/vault", items: nil, idleLimit: 600)
        }
        #expect(try await trial.run("import", place.path, "--yes").code == .needsPerson)
        #expect(given.all.isEmpty)
    }

    // MARK: - The report

    @Test func whatWasLeftOutOrChangedIsToldByRow() async throws {
        let (place, given) = (try Place(), Received<Stored>())
        let document = try Self.document(
            ["Mail", "Bank", "Shop", "Post"], notices: ["Post": "Its file is left out."],
            skipped: [.init(place: "line 9", reason: "It has a NUL character in it.")])
        let findings = [
            ImportFinding(item: 0, verdict: .duplicate, outcome: .leftOut),
            ImportFinding(item: 2, verdict: .refused, outcome: .leftOut, reason: "Its passkey is for no site."),
        ]
        let counts = ImportCounts(new: 2, duplicates: 1, refused: 1)
        let told = try await trial(counts, findings: findings, given: given, document: document).run(
            "import", place.path, "--yes")
        let rows = told.out.split(separator: "\n").map { $0.split(separator: " ").joined(separator: " ") }
        #expect(
            rows == [
                "line 9 It has a NUL character in it.", "line 2 Mail It is in the vault already.",
                "line 4 Shop Its passkey is for no site.", "line 5 Post Its file is left out.",
            ])
        #expect(told.err.contains("Imported: 2 added, 3 left out."))
        let json = try await trial(counts, findings: findings, given: given, document: document).run(
            "import", place.path, "--yes", "--json")
        let report = try JSONDecoder().decode(Report.self, from: Data(json.out.utf8))
        #expect(report.added == 2 && report.leftOut == 2 && report.undoable == 2)
        #expect(report.entries.map(\.place) == ["line 2", "line 4", "line 5"])
        #expect(report.entries.map(\.outcome) == ["leftOut", "leftOut", "added"])
        #expect(report.skipped.map(\.place) == ["line 9"])
    }

    private struct Report: Decodable {
        struct Entry: Decodable {
            let file, place, title, outcome: String
            let reasons: [String]
        }
        struct Skipped: Decodable { let file, place, reason: String }

        let added, replaced, leftOut, undoable: Int
        let entries: [Entry]
        let skipped: [Skipped]
    }

    // MARK: - The file that is left

    @Test func thePlainFileGoesOnlyWhenThePersonSaysYes() async throws {
        let (place, given) = (try Place(), Received<Stored>())
        let answers = [("Import", "y"), ("isn't erasing", "y")]
        let outcome = try await trial(answers: answers, given: given).run("import", place.path)
        #expect(outcome.code == .success && !place.isThere)
    }

    @Test func anotherFileInItsPlaceStays() async throws {
        let (place, given) = (try Place(), Received<Stored>())
        var trial = try trial(answers: [("Import", "y"), ("Delete it?", "y")], given: given)
        trial.service.on(CompareDocument.self) { _, _ in
            try? FileManager.default.removeItem(atPath: place.path)
            try? place.write("new", "something else")
            try? FileManager.default.moveItem(atPath: place.folder + "/new", toPath: place.path)
            return .init(counts: .init(new: 2), findings: try ImportFindings([]).attachment())
        }
        let outcome = try await trial.run("import", place.path)
        #expect(outcome.code == .success && place.isThere)
        #expect(outcome.err.contains("isn't the file that was read"))
    }

    @Test func aLinkStays() async throws {
        let (place, given) = (try Place(), Received<Stored>())
        let link = place.folder + "/link"
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: place.path)
        let outcome = try await trial(answers: [("Import", "y"), ("Delete it?", "y")], given: given).run("import", link)
        #expect(outcome.code == .success && place.isThere)
        #expect(FileManager.default.fileExists(atPath: link))
    }

    @Test func anEncryptedFileIsNoneToDelete() async throws {
        let (place, given) = (try Place(), Received<Stored>())
        let trial = try trial(
            answers: [("Password of", "pw\r"), ("Import", "y")], isProtected: true, given: given)
        let outcome = try await trial.run("import", place.path)
        #expect(outcome.code == .success && given.all.count == 1 && place.isThere)
        #expect(!outcome.err.contains("plain text"))
    }

    // MARK: - Undoing

    @Test func anImportIsTakenBackOnceThePersonSaysYes() async throws {
        let undone = Received<Bool>()
        var trial = try trial(answers: [("Take back", "y")], given: Received())
        trial.service.on(UndoImport.self) { _, _ in
            undone.append(true)
            return .init(
                removed: 3, restored: 1, kept: [.init(id: "1", title: "Mail", user: "ada")], keptCount: 1)
        }
        let outcome = try await trial.run("import", "--undo")
        #expect(outcome.code == .success && undone.all.count == 1)
        #expect(outcome.err.contains("3 removed, 1 restored, 1 kept") && outcome.out.contains("Mail"))
        trial.terminal = TypingTerminal(answers: [("Take back", "n")])
        #expect(try await trial.run("import", "--undo").code == .cancelled)
        trial.terminal = nil
        #expect(try await trial.run("import", "--undo").code == .needsPerson)
        #expect(undone.all.count == 1)
        #expect(try await trial.run("import", "--undo", "--yes").code == .success)
    }
}
