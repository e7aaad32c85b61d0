/// Where an account is, as the name of an entry or a line in it says.
public struct StoreService: Hashable, Sendable {
    /// `http` or `https`, where it is said.
    public let scheme: String?
    /// The host, in lower case.
    public let host: String
    /// The port, where it is said.
    public let port: UInt16?

    /// The service that a part of an entry's name stands for: a host name with a dot in it, an address, `localhost`; with
    /// a port or without.
    public init?(namePart part: Substring) {
        self.init(authority: part[...], scheme: nil)
    }

    /// The service of an address as people write it into an entry: with a scheme or without.
    public init?(address: String) {
        guard let end = address.firstRange(of: "://") else {
            self.init(authority: address.prefix { !"/?#".contains($0) }, scheme: nil)
            return
        }
        let scheme = address[..<end.lowerBound].lowercased()
        guard ["http", "https"].contains(scheme) else { return nil }
        let authority = address[end.upperBound...].prefix { !"/?#".contains($0) }
        let place = authority.lastIndex(of: "@").map { authority[authority.index(after: $0)...] } ?? authority
        self.init(authority: place, scheme: scheme)
    }

    private init?(authority: Substring, scheme: String?) {
        let host: Substring
        if let colon = authority.lastIndex(of: ":"), !authority[colon...].contains("]") {
            guard let port = UInt16(authority[authority.index(after: colon)...]), port > 0 else { return nil }
            self.port = port
            host = authority[..<colon]
        } else {
            port = nil
            host = authority
        }
        guard Self.isHost(host) || (scheme != nil && Self.isLabel(host)) else { return nil }
        // Only an address has a port; without a scheme, that of `https` is meant.
        self.scheme = port == nil ? scheme : scheme ?? "https"
        self.host = host.lowercased()
    }

    /// Whether text can be nothing but a host: names need a dot, or most words would be some.
    private static func isHost(_ text: Substring) -> Bool {
        if text == "localhost" { return true }
        if text.hasPrefix("["), text.hasSuffix("]") {
            return text.dropFirst().dropLast().allSatisfy { $0.isHexDigit || $0 == ":" || $0 == "." }
        }
        let labels = text.split(separator: ".", omittingEmptySubsequences: false)
        guard labels.count >= 2, text.utf8.count <= 253, labels.allSatisfy(isLabel), let last = labels.last else {
            return false
        }
        if last.allSatisfy(\.isNumber) { return labels.count == 4 && labels.allSatisfy { UInt8($0) != nil } }
        return last.count >= 2 && !last.contains(where: \.isNumber) || last.lowercased().hasPrefix("xn--")
    }

    private static func isLabel(_ text: Substring) -> Bool {
        (1...63).contains(text.utf8.count) && !text.hasPrefix("-") && !text.hasSuffix("-")
            && text.allSatisfy { $0.isLetter || $0.isNumber || $0 == "-" }
    }
}
