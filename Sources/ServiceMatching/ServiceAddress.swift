package import AutoFillProtocol

/// The address of a site, by which pages and identities are compared.
package struct ServiceAddress: Hashable, Sendable {
    /// How pages of the service come.
    package enum Scheme: String, Hashable, Sendable {
        case http
        case https

        /// The port where none is written.
        package var defaultPort: UInt16 { self == .http ? 80 : 443 }
    }

    /// `https`, also for a service that is named by its domain alone.
    package let scheme: Scheme
    /// The host.
    package let host: HostName
    /// The port; the scheme's own where none was written.
    package let port: UInt16
    /// The registrable domain; nil for an address, `localhost`, a single label, and a public suffix: such a host shares
    /// nothing with another.
    package let site: String?

    /// The address of a service.
    ///
    /// - Returns: nil for an application, another scheme than http and https, and text that names no host.
    package init?(_ service: ServiceIdentifier, suffixes: PublicSuffixes) {
        switch service.kind {
        case .domain: self.init(authority: service.identifier[...], scheme: .https, suffixes)
        case .url: self.init(url: service.identifier, suffixes)
        case .app: return nil
        }
    }

    /// The services that `service` stands for, most specific first: itself, its host, its registrable domain; all with
    /// its realm.
    package static func expanded(_ service: ServiceIdentifier, suffixes: PublicSuffixes) -> [ServiceIdentifier] {
        guard let address = ServiceAddress(service, suffixes: suffixes) else { return [service] }
        var result = [service]
        for domain in [address.host.written, address.site].compactMap({ $0 }) {
            let identifier = ServiceIdentifier(domain, kind: .domain, realm: service.realm)
            if !result.contains(identifier) { result.append(identifier) }
        }
        return result
    }

    /// Whether what is sent there can be read on the way: `http`, other than to this machine.
    package var isInsecure: Bool { scheme == .http && !host.isLoopback }

    /// Scheme and host, and the port where it is not the scheme's own (HTML, "serialization of an origin").
    package var origin: String {
        "\(scheme.rawValue)://\(host.written)\(port == scheme.defaultPort ? "" : ":\(port)")"
    }

    private init?(url text: String, _ suffixes: PublicSuffixes) {
        // Browsers read a backslash as a slash, and drop tabs and line ends: an identity or page never has them.
        guard text.unicodeScalars.allSatisfy({ $0.value > 0x20 && $0.value != 0x7F && $0 != "\\" }),
            let end = text.firstRange(of: "://"), let scheme = Scheme(rawValue: text[..<end.lowerBound].lowercased())
        else { return nil }
        let rest = text[end.upperBound...]
        let authority = rest.prefix { $0 != "/" && $0 != "?" && $0 != "#" }
        self.init(authority: authority, scheme: scheme, suffixes)
    }

    /// Reads `user:password@host:port` (RFC 3986, section 3.2). What stands before the last `@` names nobody.
    private init?(authority: Substring, scheme: Scheme, _ suffixes: PublicSuffixes) {
        let place = authority.lastIndex(of: "@").map { authority[authority.index(after: $0)...] } ?? authority
        let name: Substring
        let number: Substring?
        if let colon = place.lastIndex(of: ":"), !place[colon...].contains("]") {
            (name, number) = (place[..<colon], place[place.index(after: colon)...])
        } else {
            (name, number) = (place, nil)
        }
        guard let host = HostName(String(name)), let port = Self.port(number, scheme) else { return nil }
        self.scheme = scheme
        self.host = host
        self.port = port
        site = host.kind == .domain && !host.isLoopback ? suffixes.registrableDomain(of: host.text) : nil
    }

    private static func port(_ text: Substring?, _ scheme: Scheme) -> UInt16? {
        guard let text, !text.isEmpty else { return scheme.defaultPort }
        guard text.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) else { return nil }
        return UInt16(text).flatMap { $0 > 0 ? $0 : nil }
    }
}
