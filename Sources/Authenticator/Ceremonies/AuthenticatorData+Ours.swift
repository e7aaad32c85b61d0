import KeywayCrypto
import WebAuthnValues

extension AuthenticatorData {
    /// What our authenticator signs. The counter is 0, as it must be for passkeys that are on several devices: each
    /// would count for itself, and a relying party would take the lower count for a copy.
    init(relyingParty: String, person: PersonState, backup: BackupState, credential: AttestedCredential?) {
        self.init(
            relyingPartyHash: Digest.sha256(relyingParty.utf8), flags: person.flags.union(backup.flags), counter: 0,
            credential: credential)
    }
}
