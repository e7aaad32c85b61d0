import SecretDocuments

/// KeePassXC, and KeePassX 2 before it: `Group,Title,Username,Password,URL,Notes`, later with TOTP, icon and times.
struct KeePassXCCSV: CSVFormat {
    init(_ header: CSVHeader, _ bytes: UnsafeRawBufferPointer) {}

    static func fits(_ header: CSVHeader, _ rows: [CSVRow]) -> Bool {
        Array(header.names.prefix(6)) == ["group", "title", "username", "password", "url", "notes"]
    }

    func outcome(_ entry: CSVEntry) -> CSVOutcome {
        var record = entry.record
        // The first group is the database itself.
        record.folder = Array(entry.text("group").folders().dropFirst())
        record.title = entry.text("title")
        record.userName = entry.text("username")
        record.password = entry["password"]
        record.add(url: entry.text("url"))
        record.notes = entry["notes"]
        record.add(code: entry["totp"])
        record.created = Time.seconds(entry.text("created"))
        record.modified = Time.seconds(entry.text("lastmodified"))
        return .record(record)
    }
}
