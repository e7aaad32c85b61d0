import AutoFillProtocol

/// An address of an item, or the identifier of a service, taken apart: a URL, or a host as people write it.
struct ItemAddress: Hashable {
    /// The scheme in lower case; nil where none was written.
    let scheme: String?
    /// The host in lower case, without a final dot.
    let host: String
    /// The port, where one was written.
    let port: Int?
    private let text: String
    private let isBareHost: Bool

    /// Reads an address; nil when no host stands in it.
    init?(_ text: String) {
        let text = text.trimmed
        var rest = text[...]
        if let mark = text.firstRange(of: "://") {
            let name = text[..<mark.lowerBound]
            guard let first = name.unicodeScalars.first, first.properties.isAlphabetic else { return nil }
            scheme = name.lowercased()
            rest = text[mark.upperBound...]
        } else {
            scheme = nil
        }
        let authority = rest.prefix { $0 != "/" && $0 != "?" && $0 != "#" }
        let place = authority.lastIndex(of: "@").map { authority[authority.index(after: $0)...] } ?? authority
        guard let (host, port) = Self.split(place) else { return nil }
        self.host = host
        self.port = port
        self.text = text
        isBareHost = scheme == nil && authority.count == text.count && port == nil && place.count == authority.count
    }

    /// Separates host and port; nil without a host, or with a port that is no number.
    private static func split(_ place: Substring) -> (host: String, port: Int?)? {
        let end =
            place.hasPrefix("[")
            ? place.firstIndex(of: "]").map { place.index(after: $0) } : place.firstIndex(of: ":") ?? place.endIndex
        guard let end else { return nil }
        var host = place[..<end].lowercased()
        if host.hasSuffix(".") { host.removeLast() }
        guard !host.isEmpty, !host.contains(where: \.isWhitespace) else { return nil }
        guard end < place.endIndex else { return (host, nil) }
        guard place[end] == ":", let port = Int(place[place.index(after: end)...]), (1...65535).contains(port) else {
            return nil
        }
        return (host, port)
    }

    /// What the identity store is told: the domain, or a URL; one without a scheme is taken for `https`, on this
    /// machine for `http`.
    var service: ServiceIdentifier {
        if isBareHost { return ServiceIdentifier(host, kind: .domain) }
        if scheme != nil { return ServiceIdentifier(text, kind: .url) }
        return ServiceIdentifier((isLoopback ? "http://" : "https://") + text, kind: .url)
    }

    /// Whether accounts can be suggested for it: it is of the web.
    var isSuggestable: Bool { scheme == nil || scheme == "https" || scheme == "http" }

    /// The port that a connection would go to.
    var effectivePort: Int? {
        port ?? (scheme == "https" ? 443 : scheme == "http" ? 80 : nil)
    }

    /// Whether the host is this machine.
    var isLoopback: Bool {
        host == "localhost" || host.hasSuffix(".localhost") || host.hasPrefix("127.") || host == "[::1]"
    }

    /// Whether this host lies under `domain`; never for addresses of the IP and for names without a dot.
    func isSubdomain(of domain: String) -> Bool {
        guard domain.contains("."), !domain.hasPrefix("["), !Self.isIPv4(domain) else { return false }
        return host.hasSuffix("." + domain)
    }

    private static func isIPv4(_ host: String) -> Bool {
        host.split(separator: ".", omittingEmptySubsequences: false).allSatisfy { UInt8($0) != nil }
    }
}

extension String {
    /// Without the white space before and after.
    var trimmed: String {
        let start = firstIndex { !$0.isWhitespace } ?? endIndex
        let end = lastIndex { !$0.isWhitespace }.map { index(after: $0) } ?? endIndex
        return start < end ? String(self[start..<end]) : ""
    }
}
