import AutoFillProtocol
import KeywaySystem
import ServiceMatching

/// What an app asks for, parsed and checked: every site in it is a valid one.
struct AppWishes: Sendable {
    /// The most requests of one call, and the most domains that an app names.
    static let mostRequests = 16
    static let mostDomains = 16
    /// The most bytes of a challenge.
    private static let challengeBytes = 1024

    let requests: [AuthorizeApplication.Wanted]
    /// The relying parties of the requests for passkeys, in their order, each once.
    let parties: [RelyingParty]
    /// The domains that the app says it belongs to, most specific first.
    let domains: [String]

    /// The wishes of an app.
    ///
    /// - Throws: ``ProtocolError``: `invalidParameters` for what is out of bounds, `refused` for an app that names no
    ///   site.
    init(_ parameters: AuthorizeApplication.Parameters, _ suffixes: PublicSuffixes) throws(ProtocolError) {
        guard (1...Self.mostRequests).contains(parameters.requests.count) else {
            throw ProtocolError(.invalidParameters, "An app makes 1 to \(Self.mostRequests) requests at a time.")
        }
        guard parameters.domains.count <= Self.mostDomains, parameters.methods.count <= Self.mostRequests,
            parameters.methods.allSatisfy({ $0.utf8.count <= 64 })
        else { throw ProtocolError(.invalidParameters, "An app names \(Self.mostDomains) domains at most.") }
        requests = parameters.requests
        var parties: [RelyingParty] = []
        for request in parameters.requests {
            guard let party = try Self.party(of: request, suffixes) else { continue }
            if !parties.contains(party) { parties.append(party) }
        }
        self.parties = parties
        let claimed = parameters.domains.compactMap { RelyingParty($0, suffixes: suffixes)?.identifier }
        var domains: [String] = []
        for domain in parties.map(\.identifier) + claimed where !domains.contains(domain) { domains.append(domain) }
        // Of two names, the one with more labels says more.
        self.domains = domains.enumerated().sorted { one, other in
            let (left, right) = (Self.labels(one.element), Self.labels(other.element))
            return left == right ? one.offset < other.offset : left > right
        }.map(\.element)
        guard !domains.isEmpty else {
            throw ProtocolError(
                .refused, "The app doesn't say which site it belongs to. See `Docs/apps.md`, associated domains.")
        }
    }

    /// The site that the person is asked about: that of the first passkey, else the app's first domain.
    var site: String { parties.first?.identifier ?? domains[0] }

    /// Whether a password would do.
    var wantsPassword: Bool { requests.contains(.password) }

    /// The upgrade that is asked for; nil where something else is. It comes alone: nobody is asked anything.
    ///
    /// - Throws: ``ProtocolError`` with the code `invalidParameters` for one that does not.
    func upgrade() throws(ProtocolError) -> ApplicationRegistration? {
        let upgrades = requests.compactMap { request -> ApplicationRegistration? in
            if case .registration(let wanted) = request, wanted.isConditional { wanted } else { nil }
        }
        guard let upgrade = upgrades.first else { return nil }
        guard requests.count == 1 else {
            throw ProtocolError(.invalidParameters, "A conditional registration is requested alone.")
        }
        return upgrade
    }

    private static func labels(_ domain: String) -> Int { domain.split(separator: ".").count }

    private static func party(
        of request: AuthorizeApplication.Wanted, _ suffixes: PublicSuffixes
    ) throws(ProtocolError) -> RelyingParty? {
        switch request {
        case .password: return nil
        case .assertion(let wanted):
            try check(wanted.challenge.count)
            return try RequestBounds.check(wanted.relyingParty, suffixes)
        case .registration(let wanted):
            try check(wanted.challenge.count)
            return try RequestBounds.check(wanted.relyingParty, suffixes)
        }
    }

    private static func check(_ count: Int) throws(ProtocolError) {
        guard (1...challengeBytes).contains(count) else {
            throw ProtocolError(.invalidParameters, "A challenge has 1 to \(challengeBytes) bytes.")
        }
    }
}
