import AutoFillProtocol
import KeywaySystem
import PasswordsProtocol
import Vault

/// Work that takes a while, such as a renewal of the key or an import: who wants to read is answered in between, who wants
/// to change waits until it is over.
extension VaultService {
    /// Lets others get their turn within work that takes a while; it counts as use of the vault.
    ///
    /// - Throws: `cancelled`; `locked` where the vault was locked meanwhile.
    func giveWay(_ vault: UnlockedVault) async throws(ProtocolError) {
        lastUse = surroundings.clock.nowWithSleep
        await surroundings.othersTurn()
        guard !Task.isCancelled else { throw ProtocolError(.cancelled, "The request was cancelled.") }
        guard open?.vault === vault else {
            throw ProtocolError(
                .locked, "The vault was locked before it was done, so nothing was changed. Unlock it and try again.")
        }
    }

    /// The vault, for a change of it that takes a while: as ``vaultToChange(for:)``, and nothing else changes it before
    /// ``endChanging()``.
    func beginChanging(for client: ServiceClient) async throws(ProtocolError) -> UnlockedVault {
        let vault = try await vaultToChange(for: client)
        isChanging = true
        return vault
    }

    /// Lets those go on who waited to change the vault.
    func endChanging() {
        isChanging = false
        let waiting = waitingForChange
        waitingForChange = []
        for continuation in waiting { continuation.resume() }
    }

    /// The vault, to change it: as ``vault(for:)``, once nothing else is changing it for long.
    func vaultToChange(for client: ServiceClient) async throws(ProtocolError) -> UnlockedVault {
        await changeEnd()
        return try vault(for: client)
    }

    /// Returns when nothing is changing the vault for long.
    func changeEnd() async {
        while isChanging {
            await withCheckedContinuation { waitingForChange.append($0) }
        }
    }
}
