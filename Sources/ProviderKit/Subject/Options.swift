import AutoFillProtocol

/// How a bundle is to be tested.
package struct KitOptions: Sendable {
    /// The bundle's folder.
    package var path: String
    /// Only these rules; empty means all.
    package var rules: [String] = []
    /// The record, user and service of an account that the provider has, where it tells the system of none.
    package var record: String?
    package var user: String?
    package var service: String?
    /// A file whose first line is typed where the provider asks for a secret.
    package var secretFile: String?
    /// A folder whose copy is the provider's home.
    package var home: String?
    /// Programs that the provider may leave running: an agent of the person's, say, which it only wakes.
    package var leaves: [String] = []
    /// How many requests the provider must stand without growing.
    package var requests = 10_000

    /// A test of the bundle at `path`.
    package init(path: String) {
        self.path = path
    }
}

extension KitOptions {
    /// The identity of the record that is named, where one is; passkeys cannot be named so.
    func account(_ kind: CredentialKind) -> CredentialIdentity? {
        guard let record, kind != .passkey else { return nil }
        let service = service ?? "example.com"
        return CredentialIdentity(
            kind: kind, service: ServiceIdentifier(service, kind: service.contains("://") ? .url : .domain),
            user: user ?? "", recordIdentifier: record)
    }
}
