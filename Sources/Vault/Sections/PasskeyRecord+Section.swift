package import Authenticator
import KeywayCrypto

extension PasskeyRecord {
    /// What a section's half in the summary says of a passkey; nil for one that is none.
    package init?(_ head: SectionHead) {
        guard head.type == .passkey, let relyingParty = head.text("rpId"), let userHandle = head.bytes("userHandle"),
            let credentialID = head.bytes("credentialId")
        else { return nil }
        self.init(
            relyingParty: relyingParty, userHandle: userHandle, credentialID: credentialID,
            isBackupEligible: (head.integer("flags") ?? 0) & 1 != 0)
    }

    /// What is known of the passkey that a section is.
    ///
    /// - Throws: `invalid` for a section that is none.
    init(_ section: ItemSection) throws(VaultError) {
        guard let record = PasskeyRecord(section.head(1)), section["key"]?.isEmpty == false,
            // Unlike the passkey that an item is, one that came from elsewhere may have no user handle.
            (1...253).contains(record.relyingParty.utf8.count), record.userHandle.count <= 64,
            (1...1023).contains(record.credentialID.count)
        else { throw VaultError(.invalid, "the passkey lacks a part, or has one of an impossible size") }
        self = record
    }
}

extension ItemSection {
    /// The section of a passkey that an item has beside others, by the names of CXF.
    ///
    /// - Parameters:
    ///   - userName: what the relying party calls the account (`user.name`).
    ///   - displayName: `user.displayName`; may be empty.
    package init(_ passkey: Passkey, userName: String, displayName: String = "") {
        var members = [
            SectionMember("rpId", text: passkey.relyingParty),
            SectionMember("credentialId", .bytes, SecretBytes(copying: passkey.identifier)),
            SectionMember("userHandle", .bytes, SecretBytes(copying: passkey.userHandle)),
            SectionMember("username", text: userName),
            SectionMember("userDisplayName", text: displayName),
            SectionMember("flags", integer: passkey.isBackupEligible ? 1 : 0),
            SectionMember("key", .bytes, passkey.key),
        ]
        if let secret = passkey.pseudoRandomSecret { members.append(SectionMember("credWithUV", .bytes, secret)) }
        if let blob = passkey.largeBlob { members.append(SectionMember("largeBlob", .bytes, blob)) }
        self.init(.passkey, members)
    }

    /// The passkey that it is.
    ///
    /// - Throws: `invalid` for a section that is none.
    package func passkey() throws(VaultError) -> Passkey {
        let record = try PasskeyRecord(self)
        guard let key = self["key"] else { throw VaultError(.invalid, "the passkey has no key") }
        return Passkey(
            identifier: record.credentialID, relyingParty: record.relyingParty, userHandle: record.userHandle,
            key: key, pseudoRandomSecret: self["credWithUV"], largeBlob: self["largeBlob"],
            isBackupEligible: record.isBackupEligible)
    }
}
