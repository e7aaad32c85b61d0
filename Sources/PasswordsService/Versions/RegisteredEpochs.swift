import Synchronization
import Vault

/// Both memories of the newest state of a vault: the note in the service's folder, which any program of the person can
/// take away, and the broker's register, which carries an authentication code. The stricter of the two counts.
final class RegisteredEpochs: EpochMemory {
    private let folder: EpochFolder
    private let register: any VersionRegister
    /// What the register holds, as far as it was asked or told.
    private let registered = Mutex<[VaultID: UInt64]>([:])

    init(folder: EpochFolder, register: any VersionRegister) {
        self.folder = folder
        self.register = register
    }

    /// Asks the register, so that ``newest(of:)`` knows what it says.
    func recall(_ vault: VaultID) async {
        guard let newest = await register.newest(of: vault.description) else { return }
        registered.withLock { $0[vault] = max($0[vault] ?? 0, newest) }
    }

    func newest(of vault: VaultID) throws(VaultError) -> UInt64? {
        let noted = try folder.newest(of: vault)
        guard let registered = registered(vault) else { return noted }
        return max(registered, noted ?? 0)
    }

    func newestKnown(of vault: VaultID) -> UInt64? {
        let noted = (try? folder.newest(of: vault)) ?? nil
        return [noted, registered(vault)].compactMap { $0 }.max()
    }

    func remember(_ epoch: UInt64, of vault: VaultID) throws(VaultError) {
        let isNews = registered.withLock { registered in
            guard epoch > registered[vault] ?? 0 else { return false }
            registered[vault] = epoch
            return true
        }
        if isNews { register.note(epoch, of: vault.description) }
        try folder.remember(epoch, of: vault)
    }

    private func registered(_ vault: VaultID) -> UInt64? { registered.withLock { $0[vault] } }
}
