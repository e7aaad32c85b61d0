import Authenticator

/// What is known of the passkey of an item without opening a secret.
package struct PasskeyRecord: Hashable, Sendable {
    /// The relying party ID, such as `example.org`.
    package let relyingParty: String
    /// What the relying party calls the account: 1 to 64 bytes.
    package let userHandle: [UInt8]
    /// The credential ID: 1 to 1023 bytes.
    package let credentialID: [UInt8]
    /// Whether it may be on several devices; fixed when it is made.
    package let isBackupEligible: Bool
    /// Whether the person chose the item's user name, which the relying party then no longer changes.
    package var isNamedByPerson = false
    /// Whether it is hidden until the person offers it again, whatever its relying party says then; false for one that
    /// is offered.
    package var isWithheld = false

    private static let backupEligible: UInt8 = 1
    private static let namedByPerson: UInt8 = 2
    private static let withheld: UInt8 = 4

    /// Refuses what WebAuthn has no room for (Level 3, sections 4 and 5.4.3).
    ///
    /// - Throws: `invalid`.
    func check() throws(VaultError) {
        guard (1...253).contains(relyingParty.utf8.count), (1...64).contains(userHandle.count),
            (1...1023).contains(credentialID.count)
        else { throw VaultError(.invalid, "the passkey has a relying party, user handle or ID of an impossible size") }
    }

    /// Writes the field of the summary (`Docs/vault-format.md`, "Summary").
    var bytes: [UInt8] {
        var flags: UInt8 = 0
        if isBackupEligible { flags |= Self.backupEligible }
        if isNamedByPerson { flags |= Self.namedByPerson }
        if isWithheld { flags |= Self.withheld }
        var bytes: [UInt8] = [flags, UInt8(relyingParty.utf8.count)]
        bytes += relyingParty.utf8
        bytes.append(UInt8(userHandle.count))
        return bytes + userHandle + credentialID
    }

    /// Reads the field.
    ///
    /// - Throws: `damaged`, or `unsupported` for flags that are not known.
    init(_ bytes: UnsafeRawBufferPointer) throws(VaultError) {
        let parts = try Parts(bytes)
        guard let relyingParty = String(validating: parts.relyingParty, as: UTF8.self) else {
            throw VaultError(.damaged, "the passkey has a relying party that is no UTF-8")
        }
        self.relyingParty = relyingParty
        userHandle = Array(parts.userHandle)
        credentialID = Array(parts.credentialID)
        isBackupEligible = parts.flags & Self.backupEligible != 0
        isNamedByPerson = parts.flags & Self.namedByPerson != 0
        isWithheld = parts.flags & Self.withheld != 0
    }

    /// The record of a passkey.
    package init(relyingParty: String, userHandle: [UInt8], credentialID: [UInt8], isBackupEligible: Bool) {
        self.relyingParty = relyingParty
        self.userHandle = userHandle
        self.credentialID = credentialID
        self.isBackupEligible = isBackupEligible
    }

    /// The field split into its parts, without copies.
    struct Parts {
        let flags: UInt8
        let relyingParty: UnsafeRawBufferPointer
        let userHandle: UnsafeRawBufferPointer
        let credentialID: UnsafeRawBufferPointer

        init(_ bytes: UnsafeRawBufferPointer) throws(VaultError) {
            var reader = ByteReader(bytes, of: "passkey")
            flags = try reader.number()
            guard flags <= 7 else { throw VaultError(.unsupported, "the passkey has the flags \(flags)") }
            relyingParty = try reader.bytes(Int(try reader.number(UInt8.self)))
            userHandle = try reader.bytes(Int(try reader.number(UInt8.self)))
            credentialID = reader.rest
            guard !relyingParty.isEmpty, !userHandle.isEmpty, !credentialID.isEmpty else {
                throw VaultError(.damaged, "the passkey lacks a part")
            }
        }
    }
}

extension PasskeyRecord {
    /// What is known of a new passkey.
    init(_ passkey: Passkey) {
        self.init(
            relyingParty: passkey.relyingParty, userHandle: passkey.userHandle, credentialID: passkey.identifier,
            isBackupEligible: passkey.isBackupEligible)
    }
}
