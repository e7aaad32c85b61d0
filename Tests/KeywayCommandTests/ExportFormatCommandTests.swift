import AutoFillWire
import CredentialExchange
import FoundationEssentials
import Glibc
import KeywayCrypto
import KeywaySystem
import PasswordsProtocol
import Testing

@testable import KeywayCommand

/// `keyway export --format` and `keyway import --request`: what is asked, written and kept. What files come to is in
/// `Tests/Processes/test_export_formats.py` and `test_exchange.py`.
struct ExportFormatCommandTests {
    private final class Place: Sendable {
        let folder: String

        init() throws {
            folder = FileManager.default.temporaryDirectory.appending(path: "keyway-\(UUID().uuidString)").path
            try FileManager.default.createDirectory(atPath: folder + "/run/keyway", withIntermediateDirectories: true)
            chmod(folder + "/run/keyway", 0o700)
            try write("request", request)
        }

        deinit { try? FileManager.default.removeItem(atPath: folder) }

        let request = "{\"a request\": 1}"
        var path: String { folder + "/export" }
        var keys: String { folder + "/run/keyway/exchange-request" }
        func write(_ name: String, _ text: String) throws {
            try Data(text.utf8).write(to: URL(filePath: "\(folder)/\(name)"))
        }
        func text(_ name: String) -> String? {
            FileManager.default.contents(atPath: "\(folder)/\(name)").map { String(decoding: $0, as: UTF8.self) }
        }
        var fingerprint: String { Array(request.utf8).withUnsafeBytes { RequestSummary.fingerprint(of: $0) } }
    }

    private static func document(_ text: String) throws -> SealedDocument {
        try SealedDocument { (write) throws(ProtocolError) in
            try Array(text.utf8).lend { (bytes) throws(ProtocolError) in try write(bytes) }
        }
    }

    /// A vault that is open, and a writer that notes what it was asked.
    private func trial(
        _ place: Place, lines: [String]? = nil, answers: [(after: String, keys: String)]? = nil,
        asked: Received<String> = Received(), report: ExportReport = ExportReport()
    ) throws -> Trial {
        var trial = Trial()
        trial.lines = lines.map(ListedLines.init)
        trial.terminal = answers.map(TypingTerminal.init(answers:))
        trial.variables = ["XDG_RUNTIME_DIR": place.folder + "/run", "HOME": place.folder]
        trial.service.on(VaultStatus.self) { _, _ in
            .init(access: .open, path: "/vault", items: 1, idleLimit: 600)
        }
        trial.service.on(ExportDocument.self) { _, _ in
            asked.append("exported")
            return .init(
                document: Attachment(try Self.document("a document").descriptor), items: 1,
                losses: [.init(title: "One", user: "ada", reason: "Former passwords are left out.")], lossCount: 1)
        }
        let told = SecretBuffer()
        report.write { told.append($0) }
        let account = told.finish()
        trial.writeExport = { request in
            switch request {
            case .write(_, let format, let secret):
                let text = secret?.withUnsafeBytes { String(decoding: $0, as: UTF8.self) } ?? ""
                asked.append("\(format): \(text)")
                return .file(try Self.document("a file"), told: account)
            case .inspect:
                let buffer = SecretBuffer()
                RequestSummary(importer: "importer.example", types: ["note"], encryption: "X25519").write {
                    buffer.append($0)
                }
                return .file(try Self.document(""), told: buffer.finish())
            case .make:
                return .file(try Self.document("a new request"), told: SecretBytes(copyingUTF8Of: "its keys"))
            }
        }
        return trial
    }

    // MARK: - Formats

    @Test func theWritersAccountIsToldWithThatOfTheVault() async throws {
        let place = try Place()
        var report = ExportReport()
        report.add(.init(title: "Two", user: "", reason: "Its passkey is left out."))
        report.add(formula: .init(title: "Three", user: "eve", reason: "password"))
        report.notices = ["The format has no times."]
        let outcome = try await trial(place, lines: ["right"], report: report).run(
            "export", place.path, "--format", "chrome-csv", "--yes")
        #expect(outcome.code == .success && place.text("export") == "a file")
        for text in [
            "“One” (ada): Former", "“Two”: Its passkey", "“Three” (eve), in password", "no times", "isn't encrypted",
        ] {
            #expect(outcome.err.contains(text), "\(text)")
        }
        let json = try await trial(place, lines: ["right"], report: report).run(
            "export", place.path, "--format", "chrome-csv", "--yes", "--json", "--force")
        #expect(json.out.contains("\"lossCount\": 2") && json.out.contains("\"column\": \"password\""))
        #expect(json.out.contains("\"encrypted\": false") && json.out.contains("\"format\": \"chrome-csv\""))
    }

