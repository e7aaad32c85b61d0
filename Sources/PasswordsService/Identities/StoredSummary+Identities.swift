import AutoFillProtocol
import Vault

extension StoredSummary {
    /// What the system may suggest for this item: one identity per address, and none without a password to fill.
    ///
    /// An item without a user name is suggested under its title.
    var identities: [CredentialIdentity] {
        guard hasPassword else { return [] }
        let user = userName.isEmpty ? title : userName
        var services: [ServiceIdentifier] = []
        for service in addresses.compactMap({ ItemAddress($0)?.service }) where !services.contains(service) {
            services.append(service)
        }
        return services.map { service in
            CredentialIdentity(kind: .password, service: service, user: user, recordIdentifier: id.description)
        }
    }
}
