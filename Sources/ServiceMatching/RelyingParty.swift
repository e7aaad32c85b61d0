/// To whom a passkey belongs (WebAuthn Level 3, section 5.1.2): a domain that somebody registered, or `localhost`.
package struct RelyingParty: Hashable, Sendable {
    /// The relying party ID: lower-case ASCII.
    package let identifier: String

    /// The relying party called `identifier`; nil for an address, a public suffix, and whatever is no host name as
    /// browsers write it.
    package init?(_ identifier: String, suffixes: PublicSuffixes) {
        guard let host = HostName(identifier), host.kind == .domain, !host.isAbsolute, host.text == identifier,
            host.isLoopback || suffixes.registrableDomain(of: identifier) != nil
        else { return nil }
        self.identifier = identifier
    }

    /// Whether a page there may use the passkeys: its host is the relying party or under it, and nobody can read along.
    package func covers(_ page: ServiceAddress) -> Bool {
        guard page.host.kind == .domain, !page.host.isAbsolute, !page.isInsecure else { return false }
        return page.host.text == identifier || page.host.text.hasSuffix("." + identifier)
    }

    /// All relying parties whose passkeys a page may use, the page's own host first.
    package static func all(for page: ServiceAddress, suffixes: PublicSuffixes) -> [RelyingParty] {
        guard page.host.kind == .domain, !page.host.isAbsolute, !page.isInsecure else { return [] }
        var parties: [RelyingParty] = []
        var rest = page.host.text[...]
        while true {
            if let party = RelyingParty(String(rest), suffixes: suffixes) { parties.append(party) }
            guard let dot = rest.firstIndex(of: ".") else { return parties }
            rest = rest[rest.index(after: dot)...]
        }
    }
}
