package import FoundationEssentials
package import KeywaySystem

extension TimeSource {
    /// The calendar's time, as items have it.
    package var date: Date { StoredDate.date(milliseconds) }
}

/// How dates are stored: milliseconds since 1970 in UTC, in an Int64.
enum StoredDate {
    /// The stored form; what lies beyond the year 9999 is cut there.
    static func milliseconds(_ date: Date) -> Int64 {
        let limit = 253_402_300_799_000.0
        return Int64(max(-limit, min(limit, (date.timeIntervalSince1970 * 1000).rounded())))
    }

    /// The date of a stored form.
    static func date(_ milliseconds: Int64) -> Date {
        Date(timeIntervalSince1970: Double(milliseconds) / 1000)
    }
}
