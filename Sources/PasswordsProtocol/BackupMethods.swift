package import AutoFillWire
import KeywaySystem

/// That a backup was made.
package struct BackupNote: Codable, Hashable, Sendable {
    /// When, in milliseconds since 1970.
    package let time: Int64
    /// Whether every item in it was opened; else its structure alone was checked, since the vault was locked.
    package let isEveryItemChecked: Bool

    /// A note by its parts.
    package init(time: Int64, isEveryItemChecked: Bool) {
        self.time = time
        self.isEveryItemChecked = isEveryItemChecked
    }
}

/// Makes a copy of one state of the vault, checks it, and hands it over as a file to read. It is sealed as the vault is:
/// the master password opens it, on any machine.
package enum BackUpVault: RemoteMethod {
    package typealias Parameters = Nothing

    package struct Result: Codable, Sendable {
        /// The copy: a file without a name, to be read from its beginning.
        package let file: Attachment
        /// How many items it has.
        package let items: Int
        /// Whether every item was opened in it, since the vault was unlocked; else its structure alone was checked.
        package let isEveryItemChecked: Bool

        /// A copy by its parts.
        package init(file: Attachment, items: Int, isEveryItemChecked: Bool) {
            self.file = file
            self.items = items
            self.isEveryItemChecked = isEveryItemChecked
        }
    }

    package static let name = "vault.backUp"
    package static let callers: Set<Role> = [.serviceClient]
}

/// Tells that the copy of ``BackUpVault`` lies in a file of the person's and was read back, so that it counts as made.
package enum NoteBackup: RemoteMethod {
    package typealias Result = Nothing

    package struct Parameters: Codable, Hashable, Sendable {
        /// What ``BackUpVault`` said of the copy.
        package let isEveryItemChecked: Bool

        /// A backup that was made.
        package init(isEveryItemChecked: Bool) {
            self.isEveryItemChecked = isEveryItemChecked
        }
    }

    package static let name = "vault.noteBackup"
    package static let callers: Set<Role> = [.serviceClient]
}

/// Opens a backup and everything in it, and changes nothing.
package enum CheckBackup: RemoteMethod {
    package struct Parameters: Codable, Sendable {
        /// The backup, opened for reading.
        package let file: Attachment
        /// The master password of the vault when the backup was made.
        package let masterPassword: Attachment

        /// The backup in `file`.
        package init(file: Attachment, masterPassword: Attachment) {
            self.file = file
            self.masterPassword = masterPassword
        }
    }

    package struct Result: Codable, Hashable, Sendable {
        /// How many items it has.
        package let items: Int
        /// Whether a newer state of the same vault was seen on this machine.
        package let isOlder: Bool

        /// What was found.
        package init(items: Int, isOlder: Bool) {
            self.items = items
            self.isOlder = isOlder
        }
    }

    package static let name = "vault.checkBackup"
    package static let callers: Set<Role> = [.serviceClient]
}

/// Makes a backup the vault, and leaves it open to this caller. The person is verified first. A vault that is there is
/// kept under another name.
package enum RestoreBackup: RemoteMethod {
    package struct Parameters: Codable, Sendable {
        /// The backup, opened for reading.
        package let file: Attachment
        /// The master password of the vault when the backup was made.
        package let masterPassword: Attachment
        /// Whether it takes the place of a vault that is there.
        package let replaces: Bool
        /// Whether the person knows that this is an older state of the vault, and wants it all the same.
        package let acceptsOlderCopy: Bool

        /// The backup in `file`.
        package init(file: Attachment, masterPassword: Attachment, replaces: Bool, acceptsOlderCopy: Bool) {
            self.file = file
            self.masterPassword = masterPassword
            self.replaces = replaces
            self.acceptsOlderCopy = acceptsOlderCopy
        }
    }

    package struct Result: Codable, Hashable, Sendable {
        /// The vault now.
        package let status: VaultStatus.Result
        /// Where the vault lies that was there before; nil where there was none.
        package let former: String?

        /// What it came to.
        package init(status: VaultStatus.Result, former: String?) {
            self.status = status
            self.former = former
        }
    }

    package static let name = "vault.restoreBackup"
    package static let callers: Set<Role> = [.serviceClient]
}
