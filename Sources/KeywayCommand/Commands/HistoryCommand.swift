import AutoFillProtocol
import AutoFillWire
import Glibc

/// `keyway history` and `keyway history clear`.
struct HistoryCommand {
    /// How many entries the broker gives at a time.
    private static let page = 1000

    let context: CommandContext

    func list() async throws {
        let since = try since()
        let limit = context.invocation.number("--limit") ?? 100
        let connection = try await context.connect()
        defer { connection.close() }
        var entries: [HistoryEntry] = []
        var hasMore = true
        while hasMore && entries.count < limit {
            let answer = try await connection.call(
                ListHistory.self, .init(limit: min(limit - entries.count, Self.page), before: entries.last?.time))
            let wanted = answer.entries.prefix { $0.time >= since }
            entries += wanted
            hasMore = answer.hasMore && wanted.count == answer.entries.count
        }
        try context.print(
            .object([("entries", .array(entries.map(json))), ("more", .bool(hasMore))]),
            text: TextTable.text(entries.map(row)))
        if entries.isEmpty { try context.say(Strings.nothingHappened) }
        if hasMore && !context.wantsJSON { try context.say(Strings.olderEntries) }
    }

    func clear() async throws {
        if !context.invocation.has(CommandTable.yes.name) {
            let isSure = try context.questions.confirm(
                Strings.confirmClearing, elseHint: Strings.confirmClearingByOption)
            guard isSure else { throw CommandError(.cancelled, Strings.nothingCleared) }
        }
        let connection = try await context.connect()
        defer { connection.close() }
        _ = try await connection.call(ClearHistory.self, Nothing())
        try context.print(.object([("cleared", .bool(true))]), text: "")
        if !context.wantsJSON { try context.say(Strings.historyCleared) }
    }

    private func since() throws(CommandError) -> Int64 {
        guard let text = context.invocation.value("--since") else { return .min }
        guard let time = CalendarTime.parse(text, now: context.surroundings.clock.milliseconds) else {
            throw CommandError(.usage, Strings.noTime(text), hint: Strings.timesAre)
        }
        return time
    }

    private func row(_ entry: HistoryEntry) -> [String] {
        let account = entry.account.map { $0.isEmpty ? Strings.noUserName : $0 }
        let what = [entry.kind.map(Strings.kind), entry.method.map(Strings.verifiedBy), entry.detail]
        return [
            CalendarTime.local(entry.time), Strings.event(entry.event), entry.client, account ?? "",
            entry.service ?? "", entry.provider?.name ?? "", what.compactMap { $0 }.joined(separator: ", "),
        ]
    }

    private func json(_ entry: HistoryEntry) -> JSONValue {
        .object([
            ("time", .string(CalendarTime.universal(entry.time))), ("event", .string(entry.event.rawValue)),
            ("client", .string(entry.client)), ("provider", .optional(entry.provider?.identifier)),
            ("service", .optional(entry.service)), ("account", .optional(entry.account)),
            ("kind", .optional(entry.kind?.rawValue)), ("verification", .optional(entry.method?.rawValue)),
            ("detail", .optional(entry.detail)),
        ])
    }
}
