import SecretDocuments

/// Keeper: no header; folder, title, login, password, address, notes and shared folder, then pairs of name and value.
struct KeeperCSV: CSVFormat {
    let hasHeader: Bool
    let hasOpenRows = true

    init(_ header: CSVHeader, _ bytes: UnsafeRawBufferPointer) { hasHeader = Self.isHeader(header) }

    static func fits(_ header: CSVHeader, _ rows: [CSVRow]) -> Bool {
        if isHeader(header) { return true }
        // A file of these columns, in which the fifth holds addresses and nothing else.
        let addresses = [header.names.count > 4 ? header.names[4] : ""] + rows.compactMap { $0[4]?.publicText }
        return header.names.count >= 7 && addresses.contains { $0.contains("://") }
            && addresses.allSatisfy { $0.isEmpty || $0.contains("://") || $0.contains(".") }
    }

    private static func isHeader(_ header: CSVHeader) -> Bool {
        Array(header.names.prefix(4)) == ["folder", "title", "login", "password"]
    }

    func outcome(_ entry: CSVEntry) -> CSVOutcome {
        var record = entry.record
        let row = entry.row
        let shared = row[6]?.publicText ?? ""
        record.folder = [shared, row[0]?.publicText ?? ""].flatMap { $0.folders("\\") }.flatMap { $0.folders() }
        record.title = row[1]?.publicText ?? ""
        record.userName = row[2]?.publicText ?? ""
        record.set(password: row[3])
        record.add(url: row[4]?.publicText ?? "")
        record.set(notes: row[5])
        for index in stride(from: 7, to: row.cells.count, by: 2) {
            let (name, value) = (row.cells[index], row[index + 1])
            if name.isText("TFC:Keeper") {
                record.add(code: value)
            } else if let value {
                record.add(field: name.publicText, value)
            } else {
                record.add(field: "", name)
            }
        }
        return .record(record)
    }
}
