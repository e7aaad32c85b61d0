import AutoFillProtocol
import AutoFillWire
import KeywayCrypto
import KeywaySystem
import PasswordsProtocol
import Vault

extension VaultService {
    /// Makes an empty vault and leaves it open to `client`.
    ///
    /// - Throws: `exists`, `invalidParameters`, `refused` for a derivation that is too weak or too costly, `system`.
    func create(
        _ parameters: CreateVault.Parameters, for client: ServiceClient
    ) async throws -> VaultStatus.Result {
        try requireSession(client)
        let password = try masterPassword(parameters.masterPassword, isNew: true)
        let derivation = try Self.derivation(parameters.derivation) ?? .standard
        return try await turnstile.pass {
            guard !fileExists else { throw ProtocolError(VaultError(.exists, "", place: surroundings.vaultPath)) }
            let (path, environment) = (surroundings.vaultPath, environment)
            let key = try await derive { () throws(VaultError) in
                try Vault.create(at: path, password: password, derivation: derivation, environment: environment)
            }
            surroundings.log("made a vault")
            let locked = try answering { () throws(VaultError) in
                try LockedVault.open(at: path, environment: environment)
            }
            try finish(locked, with: key, acceptsOlderCopy: false, for: client)
            return status(for: client)
        }
    }

    /// Opens the vault to `client`, or, where it is open to others, checks the password and lets `client` in as well.
    ///
    /// - Throws: `wrongPassword`, after which the next attempt waits; `notFound`, `damaged`, `refused` for an older
    ///   copy, `locked` when the vault was locked meanwhile, `busy` when too many try, `cancelled`.
    func unlock(
        _ parameters: UnlockVault.Parameters, for client: ServiceClient
    ) async throws -> VaultStatus.Result {
        try requireSession(client)
        let password = try masterPassword(parameters.masterPassword, isNew: false)
        return try await turnstile.pass {
            try await waitAfterFailure()
            noticeRemovedFile()
            try await unlock(with: password, acceptsOlderCopy: parameters.acceptsOlderCopy, for: client)
            return status(for: client)
        }
    }

    /// Whether this is the master password; opens nothing, and counts wrong ones as every attempt does. Nothing typed is
    /// no attempt: it only asks whether there is a vault, and one that can be opened.
    ///
    /// - Throws: `notFound` where there is no vault, `damaged`, `busy` when too many try, `cancelled`.
    func checkMasterPassword(_ attachment: Attachment) async throws -> CheckMasterPassword.Result {
        let password = try masterPassword(attachment, isNew: false)
        guard fileExists else { throw missing }
        if password.isEmpty {
            _ = try knownSlot()
            return .init(isRight: false, vault: try? open?.vault.mark)
        }
        return try await turnstile.pass {
            try await waitAfterFailure()
            let known = try knownSlot()
            do throws(ProtocolError) {
                let mark = try await derive { () throws(VaultError) in try known.open(password).vaultMark }
                return .init(isRight: true, vault: mark)
            } catch {
                guard error.code == .wrongPassword else { throw error }
                return .init(isRight: false, vault: try? open?.vault.mark)
            }
        }
    }

    /// What a master password is compared with.
    private func knownSlot() throws(ProtocolError) -> PasswordSlot {
        if let open { return open.slot }
        let (path, environment) = (surroundings.vaultPath, environment)
        return try answering { () throws(VaultError) in
            try LockedVault.open(at: path, environment: environment).slot
        }
    }

    // MARK: - Steps

    private func unlock(
        with password: SecretBytes, acceptsOlderCopy: Bool, for client: ServiceClient
    ) async throws {
        if let open {
            let slot = open.slot
            try await derive { () throws(VaultError) in _ = try slot.open(password) }
            grants.grant(to: client)
            lastUse = surroundings.clock.nowWithSleep
            if !reports.isEmpty { await applyHeldReports() }
            return
        }
        let (path, environment) = (surroundings.vaultPath, environment)
        guard fileExists else { throw missing }
        let locked = try answering { () throws(VaultError) in
            try LockedVault.open(at: path, environment: environment)
        }
        let slot = locked.slot
        // Meanwhile: the derivation takes longer than the broker.
        async let recalled: Void = epochs.recall(locked.id)
        let key = try await derive { () throws(VaultError) in try slot.open(password) }
        await recalled
        try finish(locked, with: key, acceptsOlderCopy: acceptsOlderCopy, for: client)
    }

