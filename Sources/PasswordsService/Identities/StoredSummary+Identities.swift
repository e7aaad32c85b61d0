import AutoFillProtocol
import FoundationEssentials
import ServiceMatching
import Vault

extension StoredSummary {
    /// What the system may suggest for this item: a passkey, or one identity per address; none while it is hidden, and
    /// none without a password to fill.
    ///
    /// An item without a user name is suggested under its title.
    var identities: [CredentialIdentity] {
        guard hidden == nil else { return [] }
        let user = userName.isEmpty ? title : userName
        if let passkey {
            return [
                CredentialIdentity(
                    kind: .passkey, service: ServiceIdentifier(passkey.relyingParty, kind: .domain), user: user,
                    recordIdentifier: id.description,
                    passkey: PasskeyReference(
                        credentialID: Data(passkey.credentialID), userHandle: Data(passkey.userHandle)))
            ]
        }
        guard hasPassword else { return [] }
        var services: [ServiceIdentifier] = []
        for service in addresses.compactMap({ WrittenAddress($0, suffixes: .system)?.service })
        where !services.contains(service) {
            services.append(service)
        }
        return services.map { service in
            CredentialIdentity(kind: .password, service: service, user: user, recordIdentifier: id.description)
        }
    }
}
