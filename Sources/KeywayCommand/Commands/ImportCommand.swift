import CredentialExchange
import Glibc
import KeywayCrypto
import KeywaySystem

/// `keyway import`: reads what other programs exported, shows it, and has it stored.
struct ImportCommand {
    let context: CommandContext

    private var paths: [String] { context.invocation.arguments("FILE") }

    func run() async throws {
        let invocation = context.invocation
        guard !invocation.has("--undo") else {
            let others = ["--preview", "--columns", "--reveal", "--conflicts", "--from", "--list-browsers"]
            guard paths.isEmpty, !others.contains(where: invocation.has) else { throw usage(Strings.undoIsAlone) }
            return try await ImportStoring(context: context).undo()
        }
        if let request = invocation.value("--request") {
            let others = [
                "--preview", "--columns", "--reveal", "--conflicts", "--key-file", "--from", "--list-browsers",
            ]
            guard paths.isEmpty, !others.contains(where: invocation.has) else { throw usage(Strings.requestIsAlone) }
            return try await RequestCommand(context: context).run(request)
        }
        guard !invocation.has("--list-browsers") else {
            let others = ["--preview", "--columns", "--reveal", "--conflicts", "--from", "--yes", "--key-file"]
            guard paths.isEmpty, !others.contains(where: invocation.has) else { throw usage(Strings.listIsAlone) }
            return try await BrowserImport(context: context).list()
        }
        let sources = invocation.values("--from")
        guard !paths.isEmpty || !sources.isEmpty else { throw usage(Strings.fileIsMissing) }
        guard sources.isEmpty || paths.isEmpty && !["--columns", "--key-file"].contains(where: invocation.has) else {
            throw usage(Strings.fromIsAlone)
        }
        guard !invocation.has("--reveal") || invocation.has("--preview") && context.wantsJSON else {
            throw usage(Strings.revealNeedsJSON)
        }
        let columns = try self.columns()
        var exports: [ReadExport] = []
        if !sources.isEmpty { exports = try await BrowserImport(context: context).read(sources) }
        for path in paths { exports.append(try await read(path, columns)) }
        guard !invocation.has("--preview") else {
            return try ImportPreview(context: context, exports: exports).show()
        }
        try await ImportStoring(context: context).store(exports)
        if !sources.isEmpty, !context.wantsJSON { try BrowserImport(context: context).sayHowToTurnOff(sources) }
    }

    private func usage(_ message: String) -> CommandError {
        CommandError(.usage, message, hint: Strings.seeHelp(context.invocation.path))
    }

    // MARK: - Reading

    /// What was said of the columns: `title=Name,url=Website`, as often as needed.
    private func columns() throws(CommandError) -> [String] {
        let columns = context.invocation.values("--columns").flatMap { $0.split(separator: ",").map(String.init) }
        for column in columns {
            guard let equals = column.firstIndex(of: "="), Self.roles.contains(String(column[..<equals])),
                column.index(after: equals) < column.endIndex
            else {
                throw CommandError(
                    .usage, Strings.noColumn(column), hint: Strings.columnsAre(Self.roles))
            }
        }
        return columns
    }

    /// What a column may be said to hold.
    static let roles = [
        "title", "username", "password", "url", "notes", "otp", "folder", "favorite", "tags", "created", "modified",
        "field", "hidden",
    ]

    /// Reads a file. Its password is asked for where it has one; who types it may try again.
    private func read(_ path: String, _ columns: [String]) async throws -> ReadExport {
        let file = try ExportFile(path)
        var (request, attempt) = (ExportReader.Request(file: try await content(of: file), columns: columns), 0)
        request.keyFile = try keyFile()
        var answer: AnswerOpening?
        while true {
            let (read, asked) = (context.surroundings.readExport, request)
            let outcome = try await WaitingDisplay(context: context).perform(
                Strings.readingFile(path), nil, isLong: file.count >= WaitingDisplay.leastBytes, mayCancel: true
            ) { try await read(asked) }
            switch outcome {
            case .document(let document):
                try answer?.note()
                return ReadExport(
                    file: file, document: document,
                    isProtected: request.password != nil || file.isEncrypted || answer != nil, isAnswer: answer != nil)
            case .failure(let failure) where failure.code == .needsRequestKeys && answer == nil:
                let opening = try AnswerOpening(file, of: context)
                (request.file, request.keyFile) = (opening.document.descriptor, opening.keys)
                answer = opening
            case .failure(let failure) where failure.code == .needsPassword && request.password == nil:
                request.password = try askForPassword(path, &attempt)
            case .failure(let failure)
            where failure.code == .needsMemory && failure.memory ?? 0 > request.derivationMemory:
                request.derivationMemory = try allow(UInt64(clamping: failure.memory ?? 0), of: path)
            case .failure(let failure):
                let error = CommandError(failure, of: path, hasPassword: request.password != nil)
                if failure.code == .wrongPassword, request.password == nil {
                    // The key file alone doesn't open it: there is a password, too, which may be empty.
                    guard let password = try further(path, &attempt) else { throw error }
                    request.password = password
                    continue
                }
                guard error.code == .wrongPassword, context.questions.areTyped, attempt < Questions.attempts else {
                    throw error
                }
                try context.say(error.message)
                request.password = try askForPassword(path, &attempt)
            case .ended(let status): throw CommandError(ended: status, of: path)
            }
        }
    }