    @Test func aTableIsNoSecretToWhoReadsIt() async throws {
        let place = try Place()
        let asked = Received<String>()
        let outcome = try await trial(place, lines: ["right"], asked: asked).run(
            "export", place.path, "--format", "chrome-csv")
        #expect(outcome.code == .needsPerson && asked.all.isEmpty && place.text("export") == nil)
    }

    @Test func thePasswordOfADatabaseIsTheLineBehindTheMasterPassword() async throws {
        let place = try Place()
        let asked = Received<String>()
        let outcome = try await trial(place, lines: ["right", "of the file"], asked: asked).run(
            "export", place.path, "--format", "kdbx")
        #expect(outcome.code == .success && asked.all == ["exported", "kdbx: of the file"])
        #expect(!outcome.err.contains("isn't encrypted"))
    }

    @Test(arguments: [["right"], ["right", ""]])
    func aDatabaseHasAPassword(lines: [String]) async throws {
        let place = try Place()
        let outcome = try await trial(place, lines: lines).run("export", place.path, "--format", "kdbx")
        #expect(outcome.code != .success && place.text("export") == nil)
    }

    @Test func whatCannotBeWrittenIsToldAndLeavesNothing() async throws {
        let place = try Place()
        var trial = try trial(place, lines: ["right"])
        trial.writeExport = { _ in .failure(ImportFailure(.tooLarge, detail: "it is too large", advice: "")) }
        let outcome = try await trial.run("export", place.path, "--format", "chrome-csv", "--yes")
        #expect(outcome.code == .refused && outcome.err.contains("too large") && place.text("export") == nil)
        trial = try self.trial(place, lines: ["right"])
        trial.writeExport = { _ in .ended(SIGKILL) }
        #expect(try await trial.run("export", place.path, "--format", "chrome-csv", "--yes").code == .failure)
        #expect(place.text("export") == nil)
    }

    // MARK: - The recipient (T34)

    @Test(arguments: ["0", "", "27510 97643 08981 79420 70731 01187"])
    func anotherFingerprintThanThatOfTheRequestIsRefused(fingerprint: String) async throws {
        let place = try Place()
        let asked = Received<String>()
        let outcome = try await trial(place, lines: ["right"], asked: asked).run(
            "export", place.path, "--to", place.folder + "/request", "--fingerprint", fingerprint, "--yes")
        #expect(outcome.code == .refused && asked.all.isEmpty && place.text("export") == nil)
    }

    @Test(arguments: [" ", "-", ""])
    func theFingerprintMayBeTypedInAnyGroups(separator: String) async throws {
        let place = try Place()
        let asked = Received<String>()
        let digits = place.fingerprint.split(separator: " ").joined(separator: separator)
        let outcome = try await trial(place, lines: ["right"], asked: asked).run(
            "export", place.path, "--to", place.folder + "/request", "--fingerprint", digits)
        #expect(outcome.code == .success && asked.all == ["exported", "cxp: \(place.request)"])
    }

    @Test func nobodysRequestIsAnsweredWithoutAComparison() async throws {
        let place = try Place()
        let asked = Received<String>()
        let outcome = try await trial(place, lines: ["right"], asked: asked).run(
            "export", place.path, "--to", place.folder + "/request", "--yes")
        #expect(outcome.code == .needsPerson && asked.all.isEmpty && place.text("export") == nil)
        let refused = try await trial(
            place, answers: [("show the same", "n"), ("Master password", "right\r")], asked: asked
        ).run(
            "export", place.path, "--to", place.folder + "/request", "--yes")
        #expect(refused.code == .cancelled && asked.all.isEmpty)
        #expect(refused.err.contains("asks for note on behalf of “importer.example” (as it says of itself)"))
    }

    @Test func eachByteOfARequestIsInItsFingerprint() {
        let request = Array("a request".utf8)
        let first = request.withUnsafeBytes { RequestSummary.fingerprint(of: $0) }
        #expect(first.split(separator: " ").map(\.utf8.count) == [5, 5, 5, 5, 5, 5])
        for index in request.indices {
            var other = request
            other[index] ^= 1
            #expect(other.withUnsafeBytes { RequestSummary.fingerprint(of: $0) } != first)
        }
    }

    @Test(arguments: [
        ["--format", "cxp"], ["--format", "kdbx", "--to", "/none"], ["--fingerprint", "1"], ["--format", "xml"],
    ])
    func optionsThatMakeNoSenseTogetherAreRefused(options: [String]) async throws {
        let place = try Place()
        #expect(throws: Never.self) { _ = try trial(place) }
        let code: ExitCode
        do { code = try await trial(place).run(["export", place.path] + options).code } catch is UsageError {
            code = .usage
        }
        #expect(code == .usage)
    }

