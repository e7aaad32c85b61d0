import SecretDocuments

/// KeePass 1: `"Account","Login Name","Password","Web Site","Comments"`, with backslashes before quotation marks.
struct KeePass1CSV: CSVFormat {
    static let hasBackslashes = true

    init(_ header: CSVHeader, _ bytes: UnsafeRawBufferPointer) {}

    static func fits(_ header: CSVHeader, _ rows: [CSVRow]) -> Bool {
        header.has("account", "loginname", "password", "website", "comments")
    }

    func outcome(_ entry: CSVEntry) -> CSVOutcome {
        var record = entry.record
        record.title = entry.text("account")
        record.userName = entry.text("loginname")
        record.password = entry["password"]
        record.add(url: entry.text("website"))
        record.notes = entry["comments"]
        return .record(record)
    }
}