    func finish(
        _ locked: LockedVault, with key: SecretKey, acceptsOlderCopy: Bool, for client: ServiceClient
    ) throws(ProtocolError) {
        let vault = try answering { () throws(VaultError) in
            try locked.unlock(with: key, acceptingRollback: acceptsOlderCopy)
        }
        opened(OpenVault(vault: vault, slot: locked.slot), for: client)
        if let error = vault.epochMemoryError {
            surroundings.log("the newest state could not be noted: \(error)")
        }
    }

    /// Runs a derivation beside the service, and counts a wrong password.
    ///
    /// - Parameter isOfVault: whether it is the vault's password, so that a right one ends the wait after wrong ones.
    /// - Throws: besides what `body` does, `locked` when the vault was locked meanwhile, and `cancelled`.
    func derive<Value: Sendable>(
        isOfVault: Bool = true,
        _ body: @escaping @Sendable () throws(VaultError) -> Value
    ) async throws(ProtocolError) -> Value {
        let before = locks
        let value: Value
        do {
            value = try await derivations.run(body)
        } catch {
            guard error.code == .wrongPassword else { throw ProtocolError(error) }
            throttle.fail(at: surroundings.clock.nowWithSleep)
            surroundings.log("a wrong master password was given")
            noteFailures()
            let wait = throttle.delay.components.seconds
            throw ProtocolError(
                .wrongPassword, "\(ProtocolError(error).message) The next attempt waits \(wait) s.")
        }
        if isOfVault {
            throttle.succeed()
            noteFailures()
        }
        guard locks == before else {
            throw ProtocolError(.locked, "The vault was locked meanwhile. Run: keyway passwords unlock")
        }
        guard !Task.isCancelled else { throw ProtocolError(.cancelled, "The request was cancelled.") }
        return value
    }

    private func noteFailures() {
        do { try failureCount.write(throttle.failures) } catch {
            surroundings.log("wrong master passwords could not be counted: \(error)")
        }
    }

    func waitAfterFailure() async throws(ProtocolError) {
        while true {
            let wait = throttle.wait(at: surroundings.clock.nowWithSleep)
            guard wait > .zero else { return }
            do {
                try await surroundings.clock.sleep(for: wait, countingSleep: true)
            } catch {
                throw ProtocolError(.cancelled, "The request was cancelled.")
            }
        }
    }

    // MARK: - Parameters

    /// An unlock is granted to a session, so there must be one whose end can be seen.
    func requireSession(_ client: ServiceClient) throws(ProtocolError) {
        guard let session = client.terminalSession, !surroundings.presence.isPresent(session) else { return }
        throw ProtocolError(
            .refused,
            "This terminal session has no leading process any more, so nobody could say when it ends. "
                + "Open a new terminal and unlock there.")
    }

    func masterPassword(_ attachment: Attachment, isNew: Bool) throws(ProtocolError) -> SecretBytes {
        let password = try SecretBytes(attachment, "master password", limit: ItemBounds.masterPasswordBytes)
        guard !isNew || !password.isEmpty else {
            throw ProtocolError(.invalidParameters, "The master password is empty: choose one.")
        }
        return password
    }

    static func derivation(_ wanted: DerivationParameters?) throws(ProtocolError) -> PasswordDerivation? {
        guard let wanted else { return nil }
        guard let memory = UInt32(exactly: wanted.memory), let passes = UInt32(exactly: wanted.passes) else {
            throw ProtocolError(.invalidParameters, "The derivation has a number that is none.")
        }
        return PasswordDerivation(memoryMiB: memory, passes: passes)
    }
}
