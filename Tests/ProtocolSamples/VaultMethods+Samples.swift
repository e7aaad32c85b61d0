package import AutoFillWire
import KeywaySystem
package import PasswordsProtocol

extension VaultStatus: DocumentedMethod {
    package static let summary = "Whether there is a vault, and whether it is open to this caller."
    package static var sample: (parameters: Nothing, result: Result) {
        (
            Nothing(),
            Result(
                access: .open,
                path: "/home/ada/.local/share/keyway/private/org.keyway.passwords/Passwords.vault", items: 3,
                idleLimit: 600, backup: BackupNote(time: 1_795_464_000_000, isEveryItemChecked: true))
        )
    }
}

extension CreateVault: DocumentedMethod {
    package static let summary = "Makes an empty vault where there is none; `exists` where there is one."
    package static var sample: (parameters: Parameters, result: VaultStatus.Result) {
        get throws {
            (
                Parameters(masterPassword: try .sample(), derivation: DerivationParameters(memory: 256, passes: 3)),
                VaultStatus.sample.result
            )
        }
    }
}

extension UnlockVault: DocumentedMethod {
    package static let summary =
        "Opens the vault to this caller and to the provider's extension; `wrongPassword` costs a wait."
    package static var sample: (parameters: Parameters, result: VaultStatus.Result) {
        get throws { (Parameters(masterPassword: try .sample()), VaultStatus.sample.result) }
    }
}

extension LockVault: DocumentedMethod {
    package static let summary = "Locks the vault for everyone, whoever opened it."
    package static var sample: (parameters: Nothing, result: Nothing) { (Nothing(), Nothing()) }
}

extension ChangeMasterPassword: DocumentedMethod {
    package static let summary =
        "Changes the master password and renews the vault key; the old one is asked for although the vault is open."
    package static var sample: (parameters: Parameters, result: Nothing) {
        get throws { (Parameters(old: try .sample(), new: try .sample()), Nothing()) }
    }
}

extension RenewVaultKey: DocumentedMethod {
    package static let summary =
        "Seals everything under a new vault key; the master password stays, and is asked for although the vault is open."
    package static var sample: (parameters: Parameters, result: Nothing) {
        get throws { (Parameters(masterPassword: try .sample()), Nothing()) }
    }
}

extension VaultRenewing: DocumentedNotification {
    package static let summary = "How many items are sealed under the new key; from the service, while it renews it."
    package static var sample: Parameters { Parameters(done: 25_000, total: 100_000) }
}
