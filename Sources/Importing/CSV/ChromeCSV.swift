import SecretDocuments

/// Chrome, Edge, Brave, Opera and Google Password Manager: `name,url,username,password,note`, formerly without the note.
struct ChromeCSV: CSVFormat {
    init(_ header: CSVHeader, _ bytes: UnsafeRawBufferPointer) {}

    static func fits(_ header: CSVHeader, _ rows: [CSVRow]) -> Bool {
        Set(header.names).isSubset(of: ["name", "url", "username", "password", "note"])
            && header.has("name", "url", "username", "password")
    }

    func outcome(_ entry: CSVEntry) -> CSVOutcome {
        var record = entry.record
        record.title = entry.text("name")
        record.add(url: entry.text("url"))
        record.userName = entry.text("username")
        record.password = entry["password"]
        record.notes = entry["note"]
        return .record(record)
    }
}
