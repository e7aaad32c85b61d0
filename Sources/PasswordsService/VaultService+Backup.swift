import AutoFillProtocol
import AutoFillWire
import FoundationEssentials
import Glibc
import KeywayCrypto
import KeywaySystem
import PasswordsProtocol
import Vault

/// Backups: a checked copy of the vault as it is, and a checked copy that takes its place.
extension VaultService {
    /// The longest file that is taken for a backup: 4 GiB.
    private static let longestBackup = Int64(1) << 32

    // MARK: - Making one

    /// Copies the vault, open or locked, and checks the copy: every seal where it is open, else the structure.
    ///
    /// - Throws: `refused` for anybody but a terminal, `notFound`, `damaged`, `system`, `busy`, `cancelled`.
    func backUp(for client: ServiceClient) async throws -> BackUpVault.Result {
        try requireTerminal(client)
        return try await copying.pass {
            guard fileExists else { throw missing }
            // While the key is renewed, the connection to the file is in a transaction of its own.
            await changeEnd()
            let (copy, key) = try answering { () throws(VaultError) in try copyVault() }
            let items = try await checking { () throws(VaultError) in
                if let key { try copy.check(with: key).items } else { try copy.checkStructure() }
            }
            let number = Glibc.open(copy.path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
            guard number >= 0 else { throw ProtocolError.system("open", errno) }
            surroundings.log("made a copy for a backup")
            return .init(file: Attachment(OwnedDescriptor(number)), items: items, isEveryItemChecked: key != nil)
        }
    }

    private func copyVault() throws(VaultError) -> (VaultCopy, SecretKey?) {
        let path = surroundings.vaultPath
        // It is open to somebody: that this client gets the sealed copy, and the check is a better one, opens nothing to it.
        if let open, !isIdle {
            let (copy, key) = try open.vault.copy(beside: path)
            return (copy, key)
        }
        return (try LockedVault.open(at: path, environment: environment).copy(beside: path), nil)
    }

    /// Notes that a backup lies where the person wanted it.
    ///
    /// - Throws: `refused`, `notFound`, `damaged`, `system`.
    func note(_ parameters: NoteBackup.Parameters, for client: ServiceClient) throws(ProtocolError) -> Nothing {
        try requireTerminal(client)
        guard fileExists else { throw missing }
        let vault = try answering { () throws(VaultError) in
            if let open { return open.vault.id }
            return try LockedVault.open(at: surroundings.vaultPath, environment: environment).id
        }
        let milliseconds = environment.clock.milliseconds
        do {
            try backupRecord.write(
                .init(time: milliseconds, isEveryItemChecked: parameters.isEveryItemChecked), of: vault)
        } catch {
            surroundings.log("the backup could not be noted: \(error)")
            throw ProtocolError(.system, "The backup is made, but Keyway couldn't note that. Run: keyway doctor")
        }
        surroundings.log("a backup was made")
        return Nothing()
    }

    // MARK: - Restoring one

    /// A backup that was opened: the file, its key, and what is in it.
    private struct Candidate {
        let copy: VaultCopy
        let key: SecretKey
        let findings: VaultCopy.Findings
        let isOlder: Bool
    }

    /// Opens a backup and everything in it.
    ///
    /// - Throws: `refused`, also for a newer format; `wrongPassword`, after which the next attempt waits; `damaged`,
    ///   `invalidParameters`, `system`, `busy`, `cancelled`.
    func check(
        _ parameters: CheckBackup.Parameters, for client: ServiceClient
    ) async throws -> CheckBackup.Result {
        try requireTerminal(client)
        let candidate: Candidate = try await turnstile.pass {
            try await opened(parameters.file, parameters.masterPassword)
        }
        return .init(items: candidate.findings.items, isOlder: candidate.isOlder)
    }

    /// Makes a backup the vault. The one that is there is kept under another name, and is the vault still where anything
    /// fails.
    ///
    /// - Throws: as ``check(_:for:)``; `notVerified`; `exists` where there is a vault and `replaces` is not set; `refused`
    ///   for an older state that the person has not accepted.
    func restore(
        _ parameters: RestoreBackup.Parameters, for client: ServiceClient, _ gate: HandoutGate = .open
    ) async throws -> RestoreBackup.Result {
        try requireTerminal(client)
        try requireSession(client)
        guard parameters.replaces || !fileExists else { throw alreadyThere }
        try await gate.replacement()
        return try await turnstile.pass {
            let candidate = try await opened(parameters.file, parameters.masterPassword)
            await changeEnd()
            // From here on nothing waits: nobody opens the vault in between.
            guard parameters.replaces || !fileExists else { throw alreadyThere }
            guard !candidate.isOlder || parameters.acceptsOlderCopy else {
                throw ProtocolError(
                    .refused,
                    "The backup is older than the vault as it was last used here. To restore it all the same, say so.")
            }
            lock("a backup takes its place")
            let path = surroundings.vaultPath
            do {
                let (former, _) = try candidate.copy.takePlace(of: path, stamp: stamp) {
                    try finish(
                        try LockedVault.open(at: path, environment: environment), with: candidate.key,
                        acceptsOlderCopy: parameters.acceptsOlderCopy, for: client)
                }
                surroundings.log("restored a backup")
                return .init(status: status(for: client), former: former)
            } catch let error as VaultError {
                throw ProtocolError(error)
            }
        }
    }

    /// Takes a backup into a file of our own, and opens everything in it: what is checked is what may take the place.
    private func opened(_ file: Attachment, _ password: Attachment) async throws(ProtocolError) -> Candidate {
        try await waitAfterFailure()
        let password = try masterPassword(password, isNew: false)
        let path = surroundings.vaultPath
        let copy = try answering { () throws(VaultError) in try VaultCopy(beside: path) }
        try await filling { () throws(ProtocolError) in try Self.fill(copy, from: file.descriptor) }
        let slot = try await checking { () throws(VaultError) in
            _ = try copy.checkStructure()
            return try copy.slot()
        }
        // A right password for a backup is no right one for the vault: it takes back no wait.
        let key = try await derive(isOfVault: false) { () throws(VaultError) in try slot.open(password) }
        let findings = try await checking { () throws(VaultError) in try copy.check(with: key) }
        await epochs.recall(findings.vault)
        // Where the note cannot be read, nobody knows: the person decides.
        let newest = (try? epochs.newest(of: findings.vault) ?? 0) ?? .max
        return Candidate(copy: copy, key: key, findings: findings, isOlder: findings.epoch < newest)
    }

    private static func fill(_ copy: VaultCopy, from source: OwnedDescriptor) throws(ProtocolError) {
        var status = stat()
        guard fstat(source.rawValue, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            throw ProtocolError(.invalidParameters, "The backup isn't a file. Nothing was changed.")
        }
        guard status.st_size <= longestBackup else {
            throw ProtocolError(.invalidParameters, "The backup is longer than 4 GiB. Nothing was changed.")
        }
        let number = Glibc.open(copy.path, O_WRONLY | O_CLOEXEC | O_NOFOLLOW)
        guard number >= 0 else { throw ProtocolError.system("open", errno) }
        let target = OwnedDescriptor(number)
        guard WholeTransfer.copy(from: source.rawValue, to: target.rawValue, limit: Int(longestBackup)) else {
            let isFull = errno == ENOSPC || errno == EDQUOT
            throw ProtocolError(
                .system,
                isFull
                    ? "The disk is too full to restore the backup. Nothing was changed."
                    : "The backup couldn't be copied: \(SystemCall.describe(errno)). Nothing was changed.")
        }
    }

    /// Runs what takes long beside the service.
    private func filling(_ body: @escaping @Sendable () throws(ProtocolError) -> Void) async throws(ProtocolError) {
        let outcome = try? await derivations.run { () throws(VaultError) in Result(catching: body) }
        try outcome?.get()
    }

    /// Checks a copy beside the service. What is wrong with it is said of the backup, not of the vault.
    private func checking<Value: Sendable>(
        _ body: @escaping @Sendable () throws(VaultError) -> Value
    ) async throws(ProtocolError) -> Value {
        let value: Value
        do {
            value = try await derivations.run(body)
        } catch {
            throw ProtocolError(ofBackup: error)
        }
        guard !Task.isCancelled else { throw ProtocolError(.cancelled, "The request was cancelled.") }
        return value
    }

    private var alreadyThere: ProtocolError {
        ProtocolError(VaultError(.exists, "", place: surroundings.vaultPath))
    }

    /// When this is, for the name of a file: in universal time.
    private var stamp: String {
        var time = time_t(environment.clock.seconds)
        var parts = tm()
        gmtime_r(&time, &parts)
        func two(_ number: Int32) -> String { number < 10 ? "0\(number)" : "\(number)" }
        return "\(Int(parts.tm_year) + 1900)-\(two(parts.tm_mon + 1))-\(two(parts.tm_mday))"
            + "T\(two(parts.tm_hour))\(two(parts.tm_min))\(two(parts.tm_sec))Z"
    }

    /// Backups are a matter between the vault and a person in a terminal.
    private func requireTerminal(_ client: ServiceClient) throws(ProtocolError) {
        try requireTerminal(client, "Backups are made and restored in a terminal. Run: keyway passwords backup")
    }

    /// Refuses what is a matter between the vault and a person in a terminal to anybody else.
    func requireTerminal(_ client: ServiceClient, _ words: String) throws(ProtocolError) {
        guard case .terminal = client else { throw ProtocolError(.refused, words) }
    }
}

extension ProtocolError {
    /// What a client learns of a backup that could not be made, or opened.
    fileprivate init(ofBackup error: VaultError) {
        switch error.code {
        case .damaged:
            self.init(.damaged, "The backup is damaged (\(error.detail)). Nothing was changed. Try an older backup.")
        case .unsupported:
            self.init(
                .refused,
                "A newer version of Keyway made the backup (\(error.detail)). Nothing was changed. Update Keyway first."
            )
        case .weakDerivation, .excessiveDerivation:
            self.init(
                .refused,
                "The backup wasn't opened (\(error.detail)): another program wrote or changed it. "
                    + "Nothing was changed.")
        case .storage, .storageFull, .outOfMemory, .conflict:
            self.init(.system, "The backup couldn't be checked (\(error.detail)). \(error.advice)")
        case .wrongPassword, .locked, .rolledBack, .notFound, .exists, .invalid: self.init(error)
        }
    }
}
