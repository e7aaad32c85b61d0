import AutoFillWire
import Glibc
import KeywayCrypto
import KeywaySystem
import PasswordsProtocol

/// `keyway passwords backup` and `restore-backup`.
struct BackupCommand {
    let context: CommandContext

    private var path: String { context.invocation.argument("PATH") ?? "" }

    func make() async throws {
        let replaces = context.invocation.has("--force")
        try PrivateFile.check(path, replaces: replaces)
        try await VaultDoor(context: context).open { service in
            let copy = try await service.call(BackUpVault.self, Nothing())
            try PrivateFile.copy(copy.file.descriptor, to: path, replaces: replaces)
            _ = try await service.call(NoteBackup.self, .init(isEveryItemChecked: copy.isEveryItemChecked))
            guard context.wantsJSON else { return try context.say(Strings.backedUp(copy, path)) }
            try context.print(
                .object([
                    ("path", .string(path)), ("items", .integer(copy.items)),
                    ("everyItemChecked", .bool(copy.isEveryItemChecked)),
                ]), text: "")
        }
    }

    func restore() async throws {
        let file = try openBackup()
        try await VaultDoor(context: context).open { service in
            let before = try await service.call(VaultStatus.self, Nothing())
            let replaces = before.access != .missing
            guard !replaces || context.invocation.has("--replace") else {
                throw CommandError(.exists, Strings.vaultExists(before.path), hint: Strings.replaceVault)
            }
            let (password, found) = try await check(file, service)
            try confirm(found, replaces: replaces)
            let restored = try await service.call(
                RestoreBackup.self,
                .init(
                    file: Attachment(file), masterPassword: try password.attached(), replaces: replaces,
                    acceptsOlderCopy: found.isOlder))
            guard context.wantsJSON else {
                try context.say(Strings.restoredBackup(found.items))
                if let former = restored.former { try context.say(Strings.formerVault(former)) }
                return
            }
            try context.print(
                .object([
                    ("path", .string(restored.status.path)), ("items", .integer(found.items)),
                    ("former", .optional(restored.former)),
                ]), text: "")
        }
    }

    // MARK: - Steps

    private func openBackup() throws(CommandError) -> OwnedDescriptor {
        // What is no file, such as a pipe, must not keep the command waiting.
        let number = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard number >= 0 else {
            let reason = errno
            throw CommandError(
                reason == ENOENT ? .notFound : .failure, Strings.cannotRead(path, SystemCall.describe(reason)))
        }
        let file = OwnedDescriptor(number)
        var status = stat()
        guard fstat(number, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            throw CommandError(.failure, Strings.noBackup(path))
        }
        return file
    }

    /// Asks for the master password and has everything in the backup opened; a person may try again.
    private func check(
        _ file: OwnedDescriptor, _ service: Connection
    ) async throws -> (SecretBytes, CheckBackup.Result) {
        for attempt in 1... {
            let password = try context.questions.secret(Strings.masterPasswordOfBackup)
            do {
                let parameters = CheckBackup.Parameters(
                    file: Attachment(file), masterPassword: try password.attached())
                return (password, try await service.call(CheckBackup.self, parameters))
            } catch {
                let mayTryAgain = error.code == .wrongPassword && attempt < Questions.attempts
                guard mayTryAgain, context.questions.areTyped else { throw error }
                try context.say(error.message)
            }
        }
        throw CommandError(.wrongPassword, Strings.cancelled)
    }

    private func confirm(_ found: CheckBackup.Result, replaces: Bool) throws(CommandError) {
        guard replaces || found.isOlder, !context.invocation.has("--yes") else { return }
        let isSure = try context.questions.confirm(
            Strings.confirmRestoring(found, replaces: replaces), elseHint: Strings.confirmByOption)
        guard isSure else { throw CommandError(.cancelled, Strings.nothingRestored) }
    }
}
