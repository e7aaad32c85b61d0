import AutoFillProtocol
import AutoFillWire
import KeywayCrypto
import PasswordsProtocol

/// Connects to the vault's service, and asks for the master password if the vault is locked.
struct VaultDoor {
    let context: CommandContext

    /// Asks the broker for a conversation with the service, which may call `methods`, and lends it to `body`.
    func open<Result>(
        methods: MethodTable = MethodTable(), _ body: (Connection) async throws -> Result
    ) async throws -> Result {
        let broker = try await context.connect()
        defer { broker.close() }
        let answer: ConnectService.Result
        do {
            answer = try await broker.call(ConnectService.self, .init(provider: PasswordsProvider.identifier))
        } catch {
            guard [.noProvider, .disabled].contains(error.code) else { throw error }
            throw CommandError(
                .notFound, Strings.passwordsDisabled, hint: Strings.enable(PasswordsProvider.identifier))
        }
        let service = Connection(
            descriptor: answer.connection.descriptor, peer: .known(.providerService), methods: methods)
        service.start()
        defer { service.close() }
        return try await body(service)
    }

    /// Like ``open(methods:_:)``, for what needs the vault open: on a terminal, the master password is asked for if it is not.
    func openUnlocked<Result>(
        methods: MethodTable = MethodTable(), _ body: (Connection) async throws -> Result
    ) async throws -> Result {
        try await open(methods: methods) { service in
            let status = try await service.call(VaultStatus.self, Nothing())
            switch status.access {
            case .open: break
            case .missing: throw CommandError(.notFound, Strings.noVault, hint: Strings.makeVault)
            case .locked:
                guard context.questions.areTyped else {
                    throw CommandError(.needsPerson, Strings.vaultLocked, hint: Strings.unlockVault)
                }
                if context.surroundings.isInBackground() {
                    throw CommandError(.needsPerson, Strings.vaultLockedInBackground, hint: Strings.bringToForeground)
                }
                _ = try await unlock(service, acceptsOlderCopy: false)
            }
            return try await body(service)
        }
    }

    /// Asks for the master password and opens the vault; a person may try again.
    func unlock(_ service: Connection, acceptsOlderCopy: Bool) async throws -> VaultStatus.Result {
        var attempt = 1
        while true {
            let password = try context.questions.secret(Strings.masterPassword)
            // After a wrong one, that was said with it.
            if attempt == 1 {
                let wait = try await service.call(VaultStatus.self, Nothing()).attemptWait
                if wait > 0 { try context.say(Strings.attemptWaits(wait)) }
            }
            let parameters = UnlockVault.Parameters(
                masterPassword: try password.attached(), acceptsOlderCopy: acceptsOlderCopy)
            do {
                return try await service.call(UnlockVault.self, parameters)
            } catch {
                let mayTryAgain = error.code == .wrongPassword && attempt < Questions.attempts
                guard mayTryAgain, context.questions.areTyped else { throw error }
                try context.say(error.message)
                attempt += 1
            }
        }
    }
}
