import AutoFillWire
import KeywayCrypto
import PasswordsProtocol

/// `keyway passwords init`, `unlock`, `lock`, `change-master` and `renew-key`.
struct VaultCommand {
    let context: CommandContext

    func create() async throws {
        try await VaultDoor(context: context).open { service in
            let before = try await service.call(VaultStatus.self, Nothing())
            guard before.access == .missing else {
                throw CommandError(.exists, Strings.vaultExists(before.path), hint: Strings.unlockVault)
            }
            let password = try NewMasterPassword(context: context).own()
            let status = try await service.call(
                CreateVault.self, .init(masterPassword: try password.attached(), derivation: derivation))
            try report(status, Strings.vaultMade(status.path))
        }
    }

    func unlock() async throws {
        try await VaultDoor(context: context).open { service in
            let before = try await service.call(VaultStatus.self, Nothing())
            guard before.access != .missing else {
                throw CommandError(.notFound, Strings.noVault, hint: Strings.makeVault)
            }
            let status = try await VaultDoor(context: context).unlock(
                service, acceptsOlderCopy: context.invocation.has("--accept-older-copy"))
            try report(status, Strings.vaultOpen(status))
        }
    }

    func lock() async throws {
        try await VaultDoor(context: context).open { service in
            _ = try await service.call(LockVault.self, Nothing())
            try report(try await service.call(VaultStatus.self, Nothing()), Strings.vaultIsLocked)
        }
    }

    func changeMasterPassword() async throws {
        try await renew(saying: Strings.masterPasswordChanged) { service in
            let old = try context.questions.secret(Strings.oldMasterPassword)
            let new = try NewMasterPassword(context: context).own()
            let derivation = derivation
            return {
                _ = try await service.call(
                    ChangeMasterPassword.self,
                    .init(old: try old.attached(), new: try new.attached(), derivation: derivation))
            }
        }
    }

    func renewKey() async throws {
        try await renew(saying: Strings.keyRenewed) { service in
            let password = try context.questions.secret(Strings.masterPassword)
            return { _ = try await service.call(RenewVaultKey.self, .init(masterPassword: try password.attached())) }
        }
    }

    /// Asks what is needed, has the key of the vault renewed, and shows how far that is.
    private func renew(
        saying message: String, _ ask: (Connection) throws -> @Sendable () async throws -> Void
    ) async throws {
        let display = ProgressDisplay(context)
        try await VaultDoor(context: context).open(methods: display.methods) { service in
            let status = try await service.call(VaultStatus.self, Nothing())
            guard status.access != .missing else {
                throw CommandError(.notFound, Strings.noVault, hint: Strings.makeVault)
            }
            try await display.perform(.init(title: Strings.renewing, text: Strings.renewed), try ask(service))
            try report(try await service.call(VaultStatus.self, Nothing()), message)
        }
    }

    /// Both or none: who names one means the default for the other.
    private var derivation: DerivationParameters? {
        let memory = context.invocation.number("--memory")
        let passes = context.invocation.number("--passes")
        guard memory != nil || passes != nil else { return nil }
        let usual = PasswordDerivation.standard
        return DerivationParameters(memory: memory ?? Int(usual.memoryMiB), passes: passes ?? Int(usual.passes))
    }

    private func report(_ status: VaultStatus.Result, _ message: String) throws(CommandError) {
        guard context.wantsJSON else { return try context.say(message) }
        try context.print(
            .object([
                ("access", .string(status.access.rawValue)),
                ("path", .string(status.path)),
                ("items", status.items.map(JSONValue.integer) ?? .null),
                ("idleLimit", .integer(status.idleLimit)),
                ("backup", status.backup.map { .string(CalendarTime.universal($0.time)) } ?? .null),
            ]), text: "")
    }
}
