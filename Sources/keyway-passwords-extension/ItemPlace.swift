import AuthenticationServices

/// Where one address of an item is: what the system compares with the page before it gives an account to another site.
struct ItemPlace: Hashable {
    /// Lower case; nil where none is written.
    let scheme: String?
    /// Lower case, with the port where one is written.
    let authority: String
    /// Without the port.
    let host: String

    /// The place of an address, or of a service that asks: a URL or a domain.
    init?(_ address: String) {
        let end = address.range(of: "://")
        scheme = end.map { address[..<$0.lowerBound].lowercased() }
        let rest = end.map { address[$0.upperBound...] } ?? address[...]
        let place = rest.prefix { !"/?#".contains($0) }
        authority = (place.lastIndex(of: "@").map { place[place.index(after: $0)...] } ?? place).lowercased()
        guard !authority.isEmpty, authority.utf8.count <= Self.longest else { return nil }
        if let colon = authority.lastIndex(of: ":"), !authority[colon...].contains("]") {
            host = String(authority[..<colon])
        } else {
            host = authority
        }
    }

    /// As the system is told about it.
    var service: String { scheme.map { "\($0)://\(authority)" } ?? authority }

    /// The one of an item's addresses that is closest to those that ask, the most specific first: on the same host in the
    /// same way, on it, below the last of them (the site), or else the first. The system's own rule decides.
    static func closest(of addresses: [String], to services: [String]) -> String? {
        let places = addresses.compactMap(ItemPlace.init)
        let asked = services.compactMap(ItemPlace.init)
        let found =
            places.first { place in asked.contains { $0.host == place.host && $0.scheme == place.scheme } }
            ?? places.first { place in asked.contains { $0.host == place.host } }
            ?? places.first { place in asked.last.map { place.host.hasSuffix(".\($0.host)") } ?? false }
            ?? places.first
        return found?.service
    }

    /// No host and port are longer, in bytes (RFC 1035, section 2.3.4).
    private static let longest = 262
}
