import KeywaySQLite

/// Where a row stands in its list.
///
/// Rank and use are sealed, so the order of a list is kept in positions that say no more than the order itself: the next
/// free place at either end, or the room between two rows, found by bisection. What is asked for most, the first rows of
/// a list, is then a walk along an index.
extension IdentityTable {
    /// The room that is left at the ends: two billion rows at each of them.
    private static let stride: Int64 = 1 << 32
    /// The room that is left beside a row in the middle, towards the side where the next one is likely.
    private static let step: Int64 = 1 << 16

    /// A position for `record`: behind what stands before it, and behind its equals.
    func position(for record: IdentityRecord, in list: IdentityList) throws(SQLiteError) -> Int64 {
        if let free = try freePosition(for: record, in: list) { return free }
        try spread(list)
        guard let free = try freePosition(for: record, in: list) else { throw .damaged }
        return free
    }

    private struct Neighbour {
        let position: Int64
        let isBehind: Bool
    }

    private func freePosition(for record: IdentityRecord, in list: IdentityList) throws(SQLiteError) -> Int64? {
        guard var low = try neighbour(of: record, list, before: .max) else { return 0 }
        if !low.isBehind {
            return low.position.addingReportingOverflow(Self.stride).overflow ? nil : low.position + Self.stride
        }
        var high = low
        guard let first = try neighbour(of: record, list, from: .min) else { throw .damaged }
        if first.isBehind {
            return first.position.subtractingReportingOverflow(Self.stride).overflow
                ? nil : first.position - Self.stride
        }
        low = first
        // Positions are not sealed: a damaged file may hold any.
        guard !high.position.subtractingReportingOverflow(low.position).overflow else { return nil }
        // `low` stands before the record, `high` behind it.
        while true {
            let middle = low.position + (high.position - low.position) / 2 + 1
            guard let next = try neighbour(of: record, list, from: middle) else { throw .damaged }
            if next.position < high.position {
                if next.isBehind { high = next } else { low = next }
                continue
            }
            guard let previous = try neighbour(of: record, list, before: middle), previous.position > low.position
            else { break }
            guard previous.isBehind else {
                low = previous
                break
            }
            high = previous
        }
        let room = high.position - low.position
        guard room > 1 else { return nil }
        // What was used comes before all that was not, and the next one before that: leave the room there.
        return record.used > 0 ? high.position - min(room / 2, Self.step) : low.position + min(room / 2, Self.step)
    }

    /// The last row before a position, or the first one from it on; `isBehind` says that it belongs behind the record.
    private func neighbour(
        of record: IdentityRecord, _ list: IdentityList, before: Int64? = nil, from: Int64? = nil
    ) throws(SQLiteError) -> Neighbour? {
        let condition = before == nil ? "position >= ?3 ORDER BY position" : "position < ?3 ORDER BY position DESC"
        let query = try prepared(
            "SELECT \(SealedRows.columns) FROM identities WHERE \(list.condition) AND \(condition) LIMIT 1")
        defer { query.reset() }
        try list.bind(query)
        try query.bind(3, before ?? from ?? 0)
        guard try query.step() else { return nil }
        let row = try rows.open(query)
        return Neighbour(position: row.position, isBehind: record.isBefore(row.record))
    }

    /// Gives every row of the list new room.
    private func spread(_ list: IdentityList) throws(SQLiteError) {
        var numbers: [Int64] = []
        let query = try prepared("SELECT id FROM identities WHERE \(list.condition) ORDER BY position, id")
        try list.bind(query)
        while try query.step() { numbers.append(query.integer(0)) }
        let update = try prepared("UPDATE identities SET position = ?2 WHERE id = ?1")
        for (index, number) in numbers.enumerated() {
            try update.bind(1, number)
            try update.bind(2, Int64(index) * Self.stride)
            try update.run()
        }
    }
}

extension IdentityList {
    /// The condition on a row of the list, with the parameters 1 and 2.
    var condition: String {
        switch self {
        case .origin: "host = ?1 AND origin = ?2"
        case .site: "site = ?1"
        }
    }

    /// Binds the parameters of ``condition``.
    func bind(_ statement: Statement) throws(SQLiteError) {
        switch self {
        case .origin(let host, let origin):
            try statement.bind(1, host)
            try statement.bind(2, origin)
        case .site(let site): try statement.bind(1, site)
        }
    }
}
