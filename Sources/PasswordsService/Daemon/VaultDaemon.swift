import Glibc
import KeywaySystem
import LoginMonitor

/// `keyway-vaultd`: the service half of the Passwords bundle, from its birth to the end of the broker.
///
/// It speaks with the broker over descriptor 3 and with those whom the broker hands over, listens nowhere, and never
/// parses what comes from a web page.
package enum VaultDaemon {
    /// The descriptor that a bundle's process is born with: its conversation with the broker.
    private static let brokerDescriptor: CInt = 3
    /// The bundle's identifier, after which its own folders are called.
    private static let identifier = "org.keyway.passwords"

    /// Serves until the broker is gone, then locks the vault.
    ///
    /// - Returns: the exit status: 0, or 69 where the service could not start at all (`EX_UNAVAILABLE`).
    package static func run() async -> CInt {
        let log = ServiceLog.standardError
        do throws(ProtocolError) {
            try ProcessHardening.apply()
            raiseLockedMemory()
            guard isSocket(brokerDescriptor) else {
                throw ProtocolError(.system, "descriptor 3 isn't a socket. Only keywayd starts this program")
            }
            let service = try service(of: try KeywayPaths.current(), log)
            await service.serve(OwnedDescriptor(brokerDescriptor))
            return 0
        } catch {
            log("cannot start: \(error.message)")
            return 69
        }
    }

    private static func service(of paths: KeywayPaths, _ log: ServiceLog) throws(ProtocolError) -> BrokeredService {
        let (data, state) = (paths.privateData(of: identifier), paths.privateState(of: identifier))
        var surroundings = VaultService.Surroundings(
            vaultPath: data + "/Passwords.vault", epochFolder: state + "/epochs")
        try PrivateFolder.prepare(state)
        let (settings, complaint) = PasswordsSettings.read(from: state + "/" + PasswordsSettings.fileName)
        if let complaint { log(complaint) }
        surroundings.settings = settings
        surroundings.log = log
        surroundings.failuresPath = state + "/passwords-failures"
        surroundings.backupsPath = state + "/passwords-backup.json"
        surroundings.importPath = state + "/passwords-import"
        return BrokeredService(
            surroundings, identityMark: state + "/passwords-identities",
            login: { service, bus in
                LoginMonitor(at: .socket(bus), report: { log($0) }) { event in
                    guard event != .sessionUnlocked else { return }
                    await service.lock(event == .willSleep ? "the machine goes to sleep" : "the session was locked")
                }
            })
    }

    /// Secret memory is locked up to `RLIMIT_MEMLOCK`; what the hard limit allows is ours to take. Without any, the
    /// secrets are guarded and wiped all the same.
    private static func raiseLockedMemory() {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(__RLIMIT_MEMLOCK.rawValue), &limit) == 0 else { return }
        limit.rlim_cur = limit.rlim_max
        _ = setrlimit(__rlimit_resource_t(__RLIMIT_MEMLOCK.rawValue), &limit)
    }

    private static func isSocket(_ descriptor: CInt) -> Bool {
        var status = stat()
        return fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFSOCK
    }
}
