import Glibc

/// Times as people and programs write them.
enum CalendarTime {
    /// The person's own time, to the minute: `2026-11-22 02:30`.
    static func local(_ milliseconds: Int64) -> String {
        var time = time_t(milliseconds / 1000)
        var parts = tm()
        localtime_r(&time, &parts)
        return "\(date(parts)) \(two(parts.tm_hour)):\(two(parts.tm_min))"
    }

    /// Universal time to the millisecond, as ISO 8601 has it: `2026-11-22T02:30:05.123Z`.
    static func universal(_ milliseconds: Int64) -> String {
        var time = time_t(milliseconds / 1000)
        var parts = tm()
        gmtime_r(&time, &parts)
        let rest = String(1000 + milliseconds % 1000).dropFirst()
        return "\(date(parts))T\(two(parts.tm_hour)):\(two(parts.tm_min)):\(two(parts.tm_sec)).\(rest)Z"
    }

    /// The time that somebody means by `text`: the beginning of a day, `2026-11-22`, or so long before `now`: `30m`,
    /// `24h`, `7d`, `2w`. In milliseconds since 1970; nil for anything else.
    static func parse(_ text: String, now: Int64) -> Int64? {
        if let span = span(text) { return now - span }
        let numbers = text.split(separator: "-", omittingEmptySubsequences: false)
        guard numbers.count == 3, numbers[0].count == 4, numbers[1...].allSatisfy({ $0.count == 2 }),
            let year = Int32(numbers[0]), let month = Int32(numbers[1]), let day = Int32(numbers[2]),
            (1970...9999).contains(year), (1...12).contains(month), (1...31).contains(day)
        else { return nil }
        var parts = tm()
        (parts.tm_year, parts.tm_mon, parts.tm_mday, parts.tm_isdst) = (year - 1900, month - 1, day, -1)
        let time = mktime(&parts)
        // The 31st of February would become a day of March.
        return parts.tm_mday == day ? Int64(time) * 1000 : nil
    }

    private static func span(_ text: String) -> Int64? {
        let units: [Character: Int64] = ["m": 60, "h": 3600, "d": 86400, "w": 604_800]
        guard let unit = text.last.flatMap({ units[$0] }), let count = Int64(text.dropLast()),
            (1...100_000).contains(count)
        else { return nil }
        return count * unit * 1000
    }

    private static func date(_ parts: tm) -> String {
        "\(Int(parts.tm_year) + 1900)-\(two(parts.tm_mon + 1))-\(two(parts.tm_mday))"
    }

    private static func two(_ number: Int32) -> String { number < 10 ? "0\(number)" : "\(number)" }
}
