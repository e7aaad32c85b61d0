package import AutoFillProtocol

/// Identities of a page, as a provider would name them.
package enum TestIdentity {
    /// The page.
    package static let page = ServiceIdentifier("https://a.example/login", kind: .url)

    /// A password of the page, unless another service is named.
    package static func password(
        _ user: String = "ada", at service: String = "https://a.example", record: String? = "r1", rank: Int = 0
    ) -> CredentialIdentity {
        CredentialIdentity(
            kind: .password, service: ServiceIdentifier(service, kind: service.contains("://") ? .url : .domain),
            user: user, recordIdentifier: record, rank: rank)
    }
}
