import AutoFillWire
import CredentialExchange
import KeywayCrypto
import KeywaySystem
import PasswordsProtocol

/// `keyway export`.
struct ExportCommand {
    let context: CommandContext

    /// The format that the vault itself writes.
    private static let document = "cxf"
    /// The one that is encrypted for a request.
    private static let package = "cxp"
    /// The one that is encrypted under a password.
    private static let database = "kdbx"

    private var path: String { context.invocation.argument("PATH") ?? "" }
    private var format: String {
        context.invocation.value("--format") ?? (context.invocation.value("--to") == nil ? Self.document : Self.package)
    }
    private var isEncrypted: Bool { [Self.package, Self.database].contains(format) }

    func run() async throws {
        let replaces = context.invocation.has("--force")
        try checkOptions()
        try PrivateFile.check(path, replaces: replaces)
        let recipient: ExportRecipient?
        if let request = context.invocation.value("--to") {
            recipient = try await ExportRecipient(request, of: context)
        } else {
            recipient = nil
        }
        try await VaultDoor(context: context).openUnlocked { service in
            try confirm()
            let exported = try await export(service)
            let document = try SealedDocument(
                received: exported.document.descriptor, limit: SealedDocument.maximumExport)
            let (file, written) = try await convert(document, recipient)
            try PrivateFile.copy(file.descriptor, to: path, replaces: replaces)
            try ExportAccount(
                context: context, path: path, format: format, isEncrypted: isEncrypted, exported: exported,
                written: written
            ).show()
        }
    }

    private func checkOptions() throws(CommandError) {
        let names = ["--to", "--fingerprint"].filter { context.invocation.value($0) != nil }
        let isRight = format == Self.package ? names.contains("--to") : names.isEmpty
        guard isRight else {
            let message = format == Self.package ? Strings.recipientIsMissing : Strings.recipientIsForPackages
            throw CommandError(.usage, message, hint: Strings.seeHelp(context.invocation.path))
        }
    }

    /// A script says by an option that it knows what it gets; the master password it needs all the same.
    private func confirm() throws(CommandError) {
        guard !isEncrypted, !context.invocation.has("--yes") else { return }
        let isSure = try context.questions.confirm(
            Strings.confirmExport(path), elseHint: Strings.confirmByOption)
        guard isSure else { throw CommandError(.cancelled, Strings.nothingExported) }
    }

    /// Asks for the master password, whatever was given before; a person may try again.
    private func export(_ service: Connection) async throws -> ExportDocument.Result {
        for attempt in 1... {
            let password = try context.questions.secret(Strings.masterPassword)
            do {
                return try await service.call(
                    ExportDocument.self, .init(masterPassword: try password.attached()))
            } catch {
                let mayTryAgain = error.code == .wrongPassword && attempt < Questions.attempts
                guard mayTryAgain, context.questions.areTyped else { throw error }
                try context.say(error.message)
            }
        }
        throw CommandError(.wrongPassword, Strings.cancelled)
    }

    /// The file as the other program reads it, and what is told of it; the vault's document as it is, where that is wanted.
    private func convert(
        _ document: SealedDocument, _ recipient: ExportRecipient?
    ) async throws -> (SealedDocument, ExportReport?) {
        guard format != Self.document else { return (try Self.withoutFiles(document), nil) }
        let secret = try recipient?.request ?? password()
        let (write, format) = (context.surroundings.writeExport, format)
        let outcome = try await WaitingDisplay(context: context).perform(
            Strings.writingFile(path), nil, isLong: document.count >= WaitingDisplay.leastBytes, mayCancel: true
        ) {
            try await write(.write(document, format: format, with: secret))
        }
        guard case .file(let file, let told) = outcome else { throw CommandError(outcome, of: path) }
        guard let report = told.withUnsafeBytes(ExportReport.init) else {
            throw CommandError(.failure, Strings.readerIsWrong(path))
        }
        return (file, report)
    }

    /// The document alone: its format has no place for what is in files.
    private static func withoutFiles(_ document: SealedDocument) throws -> SealedDocument {
        let mapping = try document.map()
        guard let bundle = try? ExchangeBundle(mapping.bytes), bundle.count > 0 else { return document }
        return try SealedDocument(limit: SealedDocument.maximumExport) { (write) throws(ProtocolError) in
            try write(bundle.document)
        }
    }

    /// The password of a new database; nil for what has none.
    private func password() throws(CommandError) -> SecretBytes? {
        guard format == Self.database else { return nil }
        let password = try context.questions.newSecret(Strings.passwordOfNewFile(path), confirmsInput: false)
        guard !password.isEmpty else { throw CommandError(.failure, Strings.emptyPasswordOfNewFile) }
        return password
    }
}
