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
        let passkeys = eachPasskey(of: nil).compactMap { item in
            item.passkey.map { passkey in
                CredentialIdentity(
                    kind: .passkey, service: ServiceIdentifier(passkey.relyingParty, kind: .domain),
                    user: item.userName.isEmpty ? title : item.userName, recordIdentifier: id.description,
                    passkey: PasskeyReference(
                        credentialID: Data(passkey.credentialID), userHandle: Data(passkey.userHandle)))
            }
        }
        guard passkey == nil, hasPassword else { return passkeys }
        return services.map { service in
            CredentialIdentity(
                kind: .password, service: marks.use.service(service), user: user, recordIdentifier: id.description,
                use: marks.use == .forms ? .forms : nil)
        } + passkeys
    }

    /// What its addresses are as services, each once.
    var services: [ServiceIdentifier] {
        addresses.compactMap { WrittenAddress($0, suffixes: .system)?.service }.reduce(into: []) { services, service in
            if !services.contains(service) { services.append(service) }
        }
    }
}

extension ItemMarks.Use {
    /// A service as the system is to offer it: what is for HTTP's own sign-in is so for all areas of the server.
    fileprivate func service(_ service: ServiceIdentifier) -> ServiceIdentifier {
        self == .basic ? ServiceIdentifier(service.identifier, kind: service.kind, realm: "") : service
    }
}
