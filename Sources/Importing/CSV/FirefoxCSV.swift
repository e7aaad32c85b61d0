import SecretDocuments

/// Firefox: nine columns, times in milliseconds. It has no titles: the host is one.
struct FirefoxCSV: CSVFormat {
    init(_ header: CSVHeader, _ bytes: UnsafeRawBufferPointer) {}

    static func fits(_ header: CSVHeader, _ rows: [CSVRow]) -> Bool {
        header.has("url", "username", "password", "httprealm", "formactionorigin")
    }

    func outcome(_ entry: CSVEntry) -> CSVOutcome {
        let url = entry.text("url")
        guard !url.hasPrefix("chrome://FirefoxAccounts") else {
            return .skipped("These are keys of Firefox itself, and no password of a site.")
        }
        var record = entry.record
        record.title = url.host
        record.add(url: url)
        record.userName = entry.text("username")
        record.password = entry["password"]
        record.isForHTTP = entry["httprealm"] != nil
        record.created = Time.milliseconds(entry.text("timecreated"))
        record.modified = Time.milliseconds(entry.text("timepasswordchanged"))
        return .record(record)
    }
}
