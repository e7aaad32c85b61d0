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
        lastUse = surroundings.clock.nowWithSleep
        startIdleTimer()
        surroundings.log("unlocked")
        // First that it is ready: what waits for the vault must not wait for the identity store.
        surroundings.onStateChange(.ready)
        surroundings.onIdentityJob(.bringInStep)
        if !reports.isEmpty { Task { await applyHeldReports() } }
    }

    // MARK: - Idle time

    /// How often the administrator's wish is heard again while the vault is open.
    private static let ceilingPause = Duration.seconds(60)

    /// Seconds without use after which the vault locks: what the person has set, and no more than the administrator wants.
    var idleSeconds: Int { min(surroundings.settings.idleSeconds, idleCeiling ?? .max) }

    /// Whether the person has set more than that; nil where they have not.
    var isIdleLimitForced: Bool? { idleSeconds < surroundings.settings.idleSeconds ? true : nil }

    private var idleLimit: Duration { .seconds(idleSeconds) }

    /// Hears what the administrator wants. Where nobody says, what was heard last counts.
    func hearCeiling() async {
        if case .known(let seconds) = await surroundings.idleCeiling() { idleCeiling = seconds }
    }

    /// Whether the vault is open and has not been used for the time that is set.
    var isIdle: Bool { open != nil && surroundings.clock.nowWithSleep.since(lastUse) >= idleLimit }

    private func startIdleTimer() {
        idleTimer?.cancel()
        let clock = surroundings.clock
        idleTimer = Task { [weak self] in
            await self?.hearCeiling()
            while let rest = await self?.idleRest() {
                guard (try? await clock.sleep(for: min(rest, Self.ceilingPause), countingSleep: true)) != nil else {
                    return
                }
                await self?.hearCeiling()
            }
        }
    }

    /// How long the vault may stay unused from now; nil, and it is locked, when that is over.
    private func idleRest() -> Duration? {
        guard open != nil, !Task.isCancelled else { return nil }
        if isIdle {
            lock("no use for \(idleSeconds) s")
            return nil
        }
        return idleLimit - surroundings.clock.nowWithSleep.since(lastUse)
    }
}
