package import AutoFillProtocol

/// Whether an identity may be offered on a page, and how well it fits. One pure rule; the store's queries follow it.
package enum ServiceMatcher {
    /// How an identity stored for `identity` fits `page`; nil when it must not be offered there.
    ///
    /// - An insecure page gets identities that say `http:` on exactly that host, nothing else.
    /// - A page whose host ends in a dot is another origin on the same host: it gets what its site gets.
    package static func match(identity: ServiceAddress, page: ServiceAddress) -> ServiceMatch? {
        let isSameHost = identity.host.text == page.host.text && identity.host.kind == page.host.kind
        if page.isInsecure {
            guard isSameHost, identity.scheme == .http, !page.host.isAbsolute else { return nil }
            return identity.port == page.port ? .origin : .host
        }
        if isSameHost && !page.host.isAbsolute {
            return identity.scheme == page.scheme && identity.port == page.port ? .origin : .host
        }
        // An identity that says `http:` belongs to that host alone.
        guard let site = page.site, site == identity.site, identity.scheme == .https else { return nil }
        return .site
    }
}
