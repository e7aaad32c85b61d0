import SecretDocuments

/// Apple Passwords and Safari: `Title,URL,Username,Password,Notes,OTPAuth`, before Safari 17 without the last two.
struct AppleCSV: CSVFormat {
    init(_ header: CSVHeader, _ bytes: UnsafeRawBufferPointer) {}

    static func fits(_ header: CSVHeader, _ rows: [CSVRow]) -> Bool {
        Array(header.names.prefix(4)) == ["title", "url", "username", "password"]
            && (header.names.count == 4 || Array(header.names.dropFirst(4)) == ["notes", "otpauth"])
    }

    func outcome(_ entry: CSVEntry) -> CSVOutcome {
        var record = entry.record
        record.userName = entry.text("username")
        record.title = entry.text("title")
        // Where a site has several accounts, the title says which one this is.
        let suffix = " (\(record.userName))"
        if !record.userName.isEmpty, record.title.hasSuffix(suffix) { record.title.removeLast(suffix.count) }
        record.password = entry["password"]
        record.add(url: entry.text("url"))
        record.notes = entry["notes"]
        record.add(code: entry["otpauth"])
        return .record(record)
    }
}
