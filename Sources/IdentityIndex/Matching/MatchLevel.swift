import AutoFillProtocol
import KeywaySQLite
import ServiceMatching

/// One level of ``ServiceMatcher``'s rule, as the lists of a store that hold what fits.
struct MatchLevel {
    /// Identities of one list that fit, best first.
    struct Part {
        let list: IdentityList
        /// The host whose identities are left out of it.
        let exceptHost: Int64?
    }

    let match: ServiceMatch
    private let page: ServiceAddress

    /// The levels of a page, best first.
    static func levels(of page: ServiceAddress) -> [MatchLevel] {
        if page.isInsecure && page.host.isAbsolute { return [] }
        let levels: [ServiceMatch] =
            page.isInsecure ? [.origin, .host] : page.host.isAbsolute ? [.site] : [.origin, .host, .site]
        return levels.map { MatchLevel(match: $0, page: page) }
    }

    /// The lists of this level.
    func lists(in table: SealedTable, _ kinds: Set<CredentialKind>) throws(SQLiteError) -> [Part] {
        var lists: [Part] = []
        for kind in CredentialKind.allCases where kinds.contains(kind) {
            let host = table.keys.host(of: page, kind)
            switch match {
            case .origin:
                let origin = table.keys.origin(of: page, kind)
                lists.append(Part(list: .origin(host: host, origin: origin), exceptHost: nil))
            case .host:
                lists += try otherOrigins(of: host, but: table.keys.origin(of: page, kind), in: table)
            case .site:
                guard let site = page.site else { continue }
                lists.append(
                    Part(list: .site(table.keys.site(site, kind)), exceptHost: page.host.isAbsolute ? nil : host))
            // No level of a page: who asks for other sites names them.
            case .shared: continue
            }
        }
        return lists
    }

    private func otherOrigins(
        of host: Int64, but own: Int64, in table: SealedTable
    ) throws(SQLiteError) -> [Part] {
        let next = try table.prepared(
            "SELECT origin FROM identities WHERE host = ?1 AND origin > ?2 ORDER BY origin LIMIT 1")
        defer { next.reset() }
        var lists: [Part] = []
        var last = Int64.min
        while true {
            try next.bind(1, host)
            try next.bind(2, last)
            guard try next.step() else { return lists }
            last = next.integer(0)
            next.reset()
            guard last != own else { continue }
            let other = Part(list: .origin(host: host, origin: last), exceptHost: nil)
            // An insecure page gets what says `http:`, which a list's name does not tell and its first row does.
            if page.isInsecure, try !other.isInsecure(in: table) { continue }
            lists.append(other)
        }
    }
}

extension MatchLevel.Part {
    /// The first rows.
    func first(_ limit: Int, in table: SealedTable) throws(SQLiteError) -> [IdentityRecord] {
        let query = try prepared("SELECT \(SealedRows.columns)", "ORDER BY position LIMIT ?4", in: table)
        defer { query.reset() }
        try query.bind(4, Int64(limit))
        var records: [IdentityRecord] = []
        while try query.step() { records.append(try table.rows.open(query).record) }
        return records
    }

    /// How many rows there are, counted up to `limit`.
    func count(upTo limit: Int, in table: SealedTable) throws(SQLiteError) -> Int {
        let query = try prepared("SELECT COUNT(*) FROM (SELECT 1", "LIMIT ?4)", in: table)
        defer { query.reset() }
        try query.bind(4, Int64(limit))
        return try query.step() ? Int(query.integer(0)) : 0
    }

    fileprivate func isInsecure(in table: SealedTable) throws(SQLiteError) -> Bool {
        guard let service = try first(1, in: table).first?.identity.service, service.kind == .url else { return false }
        return service.identifier.lowercased().hasPrefix("http:")
    }

    private func prepared(_ start: String, _ end: String, in table: SealedTable) throws(SQLiteError) -> Statement {
        let index =
            switch list {
            case .origin: "by_host"
            case .site: "by_site"
            }
        let query = try table.prepared(
            "\(start) FROM identities INDEXED BY \(index) WHERE \(list.condition) "
                + "\(exceptHost == nil ? "" : "AND host <> ?3") \(end)")
        try list.bind(query)
        if let exceptHost { try query.bind(3, exceptHost) }
        return query
    }
}
