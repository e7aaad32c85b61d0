import AutoFillProtocol
import Glibc

extension VaultService {
    /// Locks the vault for everyone: keys and index are wiped, all grants end, an unlock under way comes to nothing.
    ///
    /// - Parameter reason: for the log: "by command".
    package func lock(_ reason: String) {
        locks += 1
        grants.revokeAll()
        idleTimer?.cancel()
        idleTimer = nil
        guard let open else { return }
        open.vault.lock()
        self.open = nil
        surroundings.log("locked: \(reason)")
        surroundings.onStateChange(.locked)
    }

    /// Takes over a vault that was just unlocked.
    func opened(_ open: OpenVault, for client: ServiceClient) {
        self.open = open
        grants.grant(to: client)
        lastUse = surroundings.clock.now()
        startIdleTimer()
        surroundings.log("unlocked")
        // First that it is ready: what waits for the vault must not wait for the identity store.
        surroundings.onStateChange(.ready)
        surroundings.onIdentityJob(.bringInStep)
        if !reports.isEmpty { Task { await applyHeldReports() } }
    }

    // MARK: - Idle time

    private var idleLimit: Duration { .seconds(surroundings.settings.idleSeconds) }

    /// Whether the vault is open and has not been used for the time that the person has set.
    var isIdle: Bool { open != nil && surroundings.clock.now().since(lastUse) >= idleLimit }

    private func startIdleTimer() {
        idleTimer?.cancel()
        let clock = surroundings.clock
        idleTimer = Task { [weak self] in
            while let rest = await self?.idleRest() {
                guard (try? await clock.sleep(for: rest)) != nil else { return }
            }
        }
    }

    /// How long the vault may stay unused from now; nil, and it is locked, when that is over.
    private func idleRest() -> Duration? {
        guard open != nil, !Task.isCancelled else { return nil }
        if isIdle {
            lock("no use for \(surroundings.settings.idleSeconds) s")
            return nil
        }
        return idleLimit - surroundings.clock.now().since(lastUse)
    }
}
