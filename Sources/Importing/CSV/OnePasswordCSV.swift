import SecretDocuments

/// 1Password 8: `Title,Url,Username,Password,OTPAuth,Favorite,Archived,Tags,Notes`; 1Password 4: title, notes, username,
/// password and url.
struct OnePasswordCSV: CSVFormat {
    init(_ header: CSVHeader, _ bytes: UnsafeRawBufferPointer) {}

    static func fits(_ header: CSVHeader, _ rows: [CSVRow]) -> Bool {
        header.has("title", "url", "username", "password", "otpauth", "favorite", "archived")
            || header.names == ["title", "notes", "username", "password", "url"]
    }

    func outcome(_ entry: CSVEntry) -> CSVOutcome {
        var record = entry.record
        record.title = entry.text("title")
        record.add(url: entry.text("url"))
        record.userName = entry.text("username")
        record.password = entry["password"]
        record.add(code: entry["otpauth"])
        record.isFavorite = entry.text("favorite").isYes
        record.tags = entry.text("tags").split(separator: ";").map { String($0.trimmed) }
        record.notes = entry["notes"]
        if entry.text("archived").isYes { record.notices.append("It was archived in 1Password.") }
        return .record(record)
    }
}
