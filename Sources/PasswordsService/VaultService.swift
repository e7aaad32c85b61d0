package import AutoFillProtocol
import FoundationEssentials
import KeywayCrypto
package import KeywaySystem
import PasswordsProtocol
import Vault

/// The vault and its access rules: every request of a client of the service ends here.
///
/// Unlocking opens the vault only to the terminal session that gave the password and to the provider's own extension.
/// It locks by command and after idle time; ``VaultDaemon`` locks it when the session is locked or the computer sleeps,
/// and `BrokeredService` when the broker ends.
package actor VaultService {
    /// What the service takes from outside.
    package struct Surroundings: Sendable {
        /// Where the vault file lies.
        package var vaultPath: String
        /// Where the newest state that was seen is noted.
        package var epochFolder: String
        /// Where the newest state is remembered that nobody but the broker can write.
        package var versions: any VersionRegister = NoRegister()
        /// Where wrong master passwords are counted; nil for memory alone.
        package var failuresPath: String?
        /// Where the newest backup is noted; nil for nowhere.
        package var backupsPath: String?
        /// Where is noted how the last import is taken back; nil for nowhere.
        package var importPath: String?
        /// What the person has set.
        package var settings = PasswordsSettings()
        /// The time.
        package var clock: any TimeSource = SystemTimeSource()
        /// Which terminal sessions are there.
        package var presence: any SessionPresence = AttachedPresence()
        /// After how many seconds without use the administrator wants the vault locked at the latest; nil for any, or where
        /// nobody says.
        package var idleCeiling: @Sendable () async -> IdleCeiling = { .unknown }
        /// Where to say what happened.
        package var log = ServiceLog.standardError
        /// Hears that the vault is open, or locked. Called in order.
        package var onStateChange: @Sendable (ServiceState) -> Void = { _ in }
        /// Hears that the vault with the first name has the second one from now on.
        package var onRenewal: @Sendable (_ former: String, _ now: String) async -> Void = { _, _ in }
        /// Hears what there is to do for the identity store. Called in order.
        package var onIdentityJob: @Sendable (IdentityJob) -> Void = { _ in }
        /// Returns when the identity store knows of all jobs so far, or takes too long.
        package var identitiesTold: @Sendable () async -> Void = {}
        /// Lets others get their turn within work that takes a while.
        package var othersTurn: @Sendable () async -> Void = { await Task.yield() }

        /// The surroundings of a vault at `vaultPath`.
        package init(vaultPath: String, epochFolder: String) {
            self.vaultPath = vaultPath
            self.epochFolder = epochFolder
        }
    }

    /// An open vault with the slot that its master password opens.
    struct OpenVault {
        let vault: UnlockedVault
        var slot: PasswordSlot
    }

    let surroundings: Surroundings
    let environment: VaultEnvironment
    let epochs: RegisteredEpochs
    let derivations = DerivationThread()
    let turnstile = Turnstile(capacity: 4)
    /// One backup is made at a time.
    let copying = Turnstile(capacity: 4)
    let failureCount: FailureCount
    let backupRecord: BackupRecord
    let importRecord: ImportRecord
    var throttle: UnlockThrottle
    var grants: AccessGrants
    var open: OpenVault?
    /// Grows with every lock, so that an unlock notices one that came while it derived.
    var locks = 0
    var lastUse: MonotonicTime
    var idleTimer: Task<Void, Never>?
    /// What the administrator wants, as far as it was heard.
    var idleCeiling: Int?
    /// Whether something changes the vault that takes a while: a new key, an import; other changes wait until it is over.
    var isChanging = false
    var waitingForChange: [CheckedContinuation<Void, Never>] = []
    /// What sites reported while the vault was locked.
    var reports: [CredentialReport] = []

    /// A service of the vault in `surroundings`; nothing is opened yet.
    package init(_ surroundings: Surroundings) {
        self.surroundings = surroundings
        epochs = RegisteredEpochs(
            folder: EpochFolder(surroundings.epochFolder), register: surroundings.versions)
        environment = VaultEnvironment(epochs: epochs, clock: surroundings.clock)
        backupRecord = BackupRecord(path: surroundings.backupsPath)
        importRecord = ImportRecord(path: surroundings.importPath)
        grants = AccessGrants(presence: surroundings.presence)
        lastUse = surroundings.clock.nowWithSleep
        failureCount = FailureCount(path: surroundings.failuresPath)
        throttle = UnlockThrottle(failures: failureCount.read(), at: lastUse)
        VaultCopy.removeLeft(beside: surroundings.vaultPath)
    }

    // MARK: - Access

    /// The vault, if it is open to `client`; counts as use.
    ///
    /// - Throws: `locked`, saying how to unlock it.
    func vault(for client: ServiceClient) throws(ProtocolError) -> UnlockedVault {
        if isIdle {
            lock("no use for \(idleSeconds) s")
        }
        guard let open else {
            guard fileExists else { throw missing }
            throw ProtocolError(.locked, "The vault is locked. Run: keyway passwords unlock")
        }
        guard grants.contains(client) else {
            throw ProtocolError(
                .locked, "The vault is unlocked, but not for this terminal. Run here: keyway passwords unlock")
        }
        lastUse = surroundings.clock.nowWithSleep
        return open.vault
    }

    /// Whether there is anything at the vault's path.
    var fileExists: Bool { FileManager.default.fileExists(atPath: surroundings.vaultPath) }

    /// What a client is told where there is no vault.
    var missing: ProtocolError {
        ProtocolError(
            .notFound, "There is no vault at \(surroundings.vaultPath). Create one: keyway passwords init")
    }

    // MARK: - Status

    /// How the vault is for `client`. Needs no grant and is no use.
    func status(for client: ServiceClient) -> VaultStatus.Result {
        noticeRemovedFile()
        let idleLimit = idleSeconds
        let path = surroundings.vaultPath
        guard fileExists else {
            return .init(
                access: .missing, path: path, items: nil, idleLimit: idleLimit, isIdleLimitForced: isIdleLimitForced)
        }
        let (vault, problem) = header
        let backup = vault.flatMap(backupRecord.newest)
        guard let open, !isIdle, grants.contains(client) else {
            return .init(
                access: .locked, path: path, items: nil, idleLimit: idleLimit,
                attemptWait: throttle.wait(at: surroundings.clock.nowWithSleep) / .seconds(1), problem: problem,
                backup: backup,
                isIdleLimitForced: isIdleLimitForced)
        }
        return .init(
            access: .open, path: path, items: try? open.vault.count, idleLimit: idleLimit, backup: backup,
            isIdleLimitForced: isIdleLimitForced)
    }

    /// Which vault it is, or why the file could not be unlocked with any password, as far as is seen without one.
    private var header: (vault: VaultID?, problem: String?) {
        if let open { return (open.vault.id, nil) }
        do throws(ProtocolError) {
            let vault = try answering { () throws(VaultError) in
                try LockedVault.open(at: surroundings.vaultPath, environment: environment)
            }
            return (vault.id, nil)
        } catch {
            return (nil, error.message)
        }
    }

    /// Looks whether the file is still there: a vault that was deleted is locked, and no longer suggested.
    package func noticeRemovedFile() {
        guard !fileExists else { return }
        // A vault that is being made has no file yet: only an open one is locked, or the making would come to nothing.
        if open != nil { lock("the vault file is gone") }
        surroundings.onIdentityJob(.vaultIsMissing)
    }
}
