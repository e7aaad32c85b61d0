import AutoFillProtocol
import AutoFillWire
import KeywayCrypto
import KeywaySystem
import PasswordsProtocol
import Vault

/// A new master password, and with it a new vault key.
extension VaultService {
    /// How many items are sealed before others get their turn.
    private static let renewalStep = 128

    /// Changes the master password, and renews the vault key with it; asks for the old one although the vault is open.
    ///
    /// - Parameter telling: hears how far it is.
    /// - Throws: `locked`, `wrongPassword`, `invalidParameters`, `refused` for a weaker derivation, `system`, `cancelled`;
    ///   nothing was changed then.
    func changeMasterPassword(
        _ parameters: ChangeMasterPassword.Parameters, for client: ServiceClient, _ gate: HandoutGate = .open,
        telling: @escaping @Sendable (VaultRenewing.Parameters) -> Void = { _ in }
    ) async throws -> Nothing {
        try await gate.use()
        _ = try vault(for: client)
        let old = try masterPassword(parameters.old, isNew: false)
        let new = try masterPassword(parameters.new, isNew: true)
        try await renew(old, new, try Self.derivation(parameters.derivation), for: client, telling)
        surroundings.log("changed the master password and renewed the vault key")
        return Nothing()
    }

    /// Renews the vault key alone; asks for the master password although the vault is open.
    ///
    /// - Throws: as ``changeMasterPassword(_:for:_:telling:)``.
    func renewKey(
        _ parameters: RenewVaultKey.Parameters, for client: ServiceClient, _ gate: HandoutGate = .open,
        telling: @escaping @Sendable (VaultRenewing.Parameters) -> Void = { _ in }
    ) async throws -> Nothing {
        try await gate.use()
        _ = try vault(for: client)
        let password = try masterPassword(parameters.masterPassword, isNew: false)
        try await renew(password, password, nil, for: client, telling)
        surroundings.log("renewed the vault key")
        return Nothing()
    }

    private func renew(
        _ old: SecretBytes, _ new: SecretBytes, _ derivation: PasswordDerivation?, for client: ServiceClient,
        _ telling: @escaping @Sendable (VaultRenewing.Parameters) -> Void
    ) async throws {
        try await turnstile.pass {
            try await waitAfterFailure()
            let vault = try vault(for: client)
            let change = try answering { () throws(VaultError) in
                try vault.prepareMasterPasswordChange(derivation: derivation)
            }
            let renewed = try await derive { () throws(VaultError) in try change.derive(old: old, new: new) }
            // The vault may have been locked while the keys were derived, and other changes under way.
            let still = try await vaultToChange(for: client)
            let former = try? still.mark
            try await seal(still, under: renewed, telling)
            // Its master password counts for as much as before.
            if let former, let now = try? still.mark { await surroundings.onRenewal(former, now) }
        }
    }

    /// Seals everything anew, a few items at a time: who wants to read is answered in between, who wants to change waits.
    private func seal(
        _ vault: UnlockedVault, under renewed: RenewedKey,
        _ telling: @Sendable (VaultRenewing.Parameters) -> Void
    ) async throws(ProtocolError) {
        isChanging = true
        defer { endChanging() }
        let lastImport = importRecord.newest(of: vault)
        let renewal = try answering { () throws(VaultError) in try vault.renewal(to: renewed) }
        var told = -1
        while try answering({ () throws(VaultError) in try !renewal.step(Self.renewalStep) }) {
            let percent = renewal.done * 100 / max(renewal.total, 1)
            if percent != told { telling(.init(done: renewal.done, total: renewal.total)) }
            told = percent
            try await giveWay(vault)
        }
        try answering { () throws(VaultError) in try renewal.finish() }
        open?.slot = renewed.slot
        // It was sealed under the former key.
        if let lastImport { keep(lastImport, of: vault) }
        lastUse = surroundings.clock.nowWithSleep
        // The identity store is in step with the same items still.
        if let mark = mark(of: vault) {
            surroundings.onIdentityJob(.change(IdentityChange(from: [], to: [], mark: mark)))
        }
    }
}
