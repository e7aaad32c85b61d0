import AutoFillProtocol
import KeywaySQLite

/// One level of ``ServiceMatcher``'s rule as a query that an index answers, in order where there may be much.
struct MatchLevel {
    private enum Rule {
        /// Scheme, host and port.
        case origin
        /// The host, but for what `origin` found.
        case host
        /// The host on another port, among identities that say `http:`.
        case insecureHost
        /// The registrable domain, but for one host; all hosts where that is empty.
        case site(String, except: String)
    }

    let match: ServiceMatch
    private let rule: Rule
    private let page: ServiceAddress
    private let kinds: Set<CredentialKind>

    /// The levels of a page, best first.
    static func levels(of page: ServiceAddress, kinds: Set<CredentialKind>) -> [MatchLevel] {
        if page.isInsecure {
            return page.host.isAbsolute
                ? []
                : [
                    MatchLevel(match: .origin, rule: .origin, page: page, kinds: kinds),
                    MatchLevel(match: .host, rule: .insecureHost, page: page, kinds: kinds),
                ]
        }
        var levels: [MatchLevel] = []
        if !page.host.isAbsolute {
            levels.append(MatchLevel(match: .origin, rule: .origin, page: page, kinds: kinds))
            levels.append(MatchLevel(match: .host, rule: .host, page: page, kinds: kinds))
        }
        if let site = page.site {
            let own = page.host.isAbsolute ? "" : page.host.text
            levels.append(MatchLevel(match: .site, rule: .site(site, except: own), page: page, kinds: kinds))
        }
        return levels
    }

    /// The rows, best first; the last parameter is how many.
    var selection: String {
        "SELECT \(IdentityDatabase.columns), used FROM identities INDEXED BY \(index) WHERE \(condition) "
            + "ORDER BY rank DESC, used DESC LIMIT ?\(limitParameter)"
    }

    /// How many rows there are; the last parameter is where counting ends.
    var counting: String {
        "SELECT COUNT(*) FROM (SELECT 1 FROM identities INDEXED BY \(index) WHERE \(condition) LIMIT ?\(limitParameter))"
    }

    var limitParameter: Int32 {
        switch rule {
        case .origin, .host: 4
        case .insecureHost, .site: 3
        }
    }

    func bind(_ statement: Statement) throws(SQLiteError) {
        switch rule {
        case .origin, .host:
            try statement.bind(1, page.host.text)
            try statement.bind(2, page.scheme == .https ? 1 : 0)
            try statement.bind(3, Int64(page.port))
        case .insecureHost:
            try statement.bind(1, page.host.text)
            try statement.bind(2, Int64(page.port))
        case .site(let site, let own):
            try statement.bind(1, site)
            try statement.bind(2, own)
        }
    }

    private var index: String {
        switch rule {
        // What says `http:` is seldom: it is found at once and sorted.
        case .origin, .insecureHost: "by_origin"
        case .host: "by_host"
        case .site: "by_site"
        }
    }

    private var condition: String {
        let names = kinds.map { "'\($0.rawValue)'" }.sorted().joined(separator: ", ")
        return "kind IN (\(names)) AND \(place)"
    }

    private var place: String {
        switch rule {
        case .origin: "host = ?1 AND secure = ?2 AND port = ?3"
        case .host: "host = ?1 AND NOT (secure = ?2 AND port = ?3)"
        case .insecureHost: "host = ?1 AND secure = 0 AND port <> ?2"
        case .site: "site = ?1 AND secure = 1 AND host <> ?2"
        }
    }
}
