import AutoFillProtocol
import Vault

extension StoredSummary {
    /// What the system may suggest for this item: one identity per address.
    ///
    /// An item without a user name is suggested under its title. Whether an item has a password is sealed with the
    /// password, so that every item with an address counts; who chooses one without is told so by the extension.
    var identities: [CredentialIdentity] {
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
