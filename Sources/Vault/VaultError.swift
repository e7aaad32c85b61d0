/// Why the vault did not do what was asked: a code to compare, what and where it is about, and what a person can do.
///
/// The texts name lengths, versions, items by identifier and files; never titles, names or secrets.
package struct VaultError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The kinds of failure.
    package enum Code: String, Sendable, CaseIterable {
        /// The password does not open the vault.
        case wrongPassword
        /// The vault was locked since it was unlocked.
        case locked
        /// The file, or one record, is not as it was written; nothing of the damaged part is shown.
        case damaged
        /// The file is older than what this machine has already seen.
        case rolledBack
        /// The file was written by a newer or a foreign version of the format.
        case unsupported
        /// The file asks for a weaker key derivation than is ever computed.
        case weakDerivation
        /// The file asks for a costlier key derivation than is ever computed.
        case excessiveDerivation
        /// There is no such item, or no vault at that place.
        case notFound
        /// There is a vault at that place already.
        case exists
        /// What was asked cannot be stored, such as an empty master password.
        case invalid
        /// Somebody else changed the file since it was unlocked.
        case conflict
        /// The disk or the quota is full; the change was not made.
        case storageFull
        /// The file system refused, or failed; the change was not made.
        case storage
        /// The memory that the key derivation needs is not there.
        case outOfMemory
    }

    /// What kind of failure this is.
    package let code: Code
    /// What it is about, for a person who reads carefully; no content.
    package let detail: String
    /// The file it is about.
    package var place: String?

    /// Makes an error; `detail` must not hold content.
    package init(_ code: Code, _ detail: String, place: String? = nil) {
        self.code = code
        self.detail = detail
        self.place = place
    }

    /// The same error, about this file unless it names one already.
    func at(_ place: String) -> VaultError {
        VaultError(code, detail, place: self.place ?? place)
    }

    /// Two errors are the same when their codes are.
    package static func == (left: VaultError, right: VaultError) -> Bool { left.code == right.code }

    /// Code, place and detail in one line.
    package var description: String {
        [code.rawValue, place, detail].compactMap { $0 }.joined(separator: ": ")
    }

    /// What a person can do about it: one sentence.
    package var advice: String {
        switch code {
        case .wrongPassword: "Check the keyboard layout and Caps Lock, and try again."
        case .locked: "Unlock the vault first."
        case .damaged: "Nothing was changed. Keep a copy of the file, and put your newest backup in its place."
        case .rolledBack:
            "Find out who put an older copy there. If it was you, unlock again and accept the older state."
        case .unsupported: "Use the version that wrote it, or a newer one."
        case .weakDerivation, .excessiveDerivation:
            "Another program wrote or changed the file. Put your newest backup in its place."
        case .notFound: "Check the name or the path."
        case .exists: "Use the existing vault, or choose another path."
        case .invalid: "Correct it and try again."
        case .conflict: "Lock the vault and unlock it again, then repeat the change."
        case .storageFull: "Free some disk space and try again."
        case .storage: "Check the disk, the folder and its permissions."
        case .outOfMemory: "Close other programs and try again."
        }
    }
}
