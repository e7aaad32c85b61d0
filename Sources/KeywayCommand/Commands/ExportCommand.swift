import AutoFillWire
import KeywayCrypto
import KeywaySystem
import PasswordsProtocol

/// `keyway export`.
struct ExportCommand {
    let context: CommandContext

    private var path: String { context.invocation.argument("PATH") ?? "" }

    func run() async throws {
        let replaces = context.invocation.has("--force")
        try PrivateFile.check(path, replaces: replaces)
        try await VaultDoor(context: context).openUnlocked { service in
            try confirm()
            let exported = try await export(service)
            let document = try SealedDocument(received: exported.document.descriptor)
            try PrivateFile.copy(document.descriptor, to: path, replaces: replaces)
            try report(exported)
        }
    }

    /// A script says by an option that it knows what it gets; the master password it needs all the same.
    private func confirm() throws(CommandError) {
        guard !context.invocation.has("--yes") else { return }
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

    private func report(_ exported: ExportDocument.Result) throws {
        guard context.wantsJSON else {
            try context.say(Strings.exported(exported.items, path))
            guard exported.lossCount > 0 else { return }
            try context.say(Strings.leftOut(exported.lossCount))
            for loss in exported.losses { try context.say(Strings.loss(loss)) }
            if exported.lossCount > exported.losses.count {
                try context.say(Strings.moreMembers(exported.lossCount - exported.losses.count))
            }
            return
        }
        try context.print(
            .object([
                ("path", .string(path)), ("items", .integer(exported.items)),
                ("lossCount", .integer(exported.lossCount)),
                (
                    "losses",
                    .array(
                        exported.losses.map { loss in
                            .object([
                                ("title", .string(loss.title)), ("user", .string(loss.user)),
                                ("reason", .string(loss.reason)),
                            ])
                        })
                ),
            ]), text: "")
    }
}