    // MARK: - Requests and their answers (T34)

    private func made(_ place: Place) async throws {
        let outcome = try await trial(place).run("import", "--request", place.path)
        #expect(outcome.code == .success && place.text("export") == "a new request")
        let fingerprint = Array("a new request".utf8).withUnsafeBytes { RequestSummary.fingerprint(of: $0) }
        #expect(outcome.err.contains(fingerprint))
    }

    /// A reader that wants the keys, and notes them.
    private func reading(_ place: Place, _ keys: Received<String>, now: Int64 = 1_790_000_000) throws -> Trial {
        var trial = try trial(place)
        trial.now = now
        let document = try Self.answer()
        trial.readExport = { request in
            guard let given = request.keyFile else {
                return .failure(ImportFailure(.needsRequestKeys, detail: "it answers a request", advice: ""))
            }
            keys.append(given.withUnsafeBytes { String(decoding: $0, as: UTF8.self) })
            return .document(document)
        }
        return trial
    }

    private static func answer() throws -> SealedDocument {
        try SealedDocument { (write) throws(ProtocolError) in
            let header = ExchangeHeader(exporter: ImportOrigin.exporter, displayName: "CXP", timestamp: 1)
            let writer = try ExchangeWriter<ProtocolError>(header, write)
            try writer.begin(ExchangeAccount(id: "AAAA"))
            try writer.endAccount { (writer) throws(ProtocolError) in
                try ImportSummary(format: "cxp", skipped: []).write(to: writer)
            }
            try writer.end()
        }
    }

    @Test func theKeysOfARequestWaitForItsAnswerWhereNobodyElseReadsThem() async throws {
        let place = try Place()
        try await made(place)
        var status = stat()
        #expect(stat(place.keys, &status) == 0 && status.st_mode & 0o777 == 0o600)
        let keys = Received<String>()
        try place.write("answer", "an answer")
        let outcome = try await reading(place, keys).run("import", place.folder + "/answer", "--preview")
        #expect(outcome.code == .success && keys.all == ["its keys"])
    }

    @Test func anotherAnswerThanTheFirstIsNotOpened() async throws {
        let place = try Place()
        try await made(place)
        let keys = Received<String>()
        try place.write("answer", "an answer")
        try place.write("other", "another answer")
        #expect(try await reading(place, keys).run("import", place.folder + "/answer", "--preview").code == .success)
        #expect(try await reading(place, keys).run("import", place.folder + "/other", "--preview").code == .refused)
        #expect(try await reading(place, keys).run("import", place.folder + "/answer", "--preview").code == .success)
        #expect(keys.all.count == 2)
    }

    @Test func onceItIsStoredAnAnswerOpensNothing() async throws {
        let place = try Place()
        try await made(place)
        let keys = Received<String>()
        try place.write("answer", "an answer")
        var trial = try reading(place, keys)
        trial.service.on(ImportDocument.self) { _, _ in
            .init(
                counts: ImportCounts(duplicates: 1), added: 0, replaced: 0, leftOut: 1, undoable: 0,
                findings: try ImportFindings([]).attachment())
        }
        #expect(try await trial.run("import", place.folder + "/answer", "--yes").code == .success)
        #expect(place.text("run/keyway/exchange-request") == nil)
        #expect(try await reading(place, keys).run("import", place.folder + "/answer", "--preview").code == .notFound)
        #expect(keys.all.count == 1)
    }

    @Test(arguments: [86_399, 86_401, -1] as [Int64])
    func aRequestWaitsADay(later: Int64) async throws {
        let place = try Place()
        try await made(place)
        let keys = Received<String>()
        try place.write("answer", "an answer")
        let outcome = try await reading(place, keys, now: 1_790_000_000 + later).run(
            "import", place.folder + "/answer", "--preview")
        #expect((outcome.code == .success) == (later == 86_399) && keys.all.isEmpty == (later != 86_399))
        #expect((place.text("run/keyway/exchange-request") == nil) == (later != 86_399))
    }

    @Test func aNewRequestTakesThePlaceOfTheOneThatWaitsOnlyIfThePersonSaysSo() async throws {
        let place = try Place()
        try await made(place)
        let second = place.folder + "/second"
        #expect(try await trial(place).run("import", "--request", second).code == .needsPerson)
        #expect(
            try await trial(place, answers: [("Make a new request", "n")]).run("import", "--request", second).code
                == .cancelled)
        #expect(place.text("second") == nil)
        #expect(try await trial(place).run("import", "--request", second, "--yes").code == .success)
    }
}