    /// What there is to read: of a folder of `pass`, what gpg decrypted. Nothing else uses the terminal meanwhile: a pinentry
    /// may be there.
    private func content(of file: ExportFile) async throws -> OwnedDescriptor {
        guard file.isPasswordStore else { return file.descriptor }
        try context.say(Strings.decrypting(file.path))
        return try await context.surroundings.readPass(
            file.descriptor, file.path, context.surroundings.environment)
    }

    /// What is in the key file that was named; nil where none was.
    private func keyFile() throws(CommandError) -> SecretBytes? {
        guard let path = context.invocation.value("--key-file") else { return nil }
        let file = try ExportFile(path)
        guard (1...Self.longestKeyFile).contains(file.count) else {
            throw CommandError(.refused, Strings.noKeyFile(path))
        }
        return SecretBytes(upTo: file.count) { room in
            WholeTransfer.read(into: room, from: file.descriptor.rawValue, at: 0) ?? 0
        }
    }

    /// As many bytes as keyway-import-reader takes.
    private static let longestKeyFile = 8 << 20

    /// The memory that deriving a file's key takes: what is much, the person allows.
    private func allow(_ memory: UInt64, of path: String) throws(CommandError) -> UInt64 {
        guard memory > ExportReader.usualDerivation, !context.invocation.has("--yes") else { return memory }
        let isSure = try context.questions.confirm(
            Strings.allowMemory(path, memory >> 20), elseHint: Strings.confirmByOption)
        guard isSure else { throw CommandError(.cancelled, Strings.nothingImported) }
        return memory
    }

    /// The password that a file has beside its key file; nil where nobody is there to say one.
    private func further(_ path: String, _ attempt: inout Int) throws(CommandError) -> SecretBytes? {
        do {
            return try askForPassword(path, &attempt)
        } catch  where error.code == .needsPerson {
            return nil
        }
    }

    private func askForPassword(_ path: String, _ attempt: inout Int) throws(CommandError) -> SecretBytes {
        attempt += 1
        return try context.questions.secret(Strings.passwordOfFile(path))
    }
}

extension CommandError {
    /// What it means that a file couldn't be read.
    fileprivate init(_ failure: ImportFailure, of path: String, hasPassword: Bool) {
        let isWrong = failure.code == .wrongPassword || failure.code == .needsPassword && hasPassword
        let code: ExitCode =
            switch failure.code {
            case .needsPassword, .wrongPassword: .wrongPassword
            case .damaged, .damagedKeyFile: .damaged
            case .unsupported, .tooLarge, .needsMemory, .tooCostly, .needsRequestKeys, .otherRequest: .refused
            case .unknownFormat, .failed: .failure
            }
        guard !isWrong else {
            self.init(code, Strings.wrongPasswordOfFile(path), hint: failure.advice)
            return
        }
        let detail = failure.place?.saying(failure.detail) ?? failure.detail
        let hint = failure.code == .unknownFormat ? Strings.nameColumns(failure.advice) : failure.advice
        self.init(code, Strings.notImported(path, detail), hint: hint)
    }

    /// What it means that the reader of files ended without a word.
    fileprivate init(ended status: CInt, of path: String) {
        switch (status & 0x7F, status >> 8 & 0xFF) {
        // The kernel ends what takes too long; what gets no more memory ends itself.
        case (SIGKILL, _), (SIGXCPU, _), (SIGXFSZ, _), (SIGILL, _), (SIGTRAP, _), (SIGABRT, _), (SIGSEGV, _),
            (SIGBUS, _):
            self.init(.refused, Strings.tooMuchToRead(path), hint: Strings.exportInParts)
        default:
            self.init(.failure, Strings.readerFailed(path, ChildProcess.describe(status: status)))
        }
    }
}
