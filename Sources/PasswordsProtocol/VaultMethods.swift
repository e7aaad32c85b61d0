package import AutoFillWire
import KeywaySystem

/// How the vault is, for whoever asks.
package enum VaultStatus: RemoteMethod {
    package typealias Parameters = Nothing

    /// What this caller finds.
    package enum Access: String, Codable, Sendable {
        /// There is no vault yet.
        case missing
        /// There is one, and this caller must unlock it first.
        case locked
        /// It is open to this caller.
        case open
    }

    package struct Result: Codable, Hashable, Sendable {
        /// What the caller may do now.
        package let access: Access
        /// Where the file lies.
        package let path: String
        /// How many items there are; nil unless open.
        package let items: Int?
        /// Seconds without use after which it locks.
        package let idleLimit: Int
        /// Seconds that an attempt to unlock would wait now, after wrong passwords; 0 unless locked.
        package let attemptWait: Double
        /// Why no password can open it, such as a damaged file; nil where nothing is known to be wrong.
        package let problem: String?
        /// True where the administrator wants it locked sooner than the person has set; nil otherwise.
        package let isIdleLimitForced: Bool?
        /// The newest backup of this vault that was made here; nil where there is none.
        package let backup: BackupNote?

        /// A status by its parts.
        package init(
            access: Access, path: String, items: Int?, idleLimit: Int, attemptWait: Double = 0, problem: String? = nil,
            backup: BackupNote? = nil, isIdleLimitForced: Bool? = nil
        ) {
            self.isIdleLimitForced = isIdleLimitForced
            self.backup = backup
            self.access = access
            self.path = path
            self.items = items
            self.idleLimit = idleLimit
            self.attemptWait = attemptWait
            self.problem = problem
        }
    }

    package static let name = "vault.status"
    package static let callers: Set<Role> = [.serviceClient]
}

/// How hard the master password is to guess: the parameters of Argon2id.
package struct DerivationParameters: Codable, Hashable, Sendable {
    /// Memory in MiB.
    package let memory: Int
    /// Passes over the memory.
    package let passes: Int

    /// Argon2id with `memory` MiB and `passes` passes.
    package init(memory: Int, passes: Int) {
        self.memory = memory
        self.passes = passes
    }
}

/// Makes an empty vault where there is none, and leaves it open to this caller.
package enum CreateVault: RemoteMethod {
    package typealias Result = VaultStatus.Result

    package struct Parameters: Codable, Sendable {
        /// The master password: a sealed memory file of UTF-8.
        package let masterPassword: Attachment
        /// How it is derived; the default where it is missing.
        package let derivation: DerivationParameters?

        /// A vault under `masterPassword`.
        package init(masterPassword: Attachment, derivation: DerivationParameters? = nil) {
            self.masterPassword = masterPassword
            self.derivation = derivation
        }
    }

    package static let name = "vault.create"
    package static let callers: Set<Role> = [.serviceClient]
}

/// Opens the vault to this caller and to the provider's own extension.
package enum UnlockVault: RemoteMethod {
    package typealias Result = VaultStatus.Result

    package struct Parameters: Codable, Sendable {
        /// The master password.
        package let masterPassword: Attachment
        /// Whether the person knows that this is an older copy of the file, and wants it all the same.
        package let acceptsOlderCopy: Bool

        /// An unlock with `masterPassword`.
        package init(masterPassword: Attachment, acceptsOlderCopy: Bool = false) {
            self.masterPassword = masterPassword
            self.acceptsOlderCopy = acceptsOlderCopy
        }
    }

    package static let name = "vault.unlock"
    package static let callers: Set<Role> = [.serviceClient]
}

/// Locks the vault for everyone.
package enum LockVault: RemoteMethod {
    package typealias Parameters = Nothing
    package typealias Result = Nothing

    package static let name = "vault.lock"
    package static let callers: Set<Role> = [.serviceClient]
}

/// Changes the master password, and renews the vault key. Asks for the old one although the vault is open.
package enum ChangeMasterPassword: RemoteMethod {
    package typealias Result = Nothing

    package struct Parameters: Codable, Sendable {
        /// The master password until now.
        package let old: Attachment
        /// The one from now on.
        package let new: Attachment
        /// How the new one is derived; the default where it is missing.
        package let derivation: DerivationParameters?

        /// A change from `old` to `new`.
        package init(old: Attachment, new: Attachment, derivation: DerivationParameters? = nil) {
            self.old = old
            self.new = new
            self.derivation = derivation
        }
    }

    package static let name = "vault.changeMasterPassword"
    package static let callers: Set<Role> = [.serviceClient]
}

/// Renews the vault key under the same master password, which is asked for although the vault is open.
package enum RenewVaultKey: RemoteMethod {
    package typealias Result = Nothing

    package struct Parameters: Codable, Sendable {
        /// The master password.
        package let masterPassword: Attachment

        /// A renewal, allowed by `masterPassword`.
        package init(masterPassword: Attachment) {
            self.masterPassword = masterPassword
        }
    }

    package static let name = "vault.renewKey"
    package static let callers: Set<Role> = [.serviceClient]
}

/// How far a renewal of the vault key is; told to whoever asked for it.
package enum VaultRenewing: RemoteNotification {
    package struct Parameters: Codable, Hashable, Sendable {
        /// How many items are sealed under the new key.
        package let done: Int
        /// How many there are.
        package let total: Int

        /// `done` of `total`.
        package init(done: Int, total: Int) {
            self.done = done
            self.total = total
        }
    }

    package static let name = "vault.renewing"
    package static let callers: Set<Role> = [.providerService]
}
