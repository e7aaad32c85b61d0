/// Reads times as exports write them.
enum Time {
    /// Seconds since 1970 of a number of seconds, or of a time by RFC 3339; nil for anything else, and for none.
    static func seconds(_ text: String) -> Int64? {
        if let number = Int64(text) { return number > 0 ? number : nil }
        return rfc3339(text)
    }

    /// Seconds since 1970 of a number of milliseconds.
    static func milliseconds(_ text: String) -> Int64? {
        Int64(text).flatMap { $0 > 0 ? $0 / 1000 : nil }
    }

    /// Seconds since 1970 of a time such as `2025-06-15T15:06:40.123Z` or `2025-06-15 15:06:40+02:00`.
    static func rfc3339(_ text: String) -> Int64? {
        let bytes = Array(text.utf8)
        func number(_ range: Range<Int>) -> Int64? {
            guard range.upperBound <= bytes.count else { return nil }
            return bytes[range].reduce(Int64?.some(0)) { value, byte in
                guard let value, (0x30...0x39).contains(byte) else { return nil }
                return value * 10 + Int64(byte - 0x30)
            }
        }
        guard let year = number(0..<4), let month = number(5..<7), let day = number(8..<10),
            bytes[4] == 0x2D, bytes[7] == 0x2D, (1...12).contains(month), (1...31).contains(day)
        else { return nil }
        var time = days(year, month, day) * 86_400
        guard bytes.count > 10 else { return time }
        guard let hour = number(11..<13), let minute = number(14..<16), hour < 25, minute < 60 else { return nil }
        time += hour * 3600 + minute * 60 + (number(17..<19) ?? 0)
        var rest = bytes.dropFirst(19)
        if rest.first == UInt8(ascii: ".") { rest = rest.dropFirst().drop { (0x30...0x39).contains($0) } }
        guard let sign = rest.first, sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-") else { return time }
        let start = rest.startIndex + 1
        guard let hours = number(start..<start + 2) else { return nil }
        let minutes = number(start + 3..<start + 5) ?? 0
        return time - (sign == UInt8(ascii: "+") ? 1 : -1) * (hours * 3600 + minutes * 60)
    }

    /// The day of a time, such as `2025-06-15`.
    static func date(_ seconds: Int64) -> String {
        guard (-100_000_000_000...100_000_000_000).contains(seconds) else { return "" }
        let day = Int64((Double(seconds) / 86_400).rounded(.down))
        // A year is never shorter than 365 days: at most a few too many are tried.
        var year = 1970 + day / 366 - (day < 0 ? 8 + -day / 365 / 400 : 0)
        while days(year + 1, 1, 1) <= day { year += 1 }
        while days(year, 1, 1) > day { year -= 1 }
        var month: Int64 = 12
        while days(year, month, 1) > day { month -= 1 }
        let parts = [month, day - days(year, month, 1) + 1].map { $0 < 10 ? "0\($0)" : "\($0)" }
        return "\(year)-\(parts[0])-\(parts[1])"
    }

    /// Days from 1970 to a day of the Gregorian calendar.
    private static func days(_ year: Int64, _ month: Int64, _ day: Int64) -> Int64 {
        // Counted from March, the leap day is the last of a year.
        let year = month <= 2 ? year - 1 : year
        let era = year / 400
        let yearOfEra = year - era * 400
        let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }
}
